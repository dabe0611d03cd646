//! The zone: a closed, non-empty difference bound matrix, and the operations that need no
//! closing.
//!
//! Entry `(i, j)` bounds `x_i − x_j` from above; `x_0` is the constant zero. *Closed* (canonical)
//! means that no entry can be tightened without losing a solution: `(i, j) ≤ (i, k) + (k, j)`
//! throughout. Each zone has exactly one closed matrix, so equality and hashing of matrices are
//! equality and hashing of sets. All clocks are at least zero. (BY04: Bengtsson and Yi, *Timed
//! automata: semantics, algorithms and tools*, 2004.)

use thiserror::Error;

use crate::bound::{Bound, FLOOR, MAX_CONSTANT};
use crate::kernel;

/// An operation had no point left to keep.
///
/// A zone cannot be empty, so the operation leaves it as some zone of the same dimension; each
/// operation says which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the zone would be empty")]
pub struct Empty;

/// A non-empty convex set of clock valuations, as a closed difference bound matrix.
///
/// Clocks are numbered from 1; index 0 is the constant zero. Every method that takes a clock
/// panics if the index is not below [`Zone::dimension`], and those that change a clock also if it
/// is 0. Methods that combine two zones panic if their dimensions differ.
///
/// All methods that take `&mut self` work in place and do not allocate for dimensions up to 16.
#[derive(PartialEq, Eq, Hash)]
pub struct Zone {
    pub(crate) cells: Box<[Bound]>,
    pub(crate) dimension: usize,
}

impl Clone for Zone {
    fn clone(&self) -> Self {
        Self { cells: self.cells.clone(), dimension: self.dimension }
    }

    /// Copies without allocating if the dimensions agree.
    fn clone_from(&mut self, source: &Self) {
        if self.dimension == source.dimension {
            self.cells.copy_from_slice(&source.cells);
        } else {
            *self = source.clone();
        }
    }
}

impl Zone {
    /// The zone with the single point where all clocks are zero. `dimension` is the number of
    /// clocks plus one.
    ///
    /// # Panics
    /// If `dimension` is 0.
    #[must_use]
    pub fn zero(dimension: usize) -> Self {
        assert!(dimension > 0, "the reference clock counts");
        Self { cells: vec![Bound::LE_ZERO; dimension * dimension].into(), dimension }
    }

    /// The zone of all points with non-negative coordinates.
    ///
    /// # Panics
    /// If `dimension` is 0.
    #[must_use]
    pub fn universal(dimension: usize) -> Self {
        assert!(dimension > 0, "the reference clock counts");
        let mut cells = vec![Bound::INFINITY; dimension * dimension];
        cells[..dimension].fill(Bound::LE_ZERO);
        for i in 1..dimension {
            cells[i * dimension + i] = Bound::LE_ZERO;
        }
        Self { cells: cells.into(), dimension }
    }

    /// The zone with the given bounds, row by row, as [`Zone::bounds`] gives them; `None` unless
    /// they are a closed, non-empty matrix. For reading zones that were written somewhere. `O(n³)`.
    #[must_use]
    pub fn from_bounds(dimension: usize, bounds: &[Bound]) -> Option<Self> {
        let size = dimension.checked_mul(dimension)?;
        if dimension == 0 || bounds.len() != size {
            return None;
        }
        let zone = Self { cells: bounds.into(), dimension };
        zone.is_canonical().then_some(zone)
    }

    /// The number of clocks plus one.
    #[inline]
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The tightest bound on `x_i − x_j` that holds in the zone.
    #[inline]
    #[must_use]
    pub fn bound(&self, i: usize, j: usize) -> Bound {
        assert!(i < self.dimension && j < self.dimension, "no such clock");
        self.cells[i * self.dimension + j]
    }

    /// All bounds, row by row.
    #[inline]
    #[must_use]
    pub fn bounds(&self) -> &[Bound] {
        &self.cells
    }

