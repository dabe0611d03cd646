//! Satisfiability of conjunctions of clock constraints, with a solution.
//!
//! A conjunction of `x − y ≤ c` and `x − y < c` over clocks that are never negative is a weighted
//! graph; the Floyd-Warshall closure finds the tightest bounds it implies, and it is satisfiable
//! exactly if no cycle is negative (a cycle of weight 0 with a strict bound counts as negative). In
//! a closed graph any assignment to some of the clocks within their bounds extends to the others,
//! so a solution is found one clock after the other.

use tioga_base::{Overflow, Rational};

use crate::{ClockBound, ClockId};

/// A bound on a difference and whether equality is included. The order is by tightness.
type TimeBound = (i128, bool);

/// A satisfiable conjunction with the tightest bounds it implies.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    /// The clocks that occur; all others are unconstrained.
    clocks: Vec<ClockId>,
    /// `bounds[i][j]` bounds clock `i` minus clock `j`; position 0 is the constant zero, position
    /// `k + 1` is `clocks[k]`.
    bounds: Vec<Vec<Option<TimeBound>>>,
}

/// Clock values in units of `1 / scale`.
pub(super) type Point = Vec<(ClockId, Rational)>;

impl Closure {
    /// The closure of a conjunction, or nothing if it is not satisfiable.
    pub fn of<'a>(constraints: impl IntoIterator<Item = &'a ClockBound>) -> Option<Self> {
        let constraints: Vec<&ClockBound> = constraints.into_iter().collect();
        let ends = constraints.iter().flat_map(|bound| [bound.left, bound.right]);
        let mut clocks: Vec<ClockId> = ends.flatten().collect();
        clocks.sort_unstable();
        clocks.dedup();
        let size = clocks.len() + 1;
        let mut bounds = vec![vec![None; size]; size];
        // Clocks are not negative, and a clock differs from itself by zero.
        bounds[0].fill(Some((0, true)));
        for (position, row) in bounds.iter_mut().enumerate() {
            row[position] = Some((0, true));
        }
        let position = |clock: Option<ClockId>| match clock {
            None => 0,
            Some(clock) => clocks.partition_point(|other| *other < clock) + 1,
        };
        for bound in constraints {
            let place = &mut bounds[position(bound.left)][position(bound.right)];
            tighten(place, (i128::from(bound.bound), !bound.strict));
        }
        let mut closure = Self { clocks, bounds };
        closure.close().then_some(closure)
    }

    /// Makes all bounds tightest. False if some cycle is negative.
    fn close(&mut self) -> bool {
        let size = self.bounds.len();
        for middle in 0..size {
            for left in 0..size {
                for right in 0..size {
                    let (first, second) = (self.bounds[left][middle], self.bounds[middle][right]);
                    if let (Some((a, a_included)), Some((b, b_included))) = (first, second) {
                        let sum = (a + b, a_included && b_included);
                        tighten(&mut self.bounds[left][right], sum);
                    }
                }
            }
            // Checked in every round, for bounds around a negative cycle would grow without limit.
            if (0..size).any(|node| self.bounds[node][node] < Some((0, true))) {
                return false;
            }
        }
        true
    }

    /// The greatest lower bound of a clock; zero if it does not occur.
    pub fn lower(&self, clock: ClockId) -> i128 {
        let position = self.clocks.iter().position(|other| *other == clock);
        let bound = position.and_then(|position| self.bounds[0][position + 1]);
        bound.map_or(0, |(bound, _)| -bound)
    }

    /// The clocks that have only one value, with it.
    pub fn fixed(&self) -> impl Iterator<Item = (ClockId, i128)> {
        self.clocks.iter().enumerate().filter_map(|(index, clock)| {
            let upper = self.bounds[index + 1][0]?;
            let lower = self.bounds[0][index + 1]?;
            (upper.0 == -lower.0).then_some((*clock, upper.0))
        })
    }

    /// A solution, with small numbers where possible: each clock takes its least value if it has
    /// one, else the least integer above its lower bound, else a point in the middle.
    pub fn point(&self) -> Result<Point, Overflow> {
        let mut values = vec![Rational::ZERO];
        for position in 1..=self.clocks.len() {
            let value = self.choose(position, &values)?;
            values.push(value);
        }
        Ok(self.clocks.iter().copied().zip(values.into_iter().skip(1)).collect())
    }

    fn choose(&self, position: usize, values: &[Rational]) -> Result<Rational, Overflow> {
        let mut lower = (Rational::ZERO, true);
        let mut upper: Option<(Rational, bool)> = None;
        for (other, value) in values.iter().enumerate() {
            if let Some((bound, included)) = self.bounds[other][position] {
                let end = value.sub(integer(bound)?)?;
                if end > lower.0 || (end == lower.0 && !included) {
                    lower = (end, included);
                }
            }
            if let Some((bound, included)) = self.bounds[position][other] {
                let end = value.add(integer(bound)?)?;
                if upper.is_none_or(|(least, _)| end < least || (end == least && !included)) {
                    upper = Some((end, included));
                }
            }
        }
        if lower.1 {
            return Ok(lower.0);
        }
        let above = Rational::integer(lower.0.floor()).add(Rational::ONE)?;
        match upper {
            Some((end, true)) if above == end => Ok(above),
            Some((end, _)) if above >= end => lower.0.add(end)?.div(Rational::integer(2)),
            _ => Ok(above),
        }
    }
}

