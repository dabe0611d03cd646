//! The tests of `tioga-smt` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod agreement;
mod faults;
#[path = "../../../terms/tests/it/random.rs"]
mod random;
