//! A word as it comes from a search.

/// A word, as its ways are walked: one after the other, with a common beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Way<'w> {
    /// How many labels are those of the word before.
    pub kept: usize,
    /// All labels.
    pub labels: &'w [u32],
    /// The node it ends in.
    pub last: u32,
}
