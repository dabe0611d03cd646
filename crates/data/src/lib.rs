//! Data that is not enumerated.
//!
//! A model whose messages carry 16- or 32-bit values has too many states to visit one by one. This crate executes
//! its code over symbols instead: a guard becomes a formula, an update becomes terms, and if the path depends on a
//! symbol, every path has its condition ([`Interpreter`]). Variables with few values stay concrete; values stored
//! in them are decided one by one. [`classes()`] finds states with the same behaviour, so a search visits one of
//! each.

mod alphabet;
mod candidates;
mod classes;
mod decisions;
mod expressions;
mod follow;
mod follow_pair;
mod interpreter;
mod reason;
mod run;
mod solver;
mod timed;

pub use alphabet::{Alphabet, has_many_values};
pub use candidates::{candidates, cells};
pub use classes::{
    ClassStep, Classes, NoClasses, PairClasses, StepKey, classes, pair_classes, pair_cover,
};
pub use follow::Follower;
pub use follow_pair::PairFollower;
pub use interpreter::{Alternative, Effect, Interpreter, Symbolic, Way, known_data};
pub use reason::Reason;
pub use run::{SMALL, Stop, is_small};
pub use solver::Solver;
pub use timed::{TimedAlternative, TimedBound};
