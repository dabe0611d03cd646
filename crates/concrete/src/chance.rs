//! Seeded random choices: one of several, a number, or a moment in an interval of delays.
//!
//! A moment is a grid point: the earliest or the latest one with probability 1/4 each, otherwise any
//! of them. The grid is made of the multiples of `1 / (2 scale)`; where an interval contains none of
//! them, the step is halved until it does, so denominators grow only where the model leaves no other
//! choice.
//!
//! The same seed and the same questions give the same answers.

use std::ops::RangeInclusive;

use tioga_base::{Overflow, Rational};

use crate::interval::Interval;
use crate::observe::grid_range;

/// A source of random choices.
#[derive(Clone, Debug)]
pub struct Chance {
    random: fastrand::Rng,
}

impl Chance {
    /// The choices that a seed decides.
    pub fn new(seed: u64) -> Self {
        Self { random: fastrand::Rng::with_seed(seed) }
    }

    /// A position among so many, uniformly. Pre: there is at least one.
    pub fn position(&mut self, count: usize) -> usize {
        self.random.usize(..count)
    }

    /// A number of a range that is not empty, uniformly.
    pub fn number(&mut self, range: RangeInclusive<i64>) -> i64 {
        self.random.i64(range)
    }

    /// A grid point of an interval; nothing if even a very fine grid has none. An interval without
    /// an upper end counts up to `horizon` after its start. `scale` is the model's.
    pub fn moment(
        &mut self,
        scale: i64,
        interval: &Interval,
        horizon: Rational,
    ) -> Result<Option<Rational>, Overflow> {
        let (lower, _) = interval.lower();
        let bounded = match interval.upper() {
            Some(_) => *interval,
            None => interval.up_to(lower.add(horizon)?).unwrap_or(*interval),
        };
        // Halving at most 16 times keeps numbers small enough for exact sums.
        for halvings in 1..=16 {
            let steps = scale.checked_mul(1 << halvings);
            let grid = Rational::integer(steps.ok_or(Overflow)?);
            let (first, last) = grid_range(&bounded, grid)?;
            if first > last {
                continue;
            }
            let point = match self.random.u32(..4) {
                0 => first,
                1 => last,
                _ => self.random.i64(first..=last),
            };
            return Ok(Some(Rational::integer(point).div(grid)?));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Cut;

    #[test]
    fn moments_lie_inside_and_on_the_coarsest_grid_that_has_one() {
        let value = |text: &str| text.parse::<Rational>().unwrap();
        let open = |from: &str, to: &str| {
            Interval::between(Cut::after(value(from)), Some(Cut::before(value(to)))).unwrap()
        };
        let cases = [(open("0", "3"), 2), (open("1/4", "1/2"), 8), (open("7", "15/2"), 4)];
        for (interval, denominator) in cases {
            for seed in 0..20 {
                let moment = Chance::new(seed).moment(1, &interval, Rational::ONE);
                let moment = moment.unwrap().unwrap();
                assert!(interval.contains(moment), "{moment} in {interval}");
                assert_eq!(denominator % moment.denominator(), 0, "{moment} in {interval}");
            }
        }
    }

    #[test]
    fn an_endless_interval_counts_up_to_the_horizon() {
        let horizon = Rational::integer(3);
        let from_two = Interval::between(Cut::before(Rational::integer(2)), None).unwrap();
        let moments: Vec<Rational> = (0..50)
            .map(|seed| Chance::new(seed).moment(1, &from_two, horizon).unwrap().unwrap())
            .collect();
        assert_eq!(moments.iter().max(), Some(&Rational::integer(5)));
        assert_eq!(moments.iter().min(), Some(&Rational::integer(2)));
    }
}
