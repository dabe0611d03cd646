//! Options of `tioga replay`.

use std::path::PathBuf;

use clap::Args;

use super::ModelArgs;

/// Options of `tioga replay`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ReplayArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// The trace, as text or JSON Lines
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
}

const AFTER_HELP: &str = "\
Exits with 0 if the trace is a run of the model and with 1 if it is not, saying where it departs.

Examples:
  tioga replay @smart-light run.trace
  tioga replay train-gate.xml run.jsonl --environment Train";
