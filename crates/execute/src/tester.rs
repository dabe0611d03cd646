//! Who decides what to do and what it means.

use tioga_base::{Moment, Rational};
use tioga_testcase::{Action, Verdict};

use crate::Error;

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
    /// By how much the machine was late at worst in this run so far. Told before an observation if it
    /// is more than before: whatever was under way meanwhile may have taken longer for it.
    fn late(&mut self, _by: Rational) {}

    /// What to do next.
    fn plan(&mut self) -> Result<Plan, Error>;

    /// An input was sent.
    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error>;

    /// An output was seen, and nothing between the last observation and this.
    fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error>;

    /// Nothing was seen up to now.
    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error>;
}
