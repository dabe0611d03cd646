//! The tests of `tioga-viewer` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod files;
mod games;
mod live;
mod made;
mod models;
mod runs;
mod safety;
mod shrink;
mod simulator;
mod states;
