//! The minimal constraints of a zone: the fewest bounds that determine all others, to store, to
//! compare with and to print.
//!
//! LLPY97 (Larsen, Larsson, Pettersson, Yi, *Efficient verification of real-time systems: compact
//! data structure and state-space reduction*, 1997). Clocks at a fixed difference form a class,
//! which is kept as one cycle of equalities; between the least members of classes a bound is kept
//! unless a path through a third class gives it too.

use crate::bound::Bound;
use crate::constrain::Constraint;
use crate::open::OpenZone;
use crate::zone::Zone;

impl Zone {
    /// The least clock at a fixed difference from `i`, or `i` itself.
    pub(crate) fn representative(&self, i: usize) -> usize {
        let n = self.dimension;
        let fixed = |&k: &usize| self.cells[i * n + k] + self.cells[k * n + i] == Bound::LE_ZERO;
        (0..i).find(fixed).unwrap_or(i)
    }

    /// Whether the bound on `x_i − x_j` follows from a path through a clock other than those at a
    /// fixed difference from `i` or `j`.
    pub(crate) fn is_redundant(&self, i: usize, j: usize, representatives: &[usize]) -> bool {
        let n = self.dimension;
        let bound = self.cells[i * n + j];
        (0..n).any(|k| {
            let class = representatives[k];
            class != representatives[i]
                && class != representatives[j]
                && self.cells[i * n + k] + self.cells[k * n + j] <= bound
        })
    }

    /// The fewest constraints whose solutions, among points with non-negative coordinates, are
    /// this zone; in lexicographic order of the clocks.
    #[must_use]
    pub fn minimal_constraints(&self) -> Vec<Constraint> {
        let n = self.dimension;
        let representatives: Vec<usize> = (0..n).map(|i| self.representative(i)).collect();
        let mut kept = Vec::new();
        for i in 0..n {
            for j in (0..n).filter(|&j| j != i) {
                let bound = self.cells[i * n + j];
                let keep = if representatives[i] == representatives[j] {
                    follows_in_cycle(&representatives, i, j)
                } else {
                    representatives[i] == i
                        && representatives[j] == j
                        && !bound.is_infinite()
                        && !self.is_redundant(i, j, &representatives)
                };
                let said = i == 0 && self.is_trivially_above_zero(j, &representatives);
                if keep && !said {
                    kept.push(Constraint::new(i, j, bound));
                }
            }
        }
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
        let constraints = self.minimal_constraints();
        CompactZone { constraints: constraints.into(), dimension: self.dimension }
    }
}

/// Whether `j` follows `i` in their class, taken as a cycle in ascending order.
fn follows_in_cycle(representatives: &[usize], i: usize, j: usize) -> bool {
    let class = representatives[i];
    let next = (i + 1..representatives.len()).find(|&k| representatives[k] == class);
    next.unwrap_or(class) == j
}

/// A zone stored as its minimal constraints. Equal zones have equal compact forms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CompactZone {
    constraints: Box<[Constraint]>,
    dimension: usize,
}

impl CompactZone {
    /// The constraints; with the non-negativity of clocks they determine the zone.
    #[must_use]
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
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
        assert_eq!(self.dimension, zone.dimension(), "zones of different dimensions");
        self.constraints.iter().all(|c| zone.implies(c.left, c.right, c.bound))
    }

    /// The zone itself, closed anew.
    #[must_use]
    pub fn to_zone(&self) -> Zone {
        let mut open = OpenZone::new(self.dimension);
        open.extend(self.constraints.iter().copied());
        open.close().expect("the constraints of a zone have solutions")
    }
}
