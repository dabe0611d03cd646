//! The minimal constraints of a zone: the fewest bounds that determine all others, to store, to
//! compare with and to print.
//!
//! LLPY97 (Larsen, Larsson, Pettersson, Yi, *Efficient verification of real-time systems: compact
//! data structure and state-space reduction*, 1997). Clocks at a fixed difference form a class,
//! which is kept as one cycle of equalities; between the least members of classes a bound is kept
//! unless a path through a third class gives it too.

use smallvec::{SmallVec, smallvec};

use crate::bound::{Bound, LE_ZERO};
use crate::constrain::Constraint;
use crate::kernel;
use crate::open::OpenZone;
use crate::zone::Zone;

/// The clocks of a zone by classes: those at a fixed difference from each other.
pub(crate) struct Classes {
    /// For each clock the least clock of its class.
    pub(crate) representatives: SmallVec<[usize; 16]>,
    /// Those clocks that represent themselves, ascending.
    pub(crate) vertices: SmallVec<[usize; 16]>,
}

impl Classes {
    pub(crate) fn of(zone: &Zone) -> Self {
        let n = zone.dimension;
        let mut representatives = smallvec![0; n];
        let mut vertices = smallvec![0; n];
        let mut count = 0;
        for (i, representative) in representatives.iter_mut().enumerate() {
            *representative = zone.representative(i);
            if *representative == i {
                vertices[count] = i;
                count += 1;
            }
        }
        vertices.truncate(count);
        Self { representatives, vertices }
    }
}

impl Zone {
    /// The least clock at a fixed difference from `i`, or `i` itself.
    pub(crate) fn representative(&self, i: usize) -> usize {
        let n = self.dimension;
        let row = &self.cells[i * n..][..i];
        let column = self.cells[i..].iter().step_by(n);
        row.iter()
            .zip(column)
            .position(|(there, back)| there.0 + back.0 == 2 * LE_ZERO && there.0 & 1 == 1)
            .unwrap_or(i)
    }

    /// The fewest constraints whose solutions, among points with non-negative coordinates, are
    /// this zone; in a fixed order, equalities first.
    #[must_use]
    pub fn minimal_constraints(&self) -> Vec<Constraint> {
        let n = self.dimension;
        let Classes { representatives, vertices } = Classes::of(self);
        let mut kept = Vec::with_capacity(2 * n);
        let mut keep = |i: usize, j: usize| {
            if i != 0 || !self.is_trivially_above_zero(j, &representatives) {
                kept.push(Constraint::new(i, j, self.cells[i * n + j]));
            }
        };
        if vertices.len() < n {
            for i in 0..n {
                let next = follower(&representatives, i);
                if next != i {
                    keep(i, next);
                }
            }
        }
        kernel::facets(&self.cells, n, &vertices, |_| true, keep);
        kept
    }

    /// Whether the lower bound of `x_j` says no more than that a clock is not negative: this one,
    /// or one at a fixed difference from it that is not fixed itself.
    fn is_trivially_above_zero(&self, j: usize, representatives: &[usize]) -> bool {
        let class = representatives[j];
        if class == 0 {
            return self.cells[j] == Bound::LE_ZERO;
        }
        (j..self.dimension).any(|k| representatives[k] == class && self.cells[k] == Bound::LE_ZERO)
    }

    /// The zone in compact form.
    #[must_use]
    pub fn to_compact(&self) -> CompactZone {
        let index = |clock: usize| u16::try_from(clock).expect("a matrix this large has no place");
        let edge =
            |c: Constraint| Edge { left: index(c.left), right: index(c.right), bound: c.bound };
        let edges = self.minimal_constraints().into_iter().map(edge).collect();
        CompactZone { edges, dimension: self.dimension }
    }
}

/// The clock after `i` in its class, taken as a cycle in ascending order.
fn follower(representatives: &[usize], i: usize) -> usize {
    let class = representatives[i];
    let next = (i + 1..representatives.len()).find(|&k| representatives[k] == class);
    next.unwrap_or(class)
}

/// A zone stored as its minimal constraints, eight bytes each. Equal zones have equal compact
/// forms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompactZone {
    edges: Box<[Edge]>,
    dimension: usize,
}

/// A constraint in little space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Edge {
    left: u16,
    right: u16,
    bound: Bound,
}

impl CompactZone {
    /// The constraints; with the non-negativity of clocks they determine the zone.
    pub fn constraints(&self) -> impl ExactSizeIterator<Item = Constraint> {
        let whole = |e: &Edge| Constraint::new(e.left.into(), e.right.into(), e.bound);
        self.edges.iter().map(whole)
    }

    /// The number of clocks plus one.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Whether every point of `zone` is in this one. Looks at the stored constraints only.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn includes(&self, zone: &Zone) -> bool {
        let n = self.dimension;
        assert_eq!(n, zone.dimension(), "zones of different dimensions");
        let bound = |e: &Edge| zone.cells[usize::from(e.left) * n + usize::from(e.right)];
        self.edges.iter().all(|edge| bound(edge) <= edge.bound)
    }

    /// The zone itself, closed anew.
    #[must_use]
    pub fn to_zone(&self) -> Zone {
        let mut open = OpenZone::new(self.dimension);
        open.extend(self.constraints());
        open.close().expect("the constraints of a zone have solutions")
    }
}
