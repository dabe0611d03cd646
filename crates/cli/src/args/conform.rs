//! Options of `tioga conform` and `tioga refines`.

use std::path::PathBuf;

use clap::Args;

use super::help::paragraphs;
use super::{LoadArgs, SearchArgs, ViewArgs};

/// Options of `tioga conform`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(CONFORM_HELP))]
pub struct ConformArgs {
    /// What is compared
    #[command(flatten)]
    pub compare: CompareArgs,

    /// Allow IMPL to keep waiting where SPEC stops until an input comes: a tester that serves SPEC in
    /// time never sees it
    #[arg(long)]
    pub served: bool,
}

/// Options of `tioga refines`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(REFINES_HELP))]
pub struct RefinesArgs {
    /// What is compared
    #[command(flatten)]
    pub compare: CompareArgs,
}

/// Which models to compare, and how far.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// The model that is to conform: a file, `-` for standard input, or `@NAME` for an embedded
    /// example
    #[arg(value_name = "IMPL")]
    pub implementation: String,

    /// The model it is compared with, deterministic and without internal steps
    #[arg(value_name = "SPEC")]
    pub specification: String,

    /// How to read both
    #[command(flatten)]
    pub load: LoadArgs,

    /// How long to search
    #[command(flatten)]
    pub search: SearchArgs,

    /// The resources of a deterministic view
    #[command(flatten)]
    pub view: ViewArgs,

    /// Write the run of IMPL that shows a violation to a file, as JSON Lines if its name ends in
    /// .jsonl
    #[arg(short, long = "out", value_name = "TRACE", id = "out")]
    pub out: Option<PathBuf>,
}

const CONFORM_HELP: &str = "\
IMPL conforms to SPEC (tioco) if after every trace of SPEC, every output and every delay of IMPL is one
that SPEC allows then. Inputs that SPEC does not take are free. Channels are matched by name.

With --served, waiting beyond the end of SPEC's time does not count where SPEC had only inputs to go on
with when its time ended: the tester sends one of them in time.

Exits with 0 if IMPL conforms, with 1 if it does not, showing a run, and with 3 if that could not be
decided. A run that `-o` writes can be checked with `tioga replay IMPL`.

Examples:
  tioga conform @smart-light @problematic-light
  tioga conform mutant.tioga light.tioga -o wrong.trace
  tioga conform mutant.tioga desk.tioga --served
  tioga conform light.xml light.tioga --input touch --output dim,bright,off --timeout 60";

const REFINES_HELP: &str = "\
IMPL refines SPEC (io-refinement) if it conforms to SPEC, and after every trace of both it takes every
input that SPEC takes then. Channels are matched by name.

Exits with 0 if IMPL refines SPEC, with 1 if it does not, showing a run, and with 3 if that could not be
decided. A run that `-o` writes can be checked with `tioga replay IMPL`.

Examples:
  tioga refines @smart-light @problematic-light
  tioga refines new.tioga old.tioga --max-states 100000";
