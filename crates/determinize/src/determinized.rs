//! A deterministic view of a model, with how it relates to the model.

use tioga_model::Network;

use crate::exactness::Exactness;
use crate::resources::Resources;

/// A deterministic view of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Determinized {
    /// The view: one process over clocks `c1` to `ck` with the interface of the model, or the model
    /// itself if it was deterministic.
    pub network: Network,
    /// How it relates to the model.
    pub exactness: Exactness,
    /// What it was given.
    pub resources: Resources,
    /// The size of the game that was played; 0 if none was.
    pub game_states: usize,
}
