//! What happens in a run, for journals and reporters.

use std::fmt;

use serde::{Deserialize, Serialize};
use tioga_adapters::{Fault, Ignored, SchedulingDelay};
use tioga_base::{Moment, Rational};
use tioga_testcase::{Action, Verdict};

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event", deny_unknown_fields)]
pub enum Event {
    /// A run begins.
    Begin {
        /// The name of its test case.
        case: String,
        /// The seed of its choices.
        seed: u64,
    },
    /// An input is about to be sent. Told with real time only, where the moment is not known yet.
    Sending {
        /// What.
        action: Action,
    },
    /// An input was sent.
    Sent {
        /// When.
        at: Moment,
        /// What.
        action: Action,
    },
    /// An output was seen.
    Heard {
        /// When.
        at: Moment,
        /// What.
        action: Action,
    },
    /// Nothing was seen up to this moment.
    Quiet {
        /// Which moment.
        now: Moment,
    },
    /// Something is wrong with the system; the run ends.
    Fault {
        /// When.
        at: Moment,
        /// What.
        fault: Fault,
    },
    /// A run is over.
    End {
        /// What it means.
        outcome: Outcome,
        /// Why.
        reason: String,
        /// When it was over.
        at: Moment,
        /// The longest scheduling delay of tester or system, with real time.
        #[serde(rename = "lateness", default = "zero", skip_serializing_if = "is_zero")]
        longest_delay: Rational,
        /// The first input that the system ignored, if it is a model that did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ignored: Option<Ignored>,
        /// When the system stopped time, if it is a model that did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stopped: Option<Moment>,
        /// The scheduling delays, if they mattered to the verdict: the longest, in order.
        #[serde(rename = "stalls", default, skip_serializing_if = "Vec::is_empty")]
        delays: Vec<SchedulingDelay>,
    },
}

impl Event {
    /// When it was, as far as that is known.
    pub fn at(&self) -> Option<Moment> {
        match self {
            Self::Begin { .. } | Self::Sending { .. } => None,
            Self::Quiet { now: at }
            | Self::Sent { at, .. }
            | Self::Heard { at, .. }
            | Self::Fault { at, .. }
            | Self::End { at, .. } => Some(*at),
        }
    }
}

fn zero() -> Rational {
    Rational::ZERO
}

fn is_zero(time: &Rational) -> bool {
    time.is_zero()
}

/// What a run means, faults included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The purpose was reached, and everything conformed.
    Pass,
    /// Everything conformed, but the purpose was not reached.
    Inconclusive,
    /// Something happened that the specification does not allow.
    Fail,
    /// Something is wrong with the system or with the connection to it.
    Error,
}

impl Outcome {
    /// All outcomes, from good to bad.
    pub const ALL: [Self; 4] = [Self::Pass, Self::Inconclusive, Self::Fail, Self::Error];

    /// The worst of some outcomes: a failure is worse than an error, because it is about the system.
    pub fn worst_of(outcomes: impl Iterator<Item = Self>) -> Option<Self> {
        outcomes.max_by_key(|outcome| match outcome {
            Self::Pass => 0,
            Self::Inconclusive => 1,
            Self::Error => 2,
            Self::Fail => 3,
        })
    }
}

impl From<Verdict> for Outcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Fail => Self::Fail,
            // Whether the purpose was reached is not known; the reason says more.
            Verdict::Uncertain | Verdict::Inconclusive => Self::Inconclusive,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pass => "pass",
            Self::Inconclusive => "inconclusive",
            Self::Fail => "fail",
            Self::Error => "error",
        })
    }
}
