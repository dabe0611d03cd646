//! Why an objective cannot be enforced: a trap that the system can keep the tester in.

use std::collections::BTreeMap;

use tioga_model::{ClockBound, ClockConjunction, DiscreteState};

use crate::{Terms, holds};

/// A set of states without a goal in which a lazy system can keep the tester.
///
/// Only strict games are lost in this way, because only there a system may stay idle. The system of
/// a trap moves only where time ends and it has a move; then it makes one of its chosen moves. So
/// `A<> q` or `A[ p U q ]` cannot be enforced from any state of the trap if
/// - in none of its states the goal `q` holds;
/// - time, every move of the tester and every chosen move of the system lead from its states to its
///   states. States after one with neither `p` nor `q` do not matter, because the tester has lost
///   there;
/// - wherever time ends while the system has a move, up to the very end, it has a chosen move.
#[derive(Clone, PartialEq, Debug)]
pub struct Trap {
    /// What cannot be enforced: reaching something in a strict game.
    pub terms: Terms,
    /// The states of the trap. A discrete state that is missing has none.
    pub places: BTreeMap<DiscreteState, TrapPlace>,
}

/// The states of a trap with the same discrete state.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TrapPlace {
    /// One of these holds, besides the invariant. Bounds are in units of `1 / scale` of the model.
    pub zones: Vec<ClockConjunction>,
    /// The chosen moves of the system: positions in the enumeration of the discrete state's moves.
    pub moves: Vec<u32>,
}

impl Trap {
    /// Whether the trap contains a state whose clocks satisfy the invariant and exactly the bounds
    /// for which `test` is true.
    pub fn contains(&self, state: &DiscreteState, test: impl Fn(&ClockBound) -> bool) -> bool {
        self.places.get(state).is_some_and(|place| holds(&place.zones, test))
    }
}
