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
    fn a_moment_says_what_is_known() {
        let (one, two) = (Rational::ONE, Rational::integer(2));
        assert_eq!(Moment::exactly(one).to_string(), "1");
        let between = Moment::between(one, two).unwrap();
        assert_eq!(between.to_string(), "1..2");
        assert_eq!(between.uncertainty().unwrap(), one);
        assert_eq!(Moment::between(two, one), None);
    }
}
