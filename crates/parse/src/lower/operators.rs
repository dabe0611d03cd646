//! Operators on data: typing, conversion and constant folding.

use tioga_base::{Diagnostic, Rational, Span};
use tioga_model::{BinaryOp, Expr as Code, ExprId, Kind, Type, UnaryOp};

use super::Lowering;
use super::expression::{Denoted, Value, kind_of};
use crate::clike::Parsed;
use crate::syntax::Expr;

impl Lowering<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &Expr, span: Span) -> Parsed<Value> {
        match op {
            UnaryOp::Not => {
                let operand = self.boolean(operand)?;
                Ok(Value { expr: self.not(operand, span), ty: Type::Bool })
            }
            UnaryOp::Plus => {
                let value = self.value(operand)?;
                self.number(&value, span)?;
                Ok(value)
            }
            UnaryOp::Neg => {
                let value = self.value(operand)?;
                self.number(&value, span)?;
                self.negated(value, span)
            }
        }
    }

    fn negated(&mut self, value: Value, span: Span) -> Parsed<Value> {
        let ty = if value.ty == Type::Rational { Type::Rational } else { Type::Integer };
        let folded = match self.network.code.nodes[value.expr].expr {
            Code::Int(constant) => Some(constant.checked_neg().map(Code::Int)),
            Code::Rational(constant) => Some(constant.neg().ok().map(Code::Rational)),
            _ => None,
        };
        let code = match folded {
            Some(Some(code)) => code,
            Some(None) => return self.overflow(span),
            None => Code::Unary(UnaryOp::Neg, value.expr),
        };
        Ok(Value { expr: self.network.code.push(code, kind_of(&ty), span), ty })
    }

    pub(super) fn not(&mut self, operand: ExprId, span: Span) -> ExprId {
        match self.network.code.constant(operand) {
            Some(value) => self.bool(value == 0, span),
            None => self.network.code.push(Code::Unary(UnaryOp::Not, operand), Kind::Bool, span),
        }
    }

    fn overflow<T>(&mut self, span: Span) -> Parsed<T> {
        self.fail(
            Diagnostic::error("overflow", span, "this constant does not fit in 64 bits")
                .note("numbers are exact; overflow is an error, never a wrapped number"),
        )
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
        span: Span,
    ) -> Parsed<Value> {
        use BinaryOp::{And, Eq, Ge, Gt, Imply, Le, Lt, Ne, Or};
        match op {
            And | Or | Imply => {
                let left = self.boolean(left)?;
                let right = self.boolean(right)?;
                let expr = self.binary_code(op, left, right, Kind::Bool, span)?;
                Ok(Value { expr, ty: Type::Bool })
            }
            Eq | Ne => self.equality(op, left, right, span),
            Lt | Le | Ge | Gt => {
                let (left_value, right_value) = (self.value(left)?, self.value(right)?);
                self.number(&left_value, left.span)?;
                self.number(&right_value, right.span)?;
                let (left, right) = (left_value.expr, right_value.expr);
                let expr = self.binary_code(op, left, right, Kind::Bool, span)?;
                Ok(Value { expr, ty: Type::Bool })
            }
            _ => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.arithmetic(op, left, right, span)
            }
        }
    }

    /// Equality of single values, or of whole arrays and records of the same shape.
    fn equality(&mut self, op: BinaryOp, left: &Expr, right: &Expr, span: Span) -> Parsed<Value> {
        let aggregate = match (self.denoted(left)?, self.denoted(right)?) {
            (Denoted::Place(a, ty, _), Denoted::Place(b, other, _)) if !ty.is_scalar_value() => {
                Some((a, b, ty, other))
            }
            _ => None,
        };
        let expr = if let Some((a, b, ty, other)) = aggregate {
            if !same_shape(&ty, &other) {
                let message = format!("{ty} cannot be compared with {other}");
                return self.fail(Diagnostic::error("wrong-type", span, message));
            }
            self.paired(&ty, &other);
            let length = u32::try_from(ty.slots()).expect("sizes are limited");
            let same = self.network.code.push(Code::Same(a, b, length), Kind::Bool, span);
            if op == BinaryOp::Ne { self.not(same, span) } else { same }
        } else {
            let (a, b) = (self.value(left)?, self.value(right)?);
            if matches!(a.ty, Type::Scalar { .. }) != matches!(b.ty, Type::Scalar { .. }) {
                let message = format!("{} cannot be compared with {}", a.ty, b.ty);
                return self.fail(Diagnostic::error("wrong-type", span, message));
            }
            self.paired(&a.ty, &b.ty);
            self.binary_code(op, a.expr, b.expr, Kind::Bool, span)?
        };
        Ok(Value { expr, ty: Type::Bool })
    }

    /// An arithmetic or bit operator on two numbers.
    pub(super) fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: Value,
        right: Value,
        span: Span,
    ) -> Parsed<Value> {
        self.number(&left, span)?;
        self.number(&right, span)?;
        let rational = left.ty == Type::Rational || right.ty == Type::Rational;
        let integers_only = matches!(
            op,
            BinaryOp::Mod
                | BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::BitAnd
                | BinaryOp::BitOr
                | BinaryOp::BitXor
        );
        if rational && integers_only {
            let message = "this operator is for integers, not for rationals";
            return self.fail(Diagnostic::error("wrong-type", span, message));
        }
        let ty = if rational { Type::Rational } else { Type::Integer };
        let expr = self.binary_code(op, left.expr, right.expr, kind_of(&ty), span)?;
        Ok(Value { expr, ty })
    }

    fn number(&mut self, value: &Value, span: Span) -> Parsed<()> {
        match value.ty {
            Type::Scalar { .. } => self.fail(
                Diagnostic::error("wrong-type", span, "scalars have no order and no arithmetic")
                    .note(
                        "the values of a scalar set can only be assigned and compared for equality",
                    ),
            ),
            _ => Ok(()),
        }
    }

    pub(super) fn conditional(
        &mut self,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
        span: Span,
    ) -> Parsed<Value> {
        let condition = self.boolean(condition)?;
        let (yes, no) = (self.value(yes)?, self.value(no)?);
        self.paired(&yes.ty, &no.ty);
        let ty = if yes.ty == no.ty {
            yes.ty
        } else if yes.ty == Type::Rational || no.ty == Type::Rational {
            Type::Rational
        } else {
            Type::Integer
        };
        match self.network.code.constant(condition) {
            Some(0) => return Ok(Value { expr: no.expr, ty }),
            Some(_) => return Ok(Value { expr: yes.expr, ty }),
            None => {}
        }
        let code = Code::Conditional(condition, yes.expr, no.expr);
        Ok(Value { expr: self.network.code.push(code, kind_of(&ty), span), ty })
    }

    /// Pushes an operator, folded if its value is known now. Kinds must fit.
    pub(super) fn binary_code(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        kind: Kind,
        span: Span,
    ) -> Parsed<ExprId> {
        let constant = |expr: ExprId| match self.network.code.nodes[expr].expr {
            Code::Int(value) => Some(Rational::integer(value)),
            Code::Rational(value) => Some(value),
            _ => None,
        };
        let (a, b) = (constant(left), constant(right));
        match (op, a.map(|a| !a.is_zero()), b.map(|b| !b.is_zero())) {
            (BinaryOp::And, Some(true), _) | (BinaryOp::Or, Some(false), _) => return Ok(right),
            (BinaryOp::And, _, Some(true)) | (BinaryOp::Or, _, Some(false)) => return Ok(left),
            (BinaryOp::And, Some(false), _) => return Ok(self.bool(false, span)),
            (BinaryOp::Or, Some(true), _) | (BinaryOp::Imply, Some(false), _) => {
                return Ok(self.bool(true, span));
            }
            (BinaryOp::Imply, Some(true), _) => return Ok(right),
            _ => {}
        }
        let (Some(a), Some(b)) = (a, b) else {
            return Ok(self.network.code.push(Code::Binary(op, left, right), kind, span));
        };
        let rational = |expr: ExprId| self.network.code.nodes[expr].kind == Kind::Rational;
        let exact = rational(left) || rational(right);
        match fold(op, a, b, exact) {
            Some(value) => {
                let code = match (kind, value.to_integer()) {
                    (Kind::Rational, _) | (_, None) => Code::Rational(value),
                    (_, Some(integer)) => Code::Int(integer),
                };
                Ok(self.network.code.push(code, kind, span))
            }
            None if b.is_zero() && matches!(op, BinaryOp::Div | BinaryOp::Mod) => {
                self.fail(Diagnostic::error("division-by-zero", span, "division by zero"))
            }
            None => self.overflow(span),
        }
    }

    /// A number as a rational.
    fn as_rational(&mut self, value: Value, span: Span) -> Parsed<ExprId> {
        if value.ty == Type::Rational {
            return Ok(value.expr);
        }
        self.number(&value, span)?;
        let code = match self.network.code.constant(value.expr) {
            Some(constant) => Code::Rational(Rational::integer(constant)),
            None => Code::Unary(UnaryOp::Plus, value.expr),
        };
        Ok(self.network.code.push(code, Kind::Rational, span))
    }

    /// Combines expressions with an associative operator, in a balanced way so that nothing nests
    /// deeply. `empty` is the value for none.
    pub(super) fn combine(
        &mut self,
        op: BinaryOp,
        mut parts: Vec<ExprId>,
        empty: ExprId,
        kind: Kind,
        span: Span,
    ) -> Parsed<ExprId> {
        while parts.len() > 1 {
            let mut next = Vec::with_capacity(parts.len().div_ceil(2));
            for pair in parts.chunks(2) {
                next.push(match pair {
                    [left, right] => self.binary_code(op, *left, *right, kind, span)?,
                    _ => pair[0],
                });
            }
            parts = next;
        }
        Ok(parts.first().copied().unwrap_or(empty))
    }

    /// Converts a value to the type of what it is assigned to.
    pub(super) fn convert(&mut self, value: Value, ty: &Type, span: Span) -> Parsed<ExprId> {
        let from = &value.ty;
        match ty {
            Type::Bool => return self.as_boolean(value, span),
            Type::Rational => return self.as_rational(value, span),
            Type::Scalar { size, .. } if matches!(from, Type::Scalar { size: given, .. } if given == size) =>
            {
                self.paired(from, ty);
                return Ok(value.expr);
            }
            Type::Int { .. } | Type::Integer
                if matches!(from, Type::Int { .. } | Type::Integer | Type::Bool) => {}
            _ => {
                let mut diagnostic = Diagnostic::error(
                    "wrong-type",
                    span,
                    format!("{from} cannot be stored in {ty}"),
                );
                if *from == Type::Rational {
                    diagnostic =
                        diagnostic.note("a quotient of two literals is exact, not rounded");
                }
                return self.fail(diagnostic);
            }
        }
        if let (Some(constant), Some((min, max))) =
            (self.network.code.constant(value.expr), ty.bounds())
            && !(min..=max).contains(&constant)
        {
            let message = format!("{constant} is outside the range {min} to {max}");
            return self.fail(Diagnostic::error("out-of-range", span, message));
        }
        Ok(value.expr)
    }
}

