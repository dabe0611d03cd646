//! The tests of `tioga-model` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod build;
mod composition;
mod decision;
mod evaluation;
mod validation;
