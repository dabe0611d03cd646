//! The same work on many items, by several threads, with results in the order of the items.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Items a thread takes at a time.
const PIECE: usize = 8;

/// Applies `work` to every item; each thread has scratch memory of its own, made by `scratch`.
///
/// The result does not depend on the number of threads if `work` does not depend on what its
/// scratch memory was used for before.
pub fn map<T: Sync, W, R: Send>(
    threads: usize,
    items: &[T],
    scratch: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &T) -> R + Sync,
) -> Vec<R> {
    map_pieces(threads, PIECE, items, scratch, work)
}

/// The same for items whose work takes so long that each thread takes one at a time.
pub fn map_each<T: Sync, R: Send>(
    threads: usize,
    items: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    map_pieces(threads, 1, items, || (), |(), item| work(item))
}

fn map_pieces<T: Sync, W, R: Send>(
    threads: usize,
    piece: usize,
    items: &[T],
    scratch: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &T) -> R + Sync,
) -> Vec<R> {
    let useful = threads.min(items.len().div_ceil(piece));
    if useful <= 1 {
        let mut scratch = scratch();
        return items.iter().map(|item| work(&mut scratch, item)).collect();
    }
    let next = AtomicUsize::new(0);
    let share = || {
        let mut scratch = scratch();
        let mut done: Vec<(usize, Vec<R>)> = Vec::new();
        loop {
            let start = next.fetch_add(piece, Ordering::Relaxed);
            if start >= items.len() {
                return done;
            }
            let own = &items[start..items.len().min(start + piece)];
            done.push((start, own.iter().map(|item| work(&mut scratch, item)).collect()));
        }
    };
    let mut pieces = std::thread::scope(|scope| {
        let others: Vec<_> = (1..useful).map(|_| scope.spawn(share)).collect();
        let mut pieces = share();
        for other in others {
            pieces.extend(other.join().expect("a panic of a worker is passed on"));
        }
        pieces
    });
    pieces.sort_unstable_by_key(|(start, _)| *start);
    pieces.into_iter().flat_map(|(_, results)| results).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items_for_any_number_of_threads() {
        let items: Vec<u64> = (0..1000).collect();
        let expected: Vec<u64> = items.iter().map(|item| item * item).collect();
        for threads in [1, 2, 3, 8, 2000] {
            let found = map(
                threads,
                &items,
                || 0_u64,
                |count, item| {
                    *count += 1;
                    item * item
                },
            );
            assert_eq!(found, expected, "{threads} threads");
            assert_eq!(map_each(threads, &items, |item| item * item), expected);
        }
        assert!(map(4, &[] as &[u8], || (), |(), item| *item).is_empty());
    }
}
