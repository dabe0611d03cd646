//! Regions: classes of clock valuations that nothing can tell apart.
//!
//! Two valuations are in the same region if the same clocks are beyond the largest constant they
//! are compared with, the others agree in their whole parts and in the order of their fractional
//! parts, and differences that involve a clock beyond its constant agree as far as they are compared
//! with anything (Alur and Dill 1994, with differences). Constants of the table count like those of
//! the model: then no bound of either tells two valuations of a region apart, now or after any
//! steps and delays.
//!
//! A clock set to a constant `c` turns a bound on a difference into a bound on one clock that is
//! larger by `c`; constants are chosen large enough for that. Setting a clock to the value of
//! another is covered too, but not if something is added to it: see [`Grid::is_exact`].

use std::collections::BTreeSet;

use tioga_base::{Id, Overflow, Rational};
use tioga_model::{ClockAssignment, ClockBound};

use super::checked_state::CheckedState;
use super::valuation::Valuation;

/// Up to which constants clocks and their differences matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    clocks: usize,
    /// The largest constant each clock is compared with.
    single: Vec<i64>,
    /// The largest constant, as an absolute value, each difference is compared with; −1 if none.
    pair: Vec<i64>,
    /// The largest constant a clock is set to.
    assigned: i64,
    /// Whether clocks are set to values of others.
    copies: bool,
    /// Whether something is added then.
    shifts: bool,
    /// The checked states whose constants are taken up.
    noted: BTreeSet<usize>,
}

impl Grid {
    pub fn new(clocks: usize) -> Self {
        Self {
            clocks,
            single: vec![0; clocks],
            pair: vec![-1; clocks * clocks],
            assigned: 0,
            copies: false,
            shifts: false,
            noted: BTreeSet::new(),
        }
    }

    /// How many clocks there are.
    pub fn clocks(&self) -> usize {
        self.clocks
    }

    /// Whether regions are as coarse as the module says.
    pub fn is_exact(&self) -> bool {
        !self.shifts
    }

    /// Takes up the constants of a checked state; whether any is new.
    pub fn note(&mut self, checked: &CheckedState<'_>) -> bool {
        if !self.noted.insert(checked.index) {
            return false;
        }
        let before = self.clone();
        self.note_all(&checked.bounds, &[]);
        for step in &checked.steps {
            self.note_all(&step.bounds, &step.assignments);
        }
        *self != before
    }

    /// Takes up the constants of bounds and assignments.
    pub fn note_all(&mut self, bounds: &[ClockBound], assignments: &[ClockAssignment]) {
        bounds.iter().for_each(|bound| self.note_bound(bound));
        assignments.iter().for_each(|assignment| self.note_assignment(assignment));
        self.widen();
    }

    fn note_bound(&mut self, bound: &ClockBound) {
        let size = bound.bound.saturating_abs();
        match (bound.left, bound.right) {
            (Some(left), Some(right)) => {
                for (one, other) in [(left, right), (right, left)] {
                    let pair = &mut self.pair[one.index() * self.clocks + other.index()];
                    *pair = size.max(*pair);
                }
            }
            (Some(clock), None) | (None, Some(clock)) => {
                let single = &mut self.single[clock.index()];
                *single = size.max(*single);
            }
            (None, None) => {}
        }
    }

    fn note_assignment(&mut self, assignment: &ClockAssignment) {
        // A clock that shows already what it is set to must be told apart from one that does not.
        self.note_bound(&ClockBound {
            left: Some(assignment.clock),
            right: assignment.source,
            strict: false,
            bound: assignment.value,
        });
        if assignment.source.is_some() {
            self.copies = true;
            self.shifts |= assignment.value != 0;
        } else {
            self.assigned = self.assigned.max(assignment.value);
        }
    }

    /// Enlarges constants by what assignments can make of them.
    fn widen(&mut self) {
        if self.copies {
            let largest = self.pair.iter().copied().max().unwrap_or(-1);
            self.pair.fill(largest);
        }
        for clock in 0..self.clocks {
            let row = &self.pair[clock * self.clocks..(clock + 1) * self.clocks];
            let largest = row.iter().copied().max().unwrap_or(-1);
            let needed = largest.saturating_add(self.assigned).max(self.single[clock]);
            self.single[clock] = needed.max(0);
        }
        if self.copies {
            let largest = self.single.iter().copied().max().unwrap_or(0);
            self.single.fill(largest);
        }
    }

    /// Whether a clock is not beyond its constant.
    fn is_near(&self, clock: usize, value: Rational) -> bool {
        value <= Rational::integer(self.single[clock])
    }

    /// Whether the region of a valuation is an interval of delays rather than a moment.
    pub fn is_open(&self, values: &Valuation) -> bool {
        let mut clocks = values.0.iter().enumerate();
        clocks.all(|(clock, value)| !self.is_near(clock, *value) || value.to_integer().is_none())
    }

