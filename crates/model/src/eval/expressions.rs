//! Expressions: what each kind of node computes.

use tioga_base::{Id, Rational};

use super::{Evaluator, Result, Value, check_range, operators};
use crate::{
    Argument, BinaryOp, EvalFault, EvalFaultKind, Expr, ExprId, FunctionId, Lvalue, Quantifier,
    Range, UnaryOp,
};

impl Evaluator<'_> {
    // The two dispatchers only call: every arm's own work lies in another function, so that deep
    // expressions need little stack even where nothing is optimised.
    pub(super) fn int_node(&mut self, id: ExprId) -> Result<i64> {
        let code = self.code;
        match &code.nodes[id].expr {
            Expr::Int(value) => Ok(*value),
            Expr::Rational(value) => self.whole(id, *value),
            Expr::Load(place) => self.int_load(id, place),
            Expr::Unary(op, operand) => self.int_unary(id, *op, *operand),
            Expr::Binary(op, left, right) => self.int_binary(id, *op, *left, *right),
            Expr::Conditional(condition, yes, no) => {
                let chosen = self.choose(*condition, *yes, *no);
                self.int(chosen?)
            }
            Expr::Assign(place, value, range) => {
                self.int_store(id, place, *value, *range).map(|(_, value)| value)
            }
            Expr::Exchange(place, value, range) => {
                self.int_store(id, place, *value, *range).map(|(before, _)| before)
            }
            Expr::Call(function, arguments) => self.int_call(id, *function, arguments),
            Expr::Quantified(quantifier, slot, range, body) => {
                self.quantified(id, *quantifier, *slot, *range, *body)
            }
            Expr::Same(left, right, length) => self.same(id, left, right, *length),
            Expr::At(process, location) => {
                Ok(i64::from(self.locations.get(process.index()) == Some(location)))
            }
        }
    }

    pub(super) fn rational_node(&mut self, id: ExprId) -> Result<Rational> {
        let code = self.code;
        match &code.nodes[id].expr {
            Expr::Rational(value) => Ok(*value),
            Expr::Load(place) => self.rational_load(id, place),
            Expr::Unary(op, operand) => self.rational_unary(id, *op, *operand),
            Expr::Binary(op, left, right) => self.rational_binary(id, *op, *left, *right),
            Expr::Conditional(condition, yes, no) => {
                let chosen = self.choose(*condition, *yes, *no);
                self.rational(chosen?)
            }
            Expr::Assign(place, value, _) => {
                self.rational_store(id, place, *value).map(|(_, value)| value)
            }
            Expr::Exchange(place, value, _) => {
                self.rational_store(id, place, *value).map(|(before, _)| before)
            }
            Expr::Call(function, arguments) => {
                let result = self.call(*function, arguments, code.nodes[id].span);
                Ok(result?.map_or(Rational::ZERO, Value::rational))
            }
            Expr::Quantified(Quantifier::Sum, slot, range, body) => {
                self.rational_sum(id, *slot, *range, *body)
            }
            _ => self.int_node(id).map(Rational::integer),
        }
    }

    /// Which of two expressions a condition chooses.
    fn choose(&mut self, condition: ExprId, yes: ExprId, no: ExprId) -> Result<ExprId> {
        Ok(if self.truth(condition)? { yes } else { no })
    }

    /// A rational as the integer it must be.
    fn whole(&self, id: ExprId, value: Rational) -> Result<i64> {
        value.to_integer().ok_or_else(|| self.fault(id, EvalFaultKind::Overflow))
    }

    fn int_load(&mut self, id: ExprId, place: &Lvalue) -> Result<i64> {
        let span = self.code.nodes[id].span;
        let address = self.address(place, span)?;
        self.load(address, span)
    }

    fn rational_load(&mut self, id: ExprId, place: &Lvalue) -> Result<Rational> {
        let span = self.code.nodes[id].span;
        let address = self.address(place, span)?;
        self.load_rational(address, span)
    }

    fn int_unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId) -> Result<i64> {
        match op {
            UnaryOp::Plus => self.int(operand),
            UnaryOp::Not => self.truth(operand).map(|holds| i64::from(!holds)),
            UnaryOp::Neg => {
                let value = self.int(operand)?;
                value.checked_neg().ok_or_else(|| self.fault(id, EvalFaultKind::Overflow))
            }
        }
    }

    fn rational_unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId) -> Result<Rational> {
        let value = self.rational(operand)?;
        match op {
            UnaryOp::Neg => value.neg().map_err(|_| self.fault(id, EvalFaultKind::Overflow)),
            UnaryOp::Plus => Ok(value),
            UnaryOp::Not => Ok(Rational::integer(i64::from(value.is_zero()))),
        }
    }

    /// Stores a value; returns what was there before, and the value.
    fn int_store(
        &mut self,
        id: ExprId,
        place: &Lvalue,
        value: ExprId,
        range: Option<Range>,
    ) -> Result<(i64, i64)> {
        let span = self.code.nodes[id].span;
        let value = self.int(value)?;
        let address = self.address(place, span)?;
        let before = self.load(address, span)?;
        check_range(value, range, span)?;
        self.store(address, value, span)?;
        Ok((before, value))
    }

    fn rational_store(
        &mut self,
        id: ExprId,
        place: &Lvalue,
        value: ExprId,
    ) -> Result<(Rational, Rational)> {
        let span = self.code.nodes[id].span;
        let value = self.rational(value)?;
        let address = self.address(place, span)?;
        let before = self.load_rational(address, span)?;
        self.store_rational(address, value, span)?;
        Ok((before, value))
    }

    fn int_call(
        &mut self,
        id: ExprId,
        function: FunctionId,
        arguments: &[Argument],
    ) -> Result<i64> {
        match self.call(function, arguments, self.code.nodes[id].span)? {
            Some(Value::Int(value)) => Ok(value),
            Some(Value::Rational(value)) => self.whole(id, value),
            None => Ok(0),
        }
    }

    fn same(&mut self, id: ExprId, left: &Lvalue, right: &Lvalue, length: u32) -> Result<i64> {
        let span = self.code.nodes[id].span;
        let left = self.address(left, span)?;
        let right = self.address(right, span)?;
        for offset in 0..length as usize {
            self.tick(span)?;
            if self.load(left + offset, span)? != self.load(right + offset, span)? {
                return Ok(0);
            }
        }
        Ok(1)
    }

    fn rational_sum(
        &mut self,
        id: ExprId,
        slot: u32,
        range: Range,
        body: ExprId,
    ) -> Result<Rational> {
        let address = self.frame_address(slot);
        let mut sum = Rational::ZERO;
        for value in range.min..=range.max {
            self.store(address, value, self.code.nodes[id].span)?;
            let term = self.rational(body)?;
            sum = sum.add(term).map_err(|_| self.fault(id, EvalFaultKind::Overflow))?;
        }
        Ok(sum)
    }

    fn quantified(
        &mut self,
        id: ExprId,
        quantifier: Quantifier,
        slot: u32,
        range: Range,
        body: ExprId,
    ) -> Result<i64> {
        let span = self.code.nodes[id].span;
        let address = self.frame_address(slot);
        let mut sum = 0i64;
        for value in range.min..=range.max {
            self.store(address, value, span)?;
            match quantifier {
                Quantifier::Forall if !self.truth(body)? => return Ok(0),
                Quantifier::Exists if self.truth(body)? => return Ok(1),
                Quantifier::Forall | Quantifier::Exists => {}
                Quantifier::Sum => {
                    let term = self.int(body)?;
                    sum = sum
                        .checked_add(term)
                        .ok_or(EvalFault::new(EvalFaultKind::Overflow, span))?;
                }
            }
        }
        Ok(if quantifier == Quantifier::Forall { 1 } else { sum })
    }

    fn int_binary(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Result<i64> {
        let decided = match op {
            BinaryOp::And => Some(false),
            BinaryOp::Or | BinaryOp::Imply => Some(true),
            _ => None,
        };
        if let Some(decided) = decided {
            return self.connective(op, decided, left, right);
        }
        if self.is_rational(left) || self.is_rational(right) {
            return self.rational_comparison(id, op, left, right);
        }
        let (left, right) = (self.int(left)?, self.int(right)?);
        operators::int(op, left, right).map_err(|kind| self.fault(id, kind))
    }

    /// `And`, `Or` or `Imply`; `decided` is the value if the left side decides alone.
    fn connective(
        &mut self,
        op: BinaryOp,
        decided: bool,
        left: ExprId,
        right: ExprId,
    ) -> Result<i64> {
        let left = self.truth(left)? != (op == BinaryOp::Imply);
        if left == decided {
            return Ok(i64::from(decided));
        }
        self.truth(right).map(i64::from)
    }

    fn rational_comparison(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    ) -> Result<i64> {
        let (left, right) = (self.rational(left)?, self.rational(right)?);
        let holds = operators::compare(op, left.cmp(&right));
        holds.map(i64::from).ok_or_else(|| self.fault(id, EvalFaultKind::Overflow))
    }

    fn rational_binary(
        &mut self,
        id: ExprId,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
    ) -> Result<Rational> {
        let (left, right) = (self.rational(left)?, self.rational(right)?);
        operators::rational(op, left, right).map_err(|kind| self.fault(id, kind))
    }
}
