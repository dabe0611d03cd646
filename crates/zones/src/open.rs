//! The open form: any set of difference constraints, not yet closed and perhaps contradictory.

use crate::bound::Bound;
use crate::constrain::Constraint;
use crate::kernel;
use crate::zone::Zone;

/// Constraints that are still being gathered. The only way to a [`Zone`] is [`OpenZone::close`].
///
/// Gathering many constraints and closing once is cheaper than constraining a zone by more
/// constraints than it has clocks.
///
/// ```
/// use tioga_zones::{Bound, OpenZone};
/// let mut open = OpenZone::new(3);
/// open.constrain(1, 0, Bound::le(5)?);  // x ≤ 5
/// open.constrain(2, 1, Bound::lt(2)?);  // y − x < 2
/// let zone = open.close().expect("x = y = 0 is a solution");
/// assert_eq!(zone.bound(2, 0), Bound::lt(7)?);
/// # Ok::<(), tioga_zones::OutOfRange>(())
/// ```
#[derive(Clone, Debug)]
pub struct OpenZone {
    cells: Box<[Bound]>,
    dimension: usize,
}

impl OpenZone {
    /// No constraints but that clocks are not negative.
    ///
    /// # Panics
    /// If `dimension` is 0.
    #[must_use]
    pub fn new(dimension: usize) -> Self {
        Zone::universal(dimension).into()
    }

    /// Adds the constraint `x_i − x_j ≺ bound`.
    ///
    /// # Panics
    /// If a clock is not below the dimension.
    pub fn constrain(&mut self, i: usize, j: usize, bound: Bound) {
        assert!(i < self.dimension && j < self.dimension, "no such clock");
        let cell = &mut self.cells[i * self.dimension + j];
        *cell = bound.min(*cell);
    }

    /// The zone of all solutions, or `None` if there are none. (Floyd and Warshall, `O(n³)`.)
    #[must_use]
    pub fn close(mut self) -> Option<Zone> {
        kernel::close(&mut self.cells, self.dimension)
            .then_some(Zone { cells: self.cells, dimension: self.dimension })
    }

    /// As [`OpenZone::close`], into an existing zone of the same dimension and without
    /// allocating. Returns false if there are no solutions; then the zone is the origin.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn close_into(&self, zone: &mut Zone) -> bool {
        assert_eq!(self.dimension, zone.dimension(), "zones of different dimensions");
        zone.cells.copy_from_slice(&self.cells);
        let closed = kernel::close(&mut zone.cells, self.dimension);
        if !closed {
            zone.cells.fill(Bound::LE_ZERO);
        }
        closed
    }
}

impl From<Zone> for OpenZone {
    fn from(zone: Zone) -> Self {
        Self { cells: zone.cells, dimension: zone.dimension }
    }
}

impl Extend<Constraint> for OpenZone {
    fn extend<I: IntoIterator<Item = Constraint>>(&mut self, constraints: I) {
        for Constraint { left, right, bound } in constraints {
            self.constrain(left, right, bound);
        }
    }
}
