//! Which states explain what was observed.
//!
//! An [`Estimator`] follows what happens between a tester and a system: inputs sent, outputs heard,
//! silence. It keeps the exact set of symbolic states, discrete states with zones of clock values,
//! that the system may be in if it behaves like a [`Board`]: a model with all its nondeterminism and
//! silent steps ([`ModelBoard`]), or a test case ([`CaseBoard`]). Nothing is determinized beforehand.
//!
//! # What is explained
//! Tester and system are apart: inputs and outputs take time ([`Latencies`]), and what the tester
//! writes down has a [`tioga_base::Moment`]. Observations are *explained* if there are latencies and
//! jitters within their bounds, exact times within the moments, and a run of the board that takes
//! the inputs when they arrive, emits the outputs when that is when they were seen, and does nothing
//! else that would have been seen. If there is no explanation the system failed, or an input was sent
//! that no run accepts ([`Explained`]).
//!
//! # Exactness
//! - With no latency, and with exact moments, the estimate is exact. With latencies and inexact
//!   moments it may include explanations in which an input and an output, seen at overlapping
//!   moments, happened in the other order.
//! - Times that are finer than zones can count are exact as long as all clocks are set together; otherwise
//!   they are rounded to the open interval between two units, as [`Estimator::rounding`] tells.
//!
//! Both err on the side of the system: what is explained exactly is always explained here.

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
