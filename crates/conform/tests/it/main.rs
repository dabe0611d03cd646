//! The tests of `tioga-conform` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod nondeterministic;
mod random;
mod served;
mod support;
mod two_runs;
