//! Work on several items at the same time. Results do not depend on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use tioga_base::Cancel;
use tioga_explore::map_each;

/// Does some work for each item, several at the same time. Results are in the order of the items;
/// `done` is told how many are finished, and the position and result of each.
pub fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(usize, usize, &R),
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<Option<R>> = items.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(position) else { return };
                    // Nobody listens only if the whole program is going down.
                    let _ = sender.send((position, work(item)));
                }
            });
        }
        drop(sender);
        for (finished, (position, result)) in receiver.into_iter().enumerate() {
            done(finished + 1, position, &result);
            results[position] = Some(result);
        }
    });
    results.into_iter().map(|result| result.expect("every item was worked on")).collect()
}

/// Does some work for each item in order until a result is wanted. While there are threads, later items are worked on
/// in advance; that work is cancelled when it turns out to be in vain. Returns the results up to the first that is
/// wanted; fewer if everything was cancelled.
pub fn until_wanted<T: Sync, R: Send>(
    items: &[T],
    jobs: usize,
    cancel: &Cancel,
    work: impl Fn(&T, &Cancel) -> R + Sync,
    wanted: impl Fn(&R) -> bool + Sync,
) -> Vec<R> {
    let parts: Vec<(&T, Cancel)> = items.iter().map(|item| (item, cancel.part())).collect();
    let positions: Vec<usize> = (0..items.len()).collect();
    let attempt = |&position: &usize| {
        let (item, own) = &parts[position];
        if own.is_cancelled() {
            return None;
        }
        let result = work(item, own);
        if wanted(&result) {
            parts[position + 1..].iter().for_each(|(_, later)| later.cancel());
        }
        Some(result)
    };
    let mut results = Vec::new();
    for result in map_each(jobs, &positions, attempt) {
        let Some(result) = result else { break };
        let found = wanted(&result);
        results.push(result);
        if found {
            break;
        }
    }
    results
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let items: Vec<u64> = (0..100).collect();
        let mut heard = Vec::new();
        let doubled = side_by_side(
            &items,
            7,
            |item| item * 2,
            |finished, position, result| {
                assert_eq!(*result, 2 * position as u64);
                heard.push(finished);
            },
        );
        assert_eq!(doubled, items.iter().map(|item| item * 2).collect::<Vec<_>>());
        assert_eq!(heard, (1..=100).collect::<Vec<_>>());
        assert!(side_by_side(&[], 3, |item: &u64| *item, |_, _, _| ()).is_empty());
    }

    /// However many threads there are, and whoever is the first to finish.
    #[test]
    fn the_first_wanted_result_ends_the_work() {
        let items = [3_u64, 1, 4, 1, 5, 9];
        for jobs in 1..8 {
            let cancel = Cancel::new();
            let work = |item: &u64, _: &Cancel| {
                std::thread::sleep(std::time::Duration::from_millis(*item));
                *item
            };
            let until = |least| until_wanted(&items, jobs, &cancel, work, |one| *one >= least);
            assert_eq!(until(4), [3, 1, 4]);
            assert_eq!(until(3), [3]);
            assert_eq!(until(10), items);
            assert!(!cancel.is_cancelled());
        }
    }

    /// What is in vain hears of it, and what comes before it does not.
    #[test]
    fn work_in_vain_is_cancelled() {
        let slow = |item: &u64, cancel: &Cancel| {
            if *item == 0 {
                std::thread::sleep(std::time::Duration::from_millis(20));
                return (0, cancel.is_cancelled());
            }
            while !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            (*item, true)
        };
        let results = until_wanted(&[0, 1, 2], 3, &Cancel::new(), slow, |one| one.0 == 0);
        assert_eq!(results, [(0, false)]);
        let cancelled = Cancel::new();
        cancelled.cancel();
        assert!(until_wanted(&[0, 1], 2, &cancelled, slow, |_| false).is_empty());
    }
}
