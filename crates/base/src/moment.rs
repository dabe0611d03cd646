//! When something happened, as far as one knows.

use std::fmt;
use std::str::FromStr;

use crate::{Overflow, Rational};

/// A moment that lies somewhere between two known ones, both included, in written time units since
/// the start of a run. With exact (virtual) time the two are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Moment {
    earliest: Rational,
    latest: Rational,
}

impl Moment {
    /// The start of a run.
    pub const START: Self = Self::exactly(Rational::ZERO);

    /// Known exactly.
    pub const fn exactly(time: Rational) -> Self {
        Self { earliest: time, latest: time }
    }

    /// Somewhere between two moments; nothing if they are in the wrong order.
    pub fn between(earliest: Rational, latest: Rational) -> Option<Self> {
        (earliest <= latest).then_some(Self { earliest, latest })
    }

    /// The earliest it may have been.
    pub const fn earliest(self) -> Rational {
        self.earliest
    }

    /// The latest it may have been.
    pub const fn latest(self) -> Rational {
        self.latest
    }

    /// Whether it is known exactly.
    pub fn is_exact(self) -> bool {
        self.earliest == self.latest
    }

    /// For people. Ends that are hard to read are rounded outwards to three digits, so that what is shown
    /// includes the moment: `268770797/5000000` becomes `53.754..53.755`.
    pub fn readable(self) -> String {
        let (from, until) = (self.earliest.rounded_down(), self.latest.rounded_up());
        if from == until { from } else { format!("{from}..{until}") }
    }

    /// How much is unknown.
    pub fn uncertainty(self) -> Result<Rational, Overflow> {
        self.latest.sub(self.earliest)
    }
}

/// `3`, or `3..7/2` if it is not known exactly.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_exact() {
            write!(f, "{}", self.earliest)
        } else {
            write!(f, "{}..{}", self.earliest, self.latest)
        }
    }
}

/// Why a text is not a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseMomentError;

impl fmt::Display for ParseMomentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a moment; write one time, or two in order: `3/2` or `3..4`")
    }
}

impl std::error::Error for ParseMomentError {}

/// Reads `3`, `7/2` and `3..7/2`.
impl FromStr for Moment {
    type Err = ParseMomentError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let time = |part: &str| part.trim().parse::<Rational>().map_err(|_| ParseMomentError);
        match text.split_once("..") {
            None => Ok(Self::exactly(time(text)?)),
            Some((earliest, latest)) => {
                Self::between(time(earliest)?, time(latest)?).ok_or(ParseMomentError)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn moments_are_read_as_they_are_written() {
        for text in ["0", "7/2", "3..7/2"] {
            assert_eq!(text.parse::<Moment>().unwrap().to_string(), text);
        }
        assert_eq!("4..3".parse::<Moment>(), Err(ParseMomentError));
        assert_eq!("soon".parse::<Moment>(), Err(ParseMomentError));
    }

    #[test]
    fn what_is_hard_to_read_is_rounded_outwards() {
        let shown = |text: &str| text.parse::<Moment>().unwrap().readable();
        assert_eq!(shown("7/2"), "7/2");
        assert_eq!(shown("1/1000..3"), "1/1000..3");
        assert_eq!(shown("268770797/5000000"), "53.754..53.755");
        assert_eq!(shown("1/3..10001/10000"), "1/3..1.001");
        assert_eq!(shown("-1/5000..1/5000"), "-0.001..0.001");
        let large: Rational = "9223372036854775807/2000".parse().unwrap();
        assert_eq!(large.rounded_up(), "4611686018427387.904");
    }

    proptest! {
        #[test]
        fn what_is_shown_includes_the_moment(
            numerator in any::<i32>(), denominator in 1..i64::MAX, more in 0..1000i64,
        ) {
            let low = Rational::new(numerator.into(), denominator).unwrap();
            let high = low.add(Rational::integer(more)).unwrap_or(low);
            let shown: Moment = Moment::between(low, high).unwrap().readable().parse().unwrap();
            prop_assert!(shown.earliest() <= low && high <= shown.latest());
            let thousandth = Rational::new(2, 1000).unwrap();
            prop_assert!(shown.earliest().add(thousandth).unwrap() > low || shown.earliest() == low);
        }
    }

    #[test]
    fn a_moment_says_what_is_known() {
        let (one, two) = (Rational::ONE, Rational::integer(2));
        assert_eq!(Moment::exactly(one).to_string(), "1");
        let between = Moment::between(one, two).unwrap();
        assert_eq!(between.to_string(), "1..2");
        assert_eq!(between.uncertainty().unwrap(), one);
        assert_eq!(Moment::between(two, one), None);
    }
}
