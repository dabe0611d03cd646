//! Why a model has no zone graph here.

use std::fmt;

use tioga_model::Fault;

/// Why symbolic states cannot be computed.
#[derive(Clone, PartialEq, Debug)]
pub enum Error {
    /// An invariant cannot be evaluated.
    Fault(Fault),
    /// The model uses something the zone graph does not support.
    Unsupported(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => write!(f, "{}", fault.kind),
            Self::Unsupported(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}
