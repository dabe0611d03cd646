//! What decides what to do and what it means.

use tioga_adapters::SchedulingDelay;
use tioga_base::{Cancel, Moment, Rational};
use tioga_testcase::{Action, Verdict};

use crate::error::Error;

/// What to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    /// Send this now.
    Send(Action),
    /// Wait for an output until this time.
    Wait {
        /// Until when, from the start of the run.
        until: Rational,
        /// What is hoped for.
        awaited: Vec<Action>,
    },
    /// Nothing more: the run is over.
    Stop(Conclusion),
}

/// What a run means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conclusion {
    /// The verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: String,
    /// When it was decided, from the start of the run.
    pub at: Rational,
}

/// Something that observes a run and decides what to do.
///
/// Each observation may end the run with a conclusion. Moments come in order.
pub trait Tester {
    /// Lets the flag end a step with [`Error::Cancelled`]; for testers that compute what explains a run, in
    /// which one step may take long.
    fn stop_with(&mut self, _cancel: &Cancel) {}

    /// There was a scheduling delay. Told before the first observation after it was noticed: a message
    /// that was under way meanwhile may have taken longer for it.
    fn scheduling_delay(&mut self, _delay: SchedulingDelay) -> Result<(), Error> {
        Ok(())
    }

    /// Whether the run can no longer pass, because only scheduling delay explains it: it is worth
    /// making again.
    fn relies_on_delay(&self) -> bool {
        false
    }

    /// Whether this input was sent although not every explanation of the run takes it. A model that is run as a system may
    /// be in a state in which it ignores the input, and is not at fault then.
    fn is_guess(&self, _input: &Action) -> bool {
        false
    }

    /// What to do next.
    fn plan(&mut self) -> Result<Plan, Error>;

    /// An input was sent.
    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error>;

    /// An output was seen, and nothing between the last observation and this.
    fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error>;

    /// Nothing was seen up to now.
    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error>;
}
