//! Clock conditions and assignments after the data has been filled in: only clocks and integers
//! are left. Bounds are in units of `1 / scale`.

use smallvec::{SmallVec, smallvec};

use crate::ClockId;

/// `left − right ≤ bound`, or `<` if strict. A missing clock counts as zero; at least one is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClockBound {
    /// The clock counted positively.
    pub left: Option<ClockId>,
    /// The clock counted negatively.
    pub right: Option<ClockId>,
    /// Whether equality is excluded.
    pub strict: bool,
    /// The bound.
    pub bound: i64,
}

/// All of these hold; an empty conjunction is true.
pub type ClockConjunction = SmallVec<[ClockBound; 2]>;

/// One of these conjunctions holds; without any, the condition is false.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ClockGuard {
    /// The conjunctions.
    pub disjuncts: SmallVec<[ClockConjunction; 1]>,
}

/// `clock := source + value`; without a source, `clock := value`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClockAssignment {
    /// The clock that is set.
    pub clock: ClockId,
    /// The clock it is set from, read after the assignments before this one.
    pub source: Option<ClockId>,
    /// What is added; not negative if there is no source.
    pub value: i64,
}

impl ClockGuard {
    /// The condition that always holds.
    pub fn always() -> Self {
        Self { disjuncts: smallvec![ClockConjunction::new()] }
    }

    /// The condition that never holds.
    pub fn never() -> Self {
        Self { disjuncts: SmallVec::new() }
    }

    /// Whether the condition is literally true.
    pub fn is_always(&self) -> bool {
        self.disjuncts.iter().any(SmallVec::is_empty)
    }

    /// Whether the condition is literally false.
    pub fn is_never(&self) -> bool {
        self.disjuncts.is_empty()
    }

    /// Both conditions hold.
    pub fn and(&self, other: &Self) -> Self {
        if self.is_always() {
            return other.clone();
        }
        if other.is_always() {
            return self.clone();
        }
        let mut disjuncts = SmallVec::new();
        for left in &self.disjuncts {
            for right in &other.disjuncts {
                let mut both: ClockConjunction = left.clone();
                for bound in right {
                    if !both.contains(bound) {
                        both.push(*bound);
                    }
                }
                disjuncts.push(both);
            }
        }
        Self { disjuncts }
    }

    /// Adds a conjunction as a further way to hold.
    pub(super) fn or(&mut self, conjunction: ClockConjunction) {
        if conjunction.is_empty() {
            self.disjuncts.clear();
        } else if self.is_always() || self.disjuncts.contains(&conjunction) {
            return;
        }
        self.disjuncts.push(conjunction);
    }
}
