//! The clocks of one or two copies of a machine as dimensions of zones.
//!
//! Configurations have rational clock values, so zones count in units that all of these are multiples of.

use tioga_base::{Id, Rational};
use tioga_model::{ClockAssignment, ClockBound, ClockId, Condition, TimeBound, Update};
use tioga_zones::{Bound, Federation, LuBounds, OpenZone, OutOfRange, Zone};

use crate::error::Error;
use crate::machine::Machine;

/// The clocks of so many copies of a machine.
#[derive(Clone, Debug)]
pub struct Space {
    /// How many clocks one copy has.
    clocks: usize,
    /// How many dimensions zones have.
    pub(crate) dimension: usize,
    /// Units of the model's constants that make one unit of zones.
    factor: i64,
    /// Units of zones in one time unit.
    pub(crate) units: Rational,
    /// Beyond which values clocks of zones do not matter; nothing if that is not known.
    bounds: Option<LuBounds>,
}

/// `clock := source + value` on dimensions of zones; without a source, `clock := value`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Set {
    /// The clock that is set.
    pub clock: usize,
    /// The clock it is set from.
    pub source: Option<usize>,
    /// What is added, in units of zones.
    pub value: i32,
}

impl Space {
    /// The clocks of so many copies of a machine, fine enough for these values.
    pub(crate) fn new(
        machine: Machine<'_>,
        copies: usize,
        values: &[Rational],
    ) -> Result<Self, Error> {
        let model = machine.model;
        let scale = Rational::integer(model.scale);
        let mut factor = 1_i64;
        for value in values {
            let more = value.mul(scale)?.mul(Rational::integer(factor))?.denominator();
            factor = factor.checked_mul(more).ok_or(Error::Overflow)?;
        }
        let clocks = model.clocks.len();
        let dimension = 1 + clocks * copies;
        let units = scale.mul(Rational::integer(factor))?;
        let mut space = Self { clocks, dimension, factor, units, bounds: None };
        let mut largest = space.largest_constants(machine)?;
        let mut greatest = 0;
        for value in values {
            greatest = greatest.max(narrow(value.mul(units)?.ceil())?);
        }
        let constants = largest.iter().flatten().copied().max().unwrap_or(0);
        Bound::constants_fit(dimension, greatest.max(constants))?;
        if let Some(largest) = &mut largest {
            let mut bounds = LuBounds::none(dimension);
            for copy in 0..copies {
                for (clock, constant) in largest.iter().enumerate() {
                    // Values that are asked for matter, too.
                    let constant = (*constant).max(greatest).unsigned_abs();
                    bounds.raise_lower(1 + copy * clocks + clock, constant);
                    bounds.raise_upper(1 + copy * clocks + clock, constant);
                }
            }
            space.bounds = Some(bounds);
        }
        Ok(space)
    }

    /// The largest constant that each clock is compared with or set to; nothing if clocks are compared with each
    /// other or with data, or set from each other.
    fn largest_constants(&self, machine: Machine<'_>) -> Result<Option<Vec<i32>>, Error> {
        let mut largest = vec![0; self.clocks];
        let process = machine.process;
        let guards = process.edges.iter().map(|edge| &edge.guard);
        let invariants = process.locations.iter().map(|location| &location.invariant);
        let conditions: Vec<&Condition> = guards.chain(invariants).collect();
        for constraint in
            conditions.iter().flat_map(|one| &one.disjuncts).flat_map(|one| &one.clocks)
        {
            let ((Some(term), None) | (None, Some(term))) = (constraint.left, constraint.right)
            else {
                return Ok(None);
            };
            let (TimeBound::Constant(value), None) = (constraint.bound, term.index) else {
                return Ok(None);
            };
            let own = &mut largest[term.clock.index()];
            *own = (*own).max(self.narrow(value.saturating_abs())?);
        }
        for update in process.edges.iter().flat_map(|edge| &edge.updates) {
            let Update::Clock(update) = update else { continue };
            match (update.source, update.value) {
                (None, TimeBound::Constant(_)) => {}
                _ => return Ok(None),
            }
        }
        Ok(Some(largest))
    }

    /// A constant of the model in units of zones.
    fn narrow(&self, value: i64) -> Result<i32, Error> {
        narrow(value.checked_mul(self.factor).ok_or(Error::Overflow)?)
    }

    /// How many units of zones make one time unit.
    pub fn units(&self) -> Rational {
        self.units
    }

    /// The dimension of a clock of a copy.
    fn dimension_of(&self, clock: usize, copy: usize) -> usize {
        1 + copy * self.clocks + clock
    }

    /// The zone of a conjunction of bounds on the clocks of a copy.
    pub(crate) fn conjunction(
        &self,
        bounds: &[ClockBound],
        copy: usize,
    ) -> Result<Federation, Error> {
        let mut open = OpenZone::new(self.dimension);
        for bound in bounds {
            let at = |clock: Option<ClockId>| {
                clock.map_or(0, |clock| self.dimension_of(clock.index(), copy))
            };
            let value = self.narrow(bound.bound)?;
            let limit = if bound.strict { Bound::lt(value)? } else { Bound::le(value)? };
            open.constrain(at(bound.left), at(bound.right), limit);
        }
        Ok(Federation::from_zones(self.dimension, open.close()))
    }

    /// Assignments to the clocks of a copy.
    pub(crate) fn sets(
        &self,
        assignments: &[ClockAssignment],
        copy: usize,
    ) -> Result<Vec<Set>, Error> {
        let set = |one: &ClockAssignment| {
            Ok(Set {
                clock: self.dimension_of(one.clock.index(), copy),
                source: one.source.map(|clock| self.dimension_of(clock.index(), copy)),
                value: self.narrow(one.value)?,
            })
        };
        assignments.iter().map(set).collect()
    }

    /// The zone of one point: the values of the clocks of all copies, in time units.
    pub(crate) fn point(&self, values: &[Rational]) -> Result<Zone, Error> {
        let mut zone = Zone::zero(self.dimension);
        for (clock, value) in values.iter().enumerate() {
            let scaled = value.mul(self.units)?.to_integer().ok_or(Error::Overflow)?;
            zone.reset(1 + clock, narrow(scaled)?.unsigned_abs());
        }
        Ok(zone)
    }

    /// The zone up to what the machine can tell.
    pub(crate) fn abstracted(&self, mut zone: Zone) -> Zone {
        if let Some(bounds) = &self.bounds {
            zone.extrapolate_m_plus(bounds);
        }
        zone
    }
}

fn narrow(value: i64) -> Result<i32, Error> {
    i32::try_from(value).map_err(|_| OutOfRange { constant: value }.into())
}

/// Carries out assignments.
pub(crate) fn assigned(mut set: Federation, assignments: &[Set]) -> Federation {
    for one in assignments {
        match one.source {
            None => set.reset(one.clock, one.value.unsigned_abs()),
            Some(source) => set.assign(one.clock, source, one.value),
        }
    }
    set
}

/// The points that assignments lead into a set.
pub(crate) fn before(mut set: Federation, assignments: &[Set]) -> Federation {
    for one in assignments.iter().rev() {
        match one.source {
            None => set.reset_predecessor(one.clock, one.value.unsigned_abs()),
            Some(source) => set.assign_predecessor(one.clock, source, one.value),
        }
    }
    set
}

/// Both sets.
pub(crate) fn both(one: &Federation, other: &Federation) -> Federation {
    let mut result = one.clone();
    result.intersect(other);
    result
}
