//! Checking test cases, side by side with the models they were made from.

mod advice;
mod bound;
mod check;
mod every_run;
mod form;
mod hope;
mod joint;
mod labels;
mod look;
mod observed;
mod own_game;
mod place;
mod plays;
mod random_play;
mod ranking;
mod scout;
mod steps;
mod summary;
mod verdict;

pub use check::{check_case, check_case_of_view, start_rank};
pub use observed::check_observed;
pub use plays::{Judge, Played, check_plays};
