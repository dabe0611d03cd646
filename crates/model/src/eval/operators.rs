//! Infix operators on integers and rationals, all checked.

use std::cmp::Ordering;

use tioga_base::Rational;

use crate::{BinaryOp, EvalFaultKind};

/// The value of a comparison, or nothing if the operator is none.
pub(super) fn compare(op: BinaryOp, ordering: Ordering) -> Option<bool> {
    Some(match op {
        BinaryOp::Lt => ordering.is_lt(),
        BinaryOp::Le => ordering.is_le(),
        BinaryOp::Eq => ordering.is_eq(),
        BinaryOp::Ne => ordering.is_ne(),
        BinaryOp::Ge => ordering.is_ge(),
        BinaryOp::Gt => ordering.is_gt(),
        _ => return None,
    })
}

/// An operator on two integers.
pub(super) fn int(op: BinaryOp, left: i64, right: i64) -> Result<i64, EvalFaultKind> {
    let checked = match op {
        BinaryOp::Add => left.checked_add(right),
        BinaryOp::Sub => left.checked_sub(right),
        BinaryOp::Mul => left.checked_mul(right),
        BinaryOp::Div | BinaryOp::Mod if right == 0 => return Err(EvalFaultKind::DivisionByZero),
        BinaryOp::Div => left.checked_div(right),
        BinaryOp::Mod => left.checked_rem(right),
        BinaryOp::Min => Some(left.min(right)),
        BinaryOp::Max => Some(left.max(right)),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..64).contains(&right) => {
            return Err(EvalFaultKind::ShiftRange { places: right });
        }
        BinaryOp::ShiftLeft => {
            let shifted = left << right;
            (shifted >> right == left).then_some(shifted)
        }
        BinaryOp::ShiftRight => Some(left >> right),
        BinaryOp::BitAnd => Some(left & right),
        BinaryOp::BitOr => Some(left | right),
        BinaryOp::BitXor => Some(left ^ right),
        BinaryOp::And => Some(i64::from(left != 0 && right != 0)),
        BinaryOp::Or => Some(i64::from(left != 0 || right != 0)),
        BinaryOp::Imply => Some(i64::from(left == 0 || right != 0)),
        _ => compare(op, left.cmp(&right)).map(i64::from),
    };
    checked.ok_or(EvalFaultKind::Overflow)
}

/// An operator on two rationals that yields a rational.
pub(super) fn rational(
    op: BinaryOp,
    left: Rational,
    right: Rational,
) -> Result<Rational, EvalFaultKind> {
    let checked = match op {
        BinaryOp::Add => left.add(right),
        BinaryOp::Sub => left.sub(right),
        BinaryOp::Mul => left.mul(right),
        BinaryOp::Div if right.is_zero() => return Err(EvalFaultKind::DivisionByZero),
        BinaryOp::Div => left.div(right),
        BinaryOp::Min => Ok(left.min(right)),
        BinaryOp::Max => Ok(left.max(right)),
        // Validation admits no other operator of kind rational.
        _ => return Err(EvalFaultKind::Overflow),
    };
    checked.map_err(|_| EvalFaultKind::Overflow)
}
