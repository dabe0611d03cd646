//! Difference of zones and of federations, and what follows from it: inclusion and equality.
//!
//! `A \ B` is cut into disjoint zones, one for each facet of `A ∩ B` that is not a facet of `A`:
//! the points of the rest of `A` beyond the facet are split off, the others go on to the next
//! facet. Facets of `B` that do not touch `A ∩ B`, or follow there from others, cut nothing.

use crate::compact::Facets;
use crate::federation::Federation;
use crate::kernel;
use crate::relation::Relation;
use crate::zone::Zone;

impl Zone {
    /// The points of this zone that are not in `other`, as pairwise disjoint zones. If the zones
    /// are disjoint the result is this zone in one piece.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Federation {
        let mut zones = Vec::with_capacity(2 * self.dimension);
        split(self.clone(), other, &mut zones);
        Federation { zones, dimension: self.dimension }
    }
}

/// Appends the pieces of `zone \ other`.
fn split(zone: Zone, other: &Zone, pieces: &mut Vec<Zone>) {
    if other.includes(&zone) {
        return;
    }
    if zone.is_clearly_disjoint(other) {
        pieces.push(zone);
        return;
    }
    let mut common = zone.clone();
    if common.intersect(other).is_err() {
        pieces.push(zone);
        return;
    }
    let n = zone.dimension;
    let mut facets = Facets::new(&common);
    let mut rest = zone;
    // Equalities first: then any member of a class of clocks can stand for the others.
    for i in 0..n {
        let representative = facets.representatives[i];
        if representative != i {
            cut(&mut rest, i, representative, &common, pieces);
            cut(&mut rest, representative, i, &common, pieces);
        }
    }
    for i in 0..n {
        let row = i * n..i * n + n;
        if facets.representatives[i] == i && rest.cells[row.clone()] != common.cells[row] {
            facets.look_at(i);
            for j in 0..n {
                if facets.is_facet(j) {
                    cut(&mut rest, i, j, &common, pieces);
                }
            }
        }
    }
}

/// Splits off the part of `rest` beyond the bound of `common` on `x_i − x_j`, if there is any.
fn cut(rest: &mut Zone, i: usize, j: usize, common: &Zone, pieces: &mut Vec<Zone>) {
    let n = common.dimension;
    let bound = common.cells[i * n + j];
    if rest.cells[i * n + j] > bound {
        let mut piece = rest.clone();
        kernel::tighten(&mut piece.cells, n, j, i, bound.complement());
        debug_assert!(piece.is_canonical(), "a bound that is not tight has points beyond it");
        pieces.push(piece);
        kernel::tighten(&mut rest.cells, n, i, j, bound);
    }
}

impl Federation {
    /// Removes the points of a zone. Pieces of one zone of the federation are disjoint.
    pub fn subtract_zone(&mut self, other: &Zone) {
        assert_eq!(self.dimension, other.dimension(), "a zone of a different dimension");
        let mut pieces = Vec::with_capacity(self.zones.len());
        for zone in self.zones.drain(..) {
            split(zone, other, &mut pieces);
        }
        self.zones = pieces;
    }

    /// Removes the points of `other`.
    pub fn subtract(&mut self, other: &Self) {
        self.same_dimension(other);
        for zone in &other.zones {
            self.subtract_zone(zone);
        }
    }

    /// The points that are not in the set, as pairwise disjoint zones.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut complement = Self::universal(self.dimension);
        complement.subtract(self);
        complement
    }

    /// Whether every point of `zone` is in the set. Exact: the zone may be covered by several.
    #[must_use]
    pub fn includes_zone(&self, zone: &Zone) -> bool {
        if self.zones.iter().any(|own| own.includes(zone)) {
            return true;
        }
        let mut left = Self::from(zone.clone());
        self.zones.iter().any(|own| {
            left.subtract_zone(own);
            left.is_empty()
        })
    }

    /// Whether every point of `other` is in the set.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        self.same_dimension(other);
        other.zones.iter().all(|zone| self.includes_zone(zone))
    }

    /// Whether the federations have the same points, in whatever form.
    #[must_use]
    pub fn is_same_set(&self, other: &Self) -> bool {
        self.includes(other) && other.includes(self)
    }

    /// How the set relates to `other`.
    #[must_use]
    pub fn relation(&self, other: &Self) -> Relation {
        match (self.includes(other), other.includes(self)) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Superset,
            (false, true) => Relation::Subset,
            (false, false) => Relation::Incomparable,
        }
    }
}
