//! Whether a union of clock conjunctions covers a set, and a point it leaves out if not.
//!
//! The set is cut along each conjunction in turn: what lies outside `c₁ ∧ … ∧ cₙ` is the disjoint
//! union of `¬c₁`, `c₁ ∧ ¬c₂`, …. Pieces without a point are dropped at once, and so are pieces a
//! conjunction does not meet from that conjunction's cut.

use crate::ClockBound;

use super::closure::{Closure, Point, is_satisfiable};

/// A point of `set` in none of the conjunctions of `cover`, if there is one. Each piece is taken
/// from `budget`. An error says why the answer could not be found.
pub(super) fn uncovered(
    set: &[ClockBound],
    cover: &[&[ClockBound]],
    budget: &mut u64,
) -> Result<Option<Point>, String> {
    let mut search = Search { cover, budget, piece: set.to_vec() };
    search.cut(0)
}

struct Search<'a> {
    cover: &'a [&'a [ClockBound]],
    budget: &'a mut u64,
    piece: Vec<ClockBound>,
}

impl Search<'_> {
    /// A point of the current piece outside the conjunctions from this position on.
    fn cut(&mut self, position: usize) -> Result<Option<Point>, String> {
        let rest = self.budget.checked_sub(1);
        *self.budget = rest.ok_or("the guards cut the clock values into too many pieces")?;
        let Some(closure) = Closure::of(&self.piece) else { return Ok(None) };
        let Some(&conjunction) = self.cover.get(position) else {
            return closure.point().map(Some).map_err(|overflow| overflow.to_string());
        };
        if !is_satisfiable(self.piece.iter().chain(conjunction)) {
            return self.cut(position + 1);
        }
        let length = self.piece.len();
        for constraint in conjunction {
            self.piece.push(negated(constraint)?);
            let found = self.cut(position + 1)?;
            self.piece.pop();
            if found.is_some() {
                return Ok(found);
            }
            self.piece.push(*constraint);
        }
        self.piece.truncate(length);
        Ok(None)
    }
}

/// `left − right > bound` as `right − left < −bound`.
fn negated(bound: &ClockBound) -> Result<ClockBound, String> {
    let opposite = bound.bound.checked_neg().ok_or("a clock bound does not fit in 64 bits")?;
    Ok(ClockBound { left: bound.right, right: bound.left, strict: !bound.strict, bound: opposite })
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::properties::testing::{constraint, grid, holds};

    proptest! {
        #[test]
        fn coverage_agrees_with_sampling(
            set in vec(constraint(2, 3), 0..3),
            cover in vec(vec(constraint(2, 3), 0..4), 0..4),
        ) {
            let cover: Vec<&[ClockBound]> = cover.iter().map(Vec::as_slice).collect();
            let outside = |point: &Point| {
                holds(&set, point) && !cover.iter().any(|conjunction| holds(conjunction, point))
            };
            let sampled = grid(2, 4, 8).iter().any(outside);
            match uncovered(&set, &cover, &mut 100_000).unwrap() {
                Some(point) => prop_assert!(outside(&point) && sampled, "{point:?}"),
                None => prop_assert!(!sampled),
            }
        }
    }
}
