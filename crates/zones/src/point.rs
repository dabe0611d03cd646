//! Points with rational coordinates: membership in a zone and exact sampling from one.
//!
//! Every zone of dimension `n` has a point whose coordinates are multiples of `1/n`: on that grid
//! a bound `< c` means `≤ c − 1/n`, and a cycle of at most `n` strict bounds that is not negative
//! over the reals has a sum of at least 1, or is all weak, and so is not negative on the grid.

use std::fmt;

use crate::bound::Bound;
use crate::zone::Zone;

/// A clock valuation: one exact rational number for each clock, with a common denominator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// Entry 0 is the reference clock and is 0.
    numerators: Box<[i64]>,
    denominator: i64,
}

impl Point {
    /// The point with the given coordinates; `numerators[0]` belongs to clock 1.
    ///
    /// # Panics
    /// If the denominator is not positive or a numerator is negative.
    #[must_use]
    pub fn new(numerators: &[i64], denominator: i64) -> Self {
        assert!(denominator > 0, "the denominator is positive");
        assert!(numerators.iter().all(|&n| n >= 0), "clocks are not negative");
        let numerators = std::iter::once(0).chain(numerators.iter().copied()).collect();
        Self { numerators, denominator }
    }

    /// The value of a clock as numerator and denominator, not reduced.
    ///
    /// # Panics
    /// If there is no such clock.
    #[must_use]
    pub fn coordinate(&self, clock: usize) -> (i64, i64) {
        (self.numerators[clock], self.denominator)
    }

    /// The number of clocks plus one.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.numerators.len()
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, &numerator) in self.numerators.iter().enumerate().skip(1) {
            let divisor = gcd(numerator, self.denominator);
            let comma = if i > 1 { ", " } else { "" };
            write!(f, "{comma}{}", numerator / divisor)?;
            if self.denominator != divisor {
                write!(f, "/{}", self.denominator / divisor)?;
            }
        }
        f.write_str(")")
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Zone {
    /// Whether the point is in the zone.
    ///
    /// # Panics
    /// If the dimensions differ.
    #[must_use]
    pub fn contains(&self, point: &Point) -> bool {
        let n = self.dimension;
        assert_eq!(n, point.dimension(), "a point of a different dimension");
        let value = |i: usize| i128::from(point.numerators[i]);
        (0..n).all(|i| {
            (0..n).all(|j| {
                let difference = value(i) - value(j);
                self.cells[i * n + j].admits(difference, point.denominator.into())
            })
        })
    }

    /// A point of the zone, always the same one: with the smallest denominator of 1, 2 and the
    /// dimension that admits one, and with the least coordinates for it. So where the zone has a
    /// least point this is it, and an open bound is kept clear of.
    #[must_use]
    pub fn sample(&self) -> Point {
        self.on_some_grid(|bound, _| bound)
    }

    /// A point in the relative interior of the zone: it obeys strictly every bound that some
    /// point of the zone obeys strictly. Otherwise as [`Zone::sample`].
    #[must_use]
    pub fn sample_interior(&self) -> Point {
        self.on_some_grid(|bound, reverse| {
            let equality = bound + reverse == Bound::LE_ZERO;
            if bound.is_infinite() || equality { bound } else { Bound(bound.packed() & !1) }
        })
    }

    fn on_some_grid(&self, bound: impl Fn(Bound, Bound) -> Bound) -> Point {
        [1, 2, self.dimension]
            .into_iter()
            .find_map(|grid| self.on_grid(i64::try_from(grid).ok()?, &bound))
            .expect("a zone of dimension n has a point with denominator n")
    }

    /// The least point on the grid of multiples of `1/grid`, if there is one.
    fn on_grid(&self, grid: i64, bound: impl Fn(Bound, Bound) -> Bound) -> Option<Point> {
        let n = self.dimension;
        let weight = |i: usize, j: usize| {
            let bound = bound(self.cells[i * n + j], self.cells[j * n + i]);
            let constant = i64::from(bound.constant()?) * grid;
            Some(if bound.is_strict() { constant - 1 } else { constant })
        };
        // The bounds on `x_0 − x_j` by shortest paths from 0 (Bellman and Ford).
        let mut low: Vec<i64> = (0..n).map(|j| if j == 0 { 0 } else { i64::MAX }).collect();
        for round in 0..=n {
            let mut changed = false;
            for i in 0..n {
                for j in 0..n {
                    let Some(weight) = weight(i, j) else { continue };
                    if i != j && low[i] < i64::MAX && low[i] + weight < low[j] {
                        low[j] = low[i] + weight;
                        changed = true;
                    }
                }
            }
            if low[0] < 0 || changed && round == n {
                return None;
            }
            if !changed {
                break;
            }
        }
        Some(Point { numerators: low.iter().map(|&low| -low).collect(), denominator: grid })
    }
}
