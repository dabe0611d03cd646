//! What a step does to clocks, forwards and backwards.
//!
//! A jump is the clock part of a step: alternatives of its condition and the assignments. Many steps
//! of a network share one jump, so jumps can be compared and hashed.

use tioga_base::{Id, Overflow, Rational};
use tioga_model::{ClockAssignment, ClockConjunction, Step};
use tioga_zones::{Constraint, Federation, Zone};

use crate::Error;
use crate::conditions::{alternatives, zone_bound};

/// The clock part of a step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Jump {
    alternatives: Box<[Box<[Constraint]>]>,
    assignments: Box<[Assignment]>,
}

/// `clock := source + offset`, with clocks numbered as in zones; source 0 is the constant zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Assignment {
    clock: u32,
    source: u32,
    offset: i32,
}

/// Clock values beyond this are not represented.
const LARGEST: i64 = 1 << 27;

impl Jump {
    /// The clock part of a step with the assignments that carrying it out yields.
    pub fn of(step: &Step, assignments: &[ClockAssignment]) -> Result<Self, Error> {
        Self::new(&alternatives(step), assignments)
    }

    /// The jump with these alternatives of its condition.
    pub fn new(
        alternatives: &[ClockConjunction],
        assignments: &[ClockAssignment],
    ) -> Result<Self, Error> {
        let compiled = |conjunction: &ClockConjunction| {
            let bounds = conjunction.iter().map(|bound| {
                let (left, right, bound) = zone_bound(bound)?;
                Ok(Constraint::new(left, right, bound))
            });
            bounds.collect::<Result<Box<[_]>, Error>>()
        };
        let alternatives = alternatives.iter().map(compiled).collect::<Result<_, _>>()?;
        let index = |id: usize| u32::try_from(id + 1).expect("fewer than 2^32 clocks");
        let compiled = |assignment: &ClockAssignment| {
            let offset = i32::try_from(assignment.value).ok();
            let offset = offset.filter(|_| assignment.value.abs() < LARGEST).ok_or_else(|| {
                Error::Unsupported(format!("the clock constant {} is too large", assignment.value))
            })?;
            let source = assignment.source.map_or(0, |source| index(source.index()));
            Ok(Assignment { clock: index(assignment.clock.index()), source, offset })
        };
        let assignments = assignments.iter().map(compiled).collect::<Result<_, Error>>()?;
        Ok(Self { alternatives, assignments })
    }

    /// The assignments in order: a clock, the clock it is set from or 0, and what is added. Clocks
    /// are numbered as in zones.
    pub fn assignments(&self) -> impl Iterator<Item = (usize, usize, i32)> {
        let plain = |one: &Assignment| (one.clock as usize, one.source as usize, one.offset);
        self.assignments.iter().map(plain)
    }

    /// Where the step is possible as far as its clock condition says.
    #[must_use]
    pub fn guard(&self, dimension: usize) -> Federation {
        let mut guard = Federation::empty(dimension);
        for alternative in &self.alternatives {
            let mut zone = Zone::universal(dimension);
            if zone.constrain_all(alternative).is_ok() {
                guard.add(zone);
            }
        }
        guard
    }

    /// The points where the step is possible and leads into `target`.
    #[must_use]
    pub fn predecessor(&self, target: &Federation) -> Federation {
        let mut before = target.clone();
        for assignment in self.assignments.iter().rev() {
            let clock = assignment.clock as usize;
            match assignment.source {
                0 => before.reset_predecessor(clock, assignment.offset.unsigned_abs()),
                source => before.assign_predecessor(clock, source as usize, assignment.offset),
            }
        }
        self.restrict(before)
    }

    /// The points that the step leads to from points of `source`.
    #[must_use]
    pub fn successor(&self, source: &Federation) -> Federation {
        let mut after = self.restrict(source.clone());
        for assignment in &self.assignments {
            let clock = assignment.clock as usize;
            match assignment.source {
                0 => after.reset(clock, assignment.offset.unsigned_abs()),
                source => after.assign(clock, source as usize, assignment.offset),
            }
        }
        after
    }

    /// Carries the assignments out on one valuation, whose entry 0 is the constant zero.
    pub fn assign(&self, clocks: &mut [Rational]) -> Result<(), Overflow> {
        for assignment in &self.assignments {
            let source = clocks[assignment.source as usize];
            let value = source.add(Rational::integer(i64::from(assignment.offset)))?;
            clocks[assignment.clock as usize] = value;
        }
        Ok(())
    }

    fn restrict(&self, mut set: Federation) -> Federation {
        if let [only] = &*self.alternatives {
            set.constrain_all(only);
            return set;
        }
        let mut result = Federation::empty(set.dimension());
        for alternative in &self.alternatives {
            let mut part = set.clone();
            part.constrain_all(alternative);
            result.unite(&part);
        }
        result
    }
}
