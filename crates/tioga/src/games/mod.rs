//! Timed games: questions, answers, the cooperation needed, and games against a policy that plays
//! the system.

mod luck;
mod observation;
pub mod opponent;
pub mod play;
mod question;
mod solve;
mod state;

pub use luck::{IntendedPlan, plan};
pub(crate) use observation::is_clear;
pub(crate) use observation::is_plain;
pub use observation::{
    Observation, observation, observation_limits, observed, require_observation,
};
pub use question::{Question, questions};
pub(crate) use solve::classes;
pub use solve::{
    Answered, Checked, GameOptions, Thoroughness, data_view, solve, solved, standings, terms,
};
pub use state::parse_state;
