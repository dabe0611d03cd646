//! The negation of conditions in disjunctive normal form, simplified where that is easy.

use std::collections::BTreeMap;

use tioga_model::{ClockConstraint, Condition, Conjunct, Expr, ExprId, TimeBound, UnaryOp};

/// How many disjuncts a negation may have.
const LIMIT: usize = 64;

/// The condition that holds exactly where `condition` does not, if it is not too large. `push` adds
/// truth values to the expressions of the network.
pub fn negation(condition: &Condition, push: &mut dyn FnMut(Expr) -> ExprId) -> Option<Condition> {
    let mut nots: BTreeMap<ExprId, ExprId> = BTreeMap::new();
    let mut all: Vec<Conjunct> = vec![Conjunct::default()];
    for conjunct in &condition.disjuncts {
        let mut next = Vec::new();
        for before in &all {
            if let Some(data) = conjunct.data {
                let not =
                    *nots.entry(data).or_insert_with(|| push(Expr::Unary(UnaryOp::Not, data)));
                let data = match before.data {
                    None => not,
                    Some(other) if other == not => not,
                    Some(other) => push(Expr::Binary(tioga_model::BinaryOp::And, other, not)),
                };
                next.push(Conjunct { data: Some(data), clocks: before.clocks.clone() });
            }
            for constraint in &conjunct.clocks {
                let mut clocks = before.clocks.clone();
                clocks.push(opposite(constraint)?);
                if let Some(clocks) = simplified(&clocks) {
                    next.push(Conjunct { data: before.data, clocks });
                }
            }
            if next.len() > LIMIT {
                return None;
            }
        }
        all = Vec::new();
        for one in next {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    Some(Condition { disjuncts: all })
}

/// `left - right > bound` as `right - left < -bound`. A computed bound has no negation here.
fn opposite(constraint: &ClockConstraint) -> Option<ClockConstraint> {
    let TimeBound::Constant(bound) = constraint.bound else { return None };
    Some(ClockConstraint {
        left: constraint.right,
        right: constraint.left,
        strict: !constraint.strict,
        bound: TimeBound::Constant(bound.checked_neg()?),
    })
}

/// The conjunction without constraints that follow from others; nothing if they contradict each
/// other. Only constant bounds are looked at.
pub fn simplified(constraints: &[ClockConstraint]) -> Option<Vec<ClockConstraint>> {
    let mut kept: Vec<ClockConstraint> = Vec::new();
    for one in constraints {
        let TimeBound::Constant(bound) = one.bound else {
            kept.push(one.clone());
            continue;
        };
        // Clocks are not negative.
        if one.left.is_none() && (bound > 0 || (bound == 0 && !one.strict)) {
            continue;
        }
        if one.right.is_none() && (bound < 0 || (bound == 0 && one.strict)) {
            return None;
        }
        let mut follows = false;
        for other in &mut kept {
            let TimeBound::Constant(known) = other.bound else { continue };
            if (&other.left, &other.right) == (&one.left, &one.right) {
                if (bound, !one.strict) < (known, !other.strict) {
                    *other = one.clone();
                }
                follows = true;
            }
        }
        if !follows {
            kept.push(one.clone());
        }
    }
    let contradict = |one: &ClockConstraint, other: &ClockConstraint| {
        let (TimeBound::Constant(a), TimeBound::Constant(b)) = (one.bound, other.bound) else {
            return false;
        };
        let sum = a.saturating_add(b);
        (&one.left, &one.right) == (&other.right, &other.left)
            && (sum < 0 || (sum == 0 && (one.strict || other.strict)))
    };
    let impossible = kept.iter().any(|one| kept.iter().any(|other| contradict(one, other)));
    if impossible { None } else { Some(kept) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tioga_model::{ClockId, ClockTerm};

    use super::*;

    fn holds(condition: &Condition, values: [i64; 2]) -> bool {
        let value = |term: Option<ClockTerm>| term.map_or(0, |term| values[term.clock.0 as usize]);
        condition.disjuncts.iter().any(|conjunct| {
            conjunct.clocks.iter().all(|one| {
                let TimeBound::Constant(bound) = one.bound else { unreachable!() };
                // Values are doubled, so that there are points between integers.
                let difference = value(one.left) - value(one.right);
                if one.strict { difference < 2 * bound } else { difference <= 2 * bound }
            })
        })
    }

    fn constraint() -> impl Strategy<Value = ClockConstraint> {
        let clock = |clock: u32| Some(ClockTerm::from(ClockId(clock)));
        let sides = prop::sample::select(vec![
            (clock(0), None),
            (None, clock(0)),
            (clock(1), None),
            (None, clock(1)),
            (clock(0), clock(1)),
            (clock(1), clock(0)),
        ]);
        (sides, any::<bool>(), -3i64..4).prop_map(|((left, right), strict, bound)| {
            ClockConstraint { left, right, strict, bound: TimeBound::Constant(bound) }
        })
    }

    proptest! {
        #[test]
        fn a_negation_holds_where_the_condition_does_not(
            clocks in prop::collection::vec(prop::collection::vec(constraint(), 0..3), 0..3)
        ) {
            let conjunct = |clocks| Conjunct { data: None, clocks };
            let condition = Condition { disjuncts: clocks.into_iter().map(conjunct).collect() };
            let mut push = |_| unreachable!("there is no data");
            let negated = negation(&condition, &mut push).unwrap();
            for x in 0..10 {
                for y in 0..10 {
                    prop_assert_ne!(holds(&condition, [x, y]), holds(&negated, [x, y]));
                }
            }
        }
    }
}