    /// The zone in which each clock has the values of another one here: of the clock that `source` names at its
    /// position. The reference clock stays.
    ///
    /// # Panics
    /// Unless `source` has an entry for each clock and the reference clock.
    #[must_use]
    pub fn permuted(&self, source: &[usize]) -> Self {
        assert_eq!(source.len(), self.dimension, "every clock needs a source");
        let row = |i: usize| source.iter().map(move |j| self.bound(i, *j));
        Self { cells: source.iter().flat_map(|i| row(*i)).collect(), dimension: self.dimension }
    }

    /// Whether this is the set of all points.
    #[must_use]
    pub fn is_universal(&self) -> bool {
        let n = self.dimension;
        let free = |i: usize| {
            self.cells[i] == Bound::LE_ZERO
                && (0..n).all(|j| j == i || self.cells[i * n + j].is_infinite())
        };
        (1..n).all(free)
    }

    /// Whether the zone is closed under delay: then every point can let time diverge inside it.
    /// A zone in which one point can do so is closed under delay.
    #[doc(alias = "is_unbounded")]
    #[must_use]
    pub fn is_delay_closed(&self) -> bool {
        (1..self.dimension).all(|i| self.cells[i * self.dimension].is_infinite())
    }

    /// Whether the zone contains all points from which delay leads into it.
    #[must_use]
    pub fn is_past_closed(&self) -> bool {
        let n = self.dimension;
        (1..n).all(|i| {
            let lowest = (1..n).fold(Bound::LE_ZERO, |low, j| low.min(self.cells[j * n + i]));
            self.cells[i] == lowest
        })
    }

    /// Whether some point satisfies `x_i − x_j ≺ bound`.
    #[inline]
    #[must_use]
    pub fn meets(&self, i: usize, j: usize, bound: Bound) -> bool {
        i == j && bound >= Bound::LE_ZERO || i != j && self.bound(j, i) + bound >= Bound::LE_ZERO
    }

    /// Whether all points satisfy `x_i − x_j ≺ bound`.
    #[inline]
    #[must_use]
    pub fn implies(&self, i: usize, j: usize, bound: Bound) -> bool {
        self.bound(i, j) <= bound
    }

    /// Lets time pass: `{v + d | v ∈ Z, d ≥ 0}`. (BY04 `up`.)
    #[doc(alias = "up")]
    #[inline]
    pub fn delay(&mut self) {
        for row in self.cells.chunks_exact_mut(self.dimension).skip(1) {
            row[0] = Bound::INFINITY;
        }
    }

    /// Turns time back: the points `v ≥ 0` with `v + d ∈ Z` for some `d ≥ 0`. (BY04 `down`.)
    #[doc(alias = "down")]
    #[inline]
    pub fn past(&mut self) {
        kernel::lower_first_row(&mut self.cells, self.dimension);
    }

    /// Forgets a clock: the points that differ from one of `Z` in `clock` only. (BY04 `free`.)
    #[inline]
    pub fn free(&mut self, clock: usize) {
        let n = self.changeable(clock);
        for i in 0..n {
            self.cells[i * n + clock] = self.cells[i * n];
        }
        let row = &mut self.cells[clock * n..][..n];
        row.fill(Bound::INFINITY);
        row[clock] = Bound::LE_ZERO;
    }

    /// Sets a clock: `{v[clock := value] | v ∈ Z}`. (BY04 `reset`.)
    ///
    /// # Panics
    /// Also if `value` exceeds [`MAX_CONSTANT`].
    #[inline]
    pub fn reset(&mut self, clock: usize, value: u32) {
        let n = self.changeable(clock);
        let value = constant(value);
        for row in self.cells.chunks_exact_mut(n) {
            row[clock] = row[0].shift(-value);
        }
        // Lower bounds are at most 0, so adding a constant leaves them in range.
        let (first, row) = self.two_rows(0, clock);
        for (bound, low) in row.iter_mut().zip(first) {
            bound.0 = low.0.max(FLOOR) + 2 * value;
        }
        row[clock] = Bound::LE_ZERO;
    }

