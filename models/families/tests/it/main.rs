//! The tests of `tioga-families` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod command;
mod games;
mod layers;
mod members;
