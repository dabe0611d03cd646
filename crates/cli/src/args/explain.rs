//! Options of `tioga explain`.

use std::path::PathBuf;

use clap::Args;

use super::help::paragraphs;

/// Options of `tioga explain`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct ExplainArgs {
    /// The journal of a campaign
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Which run [default: the first that failed, or else was an error, or else was inconclusive]
    #[arg(long, value_name = "NUMBER")]
    pub run: Option<u64>,

    /// The model the suite was made from [default: the one in the journal, if there is one]
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,

    /// Number of last steps to draw and explain [default: all; of more than 20 the last 20 are
    /// explained]
    #[arg(long, value_name = "COUNT")]
    pub last: Option<usize>,

    /// Draw the run: .svg, .mmd (Mermaid), .puml (PlantUML) or .txt
    #[arg(long, value_name = "FILE")]
    pub diagram: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
For each step this shows what the test expected before it and when, by when something had to come, what
could be sent, and where test and model may have been.

Examples:
  tioga explain light.journal
  tioga explain light.journal --run 17 --model light.tioga
  tioga explain light.journal --last 5 --diagram run.svg";
