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
        if n > 64 {
            return self.intersect_large(other);
        }
        let (mut touched, mut edges) = (0_u64, 0_usize);
        let rows = self.cells.chunks_exact_mut(n).zip(other.cells.chunks_exact(n));
        for (i, (row, other)) in rows.enumerate() {
            let (mut ends, mut new) = (0_u64, 0_usize);
            for (j, (own, &other)) in row.iter_mut().zip(other).enumerate() {
                let smaller = other < *own;
                ends |= u64::from(smaller) << j;
                new += usize::from(smaller);
                *own = other.min(*own);
            }
            edges += new;
            touched |= ends | u64::from(new > 0) << i;
        }
        if edges == 0 || kernel::close_touched(&mut self.cells, n, touched) {
            return Ok(());
        }
        self.cells.copy_from_slice(&other.cells);
        Err(Empty)
    }

    fn intersect_large(&mut self, other: &Self) -> Result<(), Empty> {
        for (own, &other) in self.cells.iter_mut().zip(&other.cells) {
            *own = other.min(*own);
        }
        if kernel::close(&mut self.cells, self.dimension) {
            return Ok(());
        }
        self.cells.copy_from_slice(&other.cells);
        Err(Empty)
    }

    /// Whether the zones have a point in common.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        self.same_dimension(other);
        let n = self.dimension;
        for i in 0..n {
            for j in 0..n {
                if self.cells[i * n + j] + other.cells[j * n + i] < Bound::LE_ZERO {
                    return false;
                }
            }
        }
        self.clone().intersect(other).is_ok()
    }
}
