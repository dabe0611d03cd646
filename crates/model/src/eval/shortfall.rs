//! How far a condition is from holding: how many of its parts are false.
//!
//! A guess for searches that want to meet a condition soon, nothing more: zero exactly if the
//! condition holds, and otherwise the number of conjuncts that do not, of the best disjunct.

use super::{Evaluator, Result};
use crate::{BinaryOp, Expr, ExprId, Quantifier, UnaryOp};

impl Evaluator<'_> {
    /// How many parts of a condition are false.
    pub fn shortfall(&mut self, expr: ExprId) -> Result<u32> {
        let code = self.code;
        match &code.nodes[expr].expr {
            Expr::Binary(BinaryOp::And, left, right) => {
                let left = self.shortfall(*left)?;
                Ok(left.saturating_add(self.shortfall(*right)?))
            }
            Expr::Binary(BinaryOp::Or, left, right) => {
                let left = self.shortfall(*left)?;
                if left == 0 { Ok(0) } else { Ok(left.min(self.shortfall(*right)?)) }
            }
            Expr::Binary(BinaryOp::Imply, left, right) => {
                if self.truth(*left)? {
                    self.shortfall(*right)
                } else {
                    Ok(0)
                }
            }
            Expr::Unary(UnaryOp::Plus, inner) => self.shortfall(*inner),
            Expr::Quantified(quantifier, slot, range, body)
                if matches!(quantifier, Quantifier::Forall | Quantifier::Exists) =>
            {
                let span = code.nodes[expr].span;
                let address = self.frame_address(*slot);
                let (mut sum, mut least) = (0_u32, u32::MAX);
                for value in range.min..=range.max {
                    self.store(address, value, span)?;
                    let part = self.shortfall(*body)?;
                    sum = sum.saturating_add(part);
                    least = least.min(part);
                }
                Ok(if *quantifier == Quantifier::Forall { sum } else { least })
            }
            _ => Ok(u32::from(!self.truth(expr)?)),
        }
    }
}
