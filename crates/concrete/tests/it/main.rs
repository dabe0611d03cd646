//! The tests of `tioga-concrete` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod coverage;
mod examples;
mod observing;
mod product;
mod semantics;
mod traces;
mod whole_models;
mod windows_against_sampling;
