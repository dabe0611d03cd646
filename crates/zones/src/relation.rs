//! How two zones compare as sets, and their convex hull.

use crate::bound::Bound;
use crate::zone::Zone;

/// How many bounds are compared at once.
const BLOCK: usize = 8;

/// How many bounds are compared one by one before comparing in blocks.
const SOON: usize = 8;

/// How one set relates to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetRelation {
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
    /// How this zone relates to `other`. (BY04 `relation`.)
    #[must_use]
    #[inline]
    pub fn relation(&self, other: &Self) -> SetRelation {
        self.same_dimension(other);
        // Zones that are incomparable mostly show it within few bounds: the first difference tells
        // which way to look, and another one decides.
        let mut pairs = self.cells.iter().zip(&other.cells);
        let Some((own, others)) = pairs.find(|(own, other)| own != other) else {
            return SetRelation::Equal;
        };
        let below = own < others;
        if pairs.take(SOON).any(|(own, other)| if below { own > other } else { own < other }) {
            return SetRelation::Incomparable;
        }
        match below {
            true if other.includes(self) => SetRelation::Subset,
            false if self.includes(other) => SetRelation::Superset,
            _ => SetRelation::Incomparable,
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
