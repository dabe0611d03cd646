//! Why there is no deterministic view.

use std::fmt;

use tioga_base::{Diagnostics, LimitReached};

/// Why a model was not determinized.
#[derive(Clone, Debug)]
pub enum Error {
    /// States of the model cannot be computed.
    Symbolic(tioga_symbolic::Error),
    /// The model or the resources are beyond what is supported.
    Unsupported(String),
    /// The game is larger than allowed.
    Limit(LimitReached),
    /// The result does not validate, which is an error in this crate.
    Invalid(Diagnostics),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbolic(error) => write!(f, "{error}"),
            Self::Unsupported(what) => f.write_str(what),
            Self::Limit(limit) => write!(f, "{limit}"),
            Self::Invalid(_) => f.write_str("the deterministic view is not a valid model"),
        }
    }
}

impl std::error::Error for Error {}

impl From<tioga_symbolic::Error> for Error {
    fn from(error: tioga_symbolic::Error) -> Self {
        Self::Symbolic(error)
    }
}

impl From<LimitReached> for Error {
    fn from(limit: LimitReached) -> Self {
        Self::Limit(limit)
    }
}
