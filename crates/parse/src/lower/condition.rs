//! Conditions over clocks and data, in disjunctive normal form.

use tioga_base::{Diagnostic, Span};
use tioga_model::{
    BinaryOp, ClockConstraint, Condition, Conjunct, ExprId, Kind, Quantifier, UnaryOp,
};

use super::Lowering;
use crate::clike::Parsed;
use crate::syntax::{Expr, ExprKind};

/// How many disjuncts a condition may have.
const DISJUNCT_LIMIT: usize = 256;

/// A condition without negation in front of clock constraints.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    Data(ExprId),
    Clock(ClockConstraint),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Lowering<'_> {
    /// Lowers a guard, invariant or predicate. `place` names it, such as "a guard".
    pub(super) fn condition(
        &mut self,
        expr: Option<&Expr>,
        place: &'static str,
    ) -> Parsed<Condition> {
        let Some(expr) = expr else { return Ok(Condition::always()) };
        self.without_effects(place, |lowering| {
            let formula = lowering.formula(expr, true)?;
            lowering.normal_form(formula, expr.span)
        })
    }

    /// Lowers a condition, or its negation if not `positive`.
    pub(super) fn formula(&mut self, expr: &Expr, positive: bool) -> Parsed<Formula> {
        let span = expr.span;
        if !self.mentions_clock(expr) {
            let data = self.boolean(expr)?;
            return Ok(Formula::Data(if positive { data } else { self.not(data, span) }));
        }
        match &expr.kind {
            ExprKind::Unary(UnaryOp::Not, operand) => self.formula(operand, !positive),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let parts = vec![self.formula(left, positive)?, self.formula(right, positive)?];
                Ok(if (*op == BinaryOp::And) == positive {
                    Formula::And(parts)
                } else {
                    Formula::Or(parts)
                })
            }
            ExprKind::Binary(BinaryOp::Imply, left, right) => {
                let parts = vec![self.formula(left, !positive)?, self.formula(right, positive)?];
                Ok(if positive { Formula::Or(parts) } else { Formula::And(parts) })
            }
            ExprKind::Binary(op, left, right) if is_comparison(*op) => {
                let op = if positive { *op } else { opposite(*op) };
                self.clock_comparison(op, left, right, span)
            }
            ExprKind::Conditional(condition, yes, no) => {
                let yes = vec![self.formula(condition, true)?, self.formula(yes, positive)?];
                let no = vec![self.formula(condition, false)?, self.formula(no, positive)?];
                Ok(Formula::Or(vec![Formula::And(yes), Formula::And(no)]))
            }
            ExprKind::Quantified(quantifier, name, ty, body) if *quantifier != Quantifier::Sum => {
                let (ty, values) = self.finite_values(ty, "a quantifier")?;
                let parts = self
                    .expand(name, &ty, values, span, |lowering| lowering.formula(body, positive))?;
                Ok(if (*quantifier == Quantifier::Forall) == positive {
                    Formula::And(parts)
                } else {
                    Formula::Or(parts)
                })
            }
            _ => self.fail(
                Diagnostic::error("not-a-clock-constraint", span, "a clock is not a condition")
                    .note("compare the clock with a number, as in `x <= 5`"),
            ),
        }
    }

    pub(super) fn normal_form(&mut self, formula: Formula, span: Span) -> Parsed<Condition> {
        Ok(Condition { disjuncts: self.disjuncts(formula, span)? })
    }

    /// The alternatives of a formula; those that are false whatever the data are left out.
    fn disjuncts(&mut self, formula: Formula, span: Span) -> Parsed<Vec<Conjunct>> {
        let result = match formula {
            Formula::Data(data) => match self.network.code.constant(data) {
                Some(0) => Vec::new(),
                Some(_) => vec![Conjunct::default()],
                None => vec![Conjunct { data: Some(data), clocks: Vec::new() }],
            },
            Formula::Clock(constraint) => {
                vec![Conjunct { data: None, clocks: vec![constraint] }]
            }
            Formula::Or(parts) => {
                let mut disjuncts = Vec::new();
                for part in parts {
                    disjuncts.extend(self.disjuncts(part, span)?);
                    self.check_disjuncts(disjuncts.len(), span)?;
                }
                let always = Conjunct::default();
                if disjuncts.contains(&always) { vec![always] } else { disjuncts }
            }
            Formula::And(parts) => {
                let mut product = vec![Conjunct::default()];
                for part in parts {
                    let factors = self.disjuncts(part, span)?;
                    let mut next = Vec::new();
                    for left in &product {
                        for right in &factors {
                            next.push(self.conjunction(left, right, span)?);
                        }
                        self.check_disjuncts(next.len(), span)?;
                    }
                    product = next;
                }
                product
            }
        };
        Ok(result)
    }

    fn check_disjuncts(&mut self, count: usize, span: Span) -> Parsed<()> {
        if count > DISJUNCT_LIMIT {
            let message = format!("this condition has more than {DISJUNCT_LIMIT} alternatives");
            return self.fail(
                Diagnostic::error("too-complex", span, message)
                    .note("disjunctions over clocks are multiplied out when the model is loaded"),
            );
        }
        Ok(())
    }

    fn conjunction(&mut self, left: &Conjunct, right: &Conjunct, span: Span) -> Parsed<Conjunct> {
        let data = match (left.data, right.data) {
            (Some(a), Some(b)) => Some(self.binary_code(BinaryOp::And, a, b, Kind::Bool, span)?),
            (a, b) => a.or(b),
        };
        let mut clocks = left.clocks.clone();
        clocks.extend(right.clocks.iter().cloned());
        Ok(Conjunct { data, clocks })
    }

    /// The condition with a further data condition.
    pub(super) fn with_data(
        &mut self,
        condition: Condition,
        data: ExprId,
        span: Span,
    ) -> Parsed<Condition> {
        let extra = Conjunct { data: Some(data), clocks: Vec::new() };
        let mut disjuncts = Vec::new();
        for conjunct in &condition.disjuncts {
            disjuncts.push(self.conjunction(&extra, conjunct, span)?);
        }
        Ok(Condition { disjuncts })
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Lt | Le | Eq | Ne | Ge | Gt)
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Ge => BinaryOp::Lt,
        _ => BinaryOp::Le,
    }
}
