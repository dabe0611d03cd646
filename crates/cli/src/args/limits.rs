//! Options that say how much patience there is with a system.

use std::time::Duration;

use clap::Args;
use tioga_execute::AdapterLimits;

use super::run::duration;

/// How long and how much a system outside of this program may answer.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Limits of the system")]
pub struct LimitArgs {
    /// How long an answer, or reading a message, may take [default: 5s]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub answer_timeout: Option<Duration>,

    /// How long the first answer may take, with everything a start needs [default: 10s]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub start_timeout: Option<Duration>,

    /// How long the system may take to end after goodbye [default: 2s]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub exit_timeout: Option<Duration>,

    /// How many bytes a line of the system may have [default: 65536]
    #[arg(long, value_name = "BYTES")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 30))]
    pub line_limit: Option<u32>,

    /// How many messages the system may send without a pause [default: 10000]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub burst_limit: Option<u64>,
}

impl LimitArgs {
    /// Whether none is given.
    pub fn is_empty(&self) -> bool {
        let Self { answer_timeout, start_timeout, exit_timeout, line_limit, burst_limit } = self;
        [answer_timeout, start_timeout, exit_timeout].into_iter().all(Option::is_none)
            && line_limit.is_none()
            && burst_limit.is_none()
    }

    /// Sets the limits that are given, and leaves the others.
    pub fn apply(&self, limits: &mut AdapterLimits) {
        let line = self.line_limit.and_then(|bytes| usize::try_from(bytes).ok());
        *limits = AdapterLimits {
            answer: self.answer_timeout.unwrap_or(limits.answer),
            start: self.start_timeout.unwrap_or(limits.start),
            exit: self.exit_timeout.unwrap_or(limits.exit),
            line: line.unwrap_or(limits.line),
            burst: self.burst_limit.unwrap_or(limits.burst),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_says_the_limits_that_hold_without_options() {
        let limits = AdapterLimits::default();
        assert_eq!(limits.answer, Duration::from_secs(5));
        assert_eq!(limits.start, Duration::from_secs(10));
        assert_eq!(limits.exit, Duration::from_secs(2));
        assert_eq!((limits.line, limits.burst), (65_536, 10_000));
    }

    #[test]
    fn what_is_not_given_stays() {
        let usual = AdapterLimits::default();
        let mut limits = AdapterLimits { burst: 3, ..usual.clone() };
        LimitArgs::default().apply(&mut limits);
        assert_eq!(limits, AdapterLimits { burst: 3, ..usual.clone() });
        let args = LimitArgs { line_limit: Some(9), ..LimitArgs::default() };
        assert!(LimitArgs::default().is_empty() && !args.is_empty());
        args.apply(&mut limits);
        assert_eq!(limits, AdapterLimits { burst: 3, line: 9, ..usual });
    }
}
