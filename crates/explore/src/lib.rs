//! Search over transition systems whose states are ordered by inclusion.
//!
//! A [`TransitionSystem`] hands out states in two parts: a *key*, compared for equality, and a *part*,
//! compared by inclusion. A state is covered when a state with the same key and a larger part is
//! stored; covered states are not explored, and a new state removes the stored ones it covers. The
//! system decides what keys and parts are: this crate uses neither models nor zones.
//!
//! [`search()`] explores in breadth-first, depth-first or priority order until everything reachable is
//! covered, an observer has found its goal, or a limit is reached. The result, the order of visits and
//! all counts depend only on the system and the order, never on the number of threads.

mod map;
mod node;
mod ongoing;
mod options;
mod outcome;
mod parallel;
mod search;
mod statistics;
mod store;
mod system;

pub use map::{map, map_each};
pub use node::NodeId;
pub use options::{Limits, Order, SearchOptions};
pub use outcome::{SearchOutcome, Stop};
pub use search::search;
pub use statistics::Statistics;
pub use store::Store;
pub use system::{Sketch, Successor, TransitionSystem, Visitor};
