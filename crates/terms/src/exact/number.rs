//! Exact fractions of 128-bit integers, for what happens between a question and its answer.

use std::cmp::Ordering;

use tioga_base::Rational;

use super::stop::Stop;

/// A fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Number {
    top: i128,
    below: i128,
}

/// The greatest common divisor, not negative.
pub(super) fn gcd(one: i128, other: i128) -> i128 {
    let (mut one, mut other) = (one.unsigned_abs(), other.unsigned_abs());
    // Most numbers are small, and division of 128-bit numbers is slow.
    while other != 0 {
        if let (Ok(mut small), Ok(mut next)) = (u64::try_from(one), u64::try_from(other)) {
            while next != 0 {
                (small, next) = (next, small % next);
            }
            return i128::from(small);
        }
        (one, other) = (other, one % other);
    }
    i128::try_from(one).unwrap_or(i128::MAX)
}

/// The quotient rounded down. Pre: the divisor is positive.
pub(super) fn floor_div(number: i128, divisor: i128) -> i128 {
    match (i64::try_from(number), i64::try_from(divisor)) {
        (Ok(number), Ok(divisor)) => i128::from(number.div_euclid(divisor)),
        _ => number.div_euclid(divisor),
    }
}

/// The quotient rounded up. Pre: the divisor is positive, and the number not the least one.
pub(super) fn ceil_div(number: i128, divisor: i128) -> i128 {
    -floor_div(-number, divisor)
}

#[inline]
pub(super) fn add(one: i128, other: i128) -> Result<i128, Stop> {
    one.checked_add(other).filter(|sum| *sum != i128::MIN).ok_or(Stop::Overflow)
}

#[inline]
pub(super) fn mul(one: i128, other: i128) -> Result<i128, Stop> {
    match (i64::try_from(one), i64::try_from(other)) {
        (Ok(one), Ok(other)) => Ok(i128::from(one) * i128::from(other)),
        _ => one.checked_mul(other).filter(|product| *product != i128::MIN).ok_or(Stop::Overflow),
    }
}

impl Number {
    pub(super) const ZERO: Self = Self { top: 0, below: 1 };

    pub(super) fn int(value: i128) -> Self {
        Self { top: value, below: 1 }
    }

    /// Pre: the denominator is not zero.
    pub(super) fn new(top: i128, below: i128) -> Self {
        if below == 1 {
            return Self { top, below };
        }
        let common = gcd(top, below) * below.signum();
        Self { top: top / common, below: below / common }
    }

    pub(super) fn top(self) -> i128 {
        self.top
    }

    pub(super) fn below(self) -> i128 {
        self.below
    }

    pub(super) fn signum(self) -> i128 {
        self.top.signum()
    }

    pub(super) fn is_int(self) -> bool {
        self.below == 1
    }

    pub(super) fn floor(self) -> i128 {
        if self.below == 1 { self.top } else { floor_div(self.top, self.below) }
    }

    pub(super) fn ceil(self) -> i128 {
        if self.below == 1 { self.top } else { ceil_div(self.top, self.below) }
    }

    #[inline]
    pub(super) fn plus(self, other: Self) -> Result<Self, Stop> {
        if self.below == 1 && other.below == 1 {
            return Ok(Self::int(add(self.top, other.top)?));
        }
        let left = mul(self.top, other.below)?;
        let right = mul(other.top, self.below)?;
        Ok(Self::new(add(left, right)?, mul(self.below, other.below)?))
    }

    #[inline]
    pub(super) fn times(self, factor: i128) -> Result<Self, Stop> {
        match factor {
            1 => return Ok(self),
            -1 => return Ok(self.negative()),
            _ => {}
        }
        if self.below == 1 {
            return Ok(Self::int(mul(self.top, factor)?));
        }
        Ok(Self::new(mul(self.top, factor)?, self.below))
    }

    /// Adds a multiple of another number.
    #[inline]
    pub(super) fn add_product(&mut self, other: &Self, factor: i128) -> Result<(), Stop> {
        if self.below == 1 && other.below == 1 {
            let product = match factor {
                1 => other.top,
                -1 => -other.top,
                _ => mul(other.top, factor)?,
            };
            self.top = add(self.top, product)?;
            return Ok(());
        }
        *self = self.plus(other.times(factor)?)?;
        Ok(())
    }

    pub(super) fn over(self, divisor: i128) -> Result<Self, Stop> {
        match divisor {
            1 => return Ok(self),
            -1 => return Ok(self.negative()),
            _ => {}
        }
        Ok(Self::new(self.top, mul(self.below, divisor)?))
    }

    pub(super) fn negative(self) -> Self {
        Self { top: -self.top, below: self.below }
    }

    pub(super) fn compare(self, other: Self) -> Result<Ordering, Stop> {
        if self.below == other.below {
            return Ok(self.top.cmp(&other.top));
        }
        Ok(mul(self.top, other.below)?.cmp(&mul(other.top, self.below)?))
    }

    /// As a number of the answer, if it fits there.
    pub(super) fn rational(self) -> Result<Rational, Stop> {
        let top = i64::try_from(self.top).map_err(|_| Stop::Overflow)?;
        let below = i64::try_from(self.below).map_err(|_| Stop::Overflow)?;
        Rational::new(top, below).map_err(|_| Stop::Overflow)
    }

    /// The number with the least denominator between two, and of these the one nearest to zero. An end that
    /// is open does not count. Nothing if no number lies between.
    pub(super) fn simplest(
        low: Option<(Self, bool)>,
        high: Option<(Self, bool)>,
    ) -> Result<Option<Self>, Stop> {
        let above = low.map(|(low, open)| {
            let whole = low.ceil();
            if open && low.is_int() { whole.saturating_add(1) } else { whole }
        });
        let under = high.map(|(high, open)| {
            let whole = high.floor();
            if open && high.is_int() { whole.saturating_sub(1) } else { whole }
        });
        match (above, under) {
            (None, None) => return Ok(Some(Self::ZERO)),
            (Some(above), None) => return Ok(Some(Self::int(above.max(0)))),
            (None, Some(under)) => return Ok(Some(Self::int(under.min(0)))),
            (Some(above), Some(under)) if above <= under => {
                return Ok(Some(Self::int(0.clamp(above, under))));
            }
            _ => {}
        }
        let (Some((low, low_open)), Some((high, high_open))) = (low, high) else { return Ok(None) };
        match low.compare(high)? {
            Ordering::Greater => return Ok(None),
            Ordering::Equal => return Ok((!low_open && !high_open).then_some(low)),
            Ordering::Less => {}
        }
        // No integer lies between: all is between w and w + 1. Turn the rest over, which swaps the ends.
        let whole = low.floor();
        let flip = |number: Self| -> Result<Option<Self>, Stop> {
            let rest = add(number.top, -mul(whole, number.below)?)?;
            Ok((rest != 0).then_some(Self { top: number.below, below: rest }))
        };
        let inner_low = flip(high)?.map(|number| (number, high_open));
        let inner_high = flip(low)?.map(|number| (number, low_open));
        let Some(inner) = Self::simplest(inner_low, inner_high)? else { return Ok(None) };
        Ok(Some(Self { top: add(mul(whole, inner.top)?, inner.below)?, below: inner.top }))
    }
}
