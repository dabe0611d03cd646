//! Calls of functions: frames, arguments and results.

use tioga_base::Span;

use super::statements::Flow;
use super::{Evaluator, Result, Value, check_range};
use crate::{Argument, CALL_LIMIT, EvalFault, EvalFaultKind, FunctionId};

impl Evaluator<'_> {
    /// Runs a function on arguments evaluated in the current frame.
    pub(super) fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Argument],
        span: Span,
    ) -> Result<Option<Value>> {
        if self.calls >= CALL_LIMIT {
            return Err(EvalFault::new(EvalFaultKind::StackLimit, span));
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
}
