//! Random constraints and sampled clock values for the tests of this module.

use proptest::prelude::*;
use tioga_base::{Id, Rational};

use super::closure::Point;
use crate::{ClockBound, ClockId};

/// A random constraint over this many clocks with constants up to `max`.
pub(super) fn constraint(clocks: u32, max: i64) -> impl Strategy<Value = ClockBound> {
    let clock = move || prop::option::of((0..clocks).prop_map(ClockId));
    let different = |(left, right): &(Option<ClockId>, Option<ClockId>)| left != right;
    let ends = (clock(), clock()).prop_filter("a constraint on a difference", different);
    (ends, any::<bool>(), -max..=max).prop_map(|((left, right), strict, bound)| ClockBound {
        left,
        right,
        strict,
        bound,
    })
}

/// All points whose coordinates are multiples of `1 / parts` below `end`.
pub(super) fn grid(clocks: u32, parts: i64, end: i64) -> Vec<Point> {
    let mut points = vec![Point::new()];
    for clock in (0..clocks).map(ClockId) {
        let steps = (0..parts * end).map(|step| Rational::new(step, parts).unwrap());
        let steps: Vec<Rational> = steps.collect();
        points = points
            .iter()
            .flat_map(|point| {
                steps.iter().map(move |value| {
                    let mut longer = point.clone();
                    longer.push((clock, *value));
                    longer
                })
            })
            .collect();
    }
    points
}

/// Whether a point satisfies all constraints; clocks it does not mention are zero.
pub(super) fn holds(constraints: &[ClockBound], point: &Point) -> bool {
    let value = |clock: Option<ClockId>| {
        let found = clock.and_then(|clock| point.iter().find(|(c, _)| c.index() == clock.index()));
        found.map_or(Rational::ZERO, |(_, value)| *value)
    };
    constraints.iter().all(|bound| {
        let difference = value(bound.left).sub(value(bound.right)).unwrap();
        let limit = Rational::integer(bound.bound);
        difference < limit || (!bound.strict && difference == limit)
    })
}