fn tighten(place: &mut Option<TimeBound>, bound: TimeBound) {
    if place.is_none_or(|old| bound < old) {
        *place = Some(bound);
    }
}

fn integer(value: i128) -> Result<Rational, Overflow> {
    i64::try_from(value).map(Rational::integer).map_err(|_| Overflow)
}

/// Whether a conjunction has a solution.
pub(super) fn is_satisfiable<'a>(constraints: impl IntoIterator<Item = &'a ClockBound>) -> bool {
    Closure::of(constraints).is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::properties::testing::{constraint, grid, holds};

    #[test]
    fn a_strict_cycle_of_weight_zero_has_no_solution() {
        let (x, y) = (Some(ClockId(0)), Some(ClockId(1)));
        let at_most = ClockBound { left: x, right: y, strict: false, bound: 1 };
        let at_least = ClockBound { left: y, right: x, strict: true, bound: -1 };
        assert!(is_satisfiable([&at_most]));
        assert!(!is_satisfiable([&at_most, &at_least]));
    }

    #[test]
    fn an_open_unit_interval_yields_its_middle() {
        let x = Some(ClockId(0));
        let above = ClockBound { left: None, right: x, strict: true, bound: -1 };
        let below = ClockBound { left: x, right: None, strict: true, bound: 2 };
        let point = Closure::of([&above, &below]).unwrap().point().unwrap();
        assert_eq!(point, [(ClockId(0), "3/2".parse().unwrap())]);
    }

    proptest! {
        #[test]
        fn satisfiability_agrees_with_sampling(
            constraints in proptest::collection::vec(constraint(2, 3), 0..6),
        ) {
            // With two clocks, constants up to 3 and at most 6 constraints, a solution on quarters
            // below 8 exists if there is any.
            let sampled = grid(2, 4, 8).into_iter().any(|point| holds(&constraints, &point));
            match Closure::of(&constraints) {
                Some(closure) => {
                    prop_assert!(sampled);
                    let solution = closure.point().unwrap();
                    prop_assert!(holds(&constraints, &solution), "{solution:?}");
                }
                None => prop_assert!(!sampled),
            }
        }

        #[test]
        fn lower_bounds_are_tight(
            constraints in proptest::collection::vec(constraint(2, 3), 0..5),
        ) {
            if let Some(closure) = Closure::of(&constraints) {
                for clock in [ClockId(0), ClockId(1)] {
                    let least = i64::try_from(closure.lower(clock)).unwrap();
                    let bounded = |left, right, strict, bound| {
                        let mut all = constraints.clone();
                        all.push(ClockBound { left, right, strict, bound });
                        is_satisfiable(&all)
                    };
                    prop_assert!(!bounded(Some(clock), None, true, least));
                    prop_assert!(bounded(Some(clock), None, true, least + 1));
                }
            }
        }
    }
}
