//! Queries: their names and types are checked; what they mean is decided where they are answered.

use tioga_base::{Diagnostics, Severity};

use super::{Lowering, Observer};
use crate::clike::Parsed;
use crate::syntax::{Dialect, Document, Expr, Formula, Objective};

impl<'d> Lowering<'d> {
    /// Checks all queries of the document. A foreign file whose query cannot be understood is still
    /// a model, so there a wrong query is only warned about.
    pub(super) fn queries(&mut self) {
        let document: &'d Document = self.document;
        for query in document.queries() {
            let before = std::mem::take(&mut self.diagnostics);
            let nodes = self.network.code.clone();
            for expr in predicates(&query.formula) {
                // A failed predicate has complained.
                let _ = self.predicate(expr);
            }
            self.network.code = nodes;
            let found = std::mem::replace(&mut self.diagnostics, before);
            self.report(&found);
        }
    }

    fn predicate(&mut self, expr: &Expr) -> Parsed<()> {
        self.observer = Some(Observer { clocks: u32::MAX, slots: u32::MAX });
        let result = self.condition(Some(expr), "a query");
        self.observer = None;
        result.map(|_| ())
    }

    fn report(&mut self, found: &Diagnostics) {
        for diagnostic in found {
            let mut diagnostic = diagnostic.clone();
            if self.document.dialect != Dialect::Tioga && diagnostic.severity == Severity::Error {
                diagnostic.severity = Severity::Warning;
                diagnostic.notes.push("the query is left out".to_owned());
            }
            self.diagnostics.push(diagnostic);
        }
    }
}

/// The state predicates of a formula.
fn predicates(formula: &Formula) -> Vec<&Expr> {
    match formula {
        Formula::Reachable(one)
        | Formula::Always(one)
        | Formula::Inevitable(one)
        | Formula::Possibly(one) => vec![one],
        Formula::LeadsTo(first, then) => vec![first, then],
        Formula::Control(objective) | Formula::Cooperative(objective) => match objective {
            Objective::Reach(one) | Objective::Stay(one) => vec![one],
            Objective::Until(first, then) | Objective::WeakUntil(first, then) => vec![first, then],
        },
        Formula::Other(_) => Vec::new(),
    }
}
