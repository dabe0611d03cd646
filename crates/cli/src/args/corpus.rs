//! Options of `tioga corpus`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::help::paragraphs;
use super::search::MemoryArgs;
use super::values::time_limit;

/// Options of `tioga corpus`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct CorpusArgs {
    /// A folder, whose files with the extension of a model are read, or one file
    #[arg(value_name = "PATH")]
    pub path: PathBuf,

    /// Time limit of one file in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = time_limit)]
    pub timeout: Duration,

    /// How much memory one file may take
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// List every file that was refused, with the first complaint about it
    #[arg(long)]
    pub list: bool,
}

const AFTER_HELP: &str = "\
Reads each file as other commands do and says how many are read, and which features keep the others from
it. Nothing is explored. Each file is read by a process of its own: whatever is in it, the others are read.
A file with the same contents as another is counted as its copy and not read again. XML files that are no
models are passed over.

Files that ask a statistical question (Pr, E[…], simulate) are counted apart: nothing here answers it.

With --format json each file is listed with the seconds it took; they differ from run to run.

Examples:
  tioga corpus models/
  tioga corpus models/ --list --timeout 5 --memory 1G
  tioga corpus models/ --format json > corpus.json
  tioga corpus train-gate.xml";