    /// A name for the region of a valuation.
    pub fn key(&self, values: &Valuation) -> Result<Vec<i64>, Overflow> {
        let near: Vec<bool> =
            values.0.iter().enumerate().map(|(i, value)| self.is_near(i, *value)).collect();
        let mut key = Vec::with_capacity(2 * self.clocks);
        let fractions =
            fractions(values.0.iter().zip(&near).filter(|(_, near)| **near).map(|v| *v.0))?;
        for (value, near) in values.0.iter().zip(&near) {
            if !near {
                key.push(-1);
                continue;
            }
            key.push(value.floor());
            let fraction = value.sub(Rational::integer(value.floor()))?;
            let order = fractions.partition_point(|other| *other < fraction);
            key.push(if fraction.is_zero() { -1 } else { index(order) });
        }
        for left in 0..self.clocks {
            for right in 0..left {
                let limit = self.pair[left * self.clocks + right];
                if limit < 0 || (near[left] && near[right]) {
                    continue;
                }
                let difference = values.0[left].sub(values.0[right])?;
                // Below the least constant all differences are one class, integer or not.
                let whole = difference.floor().clamp(-limit - 1, limit);
                let compared = whole == difference.floor() && whole >= -limit;
                let exact = compared && difference.to_integer().is_some();
                key.extend([whole, i64::from(exact)]);
            }
        }
        Ok(key)
    }

    /// A number of regions that time certainly leads through from a valuation in a discrete state, if nothing ends the
    /// walk there: each clock has two for each integer that it comes to, as long as it is compared with anything.
    pub fn ahead(&self, checked: &CheckedState<'_>, values: &Valuation) -> Result<usize, Overflow> {
        let [conjunction] = &checked.invariant.disjuncts[..] else { return Ok(0) };
        if checked.may_end_a_walk() {
            return Ok(0);
        }
        let mut room: Option<Rational> = None;
        for bound in conjunction {
            if let (Some(clock), None) = (bound.left, bound.right) {
                let left = Rational::integer(bound.bound).sub(values.value(Some(clock)))?;
                room = Some(room.map_or(left, |room| room.min(left)));
            }
        }
        self.within(room, values)
    }

    /// The same for a delay of less than `room`.
    fn within(&self, room: Option<Rational>, values: &Valuation) -> Result<usize, Overflow> {
        let mut most = 0;
        for (value, single) in values.0.iter().zip(&self.single) {
            let mut end = Rational::integer(*single);
            if let Some(room) = room {
                end = end.min(value.add(room)?);
            }
            // The last one may not be reached.
            let reached = end.floor().saturating_sub(value.floor()).saturating_sub(1);
            most = most.max(reached);
        }
        Ok(usize::try_from(most).unwrap_or(0).saturating_mul(2))
    }

    /// The delay to the next region in time; none if time changes nothing any more.
    pub fn next(&self, values: &Valuation) -> Result<Option<Rational>, Overflow> {
        let mut least: Option<Rational> = None;
        let mut at_integer = false;
        for (clock, value) in values.0.iter().enumerate() {
            if !self.is_near(clock, *value) {
                continue;
            }
            at_integer |= value.to_integer().is_some();
            let whole = value.floor().checked_add(1).ok_or(Overflow)?;
            let room = Rational::integer(whole).sub(*value)?;
            least = Some(least.map_or(room, |least| least.min(room)));
        }
        match least {
            Some(least) if at_integer => least.div(Rational::integer(2)).map(Some),
            least => Ok(least),
        }
    }
}

/// The positive fractional parts, rising, without repetitions.
fn fractions(values: impl Iterator<Item = Rational>) -> Result<Vec<Rational>, Overflow> {
    let mut fractions = Vec::new();
    for value in values.filter(|value| value.to_integer().is_none()) {
        fractions.push(value.sub(Rational::integer(value.floor()))?);
    }
    fractions.sort_unstable();
    fractions.dedup();
    Ok(fractions)
}

fn index(position: usize) -> i64 {
    i64::try_from(position).unwrap_or(i64::MAX)
}

