//! Options of `tioga check`.

use std::path::PathBuf;

use clap::Args;

use super::ModelArgs;
use super::help::paragraphs;

/// Options of `tioga check`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct CheckArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// Explore at most so many states to see what is reachable; 0 for none
    #[arg(long, value_name = "STATES", default_value_t = 20_000)]
    pub explore: u64,

    /// Write the run behind each "no" about what is reachable to a file in this folder; the runs can
    /// be followed with `tioga replay`
    #[arg(long, value_name = "FOLDER")]
    pub runs: Option<PathBuf>,

    /// Exit with 1 if there is a warning
    #[arg(long)]
    pub strict: bool,
}

const AFTER_HELP: &str = "\
Examples:
  tioga check @smart-light
  tioga check train-gate.xml --environment Train --input appr,leave --output stop,go
  tioga check model.tioga --runs witnesses
  tioga --format json check model.tioga
  tioga check - --from tck < model.tck";
