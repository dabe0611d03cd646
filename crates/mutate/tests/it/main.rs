//! The tests of `tioga-mutate` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod completion;
mod operators;
mod properties;
mod stuck;
