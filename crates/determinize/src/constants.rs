//! Which constants the clocks of a result should be compared with.
//!
//! Time can be measured in the greatest unit that divides all constants: a model is the same in any
//! unit. With a single clock, constants that no guard compares with can be left out too: an exact
//! result is exact however it was found. Since a clock may count from before an internal step that
//! sets a clock of the model, sums of two constants are kept.

use std::collections::BTreeSet;

use tioga_model::{Condition, TimeBound, Update};

use crate::Resources;
use crate::region::Grid;
use crate::subject::Subject;

/// The grids to try, the coarsest first; the last has all multiples of a unit.
pub(crate) fn grids(subject: Subject<'_>, resources: Resources) -> Vec<Grid> {
    let Resources { clocks, max_constant } = resources;
    let (constants, complete) = constants(subject);
    let unit = constants.iter().fold(max_constant, |unit, constant| divisor(unit, *constant));
    let uniform = Grid::uniform(unit.max(1), max_constant);
    let mut grids = Vec::new();
    if clocks == 1 && complete {
        let mut relevant = constants.clone();
        for one in &constants {
            relevant.extend(constants.iter().filter_map(|other| one.checked_add(*other)));
        }
        relevant.retain(|constant| *constant <= max_constant);
        relevant.insert(max_constant);
        let coarse = Grid::of(&relevant);
        if coarse.len() < uniform.len() {
            grids.push(coarse);
        }
    }
    grids.push(uniform);
    grids
}

/// The constants in conditions and updates, and whether these are all there are.
fn constants(subject: Subject<'_>) -> (BTreeSet<u32>, bool) {
    let model = subject.model;
    let mut constants = BTreeSet::new();
    let mut complete = true;
    let mut add = |bound: TimeBound| match bound {
        TimeBound::Constant(value) => match u32::try_from(value.unsigned_abs()) {
            Ok(value) => drop(constants.insert(value)),
            Err(_) => complete = false,
        },
        // A computed bound is a multiple of the written time unit.
        TimeBound::Expr(_) => {
            complete = false;
            constants.extend(u32::try_from(model.scale));
        }
    };
    subject.goal_bounds().for_each(&mut add);
    for process in &model.processes {
        let invariants = process.locations.iter().map(|location| &location.invariant);
        let guards = process.edges.iter().map(|edge| &edge.guard);
        for bound in invariants.chain(guards).flat_map(bounds) {
            add(bound);
        }
        for update in process.edges.iter().flat_map(|edge| &edge.updates) {
            if let Update::Clock(update) = update {
                add(update.value);
            }
        }
    }
    (constants, complete)
}

fn bounds(condition: &Condition) -> impl Iterator<Item = TimeBound> {
    let constraints = condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks);
    constraints.map(|constraint| constraint.bound)
}

/// The greatest common divisor.
fn divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_are_common_and_greatest() {
        assert_eq!(divisor(20, 30), 10);
        assert_eq!(divisor(0, 7), 7);
        assert_eq!(divisor(7, 0), 7);
    }
}
