//! Options of `tioga certify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::ModelArgs;
use super::help::paragraphs;
use super::values::time_limit;

/// Options of `tioga certify`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct CertifyArgs {
    /// The model; it decides, even if the suite has a model inside
    #[command(flatten)]
    pub model: ModelArgs,

    /// What to check: a suite of `tioga synth -o`, a strategy of `tioga solve --strategy x.json`, or
    /// ranks of `tioga --format json solve`
    #[arg(value_name = "CERTIFICATE")]
    pub certificate: PathBuf,

    /// The purpose that everything must be for: a name, `reach CONDITION`, or a query
    #[arg(short, long, value_name = "PURPOSE")]
    pub purpose: Option<String>,

    /// Maximum of regions checked one by one; where there are more, random plays are checked
    #[arg(long, value_name = "COUNT", default_value_t = 20_000)]
    pub max_regions: usize,

    /// Number of random plays
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    pub plays: u32,

    /// Seed of the random plays
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,

    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit)]
    pub timeout: Option<Duration>,
}

const AFTER_HELP: &str = "\
The checker shares no code with the solver and the synthesiser: it knows the model, single states with
exact clock values, and the definition of ranks. The result says how much of the certificate was
checked, and what was left open.

Exits with 0 if everything is right as far as it was checked, with 1 if something is wrong, with 2 if
the model or the certificate cannot be read, and with 3 if a limit was reached first.

Examples:
  tioga certify @smart-light light.json
  tioga certify @car-alarm alarm.json --purpose FullAlarm
  tioga certify @conveyor-game strategy.json
  tioga --format json certify @smart-light light.json --max-regions 100000";
