//! Smaller forms of the same federation: dropping zones that others cover, and merging zones
//! whose union is convex.

use crate::bound::Bound;
use crate::federation::Federation;
use crate::kernel;
use crate::relation::Relation;
use crate::zone::Zone;

impl Federation {
    /// Drops zones that one other zone includes. Quadratic in the number of zones; the set is the
    /// same afterwards.
    pub fn reduce(&mut self) {
        let mut kept: Vec<Zone> = Vec::with_capacity(self.zones.len());
        for zone in self.zones.drain(..) {
            let mut covered = false;
            kept.retain(|own| match own.relation(&zone) {
                Relation::Equal | Relation::Superset => {
                    covered = true;
                    true
                }
                Relation::Subset => false,
                Relation::Incomparable => true,
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
    fn unites(&self, other: &Self, hull: &mut Self) -> bool {
        if self.is_apart(other) {
            return false;
        }
        hull.clone_from(self);
        hull.hull(other);
        // What lies beyond some bound of the one zone is in the other.
        let n = self.dimension;
        let bounds = self.cells.iter().zip(&hull.cells).enumerate();
        bounds.filter(|(_, (own, wide))| own < wide).all(|(place, (own, _))| {
            let (i, j) = (place / n, place % n);
            kernel::fits_when_tightened(&hull.cells, n, (j, i, own.complement()), &other.cells)
        })
    }

    /// Whether two opposite bounds leave room between the zones, so that the hull has points of
    /// neither. Zones that only touch, as `< 1` and `≥ 1` do, are not apart.
    fn is_apart(&self, other: &Self) -> bool {
        let n = self.dimension;
        (0..n).any(|i| {
            (0..n).any(|j| {
                let (own, back) = (self.cells[i * n + j], other.cells[j * n + i]);
                // Beyond the own bound, yet outside the other zone: a strip between them.
                own + back < Bound::LT_ZERO
                    || own + back == Bound::LT_ZERO && own.is_strict() && back.is_strict()
            })
        })
    }
}