    /// Assigns a clock to another, shifted: the points `v[clock := v(source) + offset]` for
    /// `v ∈ Z`, as far as the new value is not negative. With `source` equal to `clock` this
    /// shifts the clock. (BY04 `copy` and `shift`.)
    ///
    /// # Errors
    /// If the new value is negative for all points; then the zone keeps its points.
    ///
    /// # Panics
    /// Also if `source` is 0 or `offset` is beyond [`MAX_CONSTANT`].
    pub fn assign(&mut self, clock: usize, source: usize, offset: i32) -> Result<(), Empty> {
        let n = self.changeable(clock);
        self.changeable(source);
        let least = Bound::le(offset).expect("the offset is in the documented range");
        self.constrain(0, source, least)?;
        if source == clock {
            for i in (0..n).filter(|&i| i != clock) {
                self.cells[i * n + clock] = self.cells[i * n + clock].shift(-offset);
                self.cells[clock * n + i] = self.cells[clock * n + i].shift(offset);
            }
        } else {
            for i in (0..n).filter(|&i| i != clock) {
                self.cells[i * n + clock] = self.cells[i * n + source].shift(-offset);
                self.cells[clock * n + i] = self.cells[source * n + i].shift(offset);
            }
        }
        Ok(())
    }

    /// The predecessor of [`Zone::reset`]: the points `v` with `v[clock := value] ∈ Z`.
    ///
    /// # Errors
    /// If there is none; then the zone has kept a non-empty part of its points.
    ///
    /// # Panics
    /// Also if `value` exceeds [`MAX_CONSTANT`].
    pub fn reset_predecessor(&mut self, clock: usize, value: u32) -> Result<(), Empty> {
        self.changeable(clock);
        let value = constant(value);
        let exactly = Bound(2 * value + 1);
        self.constrain(clock, 0, exactly)?;
        self.constrain(0, clock, Bound(1 - 2 * value))?;
        self.free(clock);
        Ok(())
    }

    /// The predecessor of [`Zone::assign`]: the points `v` with
    /// `v[clock := v(source) + offset] ∈ Z`.
    ///
    /// # Errors
    /// If there is none; then the zone has kept a non-empty part of its points.
    ///
    /// # Panics
    /// Also if `source` is 0 or `offset` is beyond [`MAX_CONSTANT`].
    pub fn assign_predecessor(
        &mut self,
        clock: usize,
        source: usize,
        offset: i32,
    ) -> Result<(), Empty> {
        self.changeable(clock);
        if source == clock {
            return self.assign(clock, clock, -offset);
        }
        self.changeable(source);
        let most = Bound::le(offset).expect("the offset is in the documented range");
        self.constrain(clock, source, most)?;
        self.constrain(source, clock, Bound(2 - most.0))?;
        self.free(clock);
        Ok(())
    }

    /// Whether the matrix is closed and non-empty, by the definition. For tests and assertions.
    #[must_use]
    pub fn is_canonical(&self) -> bool {
        let n = self.dimension;
        let mut closed = self.clone();
        let non_negative = self.cells[..n].iter().all(|&low| low <= Bound::LE_ZERO);
        kernel::close(&mut closed.cells, n)
            && closed == *self
            && non_negative
            && (0..n).all(|i| self.cells[i * n + i] == Bound::LE_ZERO)
    }

    /// Checks that a clock may be changed, and gives the dimension for convenience.
    #[inline]
    fn changeable(&self, clock: usize) -> usize {
        assert!(0 < clock && clock < self.dimension, "no such clock");
        self.dimension
    }

    /// Two rows, the second of which can be changed. Requires `i < j`.
    #[inline]
    fn two_rows(&mut self, i: usize, j: usize) -> (&[Bound], &mut [Bound]) {
        let n = self.dimension;
        let (before, rest) = self.cells.split_at_mut(j * n);
        (&before[i * n..][..n], &mut rest[..n])
    }

    #[inline]
    pub(crate) fn same_dimension(&self, other: &Self) {
        assert_eq!(self.dimension, other.dimension, "zones of different dimensions");
    }
}

#[inline]
fn constant(value: u32) -> i32 {
    assert!(value <= MAX_CONSTANT.unsigned_abs(), "the constant exceeds the range of bounds");
    value.cast_signed()
}
