//! How two zones compare as sets, and their convex hull.

use crate::bound::Bound;
use crate::zone::Zone;

/// How many bounds are compared at once.
const BLOCK: usize = 8;

/// How one set relates to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relation {
    /// The sets are the same.
    Equal,
    /// The first is a proper subset of the second.
    Subset,
    /// The first is a proper superset of the second.
    Superset,
    /// Neither includes the other.
    Incomparable,
}

impl Zone {
    /// How this zone relates to `other`, in one pass over the bounds. (BY04 `relation`.)
    #[must_use]
    #[inline]
    pub fn relation(&self, other: &Self) -> Relation {
        self.same_dimension(other);
        let (mut below, mut above) = (false, false);
        for (own, other) in blocks(self).zip(blocks(other)) {
            below |= some_below(own, other);
            above |= some_below(other, own);
            if below && above {
                return Relation::Incomparable;
            }
        }
        for (own, other) in remainder(self).iter().zip(remainder(other)) {
            below |= own < other;
            above |= own > other;
        }
        match (below, above) {
            (false, false) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, true) => Relation::Superset,
            (true, true) => Relation::Incomparable,
        }
    }

    /// Whether every point of `other` is in this zone. (BY04 `includes`.)
    #[must_use]
    #[inline]
    pub fn includes(&self, other: &Self) -> bool {
        self.same_dimension(other);
        let in_blocks = blocks(self).zip(blocks(other)).all(|(own, other)| !some_below(own, other));
        in_blocks && remainder(self).iter().zip(remainder(other)).all(|(own, other)| own >= other)
    }

    /// Enlarges the zone to the smallest zone that includes both.
    #[inline]
    pub fn hull(&mut self, other: &Self) {
        self.same_dimension(other);
        for (own, &other) in self.cells.iter_mut().zip(&other.cells) {
            *own = other.max(*own);
        }
    }
}

/// The bounds in blocks that are compared without an early exit inside, which lets the compiler
/// use vector instructions.
fn blocks(zone: &Zone) -> impl Iterator<Item = &[Bound; BLOCK]> {
    zone.cells.as_chunks().0.iter()
}

/// Whether a bound of the first block is tighter than the one of the second at the same place.
///
/// The difference of two packed bounds does not overflow, so its sign tells.
#[inline(always)]
fn some_below(first: &[Bound; BLOCK], second: &[Bound; BLOCK]) -> bool {
    let mut signs = 0;
    for (first, second) in first.iter().zip(second) {
        signs |= first.0.wrapping_sub(second.0);
    }
    signs < 0
}

/// The bounds after the last block.
fn remainder(zone: &Zone) -> &[Bound] {
    zone.cells.as_chunks::<BLOCK>().1
}
