//! The tests of `tioga-zones` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod abstractions;
mod federations;
mod reference;
mod zone_operations;
