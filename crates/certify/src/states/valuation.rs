//! Clock valuations and whether they satisfy clock conditions.
//!
//! Values are exact and counted in units of `1 / scale` of the model, so that every bound of the
//! model and of a table is an integer.

use tioga_base::{Id, Overflow, Rational};
use tioga_concrete::State;
use tioga_model::{
    ClockAssignment, ClockBound, ClockConjunction, ClockGuard, ClockId, DiscreteState, Model, Step,
};

/// The value of each clock.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Valuation(pub Vec<Rational>);

impl Valuation {
    /// All clocks are zero.
    pub fn zero(clocks: usize) -> Self {
        Self(vec![Rational::ZERO; clocks])
    }

    /// The value of a clock; nothing counts as zero.
    pub fn value(&self, clock: Option<ClockId>) -> Rational {
        clock.map_or(Rational::ZERO, |clock| self.0[clock.index()])
    }

    /// All clocks later by the same delay.
    pub fn later(&self, delay: Rational) -> Result<Self, Overflow> {
        let mut later = self.clone();
        for value in &mut later.0 {
            *value = value.add(delay)?;
        }
        Ok(later)
    }

    /// After some assignments; nothing if a clock would become negative.
    pub fn assigned(&self, assignments: &[ClockAssignment]) -> Result<Option<Self>, Overflow> {
        let mut values = self.clone();
        for assignment in assignments {
            let source = values.value(assignment.source);
            let value = source.add(Rational::integer(assignment.value))?;
            if value.is_negative() {
                return Ok(None);
            }
            values.0[assignment.clock.index()] = value;
        }
        Ok(Some(values))
    }

    /// Whether a bound holds.
    pub fn meets(&self, bound: &ClockBound) -> Result<bool, Overflow> {
        let (left, right) = (self.value(bound.left), self.value(bound.right));
        let limit = Rational::integer(bound.bound).add(right)?;
        Ok(left < limit || (left == limit && !bound.strict))
    }

    /// Whether all bounds hold.
    pub fn meets_all(&self, zone: &ClockConjunction) -> Result<bool, Overflow> {
        for bound in zone {
            if !self.meets(bound)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether one of the conjunctions holds.
    pub fn meets_any(&self, zones: &[ClockConjunction]) -> Result<bool, Overflow> {
        for zone in zones {
            if self.meets_all(zone)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a condition holds.
    pub fn satisfies(&self, guard: &ClockGuard) -> Result<bool, Overflow> {
        self.meets_any(&guard.disjuncts)
    }

    /// Whether the clock conditions of a step hold.
    pub fn enables(&self, step: &Step) -> Result<bool, Overflow> {
        if !self.satisfies(&step.guard)? {
            return Ok(false);
        }
        for blocked in &step.blocked {
            if self.satisfies(&blocked.guard)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The state with these values, in written time units.
    pub fn state(&self, model: &Model, discrete: &DiscreteState) -> Result<State, Overflow> {
        let values: Result<Vec<Rational>, Overflow> =
            self.0.iter().map(|value| written(model, *value)).collect();
        Ok(State { discrete: discrete.clone(), clocks: values?.into() })
    }
}

/// A time in written units.
pub(crate) fn written(model: &Model, time: Rational) -> Result<Rational, Overflow> {
    time.div(Rational::integer(model.scale))
}
