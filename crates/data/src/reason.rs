//! What the classes need of a decision procedure: yes or no, or the reason why it is unknown.

use tioga_base::Rational;
use tioga_terms::{Answer, Assignment, Decide, Formula, Interval, SymbolId, Symbols};

/// A decision procedure that also eliminates symbols.
pub trait Reason: Decide {
    /// The formula that holds exactly where some values of these symbols, within their ranges, make the given
    /// one hold; it does not speak of them.
    ///
    /// # Errors
    /// Why it is unknown.
    fn project(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
        eliminate: &[SymbolId],
    ) -> Result<Formula, String>;

    /// The values of an integer symbol with which a formula of this symbol alone holds: ranges in order.
    ///
    /// # Errors
    /// Why it is unknown.
    fn ranges(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
        symbol: SymbolId,
    ) -> Result<Vec<Interval>, String>;

    /// A formula that means the same wherever `given` holds, and is not longer.
    fn simplify(&mut self, symbols: &Symbols, formula: &Formula, given: &Formula) -> Formula;
}

/// Asks and remembers nothing.
pub(crate) struct Asking<'a, R: ?Sized> {
    pub(crate) symbols: &'a Symbols,
    pub(crate) solver: &'a mut R,
}

impl<R: Reason + ?Sized> Asking<'_, R> {
    /// Whether a formula can hold.
    pub(crate) fn possible(&mut self, formula: &Formula) -> Result<bool, String> {
        match self.solver.decide(self.symbols, formula) {
            Answer::Holds(_) => Ok(true),
            Answer::Never => Ok(false),
            Answer::Unknown(why) => Err(why),
        }
    }

    /// Whether a formula holds wherever `given` does (true), nowhere there (false), or neither.
    pub(crate) fn decided(
        &mut self,
        given: &Formula,
        formula: &Formula,
    ) -> Result<Option<bool>, String> {
        match formula {
            Formula::True => return Ok(Some(true)),
            Formula::False => return Ok(Some(false)),
            _ => {}
        }
        if !self.possible(&given.clone().and(formula.clone()))? {
            return Ok(Some(false));
        }
        let opposite = self.opposite(formula)?;
        let always = !self.possible(&given.clone().and(opposite))?;
        Ok(always.then_some(true))
    }

    pub(crate) fn opposite(&self, formula: &Formula) -> Result<Formula, String> {
        formula.negated(self.symbols).map_err(|_| overflow())
    }

    /// Values of some symbols, with those of the others given.
    pub(crate) fn values(
        &mut self,
        formula: &Formula,
        known: &Assignment,
        wanted: &[SymbolId],
    ) -> Result<Option<Vec<Rational>>, String> {
        let with = |symbol| known.get(symbol).map(tioga_terms::Term::number);
        let left = formula.substitute(self.symbols, &with).map_err(|_| overflow())?;
        let found = match self.solver.decide(self.symbols, &left) {
            Answer::Holds(found) => found,
            Answer::Never => return Ok(None),
            Answer::Unknown(why) => return Err(why),
        };
        let value = |symbol: &SymbolId| {
            let least = self.symbols[*symbol].low.unwrap_or(0);
            found.get(*symbol).unwrap_or(Rational::from(least))
        };
        Ok(Some(wanted.iter().map(value).collect()))
    }
}

pub(crate) fn overflow() -> String {
    "a number does not fit in 64 bits".to_owned()
}
