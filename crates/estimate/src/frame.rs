//! The clocks of observation, and how times become numbers in zones.
//!
//! Beside the clocks of the board a zone has one clock that shows tester time if nothing is delayed,
//! and three otherwise:
//! - `time`, the true time `T`;
//! - `input = T − l`, with the latency `l` of inputs: an input that was sent at `t` and has jitter
//!   `e` arrives when this clock shows `t + e`;
//! - `output = T + m`, with the latency `m` of outputs: what the system emits when this clock shows
//!   `s` is seen at `s + e`.
//!
//! All run at the same rate, so `l` and `m` stay what they are, and what observations say about them
//! is kept as bounds on differences. The clocks show times since an *origin*, a tester time that
//! moves along with the observations, so that numbers stay small.
//!
//! Zones count in units of `1 / scale`. The scale becomes finer when a time needs it, and coarser
//! again when nothing needs it any more. Where the finest scale that fits into zones is not enough, times
//! are rounded outwards: the estimate may then include states that the exact time would exclude, and
//! never the other way round.

use tioga_base::Rational;
use tioga_zones::{Bound, Zone};

use crate::Error;

/// Constants of zones stay below this, so that sums of several fit.
pub(crate) const LARGEST: i64 = 1 << 24;

/// Where the clocks of observation are in zones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The number of all clocks plus one.
    pub dimension: usize,
    /// The number of the board's clocks plus one.
    pub own: usize,
    pub input: usize,
    pub output: usize,
    pub time: usize,
    /// Whether nothing is delayed; then the three clocks are one.
    pub exact: bool,
}

impl Frame {
    pub fn new(clocks: usize, exact: bool) -> Self {
        let own = clocks + 1;
        if exact {
            return Self {
                dimension: own + 1,
                own,
                input: own,
                output: own,
                time: own,
                exact: true,
            };
        }
        let (time, input, output) = (own, own + 1, own + 2);
        Self { dimension: own + 3, own, input, output, time, exact: false }
    }

    /// The clocks of observation.
    pub fn clocks(&self) -> std::ops::Range<usize> {
        self.own..self.dimension
    }
}

/// Units and origin of the clocks of observation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Units {
    /// Zones count in units of `1 / scale`.
    pub scale: i64,
    /// The tester time at which clocks of observation show zero; a multiple of a unit.
    pub origin: Rational,
}

impl Units {
    /// A tester time as a number of units since the origin, rounded down.
    pub fn floor(&self, time: Rational) -> Result<i64, Error> {
        Ok(self.since(time)?.floor())
    }

    /// A tester time as a number of units since the origin, rounded up.
    pub fn ceil(&self, time: Rational) -> Result<i64, Error> {
        Ok(self.since(time)?.ceil())
    }

    /// A duration as a number of units, rounded up.
    pub fn length(&self, duration: Rational) -> Result<i64, Error> {
        Ok(duration.mul(Rational::integer(self.scale))?.ceil())
    }

    fn since(&self, time: Rational) -> Result<Rational, Error> {
        Ok(time.sub(self.origin)?.mul(Rational::integer(self.scale))?)
    }

    /// A number of units as a duration.
    pub fn duration(&self, units: i64) -> Result<Rational, Error> {
        Ok(Rational::new(units, self.scale)?)
    }

    /// The tester time that is a number of units after the origin.
    pub fn at(&self, units: i64) -> Result<Rational, Error> {
        Ok(self.origin.add(self.duration(units)?)?)
    }
}

/// The bound `≤ constant`.
pub(crate) fn at_most(constant: i64) -> Result<Bound, Error> {
    let constant = i32::try_from(constant).map_err(|_| Error::Overflow)?;
    Bound::le(constant).map_err(|_| Error::Overflow)
}

/// A zone with all bounds multiplied by `numerator / denominator`, if they are integers that fit.
pub(crate) fn rescaled(zone: &Zone, numerator: i64, denominator: i64) -> Option<Zone> {
    let scaled = |bound: &Bound| {
        let Some(constant) = bound.constant() else { return Some(*bound) };
        let product = i64::from(constant).checked_mul(numerator)?;
        if product % denominator != 0 || (product / denominator).abs() > 4 * LARGEST {
            return None;
        }
        let constant = i32::try_from(product / denominator).ok()?;
        if bound.is_strict() { Bound::lt(constant).ok() } else { Bound::le(constant).ok() }
    };
    let bounds: Option<Vec<Bound>> = zone.bounds().iter().map(scaled).collect();
    Zone::from_bounds(zone.dimension(), &bounds?)
}

/// The least common multiple of two positive numbers, if it fits.
pub(crate) fn common_multiple(left: i64, right: i64) -> Option<i64> {
    let ratio = Rational::new(left, right).ok()?;
    left.checked_mul(ratio.denominator())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_scaled_there_and_back_and_not_beyond_integers() {
        let mut zone = Zone::zero(3);
        zone.delay();
        zone.constrain(1, 0, Bound::lt(6).unwrap()).unwrap();
        zone.reset(2, 4);
        let finer = rescaled(&zone, 5, 1).unwrap();
        assert_eq!(finer.display(&["x", "y"]).to_string(), "x < 30 && y == 20");
        assert_eq!(rescaled(&finer, 1, 5).unwrap(), zone);
        assert_eq!(rescaled(&zone, 1, 4), None);
        assert_eq!(rescaled(&zone, 1 << 26, 1), None);
    }

    #[test]
    fn times_are_counted_from_the_origin_and_rounded_outwards() {
        let half = Rational::new(1, 2).unwrap();
        let units = Units { scale: 2, origin: half };
        assert_eq!(units.floor(Rational::ONE).unwrap(), 1);
        let odd = Rational::new(4, 3).unwrap();
        assert_eq!((units.floor(odd).unwrap(), units.ceil(odd).unwrap()), (1, 2));
        assert_eq!(units.at(3).unwrap(), Rational::integer(2));
    }
}
