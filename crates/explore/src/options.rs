//! How to search: in which order, with how many threads, and up to which limits.

use tioga_base::Cancel;

/// Which waiting state is explored next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// The one that waits longest.
    #[default]
    BreadthFirst,
    /// The one found last.
    DepthFirst,
    /// The one with the least [`priority`](crate::TransitionSystem::priority); of equal ones the one that waits
    /// longest.
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
