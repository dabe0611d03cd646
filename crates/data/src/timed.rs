//! Conditions in which clocks are compared with data that is not known: the bounds stay terms.

use tioga_base::{Rational, Span};
use tioga_model::{ClockId, Condition, TimeBound};
use tioga_terms::{Formula, Term};

use crate::interpreter::{Interpreter, Symbolic, Way, clock, padded};

/// `left − right ≤ bound`, or `<` if strict, with a bound in whole time units that may be a term. A missing
/// clock counts as zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedBound {
    /// The clock counted positively.
    pub left: Option<ClockId>,
    /// The clock counted negatively.
    pub right: Option<ClockId>,
    /// Whether equality is excluded.
    pub strict: bool,
    /// The bound.
    pub bound: Term,
}

/// One alternative of a condition: what holds of the data, and what must hold of the clocks.
pub type TimedAlternative = (Formula, Vec<TimedBound>);

impl Interpreter<'_> {
    /// A condition over data and clocks, as [`Interpreter::condition`], but with bounds that may be terms.
    pub fn timed_condition(
        &mut self,
        given: &Formula,
        state: Symbolic<'_>,
        frame: &[Term],
        size: u32,
        condition: &Condition,
        span: Span,
    ) -> Vec<Way<Vec<TimedAlternative>>> {
        let scale = self.network.scale;
        self.alternatives(given, state, padded(frame, size), condition, |run, constraints| {
            let mut clocks = Vec::new();
            for constraint in constraints {
                let mut side = |term| match term {
                    Some(term) => clock(run, term, span).map(Some),
                    None => Ok(None),
                };
                let (left, right) = (side(constraint.left)?, side(constraint.right)?);
                let bound = match constraint.bound {
                    TimeBound::Constant(value) => {
                        Term::number(run.sure(Rational::new(value, scale), span)?)
                    }
                    TimeBound::Expr(expr) => run.term(expr)?,
                };
                clocks.push(TimedBound { left, right, strict: constraint.strict, bound });
            }
            Ok(Some(clocks))
        })
    }
}
