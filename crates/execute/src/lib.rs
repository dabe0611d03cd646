//! Running tests: a tester, a system, and the time between them.
//!
//! A [`drive`]r connects two sides. A [`Tester`] keeps the observations so far, decides what to do next,
//! and gives the verdict; it may be a test case ([`CaseTester`]) or any other observer. A
//! [`System`](tioga_adapters::System) is tested. This is the division into Tester and Clock-Handler of
//! KHO02: the tester sets what it waits for, and is told which came first, an output or the end of the
//! wait.
//!
//! Each [`Event`] is passed to a listener (a journal, a reporter) before it takes effect. A
//! [`Fault`](tioga_adapters::Fault) of the system makes the run an error; it never stops the driver.
//!
//! A [`Campaign`] makes many runs. Its [`Journal`] keeps every event, so an interrupted campaign
//! can be [resumed](Campaign::resume) without losing a finished run. Afterwards a run can be
//! explained ([`Explanation`]) or made again on a [`Stand`] ([`replay`](Stand::replay)), and a
//! failure be minimised ([`shrink`](Stand::shrink)).
//!
//! # Folders
//!
//! Each imports only those before it: `journal` (settings, events, files) ← `testers` ← `run` (driver,
//! campaign) ← `review` (explain, replay, shrink). `error` comes before all of them.

mod error;
mod journal;
mod review;
mod run;
mod testers;

pub use error::Error;
pub use journal::coverage::{AimedMutants, LeftOut, OnlineCoverage};
pub use journal::error::JournalError;
pub use journal::event::{Event, Outcome};
pub use journal::format::MUTATION_FORMAT;
pub use journal::reader::JournalReader;
pub use journal::record::RunRecord;
pub use journal::sealed::{SealedLines, is_closed};
pub use journal::sent::{NeverSent, NeverSentValues, SentInputs};
pub use journal::settings::{Online, Settings};
pub use journal::writer::Journal;
pub use review::explain::{ExplainedStep, Explanation, RunConclusion};
pub use review::replay::Replayed;
pub use review::script_tester::RunFailure;
pub use review::shrink::{Again, ShrinkOptions, Shrunk};
pub use review::stand::Stand;
pub use run::campaign::{Campaign, Reporter};
pub use run::driver::{Ending, RunLimits, drive};
pub use run::kept_system::SystemFactory;
pub use run::round_trips::round_trips;
pub use run::tally::{CaseTally, RunSummary, Tally};
pub use testers::case_tester::CaseTester;
pub use testers::estimating_tester::EstimatingTester;
pub use testers::online_tester::{OnlineOptions, OnlineTester};
pub use testers::oracle::Oracle;
pub use testers::tester::{Conclusion, Plan, Tester};
