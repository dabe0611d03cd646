//! Queries: their state predicates resolved and brought into disjunctive normal form.

use tioga_base::{Diagnostic, Diagnostics, Severity};
use tioga_model::{
    Condition, Formula, Measured, Objective, Predicate, Query, TimeBound, Type, UnaryOp,
};

use super::{Lowering, Observer};
use crate::clike::Parsed;
use crate::syntax::{self, Dialect, Document, Expr, ExprKind};

impl<'d> Lowering<'d> {
    /// Lowers all queries of the document. A foreign file whose query cannot be understood is still
    /// a model, so there a wrong query is only warned about and left out.
    pub(super) fn queries(&mut self) {
        let document: &'d Document = self.document;
        for query in document.queries() {
            let before = std::mem::take(&mut self.diagnostics);
            // Everything of the network is only looked at.
            self.observer = Some(Observer { clocks: u32::MAX, slots: u32::MAX });
            let sets = self.network.scalars.sets.clone();
            let formula = self.query(&query.formula);
            let symmetric = self.network.scalars.sets == sets;
            self.network.scalars.sets = sets;
            self.observer = None;
            let found = std::mem::replace(&mut self.diagnostics, before);
            self.report(&found);
            if let Ok(Some(formula)) = formula {
                let (comment, span) = (query.comment.clone(), query.span);
                self.network.queries.push(Query { formula, comment, span, symmetric });
            }
        }
    }

    fn report(&mut self, found: &Diagnostics) {
        for diagnostic in found {
            let mut diagnostic = diagnostic.clone();
            if self.document.dialect != Dialect::Tioga && diagnostic.severity == Severity::Error {
                diagnostic.severity = Severity::Warning;
                diagnostic.notes.push("the query is left out".to_owned());
            }
            self.diagnostics.push(diagnostic);
        }
    }

    /// The formula; none for those Tioga does not know, which were warned about when read.
    fn query(&mut self, formula: &syntax::Formula) -> Parsed<Option<Formula>> {
        use syntax::Formula as Written;
        Ok(Some(match formula {
            Written::Reachable(one) => Formula::Reachable(self.predicate(one, true)?),
            Written::Always(one) => Formula::Always { outside: self.predicate(one, false)? },
            Written::Inevitable(one) => Formula::Inevitable(self.predicate(one, true)?),
            Written::Possibly(one) => Formula::Possibly(self.predicate(one, true)?),
            Written::LeadsTo(first, then) => {
                Formula::LeadsTo(self.predicate(first, true)?, self.predicate(then, true)?)
            }
            Written::Control(objective) => Formula::Control(self.objective(objective)?),
            Written::Cooperative(objective) => Formula::Cooperative(self.objective(objective)?),
            Written::Extent(ends, inside, measured) => {
                let inside = match inside {
                    Some(inside) => self.predicate(inside, true)?,
                    None => Predicate::Holds(Condition::always()),
                };
                let measured =
                    measured.iter().map(|one| self.measured(one)).collect::<Parsed<_>>()?;
                Formula::Extent { ends: *ends, inside, measured }
            }
            Written::Other(_) => return Ok(None),
        }))
    }

    /// What `sup`, `inf` and `bounds` measure.
    fn measured(&mut self, expr: &Expr) -> Parsed<Measured> {
        self.without_effects("a query", |lowering| {
            if lowering.mentions_clock(expr) {
                let (left, right, offset) = lowering.clock_sum(expr)?;
                return Ok(match (left, right, offset) {
                    (None, None, TimeBound::Expr(data)) => Measured::Data(data),
                    _ => Measured::Time { left, right, offset },
                });
            }
            let value = lowering.value(expr)?;
            match value.ty {
                Type::Bool | Type::Int { .. } | Type::Integer => Ok(Measured::Data(value.expr)),
                other => {
                    let message = format!("clocks and integers are measured, not {other}");
                    lowering.fail(Diagnostic::error("wrong-type", expr.span, message))
                }
            }
        })
    }

    fn objective(&mut self, objective: &syntax::Objective) -> Parsed<Objective> {
        use syntax::Objective as Written;
        Ok(match objective {
            Written::Reach(one) => Objective::Reach(self.predicate(one, true)?),
            Written::Stay(one) => Objective::Stay(self.predicate(one, true)?),
            Written::Until(first, then) => {
                Objective::Until(self.predicate(first, true)?, self.predicate(then, true)?)
            }
            Written::WeakUntil(first, then) => {
                Objective::WeakUntil(self.predicate(first, true)?, self.predicate(then, true)?)
            }
        })
    }

    /// The states that satisfy an expression, or those that do not if not `positive`.
    fn predicate(&mut self, expr: &Expr, positive: bool) -> Parsed<Predicate> {
        match &expr.kind {
            ExprKind::Deadlock if positive => Ok(Predicate::Deadlock),
            ExprKind::Deadlock => Ok(Predicate::NoDeadlock),
            ExprKind::Unary(UnaryOp::Not, operand) => self.predicate(operand, !positive),
            _ if mentions_deadlock(expr) => {
                let mut condition = |value| {
                    let mut expr = expr.clone();
                    decide_deadlock(&mut expr, value);
                    self.condition_of(&expr, positive)
                };
                Ok(Predicate::Either { dead: condition(true)?, alive: condition(false)? })
            }
            _ => self.condition_of(expr, positive).map(Predicate::Holds),
        }
    }

    fn condition_of(&mut self, expr: &Expr, positive: bool) -> Parsed<Condition> {
        self.without_effects("a query", |lowering| {
            let formula = lowering.formula(expr, positive)?;
            lowering.normal_form(formula, expr.span)
        })
    }
}

/// Puts what is known about `deadlock` in its place.
fn decide_deadlock(expr: &mut Expr, value: bool) {
    match &mut expr.kind {
        ExprKind::Deadlock => expr.kind = ExprKind::Bool(value),
        ExprKind::Unary(_, one) | ExprKind::Quantified(_, _, _, one) => decide_deadlock(one, value),
        ExprKind::Binary(_, left, right) => {
            decide_deadlock(left, value);
            decide_deadlock(right, value);
        }
        ExprKind::Conditional(a, b, c) => {
            [a, b, c].into_iter().for_each(|one| decide_deadlock(one, value));
        }
        _ => {}
    }
}

fn mentions_deadlock(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Deadlock => true,
        ExprKind::Unary(_, one) | ExprKind::Quantified(_, _, _, one) => mentions_deadlock(one),
        ExprKind::Binary(_, left, right) => mentions_deadlock(left) || mentions_deadlock(right),
        ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().any(|e| mentions_deadlock(e)),
        _ => false,
    }
}
