//! Options of all commands that read a model.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use tioga::OpenOptions;
use tioga_base::{ModelFormat, Rational};

/// Which model, and how to read it.
#[derive(Args, Debug, Clone)]
pub struct ModelArgs {
    /// The model: a file, `-` for standard input, or `@NAME` for an embedded example
    #[arg(value_name = "MODEL")]
    pub model: String,

    /// How to read it
    #[command(flatten)]
    pub load: LoadArgs,
}

/// How to read a model.
#[derive(Args, Debug, Default, Clone)]
pub struct LoadArgs {
    /// The format of the model, if its name does not say it
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub from: Option<ModelFormat>,

    /// A file with further queries, as UPPAAL's .q [default: for an UPPAAL model, MODEL with the
    /// extension .q, if it exists]
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,

    /// The value of a symbolic constant
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub settings: Vec<Setting>,

    /// The interface of the system under test
    #[command(flatten)]
    pub interface: InterfaceArgs,
}

/// The interface of the system under test, for model languages that cannot say it.
#[derive(Args, Debug, Default, Clone)]
pub struct InterfaceArgs {
    /// Processes that belong to the environment
    #[arg(long, value_name = "PROCESS", value_delimiter = ',', help_heading = INTERFACE)]
    pub environment: Vec<String>,

    /// Channels the system under test receives on
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',', help_heading = INTERFACE)]
    pub input: Vec<String>,

    /// Channels the system under test sends on
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',', help_heading = INTERFACE)]
    pub output: Vec<String>,

    /// Channels that stay internal, whichever process uses them
    #[arg(long, value_name = "CHANNEL", value_delimiter = ',', help_heading = INTERFACE)]
    pub internal: Vec<String>,

    /// Make channels without partner actions of the environment, in an UPPAAL model that declares no
    /// interface; commands that make or run tests always do
    #[arg(long, help_heading = INTERFACE)]
    pub open: bool,

    /// A TOML file with the lists `environment`, `input`, `output` and `internal` [default: MODEL
    /// with the extension .interface.toml, if it exists]
    #[arg(long, value_name = "FILE", help_heading = INTERFACE)]
    pub interface: Option<PathBuf>,
}

const INTERFACE: &str = "Interface of the system under test (UPPAAL and TChecker models)";

/// The names of the formats.
fn formats() -> impl TypedValueParser<Value = ModelFormat> {
    let names = PossibleValuesParser::new(ModelFormat::all().map(ModelFormat::name));
    names.try_map(|name| name.parse::<ModelFormat>())
}

impl LoadArgs {
    /// The options as the library takes them.
    pub fn options(&self) -> OpenOptions {
        let InterfaceArgs { environment, input, output, internal, open: _, interface } =
            self.interface.clone();
        let settings = self.settings.iter().map(|one| (one.name.clone(), one.value)).collect();
        let (format, queries) = (self.from, self.queries.clone());
        OpenOptions {
            format,
            settings,
            queries,
            interface,
            environment,
            input,
            output,
            internal,
            closed: false,
        }
    }
}

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
