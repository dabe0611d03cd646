//! How much patience there is with a system.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tioga_base::Cancel;

/// How long and how much a system may answer. What exceeds this is a fault.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AdapterLimits {
    /// How long an answer, or reading a message, may take.
    #[serde(rename = "answer_ns", with = "nanoseconds")]
    pub answer: Duration,
    /// How long the first answer may take, with everything a start needs.
    #[serde(rename = "start_ns", with = "nanoseconds")]
    pub start: Duration,
    /// How long the system may take to end after goodbye.
    #[serde(rename = "exit_ns", with = "nanoseconds")]
    pub exit: Duration,
    /// How many bytes a line may have.
    pub line: usize,
    /// How many outputs may arrive before the tester finds nothing more to read. With virtual time
    /// this matters only where a protocol lets the system say several things at a time.
    pub burst: u64,
    /// Ends every wait for the system early. It belongs to the running program, so it is neither written
    /// nor compared.
    #[serde(skip)]
    pub cancel: Cancel,
}

impl PartialEq for AdapterLimits {
    fn eq(&self, other: &Self) -> bool {
        let settings = |limits: &Self| {
            let Self { answer, start, exit, line, burst, cancel: _ } = limits;
            (*answer, *start, *exit, *line, *burst)
        };
        settings(self) == settings(other)
    }
}

impl Eq for AdapterLimits {}

impl AdapterLimits {
    /// Whether these are the default limits.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for AdapterLimits {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(5),
            start: Duration::from_secs(10),
            exit: Duration::from_secs(2),
            line: 64 * 1024,
            burst: 10_000,
            cancel: Cancel::new(),
        }
    }
}

/// Durations as whole numbers, which journals keep exactly.
mod nanoseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_nanos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written_and_may_be_left_out() {
        let limits = AdapterLimits {
            answer: Duration::from_micros(1_500),
            burst: 7,
            ..AdapterLimits::default()
        };
        let text = serde_json::to_string(&limits).unwrap();
        assert!(text.contains("\"answer_ns\":1500000,"), "{text}");
        assert_eq!(serde_json::from_str::<AdapterLimits>(&text).unwrap(), limits);
        let some: AdapterLimits = serde_json::from_str("{\"burst\":7}").unwrap();
        assert_eq!(some, AdapterLimits { burst: 7, ..AdapterLimits::default() });
        assert!(serde_json::from_str::<AdapterLimits>("{\"brust\":7}").is_err());
    }
}
