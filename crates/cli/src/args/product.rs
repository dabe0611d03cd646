//! Options of `tioga product`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::ModelArgs;
use super::help::paragraphs;
use super::search::MemoryArgs;
use super::values::time_limit;

/// Options of `tioga product`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct ProductArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// The purpose of the model
    #[arg(short, long, value_name = "NAME")]
    pub purpose: String,

    /// Write the product to a file: as a model if its name ends in .tioga, .xml, .xta or .tck, as a
    /// picture if in .dot or .svg [default: standard output, as .tioga]
    #[arg(short, long = "out", value_name = "FILE", id = "out")]
    pub out: Option<PathBuf>,

    /// Maximum of states explored
    #[arg(long, value_name = "COUNT", default_value_t = 100_000)]
    pub max_states: u64,

    /// How much memory the search may take
    #[command(flatten)]
    pub memory: MemoryArgs,

    /// Time limit in seconds
    #[arg(long, value_name = "SECONDS", value_parser = time_limit)]
    pub timeout: Option<Duration>,
}

const AFTER_HELP: &str = "\
The product is one automaton. A location is a state of the model together with one of the purpose, and is
marked where the purpose accepts or refuses; an edge is a move of the model. Its traces are those of the model.
Every command reads it, and answers as for the model with the purpose.

Exits with 3 if a limit ended the search.

Examples:
  tioga product @bjsk -p LowerBranch
  tioga product @bjsk -p LowerBranch -o product.tioga
  tioga product @conveyor -p ShipToTwo -o product.svg --timeout 10";
