//! Options of `tioga examples`.

use std::path::PathBuf;

use clap::Args;

use super::help::paragraphs;

/// Options of `tioga examples`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct ExamplesArgs {
    /// The example to print [default: list them all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,

    /// Write the example, or all of them, below this directory
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  tioga examples
  tioga examples smart-light
  tioga examples --write models";
