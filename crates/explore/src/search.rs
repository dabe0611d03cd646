//! The search itself: waiting states, orders, limits and statistics.

use std::collections::{BinaryHeap, VecDeque};

use tioga_base::Cancel;

use crate::parallel;
use crate::store::{Inserted, NodeId, Store};
use crate::system::{Successor, System, Visitor};

/// Which waiting state is explored next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// The one that waits longest.
    #[default]
    BreadthFirst,
    /// The one found last.
    DepthFirst,
    /// The one with the least [`System::priority`]; of equal ones the one that waits longest.
    Priority,
}

/// Where a search stops at the latest.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The greatest number of states visited.
    pub visited: Option<u64>,
    /// The greatest number of bytes the stored states may take, about.
    pub bytes: Option<usize>,
    /// Stops the search when raised.
    pub cancel: Cancel,
}

/// How to search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Which waiting state is explored next.
    pub order: Order,
    /// How many threads compute successors; at least one. More than one help in breadth-first
    /// order only.
    pub threads: usize,
    /// Where to stop at the latest.
    pub limits: Limits,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { order: Order::default(), threads: 1, limits: Limits::default() }
    }
}

/// What a search did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// States whose successors were computed.
    pub visited: u64,
    /// States stored that no other covers.
    pub stored: u64,
    /// Steps that led to a covered state.
    pub covered: u64,
    /// Steps taken from visited states.
    pub transitions: u64,
    /// States that wait to be explored.
    pub waiting: u64,
    /// The most bytes the stored states took at any time, about.
    pub peak_bytes: u64,
}

/// Why a search stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop<E> {
    /// Everything reachable is covered.
    Exhausted,
    /// The visitor broke off at this state.
    Found(NodeId),
    /// So many states were visited.
    VisitedLimit(u64),
    /// The stored states take so many bytes.
    MemoryLimit(usize),
    /// Somebody cancelled.
    Cancelled,
    /// The system could not compute the successors of this state, or of none if an initial one.
    Failed(Option<NodeId>, E),
}

/// The result of a search; what was found so far is kept whatever the reason to stop.
pub struct Outcome<S: System> {
    /// Why it stopped.
    pub stop: Stop<S::Error>,
    /// What it did.
    pub statistics: Statistics,
    /// The states.
    pub store: Store<S>,
}

/// States visited between two reports of progress and looks at the cancel flag.
const REPORT_INTERVAL: u64 = 256;

/// Explores a system.
///
/// Post: if the outcome is [`Stop::Exhausted`], every reachable state is covered by a stored one.
pub fn search<S: System>(
    system: &S,
    options: &SearchOptions,
    visitor: &mut impl Visitor<S>,
) -> Outcome<S> {
    let mut search = Search {
        system,
        options,
        visitor,
        store: Store::default(),
        waiting: Waiting::new(options.order),
        statistics: Statistics::default(),
    };
    let stop = search.run();
    search.statistics.stored = search.store.len() as u64;
    search.statistics.waiting = search.store.waiting() as u64;
    Outcome { stop, statistics: search.statistics, store: search.store }
}

pub(crate) struct Search<'s, S: System, V> {
    pub system: &'s S,
    pub options: &'s SearchOptions,
    visitor: &'s mut V,
    pub store: Store<S>,
    pub waiting: Waiting,
    statistics: Statistics,
}

/// A successor that may have to be stored.
pub(crate) struct Candidate<S: System> {
    /// The hash of its key.
    pub hash: u64,
    /// How many successors just before it are known to be covered.
    pub covered: u64,
    pub state: Successor<S>,
}

impl<S: System> Candidate<S> {
    fn new(state: Successor<S>) -> Self {
        Self { hash: Store::<S>::hash(&state.key), covered: 0, state }
    }
}

impl<S: System, V: Visitor<S>> Search<'_, S, V> {
    fn run(&mut self) -> Stop<S::Error> {
        let mut worker = self.system.worker();
        let mut states = Vec::new();
        if let Err(error) = self.system.initial(&mut worker, &mut states) {
            return Stop::Failed(None, error);
        }
        if let Some(stop) = self.insert_all(None, states.into_iter().map(Candidate::new)) {
            return stop;
        }
        if self.options.threads > 1 && self.options.order == Order::BreadthFirst {
            return parallel::run(self, worker);
        }
        self.run_alone(worker)
    }

    fn run_alone(&mut self, mut worker: S::Worker) -> Stop<S::Error> {
        let mut successors = Vec::new();
        while let Some(node) = self.waiting.pop() {
            let Some((key, part)) = self.store.get(node) else { continue };
            let result = self.system.successors(&mut worker, key, part, &mut successors);
            let found = successors.drain(..).map(Candidate::new);
            if let Some(stop) = self.visit(node, result, found, 0) {
                return stop;
            }
        }
        Stop::Exhausted
    }

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

    fn insert_all(
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
            if limits.cancel.is_cancelled() {
                return Some(Stop::Cancelled);
            }
        }
        None
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
    fn new(order: Order) -> Self {
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
