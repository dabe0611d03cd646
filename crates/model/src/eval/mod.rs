//! Evaluation of [`Code`]: the meaning of expressions, statements and functions.
//!
//! An [`Evaluator`] reads and writes *slots*. The data of the state comes first, the stack of
//! frames after it: an address below the number of data slots is global, any other is on the stack.
//! That is what a parameter passed by reference stores. Constant arrays and records have addresses
//! of their own above all others. Truth values and integers take one slot,
//! rationals two (numerator, denominator).
//!
//! Integer division truncates and the remainder has the sign of the left side, as in C. Everything
//! is checked: what has no 64-bit result is a [`Fault`]. Loops and recursion are bounded by
//! [`STEP_LIMIT`], [`CALL_LIMIT`] and [`NESTING_LIMIT`], so every evaluation ends.
//!
//! `Unary(Plus, e)` of kind `Rational` turns an integer `e` into a rational; so do assignments,
//! operators, conditionals and results of kind `Rational`. Arguments of calls are passed as they are.

mod memory;
mod operators;
mod statements;

use tioga_base::{Rational, Span};

use crate::{
    Argument, BinaryOp, Code, Expr, ExprId, Fault, FaultKind, FunctionId, Kind, LocationId,
    Quantifier, Range, UnaryOp,
};
use statements::Flow;

/// Steps one evaluation may take.
pub const STEP_LIMIT: u32 = 1_000_000;
/// How deeply calls may nest.
pub const CALL_LIMIT: u32 = 200;
/// How deeply expressions and statements may nest, calls included.
pub const NESTING_LIMIT: u32 = 1_000;

/// The stack of frames, kept between evaluations to spare allocations.
#[derive(Clone, Default, Debug)]
pub struct Stack {
    slots: Vec<i64>,
}

/// A single value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value or integer.
    Int(i64),
    /// A rational.
    Rational(Rational),
}

impl Value {
    /// The value as a rational.
    pub fn rational(self) -> Rational {
        match self {
            Self::Int(value) => Rational::integer(value),
            Self::Rational(value) => value,
        }
    }
}

/// The data of the state, writable in updates only.
enum Data<'a> {
    Read(&'a [i64]),
    Write(&'a mut [i64]),
}

impl Data<'_> {
    fn slots(&self) -> &[i64] {
        match self {
            Self::Read(slots) => slots,
            Self::Write(slots) => slots,
        }
    }
}

type Result<T> = std::result::Result<T, Fault>;

