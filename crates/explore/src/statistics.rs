//! What a search did, in numbers.

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
