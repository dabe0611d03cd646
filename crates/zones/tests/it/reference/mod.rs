//! A slow and obvious reference for zones: constraints in a matrix of optional pairs, closed by
//! repetition, with every operation reduced to adding variables, closing and dropping variables.

use proptest::prelude::*;
use tioga_zones::{Bound, OpenZone, Point, Zone};

/// A bound `(constant, weak)`; `None` is infinity.
pub type Weight = Option<(i64, bool)>;

#[derive(Clone, Debug, PartialEq)]
pub struct Slow {
    pub rows: Vec<Vec<Weight>>,
}

fn least(a: Weight, b: Weight) -> Weight {
    match (a, b) {
        (None, other) | (other, None) => other,
        (Some(a), Some(b)) => Some(a.min(b)),
    }
}

fn sum(a: Weight, b: Weight) -> Weight {
    let ((a, weak_a), (b, weak_b)) = (a?, b?);
    Some((a + b, weak_a && weak_b))
}

impl Slow {
    /// No constraints, not even that clocks are non-negative.
    pub fn unconstrained(n: usize) -> Self {
        let mut rows = vec![vec![None; n]; n];
        for (i, row) in rows.iter_mut().enumerate() {
            row[i] = Some((0, true));
        }
        Self { rows }
    }

    pub fn universal(n: usize) -> Self {
        let mut slow = Self::unconstrained(n);
        slow.rows[0] = vec![Some((0, true)); n];
        slow
    }

    pub fn n(&self) -> usize {
        self.rows.len()
    }

    pub fn add(&mut self, i: usize, j: usize, weight: Weight) {
        self.rows[i][j] = least(self.rows[i][j], weight);
    }

    /// Closed, or `None` if there is no solution.
    pub fn closed(mut self) -> Option<Self> {
        let n = self.n();
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    let through = sum(self.rows[i][k], self.rows[k][j]);
                    self.add(i, j, through);
                }
            }
        }
        (0..n).all(|i| self.rows[i][i] == Some((0, true))).then_some(self)
    }

    pub fn with(&self, i: usize, j: usize, weight: Weight) -> Option<Self> {
        let mut slow = self.clone();
        slow.add(i, j, weight);
        slow.closed()
    }

    pub fn and(&self, other: &Self) -> Option<Self> {
        let mut slow = self.clone();
        for (i, row) in other.rows.iter().enumerate() {
            for (j, &weight) in row.iter().enumerate() {
                slow.add(i, j, weight);
            }
        }
        slow.closed()
    }

    /// Adds a variable without constraints, as the last one.
    pub fn extended(&self) -> Self {
        let mut rows = self.rows.clone();
        for row in &mut rows {
            row.push(None);
        }
        let mut last = vec![None; self.n()];
        last.push(Some((0, true)));
        rows.push(last);
        Self { rows }
    }

    pub fn swapped(&self, a: usize, b: usize) -> Self {
        let place = |i: usize| {
            if i == a {
                b
            } else if i == b {
                a
            } else {
                i
            }
        };
        let n = self.n();
        let cell = |i, j| self.rows[place(i)][place(j)];
        Self { rows: (0..n).map(|i| (0..n).map(|j| cell(i, j)).collect()).collect() }
    }

    /// Drops the last variable of a closed matrix: there is a value for it.
    pub fn dropped_last(&self) -> Self {
        let n = self.n() - 1;
        Self { rows: self.rows[..n].iter().map(|row| row[..n].to_vec()).collect() }
    }

    /// Replaces the reference by a variable, with a new reference `d` time units later (or
    /// earlier): every clock has advanced (gone back) by `d`.
    fn moved(&self, later: bool) -> Self {
        let n = self.n();
        let mut slow = self.extended().swapped(0, n);
        let (i, j) = if later { (0, n) } else { (n, 0) };
        slow.add(i, j, Some((0, true)));
        slow.non_negative_clocks(n).closed().unwrap().dropped_last()
    }

    fn non_negative_clocks(mut self, clocks: usize) -> Self {
        for i in 1..clocks {
            self.add(0, i, Some((0, true)));
        }
        self
    }

    pub fn delayed(&self) -> Self {
        self.moved(true)
    }

    pub fn past(&self) -> Self {
        self.moved(false)
    }

    /// The old value of `x` becomes the last variable, which is not dropped yet; `x` is free.
    fn renamed(&self, x: usize) -> Self {
        self.extended().swapped(x, self.n())
    }

    pub fn freed(&self, x: usize) -> Self {
        self.renamed(x).non_negative_clocks(self.n()).closed().unwrap().dropped_last()
    }

    /// `x := y + c`, where `y` may be 0 or `x` itself.
    pub fn assigned(&self, x: usize, y: usize, c: i64) -> Option<Self> {
        let n = self.n();
        let source = if y == x { n } else { y };
        let mut slow = self.renamed(x).non_negative_clocks(n);
        slow.add(x, source, Some((c, true)));
        slow.add(source, x, Some((-c, true)));
        Some(slow.closed()?.dropped_last())
    }

    /// The points that `x := y + c` leads into `self`.
    pub fn assigned_predecessor(&self, x: usize, y: usize, c: i64) -> Option<Self> {
        let n = self.n();
        let source = if y == x { x } else { y };
        let mut slow = self.renamed(x).non_negative_clocks(n);
        slow.add(n, source, Some((c, true)));
        slow.add(source, n, Some((-c, true)));
        Some(slow.closed()?.dropped_last())
    }

    pub fn hull(&self, other: &Self) -> Self {
        let most = |a: Weight, b: Weight| Some(a?.max(b?));
        let rows = self.rows.iter().zip(&other.rows);
        Self {
            rows: rows.map(|(a, b)| a.iter().zip(b).map(|(&a, &b)| most(a, b)).collect()).collect(),
        }
    }

    pub fn includes(&self, other: &Self) -> bool {
        self.hull(other) == *self
    }

    /// Multiplies all constants: the zone on a finer grid.
    pub fn scaled(&self, factor: i64) -> Self {
        let scale = |w: &Weight| w.map(|(c, weak)| (c * factor, weak));
        Self { rows: self.rows.iter().map(|row| row.iter().map(scale).collect()).collect() }
    }

    /// Whether the point with these coordinates, in units of `1/grid`, is in the zone.
    pub fn contains(&self, values: &[i64], grid: i64) -> bool {
        let value = |i: usize| if i == 0 { 0 } else { values[i - 1] };
        (0..self.n()).all(|i| {
            (0..self.n()).all(|j| match self.rows[i][j] {
                None => true,
                Some((c, true)) => value(i) - value(j) <= c * grid,
                Some((c, false)) => value(i) - value(j) < c * grid,
            })
        })
    }

    /// The zone of the library, through its open form.
    pub fn zone(&self) -> Zone {
        let mut open = OpenZone::new(self.n());
        for (i, row) in self.rows.iter().enumerate() {
            for (j, weight) in row.iter().enumerate() {
                open.constrain(i, j, bound(*weight));
            }
        }
        open.close().unwrap()
    }
}

