//! Whether a suite is complete, decided by a search for a machine that passes all tests and is not equivalent.
//!
//! Nothing here is shared with the methods that make suites: of this crate, only [`Machine`] is used, and a test of
//! the architecture checks that. The specification may be partial and may have equivalent or unreachable states.

mod budget;
mod completion;
mod difference;
mod domain;
mod search;
mod table;
mod tree;

use crate::machine::{Machine, Word};
use budget::{Budget, Stop};
use search::Search;
use tree::Tree;

pub use domain::{Assumption, Domain};

/// What is known about a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Completeness {
    /// Every machine of the domain that passes is equivalent.
    Complete,
    /// This one passes and is not equivalent; the word shows it.
    Survivor(Box<Machine>, Word),
    /// The search reached its limit or was stopped.
    Unknown,
}

/// Searches for a machine of a domain that answers all tests as the specification does and is not equivalent.
///
/// A test counts up to its first input that the specification does not take there. Two machines are equivalent if
/// they give the same answers to every word that is possible in the specification.
///
/// The search ends undecided after `steps` steps, or when `going` returns false.
pub fn survivor(
    machine: &Machine,
    tests: &[Word],
    domain: &Domain,
    steps: u64,
    going: &dyn Fn() -> bool,
) -> Completeness {
    if domain.states == 0 {
        return Completeness::Complete;
    }
    let tree = Tree::new(machine, tests);
    let mut budget = Budget { left: steps, going };
    let found = Search::new(machine, &tree, domain, &mut budget).and_then(Search::run);
    match found {
        Err(Stop) => Completeness::Unknown,
        Ok(None) => Completeness::Complete,
        Ok(Some((found, word))) => Completeness::Survivor(Box::new(found), word),
    }
}
