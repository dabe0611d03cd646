//! Bounds `< c`, `≤ c` and `< ∞` on a difference of two clocks, packed into one `i32`.
//!
//! The packing is `2c` for `< c` and `2c + 1` for `≤ c`, so that comparing bounds is comparing
//! integers: the smaller integer is the tighter bound. Infinity is the largest value of all.
//!
//! Constants lie within [`MAX_CONSTANT`] on both sides of zero. A sum that leaves this range is
//! weakened, upwards to infinity and downwards to the lowest bound: a zone may then be larger than
//! the exact one, but nothing ever wraps around. [`Bound::constants_fit`] tells in advance whether
//! this can happen at all.

use std::fmt;
use std::ops::Add;

use thiserror::Error;

/// The largest absolute value of a constant in a bound: 2^28 − 1.
///
/// Two bits of the integer are kept free so that the inner loops can add two bounds, one of which
/// may stand for infinity, without any test for overflow.
pub const MAX_CONSTANT: i32 = (1 << 28) - 1;

/// The packed form of infinity.
pub(crate) const INFINITE: i32 = 1 << 29;
/// What the inner loops read instead of [`INFINITE`]: added to any finite bound it is no tighter
/// than infinity, and added to itself it does not overflow.
pub(crate) const HUGE: i32 = (1 << 30) - 2;
/// The tightest operand of a sum, `< −`[`MAX_CONSTANT`]. Tighter ones are weakened to it before
/// they are added.
pub(crate) const FLOOR: i32 = -(1 << 29) + 2;
const _: () = assert!(HUGE + FLOOR >= INFINITE && FLOOR == -2 * MAX_CONSTANT);
/// The packed form of `≤ 0`.
pub(crate) const LE_ZERO: i32 = 1;

/// A bound on a difference of clocks: `< c`, `≤ c`, or `< ∞` for none.
///
/// Bounds are ordered by the sets they admit: `< 3` is less than `≤ 3`, which is less than `< 4`.
///
/// ```
/// use tioga_zones::Bound;
/// let three = Bound::le(3)?;
/// assert!(Bound::lt(3)? < three && three < Bound::lt(4)? && three < Bound::INFINITY);
/// assert_eq!(three + Bound::lt(-1)?, Bound::lt(2)?);
/// assert_eq!(three.complement(), Bound::lt(-3)?);
/// # Ok::<(), tioga_zones::OutOfRange>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bound(pub(crate) i32);

/// A constant that no bound can hold: its absolute value exceeds [`MAX_CONSTANT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("constant {constant} is outside -{MAX_CONSTANT}..={MAX_CONSTANT}")]
pub struct OutOfRange {
    /// The offending constant.
    pub constant: i64,
}

impl Bound {
    /// No bound: `< ∞`.
    pub const INFINITY: Self = Self(INFINITE);
    /// The bound `≤ 0`.
    pub const LE_ZERO: Self = Self(LE_ZERO);
    /// The bound `< 0`.
    pub const LT_ZERO: Self = Self(0);

    /// The bound `≤ constant`.
    ///
    /// # Errors
    /// If the constant is beyond [`MAX_CONSTANT`].
    pub fn le(constant: i32) -> Result<Self, OutOfRange> {
        in_range(constant).map(|c| Self(2 * c + 1))
    }

    /// The bound `< constant`.
    ///
    /// # Errors
    /// If the constant is beyond [`MAX_CONSTANT`].
    pub fn lt(constant: i32) -> Result<Self, OutOfRange> {
        in_range(constant).map(|c| Self(2 * c))
    }

    /// Whether all bounds that arise from constants up to `largest` in zones of the given
    /// dimension are exact.
    ///
    /// The entries of a closed matrix are sums over simple paths, that is of at most `dimension`
    /// constants, and an operation adds at most one more. With extrapolation to these constants
    /// after each step no larger sum arises, so one check when a model is loaded suffices.
    ///
    /// # Errors
    /// If a sum might leave the range; the error names the largest possible sum.
    pub fn constants_fit(dimension: usize, largest: i32) -> Result<(), OutOfRange> {
        let paths = i64::try_from(dimension).unwrap_or(i64::MAX).saturating_add(1);
        let constant = paths.saturating_mul(i64::from(largest).abs());
        if constant <= i64::from(MAX_CONSTANT) { Ok(()) } else { Err(OutOfRange { constant }) }
    }

    /// The constant, or `None` for infinity.
    #[must_use]
    pub fn constant(self) -> Option<i32> {
        (self.0 < INFINITE).then_some(self.0 >> 1)
    }

    /// Whether the bound excludes its constant. Infinity counts as strict.
    #[must_use]
    pub fn is_strict(self) -> bool {
        self.0 & 1 == 0
    }

    /// Whether there is no bound.
    #[must_use]
    pub fn is_infinite(self) -> bool {
        self.0 >= INFINITE
    }

