//! Results in words and as JSON, made last and never read back.

pub mod calibrate;
pub mod campaign;
pub mod check;
pub mod conform;
pub mod corpus;
pub mod cover;
pub mod determinize;
pub mod diagnostics;
pub mod diagram;
pub mod diff;
pub mod explain;
pub mod grid;
pub mod machine;
pub mod monitor;
pub mod mutants;
pub mod mutation;
pub mod offer;
pub mod online;
pub mod replay;
pub mod shrink;
pub mod suite;
pub mod symbolic;

pub use tioga_views::results::{
    assumption, case, certify, obstacle, play, property, reach, run, solve, state, strategy, survey,
};
