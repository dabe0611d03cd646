//! Why an estimate cannot be computed.

use std::fmt;

use tioga_base::Overflow;

/// Why an estimate cannot be computed. None of these says anything about the observed system.
#[derive(Clone, PartialEq, Debug)]
pub enum Error {
    /// The model cannot be followed symbolically.
    Symbolic(tioga_symbolic::Error),
    /// A latency or jitter is negative.
    Latency(String),
    /// The model uses something that is not supported here.
    Unsupported(String),
    /// An observation lies before one that was reported earlier.
    Backwards,
    /// A time is too large to be counted with.
    Overflow,
    /// More symbolic states were met in one step than the limit says.
    TooMany(usize),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbolic(error) => error.fmt(f),
            Self::Latency(what) | Self::Unsupported(what) => f.write_str(what),
            Self::Backwards => f.write_str("an observation lies before an earlier one"),
            Self::Overflow => Overflow.fmt(f),
            Self::TooMany(limit) => {
                write!(f, "more than {limit} symbolic states explain what was observed")
            }
        }
    }
}

impl std::error::Error for Error {}

impl From<tioga_symbolic::Error> for Error {
    fn from(error: tioga_symbolic::Error) -> Self {
        Self::Symbolic(error)
    }
}

impl From<Overflow> for Error {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}
