//! The tests of `tioga-symbolic` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod assumptions;
mod conditional;
mod differences;
mod extent;
mod liveness;
mod places;
mod regions;
mod relevant;
mod support;
mod symmetry;
mod zone_graph;
