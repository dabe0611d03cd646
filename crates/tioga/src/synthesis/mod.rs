//! Test cases for purposes, or for the coverage items of a model.

mod data;
mod make;
mod marks;
mod synthesize;
mod task;
mod unchecked;
mod waits;
mod wanted;

pub(crate) use make::{named, unused};
pub(crate) use synthesize::{CoverOptions, CoveringCase, Uncovered, cover_target};
pub use synthesize::{synthesize, synthesize_each};
pub(crate) use task::accepting;
pub(crate) use unchecked::Unchecked;
pub(crate) use wanted::FEWEST_PLAYS;
pub use wanted::{Aim, DEFAULT_MAX_STATES, Missed, Synthesis, SynthesisOptions, WhyMissed};
