//! The types of data.

use std::fmt;

/// The type of a variable, parameter or expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Truth values, stored as 0 and 1.
    Bool,
    /// Integers of a range, both ends included.
    Int {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// Unbounded integers. Concrete values are limited to 64 bits, with overflow reported.
    Integer,
    /// Rationals, stored in two slots: numerator and denominator in lowest terms.
    Rational,
    /// One of `n` interchangeable values, stored as 0 to `n − 1`; compared and assigned only.
    Scalar {
        /// How many values there are.
        size: i64,
        /// Which scalar set of the network they belong to.
        set: u32,
    },
    /// An array.
    Array {
        /// The type of its elements.
        element: Box<Type>,
        /// The index of its first element.
        first: i64,
        /// The number of its elements.
        length: u32,
        /// The scalar set whose values are its indices, if any.
        set: Option<u32>,
    },
    /// A record.
    Record(Vec<(String, Type)>),
}

impl Type {
    /// UPPAAL's `int` without a range.
    pub const DEFAULT_INT: Self = Self::Int { min: -32768, max: 32767 };

    /// How many data slots a value takes.
    pub fn slots(&self) -> u64 {
        match self {
            Self::Bool | Self::Int { .. } | Self::Integer | Self::Scalar { .. } => 1,
            Self::Rational => 2,
            Self::Array { element, length, .. } => {
                element.slots().saturating_mul(u64::from(*length))
            }
            Self::Record(fields) => {
                fields.iter().fold(0, |sum, (_, field)| sum.saturating_add(field.slots()))
            }
        }
    }

    /// How many types it is made of, itself included.
    pub fn parts(&self) -> u64 {
        match self {
            Self::Array { element, .. } => element.parts().saturating_add(1),
            Self::Record(fields) => {
                fields.iter().fold(1, |sum, (_, field)| field.parts().saturating_add(sum))
            }
            _ => 1,
        }
    }

    /// Whether a value is a single number or truth value.
    pub fn is_scalar_value(&self) -> bool {
        !matches!(self, Self::Array { .. } | Self::Record(_))
    }

    /// The least and greatest value of a finite scalar type.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        match self {
            Self::Bool => Some((0, 1)),
            Self::Int { min, max } => Some((*min, *max)),
            Self::Scalar { size, .. } => Some((0, size - 1)),
            _ => None,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("bool"),
            Self::Int { min, max } => write!(f, "int[{min},{max}]"),
            Self::Integer => f.write_str("integer"),
            Self::Rational => f.write_str("rational"),
            Self::Scalar { size, .. } => write!(f, "scalar[{size}]"),
            Self::Array { element, length, .. } => write!(f, "{element}[{length}]"),
            Self::Record(fields) => {
                f.write_str("struct {")?;
                for (name, ty) in fields {
                    write!(f, " {ty} {name};")?;
                }
                f.write_str(" }")
            }
        }
    }
}
