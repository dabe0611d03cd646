//! The tests of `tioga-setexp` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod build;
mod execution;
mod figures;
mod growth;
mod khoumsi;
mod proposition_4_1;
mod resets;
mod scripts;
mod sptg;
mod stages;
mod verdicts;
