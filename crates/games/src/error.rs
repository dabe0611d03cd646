//! Why a game cannot be solved.

use std::fmt;

/// Why a game cannot be solved.
#[derive(Clone, PartialEq, Debug)]
pub enum Error {
    /// The model uses something that the symbolic engine does not support, or faults.
    Symbolic(tioga_symbolic::Error),
    /// The question makes no sense for this game.
    Refused(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbolic(error) => error.fmt(f),
            Self::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Error {}

impl From<tioga_symbolic::Error> for Error {
    fn from(error: tioga_symbolic::Error) -> Self {
        Self::Symbolic(error)
    }
}

impl From<tioga_model::Fault> for Error {
    fn from(fault: tioga_model::Fault) -> Self {
        Self::Symbolic(fault.into())
    }
}
