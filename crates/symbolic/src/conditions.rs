//! Clock conditions and assignments of steps, as zones take them.

use smallvec::SmallVec;
use tioga_base::Id;
use tioga_model::{ClockAssignment, ClockBound, ClockConjunction, Step};
use tioga_zones::{Bound, Zone};

use crate::Error;

/// The clock condition of a step as alternatives that exclude each other if some process must not
/// take part: the guard holds, and no guard of these processes does.
pub fn alternatives(step: &Step) -> SmallVec<[ClockConjunction; 1]> {
    let mut all: SmallVec<[ClockConjunction; 1]> = step.guard.disjuncts.clone();
    for blocked in &step.blocked {
        for conjunction in &blocked.guard.disjuncts {
            all = outside(&all, conjunction);
        }
    }
    all
}

/// Splits each alternative into the parts in which the conjunction is false.
fn outside(
    all: &[ClockConjunction],
    conjunction: &ClockConjunction,
) -> SmallVec<[ClockConjunction; 1]> {
    let mut split = SmallVec::new();
    for alternative in all {
        let mut holding = alternative.clone();
        for bound in conjunction {
            let mut part = holding.clone();
            part.push(negated(*bound));
            split.push(part);
            holding.push(*bound);
        }
    }
    split
}

/// The bound that holds exactly where this one does not.
fn negated(bound: ClockBound) -> ClockBound {
    ClockBound { left: bound.right, right: bound.left, strict: !bound.strict, bound: -bound.bound }
}

/// A clock bound as zones have it: indices and a packed bound.
pub(crate) fn zone_bound(bound: &ClockBound) -> Result<(usize, usize, Bound), Error> {
    let index = |clock: Option<tioga_model::ClockId>| clock.map_or(0, |clock| clock.index() + 1);
    let constant = i32::try_from(bound.bound)
        .ok()
        .and_then(|constant| {
            let packed = if bound.strict { Bound::lt(constant) } else { Bound::le(constant) };
            packed.ok()
        })
        .ok_or_else(|| {
            Error::Unsupported(format!("the clock constant {} is too large", bound.bound))
        })?;
    Ok((index(bound.left), index(bound.right), constant))
}

/// Keeps what satisfies all bounds; false if nothing does.
pub(crate) fn constrain(zone: &mut Zone, bounds: &[ClockBound]) -> Result<bool, Error> {
    for bound in bounds {
        let (i, j, bound) = zone_bound(bound)?;
        if zone.constrain(i, j, bound).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Carries out assignments in order; false if a clock would become negative everywhere.
pub(crate) fn assign(zone: &mut Zone, assignments: &[ClockAssignment]) -> Result<bool, Error> {
    let too_large =
        |value: i64| Error::Unsupported(format!("the clock constant {value} is too large"));
    for assignment in assignments {
        let clock = assignment.clock.index() + 1;
        let value = assignment.value;
        match assignment.source {
            None => {
                let value = u32::try_from(value).ok().filter(|v| *v < 1 << 27);
                zone.reset(clock, value.ok_or_else(|| too_large(assignment.value))?);
            }
            Some(source) => {
                let offset = i32::try_from(value).ok().filter(|v| v.abs() < 1 << 27);
                let offset = offset.ok_or_else(|| too_large(value))?;
                if zone.assign(clock, source.index() + 1, offset).is_err() {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}
