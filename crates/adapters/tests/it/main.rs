//! The tests of `tioga-adapters` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adapters;
mod dialects;
mod faults;
mod tron_clock;
