//! Test cases for purposes, or for everything there is to cover in a model.

mod cover;
mod data;
mod goal;
mod make;
mod marks;
mod purpose;
mod synthesize;
mod wanted;

pub(crate) use cover::cover_texts;
pub use cover::{Cover, largest_constant};
pub use purpose::GivenPurpose;
pub use synthesize::{synthesize, synthesize_each};
pub use wanted::{Aim, DEFAULT_MAX_STATES, Missed, Synthesis, SynthesisOptions, WhyMissed};
