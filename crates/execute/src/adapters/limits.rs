//! How much patience there is with a system.

use std::time::Duration;

/// How long and how much a system may answer. What exceeds this is a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AdapterLimits {
    /// How long an answer, or reading a message, may take.
    pub answer: Duration,
    /// How long the first answer may take, with everything a start needs.
    pub start: Duration,
    /// How long the system may take to end after goodbye.
    pub exit: Duration,
    /// How many bytes a line may have.
    pub line: usize,
    /// How many outputs may arrive before the tester finds nothing more to read. Only with real
    /// time: with virtual time the system speaks once for each question.
    pub burst: u64,
}

impl Default for AdapterLimits {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(5),
            start: Duration::from_secs(10),
            exit: Duration::from_secs(2),
            line: 64 * 1024,
            burst: 10_000,
        }
    }
}
