//! Evaluation of [`Code`]: the meaning of expressions, statements and functions.
//!
//! An [`Evaluator`] reads and writes *slots*. The data of the state comes first, the stack of
//! frames after it: an address below the number of data slots is global, any other is on the stack.
//! That is what a parameter passed by reference stores. Constant arrays and records have addresses
//! of their own above all others. Truth values and integers take one slot,
//! rationals two (numerator, denominator).
//!
//! Integer division truncates and the remainder has the sign of the left side, as in C. Everything
//! is checked: what has no 64-bit result is an [`EvalFault`]. Loops and recursion are bounded by
//! [`STEP_LIMIT`], [`CALL_LIMIT`](crate::CALL_LIMIT) and [`NESTING_LIMIT`], so every evaluation ends.
//!
//! `Unary(Plus, e)` of kind `Rational` turns an integer `e` into a rational; so do assignments,
//! operators, conditionals and results of kind `Rational`. Arguments of calls are passed as they are.

mod calls;
mod expressions;
mod memory;
mod operators;
mod shortfall;
mod statements;

use tioga_base::{Rational, Span};

use crate::{
    Code, EvalFault, EvalFaultKind, ExprId, Kind, LocationId, NESTING_LIMIT, Range, STEP_LIMIT,
};

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

type Result<T> = std::result::Result<T, EvalFault>;

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
            return Err(self.fault(expr, EvalFaultKind::StepLimit));
        }
        if self.nesting > NESTING_LIMIT {
            return Err(self.fault(expr, EvalFaultKind::StackLimit));
        }
        Ok(())
    }

    fn tick(&mut self, span: Span) -> Result<()> {
        self.steps += 1;
        if self.steps > STEP_LIMIT {
            return Err(EvalFault::new(EvalFaultKind::StepLimit, span));
        }
        Ok(())
    }

    fn fault(&self, expr: ExprId, kind: EvalFaultKind) -> EvalFault {
        EvalFault::new(kind, self.code.nodes[expr].span)
    }

    fn is_rational(&self, expr: ExprId) -> bool {
        self.code.nodes[expr].kind == Kind::Rational
    }
}

/// Faults if the value lies outside the range.
pub(crate) fn check_range(value: i64, range: Option<Range>, span: Span) -> Result<()> {
    match range {
        Some(range) if value < range.min || value > range.max => {
            Err(EvalFault::new(EvalFaultKind::OutOfRange { value, range }, span))
        }
        _ => Ok(()),
    }
}
