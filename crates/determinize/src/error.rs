//! Why there is no deterministic view.

use thiserror::Error;
use tioga_base::{Diagnostics, LimitReached, Span};

/// Why a model was not determinized.
#[derive(Clone, Debug, Error)]
pub enum Error {
    /// States of the model cannot be computed.
    #[error(transparent)]
    Symbolic(#[from] tioga_symbolic::Error),
    /// The model or the resources are beyond what is supported.
    #[error("{0}")]
    Unsupported(String),
    /// Clocks decide that time stands still, in a way that one automaton cannot say.
    #[error("{what}")]
    Urgency {
        /// What cannot be said, and why.
        what: String,
        /// What makes time stand still.
        span: Span,
    },
    /// The game is larger than allowed.
    #[error(transparent)]
    Limit(#[from] LimitReached),
    /// The result does not validate, which is an error in this crate.
    #[error("the deterministic view is not a valid model")]
    Invalid(Diagnostics),
}
