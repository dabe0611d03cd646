//! Exact rational numbers. Every operation that could overflow says so.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};
use thiserror::Error;

/// An exact rational number with 64-bit numerator and positive denominator, in lowest terms.
///
/// Arithmetic is checked: a result that does not fit is [`Overflow`], never a wrapped number.
#[derive(Clone, Copy, Debug)]
pub struct Rational(Ratio<i64>);

/// In lowest terms, equal numbers are written alike.
impl PartialEq for Rational {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Rational {}

impl Hash for Rational {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        let ((left, below), (right, under)) = (self.parts(), other.parts());
        if below == under {
            return left.cmp(&right);
        }
        (i128::from(left) * i128::from(under)).cmp(&(i128::from(right) * i128::from(below)))
    }
}

/// A number left the range of 64-bit numerators and denominators.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("a number is too large to be represented exactly in 64 bits")]
pub struct Overflow;

#[expect(
    clippy::should_implement_trait,
    reason = "checked arithmetic yields a Result, which the operator traits do not express"
)]
impl Rational {
    /// Zero.
    pub const ZERO: Self = Self(Ratio::new_raw(0, 1));
    /// One.
    pub const ONE: Self = Self(Ratio::new_raw(1, 1));

    /// The quotient of two integers; `Overflow` for a zero denominator or an unrepresentable sign.
    pub fn new(numerator: i64, denominator: i64) -> Result<Self, Overflow> {
        if denominator == 0 || numerator == i64::MIN || denominator == i64::MIN {
            return Err(Overflow);
        }
        Ok(Self(Ratio::new(numerator, denominator)))
    }

    /// The integer as a rational.
    pub const fn integer(value: i64) -> Self {
        Self(Ratio::new_raw(value, 1))
    }

    /// The numerator in lowest terms; its sign is the sign of the number.
    pub fn numerator(self) -> i64 {
        *self.0.numer()
    }

    /// The denominator in lowest terms, always positive.
    pub fn denominator(self) -> i64 {
        *self.0.denom()
    }

    fn parts(self) -> (i64, i64) {
        (self.numerator(), self.denominator())
    }

    /// The integer this number equals, if it is one.
    pub fn to_integer(self) -> Option<i64> {
        self.0.is_integer().then(|| self.numerator())
    }

    /// The greatest integer not above this number.
    pub fn floor(self) -> i64 {
        self.numerator().div_euclid(self.denominator())
    }

    /// The least integer not below this number.
    pub fn ceil(self) -> i64 {
        self.floor() + i64::from(!self.0.is_integer())
    }

    /// Whether this is zero.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Whether this is below zero.
    pub fn is_negative(self) -> bool {
        self.numerator() < 0
    }

    /// Sum with an integer: the denominator stays, and the terms stay lowest. Most sums are of this
    /// kind, so it is worth not to look for a common divisor.
    fn plus(self, whole: i64) -> Result<Self, Overflow> {
        let (numerator, denominator) = (self.numerator(), self.denominator());
        let sum = whole.checked_mul(denominator).and_then(|part| numerator.checked_add(part));
        sum.map(|sum| Self(Ratio::new_raw(sum, denominator))).ok_or(Overflow)
    }

    /// Sum.
    pub fn add(self, other: Self) -> Result<Self, Overflow> {
        match (self.to_integer(), other.to_integer()) {
            (_, Some(whole)) => self.plus(whole),
            (Some(whole), None) => other.plus(whole),
            (None, None) if self.denominator() == other.denominator() => {
                let sum = self.numerator().checked_add(other.numerator()).ok_or(Overflow)?;
                Self::new(sum, self.denominator())
            }
            (None, None) => self.0.checked_add(&other.0).map(Self).ok_or(Overflow),
        }
    }

    /// Difference.
    pub fn sub(self, other: Self) -> Result<Self, Overflow> {
        match other.to_integer().and_then(i64::checked_neg) {
            Some(whole) => self.plus(whole),
            None if self.denominator() == other.denominator() => {
                let difference = self.numerator().checked_sub(other.numerator()).ok_or(Overflow)?;
                Self::new(difference, self.denominator())
            }
            None => self.0.checked_sub(&other.0).map(Self).ok_or(Overflow),
        }
    }

    /// Product.
    pub fn mul(self, other: Self) -> Result<Self, Overflow> {
        self.0.checked_mul(&other.0).map(Self).ok_or(Overflow)
    }

    /// Quotient; `Overflow` when dividing by zero.
    pub fn div(self, other: Self) -> Result<Self, Overflow> {
        match other.parts() {
            (0, _) => return Err(Overflow),
            (1, 1) => return Ok(self),
            _ => {}
        }
        self.0.checked_div(&other.0).map(Self).ok_or(Overflow)
    }

    /// The number with the other sign.
    pub fn neg(self) -> Result<Self, Overflow> {
        Self::ZERO.sub(self)
    }
}

impl Rational {
    /// The number that a text says exactly, also with an exponent as JSON allows it: `1.5e-3`.
    pub fn with_exponent(text: &str) -> Option<Self> {
        let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else {
            return text.parse().ok();
        };
        let mantissa: Self = mantissa.parse().ok()?;
        let exponent: i32 = exponent.parse().ok()?;
        let power = Self::integer(10i64.checked_pow(exponent.unsigned_abs())?);
        if exponent < 0 { mantissa.div(power).ok() } else { mantissa.mul(power).ok() }
    }
}

impl From<i64> for Rational {
    fn from(value: i64) -> Self {
        Self::integer(value)
    }
}

