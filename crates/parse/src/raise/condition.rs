//! Conditions over clocks and data, and updates.

use tioga_base::Rational;
use tioga_model::{
    BinaryOp, ClockConstraint, ClockTerm, ClockUpdate, Condition, Conjunct, Expr as Code, ExprId,
    Statement, TimeBound, UnaryOp, Update,
};

use super::refused::{Raised, Refused};
use super::tree::{assign, binary, int, joined, negative, rational, tree, truth};
use super::view::View;
use crate::syntax::{CountPosition, Expr, ExprKind};

/// A sum: what is added, what is subtracted, and a number.
struct Sum {
    terms: Vec<(BinaryOp, ExprId)>,
    constant: i64,
}

impl View<'_> {
    /// A guard or invariant; nothing if it always holds.
    pub fn condition(&mut self, condition: &Condition) -> Raised<Option<Expr>> {
        if plainly_always(condition) { Ok(None) } else { self.predicate(condition).map(Some) }
    }

    /// A condition.
    pub fn predicate(&mut self, condition: &Condition) -> Raised<Expr> {
        if plainly_always(condition) {
            return Ok(truth(true));
        }
        let mut alternatives = Vec::new();
        for conjunct in &condition.disjuncts {
            if conjunct.clocks.iter().all(|one| plainly(one) != Some(false)) {
                alternatives.push(self.conjunct(conjunct)?);
            }
        }
        Ok(joined(BinaryOp::Or, alternatives).unwrap_or_else(|| truth(false)))
    }

    fn conjunct(&mut self, conjunct: &Conjunct) -> Raised<Expr> {
        let mut parts = self.comparisons(&conjunct.clocks)?;
        if let Some(data) = conjunct.data {
            if parts.is_empty() {
                return self.value(data);
            }
            for part in self.conjuncts(data) {
                parts.push(self.value(part)?);
            }
        }
        Ok(joined(BinaryOp::And, parts).unwrap_or_else(|| truth(true)))
    }

    /// The parts of a conjunction of data conditions, in order.
    pub fn conjuncts(&self, data: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        let mut open = vec![data];
        while let Some(next) = open.pop() {
            match self.network.code.nodes[next].expr {
                Code::Binary(BinaryOp::And, left, right) => open.extend([right, left]),
                _ => parts.push(next),
            }
        }
        parts
    }

    /// Clock constraints; two that meet are an equality.
    fn comparisons(&mut self, constraints: &[ClockConstraint]) -> Raised<Vec<Expr>> {
        let mut written = Vec::new();
        let mut rest = constraints;
        while let Some((one, after)) = rest.split_first() {
            rest = after;
            if plainly(one) == Some(true) {
                continue;
            }
            let mut operator = if one.strict { BinaryOp::Lt } else { BinaryOp::Le };
            let mut upper = one;
            if let Some((next, after)) = rest.split_first()
                && let Some(first) = self.meet(one, next)
            {
                (operator, upper, rest) = (BinaryOp::Eq, first, after);
            }
            written.push(self.comparison(upper, operator)?);
        }
        Ok(written)
    }

    /// The upper half if two constraints are the halves of an equality.
    fn meet<'c>(
        &self,
        one: &'c ClockConstraint,
        next: &'c ClockConstraint,
    ) -> Option<&'c ClockConstraint> {
        let halves = (one.left, one.right) == (next.right, next.left);
        if !halves || one.strict || next.strict {
            return None;
        }
        let negated = |bound: ExprId, other: ExprId| {
            matches!(self.network.code.nodes[bound].expr,
                Code::Unary(UnaryOp::Neg, inner) if inner == other)
        };
        match (one.bound, next.bound) {
            (TimeBound::Constant(low), TimeBound::Constant(high))
                if low.checked_neg() == Some(high) =>
            {
                Some(if one.left.is_some() { one } else { next })
            }
            (TimeBound::Expr(upper), TimeBound::Expr(lower)) if negated(upper, lower) => Some(one),
            (TimeBound::Expr(lower), TimeBound::Expr(upper)) if negated(upper, lower) => Some(next),
            _ => None,
        }
    }

    /// `left − right` compared with the bound.
    fn comparison(&mut self, one: &ClockConstraint, operator: BinaryOp) -> Raised<Expr> {
        let ClockConstraint { left, right, bound, .. } = *one;
        let bound = match bound {
            TimeBound::Expr(bound) => bound,
            TimeBound::Constant(value) => {
                return match (left, right) {
                    (None, Some(_)) => {
                        let value = value.checked_neg().ok_or_else(too_large)?;
                        let bound = self.time(value)?;
                        Ok(binary(opposite(operator), self.difference(right, None)?, bound))
                    }
                    _ => {
                        let bound = self.time(value)?;
                        Ok(binary(operator, self.difference(left, right)?, bound))
                    }
                };
            }
        };
        // An upper bound is lowered to −(sum), where the difference plus the sum is at most zero; a
        // lower bound to the sum itself, where the opposite difference plus the sum is at least zero.
        let code = &self.network.code;
        let (sum, upper) = match code.nodes[bound].expr {
            Code::Unary(UnaryOp::Neg, inner) => (self.sum(inner), true),
            _ => (self.sum(bound), false),
        };
        if let Some(sum) = sum {
            let (left, right, operator) =
                if upper { (left, right, operator) } else { (right, left, opposite(operator)) };
            return self.compared(left, right, operator, &sum);
        }
        match (left, right) {
            (None, Some(_)) => {
                let bound = match code.nodes[bound].expr {
                    Code::Unary(UnaryOp::Neg, inner) => self.value(inner)?,
                    _ => negative(self.value(bound)?),
                };
                Ok(binary(opposite(operator), self.difference(right, None)?, bound))
            }
            _ => {
                let side = self.difference(left, right)?;
                Ok(binary(operator, side, self.value(bound)?))
            }
        }
    }

    /// `left − right + sum` compared with zero, with the sum on the other side if it is plain.
    fn compared(
        &mut self,
        left: Option<ClockTerm>,
        right: Option<ClockTerm>,
        operator: BinaryOp,
        sum: &Sum,
    ) -> Raised<Expr> {
        let mut side = self.difference(left, right)?;
        if let [(BinaryOp::Sub, term)] = sum.terms[..]
            && sum.constant == 0
        {
            return Ok(binary(operator, side, self.without_zero(term)?));
        }
        for (sign, term) in &sum.terms {
            side = binary(*sign, side, self.value(*term)?);
        }
        let rest = sum.constant.checked_neg().ok_or_else(too_large)?;
        Ok(binary(operator, side, int(rest)))
    }

    /// A sum without the zero that lowering begins it with.
    fn without_zero(&mut self, expr: ExprId) -> Raised<Expr> {
        let Some(Sum { terms, constant }) = self.sum(expr) else { return self.value(expr) };
        let [(BinaryOp::Add, first), ref rest @ ..] = terms[..] else { return self.value(expr) };
        let mut written = self.value(first)?;
        for (sign, term) in rest {
            written = binary(*sign, written, self.value(*term)?);
        }
        Ok(if constant == 0 { written } else { shifted(written, constant) })
    }

    /// The sum that lowering made of data in a comparison or update of clocks: it begins with 0.
    fn sum(&self, expr: ExprId) -> Option<Sum> {
        let code = &self.network.code;
        let (mut at, mut constant) = (expr, 0);
        if let Code::Binary(BinaryOp::Add, inner, shift) = code.nodes[at].expr
            && let Some(shift) = code.constant(shift)
        {
            (at, constant) = (inner, shift);
        }
        let mut terms = Vec::new();
        while let Code::Binary(sign @ (BinaryOp::Add | BinaryOp::Sub), inner, term) =
            code.nodes[at].expr
        {
            terms.push((sign, term));
            at = inner;
        }
        terms.reverse();
        (code.constant(at) == Some(0) && !terms.is_empty()).then_some(Sum { terms, constant })
    }

    fn difference(&mut self, left: Option<ClockTerm>, right: Option<ClockTerm>) -> Raised<Expr> {
        match (left, right) {
            (Some(left), None) => self.clock(left.clock, left.index),
            (Some(left), Some(right)) => {
                let left = self.clock(left.clock, left.index)?;
                Ok(binary(BinaryOp::Sub, left, self.clock(right.clock, right.index)?))
            }
            (None, Some(right)) => {
                Ok(binary(BinaryOp::Sub, int(0), self.clock(right.clock, right.index)?))
            }
            // A clock that is subtracted from itself: without one this would be data.
            (None, None) => match self.some_clock() {
                Some(clock) => Ok(binary(BinaryOp::Sub, clock.clone(), clock)),
                None => Ok(int(0)),
            },
        }
    }

    /// A sum of clocks and a number.
    pub fn clock_sum(
        &mut self,
        left: Option<ClockTerm>,
        right: Option<ClockTerm>,
        offset: TimeBound,
    ) -> Raised<Expr> {
        let side = self.difference(left, right)?;
        Ok(match offset {
            TimeBound::Constant(0) => side,
            TimeBound::Constant(value) => binary(BinaryOp::Add, side, self.time(value)?),
            TimeBound::Expr(value) => binary(BinaryOp::Add, side, self.without_zero(value)?),
        })
    }

    /// An amount of time as it is written.
    pub fn time(&self, value: i64) -> Raised<Expr> {
        Rational::new(value, self.network.scale).map(rational).map_err(|_| too_large())
    }

    /// The steps of an update.
    pub fn updates(&mut self, updates: &[Update]) -> Raised<Vec<Expr>> {
        let mut written = Vec::new();
        for update in updates {
            match update {
                Update::Clock(update) => written.push(self.reset(update)?),
                Update::Data(statement) => self.effects(statement, &mut written)?,
            }
        }
        Ok(written)
    }

    fn reset(&mut self, update: &ClockUpdate) -> Raised<Expr> {
        let clock = self.clock(update.clock.clock, update.clock.index)?;
        let value = match (update.source, update.value) {
            (None, TimeBound::Constant(value)) => self.time(value)?,
            (None, TimeBound::Expr(value)) => self.value(value)?,
            (Some(source), value) => {
                let mut sum = self.clock(source.clock, source.index)?;
                match value {
                    TimeBound::Constant(0) => {}
                    TimeBound::Constant(value) => {
                        sum = binary(BinaryOp::Add, sum, self.time(value)?)
                    }
                    TimeBound::Expr(value) => match self.sum(value) {
                        Some(Sum { terms, constant }) => {
                            for (sign, term) in terms {
                                sum = binary(sign, sum, self.value(term)?);
                            }
                            if constant != 0 {
                                sum = shifted(sum, constant);
                            }
                        }
                        None => sum = binary(BinaryOp::Add, sum, self.value(value)?),
                    },
                }
                sum
            }
        };
        let Some(when) = update.when else { return Ok(assign(clock, value)) };
        // A clock that is set to itself is not set, and one that this says of itself is set from itself.
        let value = if value == clock { binary(BinaryOp::Add, value, int(0)) } else { value };
        let chosen = [self.value(when)?, value, clock.clone()].map(Box::new);
        let [when, value, otherwise] = chosen;
        Ok(assign(clock, tree(ExprKind::Conditional(when, value, otherwise))))
    }

    /// Statements that an edge can have, as expressions.
    fn effects(&mut self, statement: &Statement, written: &mut Vec<Expr>) -> Raised<()> {
        match statement {
            Statement::Block(statements) => {
                for statement in statements {
                    self.effects(statement, written)?;
                }
            }
            Statement::Expr(_) | Statement::Copy { .. } => written.push(self.effect(statement)?),
            _ => {
                let message = "an edge has a loop, a choice or a `return` outside of a function";
                return Err(Refused::new(message));
            }
        }
        Ok(())
    }

    /// A statement that is an expression.
    pub fn effect(&mut self, statement: &Statement) -> Raised<Expr> {
        match statement {
            Statement::Copy { target, source, ranges } => {
                let slots = u32::try_from(ranges.len()).unwrap_or(u32::MAX);
                let (target, source) = self.alike(target, source, slots)?;
                Ok(assign(target, source))
            }
            Statement::Expr(expr) => match &self.network.code.nodes[*expr].expr {
                // Nothing reads the old value.
                Code::Exchange(place, value, _) => match self.step(place, *value) {
                    Some(step) => {
                        let target = Box::new(self.load(place)?);
                        Ok(tree(ExprKind::Count(step, CountPosition::After, target)))
                    }
                    None => self.assignment(place, *value),
                },
                _ => self.value(*expr),
            },
            _ => Err(Refused::new("a statement stands where an expression has to")),
        }
    }
}

/// Whether a constraint without clocks holds.
fn plainly(one: &ClockConstraint) -> Option<bool> {
    match (one.left, one.right, one.bound) {
        (None, None, TimeBound::Constant(bound)) => Some(bound > 0 || (bound == 0 && !one.strict)),
        _ => None,
    }
}

/// Whether some alternative says nothing.
fn plainly_always(condition: &Condition) -> bool {
    condition.disjuncts.iter().any(|conjunct| {
        let mut clocks = conjunct.clocks.iter();
        conjunct.data.is_none() && clocks.all(|one| plainly(one) == Some(true))
    })
}

/// The operator with its sides swapped.
fn opposite(operator: BinaryOp) -> BinaryOp {
    match operator {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        other => other,
    }
}

/// A sum with a number added, or subtracted if it is negative.
fn shifted(sum: Expr, by: i64) -> Expr {
    match by.checked_neg() {
        Some(less) if less > 0 => binary(BinaryOp::Sub, sum, int(less)),
        _ => binary(BinaryOp::Add, sum, int(by)),
    }
}

fn too_large() -> Refused {
    Refused::new("a constant is too large")
}
