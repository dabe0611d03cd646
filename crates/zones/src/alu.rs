//! Inclusion modulo the abstraction aLU, decided without computing the abstraction.
//!
//! aLU is the coarsest abstraction that is sound for all models with given constants `L` and `U`;
//! aLU(Z) is not convex in general. HSW12 (Herbreteau, Srivathsan, Walukiewicz, *Better
//! abstractions for timed automata*, 2012) decide `Z ⊆ aLU(Z')` on two clocks at a time, in
//! `O(n²)`.

use crate::bound::INFINITE;
use crate::extrapolate::LuBounds;
use crate::zone::Zone;

impl Zone {
    /// Whether `other ⊆ aLU(self)`: for every point `v` of `other` there is a point `w` of this
    /// zone such that, for each clock `x`, `w(x) = v(x)`, or `L(x) < w(x) < v(x)`, or
    /// `U(x) < v(x) < w(x)`. (HSW12 Theorem 3.)
    ///
    /// Both zones must be closed under what the search closes them under, typically delay, for
    /// this to imply that `other` adds no behaviour; the test itself asks for nothing.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn includes_modulo_alu(&self, other: &Self, bounds: &LuBounds) -> bool {
        self.same_dimension(other);
        let n = self.dimension;
        assert_eq!(n, bounds.dimension(), "bounds of a different dimension");
        let first = &other.cells[..n];
        for y in 0..n {
            let lower = bounds.packed_lower(y);
            if lower == i32::MIN {
                continue; // Points of `self` may be arbitrarily low in `y`.
            }
            let (own, other) = (&self.cells[y * n..][..n], &other.cells[y * n..][..n]);
            let mut violated = false;
            for x in 0..n {
                // Some point of `other` has `x ≤ U(x)`, so `x` may not be raised for it …
                let fixed = first[x].0 > bounds.packed_upper(x);
                // … `y − x` is bounded more tightly here …
                let tighter = own[x].0 < other[x].0;
                // … and lowering `y` to satisfy that would lead to `L(y)` or below.
                let low = own[x].0.min(INFINITE) & !1;
                violated |= fixed & tighter & (low - (lower - 1) < first[x].0);
            }
            if violated {
                return false;
            }
        }
        true
    }
}
