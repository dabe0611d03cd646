//! Options of `tioga report`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::help::paragraphs;

/// Options of `tioga report`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct ReportArgs {
    /// The journal of a campaign
    #[arg(value_name = "JOURNAL")]
    pub journal: PathBuf,

    /// Write JUnit XML
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,

    /// Write TAP, version 14
    #[arg(long, value_name = "FILE")]
    pub tap: Option<PathBuf>,

    /// Write a page of HTML with diagrams and coverage
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write the complete results as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write the suite as a TTCN-3 skeleton
    #[arg(long, value_name = "FILE")]
    pub ttcn: Option<PathBuf>,

    /// List what of the model no run covered, or draw the model with what was covered into FILE, as SVG
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    pub coverage: Option<Option<PathBuf>>,

    /// What JUnit XML and TAP say of inconclusive runs
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    pub inconclusive: InconclusiveArg,

    /// Show what happened in this run
    #[arg(long, value_name = "NUMBER")]
    pub run: Option<u64>,

    /// Draw this run: .svg, .mmd (Mermaid), .puml (PlantUML) or .txt
    #[arg(long, value_name = "FILE", requires = "run")]
    pub diagram: Option<PathBuf>,

    /// Draw a run over time, as SVG: the one of `--run`, otherwise the first that failed
    #[arg(long, value_name = "FILE")]
    pub timing: Option<PathBuf>,
}

/// What tools that know no third verdict are told of inconclusive runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum InconclusiveArg {
    /// The test was skipped
    #[default]
    Skipped,
    /// Something went wrong
    Error,
}

const AFTER_HELP: &str = "\
Examples:
  tioga report light.journal
  tioga report light.journal --html light.html --junit light.xml
  tioga report light.journal --tap light.tap --inconclusive error
  tioga report light.journal --coverage
  tioga report light.journal --coverage model.svg --timing failed.svg
  tioga report light.journal --run 17 --diagram run.svg";
