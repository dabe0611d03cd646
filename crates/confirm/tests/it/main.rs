//! The tests of `tioga-confirm` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod properties;
mod random;
mod reaching;
mod rules;
mod support;
mod thesis;
