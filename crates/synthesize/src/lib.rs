//! From a solved game to test cases.
//!
//! The game is that of a specification and a purpose, played for ranks (HJM22). Its board becomes the
//! places of a [`TestCase`](tioga_testcase::TestCase): behaviour that the specification allows is
//! expected, everything else is a failure. The test passes where the purpose accepts, and is
//! inconclusive where the purpose is out of reach. Inputs are kept only if the purpose stays in reach
//! (BJSK12 5.2).

mod automaton;
mod case;
mod error;
mod played;
mod tree;

pub use case::{About, MadeCase, test_case};
pub use error::Error;
