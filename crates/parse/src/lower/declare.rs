//! Declarations of variables, constants, clocks, channels, types and labels.

use tioga_base::{Diagnostic, Rational, Span};
use tioga_model::{
    Channel, Clock, ClockTerm, ConstantTable, Evaluator, Expr as Code, Kind, Lvalue, PlainAction,
    Range, Slot, Stack, Type, Variable,
};

use super::Lowering;
use super::expression::{Denoted, kind_of, range_of};
use super::operators::same_shape;
use super::scope::{Access, Constant, Dimension, Meaning, Owner, Ty};
use crate::clike::Parsed;
use crate::syntax::{
    ChannelType, Declaration, DeclarationKind, Declarator, Initializer, Parameter, TypeExpr,
    TypeKind,
};

/// The parts of an array or record with their initializers.
pub(super) type Parts<'i> = Vec<(Type, Option<&'i Initializer>)>;

/// The full name of something declared in a process, or globally.
pub(super) fn full_name(owner: Option<&Owner>, name: &str) -> String {
    match owner {
        Some(owner) => format!("{}.{name}", owner.name),
        None => name.to_owned(),
    }
}

/// What `const`, `param` and nothing before a type mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quality {
    Plain,
    Constant,
    Symbolic,
}

impl Lowering<'_> {
    /// Lowers one declaration, of a process or global. If it fails, its names are still known to be
    /// declared, so that their uses are not complained about as well.
    pub(super) fn declaration(
        &mut self,
        declaration: &Declaration,
        owner: Option<&Owner>,
    ) -> Parsed<()> {
        let result = self.declared(declaration, owner);
        if result.is_err() {
            self.failed_names.extend(declaration.names().map(|name| name.text.clone()));
        }
        result
    }

    fn declared(&mut self, declaration: &Declaration, owner: Option<&Owner>) -> Parsed<()> {
        match &declaration.kind {
            DeclarationKind::Variables {
                constant, symbolic, ty, declarators, condition, ..
            } => {
                if let (Some(condition), Some(_)) = (condition, owner) {
                    let message = "an initial condition belongs to constants of the whole model";
                    let found = Diagnostic::error("misplaced", condition.span, message);
                    let help = "declare the constant outside of the automaton";
                    return self.fail(found.help(help));
                }
                let quality = match (constant, symbolic) {
                    (_, true) => Quality::Symbolic,
                    (true, false) => Quality::Constant,
                    (false, false) => Quality::Plain,
                };
                for declarator in declarators {
                    self.declarator(quality, ty, declarator, owner)?;
                }
                Ok(())
            }
            DeclarationKind::Internal(names) => {
                for name in names {
                    let action = self.network.actions.push(PlainAction { name: name.text.clone() });
                    self.declare(name, Meaning::Action(action))?;
                }
                Ok(())
            }
            DeclarationKind::Typedef(ty, declarators) => {
                for declarator in declarators {
                    let ty = self.ty(ty, &declarator.dimensions)?;
                    self.declare(&declarator.name, Meaning::Type(ty))?;
                }
                Ok(())
            }
            DeclarationKind::Function(function) => self.function(function, owner),
        }
    }

    fn declarator(
        &mut self,
        quality: Quality,
        ty: &TypeExpr,
        declarator: &Declarator,
        owner: Option<&Owner>,
    ) -> Parsed<()> {
        let name = &declarator.name;
        match (self.ty(ty, &declarator.dimensions)?, quality) {
            (Ty::Data(data), Quality::Constant) => self.constant(ty, data, declarator),
            (Ty::Data(data), _) => {
                self.variable(data, declarator, owner, quality == Quality::Symbolic)
            }
            (Ty::Clock(dimensions), Quality::Plain) => self.clocks(declarator, dimensions, owner),
            (Ty::Channel(channel, dimensions), Quality::Plain) => {
                self.channels(channel, declarator, dimensions, owner)
            }
            (Ty::Void, _) => {
                let message = format!("`{}` cannot be `void`", name.text);
                self.fail(Diagnostic::error("wrong-type", ty.span, message))
            }
            (Ty::Clock(_) | Ty::Channel(..), _) => {
                let message = "clocks and channels can be neither `const` nor `param`";
                self.fail(Diagnostic::error("wrong-type", ty.span, message))
            }
        }
    }

    fn constant(&mut self, written: &TypeExpr, ty: Type, declarator: &Declarator) -> Parsed<()> {
        let name = &declarator.name;
        let Some(initializer) = &declarator.initializer else {
            let message = format!("the constant `{}` has no value", name.text);
            return self.fail(
                Diagnostic::error("missing-value", name.span, message).help(
                    "give it one with `= value`, or declare a symbolic constant with `param`",
                ),
            );
        };
        // UPPAAL checks no range for a plain `const int`.
        let ty = match written.kind {
            TypeKind::Int(None) if declarator.dimensions.is_empty() => Type::Integer,
            _ => ty,
        };
        self.limit_slots(ty.slots(), name.span)?;
        let mut values = Vec::new();
        self.initial_values(&ty, Some(initializer), &mut values)?;
        if ty.is_scalar_value() || values.iter().any(|value| *value != values[0]) {
            self.distinguishes(&ty);
        }
        let meaning = match &ty {
            Type::Rational => {
                let value = Rational::new(values[0], values[1]).unwrap_or(Rational::ZERO);
                Meaning::Constant(Constant::Rational(value), ty)
            }
            ty if ty.is_scalar_value() => Meaning::Constant(Constant::Int(values[0]), ty.clone()),
            _ => {
                let code = &mut self.network.code;
                let offset = u32::try_from(code.constants.len()).expect("sizes are limited");
                code.constants.extend(values);
                let (name, ty) = (name.text.clone(), ty.clone());
                code.tables.push(ConstantTable { name, ty: ty.clone(), first_slot: offset });
                let place = Lvalue { base: tioga_model::Base::Constant, ..Lvalue::global(offset) };
                Meaning::Data(place, ty, Access::Constant)
            }
        };
        self.declare(name, meaning)
    }

    pub(super) fn variable(
        &mut self,
        ty: Type,
        declarator: &Declarator,
        owner: Option<&Owner>,
        symbolic: bool,
    ) -> Parsed<()> {
        let name = &declarator.name;
        let full = full_name(owner, &name.text);
        self.limit_slots(ty.slots(), name.span)?;
        let mut values = Vec::new();
        self.initial_values(&ty, declarator.initializer.as_ref(), &mut values)?;
        if symbolic {
            // A value that does not fit has been complained about; the rest is still checked.
            let _ = self.given_value(&full, &ty, name.span, &mut values);
        }
        let first_slot = u32::try_from(self.network.slots.len()).expect("sizes are limited");
        let mut values = values.into_iter();
        push_slots(&full, &ty, &mut values, &mut self.network.slots);
        self.network.variables.push(Variable {
            name: full,
            owner: owner.and_then(|owner| owner.process),
            ty: ty.clone(),
            first_slot,
            symbolic,
            span: name.span,
        });
        let access = if symbolic { Access::Symbolic } else { Access::ReadWrite };
        self.declare(name, Meaning::Data(Lvalue::global(first_slot), ty, access))
    }

    /// Puts the value given by the options for a symbolic constant.
    fn given_value(&mut self, name: &str, ty: &Type, span: Span, values: &mut [i64]) -> Parsed<()> {
        let options = self.options;
        let Some((_, value)) = options.parameters.iter().find(|(given, _)| given == name) else {
            return Ok(());
        };
        let fits =
            |integer: i64| ty.bounds().is_none_or(|(min, max)| (min..=max).contains(&integer));
        match (ty, value.to_integer()) {
            (Type::Rational, _) => {
                values.copy_from_slice(&[value.numerator(), value.denominator()]);
                Ok(())
            }
            (ty, Some(integer)) if ty.is_scalar_value() && fits(integer) => {
                values[0] = integer;
                Ok(())
            }
            _ => {
                let message = format!("the value {value} given for `{name}` does not fit {ty}");
                self.fail(Diagnostic::error("out-of-range", span, message))
            }
        }
    }

    fn clocks(
        &mut self,
        declarator: &Declarator,
        dimensions: Vec<Dimension>,
        owner: Option<&Owner>,
    ) -> Parsed<()> {
        let name = &declarator.name;
        if let Some(initializer) = &declarator.initializer {
            self.zero_clock(initializer, name.span)?;
        }
        self.limit_clocks(elements(&dimensions), name.span)?;
        let first = self.network.clocks.next_id();
        for suffix in element_suffixes(&dimensions) {
            let name = full_name(owner, &name.text) + &suffix;
            let owner = owner.and_then(|owner| owner.process);
            self.network.clocks.push(Clock { name, owner });
        }
        let indices = dimensions.iter().map(|one| (one.set, one.length)).collect();
        self.network.scalars.clocks.push((first, indices));
        let term = ClockTerm::from(first);
        self.declare(name, Meaning::Clock(term, dimensions, Access::ReadWrite))
    }

    /// Clocks start at zero; an initial value may only say so.
    fn zero_clock(&mut self, initializer: &Initializer, span: Span) -> Parsed<()> {
        if let Initializer::Expr(expr) = initializer
            && self.constant_int(expr, "the initial value of a clock")? == 0
        {
            return Ok(());
        }
        self.fail(Diagnostic::unsupported("initial-clock", span, "clocks start at zero"))
    }

    fn channels(
        &mut self,
        channel: ChannelType,
        declarator: &Declarator,
        dimensions: Vec<Dimension>,
        owner: Option<&Owner>,
    ) -> Parsed<()> {
        let name = &declarator.name;
        let parameters = self.channel_parameters(&declarator.parameters)?;
        let names = declarator.parameters.iter().map(|parameter| &parameter.name.text);
        let names = names.map(|name| Some(name.clone()).filter(|name| !name.is_empty()));
        let names: Vec<Option<String>> = names.collect();
        self.limit_channels(elements(&dimensions), name.span)?;
        let first = self.network.channels.next_id();
        for suffix in element_suffixes(&dimensions) {
            self.network.channels.push(Channel {
                name: full_name(owner, &name.text) + &suffix,
                urgent: channel.urgent,
                broadcast: channel.broadcast,
                direction: channel.direction,
                open: false,
                parameters: parameters.clone(),
                names: names.clone(),
                span: name.span,
            });
        }
        self.declare(name, Meaning::Channel(first, dimensions))
    }

    fn channel_parameters(&mut self, parameters: &[Parameter]) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        for parameter in parameters {
            let ty = self.data_type(&parameter.ty, &parameter.dimensions)?;
            if !ty.is_scalar_value() {
                let message = format!("a communication parameter is a single value, not {ty}");
                return self.fail(Diagnostic::error("wrong-type", parameter.ty.span, message));
            }
            types.push(ty);
        }
        Ok(types)
    }

    /// The initial values of all slots of a type.
    pub(super) fn initial_values(
        &mut self,
        ty: &Type,
        initializer: Option<&Initializer>,
        values: &mut Vec<i64>,
    ) -> Parsed<()> {
        if let Some(Initializer::Expr(expr)) = initializer.filter(|_| !ty.is_scalar_value())
            && let Some(copied) = self.constant_values(ty, expr)
        {
            values.extend(copied);
            return Ok(());
        }
        if let Some(parts) = self.initial_parts(ty, initializer)? {
            for (ty, part) in parts {
                self.initial_values(&ty, part, values)?;
            }
            return Ok(());
        }
        let Some(Initializer::Expr(expr)) = initializer else {
            match ty {
                Type::Rational => values.extend([0, 1]),
                _ => values.push(ty.bounds().map_or(0, |(min, max)| 0.clamp(min, max))),
            }
            return Ok(());
        };
        let value = self.without_effects("an initial value", |lowering| lowering.value(expr))?;
        let converted = self.convert(value, ty, expr.span)?;
        match (&self.network.code.nodes[converted].expr, ty) {
            (Code::Rational(value), Type::Rational) => {
                values.extend([value.numerator(), value.denominator()]);
            }
            (Code::Int(value), _) => values.push(*value),
            _ => match self.evaluate(converted) {
                Some(value) if *ty != Type::Rational => {
                    let range = range_of(ty);
                    let fits = |range: Range| (range.min..=range.max).contains(&value);
                    if !range.is_none_or(fits) {
                        let message = format!("{value} is outside the range of {ty}");
                        return self.fail(Diagnostic::error("out-of-range", expr.span, message));
                    }
                    values.push(value);
                }
                _ => {
                    return self.fail(Diagnostic::error(
                        "not-constant",
                        expr.span,
                        "an initial value must be a constant",
                    ));
                }
            },
        }
        Ok(())
    }

    /// The values of a constant array or record, if the expression is one of this type.
    fn constant_values(&mut self, ty: &Type, expr: &crate::syntax::Expr) -> Option<Vec<i64>> {
        let before = std::mem::take(&mut self.diagnostics);
        let denoted = self.denoted(expr);
        self.diagnostics = before;
        let Ok(Denoted::Place(place, other, _)) = denoted else { return None };
        let fixed = place.base == tioga_model::Base::Constant && place.indices.is_empty();
        if !fixed || !same_shape(ty, &other) {
            return None;
        }
        let first = place.offset as usize;
        let length = usize::try_from(ty.slots()).ok()?;
        self.network.code.constants.get(first..first.checked_add(length)?).map(<[i64]>::to_vec)
    }

    /// The value of an expression that calls functions but reads no variable. Without variables
    /// to read, reading one is a fault.
    fn evaluate(&self, expr: tioga_model::ExprId) -> Option<i64> {
        let mut stack = Stack::default();
        Evaluator::reading(&self.network.code, &[], &[], &mut stack).int(expr).ok()
    }

    /// The parts of an array or record with their initializers; `None` for single values.
    pub(super) fn initial_parts<'i>(
        &mut self,
        ty: &Type,
        initializer: Option<&'i Initializer>,
    ) -> Parsed<Option<Parts<'i>>> {
        let parts: Vec<(Option<&str>, &Type)> = match ty {
            Type::Array { element, length, .. } => {
                (0..*length).map(|_| (None, element.as_ref())).collect()
            }
            Type::Record(fields) => {
                fields.iter().map(|(name, ty)| (Some(name.as_str()), ty)).collect()
            }
            _ => {
                if let Some(Initializer::List(_, span)) = initializer {
                    let message = format!("a list cannot initialise {ty}");
                    return self.fail(Diagnostic::error("wrong-type", *span, message));
                }
                return Ok(None);
            }
        };
        let list = match initializer {
            None => None,
            Some(Initializer::List(list, span)) => {
                if list.len() != parts.len() {
                    let message =
                        format!("{} values are needed, {} are given", parts.len(), list.len());
                    return self.fail(Diagnostic::error("wrong-type", *span, message));
                }
                Some(list)
            }
            Some(Initializer::Expr(expr)) => {
                let message = format!("{ty} is initialised with a list in braces");
                return self.fail(Diagnostic::error("wrong-type", expr.span, message));
            }
        };
        let mut result = Vec::new();
        for (position, (name, ty)) in parts.into_iter().enumerate() {
            let part = list.map(|list| {
                let named = list
                    .iter()
                    .find(|(given, _)| given.as_ref().map(|given| given.text.as_str()) == name)
                    .filter(|_| name.is_some());
                &named.unwrap_or(&list[position]).1
            });
            result.push((ty.clone(), part));
        }
        Ok(Some(result))
    }
}

