//! Why an estimate cannot be computed.

use thiserror::Error;
use tioga_base::Overflow;

/// Why an estimate cannot be computed. None of these says anything about the observed system.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Error {
    /// The model cannot be followed symbolically.
    #[error(transparent)]
    Symbolic(#[from] tioga_symbolic::Error),
    /// A latency or jitter is negative.
    #[error("{0}")]
    Latency(String),
    /// The model uses something that is not supported here.
    #[error("{0}")]
    Unsupported(String),
    /// An observation lies before one that was reported earlier.
    #[error("an observation lies before an earlier one")]
    Backwards,
    /// A time is too large to be counted with.
    #[error("{}", Overflow)]
    Overflow,
    /// More symbolic states were met in one step than the limit says.
    #[error("more than {0} symbolic states explain what was observed")]
    TooMany(usize),
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
}

impl From<Overflow> for Error {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

impl Error {
    /// Whether more states explain what was observed than the estimate may hold.
    pub fn is_limit(&self) -> bool {
        matches!(self, Self::TooMany(_))
    }
}
