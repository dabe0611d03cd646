//! Options of `tioga diff`.

use std::path::PathBuf;

use clap::Args;

use super::help::paragraphs;
use super::{LoadArgs, SearchArgs, ViewArgs};

/// Options of `tioga diff`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct DiffArgs {
    /// The old version: a file, `-` for standard input, or `@NAME` for an embedded example
    #[arg(value_name = "OLD")]
    pub old: String,

    /// The new version
    #[arg(value_name = "NEW")]
    pub new: String,

    /// A suite made from the old version: each test case is checked against the new one
    #[arg(long, value_name = "SUITE")]
    pub suite: Option<PathBuf>,

    /// How to read both
    #[command(flatten)]
    pub load: LoadArgs,

    /// How long to search
    #[command(flatten)]
    pub search: SearchArgs,

    /// The resources of a deterministic view
    #[command(flatten)]
    pub view: ViewArgs,
}

const AFTER_HELP: &str = "\
Shows three things. The changes: locations, edges, guards, updates, invariants and declarations, found
again by their names. The behaviour: whether the new version does only what the old one allows and takes
its inputs, and the reverse, with a run for each edge or location that behaves differently. With --suite,
which test cases still hold: the independent checker of `tioga certify` checks each against the new
version. The others have to be made again with `tioga synth`.

Exits with 0 if both versions behave in the same way, with 1 if not, and with 3 if that could not be
decided.

Examples:
  tioga diff old.tioga new.tioga
  tioga diff @smart-light @problematic-light
  tioga diff old.tioga new.tioga --suite suite.json
  tioga --format json diff old.xml new.xml --timeout 60";
