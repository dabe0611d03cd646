//! What fronts show: results in words and as JSON, and the views of a page.
//!
//! [`results`] says what the commands print. The other modules say what a page shows: models, runs in the making, games,
//! test cases and campaigns, as values that are written as JSON. Everything is computed here from what is asked; a page
//! only shows it, and keeps nothing of its own but choices.

pub mod campaign;
pub mod game;
pub mod kill_matrix;
pub mod model;
pub mod picture;
pub mod play;
pub mod plot;
pub mod query;
pub mod results;
pub mod runs;
pub mod simulation;
pub mod suite;
