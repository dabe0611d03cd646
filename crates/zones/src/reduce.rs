//! Smaller forms of the same federation: dropping zones that others cover, and merging zones
//! whose union is convex.

use crate::federation::Federation;
use crate::kernel;
use crate::relation::SetRelation;
use crate::zone::Zone;

impl Federation {
    /// Drops zones that one other zone includes. Quadratic in the number of zones; the set is the
    /// same afterwards.
    pub fn reduce(&mut self) {
        let mut kept: Vec<Zone> = Vec::with_capacity(self.zones.len());
        for zone in self.zones.drain(..) {
            let mut covered = false;
            kept.retain(|own| match own.relation(&zone) {
                SetRelation::Equal | SetRelation::Superset => {
                    covered = true;
                    true
                }
                SetRelation::Subset => false,
                SetRelation::Incomparable => true,
            });
            if !covered {
                kept.push(zone);
            }
        }
        self.zones = kept;
    }

    /// Drops zones that the others cover together. Exact, and as expensive as subtraction; the set
    /// is the same afterwards.
    pub fn reduce_exactly(&mut self) {
        self.reduce();
        let mut index = 0;
        while index < self.zones.len() {
            let zone = self.zones.remove(index);
            if !self.includes_zone(&zone) {
                self.zones.insert(index, zone);
                index += 1;
            }
        }
    }

    /// Replaces pairs of zones whose union is convex by that union, as long as there are any. The
    /// set is the same afterwards.
    pub fn merge(&mut self) {
        let mut merged: Vec<Zone> = Vec::with_capacity(self.zones.len());
        let mut hull = Zone::zero(self.dimension);
        // No two of the merged zones fit together, so only a new one has to be tried.
        for mut zone in self.zones.drain(..) {
            while let Some(partner) = merged.iter().position(|own| own.unites(&zone, &mut hull)) {
                merged.remove(partner);
                zone.clone_from(&hull);
            }
            merged.push(zone);
        }
        self.zones = merged;
    }
}

impl Zone {
    /// The union of two zones if it is convex: then it is their hull.
    #[must_use]
    pub fn convex_union(&self, other: &Self) -> Option<Self> {
        self.same_dimension(other);
        let mut hull = Self::zero(self.dimension);
        self.unites(other, &mut hull).then_some(hull)
    }

    /// Whether the union of two zones is convex; then `hull`, of the same dimension, becomes the
    /// union, and otherwise some zone.
    ///
    /// It is convex if all points of the hull beyond some bound of the one zone are in the other.
    fn unites(&self, other: &Self, hull: &mut Self) -> bool {
        let n = self.dimension;
        let mut bounds = self.cells.iter().zip(&other.cells);
        let here = bounds.clone().position(|(own, other)| own < other);
        let there = bounds.position(|(own, other)| own > other);
        let (Some(here), Some(there)) = (here, there) else {
            hull.clone_from(if here.is_none() { self } else { other });
            return true;
        };
        // Most pairs fail already for the first bounds that are tighter on either side.
        let ((i, j), (k, l)) = ((here / n, here % n), (there / n, there % n));
        let widest = |place: usize| self.cells[place].max(other.cells[place]);
        let path = widest(k * n + j) + self.cells[here].complement() + widest(i * n + l);
        if path > other.cells[there] {
            return false;
        }
        hull.clone_from(self);
        hull.hull(other);
        let bounds = self.cells.iter().zip(&hull.cells).enumerate();
        bounds.filter(|(_, (own, wide))| own < wide).all(|(place, (own, _))| {
            let tightening = (place % n, place / n, own.complement());
            kernel::fits_when_tightened(&hull.cells, n, tightening, &other.cells)
        })
    }
}
