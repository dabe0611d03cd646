//! The tests of `tioga-execute` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod campaign;
mod environment;
mod explain;
mod fair;
mod jitter;
mod journal;
mod latency;
mod light;
mod repetition;
mod round_trips;
mod same_moment;
mod shrink;
mod silence_and_lateness;
mod small_cases;
mod stalls;
mod support;
mod testers;
mod theorem_28;
