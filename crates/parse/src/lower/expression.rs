//! Data expressions: names, places, calls, quantifiers and assignments.

use smallvec::SmallVec;
use tioga_base::{Diagnostic, Span};
use tioga_model::{
    Base, BinaryOp, ClockTerm, Dynamic, Expr as Code, ExprId, Kind, Lvalue, Quantifier, Range, Type,
};

use super::scope::{Access, Constant, Dimension, Meaning, Symbol};
use super::{Effects, Lowering};
use crate::clike::Parsed;
use crate::syntax::{AssignOp, CountOp, CountPosition, Expr, ExprKind, Name, TypeExpr};

/// How many values a quantifier outside a function may range over.
const EXPANSION_LIMIT: usize = 4096;

/// What an expression denotes.
#[derive(Clone, Debug)]
pub(super) enum Denoted {
    /// A single value.
    Value(Value),
    /// Data that has a place.
    Place(Lvalue, Type, Access),
    /// A clock or (part of) an array of clocks.
    Clock(ClockTerm, Vec<Dimension>, Access),
}

/// A single value with its type.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub expr: ExprId,
    pub ty: Type,
}

impl Value {
    /// The value as an expression that denotes itself.
    fn denoted(expr: ExprId, ty: Type) -> Denoted {
        Denoted::Value(Self { expr, ty })
    }
}

/// How single values of a type are stored.
pub(crate) fn kind_of(ty: &Type) -> Kind {
    match ty {
        Type::Bool => Kind::Bool,
        Type::Rational => Kind::Rational,
        _ => Kind::Int,
    }
}

/// The range a value of the type must lie in.
pub(crate) fn range_of(ty: &Type) -> Option<Range> {
    match ty {
        Type::Bool => None,
        _ => ty.bounds().map(|(min, max)| Range { min, max }),
    }
}

