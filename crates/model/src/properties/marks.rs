//! What the whole network sets its clocks to.

use tioga_base::Id;

use crate::{Model, TimeBound, Update};

/// What the whole network does to a clock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClockMark {
    /// It is set to at most this, in units of `1 / scale`.
    AtMost(i64),
    /// It is set to values that depend on data.
    Data,
    /// It is set from another clock, so its value says nothing about time since then.
    Copied,
}

/// What the network does to each clock.
pub(super) fn clock_marks(model: &Model) -> Vec<ClockMark> {
    let mut marks = vec![ClockMark::AtMost(0); model.clocks.len()];
    let edges = model.processes.iter().flat_map(|process| process.edges.iter());
    for update in edges.flat_map(|edge| &edge.updates) {
        let Update::Clock(update) = update else { continue };
        let first = update.clock.clock.index();
        let length = update.clock.index.map_or(1, |(_, length)| length as usize);
        for mark in &mut marks[first..first + length] {
            let value = constant(model, update.value);
            *mark = match (*mark, update.source, value) {
                (ClockMark::Copied, _, _) | (_, Some(_), _) => ClockMark::Copied,
                (ClockMark::Data, None, _) | (_, None, None) => ClockMark::Data,
                (ClockMark::AtMost(most), None, Some(value)) => ClockMark::AtMost(most.max(value)),
            };
        }
    }
    marks
}

/// A constant amount of time in units of `1 / scale`.
pub(super) fn constant(model: &Model, bound: TimeBound) -> Option<i64> {
    match bound {
        TimeBound::Constant(value) => Some(value),
        TimeBound::Expr(expr) => model.code.constant(expr)?.checked_mul(model.scale),
    }
}

impl ClockMark {
    /// The value that a bound has to exceed if it is to make time pass; none if no bound does.
    pub fn threshold(self) -> Option<i128> {
        match self {
            Self::AtMost(most) => Some(i128::from(most)),
            Self::Data => Some(0),
            Self::Copied => None,
        }
    }
}
