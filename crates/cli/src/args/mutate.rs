//! Options of `tioga mutate`.

use std::path::PathBuf;

use clap::Args;

use super::help::paragraphs;
use super::{ModelArgs, SearchArgs, ViewArgs};

/// Options of `tioga mutate`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct MutateArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// The kinds of changes to make, by name or by group, such as `guard,reset-missing` [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub operators: Vec<String>,

    /// Also change processes of the environment
    #[arg(long)]
    pub all: bool,

    /// Leave out mutants that behave as the model allows, and those that could not be judged
    #[arg(long, conflicts_with = "list")]
    pub only_nonconforming: bool,

    /// Only list the mutants, without judging them
    #[arg(long)]
    pub list: bool,

    /// Judge and write mutants as they are; otherwise they are first completed to systems, which take
    /// every input at any time and never stop time
    #[arg(long)]
    pub as_is: bool,

    /// Write every mutant to DIR/ID.tioga, and the list to DIR/mutants.json
    #[arg(short, long = "out", value_name = "DIR", id = "out")]
    pub out: Option<PathBuf>,

    /// How long to search
    #[command(flatten)]
    pub search: SearchArgs,

    /// The resources of a deterministic view
    #[command(flatten)]
    pub view: ViewArgs,
}

const AFTER_HELP: &str = "\
A mutant is the model with one small change, such as a developer may make by mistake. Good
tests fail on mutants. Each is compared with the model (as by `tioga conform MUTANT MODEL`): it is
non-conforming if it can be told from the model, and then the shortest run that does so is shown; it is
equivalent if it cannot, and no test need notice it.

The operators are guard-plus-1, guard-minus-1, guard-strict, guard-compare, guard-negate,
invariant-plus-1, invariant-minus-1, invariant-strict, invariant-drop, reset-missing, reset-extra,
target, source, action, output-missing, input-missing, internal-missing, sink, update-plus-1,
update-minus-1, update-negate and update-missing; a first part such as `guard` stands for all of them.

`--max-states` (10000 if not given) holds for each mutant, `--memory` and `--timeout` for all together.

Exits with 0 if every mutant was judged, or listed; with 1 if there is none; and with 3 if one could not
be judged, or a limit or Ctrl-C ended it before all were made.

Examples:
  tioga mutate @smart-light --operators guard,invariant
  tioga mutate @smart-light --only-nonconforming -o mutants
  tioga mutate @car-alarm --list
  tioga mutate light.tioga --operators sink --as-is --max-states 100000";
