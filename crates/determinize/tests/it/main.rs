//! The tests of `tioga-determinize` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;
mod classes;
mod cut_short;
mod examples;
mod flat;
mod goals;
mod random;
mod support;
mod traces;
