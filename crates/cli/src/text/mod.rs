//! Results in words and as JSON, made last and never read back.

pub mod assumption;
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
pub mod obstacle;
pub mod property;
pub mod replay;
pub mod shrink;
pub mod suite;
pub mod survey;
pub mod symbolic;

pub use tioga_views::results::{case, certify, play, reach, run, solve, state, strategy};
