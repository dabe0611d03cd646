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
//! steps along with the observations, so that numbers stay small.
//!
//! Zones count in units of `1 / scale`. The scale becomes finer when a time needs it, and coarser
//! again when nothing needs it any more. Where the finest scale that fits into zones is not enough, a time
//! becomes the open interval between the two units around it. Comparing it with a constant is exact all
//! the same, because constants are whole units; a difference of two such times may be off by less than a
//! unit. So the estimate may then include states that the exact time would exclude, and never the other way
//! round; [`Estimator::rounding`](crate::Estimator::rounding) tells.

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
    /// The tester time at which clocks of observation show zero.
    pub origin: Rational,
}

impl Units {
    /// A lower bound on a clock of observation, as a bound on its negation: it shows at least this tester
    /// time less the slack, and more than a unit that was rounded down to.
    pub fn lower(&self, time: Rational, slack: Rational) -> Result<Bound, Error> {
        let units = self.since(time)?;
        let units = if slack.is_zero() { units } else { units.sub(self.units_of(slack)?)? };
        bound(-units.floor(), units.to_integer().is_none())
    }

    /// An upper bound on a clock of observation: it shows at most this tester time and the slack, and less
    /// than a unit that was rounded up to.
    pub fn upper(&self, time: Rational, slack: Rational) -> Result<Bound, Error> {
        let units = self.since(time)?;
        let units = if slack.is_zero() { units } else { units.add(self.units_of(slack)?)? };
        bound(units.ceil(), units.to_integer().is_none())
    }

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
        Ok(self.units_of(duration)?.ceil())
    }

    fn units_of(&self, duration: Rational) -> Result<Rational, Error> {
        Ok(duration.mul(Rational::integer(self.scale))?)
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
    bound(constant, false)
}

fn bound(constant: i64, strict: bool) -> Result<Bound, Error> {
    let constant = i32::try_from(constant).map_err(|_| Error::Overflow)?;
    let bound = if strict { Bound::lt(constant) } else { Bound::le(constant) };
    bound.map_err(|_| Error::Overflow)
}

/// The earliest that is to be reached, as an upper bound: of a time that was rounded down, the whole unit
/// after it.
pub(crate) fn just_reached(lower: Bound) -> Result<Bound, Error> {
    let constant = -i64::from(lower.constant().ok_or(Error::Overflow)?);
    bound(constant + i64::from(lower.is_strict()), lower.is_strict())
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

/// A zone with all bounds multiplied by `numerator / denominator` and rounded outwards, if they fit. A bound that is
/// rounded up is never reached, so it is strict; then no bound follows from others.
pub(crate) fn rounded(zone: &Zone, numerator: i64, denominator: i64) -> Option<Zone> {
    let scaled = |bound: &Bound| {
        let Some(constant) = bound.constant() else { return Some(*bound) };
        let product = i64::from(constant).checked_mul(numerator)?;
        let inexact = product % denominator != 0;
        let constant = product.div_euclid(denominator) + i64::from(inexact);
        self::bound(constant, bound.is_strict() || inexact).ok()
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
    fn a_zone_is_rounded_outwards() {
        let mut zone = Zone::zero(3);
        zone.delay();
        zone.constrain(1, 0, Bound::lt(6).unwrap()).unwrap();
        zone.constrain(0, 1, Bound::le(-3).unwrap()).unwrap();
        zone.reset(2, 7);
        let coarser = rounded(&zone, 1, 2).unwrap();
        assert_eq!(
            coarser.display(&["x", "y"]).to_string(),
            "x < 3 && y > 3 && y < 4 && y - x <= 2"
        );
        let own = rescaled(&coarser, 2, 1).unwrap();
        assert!(own.bounds().iter().zip(zone.bounds()).all(|(wide, narrow)| wide >= narrow));
    }

    #[test]
    fn times_are_counted_from_the_origin_and_rounded_outwards() {
        let half = Rational::new(1, 2).unwrap();
        let units = Units { scale: 2, origin: half };
        assert_eq!(units.floor(Rational::ONE).unwrap(), 1);
        let odd = Rational::new(4, 3).unwrap();
        assert_eq!((units.floor(odd).unwrap(), units.ceil(odd).unwrap()), (1, 2));
        assert_eq!(units.at(3).unwrap(), Rational::integer(2));
        let exact = (Bound::le(-1).unwrap(), Bound::le(1).unwrap());
        let whole = Rational::ONE;
        let slack = Rational::ZERO;
        assert_eq!((units.lower(whole, slack).unwrap(), units.upper(whole, slack).unwrap()), exact);
        let within = (Bound::lt(-1).unwrap(), Bound::lt(2).unwrap());
        assert_eq!((units.lower(odd, slack).unwrap(), units.upper(odd, slack).unwrap()), within);
        assert_eq!(just_reached(within.0).unwrap(), within.1);
        assert_eq!(just_reached(exact.0).unwrap(), exact.1);
    }
}
