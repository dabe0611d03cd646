//! Difference of zones and of federations, and what follows from it: inclusion and equality.
//!
//! `A \ B` is cut into disjoint zones, one for each facet of `A ∩ B` that is not a facet of `A`:
//! the points of the rest of `A` beyond the facet are split off, the others go on to the next
//! facet. Facets of `B` that do not touch `A ∩ B`, or follow there from others, cut nothing. The
//! facet that leaves most of `A` beyond it comes first: large pieces near the rim are less likely to
//! be cut again when more zones are taken away.

use smallvec::SmallVec;

use crate::bound::Bound;
use crate::compact::Classes;
use crate::federation::Federation;
use crate::kernel;
use crate::relation::SetRelation;
use crate::zone::Zone;

/// A bound on `x_i − x_j` along which a zone is cut.
type Cut = (usize, usize, Bound);
type Cuts = SmallVec<[Cut; 16]>;

impl Zone {
    /// The points of this zone that are not in `other`, as pairwise disjoint zones. If the zones
    /// are disjoint the result is this zone in one piece.
    #[must_use]
    pub fn subtract(&self, other: &Self) -> Federation {
        self.same_dimension(other);
        let mut zones = Vec::new();
        split(self.clone(), other, &mut zones);
        Federation { zones, dimension: self.dimension }
    }
}

/// Appends the pieces of `zone \ other`.
pub(crate) fn split(zone: Zone, other: &Zone, pieces: &mut Vec<Zone>) {
    let n = zone.dimension;
    let mut common = zone.clone();
    let touched = kernel::minimum(&mut common.cells, &other.cells, n);
    if touched == 0 {
        return;
    }
    if kernel::contradicts_itself(&common.cells, n)
        || !kernel::close_touched(&mut common.cells, n, touched)
    {
        pieces.push(zone);
        return;
    }
    let mut cuts = facets_beyond(&zone, &common);
    cuts.sort_by_key(|&(i, j, bound)| bound.0 - zone.cells[i * n + j].0);
    pieces.reserve(cuts.len());
    let Some((&last, earlier)) = cuts.split_last() else { return };
    let mut rest = zone;
    // The matrix of the intersection has served, and becomes the first piece.
    let mut unused = Some(common);
    for &(i, j, bound) in earlier {
        // The bound may hold already, by the cuts along an equality.
        if !rest.implies(i, j, bound) {
            let piece = match unused.take() {
                None => rest.clone(),
                Some(mut piece) => {
                    piece.clone_from(&rest);
                    piece
                }
            };
            pieces.push(beyond(piece, i, j, bound));
            kernel::tighten(&mut rest.cells, n, i, j, bound);
        }
    }
    let (i, j, bound) = last;
    if !rest.implies(i, j, bound) {
        pieces.push(beyond(rest, i, j, bound));
    }
}

/// Whether each point of `zone` is in one of the others. The first piece that is in none of them
/// decides.
fn is_covered(zone: Zone, others: &[Zone]) -> bool {
    if let [only] = others {
        return only.includes(&zone);
    }
    let mut pieces = Vec::new();
    let Some(first) = others.iter().position(|other| !zone.is_clearly_disjoint(other)) else {
        return false;
    };
    split(zone, &others[first], &mut pieces);
    pieces.into_iter().all(|piece| is_covered(piece, &others[first + 1..]))
}

/// The facets of `common` that are not bounds of `zone`, which includes it.
fn facets_beyond(zone: &Zone, common: &Zone) -> Cuts {
    let n = zone.dimension;
    let mut found = Cuts::new();
    let found_all = kernel::facets_tighter_than(&common.cells, n, &zone.cells, |i, j| {
        found.push((i, j, common.cells[i * n + j]));
    });
    if found_all { found } else { facets_beyond_by_classes(zone, common) }
}

/// As [`facets_beyond`], where some clocks are at a fixed difference in `common`.
fn facets_beyond_by_classes(zone: &Zone, common: &Zone) -> Cuts {
    let n = zone.dimension;
    let classes = Classes::of(common);
    let mut found = Cuts::new();
    let mut consider = |i: usize, j: usize| {
        let bound = common.cells[i * n + j];
        if zone.cells[i * n + j] > bound {
            found.push((i, j, bound));
        }
    };
    // Equalities first: then any member of a class of clocks can stand for the others.
    for (i, &representative) in classes.representatives.iter().enumerate() {
        if representative != i {
            consider(i, representative);
            consider(representative, i);
        }
    }
    let differs = |i: usize| zone.cells[i * n..][..n] != common.cells[i * n..][..n];
    kernel::facets(&common.cells, n, &classes.vertices, differs, consider);
    found
}

/// The part of a zone beyond a bound on `x_i − x_j` that is tighter than its own.
fn beyond(mut zone: Zone, i: usize, j: usize, bound: Bound) -> Zone {
    let n = zone.dimension;
    kernel::tighten(&mut zone.cells, n, j, i, bound.complement());
    debug_assert!(zone.is_canonical(), "a bound that is not tight has points beyond it");
    zone
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

    /// Removes the points of `other`. Pieces of one zone of the federation are disjoint.
    pub fn subtract(&mut self, other: &Self) {
        self.same_dimension(other);
        for zone in &other.zones {
            self.subtract_zone(zone);
        }
    }

    /// Removes the points of `other`, as long as no more than so many zones arise: whether it was done.
    /// If not, points of `other` may be left.
    #[must_use]
    pub fn subtract_within(&mut self, other: &Self, most: usize) -> bool {
        self.same_dimension(other);
        for zone in &other.zones {
            self.subtract_zone(zone);
            if self.zones.len() > most {
                return false;
            }
        }
        true
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
        self.zones.iter().any(|own| own.includes(zone))
            || (self.zones.len() > 1 && is_covered(zone.clone(), &self.zones))
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
    pub fn relation(&self, other: &Self) -> SetRelation {
        match (self.includes(other), other.includes(self)) {
            (true, true) => SetRelation::Equal,
            (true, false) => SetRelation::Superset,
            (false, true) => SetRelation::Subset,
            (false, false) => SetRelation::Incomparable,
        }
    }
}
