//! Expressions of transitions: chained comparisons, and values in the place of names.

use std::collections::{BTreeMap, BTreeSet};

use crate::syntax::{BinaryOp, Expr, ExprKind};

/// Whether an operator compares two numbers.
pub(super) fn compares(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Lt | Le | Ge | Gt | Eq | Ne)
}

/// `1 <= x <= 10` is a conjunction of two comparisons.
pub(super) fn conjunctions(mut expr: Expr) -> Expr {
    if let ExprKind::Binary(op, left, right) = expr.kind {
        let chained = matches!(&left.kind, ExprKind::Binary(inner, ..) if compares(*inner));
        let (left, right) = (conjunctions(*left), conjunctions(*right));
        if !(compares(op) && chained) {
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            return Expr::new(kind, expr.span);
        }
        let middle = last_operand(&left).clone();
        let span = middle.span.to(right.span);
        let second = ExprKind::Binary(op, Box::new(middle), Box::new(right));
        let second = Box::new(Expr::new(second, span));
        return Expr::new(ExprKind::Binary(BinaryOp::And, Box::new(left), second), expr.span);
    }
    for part in parts_mut(&mut expr) {
        let inner = std::mem::replace(part, Expr::new(ExprKind::Bool(true), part.span));
        *part = conjunctions(inner);
    }
    expr
}

/// The right side of the last comparison.
fn last_operand(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Binary(BinaryOp::And, _, last) => last_operand(last),
        ExprKind::Binary(_, _, right) => right,
        _ => expr,
    }
}

/// The expression with these values in the place of names.
pub(super) fn with_values(expr: &Expr, values: &BTreeMap<String, Expr>) -> Expr {
    let value = match &expr.kind {
        ExprKind::Name(name) => values.get(name),
        _ => None,
    };
    if let Some(value) = value {
        return Expr::new(value.kind.clone(), expr.span);
    }
    let mut expr = expr.clone();
    for part in parts_mut(&mut expr) {
        *part = with_values(part, values);
    }
    expr
}

/// How many operators and operands an expression has.
pub(super) fn size(expr: &Expr) -> usize {
    1 + parts(expr).into_iter().map(size).sum::<usize>()
}

/// The names in an expression.
pub(super) fn names(expr: &Expr, into: &mut BTreeSet<String>) {
    if let ExprKind::Name(name) = &expr.kind {
        into.insert(name.clone());
    }
    for part in parts(expr) {
        names(part, into);
    }
}

/// Calls back for every comparison in an expression, with the names on both sides.
pub(super) fn comparisons(expr: &Expr, found: &mut impl FnMut(BTreeSet<String>)) {
    if let ExprKind::Binary(op, ..) = &expr.kind
        && compares(*op)
    {
        let mut both = BTreeSet::new();
        names(expr, &mut both);
        found(both);
    }
    for part in parts(expr) {
        comparisons(part, found);
    }
}

/// Whether an expression has only parts that SPTG's examples use: numbers, truth values, names and operators.
pub(super) fn is_plain(expr: &Expr) -> bool {
    let plain = matches!(
        expr.kind,
        ExprKind::Int(_)
            | ExprKind::Rational(_)
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
    );
    plain && parts(expr).into_iter().all(is_plain)
}

fn parts(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Unary(_, one) => vec![one],
        ExprKind::Binary(_, left, right) | ExprKind::Assign(_, left, right) => vec![left, right],
        _ => Vec::new(),
    }
}

fn parts_mut(expr: &mut Expr) -> Vec<&mut Expr> {
    match &mut expr.kind {
        ExprKind::Unary(_, one) => vec![one],
        ExprKind::Binary(_, left, right) | ExprKind::Assign(_, left, right) => vec![left, right],
        _ => Vec::new(),
    }
}
