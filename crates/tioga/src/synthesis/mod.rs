//! Test cases for purposes, or for the coverage items of a model.

mod cover;
mod data;
mod goal;
mod make;
mod marks;
mod purpose;
mod synthesize;
mod unchecked;
mod waits;
mod wanted;

pub use cover::Cover;
pub(crate) use cover::{Target, Way, covering, covering_on, targets};
pub(crate) use goal::accepting;
pub(crate) use make::{named, unused};
pub use purpose::GivenPurpose;
pub(crate) use synthesize::{CoverOptions, CoveringCase, Uncovered, cover_target};
pub use synthesize::{synthesize, synthesize_each};
pub(crate) use unchecked::Unchecked;
pub(crate) use wanted::FEWEST_PLAYS;
pub use wanted::{Aim, DEFAULT_MAX_STATES, Missed, Synthesis, SynthesisOptions, WhyMissed};
