//! The tests of `tioga-certify` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod at_once;
mod case_refutations;
mod cases;
mod corrupted_cases;
mod examples;
mod families;
mod random_cases;
mod random_games;
mod refutations;
mod support;
mod tampering;
mod traps;
mod uncertain;
mod urgent_cases;
