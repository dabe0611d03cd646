//! Regions over the clocks of the result, and the chain of regions that time leads through.
//!
//! A region fixes, for every clock up to the maximal constant, its whole part and the order of the
//! fractional parts; of a clock beyond the maximal constant it says only that. (AD94.)
//!
//! What counts as whole is given by a [`Grid`]: the multiples of a unit that divides all constants, or,
//! if there is only one clock, whichever constants matter. Time leads through the same kind of chain.

use std::collections::BTreeSet;
use std::rc::Rc;

use tioga_zones::{Bound, Constraint, Zone};

/// What a region says of one clock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Value {
    /// The position in the grid of the whole part, and the rank of the fractional part: 0 for none,
    /// then ascending without gaps.
    Within { whole: u32, rank: u32 },
    /// Beyond the maximal constant.
    Beyond,
}

/// A region. All regions of one game have the same clocks and the same grid.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Region {
    clocks: Box<[Value]>,
}

/// The constants that clocks may be compared with, ascending from 0 on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Grid {
    values: Rc<[u32]>,
}

impl Grid {
    /// All multiples of a unit up to the greatest constant.
    pub(crate) fn uniform(unit: u32, greatest: u32) -> Self {
        Self { values: (0..=greatest / unit.max(1)).map(|step| step * unit.max(1)).collect() }
    }

    /// These constants, for a single clock.
    pub(crate) fn of(values: &BTreeSet<u32>) -> Self {
        Self {
            values: std::iter::once(0).chain(values.iter().copied().filter(|v| *v > 0)).collect(),
        }
    }

    /// How many constants there are.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The greatest constant.
    pub(crate) fn greatest(&self) -> u32 {
        *self.values.last().expect("0 is always there")
    }

    fn last(&self) -> u32 {
        u32::try_from(self.values.len() - 1).expect("fewer than 2^32 constants")
    }

    fn at(&self, position: u32) -> i32 {
        signed(self.values[position as usize])
    }
}

/// `clock ≥ value`, `clock ≤ value`, or the strict forms: where a chain of regions is cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Cut {
    /// The clock, counted from 0.
    pub clock: usize,
    /// Whether equality is excluded.
    pub strict: bool,
    /// The constant.
    pub value: u32,
}

impl Region {
    /// All clocks are zero.
    pub(crate) fn zero(clocks: usize) -> Self {
        Self { clocks: vec![Value::Within { whole: 0, rank: 0 }; clocks].into() }
    }

    /// Whether time can pass without leaving the region.
    pub(crate) fn lasts(&self) -> bool {
        !self.clocks.iter().any(|value| matches!(value, Value::Within { rank: 0, .. }))
    }

    /// The region that time leads to next, if there is another.
    pub(crate) fn next(&self, grid: &Grid) -> Option<Self> {
        let mut next = self.clone();
        if self.lasts() {
            let rank = |value: &Value| match value {
                Value::Within { rank, .. } => Some(*rank),
                Value::Beyond => None,
            };
            let last = self.clocks.iter().filter_map(rank).max()?;
            for value in &mut next.clocks {
                if let Value::Within { whole, rank } = value
                    && *rank == last
                {
                    *value = Value::Within { whole: *whole + 1, rank: 0 };
                }
            }
        } else {
            for value in &mut next.clocks {
                match value {
                    Value::Within { whole, rank: 0 } if *whole == grid.last() => {
                        *value = Value::Beyond;
                    }
                    Value::Within { rank, .. } => *rank += 1,
                    Value::Beyond => {}
                }
            }
            next.close_gaps();
        }
        Some(next)
    }

    /// The region after setting the clocks of a bit set to zero.
    pub(crate) fn reset(&self, clocks: u32) -> Self {
        let mut after = self.clone();
        for (index, value) in after.clocks.iter_mut().enumerate() {
            if clocks >> index & 1 == 1 {
                *value = Value::Within { whole: 0, rank: 0 };
            }
        }
        after.close_gaps();
        after
    }

    /// Numbers the positive ranks from 1 on, in the same order.
    fn close_gaps(&mut self) {
        let rank = |value: &Value| match value {
            Value::Within { rank, .. } if *rank > 0 => Some(*rank),
            _ => None,
        };
        let mut ranks: Vec<u32> = self.clocks.iter().filter_map(rank).collect();
        ranks.sort_unstable();
        ranks.dedup();
        for value in &mut self.clocks {
            if let Value::Within { rank, .. } = value
                && let Ok(position) = ranks.binary_search(rank)
            {
                *rank = u32::try_from(position + 1).expect("fewer clocks than 2^32");
            }
        }
    }

