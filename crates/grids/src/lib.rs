//! Grid automata (BON09, chapters 3 and 5): timed automata in whole units of time, and their words as tests.
//!
//! An [`Automaton`] has clocks and a context of variables; [`of_model()`] reads one from a model, [`of_purpose`] a
//! test purpose, and [`product()`] restricts one by the other. [`Resolution`] sets the granularity and the bounds
//! of a grid, [`GridAutomaton`] is the grid, and [`Stepper`] walks it without building it. [`words`] are read from
//! the grid under a criterion, as [`TimedWord`]s; [`replay()`] judges an observed run, and [`supports`] lists
//! possible observations. [`hidden_edges`] lists the edges that a granularity hides.

mod advice;
mod automaton;
mod boxes;
mod condition;
mod dot;
mod error;
mod form;
mod grid;
mod key_table;
mod natural;
mod of_expr;
mod of_model;
mod product;
mod replay;
mod resolution;
mod stepper;
mod support;
mod text;
mod timed_word;
pub mod words;

pub use advice::{Advice, advice, hidden_edges};
pub use automaton::{Action, Automaton, Edge, Location, Parameter, Variable};
pub use boxes::{ClockRange, value_of};
pub use condition::Condition;
pub use dot::dot;
pub use error::Error;
pub use form::Form;
pub use grid::{Ends, GridAutomaton, StateIndex, TICK, tick};
pub use natural::Natural;
pub use of_model::{of_model, of_purpose};
pub use product::product;
pub use replay::{Replayed, Verdict, exact_word, path, replay, replay_on, verdict};
pub use resolution::{GridOptions, Resolution};
pub use stepper::{Configuration, Stepper, Values};
pub use support::{SupportOptions, supports};
pub use timed_word::{GridSymbol, Symbol, TimedWord};
