//! The moments at which a tester may act: multiples of a step, such as the ticks of a machine that
//! reads its inputs periodically.

use tioga_base::{Overflow, Rational};
use tioga_concrete::Interval;

/// The multiples of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grid(Rational);

impl Grid {
    /// The multiples of this step; nothing if it is not above zero.
    pub fn new(step: Rational) -> Option<Self> {
        (step > Rational::ZERO).then_some(Self(step))
    }

    /// The step.
    pub fn step(self) -> Rational {
        self.0
    }

    /// The first multiple that is not before a time.
    pub(crate) fn at_or_after(self, time: Rational) -> Result<Rational, Overflow> {
        Rational::integer(time.div(self.0)?.ceil()).mul(self.0)
    }

    /// The last multiple that is not after a time.
    pub(crate) fn at_or_before(self, time: Rational) -> Result<Rational, Overflow> {
        Rational::integer(time.div(self.0)?.floor()).mul(self.0)
    }

    /// Whether a time is a multiple.
    pub(crate) fn has(self, time: Rational) -> Result<bool, Overflow> {
        Ok(time.div(self.0)?.to_integer().is_some())
    }

    /// The first multiple in a stretch of delays from now on.
    pub(crate) fn first_in(
        self,
        now: Rational,
        delays: &Interval,
    ) -> Result<Option<Rational>, Overflow> {
        let (lower, excluded) = delays.lower();
        let start = now.add(lower)?;
        let mut first = self.at_or_after(start)?;
        if excluded && first == start {
            first = first.add(self.0)?;
        }
        Ok(delays.contains(first.sub(now)?).then_some(first))
    }

    /// A multiple in a stretch of delays from now on, near to one of the delays.
    pub(crate) fn near(
        self,
        now: Rational,
        delays: &Interval,
        delay: Rational,
    ) -> Result<Option<Rational>, Overflow> {
        let wanted = now.add(delay)?;
        for point in [self.at_or_after(wanted)?, self.at_or_before(wanted)?] {
            if point >= now && delays.contains(point.sub(now)?) {
                return Ok(Some(point));
            }
        }
        self.first_in(now, delays)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Rational {
        text.parse().unwrap()
    }

    #[test]
    fn the_first_multiple_in_a_window_is_found_if_there_is_one() {
        let grid = Grid::new(number("1/2")).unwrap();
        let first = |now: &str, from: &str, to: &str| {
            let window = Interval::closed(number(from), number(to)).unwrap();
            grid.first_in(number(now), &window).unwrap().map(|time| time.to_string())
        };
        assert_eq!(first("0", "0", "1").as_deref(), Some("0"));
        assert_eq!(first("1/3", "0", "1").as_deref(), Some("1/2"));
        assert_eq!(first("1/3", "1/4", "1").as_deref(), Some("1"));
        assert_eq!(first("1/3", "0", "1/10"), None);
        assert_eq!(first("7/2", "0", "0").as_deref(), Some("7/2"));
        assert!(Grid::new(Rational::ZERO).is_none());
    }

    #[test]
    fn a_multiple_near_to_a_choice_stays_in_the_window() {
        let grid = Grid::new(Rational::ONE).unwrap();
        let window = Interval::closed(number("1/2"), number("5/2")).unwrap();
        let near = |delay: &str| grid.near(Rational::ZERO, &window, number(delay)).unwrap();
        assert_eq!(near("1/2"), Some(Rational::ONE));
        assert_eq!(near("9/4"), Some(Rational::integer(2)));
        assert_eq!(near("3/2"), Some(Rational::integer(2)));
    }
}
