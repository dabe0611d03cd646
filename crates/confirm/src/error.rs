//! Why there is no answer about confirming sequences.

use thiserror::Error;
use tioga_base::{LimitReached, Overflow, Span};
use tioga_zones::OutOfRange;

/// Why there is no answer.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Error {
    /// The model is no machine of this kind, or uses what is not followed.
    #[error("{message}")]
    Unsupported {
        /// What does not fit.
        message: String,
        /// Where it was written.
        span: Span,
    },
    /// Two edges can be taken for one input.
    #[error("the model is not deterministic: in {at}, `{first}` and `{second}` can both be taken")]
    Nondeterministic {
        /// One edge.
        first: String,
        /// The other one.
        second: String,
        /// A configuration in which both can be taken.
        at: String,
        /// Where the second one was written.
        span: Span,
    },
    /// A configuration does not satisfy the invariant of its location.
    #[error("in {0} the invariant does not hold")]
    Invalid(String),
    /// A number is too large.
    #[error("{}", Overflow)]
    Overflow,
    /// A constant is too large for zones.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// The reference semantics gave up.
    #[error(transparent)]
    Semantics(#[from] tioga_concrete::Error),
    /// Stopped by the limits given.
    #[error(transparent)]
    Limit(#[from] LimitReached),
}

impl From<Overflow> for Error {
    fn from(Overflow: Overflow) -> Self {
        Self::Overflow
    }
}

impl Error {
    /// Something that is not followed.
    pub(crate) fn unsupported(message: impl Into<String>, span: Span) -> Self {
        Self::Unsupported { message: message.into(), span }
    }
}
