//! Extrapolation: replacing a zone by a larger one of which there are only finitely many, without
//! adding behaviour that a model with these constants can tell apart.
//!
//! The four abstractions of BBLP06 (Behrmann, Bouyer, Larsen, Pelánek, *Lower and upper bounds in
//! zone-based abstractions of timed automata*, 2006). `L(x)` is the largest constant in a lower
//! bound `x > c`, `x ≥ c` that matters from here on, `U(x)` the largest in an upper bound, −∞ if
//! there is none. `M` is the larger of the two, and its abstractions are those for `L = U = M`.
//! They preserve reachability for models without constraints on differences of clocks.

use crate::bound::{Bound, INFINITE, LE_ZERO, MAX_CONSTANT};
use crate::kernel;
use crate::zone::Zone;

/// The constants `L` and `U` of each clock, in the form in which extrapolation compares them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LuBounds {
    /// `≤ L`, packed; the least integer for −∞. An upper bound above this is dropped.
    lower: Box<[i32]>,
    /// `< −U`, packed; the largest integer for −∞. A lower bound below this is raised to it.
    upper: Box<[i32]>,
}

impl LuBounds {
    /// No constants at all: `L(x) = U(x) = −∞` for each clock.
    ///
    /// # Panics
    /// If `dimension` is 0.
    #[must_use]
    pub fn none(dimension: usize) -> Self {
        assert!(dimension > 0, "the reference clock counts");
        let mut lower = vec![i32::MIN; dimension];
        let mut upper = vec![i32::MAX; dimension];
        lower[0] = LE_ZERO;
        upper[0] = 0;
        Self { lower: lower.into(), upper: upper.into() }
    }

    /// The number of clocks plus one.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.lower.len()
    }

    /// Records that `clock` is compared with `constant` from below (`x > c` or `x ≥ c`).
    ///
    /// # Panics
    /// If there is no such clock or `constant` exceeds [`MAX_CONSTANT`].
    pub fn raise_lower(&mut self, clock: usize, constant: u32) {
        let packed = self.doubled(clock, constant);
        self.lower[clock] = self.lower[clock].max(packed + 1);
    }

    /// Records that `clock` is compared with `constant` from above (`x < c` or `x ≤ c`).
    ///
    /// # Panics
    /// If there is no such clock or `constant` exceeds [`MAX_CONSTANT`].
    pub fn raise_upper(&mut self, clock: usize, constant: u32) {
        let packed = self.doubled(clock, constant);
        self.upper[clock] = self.upper[clock].min(-packed);
    }

    /// Takes the larger constant of both, clock by clock. True if anything changed.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn raise_to(&mut self, other: &Self) -> bool {
        assert_eq!(self.dimension(), other.dimension(), "bounds of different dimensions");
        let mut changed = false;
        for (own, &other) in self.lower.iter_mut().zip(&other.lower) {
            changed |= other > *own;
            *own = other.max(*own);
        }
        for (own, &other) in self.upper.iter_mut().zip(&other.upper) {
            changed |= other < *own;
            *own = other.min(*own);
        }
        changed
    }

    /// Forgets the constants of a clock, as where it is reset.
    ///
    /// # Panics
    /// If there is no such clock.
    pub fn clear(&mut self, clock: usize) {
        assert!(0 < clock && clock < self.dimension(), "no such clock");
        self.lower[clock] = i32::MIN;
        self.upper[clock] = i32::MAX;
    }

    /// `L` of a clock, `None` for −∞. It is 0 for the reference clock.
    #[must_use]
    pub fn lower(&self, clock: usize) -> Option<u32> {
        let packed = self.lower[clock];
        (packed != i32::MIN).then_some((packed >> 1).unsigned_abs())
    }

    /// `U` of a clock, `None` for −∞. It is 0 for the reference clock.
    #[must_use]
    pub fn upper(&self, clock: usize) -> Option<u32> {
        let packed = self.upper[clock];
        (packed != i32::MAX).then_some((packed >> 1).unsigned_abs())
    }

    /// The bounds with `L = U = M`, the larger of the two.
    #[must_use]
    pub fn to_maximal(&self) -> Self {
        let mut maximal = self.clone();
        for (lower, upper) in maximal.lower.iter_mut().zip(&mut maximal.upper) {
            if *upper != i32::MAX {
                *lower = (*lower).max(1 - *upper);
            }
            if *lower != i32::MIN {
                *upper = (*upper).min(1 - *lower);
            }
        }
        maximal
    }

    fn doubled(&self, clock: usize, constant: u32) -> i32 {
        assert!(0 < clock && clock < self.dimension(), "no such clock");
        assert!(constant <= MAX_CONSTANT.unsigned_abs(), "the constant exceeds the range");
        2 * constant.cast_signed()
    }

    /// For each clock `≤ L`, packed, the least integer for −∞; and `< −U`, packed, the largest
    /// integer for −∞.
    #[inline]
    pub(crate) fn packed(&self) -> (&[i32], &[i32]) {
        (&self.lower, &self.upper)
    }
}

