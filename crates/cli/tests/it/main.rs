//! The tests of `tioga-cli` as one executable: one module per behaviour, and what they share.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod architecture;
mod assumptions;
mod bad_input;
mod binary;
mod campaign;
mod car_alarm;
mod certify;
mod command_line;
mod commands;
mod conform;
mod conversion;
mod determinize;
mod explain;
mod games;
mod glossary;
mod goldens;
mod imports;
mod kill;
mod limits;
mod modules;
mod monitor;
mod mutate;
mod options;
mod play;
mod progress;
mod readme;
mod report;
mod run;
mod shrink;
mod solve;
mod soundness;
mod synth;
mod test;
mod ttcn;
mod workspace;
