//! Reference semantics of Tioga over exact rational time.
//!
//! This crate defines the semantics of a model: [`Semantics`] gives, for a [`State`], the allowed
//! delays and steps, exactly, as sets of delays ([`Intervals`]). Everything else is built on that:
//! [`Observer`] follows observations, [`walk()`] makes random runs, a [`Trace`] records a run, and
//! [`replay()`] checks one. The code is meant to be obviously right rather than fast; faster engines
//! are tested against it.
//!
//! Time is in written time units: clock constants of the model divided by its scale.

mod chance;
mod fair;
mod interval;
mod observable;
mod observe;
mod record;
mod replay;
mod state;
mod step;
mod trace;
mod trace_json;
mod trace_text;
mod walk;
mod windows;

pub use chance::Chance;
pub use fair::Fairness;
pub use interval::{Interval, Intervals};
pub use observable::{Observable, Observed};
pub use observe::{Observer, after};
pub use record::{label_of, observable, rational_values, step_record};
pub use replay::{Offer, Replay, ReplayLimits, Stuck, Why, replay};
pub use state::{Error, State};
pub use step::{Allowed, Choice, Lock, Semantics};
pub use trace::{EdgeRecord, Record, StepRecord, TRACE_VERSION, Trace, TraceEvent};
pub use walk::{Walk, WalkOptions, WalkStop, walk};
pub use windows::MovingClocks;
