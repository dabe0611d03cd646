//! From a solved game to test cases.
//!
//! The game is that of a specification and a purpose, played for ranks (HJM22). Its board becomes
//! the places of a [`TestCase`](tioga_testcase::TestCase): what the specification allows is expected,
//! everything else is a failure; where the purpose is accepted the test has passed, and where it
//! cannot be accepted any more it is inconclusive. Inputs are kept only where the purpose stays in
//! reach (BJSK12 5.2).

mod automaton;
mod case;
mod error;
mod tree;

pub use case::{About, test_case};
pub use error::Error;
