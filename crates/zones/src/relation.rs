//! How two zones compare as sets, and their convex hull.

use crate::bound::Bound;
use crate::zone::Zone;

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
    pub fn relation(&self, other: &Self) -> Relation {
        self.same_dimension(other);
        let (mut below, mut above) = (false, false);
        for (own, other) in rows(self).zip(rows(other)) {
            let (mut less, mut more) = (0, 0);
            for (own, other) in own.iter().zip(other) {
                less |= i32::from(own < other);
                more |= i32::from(own > other);
            }
            below |= less != 0;
            above |= more != 0;
            if below && above {
                return Relation::Incomparable;
            }
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
    pub fn includes(&self, other: &Self) -> bool {
        self.same_dimension(other);
        rows(self).zip(rows(other)).all(|(own, other)| {
            // Without an early exit inside the row, the comparison becomes vector instructions.
            let mut more = 0;
            for (own, other) in own.iter().zip(other) {
                more |= i32::from(other > own);
            }
            more == 0
        })
    }

    /// Enlarges the zone to the smallest zone that includes both.
    pub fn hull(&mut self, other: &Self) {
        self.same_dimension(other);
        for (own, &other) in self.cells.iter_mut().zip(&other.cells) {
            *own = other.max(*own);
        }
    }
}

fn rows(zone: &Zone) -> impl Iterator<Item = &[Bound]> {
    zone.cells.chunks_exact(zone.dimension)
}
