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
//! Whatever happens is an [`Event`], told to a listener (a journal, a reporter) before it is acted on.
//! Whatever is wrong with the system is a [`Fault`], which makes the run an error; it never stops the
//! driver.
//!
//! A [`Campaign`] makes many runs. Its [`Journal`] keeps everything that happened, so that an
//! interrupted campaign can be [resumed](Campaign::resume) without losing a run that had ended.
//! Afterwards a run can be made again on a [`Stand`] ([`replay`](Stand::replay)), and a failure be
//! minimised ([`shrink`](Stand::shrink)).
//!
//! The observations of an existing log are followed by a [`ModelWatcher`], which says of an observation
//! that is not as expected what would have been ([`Finding`]); an [`Explanation`] does so for the runs
//! of a journal.
//!
//! # Folders
//!
//! Each imports only those before it: `adapters` (systems) ← `journal` (settings, events, files) ←
//! `testers` ← `run` (driver, campaign) ← `review` (explain, replay, shrink). `error` and `text` come
//! before all of them.

mod adapters;
mod error;
mod journal;
mod review;
mod run;
mod testers;
mod text;

pub use adapters::alphabet::{Alphabet, Carried};
pub use adapters::fault::{Fault, FaultKind};
pub use adapters::limits::AdapterLimits;
pub use adapters::model_system::{ModelSystem, Policy};
pub use adapters::own_moves::WithoutOwnMoves;
#[cfg(unix)]
pub use adapters::process::{Survivor, adopt_orphans, end_descendants, kill_children};
pub use adapters::protocol::{Protocol, TimeBase};
pub use adapters::scheduling_delay::SchedulingDelay;
pub use adapters::system::{Heard, Ignored, System};
pub use adapters::system_ref::SystemRef;
pub use adapters::turns::Turns;
pub use error::Error;
pub use journal::error::JournalError;
pub use journal::event::{Event, Outcome};
pub use journal::format::MUTATION_FORMAT;
pub use journal::log::Logged;
pub use journal::log_form::{FieldMap, LogForm, LogKind, LogLine, LogReader};
pub use journal::log_time::LoggedTime;
pub use journal::reader::JournalReader;
pub use journal::record::RunRecord;
pub use journal::sealed::{SealedLines, is_closed};
pub use journal::sent::{NeverSent, NeverSentValues, SentInputs};
pub use journal::settings::{Latencies, Online, Settings};
pub use journal::writer::Journal;
pub use review::explain::{ExplainedStep, Explanation, RunConclusion};
pub use review::finding::{Deviation, Finding, Limit, Window};
pub use review::replay::Replayed;
pub use review::script_tester::Failure;
pub use review::shrink::{Again, ShrinkOptions, Shrunk};
pub use review::stand::Stand;
pub use review::watcher::{Estimated, LatencyBounds, ModelWatcher};
pub use run::campaign::{Campaign, Reporter};
pub use run::driver::{Ending, RunLimits, drive};
pub use run::kept_system::SystemFactory;
pub use run::round_trips::round_trips;
pub use run::tally::{CaseTally, RunSummary, Tally};
pub use testers::case_tester::CaseTester;
pub use testers::estimating_tester::EstimatingTester;
pub use testers::grid::Grid;
pub use testers::online_tester::{OnlineOptions, OnlineTester};
pub use testers::tester::{Conclusion, Plan, Tester};
pub use tioga_estimate::ModelState;
