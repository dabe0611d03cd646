//! The tests of `tioga-machines` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adaptive;
mod bonifacio;
mod exhaustive;
mod formats;
mod support;
mod tables;
