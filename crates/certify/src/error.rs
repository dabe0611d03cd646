//! Why a check did not pass.

use thiserror::Error;

use tioga_base::Overflow;
use tioga_model::EvalFault;

use crate::Refutation;

/// Why a table, a trap or a test case did not pass.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Error {
    /// It is wrong.
    #[error("{0}")]
    Refuted(Box<Refutation>),
    /// The reference semantics gives no answer.
    #[error(transparent)]
    Semantics(#[from] tioga_concrete::Error),
    /// The model uses something that is not supported.
    #[error("{0}")]
    Unsupported(String),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl From<Overflow> for Error {
    fn from(overflow: Overflow) -> Self {
        Self::Semantics(overflow.into())
    }
}

impl From<EvalFault> for Error {
    fn from(fault: EvalFault) -> Self {
        Self::Semantics(fault.into())
    }
}
