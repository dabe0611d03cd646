//! Questions and objectives.

use tioga_model::{Formula, Measured, Objective, Predicate};

use super::refused::Raised;
use super::tree::{binary, not, tree};
use super::view::View;
use crate::syntax::{self, BinaryOp, Expr, ExprKind, UnaryOp};

impl View<'_> {
    /// A formula.
    pub fn formula(&mut self, formula: &Formula) -> Raised<syntax::Formula> {
        use syntax::Formula as Written;
        Ok(match formula {
            Formula::Reachable(one) => Written::Reachable(self.states(one)?),
            Formula::Always { outside } => {
                let outside = self.states(outside)?;
                Written::Always(match outside.kind {
                    ExprKind::Unary(UnaryOp::Not, inside) => *inside,
                    _ => not(outside),
                })
            }
            Formula::Inevitable(one) => Written::Inevitable(self.states(one)?),
            Formula::Possibly(one) => Written::Possibly(self.states(one)?),
            Formula::LeadsTo(first, then) => {
                Written::LeadsTo(self.states(first)?, self.states(then)?)
            }
            Formula::Control(objective) => Written::Control(self.objective(objective)?),
            Formula::Cooperative(objective) => Written::Cooperative(self.objective(objective)?),
            Formula::Extent { ends, inside, measured } => {
                let always = matches!(inside, Predicate::Holds(condition) if condition.is_always());
                let inside = if always { None } else { Some(self.states(inside)?) };
                let measured =
                    measured.iter().map(|one| self.measured(*one)).collect::<Raised<_>>()?;
                Written::Extent(*ends, inside, measured)
            }
        })
    }

    fn measured(&mut self, measured: Measured) -> Raised<Expr> {
        match measured {
            Measured::Data(expr) => self.value(expr),
            Measured::Time { left, right, offset } => self.clock_sum(left, right, offset),
        }
    }

    fn objective(&mut self, objective: &Objective) -> Raised<syntax::Objective> {
        use syntax::Objective as Written;
        Ok(match objective {
            Objective::Reach(one) => Written::Reach(self.states(one)?),
            Objective::Stay(one) => Written::Stay(self.states(one)?),
            Objective::Until(first, then) => {
                Written::Until(self.states(first)?, self.states(then)?)
            }
            Objective::WeakUntil(first, then) => {
                Written::WeakUntil(self.states(first)?, self.states(then)?)
            }
        })
    }

    fn states(&mut self, predicate: &Predicate) -> Raised<Expr> {
        match predicate {
            Predicate::Holds(condition) => self.predicate(condition),
            Predicate::Deadlock => Ok(tree(ExprKind::Deadlock)),
            Predicate::NoDeadlock => Ok(not(tree(ExprKind::Deadlock))),
            Predicate::Either { dead, alive } => {
                let dead = binary(BinaryOp::And, tree(ExprKind::Deadlock), self.predicate(dead)?);
                let lively = not(tree(ExprKind::Deadlock));
                let alive = binary(BinaryOp::And, lively, self.predicate(alive)?);
                Ok(binary(BinaryOp::Or, dead, alive))
            }
        }
    }
}
