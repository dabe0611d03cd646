//! Clock constraints read as comparisons: `x >= 2` instead of `0 - x <= -2`, and an equality where two
//! bounds meet. Changes are made on comparisons, because that is what the model says.

use tioga_model::{BinaryOp, ClockConstraint, ClockTerm, TimeBound};

/// A comparison of a clock, or of the difference of two, with a bound.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The position of its first constraint in the conjunction.
    pub at: usize,
    /// How many constraints it takes: two for an equality.
    pub count: usize,
    /// The clock counted positively.
    pub left: Option<ClockTerm>,
    /// The clock counted negatively.
    pub right: Option<ClockTerm>,
    /// `<`, `<=`, `==`, `>=` or `>`.
    pub operator: BinaryOp,
    /// What it is compared with.
    pub bound: TimeBound,
    /// Whether `bound` is an expression for the negated bound, as lower bounds are kept.
    pub negated: bool,
}

/// The comparisons of a conjunction, in order.
pub fn comparisons(constraints: &[ClockConstraint]) -> Vec<Comparison> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(one) = constraints.get(at) {
        let mut comparison = single(one, at);
        if let Some(next) = constraints.get(at + 1)
            && meet(one, next)
        {
            let upper = if one.left.is_some() { one } else { next };
            comparison = Comparison { count: 2, operator: BinaryOp::Eq, ..single(upper, at) };
        }
        at += comparison.count;
        all.push(comparison);
    }
    all
}

fn single(one: &ClockConstraint, at: usize) -> Comparison {
    let strict = |yes, no| if one.strict { yes } else { no };
    if let (None, Some(clock)) = (one.left, one.right) {
        let (bound, negated) = match one.bound {
            TimeBound::Constant(value) => (TimeBound::Constant(-value), false),
            TimeBound::Expr(_) => (one.bound, true),
        };
        let operator = strict(BinaryOp::Gt, BinaryOp::Ge);
        return Comparison {
            at,
            count: 1,
            left: Some(clock),
            right: None,
            operator,
            bound,
            negated,
        };
    }
    let operator = strict(BinaryOp::Lt, BinaryOp::Le);
    let (left, right, bound) = (one.left, one.right, one.bound);
    Comparison { at, count: 1, left, right, operator, bound, negated: false }
}

/// Whether two constraints are the upper and the lower half of an equality.
fn meet(one: &ClockConstraint, next: &ClockConstraint) -> bool {
    let opposite = (one.left, one.right) == (next.right, next.left);
    let (TimeBound::Constant(low), TimeBound::Constant(high)) = (one.bound, next.bound) else {
        return false;
    };
    opposite && !one.strict && !next.strict && low.checked_neg() == Some(high)
}

impl Comparison {
    /// The constraints it stands for. Only for constant bounds, or where the expression need not be
    /// negated.
    pub fn constraints(&self) -> Option<Vec<ClockConstraint>> {
        let bound = |lower: bool| match self.bound {
            TimeBound::Constant(value) if lower => value.checked_neg().map(TimeBound::Constant),
            TimeBound::Expr(_) if lower != self.negated => None,
            bound => Some(bound),
        };
        let (left, right) = (self.left, self.right);
        let upper = |strict| Some(ClockConstraint { left, right, strict, bound: bound(false)? });
        let lower = |strict| {
            Some(ClockConstraint { left: right, right: left, strict, bound: bound(true)? })
        };
        Some(match self.operator {
            BinaryOp::Lt => vec![upper(true)?],
            BinaryOp::Le => vec![upper(false)?],
            BinaryOp::Ge => vec![lower(false)?],
            BinaryOp::Gt => vec![lower(true)?],
            _ => vec![upper(false)?, lower(false)?],
        })
    }

    /// Whether some clock values satisfy it, as far as it shows by itself: clocks are not negative.
    pub fn is_possible(&self) -> bool {
        let (Some(_), None, TimeBound::Constant(bound)) = (self.left, self.right, self.bound)
        else {
            return true;
        };
        match self.operator {
            BinaryOp::Lt => bound > 0,
            BinaryOp::Le | BinaryOp::Eq => bound >= 0,
            _ => true,
        }
    }

    /// Whether all clock values satisfy it, as far as it shows by itself.
    pub fn is_idle(&self) -> bool {
        let (Some(_), None, TimeBound::Constant(bound)) = (self.left, self.right, self.bound)
        else {
            return false;
        };
        match self.operator {
            BinaryOp::Ge => bound <= 0,
            BinaryOp::Gt => bound < 0,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use tioga_model::ClockId;

    use super::*;

    fn constraint(lower: bool, strict: bool, bound: i64) -> ClockConstraint {
        let x = Some(ClockTerm::from(ClockId(0)));
        let (left, right) = if lower { (None, x) } else { (x, None) };
        ClockConstraint { left, right, strict, bound: TimeBound::Constant(bound) }
    }

    #[test]
    fn comparisons_stand_for_the_constraints_they_were_read_from() {
        let cases = [
            (vec![constraint(false, false, 5)], vec![BinaryOp::Le]),
            (vec![constraint(true, true, -3)], vec![BinaryOp::Gt]),
            (vec![constraint(false, false, 4), constraint(true, false, -4)], vec![BinaryOp::Eq]),
            (
                vec![constraint(false, true, 4), constraint(true, false, -4)],
                vec![BinaryOp::Lt, BinaryOp::Ge],
            ),
        ];
        for (constraints, operators) in cases {
            let read = comparisons(&constraints);
            assert_eq!(read.iter().map(|one| one.operator).collect::<Vec<_>>(), operators);
            let back: Vec<ClockConstraint> =
                read.iter().flat_map(|one| one.constraints().unwrap()).collect();
            assert_eq!(back, constraints);
        }
    }

    #[test]
    fn clocks_are_not_negative() {
        let possible = |one| comparisons(&[one])[0].is_possible();
        assert!(!possible(constraint(false, true, 0)));
        assert!(possible(constraint(false, false, 0)));
        assert!(comparisons(&[constraint(true, false, 0)])[0].is_idle());
        assert!(!comparisons(&[constraint(true, true, 0)])[0].is_idle());
    }
}
