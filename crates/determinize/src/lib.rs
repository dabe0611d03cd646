//! The observable deterministic view of a model: the determinization game of BSJK15, as BJSK12 use
//! it for tests.
//!
//! Given a number of clocks and a maximal constant, [`determinize()`] builds a deterministic automaton
//! *B* over the interface of a model *A* with `A ⪯ B` (io-abstraction): after every trace of *B*, the
//! outputs and delays of *A* are possible in *B*; after every trace of *A*, the inputs of *B* are
//! possible in *A*. So every system that conforms to *A* conforms to *B*, and tests made from *B* are
//! sound. If [`Exactness::is_exact`], the two have the same traces.
//!
//! # The game
//! A state of Spoiler is a region over the clocks of *B* and an estimate of the state of *A*: zones
//! that relate the clocks of *A* and *B*, over- and under-approximated. Spoiler lets time
//! pass into a later region and proposes an action. Determinizator answers with clocks of *B* to
//! reset, which decides what *B* will know later. Determinizator wins by avoiding states in which
//! nothing is certain. Outputs and delays follow the over-approximation, inputs the
//! under-approximation: an input that *A* may not take is left out.
//!
//! # Literature
//! BJSK12: Bertrand, Jéron, Stainer, Krichen, *Off-line test selection with test purposes for
//! non-deterministic timed automata*, 2012. BSJK15: Bertrand, Stainer, Jéron, Krichen, *A game
//! approach to determinize timed automata*, 2015.

mod auto;
mod automaton;
mod constants;
mod demand;
mod determinize;
mod determinized;
mod error;
mod estimate;
mod exactness;
mod flat;
mod game;
mod network;
mod product;
mod region;
mod resources;
mod shortcut;
mod strategy;
mod subject;
mod table;

pub use auto::{Suited, determinize_auto, determinize_observed};
pub use determinize::determinize;
pub use determinized::{Acceptance, Determinized, ViewGoal};
pub use error::Error;
pub use exactness::{Exactness, Loss, LossKind};
pub use product::flat_product;
pub use resources::{LARGEST_CONSTANT, MOST_CLOCKS, Resources};
pub use subject::Subject;
