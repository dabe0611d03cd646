//! Procedures for conditions: the embedded one, and an external solver for conditions that it does not
//! decide.

use tioga_base::Diagnostic;
use tioga_setexp::Solver;
use tioga_terms::{Answer, Decide, Exact, Formula, SymbolId, Symbols};

use crate::Failure;

/// The embedded procedure, and perhaps an external solver.
pub(super) struct Asked {
    exact: Exact,
    external: Option<tioga_smt::Solver>,
}

impl Asked {
    /// With an external solver of this name, which must answer.
    pub(super) fn new(program: Option<&str>) -> Result<Self, Failure> {
        let mut external = program.map(tioga_smt::Solver::new);
        if let Some(solver) = &mut external
            && !solver.works()
        {
            let message = format!("the solver `{}` does not answer", solver.program());
            let help = "install it (z3 and cvc5 are known), or leave out `--solver`: the embedded \
                        procedure decides linear conditions";
            return Err(Diagnostic::global("no-solver", message).help(help).into());
        }
        Ok(Self { exact: Exact::new(), external })
    }
}

impl Decide for Asked {
    fn decide(&mut self, symbols: &Symbols, formula: &Formula) -> Answer {
        match (self.exact.decide(symbols, formula), &mut self.external) {
            (Answer::Unknown(_), Some(external)) => external.decide(symbols, formula),
            (answer, _) => answer,
        }
    }
}

impl Solver for Asked {
    fn project(
        &mut self,
        symbols: &Symbols,
        formula: &Formula,
        eliminate: &[SymbolId],
    ) -> Result<Formula, String> {
        Solver::project(&mut self.exact, symbols, formula, eliminate)
    }

    fn simplify(&mut self, symbols: &Symbols, formula: &Formula, given: &Formula) -> Formula {
        Solver::simplify(&mut self.exact, symbols, formula, given)
    }
}
