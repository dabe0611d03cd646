//! Options of `tioga check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tioga::Effort;

use super::ModelArgs;
use super::help::paragraphs;
use super::search::MemoryArgs;
use super::values::time_limit;
use crate::output::Session;

/// Options of `tioga check`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct CheckArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// Show all properties and assumptions of testing, with the reason for each "no"
    #[arg(long)]
    pub properties: bool,

    /// Maximum of states explored to see what is reachable; 0 for none [default: 20000, and fewer if
    /// the model has more than 80 processes or clocks]
    #[arg(long, alias = "explore", value_name = "COUNT")]
    pub max_states: Option<u64>,

    /// How much memory the search may take
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit)]
    pub timeout: Option<Duration>,

    /// Write the run behind each "no" about what is reachable to a file in this folder; the runs can
    /// be followed with `tioga replay`
    #[arg(long, value_name = "FOLDER")]
    pub runs: Option<PathBuf>,

    /// Exit with 1 if there is a warning or something that will hurt testing, and with 3 if a limit
    /// ended the search before everything was explored
    #[arg(long)]
    pub strict: bool,
}

impl CheckArgs {
    /// How much work may be done.
    pub fn effort(&self, session: &Session) -> Effort<'static> {
        session.effort(self.memory.limits(self.timeout))
    }
}

const AFTER_HELP: &str = "\
Says first what will hurt testing, the worst first, with the run that leads there: states in which time
stops, updates out of range, moves that a tester cannot see or cannot tell apart, what is never reached.

Exits with 3 if --timeout, --memory or Ctrl-C ended the search; what is known then is printed.

Examples:
  tioga check @smart-light
  tioga check @smart-light --properties
  tioga check model.tioga --strict --timeout 10 --memory 2G
  tioga check train-gate.xml --environment Train --input appr,leave --output stop,go
  tioga check model.tioga --runs witnesses
  tioga --format json check model.tioga
  tioga check - --from tck < model.tck";
