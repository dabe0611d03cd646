//! The tests of `tioga` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod confirm;
mod data_pairs;
mod diff;
mod ecdar;
mod grids;
mod hidden_cases;
mod pictures;
mod pipeline;
mod relation;
mod suites;
mod symbolic_conforming;
mod timed;