/// Whether two types have the same slots in the same order.
pub(crate) fn same_shape(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Array { element: a, length: n, .. }, Type::Array { element: b, length: m, .. }) => {
            n == m && same_shape(a, b)
        }
        (Type::Record(a), Type::Record(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((_, a), (_, b))| same_shape(a, b))
        }
        (Type::Array { .. } | Type::Record(_), _) | (_, Type::Array { .. } | Type::Record(_)) => {
            false
        }
        _ => kind_of(left) == kind_of(right),
    }
}

/// The value of an operator on constants; `None` if it has none in 64 bits. `exact` says that an
/// operand is a rational, which makes division exact.
pub(crate) fn fold(op: BinaryOp, a: Rational, b: Rational, exact: bool) -> Option<Rational> {
    let truth = |value: bool| Some(Rational::integer(i64::from(value)));
    match op {
        BinaryOp::Add => a.add(b).ok(),
        BinaryOp::Sub => a.sub(b).ok(),
        BinaryOp::Mul => a.mul(b).ok(),
        BinaryOp::Div if exact => a.div(b).ok(),
        BinaryOp::Min => Some(a.min(b)),
        BinaryOp::Max => Some(a.max(b)),
        BinaryOp::Lt => truth(a < b),
        BinaryOp::Le => truth(a <= b),
        BinaryOp::Eq => truth(a == b),
        BinaryOp::Ne => truth(a != b),
        BinaryOp::Ge => truth(a >= b),
        BinaryOp::Gt => truth(a > b),
        BinaryOp::And => truth(!a.is_zero() && !b.is_zero()),
        BinaryOp::Or => truth(!a.is_zero() || !b.is_zero()),
        BinaryOp::Imply => truth(a.is_zero() || !b.is_zero()),
        _ => {
            let (a, b) = (a.to_integer()?, b.to_integer()?);
            let shift = || u32::try_from(b).ok().filter(|shift| *shift < 63);
            let value = match op {
                BinaryOp::Div => a.checked_div(b)?,
                BinaryOp::Mod => a.checked_rem(b)?,
                BinaryOp::ShiftLeft => a.checked_mul(1i64.checked_shl(shift()?)?)?,
                BinaryOp::ShiftRight => a >> shift()?,
                BinaryOp::BitAnd => a & b,
                BinaryOp::BitOr => a | b,
                _ => a ^ b,
            };
            Some(Rational::integer(value))
        }
    }
}
