//! The tests of `tioga-synthesize` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod drawn;
mod random;
mod soundness;
mod support;
mod uncertain;
mod urgency;
