//! Where one comparison of data decides about a condition.
//!
//! A comparison decides about a condition in a state if the condition holds with one outcome of the comparison and
//! not with the other, everything else being as it is. How near it is to its other outcome is told by the difference
//! of its sides. (Masking modified condition/decision coverage, with boundary values.)

use tioga_base::Span;

use crate::{BinaryOp, Composer, DiscreteState, EvalFault, Expr, ExprId, Kind, Network, UnaryOp};

/// A comparison that decides about a condition, and how near it is to its other outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The condition.
    pub condition: ExprId,
    /// The comparison or truth value in it.
    pub part: ExprId,
    /// How near it is.
    pub margin: Margin,
}

/// How near a comparison is to its other outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Margin {
    /// The left side less the right side.
    Difference(i64),
    /// The truth value itself, where there is nothing to compare.
    Outcome(bool),
}

/// A part of a condition that decides about it in some states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deciding {
    /// The comparison or truth value.
    pub part: ExprId,
    /// Whether the condition holds, where the part decides about it, if the part does.
    pub positive: bool,
}

impl Network {
    /// The parts of a condition that can decide about it. There are none if the condition reads received values,
    /// or has parts that cannot be evaluated in every state.
    pub fn deciding_parts(&self, condition: ExprId) -> Vec<Deciding> {
        let mut found = Vec::new();
        if self.parts(condition, true, &mut found) { found } else { Vec::new() }
    }

    /// Collects parts; whether all of the condition can be evaluated anywhere.
    fn parts(&self, id: ExprId, positive: bool, found: &mut Vec<Deciding>) -> bool {
        match &self.code.nodes[id].expr {
            Expr::Unary(UnaryOp::Not, inner) => self.parts(*inner, !positive, found),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.parts(*left, positive, found) && self.parts(*right, positive, found)
            }
            Expr::Binary(BinaryOp::Imply, left, right) => {
                self.parts(*left, !positive, found) && self.parts(*right, positive, found)
            }
            Expr::Int(_) => true,
            _ => {
                let part = Deciding { part: id, positive };
                if !found.iter().any(|other| other.part == id) {
                    found.push(part);
                }
                self.values(id).is_some()
            }
        }
    }

    /// The least and the greatest value that an expression can have, if it has one in every state.
    fn values(&self, id: ExprId) -> Option<(i64, i64)> {
        self.code.values(id, &|slot| self.slots.get(slot as usize)?.values())
    }

    /// The sides of a comparison of integers.
    fn sides(&self, part: ExprId) -> Option<(BinaryOp, ExprId, ExprId)> {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        match self.code.nodes[part].expr {
            Expr::Binary(op @ (Lt | Le | Eq | Ne | Ge | Gt), left, right)
                if self.code.nodes[left].kind == Kind::Int =>
            {
                Some((op, left, right))
            }
            _ => None,
        }
    }

    /// How near a part can be to its other outcome, each with the outcome it has then: the sides of a comparison
    /// are equal, or differ by one, as far as ranges of variables allow it.
    pub fn margins(&self, part: ExprId) -> Vec<(Margin, bool)> {
        let Some((op, left, right)) = self.sides(part) else {
            return [false, true].map(|outcome| (Margin::Outcome(outcome), outcome)).to_vec();
        };
        let possible = |difference: i64| match (self.values(left), self.values(right)) {
            (Some(left), Some(right)) => {
                left.0.saturating_sub(right.1) <= difference
                    && difference <= left.1.saturating_sub(right.0)
            }
            _ => true,
        };
        let outcome = |difference: i64| match op {
            BinaryOp::Lt => difference < 0,
            BinaryOp::Le => difference <= 0,
            BinaryOp::Eq => difference == 0,
            BinaryOp::Ne => difference != 0,
            BinaryOp::Ge => difference >= 0,
            _ => difference > 0,
        };
        [-1, 0, 1]
            .into_iter()
            .filter(|difference| possible(*difference))
            .map(|difference| (Margin::Difference(difference), outcome(difference)))
            .collect()
    }

    /// A condition that holds where the part decides, as near as said.
    pub(crate) fn decided(&mut self, decision: &Decision) -> ExprId {
        let Decision { condition, part, margin } = *decision;
        let [with, without] = [1, 0].map(|outcome| {
            let outcome = self.code.push(Expr::Int(outcome), Kind::Bool, Span::default());
            self.replaced(condition, part, outcome)
        });
        let decides = self.binary(BinaryOp::Ne, with, without);
        let near = match (margin, self.sides(part)) {
            (Margin::Difference(by), Some((_, left, right))) => {
                let by = self.code.push(Expr::Int(by), Kind::Int, Span::default());
                let sum = Expr::Binary(BinaryOp::Add, right, by);
                let sum = self.code.push(sum, Kind::Int, Span::default());
                self.binary(BinaryOp::Eq, left, sum)
            }
            (Margin::Outcome(false), _) => {
                let not = Expr::Unary(UnaryOp::Not, part);
                self.code.push(not, Kind::Bool, Span::default())
            }
            (Margin::Outcome(true) | Margin::Difference(_), _) => part,
        };
        self.binary(BinaryOp::And, decides, near)
    }

    fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        self.code.push(Expr::Binary(op, left, right), Kind::Bool, Span::default())
    }

    /// A condition with one of its parts replaced.
    fn replaced(&mut self, id: ExprId, part: ExprId, by: ExprId) -> ExprId {
        if id == part {
            return by;
        }
        match self.code.nodes[id].expr {
            Expr::Unary(op @ UnaryOp::Not, inner) => {
                let inner = self.replaced(inner, part, by);
                self.code.push(Expr::Unary(op, inner), Kind::Bool, Span::default())
            }
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Imply), left, right) => {
                let left = self.replaced(left, part, by);
                let right = self.replaced(right, part, by);
                self.binary(op, left, right)
            }
            _ => id,
        }
    }
}

impl Composer<'_> {
    /// Whether a part decides about its condition in a state, as near as said.
    pub fn decides(
        &mut self,
        state: &DiscreteState,
        decision: &Decision,
    ) -> Result<bool, EvalFault> {
        let Decision { condition, part, margin } = *decision;
        let near = match (margin, self.model().sides(part)) {
            (Margin::Difference(by), Some((_, left, right))) => {
                self.value(state, left)?.checked_sub(self.value(state, right)?) == Some(by)
            }
            (margin, _) => margin == Margin::Outcome(self.value(state, part)? != 0),
        };
        Ok(near
            && self.holds_if(state, condition, part, true)?
                != self.holds_if(state, condition, part, false)?)
    }

    /// Whether a condition holds if one of its parts has this outcome.
    fn holds_if(
        &mut self,
        state: &DiscreteState,
        id: ExprId,
        part: ExprId,
        outcome: bool,
    ) -> Result<bool, EvalFault> {
        if id == part {
            return Ok(outcome);
        }
        let model = self.model();
        let mut side = |one| self.holds_if(state, one, part, outcome);
        Ok(match model.code.nodes[id].expr {
            Expr::Unary(UnaryOp::Not, inner) => !side(inner)?,
            Expr::Binary(BinaryOp::And, left, right) => side(left)? && side(right)?,
            Expr::Binary(BinaryOp::Or, left, right) => side(left)? || side(right)?,
            Expr::Binary(BinaryOp::Imply, left, right) => !side(left)? || side(right)?,
            _ => self.value(state, id)? != 0,
        })
    }
}