/// The valuation with the same whole parts and the same order of fractional parts, these being as
/// simple as possible. No bound distinguishes the two, so if one is reachable, so is the other.
pub(crate) fn simplest(values: &Valuation) -> Result<Valuation, Overflow> {
    let fractions = fractions(values.0.iter().copied())?;
    let parts = index(fractions.len()).checked_add(1).ok_or(Overflow)?;
    let mut simple = values.clone();
    for value in simple.0.iter_mut().filter(|value| value.to_integer().is_none()) {
        let whole = Rational::integer(value.floor());
        let fraction = value.sub(whole)?;
        let order = fractions.partition_point(|other| *other <= fraction);
        *value = whole.add(Rational::new(index(order), parts)?)?;
    }
    Ok(simple)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tioga_model::ClockId;

    use super::*;

    fn valuation() -> impl Strategy<Value = Valuation> {
        let value = (0i64..40, 1i64..6).prop_map(|(n, d)| Rational::new(n, d).unwrap());
        proptest::collection::vec(value, 3).prop_map(Valuation)
    }

    fn bound() -> impl Strategy<Value = ClockBound> {
        let clock = || proptest::option::of((0u32..3).prop_map(ClockId));
        (clock(), clock(), any::<bool>(), -4i64..5)
            .prop_map(|(left, right, strict, bound)| ClockBound { left, right, strict, bound })
    }

    #[test]
    fn differences_beyond_what_they_are_compared_with_are_one_class() {
        let mut grid = Grid::new(2);
        let (left, right) = (Some(ClockId(0)), Some(ClockId(1)));
        grid.note_all(&[ClockBound { left, right, strict: false, bound: 2 }], &[]);
        let key = |difference: Rational| {
            let base = Rational::integer(10);
            let values = Valuation(vec![base.add(difference).unwrap(), base]);
            grid.key(&values).unwrap()
        };
        let below = key(Rational::new(-5, 2).unwrap());
        for difference in [-3, -4, -5] {
            assert_eq!(key(Rational::integer(difference)), below, "{difference}");
        }
        let above = key(Rational::new(5, 2).unwrap());
        for difference in [3, 4, 5] {
            assert_eq!(key(Rational::integer(difference)), above, "{difference}");
        }
        assert_ne!(key(Rational::integer(-2)), below);
        assert_ne!(key(Rational::integer(2)), above);
    }

    #[test]
    fn a_clock_that_shows_what_it_is_set_to_is_in_a_region_of_its_own() {
        let mut grid = Grid::new(1);
        let set = ClockAssignment { clock: ClockId(0), source: None, value: 1 };
        grid.note_all(&[], &[set]);
        let key = |value| grid.key(&Valuation(vec![Rational::integer(value)])).unwrap();
        assert_ne!(key(1), key(2));
    }

    proptest! {
        #[test]
        fn no_noted_bound_tells_valuations_of_a_region_apart(
            bounds in proptest::collection::vec(bound(), 1..5),
            values in proptest::collection::vec(valuation(), 2..30),
        ) {
            let mut grid = Grid::new(3);
            bounds.iter().for_each(|bound| grid.note_bound(bound));
            grid.widen();
            let mut known = std::collections::BTreeMap::new();
            for value in values {
                let truth: Vec<bool> = bounds.iter().map(|b| value.meets(b).unwrap()).collect();
                let key = grid.key(&value).unwrap();
                let first = known.entry(key).or_insert_with(|| truth.clone());
                prop_assert_eq!(first, &truth);
            }
        }

        #[test]
        fn the_simplest_valuation_is_in_the_same_region(
            value in valuation(), bounds in proptest::collection::vec(bound(), 0..5)
        ) {
            let mut grid = Grid::new(3);
            bounds.iter().for_each(|bound| grid.note_bound(bound));
            grid.widen();
            let simple = simplest(&value).unwrap();
            prop_assert_eq!(grid.key(&simple).unwrap(), grid.key(&value).unwrap());
            prop_assert!(simple.0.iter().all(|value| value.denominator() <= 4));
        }

        #[test]
        fn time_leads_through_as_many_regions_as_are_ahead(
            value in valuation(),
            constants in proptest::collection::vec(0i64..30, 3),
            room in proptest::option::of(1i64..40),
        ) {
            let mut grid = Grid::new(3);
            for (clock, bound) in (0..).zip(constants) {
                let left = Some(ClockId(clock));
                grid.note_bound(&ClockBound { left, right: None, strict: false, bound });
            }
            let room = room.map(|room| Rational::new(room, 2).unwrap());
            let (mut at, mut passed, mut seen) = (value.clone(), Rational::ZERO, 0);
            let mut names = std::collections::BTreeSet::new();
            while let Some(delay) = grid.next(&at).unwrap() {
                passed = passed.add(delay).unwrap();
                if room.is_some_and(|room| passed >= room) {
                    break;
                }
                at = at.later(delay).unwrap();
                seen += usize::from(names.insert(grid.key(&at).unwrap()));
            }
            let ahead = grid.within(room, &value).unwrap();
            prop_assert!(ahead <= seen, "{ahead} ahead, {seen} seen");
            // One clock would see two for each integer; there are three of them.
            prop_assert!(seen <= 3 * (ahead + 6), "{ahead} ahead, {seen} seen");
        }

        #[test]
        fn the_next_region_is_another_and_none_lies_between(value in valuation()) {
            let mut grid = Grid::new(3);
            for clock in 0..3 {
                let left = Some(ClockId(clock));
                grid.note_bound(&ClockBound { left, right: None, strict: false, bound: 5 });
            }
            let Some(delay) = grid.next(&value).unwrap() else {
                prop_assert!(value.0.iter().all(|value| *value > Rational::integer(5)));
                return Ok(());
            };
            let here = grid.key(&value).unwrap();
            let there = grid.key(&value.later(delay).unwrap()).unwrap();
            prop_assert_ne!(&here, &there);
            let half = delay.div(Rational::integer(2)).unwrap();
            let between = grid.key(&value.later(half).unwrap()).unwrap();
            prop_assert!(between == here || between == there);
        }
    }
}
