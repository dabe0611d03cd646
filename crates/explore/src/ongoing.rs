//! A search under way: what is stored, what waits, and what has been counted.

use std::collections::{BinaryHeap, VecDeque};

use crate::node::NodeId;
use crate::options::{Order, SearchOptions};
use crate::outcome::Stop;
use crate::statistics::Statistics;
use crate::store::{Inserted, Store};
use crate::system::{Successor, TransitionSystem, Visitor};

/// States visited between two reports of progress.
const REPORT_INTERVAL: u64 = 256;

/// What is known and done so far.
pub(crate) struct Search<'s, S: TransitionSystem, V> {
    pub system: &'s S,
    pub options: &'s SearchOptions,
    pub visitor: &'s mut V,
    pub store: Store<S>,
    pub waiting: Waiting,
    pub statistics: Statistics,
}

/// A successor that may have to be stored.
pub(crate) struct Candidate<S: TransitionSystem> {
    /// The hash of its key.
    pub hash: u64,
    /// How many successors just before it are known to be covered.
    pub covered: u64,
    pub state: Successor<S>,
}

impl<S: TransitionSystem> Candidate<S> {
    pub fn new(state: Successor<S>) -> Self {
        Self { hash: Store::<S>::hash(&state.key), covered: 0, state }
    }
}

impl<S: TransitionSystem, V: Visitor<S>> Search<'_, S, V> {
    /// Accounts for the successors of a state that is still stored; after the candidates so many
    /// more are known to be covered.
    pub fn visit(
        &mut self,
        node: NodeId,
        result: Result<(), S::Error>,
        successors: impl IntoIterator<Item = Candidate<S>>,
        covered: u64,
    ) -> Option<Stop<S::Error>> {
        if let Err(error) = result {
            return Some(Stop::Failed(Some(node), error));
        }
        self.store.mark_visited(node);
        self.statistics.visited += 1;
        if let Some(stop) = self.insert_all(Some(node), successors) {
            return Some(stop);
        }
        self.statistics.covered += covered;
        self.statistics.transitions += covered;
        self.check_limits()
    }

    /// Stores successors, unless others cover them.
    pub fn insert_all(
        &mut self,
        from: Option<NodeId>,
        states: impl IntoIterator<Item = Candidate<S>>,
    ) -> Option<Stop<S::Error>> {
        for Candidate { hash, covered, state } in states {
            self.statistics.covered += covered;
            self.statistics.transitions += covered + u64::from(from.is_some());
            let priority = match self.options.order {
                Order::Priority => self.system.priority(&state.key, &state.part),
                _ => 0,
            };
            match self.store.insert(self.system, hash, state, from) {
                Inserted::Covered => self.statistics.covered += 1,
                Inserted::New(node) => {
                    self.waiting.push(node, priority);
                    let (key, part) = self.store.get(node).expect("just stored");
                    if self.visitor.stored(node, key, part).is_break() {
                        return Some(Stop::Found(node));
                    }
                }
            }
        }
        None
    }

    fn check_limits(&mut self) -> Option<Stop<S::Error>> {
        let bytes = self.store.bytes();
        self.statistics.peak_bytes = self.statistics.peak_bytes.max(bytes as u64);
        let limits = &self.options.limits;
        let visited = self.statistics.visited;
        if let Some(limit) = limits.visited.filter(|limit| visited >= *limit)
            && self.store.waiting() > 0
        {
            return Some(Stop::VisitedLimit(limit));
        }
        if let Some(limit) = limits.bytes.filter(|limit| bytes > *limit) {
            return Some(Stop::MemoryLimit(limit));
        }
        if visited.is_multiple_of(REPORT_INTERVAL) {
            self.statistics.stored = self.store.len() as u64;
            self.statistics.waiting = self.store.waiting() as u64;
            self.visitor.progress(&self.statistics);
        }
        limits.cancel.is_cancelled().then_some(Stop::Cancelled)
    }
}

/// The states that wait to be explored. States dropped in the meantime are still among them.
pub(crate) enum Waiting {
    Queue(VecDeque<NodeId>),
    Stack(Vec<NodeId>),
    /// Least priority first, then least id: the heap is a maximum heap.
    Heap(BinaryHeap<(std::cmp::Reverse<i64>, std::cmp::Reverse<NodeId>)>),
}

impl Waiting {
    pub fn new(order: Order) -> Self {
        match order {
            Order::BreadthFirst => Self::Queue(VecDeque::new()),
            Order::DepthFirst => Self::Stack(Vec::new()),
            Order::Priority => Self::Heap(BinaryHeap::new()),
        }
    }

    fn push(&mut self, node: NodeId, priority: i64) {
        match self {
            Self::Queue(queue) => queue.push_back(node),
            Self::Stack(stack) => stack.push(node),
            Self::Heap(heap) => {
                heap.push((std::cmp::Reverse(priority), std::cmp::Reverse(node)));
            }
        }
    }

    pub fn pop(&mut self) -> Option<NodeId> {
        match self {
            Self::Queue(queue) => queue.pop_front(),
            Self::Stack(stack) => stack.pop(),
            Self::Heap(heap) => heap.pop().map(|(_, std::cmp::Reverse(node))| node),
        }
    }
}
