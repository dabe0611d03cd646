//! Options of `tioga replay`.

use std::path::PathBuf;

use clap::Args;

use super::help::paragraphs;
use super::{LimitArgs, LoadArgs};

/// Options of `tioga replay`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
#[command(
    override_usage = "tioga replay [OPTIONS] <MODEL> <TRACE>\n       tioga replay [OPTIONS] <JOURNAL>"
)]
pub struct ReplayArgs {
    /// The model of the trace: a file, `-` for standard input, or `@NAME` for an embedded example;
    /// without a trace, the journal of a campaign
    #[arg(value_name = "MODEL|JOURNAL")]
    pub model: String,

    /// The trace, as text or JSON Lines: a file, or `-` for standard input
    #[arg(value_name = "TRACE", conflicts_with = "LimitArgs")]
    pub trace: Option<PathBuf>,

    /// Which run of the journal [default: the first that failed or was an error, or else the first]
    #[arg(long, value_name = "NUMBER", conflicts_with = "trace")]
    pub run: Option<u64>,

    /// What to run it on [default: the system of the journal]
    #[arg(long, value_name = "SYSTEM", conflicts_with = "trace")]
    pub sut: Option<String>,

    /// How to read the model
    #[command(flatten)]
    pub load: LoadArgs,

    /// Other limits than those in the journal
    #[command(flatten)]
    pub limits: LimitArgs,
}

const AFTER_HELP: &str = "\
With a trace: exits with 0 if it is a run of the model, with 1 if it is not, saying where it departs,
and with 3 if that could not be decided because the trace hides too many internal steps.

With a journal: sends the inputs of a run at their times to the system again, with the same seed, and
says whether the same happens, or what is different first. Where the system behaves so differently that
the test does not allow the next input, the run has diverged, which is inconclusive. Exits as `tioga run`
does, by what the run means now.

Examples:
  tioga replay @smart-light run.trace
  tioga replay train-gate.xml run.jsonl --environment Train
  tioga replay light.journal --run 17
  tioga replay light.journal --sut './light --fixed'";
