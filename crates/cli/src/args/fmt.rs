//! Options of `tioga fmt`.

use std::path::PathBuf;

use clap::Args;

use super::help::paragraphs;

/// Options of `tioga fmt`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct FmtArgs {
    /// The .tioga files to format in place
    #[arg(value_name = "FILE", required_unless_present = "stdin")]
    pub files: Vec<PathBuf>,

    /// Change nothing; list the files that are not formatted and exit with 1 if there are any
    #[arg(long)]
    pub check: bool,

    /// Format standard input to standard output
    #[arg(long, conflicts_with = "files")]
    pub stdin: bool,
}

const AFTER_HELP: &str = "\
Examples:
  tioga fmt model.tioga
  tioga fmt --check one.tioga two.tioga
  tioga fmt --stdin < model.tioga";
