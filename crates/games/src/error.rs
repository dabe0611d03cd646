//! Why a game cannot be solved.

use thiserror::Error;

/// Why a game cannot be solved.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Error {
    /// The model uses something that the symbolic engine does not support, or faults.
    #[error(transparent)]
    Symbolic(#[from] tioga_symbolic::Error),
    /// The question does not fit this game.
    #[error("{0}")]
    Refused(String),
}

impl From<tioga_model::EvalFault> for Error {
    fn from(fault: tioga_model::EvalFault) -> Self {
        Self::Symbolic(fault.into())
    }
}
