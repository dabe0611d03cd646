//! Clocks: terms, linear comparisons between them, and resets.

use tioga_base::{Diagnostic, Rational, Span};
use tioga_model::{
    BinaryOp, ClockConstraint, ClockTerm, ClockUpdate, Expr as Code, ExprId, Kind, TimeBound, Type,
    UnaryOp,
};

use super::Lowering;
use super::condition::Formula;
use super::expression::{Denoted, Value};
use super::scope::{Access, Dimension, Meaning};
use crate::clike::Parsed;
use crate::syntax::{AssignOp, Expr, ExprKind};

/// A sum of clocks and numbers: `plus − minus + constant + data`.
#[derive(Clone, Debug, Default)]
struct Linear {
    plus: Vec<ClockTerm>,
    minus: Vec<ClockTerm>,
    constant: Option<Rational>,
    data: Option<ExprId>,
}

impl Lowering<'_> {
    /// Whether an expression mentions a clock that can be seen here.
    pub(super) fn mentions_clock(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => matches!(
                self.scopes.find(name).map(|symbol| &symbol.meaning),
                Some(Meaning::Clock(..))
            ),
            ExprKind::Field(record, field) => self.is_foreign_clock(record, &field.text),
            ExprKind::Index(array, index) => {
                self.mentions_clock(array) || self.mentions_clock(index)
            }
            ExprKind::Unary(_, operand) | ExprKind::Count(_, _, operand) => {
                self.mentions_clock(operand)
            }
            ExprKind::Binary(_, left, right) | ExprKind::Assign(_, left, right) => {
                self.mentions_clock(left) || self.mentions_clock(right)
            }
            ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().any(|e| self.mentions_clock(e)),
            ExprKind::Call(_, arguments) => arguments.iter().any(|e| self.mentions_clock(e)),
            ExprKind::Quantified(_, name, _, body) => {
                // A bound name that hides a clock is data.
                let hidden = matches!(&body.kind, ExprKind::Name(n) if *n == name.text);
                !hidden && self.mentions_clock(body)
            }
            _ => false,
        }
    }

    /// An element of an array of clocks.
    pub(super) fn index_clock(
        &mut self,
        clock: ClockTerm,
        dimension: Dimension,
        rest: &[Dimension],
        position: Value,
        span: Span,
    ) -> Parsed<ClockTerm> {
        let stride: u32 = rest.iter().map(|dimension| dimension.length).product();
        if let (None, Some(fixed)) =
            (clock.index, self.fixed_index(position.expr, dimension, span)?)
        {
            let clock = tioga_model::ClockId(clock.clock.0 + fixed * stride);
            return Ok(ClockTerm { clock, index: None });
        }
        if clock.index.is_some() || stride > 1 {
            let message = "only one index of an array of clocks may be computed";
            return self.fail(Diagnostic::unsupported("clock-index", span, message));
        }
        let offset = self.shifted(position.expr, -dimension.first, span)?;
        Ok(ClockTerm { clock: clock.clock, index: Some((offset, dimension.length)) })
    }

    /// The expression plus a constant.
    pub(super) fn shifted(&mut self, expr: ExprId, by: i64, span: Span) -> Parsed<ExprId> {
        if by == 0 {
            return Ok(expr);
        }
        let by = self.int(by, span);
        self.binary_code(BinaryOp::Add, expr, by, Kind::Int, span)
    }

    /// Lowers an expression that must denote one clock.
    fn clock(&mut self, expr: &Expr) -> Parsed<(ClockTerm, Access)> {
        match self.denoted(expr)? {
            Denoted::Clock(clock, dimensions, access) if dimensions.is_empty() => {
                Ok((clock, access))
            }
            Denoted::Clock(..) => {
                let message = "a single clock is needed here, not an array";
                self.fail(Diagnostic::error("wrong-type", expr.span, message))
            }
            _ => self.fail(Diagnostic::error("wrong-type", expr.span, "a clock is needed here")),
        }
    }

    /// Lowers a comparison in which clocks occur.
    pub(super) fn clock_comparison(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Parsed<Formula> {
        let mut difference = self.linear(left)?;
        let right = self.linear(right)?;
        self.add_linear(&mut difference, right, true, span)?;
        let (plus, minus) = self.two_clocks(&difference, span)?;
        let Linear { constant, data, .. } = difference;
        // plus − minus + constant + data  op  0
        let upper = self.bound(constant, data, true, span)?;
        let lower = self.bound(constant, data, false, span)?;
        let below = |strict| {
            Formula::Clock(ClockConstraint { left: plus, right: minus, strict, bound: upper })
        };
        let above = |strict| {
            Formula::Clock(ClockConstraint { left: minus, right: plus, strict, bound: lower })
        };
        Ok(match op {
            BinaryOp::Lt => below(true),
            BinaryOp::Le => below(false),
            BinaryOp::Ge => above(false),
            BinaryOp::Gt => above(true),
            BinaryOp::Eq => Formula::And(vec![below(false), above(false)]),
            _ => Formula::Or(vec![below(true), above(true)]),
        })
    }

    /// The clocks that are added and subtracted in a sum; at most one each.
    fn two_clocks(
        &mut self,
        sum: &Linear,
        span: Span,
    ) -> Parsed<(Option<ClockTerm>, Option<ClockTerm>)> {
        let (mut plus, mut minus) = (sum.plus.clone(), sum.minus.clone());
        plus.retain(|term| match minus.iter().position(|other| other == term) {
            Some(position) => {
                minus.remove(position);
                false
            }
            None => true,
        });
        if plus.len() > 1 || minus.len() > 1 {
            return self.fail(
                Diagnostic::error("not-a-clock-constraint", span, "too many clocks are compared")
                    .note("a clock constraint compares one clock, or the difference of two, with a number"),
            );
        }
        Ok((plus.first().copied(), minus.first().copied()))
    }

    /// Lowers a sum of clocks and numbers: the clock that is added, the one that is subtracted, and the
    /// number.
    pub(super) fn clock_sum(
        &mut self,
        expr: &Expr,
    ) -> Parsed<(Option<ClockTerm>, Option<ClockTerm>, TimeBound)> {
        let sum = self.linear(expr)?;
        let (plus, minus) = self.two_clocks(&sum, expr.span)?;
        Ok((plus, minus, self.bound(sum.constant, sum.data, false, expr.span)?))
    }

    /// The number `constant + data`, negated if asked, as a bound.
    fn bound(
        &mut self,
        constant: Option<Rational>,
        data: Option<ExprId>,
        negate: bool,
        span: Span,
    ) -> Parsed<TimeBound> {
        let constant = constant.unwrap_or(Rational::ZERO);
        let Some(data) = data else {
            let value = if negate { constant.neg() } else { Ok(constant) };
            return match value {
                Ok(value) => Ok(TimeBound::Constant(self.scaled(value, span)?)),
                Err(_) => self.too_large(span),
            };
        };
        let Some(offset) = constant.to_integer() else {
            return self.fail(
                Diagnostic::unsupported(
                    "clock-bound",
                    span,
                    "a clock bound mixes variables and fractions",
                )
                .help("choose a smaller time unit so that all bounds are integers"),
            );
        };
        let mut expr = self.shifted(data, offset, span)?;
        if negate {
            expr = self.network.code.push(Code::Unary(UnaryOp::Neg, expr), Kind::Int, span);
        }
        Ok(TimeBound::Expr(expr))
    }

    fn too_large<T>(&mut self, span: Span) -> Parsed<T> {
        self.fail(
            Diagnostic::error("number-too-large", span, "this clock constant is too large")
                .note("clock constants, in the finest unit of the model, are limited to 2^40"),
        )
    }

    /// A rational number of time units in units of `1 / scale`.
    fn scaled(&mut self, value: Rational, span: Span) -> Parsed<i64> {
        let denominator = value.denominator();
        if let Some(factor) = lcm(self.needed_scale, denominator).filter(|s| *s <= 1 << 30) {
            self.needed_scale = factor;
        } else {
            return self.fail(
                Diagnostic::error("number-too-large", span, "the fractions have no common unit")
                    .note("all clock constants must be multiples of one unit of at least 1/2^30"),
            );
        }
        let scale = self.network.scale;
        // A wrong value is replaced when lowering runs again in the needed scale.
        let scaled = value.numerator().checked_mul(scale).map(|n| n / denominator);
        match scaled {
            Some(value) if value.abs() <= 1 << 40 => Ok(value),
            _ => self.too_large(span),
        }
    }

    fn linear(&mut self, expr: &Expr) -> Parsed<Linear> {
        let span = expr.span;
        if !self.mentions_clock(expr) {
            let value = self.value(expr)?;
            return self.linear_value(value, span);
        }
        match &expr.kind {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let mut sum = self.linear(left)?;
                let right = self.linear(right)?;
                self.add_linear(&mut sum, right, *op == BinaryOp::Sub, span)?;
                Ok(sum)
            }
            ExprKind::Unary(UnaryOp::Neg, operand) => {
                let operand = self.linear(operand)?;
                let mut sum = Linear::default();
                self.add_linear(&mut sum, operand, true, span)?;
                Ok(sum)
            }
            ExprKind::Unary(UnaryOp::Plus, operand) => self.linear(operand),
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..) => {
                let (clock, _) = self.clock(expr)?;
                Ok(Linear { plus: vec![clock], ..Linear::default() })
            }
            _ => self.fail(
                Diagnostic::error("not-a-clock-constraint", span, "clocks cannot be used like this")
                    .note("a clock constraint compares one clock, or the difference of two, with a number"),
            ),
        }
    }

    fn linear_value(&mut self, value: Value, span: Span) -> Parsed<Linear> {
        let constant = match self.network.code.nodes[value.expr].expr {
            Code::Int(constant) => Some(Rational::integer(constant)),
            Code::Rational(constant) => Some(constant),
            _ => None,
        };
        match value.ty {
            _ if constant.is_some() => Ok(Linear { constant, ..Linear::default() }),
            Type::Rational => self.fail(
                Diagnostic::unsupported(
                    "clock-bound",
                    span,
                    "a clock is compared with a rational that varies",
                )
                .note("clock bounds are constants or integer expressions")
                .help("choose a smaller time unit so that all bounds are integers"),
            ),
            Type::Scalar { .. } => {
                let message = "a clock cannot be compared with a scalar";
                self.fail(Diagnostic::error("wrong-type", span, message))
            }
            _ => Ok(Linear { data: Some(value.expr), ..Linear::default() }),
        }
    }

    fn add_linear(
        &mut self,
        sum: &mut Linear,
        other: Linear,
        subtract: bool,
        span: Span,
    ) -> Parsed<()> {
        let (plus, minus) =
            if subtract { (other.minus, other.plus) } else { (other.plus, other.minus) };
        sum.plus.extend(plus);
        sum.minus.extend(minus);
        if let Some(constant) = other.constant {
            let old = sum.constant.unwrap_or(Rational::ZERO);
            let new = if subtract { old.sub(constant) } else { old.add(constant) };
            match new {
                Ok(new) => sum.constant = Some(new),
                Err(_) => return self.too_large(span),
            }
        }
        if let Some(data) = other.data {
            let op = if subtract { BinaryOp::Sub } else { BinaryOp::Add };
            let old = match sum.data {
                Some(old) => old,
                None => self.int(0, span),
            };
            sum.data = Some(self.binary_code(op, old, data, Kind::Int, span)?);
        }
        Ok(())
    }

    /// Lowers an assignment to a clock. It is one update for each value that the clock may be set to.
    pub(super) fn clock_assignment(
        &mut self,
        op: AssignOp,
        target: &Expr,
        value: &Expr,
        span: Span,
    ) -> Parsed<Vec<ClockUpdate>> {
        if op != AssignOp::Set {
            let message = "a clock is set with `=` only";
            return self.fail(Diagnostic::error("wrong-type", span, message));
        }
        let mut updates = Vec::new();
        if self.chooses_clock(value) {
            self.without_effects("a choice of what a clock is set to", |lowering| {
                lowering.chosen_updates(target, value, None, &mut updates)
            })?;
        } else {
            updates.push(self.clock_update(target, value, None)?);
        }
        Ok(updates)
    }

    fn chooses_clock(&self, value: &Expr) -> bool {
        matches!(value.kind, ExprKind::Conditional(..)) && self.mentions_clock(value)
    }

    /// Lowers `clock = condition ? value : other`. A clock that would be set to itself is not set.
    fn chosen_updates(
        &mut self,
        target: &Expr,
        value: &Expr,
        when: Option<ExprId>,
        updates: &mut Vec<ClockUpdate>,
    ) -> Parsed<()> {
        if let ExprKind::Conditional(condition, yes, no) = &value.kind
            && self.chooses_clock(value)
        {
            let span = condition.span;
            let holds = self.boolean(condition)?;
            let fails = self.not(holds, span);
            for (holds, value) in [(holds, yes), (fails, no)] {
                if self.network.code.constant(holds) != Some(0) {
                    let when = self.both(when, holds, span)?;
                    self.chosen_updates(target, value, when, updates)?;
                }
            }
            return Ok(());
        }
        if target.without_spans() != value.without_spans() {
            let update = self.clock_update(target, value, when)?;
            updates.push(update);
        }
        Ok(())
    }

    /// The condition that two conditions hold, the first of which may be missing; nothing if they always do.
    pub(super) fn both(
        &mut self,
        first: Option<ExprId>,
        second: ExprId,
        span: Span,
    ) -> Parsed<Option<ExprId>> {
        let both = match first {
            None => second,
            Some(first) => self.binary_code(BinaryOp::And, first, second, Kind::Bool, span)?,
        };
        Ok(self.network.code.constant(both).is_none_or(|known| known == 0).then_some(both))
    }

    /// Lowers `clock = value`, `clock = other + value`.
    fn clock_update(
        &mut self,
        target: &Expr,
        value: &Expr,
        when: Option<ExprId>,
    ) -> Parsed<ClockUpdate> {
        let (clock, mut access) = self.clock(target)?;
        if self.observer.is_some_and(|own| clock.clock.0 < own.clocks) {
            access = Access::Observed;
        }
        if let Some(reason) = access.refusal() {
            return self.fail(
                Diagnostic::error("not-assignable", target.span, "this clock cannot be set here")
                    .note(reason),
            );
        }
        let Linear { plus, minus, constant, data } = self.linear(value)?;
        if plus.len() > 1 || !minus.is_empty() {
            return self.fail(
                Diagnostic::error("wrong-type", value.span, "a clock cannot be set to this")
                    .note("a clock is set to a number, or to another clock plus a number"),
            );
        }
        if data.is_none() && constant.is_some_and(Rational::is_negative) {
            return self.fail(
                Diagnostic::error("negative-clock", value.span, "a clock cannot be negative")
                    .note("clocks measure elapsed time, from zero upwards"),
            );
        }
        let value = self.bound(constant, data, false, value.span)?;
        Ok(ClockUpdate { clock, source: plus.first().copied(), value, when })
    }
}

fn lcm(a: i64, b: i64) -> Option<i64> {
    let gcd = |mut a: i64, mut b: i64| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    (a / gcd(a, b)).checked_mul(b)
}