impl Lowering<'_> {
    pub(super) fn int(&mut self, value: i64, span: Span) -> ExprId {
        self.network.code.push(Code::Int(value), Kind::Int, span)
    }

    pub(super) fn bool(&mut self, value: bool, span: Span) -> ExprId {
        self.network.code.push(Code::Int(i64::from(value)), Kind::Bool, span)
    }

    /// Lowers an expression to a single value.
    pub(super) fn value(&mut self, expr: &Expr) -> Parsed<Value> {
        match self.denoted(expr)? {
            Denoted::Value(value) => Ok(value),
            Denoted::Place(place, ty, _) if ty.is_scalar_value() => {
                Ok(self.load(place, ty, expr.span))
            }
            Denoted::Place(_, ty, _) => {
                let message = format!("a single value is needed here, not {ty}");
                self.fail(Diagnostic::error("wrong-type", expr.span, message))
            }
            Denoted::Clock(..) => self.fail(
                Diagnostic::error(
                    "clock-as-value",
                    expr.span,
                    "a clock cannot be used as a number",
                )
                .note("clocks occur only in comparisons of guards and invariants, and in resets"),
            ),
        }
    }

    /// The value at a place. A constant place without open indices is folded.
    fn load(&mut self, place: Lvalue, ty: Type, span: Span) -> Value {
        let kind = kind_of(&ty);
        let fixed = place.base == Base::Constant && place.indices.is_empty();
        let code = if fixed && kind != Kind::Rational {
            Code::Int(self.network.code.constants[place.offset as usize])
        } else {
            Code::Load(place)
        };
        Value { expr: self.network.code.push(code, kind, span), ty }
    }

    /// Lowers an expression to a truth value; integers count as true unless 0.
    pub(super) fn boolean(&mut self, expr: &Expr) -> Parsed<ExprId> {
        let value = self.value(expr)?;
        self.as_boolean(value, expr.span)
    }

    pub(super) fn as_boolean(&mut self, value: Value, span: Span) -> Parsed<ExprId> {
        match value.ty {
            Type::Bool => Ok(value.expr),
            Type::Int { .. } | Type::Integer => {
                let zero = self.int(0, span);
                Ok(self.binary_code(BinaryOp::Ne, value.expr, zero, Kind::Bool, span)?)
            }
            other => {
                let message = format!("a condition is needed here, not {other}");
                self.fail(Diagnostic::error("wrong-type", span, message))
            }
        }
    }

    /// Lowers an expression whose integer value must be known now.
    pub(super) fn constant_int(&mut self, expr: &Expr, what: &str) -> Parsed<i64> {
        let value = self.value(expr)?;
        self.distinguishes(&value.ty);
        match self.network.code.constant(value.expr) {
            Some(constant) => Ok(constant),
            None => self.fail(
                Diagnostic::error("not-constant", expr.span, format!("{what} must be a constant"))
                    .help("use literals and names declared with `const`"),
            ),
        }
    }

    /// Lowers an expression to what it denotes.
    pub(super) fn denoted(&mut self, expr: &Expr) -> Parsed<Denoted> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value) => Ok(Value::denoted(self.int(*value, span), Type::Integer)),
            ExprKind::Bool(value) => Ok(Value::denoted(self.bool(*value, span), Type::Bool)),
            ExprKind::Rational(value) => {
                let code = self.network.code.push(Code::Rational(*value), Kind::Rational, span);
                Ok(Value::denoted(code, Type::Rational))
            }
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Index(array, index) => self.index(array, index),
            ExprKind::Field(record, field) => self.field(record, field, span),
            ExprKind::Call(function, arguments) => {
                self.call(function, arguments, span).map(Denoted::Value)
            }
            ExprKind::Unary(op, operand) => self.unary(*op, operand, span).map(Denoted::Value),
            ExprKind::Binary(op, left, right) => {
                self.binary(*op, left, right, span).map(Denoted::Value)
            }
            ExprKind::Conditional(condition, yes, no) => {
                self.conditional(condition, yes, no, span).map(Denoted::Value)
            }
            ExprKind::Assign(op, target, value) => {
                self.assign(*op, target, value, span).map(Denoted::Value)
            }
            ExprKind::Count(step, position, target) => {
                self.step(*step, *position, target, span).map(Denoted::Value)
            }
            ExprKind::Quantified(quantifier, name, ty, body) => {
                self.quantified(*quantifier, name, ty, body, span).map(Denoted::Value)
            }
            ExprKind::Deadlock => self.fail(Diagnostic::error(
                "deadlock-outside-query",
                span,
                "`deadlock` belongs in queries",
            )),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Parsed<Denoted> {
        let Some(Symbol { meaning, .. }) = self.scopes.find(name) else {
            return self.unknown(name, span, "name");
        };
        match meaning.clone() {
            Meaning::Constant(Constant::Int(value), ty) => {
                let code = Code::Int(value);
                let expr = self.network.code.push(code, kind_of(&ty), span);
                Ok(Value::denoted(expr, ty))
            }
            Meaning::Constant(Constant::Rational(value), ty) => {
                let expr = self.network.code.push(Code::Rational(value), Kind::Rational, span);
                Ok(Value::denoted(expr, ty))
            }
            Meaning::Computed(expr, ty) => Ok(Value::denoted(expr, ty)),
            Meaning::Data(place, ty, access) => Ok(Denoted::Place(place, ty, access)),
            Meaning::Clock(clock, dimensions, access) => {
                Ok(Denoted::Clock(clock, dimensions, access))
            }
            other => {
                let message = format!("`{name}` is {}, not a value", other.describe());
                self.fail(Diagnostic::error("wrong-kind", span, message))
            }
        }
    }

    fn index(&mut self, array: &Expr, index: &Expr) -> Parsed<Denoted> {
        let denoted = self.denoted(array)?;
        let position = self.value(index)?;
        match denoted {
            Denoted::Place(mut place, Type::Array { element, first, length, set }, access) => {
                let stride = u32::try_from(element.slots()).expect("array sizes are limited");
                let dimension = Dimension { first, length, set };
                self.indexed_by(dimension, &position.ty);
                match self.fixed_index(position.expr, dimension, index.span)? {
                    Some(fixed) => place.offset += fixed * stride,
                    None => {
                        let index = position.expr;
                        place.indices.push(Dynamic { index, first, length, stride });
                    }
                }
                Ok(Denoted::Place(place, *element, access))
            }
            Denoted::Clock(clock, dimensions, access) if !dimensions.is_empty() => {
                self.indexed_by(dimensions[0], &position.ty);
                let rest = dimensions[1..].to_vec();
                let term = self.index_clock(clock, dimensions[0], &rest, position, index.span)?;
                Ok(Denoted::Clock(term, rest, access))
            }
            Denoted::Place(_, ty, _) | Denoted::Value(Value { ty, .. }) => {
                let message = format!("only arrays have elements; this is {ty}");
                self.fail(Diagnostic::error("wrong-type", array.span, message))
            }
            Denoted::Clock(..) => self.fail(Diagnostic::error(
                "wrong-type",
                array.span,
                "only arrays have elements; this is a single clock",
            )),
        }
    }

    /// The position of a constant index, checked; `None` if the index is not constant.
    pub(super) fn fixed_index(
        &mut self,
        index: ExprId,
        dimension: Dimension,
        span: Span,
    ) -> Parsed<Option<u32>> {
        let Dimension { first, length, .. } = dimension;
        let Some(value) = self.network.code.constant(index) else { return Ok(None) };
        let position = value.checked_sub(first).and_then(|offset| u32::try_from(offset).ok());
        match position {
            Some(position) if position < length => Ok(Some(position)),
            _ => {
                let last = first + i64::from(length) - 1;
                let message = format!("the index {value} is outside {first} to {last}");
                // As in UPPAAL, only a run that comes here is wrong.
                self.diagnostics.push(
                    Diagnostic::warning("index-out-of-range", span, message)
                        .note("a run that comes here fails"),
                );
                Ok(None)
            }
        }
    }

    fn field(&mut self, record: &Expr, field: &Name, span: Span) -> Parsed<Denoted> {
        if let Some(process) = self.process_name(record) {
            self.process_indexed(record, &process);
            return self.foreign(&process, field, span);
        }
        let (place, ty, access) = match self.denoted(record)? {
            Denoted::Place(place, ty, access) => (place, ty, access),
            _ => {
                let message = "only records have fields";
                return self.fail(Diagnostic::error("wrong-type", record.span, message));
            }
        };
        let Type::Record(fields) = ty else {
            let message = format!("only records have fields; this is {ty}");
            return self.fail(Diagnostic::error("wrong-type", record.span, message));
        };
        let mut offset = place.offset;
        for (name, ty) in &fields {
            if *name == field.text {
                return Ok(Denoted::Place(Lvalue { offset, ..place }, ty.clone(), access));
            }
            offset += u32::try_from(ty.slots()).expect("record sizes are limited");
        }
        let message = format!("the record has no field `{}`", field.text);
        let names = fields.iter().map(|(name, _)| name.as_str());
        self.fail(Diagnostic::error("unknown-name", field.span, message).suggest(
            field.span,
            &field.text,
            names,
        ))
    }

    /// Lowers an expression that must denote assignable data.
    fn target(&mut self, expr: &Expr) -> Parsed<(Lvalue, Type)> {
        if let Effects::Forbidden(place) = self.effects {
            let message = format!("an assignment in {place}");
            let mut diagnostic = Diagnostic::error("effect", expr.span, message)
                .note(format!("{place} is only looked at and must not change anything"));
            diagnostic.help = Some("did you mean `==`?".to_owned());
            return self.fail(diagnostic);
        }
        match self.denoted(expr)? {
            Denoted::Place(place, ty, access) => {
                let access = self.observed_access(&place, access);
                if let Some(reason) = access.refusal() {
                    return self.fail(
                        Diagnostic::error("not-assignable", expr.span, "this cannot be assigned")
                            .note(reason),
                    );
                }
                if let Some(function) = &mut self.function {
                    function.changes.note(place.base);
                }
                Ok((place, ty))
            }
            Denoted::Clock(..) => self.fail(
                Diagnostic::error("clock-in-function", expr.span, "a clock cannot be set here")
                    .help("set a clock by an assignment of its own, such as `x = 0`"),
            ),
            Denoted::Value(_) => self.fail(Diagnostic::error(
                "not-assignable",
                expr.span,
                "only variables can be assigned",
            )),
        }
    }

    /// In a purpose, everything but its own data is only observed.
    fn observed_access(&self, place: &Lvalue, access: Access) -> Access {
        match self.observer {
            Some(own) if place.base == Base::Global && place.offset < own.slots => Access::Observed,
            _ => access,
        }
    }

    fn assign(&mut self, op: AssignOp, target: &Expr, value: &Expr, span: Span) -> Parsed<Value> {
        let (place, ty) = self.target(target)?;
        let value = match op {
            AssignOp::Set => self.value(value)?,
            AssignOp::Compound(op) => {
                let old = self.load(place.clone(), ty.clone(), target.span);
                let operand = self.value(value)?;
                self.arithmetic(op, old, operand, span)?
            }
        };
        let value = self.convert(value, &ty, span)?;
        let code = Code::Assign(place, value, range_of(&ty));
        Ok(Value { expr: self.network.code.push(code, kind_of(&ty), span), ty })
    }

    fn step(
        &mut self,
        step: CountOp,
        position: CountPosition,
        target: &Expr,
        span: Span,
    ) -> Parsed<Value> {
        let (place, ty) = self.target(target)?;
        let old = self.load(place.clone(), ty.clone(), target.span);
        let one = Value { expr: self.int(1, span), ty: Type::Integer };
        let op = match step {
            CountOp::Increment => BinaryOp::Add,
            CountOp::Decrement => BinaryOp::Sub,
        };
        let value = self.arithmetic(op, old, one, span)?;
        let value = self.convert(value, &ty, span)?;
        let code = match position {
            CountPosition::Before => Code::Assign(place, value, range_of(&ty)),
            CountPosition::After => Code::Exchange(place, value, range_of(&ty)),
        };
        Ok(Value { expr: self.network.code.push(code, kind_of(&ty), span), ty })
    }

    /// Inside functions a quantifier runs at evaluation time; elsewhere it is written out.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        name: &Name,
        ty: &TypeExpr,
        body: &Expr,
        span: Span,
    ) -> Parsed<Value> {
        let (ty, values) = self.finite_values(ty, "a quantifier")?;
        let result = match quantifier {
            Quantifier::Sum => Type::Integer,
            Quantifier::Forall | Quantifier::Exists => Type::Bool,
        };
        if let Some(slot) = self.function.as_mut().map(|frame| frame.bind(name, &ty)) {
            let range = Range { min: *values.start(), max: *values.end() };
            let place = Lvalue { base: Base::Frame, offset: slot, indices: SmallVec::new() };
            let meaning = Meaning::Data(place, ty, Access::Constant);
            let body = self.scoped(|lowering| {
                lowering.declare(name, meaning)?;
                lowering.quantifier_body(quantifier, body)
            })?;
            let code = Code::Quantified(quantifier, slot, range, body);
            let expr = self.network.code.push(code, kind_of(&result), span);
            return Ok(Value { expr, ty: result });
        }
        let bodies = self.expand(name, &ty, values, span, |lowering| {
            lowering.quantifier_body(quantifier, body)
        })?;
        let (op, empty) = match quantifier {
            Quantifier::Sum => (BinaryOp::Add, self.int(0, span)),
            Quantifier::Forall => (BinaryOp::And, self.bool(true, span)),
            Quantifier::Exists => (BinaryOp::Or, self.bool(false, span)),
        };
        let expr = self.combine(op, bodies, empty, kind_of(&result), span)?;
        Ok(Value { expr, ty: result })
    }

    fn quantifier_body(&mut self, quantifier: Quantifier, body: &Expr) -> Parsed<ExprId> {
        match quantifier {
            Quantifier::Sum => Ok(self.value(body)?.expr),
            Quantifier::Forall | Quantifier::Exists => self.boolean(body),
        }
    }

    /// Lowers something once for each value of a bound name.
    pub(super) fn expand<T>(
        &mut self,
        name: &Name,
        ty: &Type,
        values: std::ops::RangeInclusive<i64>,
        span: Span,
        mut lower: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut results = Vec::new();
        for value in values {
            if results.len() >= EXPANSION_LIMIT {
                let message = format!("`{}` has more than {EXPANSION_LIMIT} values", name.text);
                return self.fail(Diagnostic::error("too-large", span, message));
            }
            let meaning = Meaning::Constant(Constant::Int(value), ty.clone());
            results.push(self.scoped(|lowering| {
                lowering.declare(name, meaning)?;
                lower(lowering)
            })?);
            self.limit_expressions(span)?;
        }
        Ok(results)
    }
}
