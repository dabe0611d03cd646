//! Options of `tioga simulate`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use tioga_base::Rational;

use super::InterfaceArgs;
use crate::format::ModelFormat;

/// Options of `tioga simulate`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct SimulateArgs {
    /// The model: a file, `-` for standard input, or `@NAME` for an embedded example
    #[arg(value_name = "MODEL", default_value = "@smart-light")]
    pub model: String,

    /// The format of the model, if its name does not say it
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub from: Option<ModelFormat>,

    /// How many moves to make at most
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pub steps: u64,

    /// What decides the random choices: the same seed gives the same run
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,

    /// Stop when this much model time has passed, such as 100 or 7/2
    #[arg(long, value_name = "TIME")]
    pub max_time: Option<Rational>,

    /// Choose every move yourself
    #[arg(short, long, conflicts_with_all = ["seed", "json"])]
    pub interactive: bool,

    /// Print the trace as JSON Lines
    #[arg(long)]
    pub json: bool,

    /// Write the trace to a file, as JSON Lines if its name ends in .jsonl
    #[arg(short, long = "out", value_name = "TRACE", id = "out")]
    pub out: Option<PathBuf>,

    /// The value of a symbolic constant
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<Setting>,

    /// The interface of the system under test
    #[command(flatten)]
    pub interface: InterfaceArgs,
}

const AFTER_HELP: &str = "\
Examples:
  tioga simulate
  tioga simulate @smart-light --steps 5 --seed 7
  tioga simulate train-gate.xml --max-time 100 -o run.jsonl
  tioga simulate model.tioga --set limit=7/2 --interactive";

/// A value for a symbolic constant: `NAME=VALUE`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The symbolic constant.
    pub name: String,
    /// Its value; `true` is 1 and `false` is 0.
    pub value: Rational,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
        let value = match value.trim() {
            "true" => Rational::ONE,
            "false" => Rational::ZERO,
            number => number.parse().map_err(|error| format!("`{number}`: {error}"))?,
        };
        let name = name.trim().to_owned();
        if name.is_empty() {
            return Err("write NAME=VALUE".to_owned());
        }
        Ok(Self { name, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_a_name_and_an_exact_number() {
        let setting: Setting = "limit = 7/2".parse().unwrap();
        assert_eq!((setting.name.as_str(), setting.value), ("limit", "7/2".parse().unwrap()));
        for wrong in ["limit", "=3", "limit=", "limit=1e9"] {
            assert!(wrong.parse::<Setting>().is_err(), "{wrong}");
        }
    }
}
