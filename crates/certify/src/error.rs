//! Why a check did not pass.

use std::fmt;

use tioga_base::Overflow;
use tioga_model::Fault;

use crate::Refutation;

/// Why a table, a trap or a test case did not pass.
#[derive(Clone, PartialEq, Debug)]
pub enum Error {
    /// It is wrong.
    Refuted(Box<Refutation>),
    /// The reference semantics gives no answer.
    Semantics(tioga_concrete::Error),
    /// The model uses something that is not supported.
    Unsupported(String),
    /// Somebody cancelled.
    Cancelled,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refuted(refutation) => refutation.fmt(f),
            Self::Semantics(error) => error.fmt(f),
            Self::Unsupported(what) => f.write_str(what),
            Self::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl std::error::Error for Error {}

impl From<tioga_concrete::Error> for Error {
    fn from(error: tioga_concrete::Error) -> Self {
        Self::Semantics(error)
    }
}

impl From<Overflow> for Error {
    fn from(overflow: Overflow) -> Self {
        Self::Semantics(overflow.into())
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Semantics(fault.into())
    }
}
