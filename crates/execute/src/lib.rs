//! Running tests: a tester, a system, and the time between them.
//!
//! Two sides talk through a [`drive`]r. A [`Tester`] knows what was observed so far, says what to do
//! next, and draws the conclusion; it may be a test case ([`CaseTester`]) or anything else that
//! observes. A [`System`] is what is tested: a process, a connection, or a model ([`ModelSystem`]). It
//! also keeps the time, because that is where time comes from: with *virtual* time the system moves
//! when it is told to, and everything is exact; with *real* time the clock of the machine runs, and
//! what happened when is known within bounds (a [`Moment`](tioga_base::Moment)). This is the division
//! into Tester and Clock-Handler of KHO02: the tester sets what it waits for, and is told what came
//! first, an output or the end of the wait.
//!
//! Whatever happens is an [`Event`], told to a listener (a journal, a reporter) before anybody acts on
//! it. Whatever is wrong with the system is a [`Fault`], which makes the run an error; it never stops
//! the driver.
//!
//! A [`Campaign`] makes many runs. Its [`Journal`] keeps everything that happened, so that whoever is
//! interrupted can [`resume`] it and loses no run that had ended. Afterwards a run can be made again
//! on a [`Stand`] ([`replay_run`]), and a failure be made as short as it gets ([`shrink()`]).
//!
//! What somebody else did is followed by a [`Watcher`], which says of an observation that is not as
//! expected what would have been ([`Finding`]); [`explain()`] does so for the runs of a journal.

mod adapters;
mod campaign;
mod case_tester;
mod checksum;
mod difference;
mod driver;
mod estimating_tester;
mod event;
mod explain;
mod fault;
mod finding;
mod history;
mod journal;
mod journal_reader;
mod kept_system;
mod log;
mod model_system;
mod online_tester;
mod planner;
mod record;
mod replay;
mod script;
mod script_tester;
mod shrink;
mod stall;
mod stand;
mod system;
mod tally;
mod tester;
mod testers;
mod text;
mod watcher;

pub use adapters::{AdapterLimits, connect};
pub use campaign::{Campaign, Reporter, Results, SystemFactory, TesterFactory, resume};
pub use case_tester::CaseTester;
pub use difference::{Difference, first_difference};
pub use driver::{Ending, Listener, RunLimits, drive};
pub use estimating_tester::EstimatingTester;
pub use event::{Event, Outcome};
pub use explain::{ExplainedStep, Explanation, ModelView, RunConclusion, explain, explain_online};
pub use fault::{Fault, FaultKind};
pub use finding::{Deviation, Finding, Limit, Window};
pub use journal::{JOURNAL_FORMAT, JOURNAL_VERSION, Journal, JournalError, is_locked};
pub use journal_reader::{Entry, JournalReader, Runs};
pub use log::{LogError, Logged};
pub use model_system::{ModelSystem, Policy};
pub use online_tester::{OnlineOptions, OnlineTester};
pub use record::{
    Latencies, ModelText, Online, Protocol, REPETITIONS, RunRecord, Settings, TimeBase,
    attempt_seed, run_seed,
};
pub use replay::{Replayed, replay_run};
pub use script::{Script, ScriptInput};
pub use script_tester::{Failure, Oracle, ScriptTester};
pub use shrink::{ShrinkOptions, Shrunk, shrink};
pub use stall::Stall;
pub use stand::Stand;
pub use system::{Alphabet, Carried, Heard, Ignored, System};
pub use tally::{CaseTally, RunSummary, Tally};
pub use tester::{Conclusion, Plan, Tester};
pub use testers::{oracle_for, tester_for};
pub use text::{moment_text, parse_moment, readable, rounded_down, rounded_up};
pub use tioga_estimate::Error as EstimateError;
pub use watcher::{ClockRange, Estimated, LatencyBounds, ModelWatcher, Outlook, Watcher};

/// What stops a run, though the system is not to blame.
#[derive(Debug)]
pub enum Error {
    /// Numbers became too large to be exact.
    Overflow,
    /// A model could not be followed.
    Model(tioga_concrete::Error),
    /// What was observed could not be followed.
    Estimate(tioga_estimate::Error),
    /// Nothing could be written to the listener, so nothing may happen either.
    Listener(std::io::Error),
    /// Somebody asked to stop.
    Cancelled,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Overflow => f.write_str("the numbers of the run became too large to be exact"),
            Self::Model(error) => error.fmt(f),
            Self::Estimate(error) => error.fmt(f),
            Self::Listener(error) => write!(f, "the journal cannot be written: {error}"),
            Self::Cancelled => f.write_str("the run was cancelled"),
        }
    }
}

impl std::error::Error for Error {}

impl From<tioga_base::Overflow> for Error {
    fn from(_: tioga_base::Overflow) -> Self {
        Self::Overflow
    }
}

impl From<tioga_concrete::Error> for Error {
    fn from(error: tioga_concrete::Error) -> Self {
        Self::Model(error)
    }
}

impl From<tioga_estimate::Error> for Error {
    fn from(error: tioga_estimate::Error) -> Self {
        Self::Estimate(error)
    }
}
