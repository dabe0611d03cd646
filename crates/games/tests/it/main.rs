//! The tests of `tioga-games` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod against_regions;
mod avoiding_ties;
mod random;
mod reference;
mod small_games;
mod support;
mod worked_examples;
