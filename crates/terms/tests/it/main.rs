//! The tests of `tioga-terms` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod decide;
mod random;
mod reason;
