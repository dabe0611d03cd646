//! The two loops in which almost all time goes: closing a matrix (Floyd and Warshall) and
//! tightening a closed matrix by one constraint (BY04 Alg. "and").
//!
//! Both reduce to `row[j] = min(row[j], base + other[j])` over a whole row. Before such loops the
//! other row is copied with infinity replaced by an integer that is safe to add and very low bounds
//! raised; then infinity and overflow cost nothing inside the loop, strictness costs one mask, and the
//! compiler turns it into vector instructions without branches. The code is stamped out for each
//! small dimension, with the dimension as a constant.

use crate::bound::{Bound, INFINITE, LE_ZERO};

/// The largest dimension with code of its own.
const LARGEST_STAMPED: usize = 16;

/// The largest dimension for which [`tighten`] does not test which rows gain.
const BRANCHLESS: usize = 8;

/// Evaluates an expression with the dimension as a constant and a scratch row of that size, or a
/// scratch matrix, so that inlining specialises what it calls.
macro_rules! stamp {
    (@ $n:expr, $size:ident, $other:ident, $power:literal, $body:expr; $($literal:literal)*) => {
        match $n {
            $($literal => {
                let $size: usize = $literal;
                let $other = &mut [0; usize::pow($literal, $power)][..];
                $body
            })*
            $size => {
                debug_assert!(!(2..=LARGEST_STAMPED).contains(&$size));
                let $other = &mut vec![0; usize::pow($size, $power)][..];
                $body
            }
        }
    };
    ($n:expr, |$size:ident, $other:ident| $body:expr) => {
        stamp!(@ $n, $size, $other, 1, $body; 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
    ($n:expr, |$size:ident, matrix $other:ident| $body:expr) => {
        stamp!(@ $n, $size, $other, 2, $body; 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
}

/// Closes a matrix in place; false if it has no solution, and then its contents are arbitrary.
///
/// Requires `≤ 0` or tighter on the diagonal.
pub(crate) fn close(cells: &mut [Bound], n: usize) -> bool {
    stamp!(n, |n, other| {
        let cells = &mut cells[..n * n];
        for k in 0..n {
            close_over(cells, n, other, k);
        }
        has_solution(cells, n)
    })
}

/// Closes a matrix of which only the edges between vertices in `touched` were tightened since it
/// was closed: the inner vertices of shorter paths are ends of such edges. Beyond 64 vertices all
/// count as touched.
pub(crate) fn close_touched(cells: &mut [Bound], n: usize, touched: u64) -> bool {
    if n > 64 {
        return close(cells, n);
    }
    stamp!(n, |n, other| {
        let cells = &mut cells[..n * n];
        close_over_each(cells, n, other, touched);
        has_solution(cells, n)
    })
}

/// What [`relax_lu_plus`] did: whether a bound changed; the vertices into which edges lead from 0
/// only (and from themselves); and, apart from those and from 0, the vertices out of which edges
/// lead. The sets make sense for up to 64 vertices.
pub(crate) struct Relaxed {
    pub(crate) changed: bool,
    from_zero: u64,
    both_ways: u64,
}

/// Drops the bounds that Extra_LU⁺ drops, in all rows but the first, which it reads only.
///
/// `lower` has `≤ L` for each clock and `upper` has `< −U`, packed, the least and the largest
/// integer for −∞.
pub(crate) fn relax_lu_plus(
    cells: &mut [Bound],
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> Relaxed {
    stamp!(n, |n, dropped| {
        let (first, rest) = cells[..n * n].split_at_mut(n);
        // Columns of clocks that exceed `U` throughout: all bits or none.
        for ((dropped, low), upper) in dropped.iter_mut().zip(&*first).zip(&upper[..n]) {
            *dropped = -i32::from(low.0 < *upper);
        }
        let (mut changed, mut from_zero, mut both_ways) = (0, 0, 0);
        for i in 1..n {
            let row = &mut rest[(i - 1) * n..][..n];
            // Where `x_i` exceeds `L(x_i)` throughout, every bound is above the threshold.
            let beyond = lower[i] == i32::MIN || first[i].0 < 1 - lower[i];
            let threshold = if beyond { i32::MIN } else { lower[i] };
            row[i] = Bound::INFINITY; // So that dropping the diagonal is no change.
            for (bound, dropped) in row.iter_mut().zip(&*dropped) {
                let drop = -i32::from(bound.0 > threshold) | dropped;
                let next = if drop != 0 { INFINITE } else { bound.0 };
                changed |= next ^ bound.0;
                bound.0 = next;
            }
            row[i] = Bound::LE_ZERO;
            from_zero |= u64::from(!beyond & (dropped[i] != 0)) << (i % 64);
            both_ways |= u64::from(!beyond & (dropped[i] == 0)) << (i % 64);
        }
        Relaxed { changed: changed != 0, from_zero, both_ways }
    })
}

/// Closes a matrix that has a solution and was relaxed as told. Requires at most 64 vertices.
///
/// Vertices that only 0 leads into come first, when paths through them can only start at 0.
pub(crate) fn close_relaxed(cells: &mut [Bound], n: usize, relaxed: &Relaxed) {
    stamp!(n, |n, other| {
        let cells = &mut cells[..n * n];
        let mut left = relaxed.from_zero;
        while left != 0 {
            let k = left.trailing_zeros() as usize;
            prepare(&cells[k * n..][..n], other);
            let base = cells[k].0;
            minimise(&mut cells[..n], base, other);
            left &= left - 1;
        }
        close_over_each(cells, n, other, relaxed.both_ways | 1);
        debug_assert!(has_solution(cells, n), "the matrix had a solution");
    });
}

/// Takes the tighter of each two bounds, and tells which vertices have an edge that became
/// tighter; all of them if there are more than 64.
pub(crate) fn minimum(cells: &mut [Bound], others: &[Bound], n: usize) -> u64 {
    let bit = |changed: i32, vertex: usize| u64::from(changed != 0) << (vertex % 64);
    stamp!(n, |n, columns| {
        let rows = cells[..n * n].chunks_exact_mut(n).zip(others[..n * n].chunks_exact(n));
        let mut touched = 0;
        for (i, (row, others)) in rows.enumerate() {
            let mut changed = 0;
            for ((own, other), column) in row.iter_mut().zip(others).zip(columns.iter_mut()) {
                let tighter = i32::from(other.0 < own.0);
                *column |= tighter;
                changed |= tighter;
                own.0 = own.0.min(other.0);
            }
            touched |= bit(changed, i);
        }
        columns.iter().enumerate().fold(touched, |all, (j, &changed)| all | bit(changed, j))
    })
}

/// Calls `found` with each pair of vertices whose bound does not follow from a path through a third
/// and is tighter than the given one, and returns true; or returns false at once if two vertices are
/// at a fixed difference.
#[inline(always)]
pub(crate) fn facets_tighter_than(
    cells: &[Bound],
    n: usize,
    given: &[Bound],
    mut found: impl FnMut(usize, usize),
) -> bool {
    stamp!(n, |n, matrix columns| {
        let (cells, given) = (&cells[..n * n], &given[..n * n]);
        for i in 0..n {
            for j in 0..n {
                columns[j * n + i] = cells[i * n + j].operand();
            }
        }
        let mut fixed = 0;
        for (there, back) in cells.iter().zip(&*columns) {
            fixed += i32::from(there.0 + back == 2 * LE_ZERO) & there.0;
        }
        // Each vertex is at a fixed difference from itself.
        if fixed != i32::try_from(n).unwrap_or(i32::MAX) {
            return false;
        }
        for i in 0..n {
            let row = &cells[i * n..][..n];
            for j in 0..n {
                let bound = row[j];
                if bound >= given[i * n + j] {
                    continue;
                }
                // Counts the paths that give the bound, of which the direct one is two: by `i` and
                // by `j` themselves.
                let mut count = 0;
                for (there, back) in row.iter().zip(&columns[j * n..][..n]) {
                    let there = there.operand();
                    let sum = there + back - ((there | back) & 1);
                    count += i32::from(sum <= bound.0);
                }
                if count == 2 {
                    found(i, j);
                }
            }
        }
        true
    })
}

/// Whether two opposite bounds of a matrix contradict each other. If not, there may still be no
/// solution.
pub(crate) fn contradicts_itself(cells: &[Bound], n: usize) -> bool {
    stamp!(n, |n, _other| {
        let cells = &cells[..n * n];
        let mut contradicts = false;
        for i in 1..n {
            for j in 0..i {
                contradicts |= cells[i * n + j].contradicts(cells[j * n + i]);
            }
        }
        contradicts
    })
}

/// Calls `found` with each pair of different vertices among the given ones whose bound is finite and
/// does not follow from a path through a third of them; only for first vertices that are `wanted`.
///
/// Requires that no two of the vertices are at a fixed difference.
#[inline(always)]
pub(crate) fn facets(
    cells: &[Bound],
    n: usize,
    vertices: &[usize],
    wanted: impl Fn(usize) -> bool,
    mut found: impl FnMut(usize, usize),
) {
    stamp!(n, |n, counts| {
        let cells = &cells[..n * n];
        for &i in vertices.iter().filter(|&&i| wanted(i)) {
            let row = &cells[i * n..][..n];
            // Counts the paths that give the bound, of which the direct one, by `j` itself, is one.
            for (count, bound) in counts.iter_mut().zip(row) {
                *count = 2 * i32::from(bound.0 >= INFINITE);
            }
            for &k in vertices.iter().filter(|&&k| k != i) {
                let base = row[k].0;
                let (mask, even) = ((base & 1) - 2, Bound(base).operand() & !1);
                let finite = i32::from(base < INFINITE);
                let others = &cells[k * n..][..n];
                for ((count, bound), other) in counts.iter_mut().zip(row).zip(others) {
                    let sum = even + (other.0 & mask);
                    *count += i32::from((sum <= bound.0) & (other.0 < INFINITE)) & finite;
                }
            }
            for &j in vertices.iter().filter(|&&j| j != i) {
                if counts[j] == 1 {
                    found(i, j);
                }
            }
        }
    });
}

/// Whether the zone of `others` has a point outside aLU of the zone of `cells`, see
/// [`Zone::includes_modulo_alu`](crate::Zone::includes_modulo_alu).
pub(crate) fn leaves_alu(
    (cells, others): (&[Bound], &[Bound]),
    n: usize,
    lower: &[i32],
    upper: &[i32],
) -> bool {
    stamp!(n, |n, fixed| {
        let first = &others[..n];
        // A lower bound that counts only if some point of `others` has `x ≤ U(x)`, so that `x` may
        // not be raised for it; else one that no sum is below.
        for ((fixed, low), upper) in fixed.iter_mut().zip(first).zip(&upper[..n]) {
            *fixed = if low.0 > *upper { low.0 } else { i32::MIN };
        }
        // Where `L(y)` is −∞, points may be arbitrarily low in `y`.
        (0..n).filter(|&y| lower[y] != i32::MIN).any(|y| {
            let (row, others) = (&cells[y * n..][..n], &others[y * n..][..n]);
            let mut outside = 0;
            for ((own, other), fixed) in row.iter().zip(others).zip(&*fixed) {
                // `y − x` is bounded more tightly than for the others, and lowering `y` to satisfy
                // that would lead to `L(y)` or below.
                let lowered = (own.0 & !1) - (lower[y] - 1);
                outside |= i32::from((own.0 < other.0) & (lowered < *fixed));
            }
            outside != 0
        })
    })
}

/// Replaces the first row, but for its first entry, by the least bounds of each column: no clock
/// but those it is compared with keeps another from going back to zero.
pub(crate) fn lower_first_row(cells: &mut [Bound], n: usize) {
    stamp!(n, |n, lowest| {
        lowest.fill(LE_ZERO);
        // The first column takes part, since no upper bound of a clock is below `≤ 0`.
        for row in cells[n..n * n].chunks_exact(n) {
            for (lowest, bound) in lowest.iter_mut().zip(row) {
                *lowest = bound.0.min(*lowest);
            }
        }
        for (bound, lowest) in cells[..n].iter_mut().zip(&*lowest) {
            bound.0 = *lowest;
        }
    });
}

/// Tightens the entry `(i, j)` of a closed matrix to `bound` and closes it again.
///
/// Requires that `bound` is tighter than the entry and that the result is not empty.
pub(crate) fn tighten(cells: &mut [Bound], n: usize, i: usize, j: usize, bound: Bound) {
    stamp!(n, |n, other| {
        let cells = &mut cells[..n * n];
        prepare(&cells[j * n..][..n], other);
        for p in 0..n {
            let base = sum(cells[p * n + i], bound);
            // A row gains nothing unless its entry for `j` does, since it was closed before. For
            // short rows the branch costs more than it saves.
            if n <= BRANCHLESS || base < cells[p * n + j].0 {
                minimise(&mut cells[p * n..][..n], base, other);
            }
        }
    });
}

/// Whether a closed matrix, were it tightened at `(i, j)` to `bound` and closed again, would have no
/// bound above the one of `others`.
///
/// Requires what [`tighten`] requires.
pub(crate) fn fits_when_tightened(
    cells: &[Bound],
    n: usize,
    (i, j, bound): (usize, usize, Bound),
    others: &[Bound],
) -> bool {
    stamp!(n, |n, other| {
        let (cells, others) = (&cells[..n * n], &others[..n * n]);
        prepare(&cells[j * n..][..n], other);
        (0..n).all(|p| {
            let base = sum(cells[p * n + i], bound);
            let (mask, even) = ((base & 1) - 2, Bound(base).operand() & !1);
            let row = cells[p * n..][..n].iter().zip(&others[p * n..][..n]);
            let mut above = 0;
            for ((own, given), other) in row.zip(&*other) {
                above |= i32::from(own.0.min(even + (other & mask)) > given.0);
            }
            above == 0
        })
    })
}

/// The packed sum of two bounds; at least [`INFINITE`] if one of them is infinite.
#[inline(always)]
fn sum(first: Bound, second: Bound) -> i32 {
    let (a, b) = (first.operand(), second.operand());
    a + b - ((a | b) & 1)
}

#[inline(always)]
fn has_solution(cells: &[Bound], n: usize) -> bool {
    (0..n).all(|i| cells[i * n + i].0 >= LE_ZERO)
}

#[inline(always)]
fn close_over_each(cells: &mut [Bound], n: usize, other: &mut [i32], mut vertices: u64) {
    while vertices != 0 {
        close_over(cells, n, other, vertices.trailing_zeros() as usize);
        vertices &= vertices - 1;
    }
}

/// Allows paths through `k`.
#[inline(always)]
fn close_over(cells: &mut [Bound], n: usize, other: &mut [i32], k: usize) {
    prepare(&cells[k * n..][..n], other);
    for i in 0..n {
        let base = cells[i * n + k].0;
        // For short rows a branch that is hard to predict costs more than it saves.
        if i != k && (n <= LARGEST_STAMPED || base < INFINITE) {
            minimise(&mut cells[i * n..][..n], base, other);
        }
    }
}

#[inline(always)]
fn prepare(row: &[Bound], other: &mut [i32]) {
    for (bound, other) in row.iter().zip(other) {
        *other = bound.operand();
    }
}

/// `row[j] = min(row[j], base + other[j])`.
#[inline(always)]
fn minimise(row: &mut [Bound], base: i32, other: &[i32]) {
    // A strict base makes every sum strict: all bits but the last if it is strict, else all.
    let mask = (base & 1) - 2;
    let even = Bound(base).operand() & !1;
    for (bound, other) in row.iter_mut().zip(other) {
        bound.0 = bound.0.min(even + (other & mask));
    }
}
