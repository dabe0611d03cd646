//! The states that explain the observations.
//!
//! An [`Estimator`] follows the events between a tester and a system: inputs sent, outputs heard,
//! silence. It keeps the exact set of symbolic states, discrete states with zones of clock values,
//! that the system may be in if it behaves like a [`Board`]: a model with all its nondeterminism and
//! silent steps ([`ModelBoard`]), or a test case ([`CaseBoard`]). Nothing is determinized beforehand.
//!
//! # What is explained
//! Inputs and outputs take time between tester and system ([`Latencies`]), and observations of the
//! tester have a [`tioga_base::Moment`]. Observations are *explained* if there are latencies and
//! jitters within their bounds, exact times within the moments, and a run of the board that takes the
//! inputs when they arrive, emits the outputs when they were sent, and does nothing else that would
//! have been seen. If there is no explanation the system failed, or an input was sent that no run
//! accepts ([`Explained`]).
//!
//! # Exactness
//! - With no latency, and with exact moments, the estimate is exact. With latencies and inexact
//!   moments it may include explanations in which an input and an output, seen at overlapping
//!   moments, happened in the other order.
//! - Times that are finer than the unit of zones are exact if all clocks are set together; otherwise they
//!   are rounded to the open interval between two units; see [`Estimator::rounding`].
//!
//! Both favour the system: an exact explanation is always an explanation here.

mod advance;
mod anchor;
mod board;
mod case_board;
mod entry;
mod error;
mod estimator;
mod explain;
mod frame;
mod latency;
mod model_board;
mod node;
mod outlook;
mod report;
mod runs;
mod scaling;
mod settle;
mod upcoming;

pub use board::{Board, BoardLabel, BoardState, BoardStep};
pub use case_board::CaseBoard;
pub use error::Error;
pub use estimator::{Estimator, Explained};
pub use latency::Latencies;
pub use model_board::{ModelBoard, ModelState};
pub use outlook::{End, Expected};
pub use report::{Holds, LatencyBounds, Possible, Sample};
pub use runs::{Certain, ModelRun, RunFinder, RunStep, Seen};
pub use upcoming::Upcoming;
