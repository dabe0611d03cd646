//! Options that say how much patience there is with a system.

use std::time::Duration;

use clap::Args;
use tioga::TimeLimits;

use super::values::duration;

/// How long and how much a system outside of this program may answer.
#[derive(Args, Debug, Default)]
pub struct LimitArgs {
    /// Time limit of an answer, and of reading a message [default: 5s]
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Limits of the system")]
    pub answer_timeout: Option<Duration>,

    /// Time limit of the first answer, with everything a start needs [default: 10s]
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Limits of the system")]
    pub start_timeout: Option<Duration>,

    /// Time limit of the system's end after goodbye [default: 2s]
    #[arg(long, value_name = "DURATION", value_parser = duration, help_heading = "Limits of the system")]
    pub exit_timeout: Option<Duration>,

    /// Maximum of bytes in a line of the system [default: 65536]
    #[arg(long, value_name = "BYTES", help_heading = "Limits of the system")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    pub line_limit: Option<u32>,

    /// Maximum of messages without a pause [default: 10000]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits of the system")]
    pub burst_limit: Option<u64>,
}

impl LimitArgs {
    /// The limits as the library takes them.
    pub fn limits(&self) -> TimeLimits {
        TimeLimits {
            answer: self.answer_timeout,
            start: self.start_timeout,
            exit: self.exit_timeout,
            line: self.line_limit.and_then(|bytes| usize::try_from(bytes).ok()),
            burst: self.burst_limit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tioga_adapters::AdapterLimits;

    #[test]
    fn help_says_the_limits_that_hold_without_options() {
        let limits = AdapterLimits::default();
        assert_eq!(limits.answer, Duration::from_secs(5));
        assert_eq!(limits.start, Duration::from_secs(10));
        assert_eq!(limits.exit, Duration::from_secs(2));
        assert_eq!((limits.line, limits.burst), (65_536, 10_000));
    }
}