/// Evaluates expressions and statements over the data of one state.
pub struct Evaluator<'a> {
    code: &'a Code,
    locations: &'a [LocationId],
    data: Data<'a>,
    stack: &'a mut Vec<i64>,
    /// Where the current frame starts in the stack.
    frame: usize,
    steps: u32,
    nesting: u32,
    calls: u32,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that only reads the data. The top frame is empty.
    pub fn reading(
        code: &'a Code,
        locations: &'a [LocationId],
        data: &'a [i64],
        stack: &'a mut Stack,
    ) -> Self {
        Self::new(code, locations, Data::Read(data), stack)
    }

    /// An evaluator that may change the data. The top frame is empty.
    pub fn writing(
        code: &'a Code,
        locations: &'a [LocationId],
        data: &'a mut [i64],
        stack: &'a mut Stack,
    ) -> Self {
        Self::new(code, locations, Data::Write(data), stack)
    }

    fn new(
        code: &'a Code,
        locations: &'a [LocationId],
        data: Data<'a>,
        stack: &'a mut Stack,
    ) -> Self {
        let stack = &mut stack.slots;
        stack.clear();
        Self { code, locations, data, stack, frame: 0, steps: 0, nesting: 0, calls: 0 }
    }

    /// Replaces the top frame by these values, padded with zeros to `size` slots.
    pub fn set_frame(&mut self, values: &[i64], size: u32) {
        self.stack.clear();
        self.stack.extend_from_slice(values);
        self.stack.resize(values.len().max(size as usize), 0);
    }

    /// The truth value of an expression; any number but zero is true.
    pub fn holds(&mut self, expr: ExprId) -> Result<bool> {
        self.truth(expr)
    }

    /// The value of an expression, of the kind its node says.
    pub fn value(&mut self, expr: ExprId) -> Result<Value> {
        match self.code.nodes[expr].kind {
            Kind::Bool | Kind::Int => self.int(expr).map(Value::Int),
            Kind::Rational => self.rational(expr).map(Value::Rational),
        }
    }

    /// The value of an expression of kind `Bool` or `Int`.
    pub fn int(&mut self, expr: ExprId) -> Result<i64> {
        self.enter(expr)?;
        let value = self.int_node(expr)?;
        self.nesting -= 1;
        Ok(value)
    }

    /// The value of an expression of any kind as a rational.
    pub fn rational(&mut self, expr: ExprId) -> Result<Rational> {
        if self.code.nodes[expr].kind != Kind::Rational {
            return self.int(expr).map(Rational::integer);
        }
        self.enter(expr)?;
        let value = self.rational_node(expr)?;
        self.nesting -= 1;
        Ok(value)
    }

    fn int_node(&mut self, id: ExprId) -> Result<i64> {
        let code = self.code;
        let node = &code.nodes[id];
        match &node.expr {
            Expr::Int(value) => Ok(*value),
            Expr::Rational(value) => value.to_integer().ok_or(self.fault(id, FaultKind::Overflow)),
            Expr::Load(place) => {
                let address = self.address(place, node.span)?;
                self.load(address, node.span)
            }
            Expr::Unary(UnaryOp::Plus, operand) => self.int(*operand),
            Expr::Unary(UnaryOp::Not, operand) => Ok(i64::from(!self.truth(*operand)?)),
            Expr::Unary(UnaryOp::Neg, operand) => {
                self.int(*operand)?.checked_neg().ok_or(self.fault(id, FaultKind::Overflow))
            }
            Expr::Binary(op, left, right) => self.int_binary(id, *op, *left, *right),
            Expr::Conditional(condition, yes, no) => {
                if self.truth(*condition)? {
                    self.int(*yes)
                } else {
                    self.int(*no)
                }
            }
            Expr::Assign(place, value, range) => {
                let value = self.int(*value)?;
                let address = self.address(place, node.span)?;
                check_range(value, *range, node.span)?;
                self.store(address, value, node.span)?;
                Ok(value)
            }
            Expr::Exchange(place, value, range) => {
                let value = self.int(*value)?;
                let address = self.address(place, node.span)?;
                let before = self.load(address, node.span)?;
                check_range(value, *range, node.span)?;
                self.store(address, value, node.span)?;
                Ok(before)
            }
            Expr::Call(function, arguments) => match self.call(*function, arguments, node.span)? {
                Some(Value::Int(value)) => Ok(value),
                Some(Value::Rational(value)) => {
                    value.to_integer().ok_or(self.fault(id, FaultKind::Overflow))
                }
                None => Ok(0),
            },
            Expr::Quantified(quantifier, slot, range, body) => {
                self.quantified(id, *quantifier, *slot, *range, *body)
            }
            Expr::Same(left, right, length) => {
                let left = self.address(left, node.span)?;
                let right = self.address(right, node.span)?;
                for offset in 0..*length as usize {
                    self.tick(node.span)?;
                    if self.load(left + offset, node.span)?
                        != self.load(right + offset, node.span)?
                    {
                        return Ok(0);
                    }
                }
                Ok(1)
            }
            Expr::At(process, location) => {
                use tioga_base::Id;
                Ok(i64::from(self.locations.get(process.index()) == Some(location)))
            }
        }
    }

    fn rational_node(&mut self, id: ExprId) -> Result<Rational> {
        let code = self.code;
        let node = &code.nodes[id];
        match &node.expr {
            Expr::Rational(value) => Ok(*value),
            Expr::Load(place) => {
                let address = self.address(place, node.span)?;
                self.load_rational(address, node.span)
            }
            Expr::Unary(UnaryOp::Plus, operand) => self.rational(*operand),
            Expr::Unary(UnaryOp::Neg, operand) => {
                let value = self.rational(*operand)?;
                value.neg().map_err(|_| self.fault(id, FaultKind::Overflow))
            }
            Expr::Binary(op, left, right) => self.rational_binary(id, *op, *left, *right),
            Expr::Conditional(condition, yes, no) => {
                if self.truth(*condition)? {
                    self.rational(*yes)
                } else {
                    self.rational(*no)
                }
            }
            Expr::Assign(place, value, _) => {
                let value = self.rational(*value)?;
                let address = self.address(place, node.span)?;
                self.store_rational(address, value, node.span)?;
                Ok(value)
            }
            Expr::Exchange(place, value, _) => {
                let value = self.rational(*value)?;
                let address = self.address(place, node.span)?;
                let before = self.load_rational(address, node.span)?;
                self.store_rational(address, value, node.span)?;
                Ok(before)
            }
            Expr::Call(function, arguments) => {
                let result = self.call(*function, arguments, node.span)?;
                Ok(result.map_or(Rational::ZERO, Value::rational))
            }
            Expr::Quantified(Quantifier::Sum, slot, range, body) => {
                let address = self.frame_address(*slot);
                let mut sum = Rational::ZERO;
                for value in range.min..=range.max {
                    self.store(address, value, node.span)?;
                    let term = self.rational(*body)?;
                    sum = sum.add(term).map_err(|_| self.fault(id, FaultKind::Overflow))?;
                }
                Ok(sum)
            }
            _ => self.int_node(id).map(Rational::integer),
        }
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
                    sum = sum.checked_add(term).ok_or(Fault::new(FaultKind::Overflow, span))?;
                }
            }
        }
        Ok(if quantifier == Quantifier::Forall { 1 } else { sum })
    }

    /// Runs a function on arguments evaluated in the current frame.
    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        span: Span,
    ) -> Result<Option<Value>> {
        if self.calls >= CALL_LIMIT {
            return Err(Fault::new(FaultKind::StackLimit, span));
        }
        // The new frame grows on top of the stack while the arguments are evaluated in the old
        // one; calls inside arguments build and remove their frames above it.
        let frame = self.stack.len();
        for argument in arguments {
            self.push_argument(argument, span)?;
        }
        let code = self.code;
        let function = &code.functions[function];
        let size = (frame + function.frame as usize).max(self.stack.len());
        self.stack.resize(size, 0);
        let caller = std::mem::replace(&mut self.frame, frame);
        self.calls += 1;
        let flow = self.run_statement(&function.body, function)?;
        self.calls -= 1;
        self.frame = caller;
        self.stack.truncate(frame);
        match flow {
            Flow::Return(Some(Value::Int(value))) => {
                check_range(value, function.range, span)?;
                Ok(Some(Value::Int(value)))
            }
            Flow::Return(value) => Ok(value),
            Flow::Next => Ok(None),
        }
    }

    fn push_argument(&mut self, argument: &Argument, span: Span) -> Result<()> {
        match argument {
            Argument::Value(expr, range) => match self.value(*expr)? {
                Value::Int(value) => {
                    check_range(value, *range, self.code.nodes[*expr].span)?;
                    self.stack.push(value);
                }
                Value::Rational(value) => {
                    self.stack.extend([value.numerator(), value.denominator()]);
                }
            },
            Argument::Copy(place, length) => {
                let address = self.address(place, span)?;
                for offset in 0..*length as usize {
                    self.tick(span)?;
                    let value = self.load(address + offset, span)?;
                    self.stack.push(value);
                }
            }
            Argument::Reference(place) => {
                let address = self.address(place, span)?;
                self.stack.push(address as i64);
            }
        }
        Ok(())
    }

    fn truth(&mut self, expr: ExprId) -> Result<bool> {
        match self.code.nodes[expr].kind {
            Kind::Bool | Kind::Int => Ok(self.int(expr)? != 0),
            Kind::Rational => Ok(!self.rational(expr)?.is_zero()),
        }
    }

    /// Accounts for one step, one level deeper. Every level left again lowers `nesting`; after a
    /// fault the evaluator is not used further.
    fn enter(&mut self, expr: ExprId) -> Result<()> {
        self.steps += 1;
        self.nesting += 1;
        if self.steps > STEP_LIMIT {
            return Err(self.fault(expr, FaultKind::StepLimit));
        }
        if self.nesting > NESTING_LIMIT {
            return Err(self.fault(expr, FaultKind::StackLimit));
        }
        Ok(())
    }

    fn tick(&mut self, span: Span) -> Result<()> {
        self.steps += 1;
        if self.steps > STEP_LIMIT {
            return Err(Fault::new(FaultKind::StepLimit, span));
        }
        Ok(())
    }

    fn fault(&self, expr: ExprId, kind: FaultKind) -> Fault {
        Fault::new(kind, self.code.nodes[expr].span)
    }

    fn is_rational(&self, expr: ExprId) -> bool {
        self.code.nodes[expr].kind == Kind::Rational
    }

    fn int_binary(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Result<i64> {
        match op {
            BinaryOp::And => Ok(i64::from(self.truth(left)? && self.truth(right)?)),
            BinaryOp::Or => Ok(i64::from(self.truth(left)? || self.truth(right)?)),
            BinaryOp::Imply => Ok(i64::from(!self.truth(left)? || self.truth(right)?)),
            _ if self.is_rational(left) || self.is_rational(right) => {
                let (left, right) = (self.rational(left)?, self.rational(right)?);
                let holds = operators::compare(op, left.cmp(&right))
                    .ok_or(self.fault(id, FaultKind::Overflow))?;
                Ok(i64::from(holds))
            }
            _ => {
                let (left, right) = (self.int(left)?, self.int(right)?);
                operators::int(op, left, right).map_err(|kind| self.fault(id, kind))
            }
        }
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

/// Faults if the value lies outside the range.
pub(crate) fn check_range(value: i64, range: Option<Range>, span: Span) -> Result<()> {
    match range {
        Some(range) if value < range.min || value > range.max => {
            Err(Fault::new(FaultKind::OutOfRange { value, range }, span))
        }
        _ => Ok(()),
    }
}
