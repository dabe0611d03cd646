//! What is tested, as the driver sees it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tioga_base::{Cancel, Moment, Rational};
use tioga_testcase::Action;

use crate::fault::Fault;
use crate::scheduling_delay::SchedulingDelay;

/// What came of waiting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// Nothing, up to this moment.
    Nothing {
        /// What the time is now.
        now: Moment,
    },
    /// An output, and nothing before it.
    Output {
        /// When it was seen.
        at: Moment,
        /// What it was.
        action: Action,
    },
}

/// An input that a system did not take.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ignored {
    /// When it was sent.
    pub at: Moment,
    /// What it was.
    pub action: Action,
}

/// A system under test, with its time.
///
/// Times count from the start of the run, in written units of the model. They never go back.
pub trait System {
    /// Begins a run: the system is in its initial state, and the time is zero. The seed is for
    /// systems that make random choices.
    fn begin(&mut self, seed: u64) -> Result<(), Fault>;

    /// Lets the flag end a wait early; for systems that compute what they do, in which a wait may take long.
    fn stop_with(&mut self, _cancel: &Cancel) {}

    /// Whether time is virtual: all moments are exact.
    fn is_exact(&self) -> bool;

    /// What the time is now.
    fn now(&self) -> Moment;

    /// Sends an input now, and says when that was.
    fn send(&mut self, input: &Action) -> Result<Moment, Fault>;

    /// Waits for an output, until this time at most. `awaited` says what the test hopes for, which
    /// only matters to simulated systems with bad intentions.
    fn wait(&mut self, until: Rational, awaited: &[Action]) -> Result<Heard, Fault>;

    /// The scheduling delays of tester and system, as far as they were noticed since this was asked
    /// last in this run; nothing if time does not pass by itself.
    fn scheduling_delays(&mut self) -> Vec<SchedulingDelay> {
        Vec::new()
    }

    /// The first input of this run that the system ignored. Only models know.
    fn ignored(&self) -> Option<Ignored> {
        None
    }

    /// When the system stopped time in this run: nothing was possible, and time could not pass. It stayed where it was.
    /// Only models do that.
    fn stopped(&self) -> Option<Moment> {
        None
    }

    /// How long the answer to the last reset took, with real time and if a reset is a message of its
    /// own.
    fn reset_time(&self) -> Option<Duration> {
        None
    }

    /// Says goodbye after the last run.
    fn finish(&mut self) -> Result<(), Fault>;
}
