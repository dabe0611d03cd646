//! What is wrong with a table, a trap or a test case, so that a person can follow it.

use std::fmt;

use tioga_concrete::State;
use tioga_testcase::{Rank, Verdict};

/// A table, a trap or a test case that says something wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Refutation {
    /// The state about which it does; none if it is not well formed.
    pub state: Option<State>,
    /// What is wrong.
    pub flaw: Flaw,
    /// The whole story, with names and clock values.
    pub message: String,
}

/// What is wrong with a table, a trap or a test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// It speaks of things that the model does not have, or is not in order.
    Malformed,
    /// A state does not have the rank that follows from those of its successors.
    Rank {
        /// The rank the table claims.
        claimed: Option<Rank>,
        /// The rank that follows.
        right: Option<Rank>,
    },
    /// The advice for a state does not do what it should.
    Advice {
        /// The rank of the state.
        rank: Option<Rank>,
        /// The position of the rule among those of the discrete state; none if no rule applies.
        rule: Option<usize>,
    },
    /// The tester gets out of a trap.
    Outside,
    /// In a trap the objective is reached.
    Goal,
    /// In a trap the system has to move, but the trap does not say how.
    Idle,
    /// A test case would fail a system that conforms.
    Unsound,
    /// A test case would not notice something that does not conform.
    Lax,
    /// A test case sends an input that the model does not take, or that gives up the purpose, or
    /// withholds one although it leaves the choice open.
    Input,
    /// A test case does not know which of two edges to take.
    Ambiguous,
    /// The clocks of a test case do not follow those of the model.
    Clocks,
    /// The verdict of a test case is not the right one.
    Verdict {
        /// The verdict the test case gives.
        claimed: Option<Verdict>,
        /// The right verdict.
        right: Option<Verdict>,
    },
    /// The summary of a test case promises too much, or claims another rank than the rules.
    Summary,
    /// A place of a test case has the name of another state of the model.
    Label,
    /// What a test case says should be done cannot be done.
    Rule {
        /// The position of the rule among those of the place; none if no rule applies.
        rule: Option<usize>,
    },
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}
