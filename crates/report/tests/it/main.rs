//! The tests of `tioga-report` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod campaign;
mod explained;
mod formats;
mod model_coverage;
mod pictures;
mod plausible;
mod random;
mod texts;
mod timings;
mod ttcn;
