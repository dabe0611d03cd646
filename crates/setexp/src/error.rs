//! Why an analysis refuses a model.

use thiserror::Error;
use tioga_base::Overflow;

/// Why a model is refused, in words that say what to change.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Refusal {
    /// An automaton was put together wrongly.
    #[error("the automaton is not well formed: {0}")]
    Broken(&'static str),
    /// A number left the range of exact arithmetic.
    #[error("{0}")]
    Overflow(#[from] Overflow),
    /// The model breaks a hypothesis of the method.
    #[error("{0}")]
    Hypothesis(String),
    /// The specification and the purpose do not fit together.
    #[error("{0}")]
    Mismatch(String),
    /// The purpose cannot be reached.
    #[error("{0}")]
    Unreachable(String),
    /// A limit was reached.
    #[error("{0}")]
    Limit(String),
    /// The decision procedure gave up.
    #[error("{0}")]
    Undecided(String),
}
