//! Procedures that decide whether a condition can hold, and the values that satisfy it.

use crate::{Assignment, Formula, Symbols};

/// What a decision procedure says about a formula, the ranges of its symbols included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It can hold: with these values of the symbols that occur in it.
    Holds(Assignment),
    /// It cannot hold.
    Never,
    /// Unknown, and why.
    Unknown(String),
}

/// A decision procedure.
pub trait Decide {
    /// Whether a formula can hold, and with which values.
    ///
    /// Post: an assignment has a value for each symbol of the formula, within its range; with it the formula
    /// holds.
    fn decide(&mut self, symbols: &Symbols, formula: &Formula) -> Answer;
}