pub fn bound(weight: Weight) -> Bound {
    match weight {
        None => Bound::INFINITY,
        Some((c, true)) => Bound::le(i32::try_from(c).unwrap()).unwrap(),
        Some((c, false)) => Bound::lt(i32::try_from(c).unwrap()).unwrap(),
    }
}

/// Reads a zone back, entry by entry.
pub fn slow(zone: &Zone) -> Slow {
    let n = zone.dimension();
    let weight = |b: Bound| b.constant().map(|c| (i64::from(c), !b.is_strict()));
    Slow { rows: (0..n).map(|i| (0..n).map(|j| weight(zone.bound(i, j))).collect()).collect() }
}

/// Closed random zones: constraints that would empty the zone are left out.
pub fn zones(n: usize, most: i64) -> impl Strategy<Value = Slow> {
    let constraint = (0..n, 0..n, -most..=most, any::<bool>());
    (proptest::collection::vec(constraint, 0..=2 * n), any::<bool>()).prop_map(
        move |(constraints, bounded)| {
            let mut slow = Slow::universal(n);
            if bounded {
                (1..n).for_each(|i| slow.add(i, 0, Some((most, true))));
            }
            let mut slow = slow.closed().unwrap();
            for (i, j, c, weak) in constraints {
                if i != j {
                    slow = slow.with(i, j, Some((c, weak))).unwrap_or(slow);
                }
            }
            slow
        },
    )
}

/// All points of the grid `1/grid` with coordinates up to `most`.
///
/// With `grid` equal to the number of clocks plus one there is a point in every region, so two
/// unions of zones that agree on all points agree as sets, as long as `most` exceeds twice the
/// largest constant in their closed matrices: that of a constraint times the number of clocks.
pub fn points(clocks: usize, grid: i64, most: i64) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for _ in 0..clocks {
        let extend = |point: Vec<i64>| {
            (0..=most * grid).map(move |value| {
                let mut longer = point.clone();
                longer.push(value);
                longer
            })
        };
        points = points.into_iter().flat_map(extend).collect();
    }
    points
}

pub fn point(values: &[i64], grid: i64) -> Point {
    Point::new(values, grid)
}
