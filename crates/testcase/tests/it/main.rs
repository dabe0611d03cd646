//! The tests of `tioga-testcase` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod following;
mod goal;
mod schema;
