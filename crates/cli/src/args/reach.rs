//! Options of `tioga reach`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::help::paragraphs;
use super::{ModelArgs, SearchArgs};

/// Options of `tioga reach`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct ReachArgs {
    /// Which model, and how to read it
    #[command(flatten)]
    pub model: ModelArgs,

    /// What to ask instead of the model's own queries: `E<> p`, `A[] p`, `A<> p`, `E[] p`, `p --> q`, or the
    /// values `sup{p}: e, …`, `inf{p}: e, …`, `bounds{p}: e, …`; may be repeated
    #[arg(short, long = "query", value_name = "QUERY")]
    pub query: Vec<String>,

    /// Explore everything and ask nothing
    #[arg(long, conflicts_with = "query")]
    pub all: bool,

    /// How zones are coarsened so that finitely many suffice
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    pub abstraction: AbstractionArg,

    /// For `A<>`, `E[]` and `-->`: let only runs count on which time diverges. Otherwise runs that end, and
    /// those with infinitely many steps in bounded time, count too
    #[arg(long)]
    pub non_zeno: bool,

    /// Explore states that differ only by exchanged values of scalar sets each for itself. Otherwise one of
    /// them stands for all, for `E<>`, `A[]` and `--all`, if the model and the query treat the values alike
    #[arg(long)]
    pub no_symmetry: bool,

    /// Explore the whole model. Otherwise, if it is large, processes on which the query does not depend stand still
    #[arg(long)]
    pub whole: bool,

    /// Which states are explored first
    #[arg(long, value_enum, value_name = "ORDER", default_value_t)]
    pub order: OrderArg,

    /// How long to search
    #[command(flatten)]
    pub search: SearchArgs,

    /// Write the run of the last answer that has one to a file, as JSON Lines if its name ends in
    /// .jsonl
    #[arg(short, long = "out", value_name = "TRACE", id = "out")]
    pub out: Option<PathBuf>,
}

/// How zones are coarsened.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum AbstractionArg {
    /// Not at all; the search may not end
    None,
    /// Maximal constants
    M,
    /// Maximal constants, coarser
    #[value(name = "m+")]
    MPlus,
    /// Lower and upper bounds
    Lu,
    /// Lower and upper bounds, coarser
    #[default]
    #[value(name = "lu+")]
    LuPlus,
    /// Exact zones, compared modulo lower and upper bounds
    Alu,
}

/// Which states are explored first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum OrderArg {
    /// Those found first: runs are as short as possible, unless more than 20000 states are nearer
    #[default]
    Bfs,
    /// Those found last
    Dfs,
}

const AFTER_HELP: &str = "\
Exits with 0 if every query holds, with 1 if one does not, and with 3 if one has no answer within the
limits. A run that `-o` writes can be checked with `tioga replay`; one that repeats itself is written with
one turn. `sup`, `inf` and `bounds` say between which ends clocks and integers lie in reachable states (where
`p` holds, if given); `<` is an end that is approached and not reached.

Examples:
  tioga reach @train-gate
  tioga reach @smart-light -q 'E<> Light.Bright' -o bright.trace
  tioga reach @train-gate -q 'Train(0).Appr --> Train(0).Cross' --non-zeno
  tioga reach @train-gate -q 'sup{Train(0).Cross}: Train(0).x'
  tioga reach fischer.tck --all --threads 1
  tioga reach train-gate.xml -q 'A[] not deadlock' --timeout 60";
