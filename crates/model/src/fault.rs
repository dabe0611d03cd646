//! Faults: what can go wrong while an expression or update of a valid model is evaluated.
//!
//! A fault is a value, not a panic. The caller that enumerates steps is told: a step whose guard or update
//! faults is no step.

use std::fmt;

use thiserror::Error;
use tioga_base::{Diagnostic, Span};

use crate::{Range, STEP_LIMIT};

/// Something went wrong while evaluating, and where.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("{kind}")]
pub struct EvalFault {
    /// What went wrong.
    pub kind: EvalFaultKind,
    /// The expression, or the nearest thing written around it.
    pub span: Span,
}

/// What can go wrong while evaluating.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EvalFaultKind {
    /// A number left 64 bits.
    Overflow,
    /// A division or remainder by zero.
    DivisionByZero,
    /// A value outside the range of the place, parameter or result it was meant for.
    OutOfRange {
        /// The value.
        value: i64,
        /// The admitted values.
        range: Range,
    },
    /// An index outside its array.
    IndexOutOfBounds {
        /// The index.
        index: i64,
        /// The index of the first element.
        first: i64,
        /// The number of elements.
        length: u32,
    },
    /// A clock set to less than zero, in units of `1 / scale`.
    NegativeClock {
        /// The value, as far as it is known without clock values.
        value: i64,
    },
    /// A shift by less than 0 or more than 63 places.
    ShiftRange {
        /// The number of places.
        places: i64,
    },
    /// An evaluation took more than [`STEP_LIMIT`] steps.
    StepLimit,
    /// Calls or expressions nest too deeply.
    StackLimit,
    /// A condition tries to change the data of the state.
    WriteInCondition,
    /// An address outside the data and the stack.
    BadAddress,
}

impl EvalFault {
    /// A fault at a place.
    pub fn new(kind: EvalFaultKind, span: Span) -> Self {
        Self { kind, span }
    }

    /// The fault as an error for the user.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::error("evaluation-fault", self.span, self.kind.to_string())
            .note("a step whose guard or update cannot be evaluated is no step")
    }
}

impl fmt::Display for EvalFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow => f.write_str("a number does not fit in 64 bits"),
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::OutOfRange { value, range } => {
                write!(f, "the value {value} lies outside the range [{},{}]", range.min, range.max)
            }
            Self::IndexOutOfBounds { index, first, length: 0 } => {
                write!(f, "the index {index} (first index {first}) points into an empty array")
            }
            Self::IndexOutOfBounds { index, first, length } => {
                let last = first.saturating_add(i64::from(*length) - 1);
                write!(f, "the index {index} lies outside the array [{first},{last}]")
            }
            Self::NegativeClock { value } => write!(f, "a clock would become negative ({value})"),
            Self::ShiftRange { places } => write!(f, "cannot shift by {places} places"),
            Self::StepLimit => {
                write!(f, "an evaluation takes more than {} steps", STEP_LIMIT)
            }
            Self::StackLimit => f.write_str("calls or expressions nest too deeply"),
            Self::WriteInCondition => f.write_str("a condition changes a variable"),
            Self::BadAddress => f.write_str("a reference points outside the data"),
        }
    }
}
