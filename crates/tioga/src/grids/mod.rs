//! Grids of timed automata: from a model, perhaps with a purpose, to a grid, its hidden edges, its words,
//! runs replayed on it, and test cases of its words.

mod automata;
mod build;
mod cases;
mod certified;
mod complaint;
mod judged;
mod suite;

pub use automata::{GridModel, grid_model, grid_purpose, grid_purposes};
pub use build::{
    DEFAULT_GRID_STATES, Hidden, HiddenBy, build_grid, count_words, grid_advice, grid_resolution,
    hidden, word_graph,
};
pub(crate) use cases::{NoCase, Provenance, timed_case};
pub(crate) use certified::{Passes, flaw, is_grid_case};
pub(crate) use complaint::complaint;
pub use judged::{Judged, JudgedRun, judge, read_words, test_supports};
pub use suite::{GridSuite, GridSuiteOptions, grid_suite};
