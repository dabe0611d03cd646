//! Mutants: models with one small change, each a plausible implementation mistake.
//!
//! A test suite is good if it notices such changes (mutation testing; for timed automata ALN13,
//! LLNN17, ABCH13). [`mutants()`] lists them for a model in a fixed order; each has its change, and makes
//! the changed network on request. [`complete()`] turns a mutant into a system, which accepts every input
//! at any time and never stops time. Whether a test can distinguish a mutant from the model is not decided
//! here but by comparing the two for conformance.

mod comparison;
mod complete;
mod conditions;
mod describe;
mod draft;
mod edges;
mod enumerate;
mod mutant;
mod negation;
mod operator;
mod possible;
mod stuck;
mod wording;

pub use comparison::{Comparison, comparisons};
pub use complete::{Completion, complete, ignore_input};
pub use describe::edge_text;
pub use enumerate::{MutantOptions, Mutants, each_mutant, mutants};
pub use mutant::{Change, Mutant};
pub use operator::Operator;
pub use wording::Wording;