    /// The bound on `y − x` that holds exactly where this bound on `x − y` does not.
    ///
    /// Infinity holds everywhere, so its complement would hold nowhere; for lack of such a bound
    /// this is the tightest one there is, and callers should not ask.
    #[must_use]
    pub fn complement(self) -> Self {
        Self((1 - self.0).clamp(FLOOR, INFINITE))
    }

    /// The packed form, to be used as a key or stored: `2c` for `< c`, `2c + 1` for `≤ c`.
    #[must_use]
    pub fn packed(self) -> i32 {
        self.0
    }

    /// The bound with a given packed form, or `None` if it is out of range.
    #[must_use]
    pub fn from_packed(packed: i32) -> Option<Self> {
        (-INFINITE < packed && packed <= INFINITE).then_some(Self(packed))
    }

    /// Whether a value `numerator / denominator` obeys the bound. Requires `denominator > 0`.
    pub(crate) fn admits(self, numerator: i128, denominator: i128) -> bool {
        match self.constant() {
            None => true,
            Some(c) if self.is_strict() => numerator < i128::from(c) * denominator,
            Some(c) => numerator <= i128::from(c) * denominator,
        }
    }

    /// Whether no difference obeys both this bound and, reversed, the other one.
    #[inline]
    pub(crate) fn contradicts(self, reverse: Self) -> bool {
        let (a, b) = (self.operand(), reverse.operand());
        a + b - ((a | b) & 1) < LE_ZERO
    }

    /// The packed form as it enters a sum: two such integers can be added, and the sum is not
    /// below [`INFINITE`] if one of them stands for infinity.
    #[inline(always)]
    pub(crate) fn operand(self) -> i32 {
        if self.0 >= INFINITE { HUGE } else { self.0.max(FLOOR) }
    }

    /// The bound plus a constant. Requires the constant to be within [`MAX_CONSTANT`].
    #[inline]
    pub(crate) fn shift(self, constant: i32) -> Self {
        if self.0 >= INFINITE {
            return self;
        }
        Self((self.0.max(FLOOR) + 2 * constant).min(INFINITE))
    }
}

fn in_range(constant: i32) -> Result<i32, OutOfRange> {
    if constant.unsigned_abs() <= MAX_CONSTANT.unsigned_abs() {
        Ok(constant)
    } else {
        Err(OutOfRange { constant: constant.into() })
    }
}

/// The bound on `x − z` that follows from bounds on `x − y` and `y − z`; strict if one of them is.
///
/// Infinity absorbs. A finite sum beyond the range is weakened as the module text says.
impl Add for Bound {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        if self.0 >= INFINITE || other.0 >= INFINITE {
            return Self::INFINITY;
        }
        let (a, b) = (self.0.max(FLOOR), other.0.max(FLOOR));
        Self((a + b - ((a | b) & 1)).min(INFINITE))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.constant() {
            None => f.write_str("<inf"),
            Some(c) if self.is_strict() => write!(f, "<{c}"),
            Some(c) => write!(f, "<={c}"),
        }
    }
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn constants_beyond_the_range_are_refused() {
        assert!(Bound::le(MAX_CONSTANT).is_ok() && Bound::lt(-MAX_CONSTANT).is_ok());
        assert_eq!(Bound::le(MAX_CONSTANT + 1), Err(OutOfRange { constant: 1 << 28 }));
        assert!(Bound::lt(i32::MIN).is_err());
    }

    #[test]
    fn sums_are_weakened_instead_of_wrapping() {
        let (most, least) = (Bound::le(MAX_CONSTANT).unwrap(), Bound::lt(-MAX_CONSTANT).unwrap());
        assert_eq!(most + most, Bound::INFINITY);
        assert_eq!(most + Bound::le(1).unwrap(), Bound::INFINITY);
        let mut sum = least;
        for _ in 0..100 {
            let next = sum + least;
            assert!(next.constant().unwrap() <= -MAX_CONSTANT);
            sum = next;
        }
        assert_eq!(most.shift(MAX_CONSTANT), Bound::INFINITY);
        assert!(sum.complement() <= Bound::INFINITY);
    }

    #[test]
    fn infinity_absorbs() {
        let least = Bound::lt(-MAX_CONSTANT).unwrap();
        assert_eq!(Bound::INFINITY + least + least, Bound::INFINITY);
        assert_eq!(Bound::INFINITY.shift(-5), Bound::INFINITY);
    }

    #[test]
    fn complement_is_an_involution_on_finite_bounds() {
        for raw in -50..50 {
            assert_eq!(Bound(raw).complement().complement(), Bound(raw));
        }
    }

    #[test]
    fn fit_counts_the_sums_along_paths() {
        assert!(Bound::constants_fit(4, 1_000_000).is_ok());
        assert!(Bound::constants_fit(300, 1_000_000).is_err());
    }
}