/// How many elements an array has; one for no array.
fn elements(dimensions: &[Dimension]) -> u64 {
    dimensions.iter().fold(1, |count, dimension| u64::from(dimension.length).saturating_mul(count))
}

/// The suffixes `[i][j]` of all elements of an array, in order; one empty suffix for no array.
fn element_suffixes(dimensions: &[Dimension]) -> Vec<String> {
    let mut suffixes = vec![String::new()];
    for dimension in dimensions {
        let mut next = Vec::new();
        for suffix in &suffixes {
            for index in 0..i64::from(dimension.length) {
                next.push(format!("{suffix}[{}]", dimension.first + index));
            }
        }
        suffixes = next;
    }
    suffixes
}

fn push_slots(
    name: &str,
    ty: &Type,
    values: &mut impl Iterator<Item = i64>,
    slots: &mut Vec<Slot>,
) {
    match ty {
        Type::Array { element, first, length, .. } => {
            for index in 0..i64::from(*length) {
                push_slots(&format!("{name}[{}]", first + index), element, values, slots);
            }
        }
        Type::Record(fields) => {
            for (field, ty) in fields {
                push_slots(&format!("{name}.{field}"), ty, values, slots);
            }
        }
        _ => {
            let kind = kind_of(ty);
            for _ in 0..if kind == Kind::Rational { 2 } else { 1 } {
                let initial = values.next().expect("one initial value per slot");
                let name = name.to_owned();
                slots.push(Slot { name, kind, range: range_of(ty), initial });
            }
        }
    }
}
