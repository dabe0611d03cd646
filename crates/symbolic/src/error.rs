//! Why a model has no zone graph here.

use thiserror::Error;
use tioga_base::StopReason;
use tioga_model::EvalFault;

/// Why symbolic states cannot be computed.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum Error {
    /// An invariant cannot be evaluated.
    #[error(transparent)]
    Fault(#[from] EvalFault),
    /// The model uses something the zone graph does not support.
    #[error("{0}")]
    Unsupported(String),
    /// The work was asked to stop.
    #[error(transparent)]
    Stopped(#[from] StopReason),
}
