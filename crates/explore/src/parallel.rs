//! Breadth-first search with several threads and the same result as with one.
//!
//! States are taken from the front of the queue in batches. While the main thread accounts for the
//! successors of one batch, state by state in the order of the queue and exactly as a single thread
//! would, the others already compute the successors of the next batch; the main thread then helps.
//! Whatever a batch adds waits behind the next one, so the order of visits is that of the queue.
//! The successors of a state that was dropped in the meantime are thrown away: speculation costs
//! work but changes nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::search::{Garbage, Search, Stop};
use crate::store::NodeId;
use crate::system::{Successor, System, Visitor};

/// States per thread in a batch.
const BATCH: usize = 512;
/// States a thread takes at a time.
const PIECE: usize = 16;

/// A state to be expanded, copied so that the store can change meanwhile.
struct Task<S: System> {
    node: NodeId,
    key: S::Key,
    part: S::Part,
}

/// A state that was expanded.
struct Expanded<S: System> {
    node: NodeId,
    result: Result<(), S::Error>,
    /// How many successors it has.
    successors: usize,
}

/// Neighbouring states that one thread expanded.
struct Piece<S: System> {
    /// The position of the first in its batch.
    position: usize,
    /// Which thread; 0 is the main thread.
    thread: usize,
    expanded: Vec<Expanded<S>>,
    /// The successors of all of them, in order.
    successors: Vec<Successor<S>>,
}

/// What a thread made and nobody needs any more.
struct Waste<S: System> {
    states: Vec<Garbage<S>>,
    lists: Vec<Vec<Successor<S>>>,
    pieces: Vec<Vec<Expanded<S>>>,
}

impl<S: System> Default for Waste<S> {
    fn default() -> Self {
        Self { states: Vec::new(), lists: Vec::new(), pieces: Vec::new() }
    }
}

/// Explores what waits with several threads.
pub(crate) fn run<S: System, V: Visitor<S>>(
    search: &mut Search<'_, S, V>,
    mut worker: S::Worker,
) -> Stop<S::Error> {
    let system = search.system;
    let mut helpers: Vec<S::Worker> =
        (1..search.options.threads).map(|_| system.worker()).collect();
    let mut waste: Vec<Waste<S>> = (0..search.options.threads).map(|_| Waste::default()).collect();
    let mut expanded: Vec<Piece<S>> = Vec::new();
    loop {
        let tasks = batch(search);
        if tasks.is_empty() && expanded.is_empty() {
            return Stop::Exhausted;
        }
        let next = AtomicUsize::new(0);
        let mut stop = None;
        let mut old = std::mem::take(&mut waste);
        waste.resize_with(search.options.threads, Waste::default);
        let mut pieces = std::thread::scope(|scope| {
            let (tasks, next) = (&tasks, &next);
            let own = old.swap_remove(0);
            let threads: Vec<_> = helpers
                .iter_mut()
                .zip(old)
                .enumerate()
                .map(|(index, (helper, waste))| {
                    scope.spawn(move || {
                        drop(waste);
                        expand(system, helper, tasks, next, index + 1)
                    })
                })
                .collect();
            drop(own);
            stop = account(search, std::mem::take(&mut expanded), &mut waste);
            if stop.is_some() {
                next.store(tasks.len(), Ordering::Relaxed);
            }
            let mut pieces = expand(system, &mut worker, tasks, next, 0);
            for thread in threads {
                pieces.extend(thread.join().expect("a worker does not panic"));
            }
            pieces
        });
        if let Some(stop) = stop {
            return stop;
        }
        pieces.sort_unstable_by_key(|piece| piece.position);
        expanded = pieces;
    }
}

/// The states at the front of the queue that are still stored.
fn batch<S: System, V: Visitor<S>>(search: &mut Search<'_, S, V>) -> Vec<Task<S>> {
    let mut tasks = Vec::new();
    while tasks.len() < BATCH * search.options.threads {
        let Some(node) = search.waiting.pop() else { break };
        if let Some((key, part)) = search.store.get(node) {
            tasks.push(Task { node, key: key.clone(), part: part.clone() });
        }
    }
    tasks
}

/// Accounts for expanded states in order, and sorts out what each thread may drop.
fn account<S: System, V: Visitor<S>>(
    search: &mut Search<'_, S, V>,
    pieces: Vec<Piece<S>>,
    waste: &mut [Waste<S>],
) -> Option<Stop<S::Error>> {
    for Piece { thread, mut expanded, mut successors, .. } in pieces {
        let waste = &mut waste[thread];
        search.garbage = std::mem::take(&mut waste.states);
        let mut all = successors.drain(..);
        for Expanded { node, result, successors } in expanded.drain(..) {
            let own = all.by_ref().take(successors);
            if search.store.get(node).is_some() {
                let stop = search.visit(node, result, own);
                if stop.is_some() {
                    return stop;
                }
            } else {
                let unwanted = own.map(|one| Garbage { key: Some(one.key), part: Some(one.part) });
                search.garbage.extend(unwanted);
            }
        }
        drop(all);
        waste.lists.push(successors);
        waste.pieces.push(expanded);
        waste.states = std::mem::take(&mut search.garbage);
    }
    None
}

/// Expands tasks piece by piece until none is left.
fn expand<S: System>(
    system: &S,
    worker: &mut S::Worker,
    tasks: &[Task<S>],
    next: &AtomicUsize,
    thread: usize,
) -> Vec<Piece<S>> {
    let mut pieces = Vec::new();
    loop {
        let position = next.fetch_add(PIECE, Ordering::Relaxed);
        let Some(piece) = tasks.get(position..(position + PIECE).min(tasks.len())) else { break };
        if piece.is_empty() {
            break;
        }
        let mut successors = Vec::new();
        let expanded = piece.iter().map(|task| {
            let before = successors.len();
            let result = system.successors(worker, &task.key, &task.part, &mut successors);
            Expanded { node: task.node, result, successors: successors.len() - before }
        });
        let expanded = expanded.collect();
        pieces.push(Piece { position, thread, expanded, successors });
    }
    pieces
}