    /// The constraints of the region in zones where its clocks have the indices from `first` on.
    fn constraints(&self, grid: &Grid, first: usize) -> Vec<Constraint> {
        let mut all = Vec::new();
        for (index, value) in self.clocks.iter().enumerate() {
            let clock = first + index;
            match *value {
                Value::Beyond => {
                    all.push(Constraint::new(0, clock, strictly_below(-signed(grid.greatest()))));
                }
                Value::Within { whole, rank: 0 } => {
                    all.push(Constraint::new(clock, 0, at_most(grid.at(whole))));
                    all.push(Constraint::new(0, clock, at_most(-grid.at(whole))));
                }
                Value::Within { whole, .. } => {
                    all.push(Constraint::new(clock, 0, strictly_below(grid.at(whole + 1))));
                    all.push(Constraint::new(0, clock, strictly_below(-grid.at(whole))));
                }
            }
        }
        for (i, one) in self.clocks.iter().enumerate() {
            for (j, other) in self.clocks.iter().enumerate() {
                let (
                    Value::Within { whole: w, rank: r },
                    Value::Within { whole: other, rank: later },
                ) = (one, other)
                else {
                    continue;
                };
                let difference = grid.at(*w) - grid.at(*other);
                let bound = match r.cmp(later) {
                    _ if i == j => continue,
                    std::cmp::Ordering::Less => strictly_below(difference),
                    std::cmp::Ordering::Equal => at_most(difference),
                    std::cmp::Ordering::Greater => strictly_below(difference + grid.at(1)),
                };
                all.push(Constraint::new(first + i, first + j, bound));
            }
        }
        all
    }

    /// The region as a zone of this dimension; its clocks have the indices from `first` on.
    pub(crate) fn zone(&self, grid: &Grid, dimension: usize, first: usize) -> Zone {
        let mut zone = Zone::universal(dimension);
        zone.constrain_all(&self.constraints(grid, first)).expect("a region has points");
        zone
    }

    /// A bound that holds in this region and all before it in the chain, and in none after.
    /// Nothing if there is none after.
    pub(crate) fn end(&self, grid: &Grid) -> Option<Cut> {
        let next = self.next(grid)?;
        let value = |whole: u32| grid.values[whole as usize];
        self.clocks.iter().zip(&next.clocks).enumerate().find_map(|(clock, pair)| match pair {
            (Value::Within { whole, rank: 0 }, _) => {
                Some(Cut { clock, strict: false, value: value(*whole) })
            }
            (_, Value::Within { whole, rank: 0 }) => {
                Some(Cut { clock, strict: true, value: value(*whole) })
            }
            _ => None,
        })
    }
}

impl Cut {
    /// The constraint that holds up to the cut.
    pub(crate) fn before(self, first: usize) -> Constraint {
        let value = signed(self.value);
        let bound = if self.strict { strictly_below(value) } else { at_most(value) };
        Constraint::new(first + self.clock, 0, bound)
    }

    /// The constraint that holds beyond the cut.
    pub(crate) fn after(self, first: usize) -> Constraint {
        self.before(first).complement()
    }
}

fn at_most(value: i32) -> Bound {
    Bound::le(value).expect("maximal constants were checked")
}

fn strictly_below(value: i32) -> Bound {
    Bound::lt(value).expect("maximal constants were checked")
}

fn signed(value: u32) -> i32 {
    i32::try_from(value).expect("maximal constants were checked")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(grid: &Grid, region: Region) -> Vec<Region> {
        std::iter::successors(Some(region), |region| region.next(grid)).collect()
    }

    #[test]
    fn one_clock_passes_points_and_gaps_and_then_leaves() {
        let texts: Vec<String> = chain(&Grid::uniform(1, 2), Region::zero(1))
            .iter()
            .map(|region| region.zone(&Grid::uniform(1, 2), 2, 1).display(&["c"]).to_string())
            .collect();
        let expected = ["c == 0", "c > 0 && c < 1", "c == 1", "c > 1 && c < 2", "c == 2", "c > 2"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn one_clock_may_skip_constants_that_do_not_matter() {
        let grid = Grid::of(&BTreeSet::from([5, 300]));
        let all = chain(&grid, Region::zero(1));
        let text = |region: &Region| region.zone(&grid, 2, 1).display(&["c"]).to_string();
        let texts: Vec<String> = all.iter().map(text).collect();
        let expected =
            ["c == 0", "c > 0 && c < 5", "c == 5", "c > 5 && c < 300", "c == 300", "c > 300"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn clocks_with_different_fractions_meet_whole_numbers_one_after_the_other() {
        let grid = Grid::uniform(1, 1);
        let start = Region::zero(2).next(&grid).expect("time passes").reset(2);
        let all = chain(&grid, start);
        let names = ["c", "d"];
        let texts: Vec<String> =
            all.iter().map(|region| region.zone(&grid, 3, 1).display(&names).to_string()).collect();
        assert_eq!(texts.len(), 6, "{texts:?}");
        assert_eq!(texts[0], "c > 0 && c < 1 && d == 0");
        assert_eq!(texts[2], "c == 1 && d > 0 && d < 1");
        assert_eq!(texts[5], "c > 1 && d > 1");
    }

    #[test]
    fn a_chain_is_disjoint_and_cut_where_its_parts_end() {
        let grid = Grid::uniform(3, 6);
        let start = Region::zero(2).next(&grid).expect("time passes").reset(1);
        let all = chain(&grid, start);
        for (i, region) in all.iter().enumerate() {
            let cut = region.end(&grid);
            assert_eq!(cut.is_none(), i + 1 == all.len());
            for (j, other) in all.iter().enumerate() {
                let zone = other.zone(&grid, 3, 1);
                assert_eq!(zone.intersects(&region.zone(&grid, 3, 1)), i == j);
                let Some(cut) = cut else { continue };
                let kept = zone.clone().constrain_all(&[cut.before(1)]).is_ok();
                let left = zone.clone().constrain_all(&[cut.after(1)]).is_ok();
                assert_eq!((kept, left), (j <= i, j > i), "{i} {j}");
            }
        }
    }
}
