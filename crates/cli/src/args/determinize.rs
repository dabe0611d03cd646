//! Options of `tioga determinize`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::help::paragraphs;
use super::values::time_limit;
use super::{MemoryArgs, ModelArgs, ViewArgs};

/// Options of `tioga determinize`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct DeterminizeArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// Make the product with this purpose of the model deterministic
    #[arg(short, long, value_name = "NAME")]
    pub purpose: Option<String>,

    /// The file to write, as .tioga, .xml, .xta, .tck, .dot or .svg [default: .tioga on standard output]
    #[arg(short, long = "out", value_name = "FILE", id = "out")]
    pub out: Option<PathBuf>,

    /// Number of random traces of model and result to compare, both ways; a difference in a result that is
    /// called exact is an error of tioga (exit code 4)
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    pub verify: u64,

    /// The resources of the view
    #[command(flatten)]
    pub view: ViewArgs,

    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit)]
    pub timeout: Option<Duration>,

    /// How much memory the computation may take
    #[command(flatten)]
    pub memory: MemoryArgs,
}

const AFTER_HELP: &str = "\
The result shows what an observer of the interface can know: one automaton without internal steps, in
which every observation leads to one place. It is exact if the resources suffice; otherwise it allows
the outputs and delays of the model and perhaps more, and inputs of the model and perhaps fewer, so
that tests made from it are sound. A deterministic model is written as it is. Where the steps of work
end before it is known what follows, the result allows all outputs and delays, and no inputs.

Exits with 0 if the result is exact, with 1 if it is not, and with 3 if there is none within the
limits.

Examples:
  tioga determinize @conveyor
  tioga determinize @conveyor -o belt.tioga
  tioga determinize @conveyor -p ShipToTwo --verify 100
  tioga determinize @bjsk --clocks 1 --max-constant 2 -o view.tioga
  tioga --format json determinize @bjsk";
