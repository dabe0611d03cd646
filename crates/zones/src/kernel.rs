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

/// Evaluates an expression with the dimension as a constant and a scratch row of that size, so that
/// inlining specialises what it calls.
macro_rules! stamp {
    (@ $n:expr, $size:ident, $other:ident, $body:expr; $($literal:literal)*) => {
        match $n {
            $($literal => {
                let $size: usize = $literal;
                let $other = &mut [0; $literal][..];
                $body
            })*
            $size => {
                debug_assert!(!(2..=LARGEST_STAMPED).contains(&$size));
                let $other = &mut vec![0; $size][..];
                $body
            }
        }
    };
    ($n:expr, |$size:ident, $other:ident| $body:expr) => {
        stamp!(@ $n, $size, $other, $body; 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
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

/// Closes a matrix that has a solution, knowing which vertices matter: edges lead into those of
/// `from_zero` from 0 only (and from themselves), and edges lead out of a vertex other than 0 only
/// if it is in one of the two sets.
///
/// Vertices of the first set come first, when paths through them can only start at 0.
pub(crate) fn close_relaxed(cells: &mut [Bound], n: usize, from_zero: u64, both_ways: u64) {
    stamp!(n, |n, other| {
        let cells = &mut cells[..n * n];
        let mut left = from_zero;
        while left != 0 {
            let k = left.trailing_zeros() as usize;
            prepare(&cells[k * n..][..n], other);
            let base = cells[k].0;
            minimise(&mut cells[..n], base, other);
            left &= left - 1;
        }
        close_over_each(cells, n, other, both_ways | 1);
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

/// Marks in `marks` each `j` such that the bound `(i, j)` follows from a path through one of the
/// given vertices other than `i` and `j`. Infinite bounds count as following.
pub(crate) fn redundant(
    cells: &[Bound],
    n: usize,
    i: usize,
    vertices: impl Iterator<Item = usize>,
    marks: &mut [i32],
) {
    stamp!(n, |n, _other| {
        let (row, marks) = (&cells[i * n..][..n], &mut marks[..n]);
        for (mark, bound) in marks.iter_mut().zip(row) {
            *mark = i32::from(bound.0 >= INFINITE);
        }
        for k in vertices.filter(|&k| k != i) {
            let base = row[k].0;
            let (mask, even) = ((base & 1) - 2, Bound(base).operand() & !1);
            let finite = i32::from(base < INFINITE);
            let (others, kept) = (&cells[k * n..][..n], marks[k]);
            for ((mark, bound), other) in marks.iter_mut().zip(row).zip(others) {
                let sum = even + (other.0 & mask);
                *mark |= i32::from((sum <= bound.0) & (other.0 < INFINITE)) & finite;
            }
            marks[k] = kept;
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
            let base = cells[p * n + i] + bound;
            // A row gains nothing unless its entry for `j` does, since it was closed before.
            if base < cells[p * n + j] {
                minimise(&mut cells[p * n..][..n], base.0, other);
            }
        }
    });
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
        if n <= LARGEST_STAMPED || base < INFINITE {
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
