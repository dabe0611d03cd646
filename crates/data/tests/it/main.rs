//! The tests of `tioga-data` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod against_enumeration;
mod follow;
mod pairs;
mod random;
mod symbolic_code;