impl Zone {
    /// Extra_M of BBLP06: [`Zone::extrapolate_lu`] for `L = U = M`. The result includes the zone.
    ///
    /// `bounds` should have `L = U`, see [`LuBounds::to_maximal`]; otherwise the larger counts.
    pub fn extrapolate_m(&mut self, bounds: &LuBounds) {
        self.extrapolate_lu(&bounds.to_maximal());
    }

    /// Extra_M⁺ of BBLP06: [`Zone::extrapolate_lu_plus`] for `L = U = M`. The result includes the
    /// zone and its Extra_M.
    pub fn extrapolate_m_plus(&mut self, bounds: &LuBounds) {
        self.extrapolate_lu_plus(&bounds.to_maximal());
    }

    /// Extra_LU of BBLP06: drops upper bounds on `x_i − x_j` above `L(x_i)` and raises those below
    /// `−U(x_j)` to it. The result includes the zone.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn extrapolate_lu(&mut self, bounds: &LuBounds) {
        let n = self.dimension;
        assert_eq!(n, bounds.dimension(), "bounds of a different dimension");
        let mut changed = self.raise_lower_bounds(bounds);
        for (i, row) in self.cells.chunks_exact_mut(n).enumerate().skip(1) {
            let lower = bounds.lower[i];
            for (j, (bound, &upper)) in row.iter_mut().zip(&bounds.upper).enumerate() {
                if i == j || bound.0 >= INFINITE {
                    continue;
                }
                if bound.0 > lower || upper == i32::MAX {
                    *bound = Bound::INFINITY;
                    changed = true;
                } else if bound.0 < upper {
                    *bound = Bound(upper);
                    changed = true;
                }
            }
        }
        self.reclose(changed);
    }

    /// Extra_LU⁺ of BBLP06: as [`Zone::extrapolate_lu`], and also drops all upper bounds on
    /// `x_i − x_j` if `x_i` exceeds `L(x_i)` throughout, or `x_j` exceeds `U(x_j)` throughout. The
    /// result includes the zone and its Extra_LU.
    ///
    /// # Panics
    /// If the dimensions differ.
    pub fn extrapolate_lu_plus(&mut self, bounds: &LuBounds) {
        let n = self.dimension;
        assert_eq!(n, bounds.dimension(), "bounds of a different dimension");
        let relaxed = kernel::relax_lu_plus(&mut self.cells, n, &bounds.lower, &bounds.upper);
        let changed = self.raise_lower_bounds(bounds) | relaxed.changed;
        if changed && n <= 64 {
            kernel::close_relaxed(&mut self.cells, n, &relaxed);
        } else {
            self.reclose(changed);
        }
    }

    /// Raises each bound of the first row to `< −U`, or `≤ 0` if `U` is −∞. True if one changed.
    fn raise_lower_bounds(&mut self, bounds: &LuBounds) -> bool {
        let mut changed = false;
        let first = self.cells[..self.dimension].iter_mut().zip(&bounds.upper);
        for (bound, &upper) in first.skip(1) {
            let raised = bound.0.max(upper.min(LE_ZERO));
            changed |= raised != bound.0;
            bound.0 = raised;
        }
        changed
    }

    fn reclose(&mut self, changed: bool) {
        if changed {
            let closed = kernel::close(&mut self.cells, self.dimension);
            debug_assert!(closed, "an extrapolation includes its zone");
        }
    }
}
