//! The embedded decision procedure, with what was answered before.

use tioga_terms::{Answer, Cached, Decide, Exact, Formula, Interval, Sort, SymbolId, Symbols};

use crate::reason::Reason;

/// How many ranges of values are told apart at most.
const RANGES: usize = 1000;

/// The embedded decision procedure; it remembers its answers.
///
/// Pre: all questions are about the same symbols.
#[derive(Debug)]
pub struct Solver {
    answers: Cached<Exact>,
    exact: Exact,
}

impl Solver {
    /// One that remembers nothing yet.
    pub fn new() -> Self {
        Self { answers: Cached::new(Exact::new()), exact: Exact::new() }
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Decide for Solver {
    fn decide(&mut self, symbols: &Symbols, formula: &Formula) -> Answer {
        self.answers.decide(symbols, formula)
    }
}

impl Reason for Solver {
    fn project(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
        eliminate: &[SymbolId],
    ) -> Result<Formula, String> {
        self.exact.project(symbols, formula, eliminate).map_err(|unknown| unknown.to_string())
    }

    fn ranges(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
        symbol: SymbolId,
    ) -> Result<Vec<Interval>, String> {
        if symbols.sort(symbol) == Sort::Rational {
            return Ok(Vec::new());
        }
        let found = self.exact.solutions(symbols, formula, symbol, RANGES);
        found.map_err(|unknown| unknown.to_string())
    }

    fn simplify(&mut self, symbols: &Symbols, formula: &Formula, given: &Formula) -> Formula {
        self.exact.simplify(symbols, formula, given)
    }
}
