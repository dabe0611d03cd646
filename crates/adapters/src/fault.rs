//! What can be wrong with a system, other than that it does not conform.

use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Something that makes a run an error.
#[derive(Clone, PartialEq, Eq, Debug, Error, Serialize, Deserialize)]
#[error("{kind}: {evidence}")]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What kind of thing it is.
    pub kind: FaultKind,
    /// What was seen: a line, an exit status, the end of what the system wrote to standard error.
    pub evidence: String,
}

/// Kinds of faults.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// It could not be started or reached.
    Unreachable,
    /// It ended while it was needed.
    Crash,
    /// It closed the connection while it was needed.
    Closed,
    /// It did not answer, or did not read, in time.
    Hang,
    /// It said more than can be.
    Flood,
    /// It broke the protocol.
    Garbage,
    /// It used a name that the test does not know.
    UnknownName,
    /// Its interface is not the one of the test.
    Mismatch,
    /// It did not go back to its start.
    Reset,
    /// It spoke after the end of a run.
    Late,
    /// It reported an error itself.
    Reported,
}

impl Fault {
    /// A fault of this kind.
    pub fn new(kind: FaultKind, evidence: impl Into<String>) -> Self {
        Self { kind, evidence: evidence.into() }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "the system could not be started",
            Self::Crash => "the system crashed",
            Self::Closed => "the system closed the connection",
            Self::Hang => "the system did not answer in time",
            Self::Flood => "the system flooded the tester",
            Self::Garbage => "the system broke the protocol",
            Self::UnknownName => "the system used an unknown name",
            Self::Mismatch => "the system has another interface",
            Self::Reset => "the system did not reset",
            Self::Late => "the system spoke after the end of a run",
            Self::Reported => "the system reported an error",
        })
    }
}
