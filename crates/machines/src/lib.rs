//! Finite Mealy machines, and suites of tests that find every fault of a machine that is not much larger.
//!
//! A [`Machine`] is read from Graphviz DOT or KISS2 ([`read_dot`], [`read_kiss2`]). [`partition`] finds
//! equivalent states, [`separation`] the words that separate states, [`cover`] the words that reach them.
//! [`suite()`] makes a complete suite by one of several [`Method`]s, [`g`] by the G-method (BON09), and
//! [`complete::survivor`] decides independently of all of them whether a suite is complete.

mod adaptive;
pub mod complete;
pub mod cover;
mod dot;
mod error;
mod harmonised;
mod kiss2;
mod machine;
mod methods;
pub mod partition;
mod rays;
pub mod separation;
mod suite;
mod trie;

pub use adaptive::{Adaptive, adaptive};
pub use dot::{read_dot, write_dot};
pub use error::Error;
pub use harmonised::harmonised;
pub use kiss2::{read_kiss2, write_kiss2};
pub use machine::{Input, Machine, Output, StateIndex, Transition, Word};
pub use methods::{Method, g, suite, suite_while};
pub use suite::{Cost, WordSuite};
pub use trie::{Trie, prefix_free, total_length};
