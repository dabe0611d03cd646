//! Comparisons of two clocks that are only asked for, kept beside zones.
//!
//! Time does not change a difference of clocks, so whether `x − y ≤ c` holds changes only where a step sets
//! one of them. What it becomes then is a comparison of the other clock with a number, or known. So for
//! questions about reachable states such a comparison is a bit of the discrete state, and zones may be
//! coarsened as if it were not there, as long as they keep the constants of those comparisons. In guards and
//! invariants this would not be enough.

use tioga_base::Id;
use tioga_model::{
    ClockAssignment, ClockBound, ClockConstraint, Condition, Conjunct, Model, Predicate, TimeBound,
    Update,
};
use tioga_zones::{Bound, Zone};

use crate::Error;
use crate::conditions::zone_bound;

/// How many comparisons are kept.
const MOST: usize = 8;

/// A comparison `left − right ≤ bound`, or `<`, with clocks as zones number them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Comparison {
    left: usize,
    right: usize,
    bound: Bound,
}

/// The comparisons that are kept, one bit each.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Tracked(Vec<Comparison>);

/// What a comparison becomes by a step.
enum Becomes {
    Same,
    Known(bool),
    /// What this comparison is before the step.
    Compared(usize, usize, Bound),
}

impl Tracked {
    /// The comparisons between clocks in predicates, and the predicates without them but with the constants
    /// that matter; nothing if they cannot be kept.
    pub fn of(model: &Model, asked: &[&Predicate]) -> Option<(Self, Predicate)> {
        let conditions = asked.iter().flat_map(|one| one.conditions());
        let constraints = conditions.flat_map(|one| &one.disjuncts).flat_map(|one| &one.clocks);
        let greatest = greatest_set(model)?;
        let mut tracked = Vec::new();
        let mut told = Vec::new();
        for constraint in constraints {
            let (Some(left), Some(right)) = (constraint.left, constraint.right) else {
                told.push(constraint.clone());
                continue;
            };
            let TimeBound::Constant(constant) = constraint.bound else { return None };
            if left.index.is_some() || right.index.is_some() {
                return None;
            }
            let bound = ClockBound {
                left: Some(left.clock),
                right: Some(right.clock),
                strict: constraint.strict,
                bound: constant,
            };
            let (left_index, right_index, bound) = zone_bound(&bound).ok()?;
            let one = Comparison { left: left_index, right: right_index, bound };
            if !tracked.contains(&one) {
                tracked.push(one);
            }
            let most = constant.abs().checked_add(greatest)?;
            for clock in [left, right] {
                let (left, bound) = (Some(clock), TimeBound::Constant(most));
                told.push(ClockConstraint { left, right: None, strict: false, bound });
            }
        }
        if tracked.is_empty() || tracked.len() > MOST {
            return None;
        }
        let disjuncts = vec![Conjunct { data: None, clocks: told }];
        Some((Self(tracked), Predicate::Holds(Condition { disjuncts })))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bits at the start, where all clocks are zero.
    pub fn initial(&self) -> u8 {
        self.bits(|one| Bound::LE_ZERO <= one.bound)
    }

    fn bits(&self, holds: impl Fn(&Comparison) -> bool) -> u8 {
        let set = self.0.iter().enumerate().filter(|(_, one)| holds(one));
        set.fold(0, |bits, (position, _)| bits | 1 << position)
    }

    /// Splits a zone by what the comparisons become when clocks are set.
    pub fn split(
        &self,
        zone: &Zone,
        bits: u8,
        assignments: &[ClockAssignment],
    ) -> Result<Vec<(Zone, u8)>, Error> {
        let mut parts = vec![(zone.clone(), 0)];
        for (position, one) in self.0.iter().enumerate() {
            let bit = 1 << position;
            match becomes(*one, assignments)? {
                Becomes::Same => parts.iter_mut().for_each(|(_, new)| *new |= bits & bit),
                Becomes::Known(true) => parts.iter_mut().for_each(|(_, new)| *new |= bit),
                Becomes::Known(false) => {}
                Becomes::Compared(left, right, bound) => {
                    let mut split = Vec::new();
                    for (zone, new) in parts {
                        let mut inside = zone.clone();
                        if inside.constrain(left, right, bound).is_ok() {
                            split.push((inside, new | bit));
                        }
                        let mut outside = zone;
                        if outside.constrain(right, left, bound.complement()).is_ok() {
                            split.push((outside, new));
                        }
                    }
                    parts = split;
                }
            }
        }
        Ok(parts)
    }

    /// What a conjunction says without its comparisons of clocks; nothing if one of them does not hold.
    pub fn without(
        &self,
        bits: u8,
        bounds: &[ClockBound],
    ) -> Result<Option<Vec<ClockBound>>, Error> {
        let mut left = Vec::new();
        for bound in bounds {
            if bound.left.is_none() || bound.right.is_none() {
                left.push(*bound);
                continue;
            }
            let (i, j, packed) = zone_bound(bound)?;
            let one = Comparison { left: i, right: j, bound: packed };
            match self.0.iter().position(|tracked| *tracked == one) {
                Some(position) if bits & 1 << position != 0 => {}
                Some(_) => return Ok(None),
                None => {
                    let reason = "a comparison of two clocks was not announced".to_owned();
                    return Err(Error::Unsupported(reason));
                }
            }
        }
        Ok(Some(left))
    }
}

/// The greatest number a clock is set to; nothing if one is set from another, or to a number that varies.
fn greatest_set(model: &Model) -> Option<i64> {
    let edges = model.processes.iter().flat_map(|process| &process.edges);
    let mut greatest = 0;
    for update in edges.flat_map(|edge| &edge.updates) {
        if let Update::Clock(update) = update {
            match (update.source, update.value) {
                (None, TimeBound::Constant(value)) => greatest = greatest.max(value),
                _ => return None,
            }
        }
    }
    Some(greatest)
}

/// What a comparison becomes by assignments, none of which reads a clock.
fn becomes(one: Comparison, assignments: &[ClockAssignment]) -> Result<Becomes, Error> {
    let value = |clock: usize| {
        let set = assignments.iter().rev().find(|one| one.clock.index() + 1 == clock);
        set.map(|one| one.value)
    };
    let shifted = |by: i64| {
        let constant = one.bound.constant().map_or(0, i64::from) + by;
        let constant = i32::try_from(constant).ok();
        let bound = constant.and_then(|constant| match one.bound.is_strict() {
            true => Bound::lt(constant).ok(),
            false => Bound::le(constant).ok(),
        });
        bound.ok_or_else(|| Error::Unsupported("a clock constant is too large".to_owned()))
    };
    Ok(match (value(one.left), value(one.right)) {
        (None, None) => Becomes::Same,
        // left − value ≤ c
        (None, Some(value)) => Becomes::Compared(one.left, 0, shifted(value)?),
        // value − right ≤ c
        (Some(value), None) => Becomes::Compared(0, one.right, shifted(-value)?),
        (Some(left), Some(right)) => Becomes::Known(Bound::LE_ZERO <= shifted(right - left)?),
    })
}
