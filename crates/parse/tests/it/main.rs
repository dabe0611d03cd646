//! The tests of `tioga-parse` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod build;
mod common;
mod conditional_resets;
mod conversion;
mod foreign;
mod language;
mod lower;
mod lower_limits;
mod lower_tioga;
mod properties;
mod raise;
mod raise_random;
mod setters;
mod shared_models;
mod tchecker_print;
mod tchecker_read;
mod uppaal_print;
mod uppaal_read;
mod uppaal_robust;
