//! Small changes to guards and invariants: bounds, strictness and comparisons, of clocks and of data.

use tioga_base::Span;
use tioga_model::{
    BinaryOp, Condition, Conjunct, Expr, ExprId, Kind, Model, Node, TimeBound, UnaryOp,
};

use crate::comparison::{Comparison, comparisons};
use crate::draft::Draft;

/// What is changed in a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjustment {
    /// The bound is one larger.
    Plus,
    /// The bound is one smaller.
    Minus,
    /// It becomes strict, or is strict no longer.
    Strict,
    /// It becomes another comparison.
    Compare,
}

/// A changed condition with the new expressions it uses; nothing if no valuation satisfies it.
pub type Changed = Option<(Condition, Vec<Node>)>;

/// The condition with one comparison changed, for every comparison it has.
pub fn adjusted(model: &Model, condition: &Condition, adjustment: Adjustment) -> Vec<Changed> {
    let mut all = Vec::new();
    for (position, conjunct) in condition.disjuncts.iter().enumerate() {
        let mut put = |conjunct: Option<Conjunct>, draft: Draft<'_>| {
            all.push(conjunct.map(|conjunct| {
                let mut condition = condition.clone();
                condition.disjuncts[position] = conjunct;
                (condition, draft.nodes)
            }));
        };
        for one in comparisons(&conjunct.clocks) {
            for variant in 0..variants(adjustment, one.operator).len() {
                let mut draft = Draft::new(model);
                let Some(new) = clock_change(&mut draft, &one, adjustment, variant) else {
                    continue;
                };
                let possible = new.is_possible();
                let Some(constraints) = new.constraints() else { continue };
                let mut clocks = conjunct.clocks.clone();
                clocks.splice(one.at..one.at + one.count, constraints);
                let conjunct = Conjunct { data: conjunct.data, clocks };
                put(possible.then_some(conjunct), draft);
            }
        }
        let Some(data) = conjunct.data else { continue };
        let mut leaves = Vec::new();
        leaves_of(&Draft::new(model), data, &mut leaves);
        for leaf in leaves {
            for variant in 0..data_variants(&Draft::new(model), leaf, adjustment) {
                let mut draft = Draft::new(model);
                let Some(new) = data_change(&mut draft, leaf, adjustment, variant) else {
                    continue;
                };
                let data = Some(draft.replaced(data, leaf, new));
                put(Some(Conjunct { data, clocks: conjunct.clocks.clone() }), draft);
            }
        }
    }
    all
}

/// What an operator becomes.
fn variants(adjustment: Adjustment, operator: BinaryOp) -> &'static [BinaryOp] {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    match (adjustment, operator) {
        // The operator stays; there is one way to change the bound.
        (Adjustment::Plus | Adjustment::Minus, _) => &[Eq],
        (Adjustment::Strict, Lt) => &[Le],
        (Adjustment::Strict, Le) => &[Lt],
        (Adjustment::Strict, Ge) => &[Gt],
        (Adjustment::Strict, Gt) => &[Ge],
        (Adjustment::Strict, _) => &[],
        (Adjustment::Compare, Lt) => &[Gt, Eq],
        (Adjustment::Compare, Le) => &[Ge, Eq],
        (Adjustment::Compare, Ge) => &[Le, Eq],
        (Adjustment::Compare, Gt) => &[Lt, Eq],
        (Adjustment::Compare, Eq) => &[Le, Ge],
        (Adjustment::Compare, Ne) => &[Eq],
        (Adjustment::Compare, _) => &[],
    }
}

fn clock_change(
    draft: &mut Draft<'_>,
    one: &Comparison,
    adjustment: Adjustment,
    variant: usize,
) -> Option<Comparison> {
    let by = match adjustment {
        Adjustment::Plus => 1,
        Adjustment::Minus => -1,
        Adjustment::Strict | Adjustment::Compare => {
            let operator = *variants(adjustment, one.operator).get(variant)?;
            return turned(draft, one, operator);
        }
    };
    let bound = match one.bound {
        // One unit as it is written, whatever fractions the model has.
        TimeBound::Constant(value) => {
            TimeBound::Constant(value.checked_add(draft.scale().checked_mul(by)?)?)
        }
        TimeBound::Expr(expr) => {
            TimeBound::Expr(draft.plus(expr, if one.negated { -by } else { by })?)
        }
    };
    let new = Comparison { bound, ..one.clone() };
    // What always holds and still does is no change.
    if new.is_idle() && one.is_idle() { None } else { Some(new) }
}

/// The comparison with another operator; a computed bound is negated where the side changes.
fn turned(draft: &mut Draft<'_>, one: &Comparison, operator: BinaryOp) -> Option<Comparison> {
    let mut new = Comparison { operator, ..one.clone() };
    let lower = matches!(operator, BinaryOp::Ge | BinaryOp::Gt);
    if let TimeBound::Expr(expr) = one.bound
        && one.right.is_none()
        && lower != one.negated
    {
        let negated = match draft.node(expr).expr {
            Expr::Unary(UnaryOp::Neg, inner) => inner,
            _ => draft.push(Expr::Unary(UnaryOp::Neg, expr), Kind::Int, Span::default()),
        };
        new.bound = TimeBound::Expr(negated);
        new.negated = lower;
    }
    Some(new)
}

/// The truth values a data condition is made of with `&&` and `||`.
fn leaves_of(draft: &Draft<'_>, expr: ExprId, leaves: &mut Vec<ExprId>) {
    match draft.node(expr).expr {
        Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            leaves_of(draft, left, leaves);
            leaves_of(draft, right, leaves);
        }
        // A folded constant was not written as a condition.
        Expr::Int(_) => {}
        _ => leaves.push(expr),
    }
}

/// The operator and the sides of a leaf that compares integers.
fn integers(draft: &Draft<'_>, leaf: ExprId) -> Option<(BinaryOp, ExprId, ExprId)> {
    let Expr::Binary(op, left, right) = draft.node(leaf).expr else { return None };
    let compares = matches!(
        op,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Ge | BinaryOp::Gt
    );
    let integer = |side: ExprId| draft.node(side).kind == Kind::Int;
    (compares && integer(left) && integer(right)).then_some((op, left, right))
}

fn data_variants(draft: &Draft<'_>, leaf: ExprId, adjustment: Adjustment) -> usize {
    match integers(draft, leaf) {
        Some((op, ..)) => variants(adjustment, op).len(),
        // Any other truth value can only be negated.
        None => usize::from(adjustment == Adjustment::Compare),
    }
}

fn data_change(
    draft: &mut Draft<'_>,
    leaf: ExprId,
    adjustment: Adjustment,
    variant: usize,
) -> Option<ExprId> {
    let Some((op, left, right)) = integers(draft, leaf) else { return Some(draft.not(leaf)) };
    let by = match adjustment {
        Adjustment::Plus => 1,
        Adjustment::Minus => -1,
        Adjustment::Strict | Adjustment::Compare => {
            let op = *variants(adjustment, op).get(variant)?;
            return Some(draft.push(Expr::Binary(op, left, right), Kind::Bool, Span::default()));
        }
    };
    let right = draft.plus(right, by)?;
    Some(draft.push(Expr::Binary(op, left, right), Kind::Bool, Span::default()))
}
