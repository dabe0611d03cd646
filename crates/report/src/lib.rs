//! Results of test runs, for machines and people, and pictures of automata.
//!
//! A campaign is its settings and a stream of runs. A [`Report`] takes one run after the other and keeps
//! a line for each, counts, [`Coverage`], and the [`Sequence`] of few, so its memory does not grow with
//! the events. [`junit()`], [`html()`] and the final [`table()`] are made from a report. [`Tap`] and
//! [`Json`] show every event of every run and are written during the runs. [`write_reports`] makes all
//! requested reports in one pass.
//!
//! [`CampaignStanding`] is the progress line of a campaign, and [`tally_table()`] the same table made from outcomes
//! only. A [`Timing`] shows a run over time, on the locations of the model. [`finding`] has the words for the
//! finding of a run and the expected alternatives. [`ttcn`] turns a suite into a TTCN-3 module; [`picture`] draws
//! automata as DOT and SVG, also with their coverage.
//!
//! Names and messages come from users and systems. Every format escapes them, and no format lets
//! them leave their line.

mod collect;
mod coverage;
pub mod finding;
mod html;
mod json;
mod junit;
mod observed;
pub mod picture;
mod replay;
pub mod sequence;
mod standing;
mod table;
mod tap;
mod text;
pub mod timing;
pub mod ttcn;
mod write;

pub use collect::{Counts, Keep, Report, RunLine};
pub use coverage::{
    CaseCoverage, Coverage, DataCoverage, EdgeCoverage, LocationCoverage, ModelCoverage, Share,
};
pub use html::html;
pub use json::Json;
pub use junit::junit;
pub use replay::{Passage, passage};
pub use sequence::Sequence;
pub use standing::CampaignStanding;
pub use table::{Table, table, tally_table};
pub use tap::Tap;
pub use timing::Timing;
pub use write::{Error, Outputs, write_reports};

use tioga_model::Model;
use tioga_parse::syntax::Document;

/// The model that the test cases of a campaign were made from.
#[derive(Clone, Copy, Debug)]
pub struct Specification<'s> {
    /// What its source says.
    pub document: &'s Document,
    /// What it means.
    pub model: &'s Model,
}

/// What tools that know no third verdict are told of inconclusive runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Inconclusive {
    /// The test was skipped.
    #[default]
    Skipped,
    /// Something went wrong.
    Error,
}
