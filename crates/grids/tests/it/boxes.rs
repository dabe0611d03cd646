//! Conditions as unions of boxes, against conditions evaluated point by point.

use proptest::prelude::*;
use tioga_base::Rational;
use tioga_grids::{ClockRange, Condition};

/// Conditions over two clocks, with constants that are multiples of 1/2.
fn conditions() -> impl Strategy<Value = Condition> {
    let comparison = (0usize..2, any::<bool>(), 0i64..7).prop_map(|(clock, strict, halves)| {
        Condition::Clock { clock, strict, bound: Rational::new(halves, 2).unwrap() }
    });
    comparison.prop_recursive(4, 20, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Condition::All),
            prop::collection::vec(inner.clone(), 0..3).prop_map(Condition::Any),
            inner.clone().prop_map(|one| Condition::Not(Box::new(one))),
            inner.prop_map(Condition::not),
        ]
    })
}

fn holds(condition: &Condition, at: &[Rational]) -> bool {
    match condition {
        Condition::All(parts) => parts.iter().all(|part| holds(part, at)),
        Condition::Any(parts) => parts.iter().any(|part| holds(part, at)),
        Condition::Not(inner) => !holds(inner, at),
        Condition::Clock { clock, strict: true, bound } => at[*clock] < *bound,
        Condition::Clock { clock, strict: false, bound } => at[*clock] <= *bound,
        Condition::Data { .. } => unreachable!("there is no context"),
    }
}

fn inside(ranges: &[ClockRange], at: &[Rational]) -> bool {
    ranges.iter().zip(at).all(|(range, value)| {
        let (lower, open) = range.lower;
        let above = *value > lower || *value == lower && !open;
        above && range.upper.is_none_or(|(end, open)| *value < end || *value == end && !open)
    })
}

/// Every multiple of 1/4 up to 4: all constants, and a point between any two.
fn points() -> impl Iterator<Item = [Rational; 2]> {
    let value = |quarters: i64| Rational::new(quarters, 4).unwrap();
    (0..=16).flat_map(move |x| (0..=16).map(move |y| [value(x), value(y)]))
}

proptest! {
    #[test]
    fn boxes_hold_what_a_condition_holds(condition in conditions()) {
        let boxes = condition.boxes(2);
        for at in points() {
            let found = boxes.iter().any(|one| inside(one, &at));
            prop_assert_eq!(found, holds(&condition, &at), "{:?}", at);
        }
        for (number, one) in boxes.iter().enumerate() {
            prop_assert!(points().any(|at| inside(one, &at)), "no box is empty");
            for other in &boxes[..number] {
                prop_assert!(points().any(|at| inside(one, &at) && !inside(other, &at)));
            }
        }
    }

    #[test]
    fn a_condition_before_a_reset_is_the_condition_after_it(
        condition in conditions(), clock in 0usize..2, halves in 0i64..8,
    ) {
        let value = Rational::new(halves, 2).unwrap();
        let before = condition.before(&[(clock, value)]);
        for at in points() {
            let mut after = at;
            after[clock] = value;
            prop_assert_eq!(holds(&before, &at), holds(&condition, &after));
        }
    }
}
