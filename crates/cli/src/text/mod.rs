//! Results in words and as JSON, made last and never read back.

pub mod assumption;
pub mod calibrate;
pub mod campaign;
pub mod case;
pub mod certify;
pub mod check;
pub mod conform;
pub mod cover;
pub mod determinize;
pub mod diagnostics;
pub mod diagram;
pub mod explain;
pub mod monitor;
pub mod mutants;
pub mod mutation;
pub mod play;
pub mod property;
pub mod reach;
pub mod replay;
pub mod run;
pub mod shrink;
pub mod solve;
pub mod state;
pub mod strategy;
pub mod survey;
