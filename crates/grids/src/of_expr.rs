//! From expressions of a model to sums and comparisons.

use tioga_base::{Rational, Span};
use tioga_model::{Base, BinaryOp, Expr, ExprId, Kind, Lvalue, Network, UnaryOp};

use crate::condition::{Condition, data_up_to};
use crate::error::Error;
use crate::form::Form;

/// What the names of an expression stand for.
pub(crate) struct Scope<'m> {
    pub network: &'m Network,
    /// The form of each data slot, by its number; nothing for slots that must not be read.
    pub slots: Vec<Option<Form>>,
    /// The form of each slot of the frame.
    pub frame: Vec<Option<Form>>,
}

pub(crate) fn unsupported(message: impl Into<String>, span: Span) -> Error {
    Error::Unsupported { message: message.into(), span }
}

pub(crate) fn not_linear(message: impl Into<String>, span: Span) -> Error {
    Error::NotLinear { message: message.into(), span }
}

impl Scope<'_> {
    pub fn span(&self, expr: ExprId) -> Span {
        self.network.code.nodes[expr].span
    }

    /// The slot that a place names.
    pub fn slot(&self, place: &Lvalue, span: Span) -> Result<usize, Error> {
        if place.base != Base::Global || !place.indices.is_empty() {
            return Err(unsupported(
                "a grid knows variables and fixed elements of arrays only",
                span,
            ));
        }
        Ok(place.offset as usize)
    }

    fn load(&self, place: &Lvalue, span: Span) -> Result<Form, Error> {
        let known = match place.base {
            Base::Frame if place.indices.is_empty() => self.frame.get(place.offset as usize),
            Base::Constant if place.indices.is_empty() => {
                let value = self.network.code.constants.get(place.offset as usize).copied();
                let value = value.ok_or_else(|| unsupported("an unknown constant", span))?;
                return Ok(Form::constant(Rational::integer(value)));
            }
            _ => {
                let slot = self.slot(place, span)?;
                self.slots.get(slot)
            }
        };
        known.cloned().flatten().ok_or_else(|| {
            unsupported(
                "a purpose of a grid reads only its own variables and the values of actions",
                span,
            )
        })
    }

    /// An expression as a sum. Coefficients and constants of any sign are allowed here.
    pub fn form(&self, expr: ExprId) -> Result<Form, Error> {
        let node = &self.network.code.nodes[expr];
        let span = node.span;
        Ok(match &node.expr {
            Expr::Int(value) => Form::constant(Rational::integer(*value)),
            Expr::Rational(value) => Form::constant(*value),
            Expr::Load(place) => self.load(place, span)?,
            Expr::Unary(UnaryOp::Plus, inner) => self.form(*inner)?,
            Expr::Unary(UnaryOp::Neg, inner) => self.form(*inner)?.times(-1)?,
            Expr::Binary(BinaryOp::Add, left, right) => {
                self.form(*left)?.add(&self.form(*right)?)?
            }
            Expr::Binary(BinaryOp::Sub, left, right) => {
                self.form(*left)?.add(&self.form(*right)?.times(-1)?)?
            }
            Expr::Binary(BinaryOp::Mul, left, right) => {
                let (left, right) = (self.form(*left)?, self.form(*right)?);
                match (left.to_constant(), right.to_constant()) {
                    (Some(one), Some(other)) => Form::constant(one.mul(other)?),
                    (Some(factor), None) => times(&right, factor, span)?,
                    (None, Some(factor)) => times(&left, factor, span)?,
                    (None, None) => {
                        return Err(not_linear("a product of two variables is not linear", span));
                    }
                }
            }
            Expr::Binary(BinaryOp::Div, left, right) if node.kind == Kind::Rational => {
                let (left, right) = (self.form(*left)?, self.form(*right)?);
                match (left.to_constant(), right.to_constant()) {
                    (Some(one), Some(other)) => Form::constant(one.div(other)?),
                    _ => return Err(not_linear("a quotient is not linear with integers", span)),
                }
            }
            _ => return Err(not_linear("this is not linear with integer coefficients", span)),
        })
    }

    /// A sum that grids can bound: no coefficient is negative, nor the constant.
    pub fn growing(&self, expr: ExprId) -> Result<Form, Error> {
        let (form, span) = (self.form(expr)?, self.span(expr));
        if form.is_non_negative() {
            return Ok(form);
        }
        let negative =
            form.variables.iter().chain(&form.parameters).find(|(_, factor)| *factor < 0);
        let message = match negative {
            Some((_, factor)) => format!("the coefficient {factor} is negative"),
            None => format!("the constant {} is negative", form.constant),
        };
        Err(not_linear(message, span))
    }

    /// An expression as a condition.
    pub fn condition(&self, expr: ExprId) -> Result<Condition, Error> {
        let node = &self.network.code.nodes[expr];
        Ok(match &node.expr {
            Expr::Int(value) if *value == 0 => Condition::never(),
            Expr::Int(_) => Condition::always(),
            Expr::Unary(UnaryOp::Not, inner) => self.condition(*inner)?.not(),
            Expr::Binary(BinaryOp::And, left, right) => {
                Condition::All(vec![self.condition(*left)?, self.condition(*right)?])
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                Condition::Any(vec![self.condition(*left)?, self.condition(*right)?])
            }
            Expr::Binary(BinaryOp::Imply, left, right) => {
                Condition::Any(vec![self.condition(*left)?.not(), self.condition(*right)?])
            }
            Expr::Binary(operator, left, right) => {
                self.comparison(*operator, *left, *right, node.span)?
            }
            Expr::Load(_) => at_most(self.form(expr)?, true, Rational::ONE, node.span)?.not(),
            _ => return Err(unsupported("a grid does not know this condition", node.span)),
        })
    }

    fn comparison(
        &self,
        operator: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Result<Condition, Error> {
        let both = self.form(left)?.add(&self.form(right)?.times(-1)?)?;
        let zero = Rational::ZERO;
        let below = |strict: bool| at_most(both.clone(), strict, zero, span);
        let equal = || Ok::<_, Error>(Condition::All(vec![below(false)?, below(true)?.not()]));
        Ok(match operator {
            BinaryOp::Le => below(false)?,
            BinaryOp::Lt => below(true)?,
            BinaryOp::Ge => below(true)?.not(),
            BinaryOp::Gt => below(false)?.not(),
            BinaryOp::Eq => equal()?,
            BinaryOp::Ne => equal()?.not(),
            _ => return Err(unsupported("a grid does not know this condition", span)),
        })
    }
}

fn times(form: &Form, factor: Rational, span: Span) -> Result<Form, Error> {
    let whole = factor.to_integer();
    let whole =
        whole.ok_or_else(|| not_linear(format!("the coefficient {factor} is no integer"), span))?;
    Ok(form.times(whole)?)
}

/// `form <= bound`, or `<`, for a form whose coefficients have one sign.
fn at_most(form: Form, strict: bool, bound: Rational, span: Span) -> Result<Condition, Error> {
    let factors = || form.variables.iter().chain(&form.parameters).map(|(_, factor)| *factor);
    if factors().all(|factor| factor >= 0) {
        return Ok(data_up_to(form, strict, bound)?);
    }
    if factors().all(|factor| factor <= 0) {
        // -f <= b is f >= -b, which is not f < -b.
        return Ok(data_up_to(form.times(-1)?, !strict, bound.neg()?)?.not());
    }
    Err(unsupported("a grid compares variables with constants, not with each other", span))
}
