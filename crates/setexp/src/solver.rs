//! What the stages ask of a decision procedure.

use tioga_terms::{Answer, Assignment, Decide, Exact, Formula, SymbolId, Symbols};

use crate::error::Refusal;

/// A decision procedure that also eliminates symbols.
pub trait Solver: Decide {
    /// The formula that holds exactly where some values of these symbols, within their ranges, make the
    /// given one hold; it does not speak of them.
    ///
    /// # Errors
    /// Why there is no answer.
    fn project(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
        eliminate: &[SymbolId],
    ) -> Result<Formula, String>;

    /// A formula that means the same wherever `given` holds, and is not longer.
    fn simplify(&mut self, symbols: &Symbols, formula: &Formula, given: &Formula) -> Formula;
}

/// Values that make a formula hold, if there are any.
pub fn values(
    solver: &mut dyn Solver,
    symbols: &Symbols,
    formula: &Formula,
) -> Result<Option<Assignment>, Refusal> {
    match solver.decide(symbols, formula) {
        Answer::Holds(values) => Ok(Some(values)),
        Answer::Never => Ok(None),
        Answer::Unknown(why) => Err(Refusal::Undecided(why)),
    }
}

/// Whether a formula can hold.
pub fn possible(
    solver: &mut dyn Solver,
    symbols: &Symbols,
    formula: &Formula,
) -> Result<bool, Refusal> {
    match formula {
        Formula::True => Ok(true),
        Formula::False => Ok(false),
        _ => Ok(values(solver, symbols, formula)?.is_some()),
    }
}

/// Whether one formula holds wherever another does.
pub fn implied(
    solver: &mut dyn Solver,
    symbols: &Symbols,
    premise: &Formula,
    conclusion: &Formula,
) -> Result<bool, Refusal> {
    if premise == conclusion || *conclusion == Formula::True || *premise == Formula::False {
        return Ok(true);
    }
    let against = premise.clone().and(conclusion.negated(symbols)?);
    Ok(!possible(solver, symbols, &against)?)
}

/// What a formula says when some symbols may have any value.
pub fn some(
    solver: &mut dyn Solver,
    symbols: &Symbols,
    formula: &Formula,
    eliminate: &[SymbolId],
) -> Result<Formula, Refusal> {
    let own = formula.symbols();
    if !eliminate.iter().any(|symbol| own.contains(symbol)) {
        return Ok(formula.clone());
    }
    solver.project(symbols, formula, eliminate).map_err(Refusal::Undecided)
}

impl Solver for Exact {
    fn project(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
        eliminate: &[SymbolId],
    ) -> Result<Formula, String> {
        Self::project(self, symbols, formula, eliminate).map_err(|unknown| unknown.to_string())
    }

    fn simplify(&mut self, symbols: &Symbols, formula: &Formula, given: &Formula) -> Formula {
        Self::simplify(self, symbols, formula, given)
    }
}
