//! Whether a union of clock conjunctions covers a set, and a point it leaves out if not.
//!
//! The set is cut along each conjunction in turn: what lies outside `c₁ ∧ … ∧ cₙ` is the disjoint
//! union of `¬c₁`, `c₁ ∧ ¬c₂`, …. Pieces without a point are dropped at once, and so are pieces a
//! conjunction does not meet from that conjunction's cut.

use crate::ClockBound;

use super::closure::{Closure, Point, is_satisfiable};

/// How many pieces are looked at before giving up.
const PIECE_LIMIT: u32 = 100_000;

/// A point of `set` in none of the conjunctions of `cover`, if there is one. An error says why that
/// could not be found out.
pub(super) fn uncovered(
    set: &[ClockBound],
    cover: &[&[ClockBound]],
) -> Result<Option<Point>, String> {
    let mut search = Search { cover, pieces: 0, piece: set.to_vec() };
    search.cut(0)
}

struct Search<'a> {
    cover: &'a [&'a [ClockBound]],
    pieces: u32,
    piece: Vec<ClockBound>,
}

impl Search<'_> {
    /// A point of the current piece outside the conjunctions from this position on.
    fn cut(&mut self, position: usize) -> Result<Option<Point>, String> {
        self.pieces += 1;
        if self.pieces > PIECE_LIMIT {
            return Err(format!("the guards cut the clock values into over {PIECE_LIMIT} pieces"));
        }
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
            match uncovered(&set, &cover).unwrap() {
                Some(point) => prop_assert!(outside(&point) && sampled, "{point:?}"),
                None => prop_assert!(!sampled),
            }
        }
    }
}
