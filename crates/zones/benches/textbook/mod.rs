//! Difference bound matrices as a textbook gives them: a bound is an optional pair, loops are
//! plain. The yardstick of the benchmark.

use tioga_zones::{Bound, Zone};

/// `(constant, weak)`, `None` for infinity.
type Weight = Option<(i32, bool)>;

#[derive(Clone)]
pub struct Textbook {
    cells: Vec<Weight>,
    n: usize,
}

fn sum(a: Weight, b: Weight) -> Weight {
    let ((a, weak_a), (b, weak_b)) = (a?, b?);
    Some((a + b, weak_a && weak_b))
}

fn below(a: Weight, b: Weight) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a < b,
        (Some(_), None) => true,
        (None, _) => false,
    }
}

impl Textbook {
    pub fn universal(n: usize) -> Self {
        let mut cells = vec![None; n * n];
        for i in 0..n {
            cells[i] = Some((0, true));
            cells[i * n + i] = Some((0, true));
        }
        Self { cells, n }
    }

    /// The bounds, row by row.
    pub fn bounds(&self) -> Vec<Bound> {
        let bound = |weight: &Weight| match *weight {
            None => Bound::INFINITY,
            Some((c, true)) => Bound::le(c).unwrap(),
            Some((c, false)) => Bound::lt(c).unwrap(),
        };
        self.cells.iter().map(bound).collect()
    }

    pub fn add(&mut self, i: usize, j: usize, constant: i32, weak: bool) {
        self.lower(i, j, Some((constant, weak)));
    }

    fn lower(&mut self, i: usize, j: usize, weight: Weight) {
        let cell = &mut self.cells[i * self.n + j];
        if below(weight, *cell) {
            *cell = weight;
        }
    }

    fn at(&self, i: usize, j: usize) -> Weight {
        self.cells[i * self.n + j]
    }

    pub fn close(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    self.lower(i, j, sum(self.at(i, k), self.at(k, j)));
                }
            }
        }
        (0..n).all(|i| !below(self.at(i, i), Some((0, true))))
    }

    pub fn constrain(&mut self, i: usize, j: usize, constant: i32, weak: bool) -> bool {
        let weight = Some((constant, weak));
        if below(sum(self.at(j, i), weight), Some((0, true))) {
            return false;
        }
        if below(weight, self.at(i, j)) {
            for p in 0..self.n {
                for q in 0..self.n {
                    self.lower(p, q, sum(sum(self.at(p, i), weight), self.at(j, q)));
                }
            }
        }
        true
    }

    pub fn intersect(&mut self, other: &Self) -> bool {
        for i in 0..self.n {
            for j in 0..self.n {
                self.lower(i, j, other.at(i, j));
            }
        }
        self.close()
    }

    pub fn includes(&self, other: &Self) -> bool {
        self.cells.iter().zip(&other.cells).all(|(&own, &other)| !below(own, other))
    }
}

impl From<&Zone> for Textbook {
    fn from(zone: &Zone) -> Self {
        let weight = |b: &Bound| b.constant().map(|c| (c, !b.is_strict()));
        Self { cells: zone.bounds().iter().map(weight).collect(), n: zone.dimension() }
    }
}
