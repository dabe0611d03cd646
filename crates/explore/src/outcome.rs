//! How a search ended.

use crate::node::NodeId;
use crate::statistics::Statistics;
use crate::store::Store;
use crate::system::TransitionSystem;

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
    /// The work was cancelled.
    Cancelled,
    /// The system could not compute the successors of this state, or of none if an initial one.
    Failed(Option<NodeId>, E),
}

/// The result of a search; what was found so far is kept whatever the reason to stop.
pub struct SearchOutcome<S: TransitionSystem> {
    /// Why it stopped.
    pub stop: Stop<S::Error>,
    /// What it did.
    pub statistics: Statistics,
    /// The states.
    pub store: Store<S>,
}
