//! Intersection with constraints and with zones, closing no more than was touched.
//!
//! One constraint costs `O(n²)` (BY04 Alg. "and"). Intersecting two zones takes the smaller bound
//! of each pair; of the two closed matrices this leaves one closed except for some edges, and then
//! only paths through the ends of these edges can have become shorter.

use crate::bound::Bound;
use crate::kernel;
use crate::zone::{Empty, Zone};

/// The constraint `x_left − x_right ≺ bound`, where `x_0` is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The clock on the left of the difference.
    pub left: usize,
    /// The clock on the right of the difference.
    pub right: usize,
    /// The bound on the difference.
    pub bound: Bound,
}

impl Constraint {
    /// The constraint `x_left − x_right ≺ bound`.
    #[must_use]
    pub fn new(left: usize, right: usize, bound: Bound) -> Self {
        Self { left, right, bound }
    }

    /// The constraint that holds exactly where this one does not. Requires a finite bound.
    #[must_use]
    pub fn complement(self) -> Self {
        Self { left: self.right, right: self.left, bound: self.bound.complement() }
    }
}

impl Zone {
    /// Keeps the points with `x_i − x_j ≺ bound`. (BY04 `and`.)
    ///
    /// # Errors
    /// If there are none; then the zone is unchanged.
    #[inline]
    pub fn constrain(&mut self, i: usize, j: usize, bound: Bound) -> Result<(), Empty> {
        let n = self.dimension;
        assert!(i < n && j < n, "no such clock");
        if bound >= self.cells[i * n + j] {
            return Ok(());
        }
        // On the diagonal every tighter bound contradicts `x − x ≤ 0`.
        if i == j || self.cells[j * n + i] + bound < Bound::LE_ZERO {
            return Err(Empty);
        }
        kernel::tighten(&mut self.cells, n, i, j, bound);
        Ok(())
    }

    /// Keeps the points that satisfy all constraints.
    ///
    /// # Errors
    /// If there are none; then the zone has kept the points that satisfy some first constraints.
    pub fn constrain_all(&mut self, constraints: &[Constraint]) -> Result<(), Empty> {
        constraints.iter().try_for_each(|c| self.constrain(c.left, c.right, c.bound))
    }

    /// Keeps the points that are also in `other`.
    ///
    /// # Errors
    /// If there are none; then the zone is a copy of `other`.
    pub fn intersect(&mut self, other: &Self) -> Result<(), Empty> {
        self.same_dimension(other);
        let n = self.dimension;
        let touched = kernel::minimum(&mut self.cells, &other.cells, n);
        if touched == 0 || kernel::close_touched(&mut self.cells, n, touched) {
            return Ok(());
        }
        self.cells.copy_from_slice(&other.cells);
        Err(Empty)
    }

    /// Whether the zones have a point in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.same_dimension(other);
        !self.is_clearly_disjoint(other) && self.clone().intersect(other).is_ok()
    }

    /// A quick test for disjointness on pairs of opposite bounds. It can miss, but never errs.
    pub(crate) fn is_clearly_disjoint(&self, other: &Self) -> bool {
        let n = self.dimension;
        self.cells.chunks_exact(n).enumerate().any(|(i, row)| {
            let opposite = other.cells[i..].iter().step_by(n);
            row.iter().zip(opposite).any(|(there, back)| there.contradicts(*back))
        })
    }
}
