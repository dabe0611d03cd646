//! Options of `tioga simulate`.

use std::path::PathBuf;

use clap::Args;
use tioga_base::GivenTime;

use super::LoadArgs;
use super::help::paragraphs;

/// Options of `tioga simulate`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct SimulateArgs {
    /// The model: a file, `-` for standard input, or `@NAME` for an embedded example
    #[arg(value_name = "MODEL", default_value = "@smart-light")]
    pub model: String,

    /// Maximum of moves [default: 20, or 100000 with --max-time]
    #[arg(long, value_name = "COUNT")]
    pub steps: Option<u64>,

    /// Seed of the random choices; the same seed gives the same run
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub seed: u64,

    /// Time limit of the run in model time, such as 100, 7/2 or 2.5s
    #[arg(long, value_name = "TIME")]
    pub max_time: Option<GivenTime>,

    /// Choose every move yourself, by commands on standard input
    #[arg(short, long, conflicts_with_all = ["seed", "json", "steps", "max_time"])]
    pub interactive: bool,

    /// Print the trace as JSON Lines and nothing else
    #[arg(long)]
    pub json: bool,

    /// Write the trace to a file, as JSON Lines if its name ends in .jsonl
    #[arg(short, long = "out", value_name = "TRACE", id = "out")]
    pub out: Option<PathBuf>,

    /// How to read the model
    #[command(flatten)]
    pub load: LoadArgs,
}

const AFTER_HELP: &str = "\
Exits with 1 if the run ends because an expression of the model cannot be evaluated.

Examples:
  tioga simulate
  tioga simulate @smart-light --steps 5 --seed 7
  tioga simulate train-gate.xml --max-time 100 -o run.jsonl
  tioga simulate model.tioga --set limit=7/2 --interactive";
