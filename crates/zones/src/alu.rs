//! Inclusion modulo the abstraction aLU, decided without computing the abstraction.
//!
//! aLU is the coarsest abstraction that is sound for all models with given constants `L` and `U`;
//! aLU(Z) is not convex in general. HSW12 (Herbreteau, Srivathsan, Walukiewicz, *Better
//! abstractions for timed automata*, 2012) decide `Z ⊆ aLU(Z')` on two clocks at a time, in
//! `O(n²)`.

use crate::extrapolate::LuBounds;
use crate::kernel;
use crate::zone::Zone;

impl Zone {
    /// Whether `other ⊆ aLU(self)`: for every point `v` of `other` there is a point `w` of this
    /// zone such that, for each clock `x`, `w(x) = v(x)`, or `L(x) < w(x) < v(x)`, or
    /// `U(x) < v(x) < w(x)`. (HSW12.)
    ///
    /// Both zones must be closed under what the search closes them under, typically delay, for
    /// this to imply that `other` adds no behaviour; the test itself asks for nothing.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn includes_modulo_alu(&self, other: &Self, bounds: &LuBounds) -> bool {
        self.same_dimension(other);
        assert_eq!(self.dimension, bounds.dimension(), "bounds of a different dimension");
        let (lower, upper) = bounds.packed();
        !kernel::leaves_alu((&self.cells, &other.cells), self.dimension, lower, upper)
    }
}