/// Prints integers plainly and other numbers as `numerator/denominator`.
impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_integer() {
            self.numerator().fmt(f)
        } else {
            f.pad(&format!("{}/{}", self.numerator(), self.denominator()))
        }
    }
}

/// Why a text is not a rational number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum ParseRationalError {
    /// Not of the form `12`, `-3`, `2/3` or `0.25`.
    #[error("not a number; write `12`, `2/3` or `0.25`")]
    Malformed,
    /// Well formed, but outside 64 bits, or with a zero denominator.
    #[error("the number does not fit in 64 bits")]
    Unrepresentable,
}

/// Reads `12`, `-3`, `2/3`, `-2/3` and `0.25`.
impl FromStr for Rational {
    type Err = ParseRationalError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let magnitude = parse_magnitude(digits)?;
        if negative {
            magnitude.neg().map_err(|Overflow| ParseRationalError::Unrepresentable)
        } else {
            Ok(magnitude)
        }
    }
}

fn parse_magnitude(text: &str) -> Result<Rational, ParseRationalError> {
    let fits = |result: Result<Rational, Overflow>| {
        result.map_err(|Overflow| ParseRationalError::Unrepresentable)
    };
    if let Some((numerator, denominator)) = text.split_once('/') {
        return fits(Rational::new(parse_digits(numerator)?, parse_digits(denominator)?));
    }
    let Some((whole, fraction)) = text.split_once('.') else {
        return Ok(Rational::integer(parse_digits(text)?));
    };
    let places = u32::try_from(fraction.len()).map_err(|_| ParseRationalError::Unrepresentable)?;
    let denominator = 10i64.checked_pow(places).ok_or(ParseRationalError::Unrepresentable)?;
    let fraction = fits(Rational::new(parse_digits(fraction)?, denominator))?;
    fits(Rational::integer(parse_digits(whole)?).add(fraction))
}

fn parse_digits(text: &str) -> Result<i64, ParseRationalError> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseRationalError::Malformed);
    }
    text.parse().map_err(|_| ParseRationalError::Unrepresentable)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rational(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn reads_what_it_prints() {
        for text in ["0", "12", "-3", "2/3", "-7/4"] {
            assert_eq!(rational(text).to_string(), text);
        }
        assert_eq!(rational("0.25").to_string(), "1/4");
        assert_eq!(rational("4/6").to_string(), "2/3");
    }

    #[test]
    fn exponents_move_the_point() {
        let said = |text: &str| Rational::with_exponent(text).map(|number| number.to_string());
        for (text, number) in [("1.5e-3", "3/2000"), ("-2E+2", "-200"), ("7/2", "7/2")] {
            assert_eq!(said(text).as_deref(), Some(number), "{text}");
        }
        for text in ["e3", "1e", "1e99", "1e-99", "1e1e1"] {
            assert_eq!(said(text), None, "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_number() {
        for text in ["", "-", "1/", "/2", "1.", ".5", "1e3", "--1", "+1", "1/-2"] {
            assert_eq!(text.parse::<Rational>(), Err(ParseRationalError::Malformed), "{text}");
        }
        for text in ["1/0", "9223372036854775808", "0.00000000000000000001"] {
            assert_eq!(text.parse::<Rational>(), Err(ParseRationalError::Unrepresentable));
        }
    }

    #[test]
    fn fifteen_thirds_are_five() {
        let third = rational("1/3");
        let sum = (0..15).try_fold(Rational::ZERO, |sum, _| sum.add(third));
        assert_eq!(sum, Ok(Rational::integer(5)));
    }

    #[test]
    fn sums_differences_quotients_and_order_are_those_of_fractions() {
        let all: Vec<(i64, i64)> = (-7..=7).flat_map(|n| (1..=6).map(move |d| (n, d))).collect();
        for (left, right) in all.iter().flat_map(|left| all.iter().map(move |right| (left, right)))
        {
            let [a, b] = [left, right].map(|(n, d)| Rational::new(*n, *d).unwrap());
            let cross = [left.0 * right.1, right.0 * left.1];
            let below = left.1 * right.1;
            assert_eq!(a.add(b), Rational::new(cross[0] + cross[1], below), "{a} + {b}");
            assert_eq!(a.sub(b), Rational::new(cross[0] - cross[1], below), "{a} - {b}");
            assert_eq!(a.cmp(&b), cross[0].cmp(&cross[1]), "{a} and {b}");
            assert_eq!(a == b, cross[0] == cross[1], "{a} and {b}");
            let quotient = Rational::new(left.0 * right.1, left.1 * right.0);
            assert_eq!(a.div(b), quotient, "{a} / {b}");
        }
        let [large, next] = [(i64::MAX, 2), (i64::MAX - 1, 3)]
            .map(|(above, below)| Rational::new(above, below).unwrap());
        assert!(large > next, "products beyond 64 bits");
    }

    #[test]
    fn overflow_is_reported() {
        let large = Rational::integer(i64::MAX);
        assert_eq!(large.add(Rational::ONE), Err(Overflow));
        assert_eq!(large.add(rational("1/2")), Err(Overflow));
        assert_eq!(rational("1/2").sub(large), Err(Overflow));
        assert_eq!(large.mul(Rational::integer(2)), Err(Overflow));
        assert_eq!(Rational::ONE.div(Rational::ZERO), Err(Overflow));
    }

    #[test]
    fn floor_and_ceil_round_towards_the_right_side() {
        assert_eq!((rational("7/2").floor(), rational("7/2").ceil()), (3, 4));
        assert_eq!((rational("-7/2").floor(), rational("-7/2").ceil()), (-4, -3));
        assert_eq!((rational("4").floor(), rational("4").ceil()), (4, 4));
    }
}
