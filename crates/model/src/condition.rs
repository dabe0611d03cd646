//! Conditions over clocks and data, and updates.

use tioga_base::Id;

use crate::{ClockId, ExprId, Statement};

/// A condition in disjunctive normal form. One empty conjunct is true; no conjunct is false.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    /// The condition holds if one of these does.
    pub disjuncts: Vec<Conjunct>,
}

/// A conjunction of a data condition and clock constraints.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Conjunct {
    /// The data part; nothing means true. It reads no clock and, except in updates, changes nothing.
    pub data: Option<ExprId>,
    /// The clock part.
    pub clocks: Vec<ClockConstraint>,
}

/// `left − right ≤ bound`, or `<` if strict. A missing clock counts as zero.
///
/// `x <= 5` is (x, none, 5), `x > 3` is (none, x, −3) strict, `x - y < 2` is (x, y, 2) strict.
#[derive(Clone, PartialEq, Debug)]
pub struct ClockConstraint {
    /// The clock counted positively.
    pub left: Option<ClockTerm>,
    /// The clock counted negatively.
    pub right: Option<ClockTerm>,
    /// Whether equality is excluded.
    pub strict: bool,
    /// The bound.
    pub bound: TimeBound,
}

/// A clock, or an element of an array of clocks chosen by an index.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClockTerm {
    /// The clock, or the first clock of the array.
    pub clock: ClockId,
    /// The position in the array, counted from 0, and the length of the array.
    pub index: Option<(ExprId, u32)>,
}

/// An amount of time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TimeBound {
    /// In units of `1 / scale`.
    Constant(i64),
    /// The value of an integer expression, in whole written time units.
    Expr(ExprId),
}

/// One step of an edge's update.
#[derive(Clone, PartialEq, Debug)]
pub enum Update {
    /// Sets a clock.
    Clock(ClockUpdate),
    /// Changes data.
    Data(Statement),
}

/// `clock := source + value`; without a source, `clock := value`. The result is never negative.
///
/// With a condition the clock may stay as it is, so such an update is none that certainly sets it.
#[derive(Clone, PartialEq, Debug)]
pub struct ClockUpdate {
    /// The clock that is set.
    pub clock: ClockTerm,
    /// The clock it is set from.
    pub source: Option<ClockTerm>,
    /// What is added.
    pub value: TimeBound,
    /// The clock is set only if this holds of the data when the update is carried out; nothing means that it always
    /// does. It changes nothing.
    pub when: Option<ExprId>,
}

impl ClockUpdate {
    /// Sets a clock to 0, whatever the data is.
    pub fn reset(clock: impl Into<ClockTerm>) -> Self {
        Self { clock: clock.into(), source: None, value: TimeBound::Constant(0), when: None }
    }

    /// The clock that is certainly set, if there is one: neither its index nor whether it is set depends on data.
    pub fn certain(&self) -> Option<ClockId> {
        (self.clock.index.is_none() && self.when.is_none()).then_some(self.clock.clock)
    }
}

impl Condition {
    /// The condition that always holds.
    pub fn always() -> Self {
        Self { disjuncts: vec![Conjunct::default()] }
    }

    /// The condition that never holds.
    pub fn never() -> Self {
        Self { disjuncts: Vec::new() }
    }

    /// Whether the condition is literally true.
    pub fn is_always(&self) -> bool {
        self.disjuncts.iter().any(|conjunct| conjunct.data.is_none() && conjunct.clocks.is_empty())
    }

    /// Whether some clock constraint occurs.
    pub fn reads_clocks(&self) -> bool {
        self.disjuncts.iter().any(|conjunct| !conjunct.clocks.is_empty())
    }
}

impl From<ClockId> for ClockTerm {
    fn from(clock: ClockId) -> Self {
        Self { clock, index: None }
    }
}

impl ClockTerm {
    /// The clocks that it may stand for.
    pub(crate) fn elements(&self) -> impl Iterator<Item = ClockId> + use<> {
        let (first, length) = (self.clock.index(), self.index.map_or(1, |(_, length)| length));
        (first..first + length as usize).map(ClockId::from_index)
    }
}
