//! The machines that a suite is to tell from its specification.

use crate::machine::Word;

/// The machines that a suite is to tell from the specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// How many states they have at most.
    pub states: usize,
    /// What is assumed about their states.
    pub assumption: Option<Assumption>,
}

/// Words that get at least this number of different answers among the states of a machine (BON09, Cor 19).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// The words.
    pub words: Vec<Word>,
    /// How many different answers they get at least.
    pub classes: usize,
}

impl Domain {
    /// All machines with at most this number of states.
    pub fn of_states(states: usize) -> Self {
        Self { states, assumption: None }
    }
}
