//! Types.

use tioga_base::{Diagnostic, Span};
use tioga_model::Type;

use super::Lowering;
use super::scope::{Dimension, Meaning, Ty};
use crate::clike::Parsed;
use crate::syntax::{ExprKind, Field, Name, TypeExpr, TypeKind};

/// How many slots or elements one declaration may take.
const SIZE_LIMIT: u64 = 1 << 20;

impl Lowering<'_> {
    /// Lowers a type with array dimensions written after the declared name.
    pub(super) fn ty(&mut self, ty: &TypeExpr, dimensions: &[TypeExpr]) -> Parsed<Ty> {
        let mut result = self.base_type(ty)?;
        // The outermost dimension is written first, so it wraps last.
        for dimension in dimensions.iter().rev() {
            let outer @ Dimension { first, length, set } = self.dimension(dimension)?;
            result = match result {
                Ty::Data(element) => {
                    Ty::Data(Type::Array { element: Box::new(element), first, length, set })
                }
                Ty::Clock(mut inner) => {
                    inner.insert(0, outer);
                    Ty::Clock(inner)
                }
                Ty::Channel(channel, mut inner) => {
                    inner.insert(0, outer);
                    Ty::Channel(channel, inner)
                }
                Ty::Void => return self.wrong_type(dimension.span, "an array of nothing"),
            };
            self.check_size(&result, dimension.span)?;
        }
        Ok(result)
    }

    fn check_size(&mut self, ty: &Ty, span: Span) -> Parsed<()> {
        let size = match ty {
            Ty::Data(ty) => ty.slots(),
            Ty::Clock(dimensions) | Ty::Channel(_, dimensions) => dimensions
                .iter()
                .fold(1, |size, dimension| u64::saturating_mul(size, u64::from(dimension.length))),
            Ty::Void => 0,
        };
        if size > SIZE_LIMIT {
            let message = format!("this array has {size} elements; the limit is {SIZE_LIMIT}");
            return self.fail(Diagnostic::error("too-large", span, message));
        }
        Ok(())
    }

    /// Lowers the type of data; complains about clocks, channels and `void`.
    pub(super) fn data_type(&mut self, ty: &TypeExpr, dimensions: &[TypeExpr]) -> Parsed<Type> {
        match self.ty(ty, dimensions)? {
            Ty::Data(ty) => Ok(ty),
            Ty::Clock(_) => self.wrong_type(ty.span, "a clock"),
            Ty::Channel(..) => self.wrong_type(ty.span, "a channel"),
            Ty::Void => self.wrong_type(ty.span, "`void`"),
        }
    }

    fn wrong_type<T>(&mut self, span: Span, found: &str) -> Parsed<T> {
        let message = format!("a data type is needed here, not {found}");
        self.fail(Diagnostic::error("wrong-type", span, message))
    }

    fn base_type(&mut self, ty: &TypeExpr) -> Parsed<Ty> {
        Ok(match &ty.kind {
            TypeKind::Bool => Ty::Data(Type::Bool),
            TypeKind::Int(None) => Ty::Data(Type::DEFAULT_INT),
            TypeKind::Int(Some(range)) => {
                let min = self.constant_int(&range.0, "the lower end of a range")?;
                let max = self.constant_int(&range.1, "the upper end of a range")?;
                if min > max {
                    let message = format!("the range from {min} to {max} is empty");
                    return self.fail(Diagnostic::error("empty-range", ty.span, message));
                }
                Ty::Data(Type::Int { min, max })
            }
            TypeKind::Integer => Ty::Data(Type::Integer),
            TypeKind::Rational => Ty::Data(Type::Rational),
            TypeKind::Clock => Ty::Clock(Vec::new()),
            TypeKind::Channel(channel) => Ty::Channel(*channel, Vec::new()),
            TypeKind::Scalar(size) => {
                let value = self.constant_int(size, "the size of a scalar set")?;
                if value < 1 {
                    let message = format!("a scalar set needs at least one value, not {value}");
                    return self.fail(Diagnostic::error("empty-range", size.span, message));
                }
                let set = self.network.scalars.add(value);
                Ty::Data(Type::Scalar { size: value, set })
            }
            TypeKind::Struct(fields) if fields.is_empty() => {
                let message = "a record needs at least one field";
                return self.fail(Diagnostic::error("wrong-type", ty.span, message));
            }
            TypeKind::Struct(fields) => Ty::Data(self.record(fields)?),
            TypeKind::Named(name) => self.named_type(name)?,
            TypeKind::Void => Ty::Void,
            TypeKind::Size(size) => return self.wrong_type(size.span, "a size"),
        })
    }

    fn named_type(&mut self, name: &Name) -> Parsed<Ty> {
        match self.scopes.find(&name.text).map(|symbol| &symbol.meaning) {
            Some(Meaning::Type(Ty::Data(ty))) => {
                let ty = ty.clone();
                self.limit_type(ty.parts(), name.span)?;
                Ok(Ty::Data(ty))
            }
            Some(Meaning::Type(ty)) => Ok(ty.clone()),
            Some(other) => {
                let message = format!("`{}` is {}, not a type", name.text, other.describe());
                self.fail(Diagnostic::error("wrong-type", name.span, message))
            }
            None if self.failed_names.contains(&name.text) => Err(crate::clike::Failed),
            None => {
                let mut known = self.scopes.names(|meaning| matches!(meaning, Meaning::Type(_)));
                known.extend(["int", "bool", "clock", "chan"]);
                let message = format!("unknown type `{}`", name.text);
                let diagnostic = Diagnostic::error("unknown-name", name.span, message)
                    .suggest(name.span, &name.text, known);
                self.fail(diagnostic)
            }
        }
    }

    fn record(&mut self, fields: &[Field]) -> Parsed<Type> {
        let mut lowered: Vec<(String, Type)> = Vec::new();
        for field in fields {
            for declarator in &field.declarators {
                let ty = self.data_type(&field.ty, &declarator.dimensions)?;
                let name = &declarator.name;
                if lowered.iter().any(|(earlier, _)| *earlier == name.text) {
                    let message = format!("the field `{}` is declared twice", name.text);
                    return self.fail(Diagnostic::error("duplicate-name", name.span, message));
                }
                let span = name.span;
                lowered.push((name.text.clone(), ty));
                let slots =
                    lowered.iter().fold(0, |sum: u64, (_, ty)| sum.saturating_add(ty.slots()));
                if slots > SIZE_LIMIT {
                    let message =
                        format!("this record has {slots} slots; the limit is {SIZE_LIMIT}");
                    return self.fail(Diagnostic::error("too-large", span, message));
                }
            }
        }
        Ok(Type::Record(lowered))
    }

    /// Lowers an array dimension: a size, or a finite type whose values are the indices.
    fn dimension(&mut self, dimension: &TypeExpr) -> Parsed<Dimension> {
        let index_type = match &dimension.kind {
            TypeKind::Size(size) => match &size.kind {
                ExprKind::Name(name) if self.is_type(name) => {
                    Some(self.named_type(&Name::new(name, size.span))?)
                }
                _ => None,
            },
            _ => Some(self.base_type(dimension)?),
        };
        let set = match &index_type {
            Some(Ty::Data(Type::Scalar { set, .. })) => Some(*set),
            _ => None,
        };
        let (first, length) = match (index_type, &dimension.kind) {
            (Some(Ty::Data(ty)), _) => match ty.bounds() {
                Some((min, max)) => (min, max.checked_sub(min).and_then(|d| d.checked_add(1))),
                None => return self.wrong_type(dimension.span, "an unbounded index"),
            },
            (None, TypeKind::Size(size)) => {
                (0, Some(self.constant_int(size, "the size of an array")?))
            }
            _ => return self.wrong_type(dimension.span, "this index"),
        };
        let size = length.unwrap_or(i64::MAX);
        match u32::try_from(size) {
            Ok(length) if length > 0 && u64::from(length) <= SIZE_LIMIT => {
                Ok(Dimension { first, length, set })
            }
            _ if size < 1 => {
                let message = format!("an array needs at least one element, not {size}");
                self.fail(Diagnostic::error("empty-range", dimension.span, message))
            }
            _ => {
                let message = format!("this array has {size} elements; the limit is {SIZE_LIMIT}");
                self.fail(Diagnostic::error("too-large", dimension.span, message))
            }
        }
    }

    pub(super) fn is_type(&self, name: &str) -> bool {
        matches!(self.scopes.find(name).map(|symbol| &symbol.meaning), Some(Meaning::Type(_)))
    }

    /// The values of a finite type of single values; complains about others.
    pub(super) fn finite_values(
        &mut self,
        ty: &TypeExpr,
        what: &str,
    ) -> Parsed<(Type, std::ops::RangeInclusive<i64>)> {
        let lowered = self.data_type(ty, &[])?;
        match lowered.bounds() {
            Some((min, max)) => Ok((lowered, min..=max)),
            None => {
                let message = format!("{what} needs a finite type, not {lowered}");
                let mut found = Diagnostic::error("wrong-type", ty.span, message);
                if what == "a choice" {
                    found = found.help("`tioga symbolic` follows such values of outputs");
                }
                self.fail(found)
            }
        }
    }
}
