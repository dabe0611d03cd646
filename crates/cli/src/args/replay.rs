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

    /// The trace, as text or JSON Lines: a file, or `-` for standard input
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
}

const AFTER_HELP: &str = "\
Exits with 0 if the trace is a run of the model, with 1 if it is not, saying where it departs, and
with 3 if that could not be decided because the trace hides too many internal moves.

Examples:
  tioga replay @smart-light run.trace
  tioga replay train-gate.xml run.jsonl --environment Train";
