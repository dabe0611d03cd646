//! Smaller forms of the same federation: dropping zones that others cover, and merging zones
//! whose union is convex.

use crate::bound::Bound;
use crate::federation::Federation;
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
        self.reduce();
        let mut index = 0;
        while index < self.zones.len() {
            let partner = (0..self.zones.len()).find_map(|other| {
                (other != index)
                    .then(|| self.zones[index].convex_union(&self.zones[other]))?
                    .map(|union| (other, union))
            });
            match partner {
                None => index += 1,
                Some((other, union)) => {
                    self.zones[index] = union;
                    self.zones.remove(other);
                    // The larger zone may fit to zones that the parts did not fit to.
                    index = 0;
                }
            }
        }
        self.reduce();
    }
}

impl Zone {
    /// The union of two zones if it is convex: then it is their hull.
    #[must_use]
    pub fn convex_union(&self, other: &Self) -> Option<Self> {
        self.same_dimension(other);
        match self.relation(other) {
            Relation::Equal | Relation::Superset => return Some(self.clone()),
            Relation::Subset => return Some(other.clone()),
            Relation::Incomparable => {}
        }
        if self.is_apart(other) {
            return None;
        }
        let mut hull = self.clone();
        hull.hull(other);
        let mut beyond = hull.subtract(self);
        beyond.subtract_zone(other);
        beyond.is_empty().then_some(hull)
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
