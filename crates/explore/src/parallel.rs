//! Breadth-first search with several threads and the same result as with one.
//!
//! States are taken from the front of the queue in batches. All threads compute successors of the
//! states of a batch and sort out those that a stored state covers already; the store does not
//! change meanwhile. One thread then accounts for the batch, state by state in the order of the
//! queue and exactly as a single thread would: a state that is covered stays covered, and the
//! successors of a state that was dropped in the meantime are thrown away.

use std::sync::atomic::{AtomicUsize, Ordering};

use tioga_base::Cancel;

use crate::node::NodeId;
use crate::ongoing::{Candidate, Search};
use crate::outcome::Stop;
use crate::store::Store;
use crate::system::{TransitionSystem, Visitor};

/// States per thread in a batch.
const BATCH: usize = 1024;
/// States a thread takes at a time.
const PIECE: usize = 64;

/// The scratch memory of one thread, made by that thread: what two threads write to should not be
/// neighbours in memory.
#[repr(align(128))]
struct Own<W>(Option<W>);

/// A state that was expanded.
struct Expanded<S: TransitionSystem> {
    node: NodeId,
    result: Result<(), S::Error>,
    /// How many successors after the last other one were covered already.
    covered: u64,
    /// How many were not.
    others: usize,
}

/// Neighbouring states that one thread expanded.
struct Piece<S: TransitionSystem> {
    /// The position of the first in its batch.
    position: usize,
    expanded: Vec<Expanded<S>>,
    /// The successors that were not covered, in order.
    others: Vec<Candidate<S>>,
}

/// Explores what waits with several threads.
pub(crate) fn run<S: TransitionSystem, V: Visitor<S>>(
    search: &mut Search<'_, S, V>,
    worker: S::Worker,
) -> Stop<S::Error> {
    let system = search.system;
    let mut workers = vec![Own(Some(worker))];
    workers.resize_with(search.options.threads, || Own(None));
    loop {
        let batch = batch(search);
        if batch.is_empty() {
            return Stop::Exhausted;
        }
        let cancel = &search.options.limits.cancel;
        let mut pieces = expand_all(system, &search.store, &mut workers, &batch, cancel);
        if cancel.is_cancelled() {
            return Stop::Cancelled;
        }
        pieces.sort_unstable_by_key(|piece| piece.position);
        if let Some(stop) = account(search, pieces) {
            return stop;
        }
    }
}

/// The states at the front of the queue that are still stored.
fn batch<S: TransitionSystem, V: Visitor<S>>(search: &mut Search<'_, S, V>) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    while nodes.len() < BATCH * search.options.threads {
        let Some(node) = search.waiting.pop() else { break };
        if search.store.get(node).is_some() {
            nodes.push(node);
        }
    }
    nodes
}

/// Expands a batch with as many threads as there are workers; the first works here.
fn expand_all<S: TransitionSystem>(
    system: &S,
    store: &Store<S>,
    workers: &mut [Own<S::Worker>],
    batch: &[NodeId],
    cancel: &Cancel,
) -> Vec<Piece<S>> {
    let next = &AtomicUsize::new(0);
    let (own, others) = workers.split_first_mut().expect("there is at least one worker");
    std::thread::scope(|scope| {
        // For a few states a thread is not worth starting.
        let others = others.iter_mut().filter(|_| batch.len() > 2 * PIECE);
        let threads: Vec<_> = others
            .map(|worker| scope.spawn(move || expand(system, store, worker, batch, next, cancel)))
            .collect();
        let mut pieces = expand(system, store, own, batch, next, cancel);
        for thread in threads {
            pieces.extend(thread.join().expect("a worker does not panic"));
        }
        pieces
    })
}

/// Expands states piece by piece until none is left, or the work is cancelled.
fn expand<S: TransitionSystem>(
    system: &S,
    store: &Store<S>,
    worker: &mut Own<S::Worker>,
    batch: &[NodeId],
    next: &AtomicUsize,
    cancel: &Cancel,
) -> Vec<Piece<S>> {
    let worker = worker.0.get_or_insert_with(|| system.worker());
    let mut pieces = Vec::new();
    let mut successors = Vec::new();
    loop {
        let position = next.fetch_add(PIECE, Ordering::Relaxed);
        let Some(nodes) = batch.get(position..(position + PIECE).min(batch.len())) else { break };
        if nodes.is_empty() {
            break;
        }
        let mut others = Vec::new();
        let nodes = nodes.iter().take_while(|_| !cancel.is_cancelled());
        let expanded = nodes.map(|&node| {
            let (key, part) = store.get(node).expect("a batch holds stored states");
            let result = system.successors(worker, key, part, &mut successors);
            let before = others.len();
            let mut covered = 0;
            for state in successors.drain(..) {
                let hash = Store::<S>::hash(&state.key);
                if store.covers(system, hash, &state.key, &state.part) {
                    covered += 1;
                } else {
                    others.push(Candidate { hash, covered: std::mem::take(&mut covered), state });
                }
            }
            Expanded { node, result, covered, others: others.len() - before }
        });
        let expanded = expanded.collect();
        pieces.push(Piece { position, expanded, others });
    }
    pieces
}

/// Accounts for expanded states in order.
fn account<S: TransitionSystem, V: Visitor<S>>(
    search: &mut Search<'_, S, V>,
    pieces: Vec<Piece<S>>,
) -> Option<Stop<S::Error>> {
    for Piece { expanded, others, .. } in pieces {
        let mut rest = others.into_iter();
        for Expanded { node, result, covered, others } in expanded {
            let own = rest.by_ref().take(others);
            if search.store.get(node).is_none() {
                own.for_each(drop);
                continue;
            }
            let stop = search.visit(node, result, own, covered);
            if stop.is_some() {
                return stop;
            }
        }
    }
    None
}
