//! Types, initial values and declarations as written.

use tioga_base::{Rational, Span};
use tioga_model::{Kind, Range, Type};

use super::names::Taken;
use super::tree::{int, name};
use crate::syntax::{
    Declaration, DeclarationKind, Declarator, Expr, ExprKind, Field, Initializer, TypeExpr,
    TypeKind,
};

fn ty(kind: TypeKind) -> TypeExpr {
    TypeExpr { kind, span: Span::default() }
}

/// An array dimension.
pub fn dimension(first: i64, length: u32) -> TypeExpr {
    if first == 0 {
        return ty(TypeKind::Size(Box::new(int(i64::from(length)))));
    }
    range(first, first.saturating_add(i64::from(length) - 1))
}

/// The integers of a range.
pub fn range(min: i64, max: i64) -> TypeExpr {
    ty(TypeKind::Int(Some(Box::new((int(min), int(max))))))
}

/// A type without its outer dimensions, and these. Scalar sets become ranges: their values have no
/// names in a network that could be written.
pub fn split(whole: &Type) -> (TypeExpr, Vec<TypeExpr>) {
    let mut dimensions = Vec::new();
    let mut inner = whole;
    while let Type::Array { element, first, length, .. } = inner {
        dimensions.push(dimension(*first, *length));
        inner = element;
    }
    let kind = match inner {
        Type::Bool => TypeKind::Bool,
        Type::Integer => TypeKind::Integer,
        Type::Rational => TypeKind::Rational,
        Type::Record(fields) => {
            let names = field_names(fields);
            let parts = fields.iter().zip(names).map(|((_, field), text)| {
                let (ty, dimensions) = split(field);
                let (parameters, initializer) = (Vec::new(), None);
                let declarator =
                    Declarator { name: name(text), dimensions, parameters, initializer };
                Field { ty, declarators: vec![declarator] }
            });
            TypeKind::Struct(parts.collect())
        }
        _ if *inner == Type::DEFAULT_INT => TypeKind::Int(None),
        other => {
            let (min, max) = other.bounds().unwrap_or_default();
            return (range(min, max), dimensions);
        }
    };
    (ty(kind), dimensions)
}

/// The type of single values of a kind and range.
pub fn single(kind: Kind, range: Option<Range>) -> Type {
    match (kind, range) {
        (Kind::Bool, _) => Type::Bool,
        (Kind::Rational, _) => Type::Rational,
        (Kind::Int, None) => Type::Integer,
        (Kind::Int, Some(Range { min, max })) => Type::Int { min, max },
    }
}

/// The names of the fields of a record.
pub fn field_names(fields: &[(String, Type)]) -> Vec<String> {
    let mut taken = Taken::default();
    fields.iter().map(|(name, _)| taken.give(name)).collect()
}

/// A constant of a kind.
pub fn constant(kind: Kind, value: i64) -> Expr {
    match kind {
        Kind::Bool => super::tree::tree(ExprKind::Bool(value != 0)),
        _ => int(value),
    }
}

/// The initial value of a variable, unless it has the one it would have anyway.
pub fn initial(whole: &Type, values: &[i64]) -> Option<Initializer> {
    let mut usual = Vec::new();
    defaults(whole, &mut usual);
    (values != usual).then(|| listed(whole, &mut values.iter().copied()))
}

/// The values a type begins with.
fn defaults(ty: &Type, values: &mut Vec<i64>) {
    match ty {
        Type::Array { element, length, .. } => {
            (0..*length).for_each(|_| defaults(element, values));
        }
        Type::Record(fields) => fields.iter().for_each(|(_, field)| defaults(field, values)),
        Type::Rational => values.extend([0, 1]),
        _ => values.push(ty.bounds().map_or(0, |(min, max)| 0.clamp(min, max))),
    }
}

/// Values as a list in braces.
pub fn listed(ty: &Type, values: &mut impl Iterator<Item = i64>) -> Initializer {
    let parts = match ty {
        Type::Array { element, length, .. } => {
            (0..*length).map(|_| (None, listed(element, values))).collect()
        }
        Type::Record(fields) => {
            fields.iter().map(|(_, field)| (None, listed(field, values))).collect()
        }
        _ => return Initializer::Expr(scalar(ty, values)),
    };
    Initializer::List(parts, Span::default())
}

fn scalar(ty: &Type, values: &mut impl Iterator<Item = i64>) -> Expr {
    let value = values.next().unwrap_or_default();
    match ty {
        Type::Bool => constant(Kind::Bool, value),
        Type::Rational => {
            let denominator = values.next().unwrap_or(1);
            super::tree::rational(Rational::new(value, denominator).unwrap_or(Rational::ZERO))
        }
        _ => int(value),
    }
}

/// What a declaration of data begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quality {
    /// Nothing: a variable.
    Plain,
    /// `const`
    Constant,
    /// `param`
    Symbolic,
}

/// A declaration of one name of a data type.
pub fn declaration(
    quality: Quality,
    text: &str,
    whole: &Type,
    initializer: Option<Initializer>,
) -> Declaration {
    let (ty, dimensions) = split(whole);
    let declarator =
        Declarator { name: name(text), dimensions, parameters: Vec::new(), initializer };
    variables(quality, ty, vec![declarator])
}

/// A declaration of names that share a type.
pub fn variables(quality: Quality, ty: TypeExpr, declarators: Vec<Declarator>) -> Declaration {
    let kind = DeclarationKind::Variables {
        constant: quality == Quality::Constant,
        symbolic: quality == Quality::Symbolic,
        meta: false,
        ty,
        declarators,
        condition: None,
    };
    Declaration { kind, span: Span::default() }
}
