//! Clock regions, each as one of its valuations.
//!
//! Two valuations are in the same region if they agree on which clocks are above the largest
//! constant, on the integer parts of the others, and on how their fractional parts are ordered and
//! which of them are zero (Alur and Dill 1994). No condition can tell them apart, now or after a
//! delay, if it compares clocks with constants, or with each other while none is above the largest
//! constant.

use std::collections::BTreeSet;

use tioga_base::Rational;

/// The clock values of a region's representative, as multiples of one part of a time unit.
pub type Region = Vec<i64>;

/// The regions of a number of clocks.
#[derive(Clone, Copy, Debug)]
pub struct Regions {
    clocks: usize,
    largest: i64,
}

impl Regions {
    /// Pre: no clock is compared with, or set to, more than `largest`.
    pub fn new(clocks: usize, largest: i64) -> Self {
        Self { clocks, largest }
    }

    /// How many parts a time unit has: room for every order of fractional parts, and one part
    /// between any two of them for a short delay.
    pub fn unit(self) -> i64 {
        2 * (i64::try_from(self.clocks).unwrap() + 1)
    }

    /// The representative of a valuation's region: what is above the largest constant is set to
    /// one more, and the fractional parts that are not zero are 2, 4, and so on.
    pub fn canonical(self, values: &[i64]) -> Region {
        let unit = self.unit();
        let fraction = |value: i64| value % unit;
        let fractions: BTreeSet<i64> = values
            .iter()
            .filter(|value| self.is_small(**value) && fraction(**value) > 0)
            .map(|value| fraction(*value))
            .collect();
        let place = |value: i64| match fraction(value) {
            0 => 0,
            own => {
                2 * (1 + i64::try_from(fractions.iter().take_while(|f| **f < own).count()).unwrap())
            }
        };
        let canonical = values.iter().map(|value| {
            if self.is_small(*value) {
                value - fraction(*value) + place(*value)
            } else {
                (self.largest + 1) * unit
            }
        });
        canonical.collect()
    }

    /// Where time leads next: another region, or the same one for ever if no constant is ahead.
    pub fn next(self, region: &Region) -> Region {
        let unit = self.unit();
        let bounded = || region.iter().filter(|value| self.is_small(**value));
        let Some(latest) = bounded().map(|value| value % unit).max() else {
            return region.clone();
        };
        let delay = if self.is_momentary(region) { 1 } else { unit - latest };
        self.canonical(&region.iter().map(|value| value + delay).collect::<Vec<_>>())
    }

    /// Whether time leaves the region at once, since a clock is at a constant. Otherwise it stays
    /// for a while, and has no first moment.
    pub fn is_momentary(self, region: &Region) -> bool {
        region.iter().any(|value| self.is_small(*value) && value % self.unit() == 0)
    }

    /// The region of a valuation.
    pub fn of(self, clocks: &[Rational]) -> Region {
        let fractions: BTreeSet<Rational> = clocks.iter().map(|clock| fraction(*clock)).collect();
        let place = |own| fractions.iter().position(|fraction| *fraction == own).unwrap();
        // Fractions keep their order, and zero stays zero.
        let values = clocks.iter().map(|clock| match fraction(*clock) {
            own if own.is_zero() => clock.floor() * self.unit(),
            own => clock.floor() * self.unit() + 1 + i64::try_from(place(own)).unwrap(),
        });
        self.canonical(&values.collect::<Vec<_>>())
    }

    /// The valuation after a delay into the next region; `None` if it would be too precise.
    pub fn later(self, clocks: &[Rational]) -> Option<Vec<Rational>> {
        let region = self.of(clocks);
        let bounded = || clocks.iter().zip(&region).filter(|(_, value)| self.is_small(**value));
        let latest = bounded().map(|(clock, _)| fraction(*clock)).max();
        let rest = Rational::ONE.sub(latest.unwrap_or(Rational::ZERO)).ok()?;
        let half = Rational::new(1, 2).ok()?;
        let delay = if self.is_momentary(&region) { rest.mul(half).ok()? } else { rest };
        let later = clocks.iter().map(|clock| clock.add(delay).ok());
        (delay.denominator() < 1 << 16).then(|| later.collect()).flatten()
    }

    /// All regions.
    pub fn all(self) -> Vec<Region> {
        let mut all: BTreeSet<Region> = BTreeSet::from([Vec::new()]);
        for _ in 0..self.clocks {
            let longer = all.iter().flat_map(|prefix| {
                // Even numbers are the fractions that occur in representatives.
                (0..=(self.largest * self.unit() + 2) / 2)
                    .map(move |half| [&prefix[..], &[2 * half]].concat())
            });
            all = longer.collect();
        }
        let canonical: BTreeSet<Region> = all.iter().map(|values| self.canonical(values)).collect();
        canonical.into_iter().collect()
    }

    /// Whether no clock is above the largest constant.
    pub fn is_bounded(self, region: &Region) -> bool {
        region.iter().all(|value| self.is_small(*value))
    }

    fn is_small(self, value: i64) -> bool {
        value <= self.largest * self.unit()
    }
}

fn fraction(clock: Rational) -> Rational {
    clock.sub(Rational::integer(clock.floor())).unwrap()
}
