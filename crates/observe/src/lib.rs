//! Observations and their meaning.
//!
//! A [`LogReader`] reads the lines of a log in one of several [forms](LogForm), with times of several
//! [kinds](LoggedTime); a [`Logged`] line is an input, an output, or the end of the log. A [`Watcher`]
//! follows observations on a model or a test case. For an unexpected one it gives the expected
//! alternatives ([`Finding`]).
//!
//! A [`History`] keeps the observations of a run, which are judged again if there were scheduling
//! delays; [`Losing`] checks whether lost inputs would explain them.
//!
//! Nothing here reads files or keeps the time: lines and moments are given.

mod csv;
mod finding;
mod history;
mod log;
mod log_form;
mod log_time;
mod watcher;

pub use finding::{ActionWindow, Deviation, Finding, Limit};
pub use history::{History, Losing, Observation, unspecified};
pub use log::{LogError, Logged};
pub use log_form::{FieldMap, LogForm, LogKind, LogLine, LogReader};
pub use log_time::LoggedTime;
pub use watcher::{ClockRange, Estimated, ModelWatcher, Outlook, Watcher};
