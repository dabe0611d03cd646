//! The two loops in which almost all time goes: closing a matrix (Floyd and Warshall) and
//! tightening a closed matrix by one constraint (BY04 Alg. "and").
//!
//! Both reduce to `row[j] = min(row[j], base + other[j])` over a whole row. Before such loops the
//! other row is copied with infinity replaced by [`HUGE`] and very low bounds raised to
//! [`FLOOR`], once as it is and once with all bounds made strict; then strictness, infinity and
//! overflow cost nothing inside the loop, and the compiler turns it into vector instructions.
//! The code is stamped out for each small dimension, with the dimension as a constant.

use crate::bound::{Bound, FLOOR, HUGE, INFINITE, LE_ZERO};

/// The largest dimension with code of its own.
const LARGEST_STAMPED: usize = 16;

/// Evaluates an expression with the dimension as a constant and scratch rows of that size, so that
/// inlining specialises what it calls.
macro_rules! stamp {
    (@ $n:expr, $size:ident, $weak:ident, $strict:ident, $body:expr; $($literal:literal)*) => {
        match $n {
            $($literal => {
                let $size: usize = $literal;
                let ($weak, $strict) = (&mut [0; $literal][..], &mut [0; $literal][..]);
                $body
            })*
            $size => {
                debug_assert!(!(2..=LARGEST_STAMPED).contains(&$size));
                let ($weak, $strict) = (&mut vec![0; $size][..], &mut vec![0; $size][..]);
                $body
            }
        }
    };
    ($n:expr, |$size:ident, $weak:ident, $strict:ident| $body:expr) => {
        stamp!(@ $n, $size, $weak, $strict, $body; 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    };
}

/// Closes a matrix in place; false if it has no solution, and then its contents are arbitrary.
///
/// Requires `≤ 0` or tighter on the diagonal.
pub(crate) fn close(cells: &mut [Bound], n: usize) -> bool {
    stamp!(n, |n, weak, strict| close_all(&mut cells[..n * n], n, weak, strict))
}

/// Closes a matrix of which only the edges between vertices in `touched` were tightened since it
/// was closed: the inner vertices of shorter paths are ends of such edges.
pub(crate) fn close_touched(cells: &mut [Bound], n: usize, touched: u64) -> bool {
    stamp!(n, |n, weak, strict| close_some(&mut cells[..n * n], n, weak, strict, touched))
}

/// Tightens the entry `(i, j)` of a closed matrix to `bound` and closes it again.
///
/// Requires that `bound` is tighter than the entry and that the result is not empty.
pub(crate) fn tighten(cells: &mut [Bound], n: usize, i: usize, j: usize, bound: Bound) {
    stamp!(n, |n, weak, strict| tighten_all(&mut cells[..n * n], n, weak, strict, i, j, bound));
}

#[inline(always)]
fn close_all(cells: &mut [Bound], n: usize, weak: &mut [i32], strict: &mut [i32]) -> bool {
    for k in 0..n {
        close_over(cells, n, weak, strict, k);
    }
    (0..n).all(|i| cells[i * n + i].0 >= LE_ZERO)
}

#[inline(always)]
fn close_some(
    cells: &mut [Bound],
    n: usize,
    weak: &mut [i32],
    strict: &mut [i32],
    mut touched: u64,
) -> bool {
    while touched != 0 {
        close_over(cells, n, weak, strict, touched.trailing_zeros() as usize);
        touched &= touched - 1;
    }
    (0..n).all(|i| cells[i * n + i].0 >= LE_ZERO)
}

/// Allows paths through `k`.
#[inline(always)]
fn close_over(cells: &mut [Bound], n: usize, weak: &mut [i32], strict: &mut [i32], k: usize) {
    prepare(&cells[k * n..][..n], weak, strict);
    for i in 0..n {
        let to = cells[i * n + k].0;
        if to < INFINITE && i != k {
            let row = &mut cells[i * n..][..n];
            minimise(row, to, weak, strict);
        }
    }
}

#[inline(always)]
fn tighten_all(
    cells: &mut [Bound],
    n: usize,
    weak: &mut [i32],
    strict: &mut [i32],
    i: usize,
    j: usize,
    bound: Bound,
) {
    prepare(&cells[j * n..][..n], weak, strict);
    for p in 0..n {
        let base = Bound(cells[p * n + i].0) + bound;
        // A row gains nothing unless its entry for `j` does, since it was closed before.
        if base < cells[p * n + j] {
            let row = &mut cells[p * n..][..n];
            minimise(row, base.0, weak, strict);
        }
    }
}

#[inline(always)]
fn prepare(row: &[Bound], weak: &mut [i32], strict: &mut [i32]) {
    for ((bound, weak), strict) in row.iter().zip(weak).zip(strict) {
        *weak = if bound.0 >= INFINITE { HUGE } else { bound.0.max(FLOOR) };
        *strict = *weak & !1;
    }
}

/// `row[j] = min(row[j], base + other[j])` for a finite `base`.
#[inline(always)]
fn minimise(row: &mut [Bound], base: i32, weak: &[i32], strict: &[i32]) {
    let other = if base & 1 == 1 { weak } else { strict };
    let even = base.max(FLOOR) & !1;
    for (bound, other) in row.iter_mut().zip(other) {
        bound.0 = bound.0.min(even + other);
    }
}
