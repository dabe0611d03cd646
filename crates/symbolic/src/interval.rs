//! The least and greatest value an integer expression may have, from the ranges of variables.

use tioga_model::{Base, BinaryOp, Expr, ExprId, Kind, Model, UnaryOp};

/// Both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    pub min: i64,
    pub max: i64,
}

/// The range of an expression; `None` if it is not known to be bounded.
pub fn range(model: &Model, expr: ExprId) -> Option<Range> {
    let node = model.code.nodes.get(expr)?;
    if node.kind == Kind::Bool {
        return Some(Range { min: 0, max: 1 });
    }
    match &node.expr {
        Expr::Int(value) => Some(Range { min: *value, max: *value }),
        Expr::Load(place) => {
            let slots = match place.base {
                Base::Global => &model.slots[..],
                Base::Constant => return constant_range(model, place.offset, &place.indices),
                Base::Frame | Base::Reference(_) => return None,
            };
            reached(place.offset, &place.indices).try_fold(None, |all: Option<Range>, slot| {
                let range = slots.get(slot)?.range?;
                Some(Some(join(all, range.min, range.max)))
            })?
        }
        Expr::Unary(UnaryOp::Neg, operand) => {
            let operand = range(model, *operand)?;
            Some(Range { min: operand.max.checked_neg()?, max: operand.min.checked_neg()? })
        }
        Expr::Unary(UnaryOp::Plus, operand) => range(model, *operand),
        Expr::Binary(op, left, right) => combine(*op, range(model, *left)?, range(model, *right)?),
        Expr::Conditional(_, yes, no) => {
            let (yes, no) = (range(model, *yes)?, range(model, *no)?);
            Some(join(Some(yes), no.min, no.max))
        }
        Expr::Call(function, _) => {
            let range = model.code.functions.get(*function)?.range?;
            Some(Range { min: range.min, max: range.max })
        }
        _ => None,
    }
}

fn join(all: Option<Range>, min: i64, max: i64) -> Range {
    let all = all.unwrap_or(Range { min, max });
    Range { min: all.min.min(min), max: all.max.max(max) }
}

/// The slots a place may reach.
fn reached(offset: u32, indices: &[tioga_model::Dynamic]) -> impl Iterator<Item = usize> {
    let mut slots = vec![offset as usize];
    for dynamic in indices {
        let mut next = Vec::with_capacity(slots.len() * dynamic.length as usize);
        for slot in &slots {
            for element in 0..dynamic.length as usize {
                next.push(slot + element * dynamic.stride as usize);
            }
        }
        slots = next;
    }
    slots.into_iter()
}

fn constant_range(model: &Model, offset: u32, indices: &[tioga_model::Dynamic]) -> Option<Range> {
    reached(offset, indices).try_fold(None, |all: Option<Range>, slot| {
        let value = *model.code.constants.get(slot)?;
        Some(Some(join(all, value, value)))
    })?
}

fn combine(op: BinaryOp, left: Range, right: Range) -> Option<Range> {
    let corners = |apply: fn(i64, i64) -> Option<i64>| {
        let mut all = None;
        for a in [left.min, left.max] {
            for b in [right.min, right.max] {
                let value = apply(a, b)?;
                all = Some(join(all, value, value));
            }
        }
        all
    };
    match op {
        BinaryOp::Add => corners(i64::checked_add),
        BinaryOp::Sub => corners(i64::checked_sub),
        BinaryOp::Mul => corners(i64::checked_mul),
        BinaryOp::Min => corners(|a, b| Some(a.min(b))),
        BinaryOp::Max => corners(|a, b| Some(a.max(b))),
        // A quotient is never farther from zero than the dividend.
        BinaryOp::Div => {
            let most = left.min.checked_abs()?.max(left.max.checked_abs()?);
            Some(Range { min: most.checked_neg()?, max: most })
        }
        BinaryOp::Mod => {
            let most = right.min.checked_abs()?.max(right.max.checked_abs()?);
            Some(Range { min: if left.min < 0 { most.checked_neg()? } else { 0 }, max: most })
        }
        _ => None,
    }
}
