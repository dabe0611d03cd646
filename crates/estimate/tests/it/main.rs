//! The tests of `tioga-estimate` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod against_enumeration;
mod against_follower;
mod against_observer;
mod announced;
mod anywhere;
mod exactness;
mod flat;
mod outlook;
mod runs;
mod small;
mod support;
mod urgency;
