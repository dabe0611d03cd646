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
        garbage: Vec::new(),
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
    /// What is not needed any more, to be dropped by the thread that made it: freeing what another
    /// thread allocated makes both wait for each other.
    pub garbage: Vec<Garbage<S>>,
}

/// What is not needed any more of a state.
pub(crate) struct Garbage<S: System> {
    #[expect(dead_code, reason = "kept only to be dropped")]
    pub key: Option<S::Key>,
    #[expect(dead_code, reason = "kept only to be dropped")]
    pub part: Option<S::Part>,
}

impl<S: System, V: Visitor<S>> Search<'_, S, V> {
    fn run(&mut self) -> Stop<S::Error> {
        let mut worker = self.system.worker();
        let mut states = Vec::new();
        if let Err(error) = self.system.initial(&mut worker, &mut states) {
            return Stop::Failed(None, error);
        }
        if let Some(stop) = self.insert_all(None, states) {
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
            if let Some(stop) = self.visit(node, result, successors.drain(..)) {
                return stop;
            }
            self.garbage.clear();
        }
        Stop::Exhausted
    }

    /// Accounts for the successors of a state that is still stored.
    pub fn visit(
        &mut self,
        node: NodeId,
        result: Result<(), S::Error>,
        successors: impl ExactSizeIterator<Item = Successor<S>>,
    ) -> Option<Stop<S::Error>> {
        if let Err(error) = result {
            return Some(Stop::Failed(Some(node), error));
        }
        self.store.mark_visited(node);
        self.statistics.visited += 1;
        self.statistics.transitions += successors.len() as u64;
        if let Some(stop) = self.insert_all(Some(node), successors) {
            return Some(stop);
        }
        self.check_limits()
    }

    fn insert_all(
        &mut self,
        from: Option<NodeId>,
        states: impl IntoIterator<Item = Successor<S>>,
    ) -> Option<Stop<S::Error>> {
        for Successor { label, key, part } in states {
            let priority = match self.options.order {
                Order::Priority => self.system.priority(&key, &part),
                _ => 0,
            };
            match self.store.insert(self.system, key, part, from, label) {
                Inserted::Covered(key, part) => {
                    self.statistics.covered += 1;
                    self.garbage.push(Garbage { key: Some(key), part: Some(part) });
                }
                Inserted::New(node, known) => {
                    self.garbage.extend(known.map(|key| Garbage { key: Some(key), part: None }));
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
