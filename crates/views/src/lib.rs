//! Content of fronts: results in words and as JSON, and the views of a page.
//!
//! [`results`] has the output of the commands. The other modules have the content of a page: models, runs in the making,
//! games, test cases and campaigns, as values that are written as JSON. Everything is computed here on request; a page
//! only shows it, and keeps only choices of its own.

pub mod campaign;
pub mod check;
pub mod game;
pub mod kill_matrix;
pub mod model;
pub mod picture;
pub mod play;
pub mod plot;
pub mod query;
pub mod results;
pub mod runs;
pub mod shrink;
pub mod simulation;
pub mod states;
pub mod suite;
