//! What stops a run, though the system is not at fault.

/// What stops a run, though the system is not to blame.
#[derive(Debug)]
pub enum Error {
    /// Numbers became too large to be exact.
    Overflow,
    /// A model could not be followed.
    Model(tioga_concrete::Error),
    /// What was observed could not be followed.
    Estimate(tioga_estimate::Error),
    /// Nothing could be written to the listener, so nothing may happen either.
    Listener(std::io::Error),
    /// Somebody asked to stop.
    Cancelled,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Overflow => f.write_str("the numbers of the run became too large to be exact"),
            Self::Model(error) => error.fmt(f),
            Self::Estimate(error) => error.fmt(f),
            Self::Listener(error) => write!(f, "the journal cannot be written: {error}"),
            Self::Cancelled => f.write_str("the run was cancelled"),
        }
    }
}

impl std::error::Error for Error {}

impl From<tioga_base::Overflow> for Error {
    fn from(_: tioga_base::Overflow) -> Self {
        Self::Overflow
    }
}

impl From<tioga_concrete::Error> for Error {
    fn from(error: tioga_concrete::Error) -> Self {
        Self::Model(error)
    }
}

impl From<tioga_estimate::Error> for Error {
    fn from(error: tioga_estimate::Error) -> Self {
        Self::Estimate(error)
    }
}
