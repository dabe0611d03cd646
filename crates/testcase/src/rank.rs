//! The distance of a tester from its objective, and the kinds of games it is measured in.

use std::fmt;

use tioga_model::Objective;

/// The distance from an objective (HJM22 Def. 22), compared lexicographically.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Rank {
    /// How many moves of the system that could make the test inconclusive must be risked; zero
    /// unless [`Scope::SafetyFirst`].
    pub risks: u32,
    /// How often the system must choose to cooperate: control losses, `j`.
    pub losses: u32,
    /// How many steps the tester can enforce until then: `i`.
    pub steps: u32,
}

impl Rank {
    /// The rank of states that satisfy the objective.
    pub const ZERO: Self = Self { risks: 0, losses: 0, steps: 0 };

    /// A rank without risks.
    pub fn new(losses: u32, steps: u32) -> Self {
        Self { risks: 0, losses, steps }
    }

    /// Whether the tester can enforce the step from this rank to a lower one.
    pub fn is_controlled(self) -> bool {
        self.steps > 0
    }
}

impl fmt::Display for Rank {
    /// `(j, i)`, or `(n, j, i)` in the alternate form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            write!(f, "({}, {}, {})", self.risks, self.losses, self.steps)
        } else {
            write!(f, "({}, {})", self.losses, self.steps)
        }
    }
}

/// The freedom of a system that need not act.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Concept {
    /// It may stay idle for ever; only an invariant forces it to act (UPPAAL-TIGA's games).
    Strict,
    /// It acts eventually if it can, and letting an invariant expire ends the test with a verdict
    /// (HJM22's games).
    Fair,
}

/// Which states have a rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// Those from which the tester can enforce the objective: no control losses.
    Winning,
    /// Those from which the objective can be reached if the system cooperates: control losses are
    /// counted.
    Cooperative,
    /// The same states; moves of the system that could lead to states without a rank are counted
    /// first.
    SafetyFirst,
}

/// The question that a table of ranks answers.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// The objective of the tester.
    pub objective: Objective,
    /// The freedom of the system.
    pub concept: Concept,
    /// Which states have a rank.
    pub scope: Scope,
}
