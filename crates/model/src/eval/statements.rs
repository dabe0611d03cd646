//! Statements: what they change, and how a function is left.

use tioga_base::Span;

use super::{Evaluator, Result, Value, check_range};
use crate::{EvalFault, EvalFaultKind, Function, Kind, Lvalue, NESTING_LIMIT, Range, Statement};

/// What happens after a statement.
pub(super) enum Flow {
    /// The next statement runs.
    Next,
    /// The function is left with this result.
    Return(Option<Value>),
}

/// The function a statement belongs to: the kind of its result and where it was written.
struct Around {
    result: Option<Kind>,
    span: Span,
}

impl Evaluator<'_> {
    /// Runs a statement of an update. `span` is where the update was written.
    pub fn run(&mut self, statement: &Statement, span: Span) -> Result<()> {
        self.statement(statement, &Around { result: None, span }).map(|_| ())
    }

    pub(super) fn run_statement(
        &mut self,
        statement: &Statement,
        function: &Function,
    ) -> Result<Flow> {
        self.statement(statement, &Around { result: function.result, span: function.span })
    }

    fn statement(&mut self, statement: &Statement, around: &Around) -> Result<Flow> {
        self.tick(around.span)?;
        self.nesting += 1;
        if self.nesting > NESTING_LIMIT {
            return Err(EvalFault::new(EvalFaultKind::StackLimit, around.span));
        }
        let flow = self.statement_inner(statement, around)?;
        self.nesting -= 1;
        Ok(flow)
    }

    fn statement_inner(&mut self, statement: &Statement, around: &Around) -> Result<Flow> {
        match statement {
            Statement::Expr(expr) => {
                self.value(*expr)?;
            }
            Statement::Copy { target, source, ranges } => {
                self.copy(target, source, ranges, around.span)?;
            }
            Statement::Block(statements) => {
                for statement in statements {
                    if let Flow::Return(value) = self.statement(statement, around)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::If(condition, yes, no) => {
                if self.truth(*condition)? {
                    return self.statement(yes, around);
                } else if let Some(no) = no {
                    return self.statement(no, around);
                }
            }
            Statement::While(condition, body) => {
                while self.truth(*condition)? {
                    if let Flow::Return(value) = self.statement(body, around)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::DoWhile(body, condition) => loop {
                if let Flow::Return(value) = self.statement(body, around)? {
                    return Ok(Flow::Return(value));
                }
                if !self.truth(*condition)? {
                    break;
                }
            },
            Statement::ForEach(slot, range, body) => {
                let address = self.frame_address(*slot);
                for value in range.min..=range.max {
                    self.store(address, value, around.span)?;
                    if let Flow::Return(value) = self.statement(body, around)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::Return(None) => return Ok(Flow::Return(None)),
            Statement::Return(Some(expr)) => {
                let value = match around.result {
                    Some(Kind::Rational) => Value::Rational(self.rational(*expr)?),
                    _ => self.value(*expr)?,
                };
                return Ok(Flow::Return(Some(value)));
            }
        }
        Ok(Flow::Next)
    }

    /// Copies slot by slot. The stretches may overlap, so all values are read before any is
    /// written.
    fn copy(
        &mut self,
        target: &Lvalue,
        source: &Lvalue,
        ranges: &[Option<Range>],
        span: Span,
    ) -> Result<()> {
        let source = self.address(source, span)?;
        let target = self.address(target, span)?;
        let mut values = smallvec::SmallVec::<[i64; 8]>::new();
        for (offset, range) in ranges.iter().enumerate() {
            self.tick(span)?;
            let value = self.load(source + offset, span)?;
            check_range(value, *range, span)?;
            values.push(value);
        }
        for (offset, value) in values.into_iter().enumerate() {
            self.store(target + offset, value, span)?;
        }
        Ok(())
    }
}
