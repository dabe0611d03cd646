//! The tests of `tioga-grids` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bounds;
mod boxes;
mod context;
mod figures;
mod purposes;
mod replays;
mod simulation;
mod support;
mod words;
mod zones;
