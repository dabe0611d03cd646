//! What stops a run, though the system is not at fault.

use thiserror::Error;
use tioga_base::Overflow;

/// What stops a run, though the system is not at fault.
#[derive(Debug, Error)]
pub enum Error {
    /// Numbers became too large to be exact.
    #[error("the numbers of the run became too large to be exact")]
    Overflow(#[from] Overflow),
    /// A model could not be followed.
    #[error("{0}")]
    Model(#[from] tioga_concrete::Error),
    /// What was observed could not be followed.
    #[error("{0}")]
    Estimate(#[source] tioga_estimate::Error),
    /// Nothing could be written to the listener, so nothing may happen either.
    #[error("the journal cannot be written: {0}")]
    Listener(#[source] std::io::Error),
    /// The run was cancelled.
    #[error("the run was cancelled")]
    Cancelled,
}

impl From<tioga_estimate::Error> for Error {
    fn from(error: tioga_estimate::Error) -> Self {
        match error {
            tioga_estimate::Error::Cancelled => Self::Cancelled,
            error => Self::Estimate(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn every_error_names_its_cause() {
        let full = || std::io::Error::other("the disk is full");
        let listener = Error::Listener(full());
        assert_eq!(listener.to_string(), "the journal cannot be written: the disk is full");
        let causes =
            [Error::from(Overflow), Error::from(tioga_estimate::Error::Overflow), listener];
        let said = causes.map(|error| error.source().map(ToString::to_string));
        let numbers = Some(Overflow.to_string());
        assert_eq!(said, [numbers.clone(), numbers, Some(full().to_string())]);
        assert!(Error::Cancelled.source().is_none());
    }
}
