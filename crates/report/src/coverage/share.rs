//! How many of how many were visited.

/// How many of how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Those that were visited.
    pub visited: usize,
    /// All of them.
    pub all: usize,
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{}/{}", self.visited, self.all))
    }
}

impl Share {
    pub(crate) fn of<'c>(counts: impl IntoIterator<Item = &'c u64>) -> Self {
        let mut share = Self::default();
        for count in counts {
            share.all += 1;
            share.visited += usize::from(*count > 0);
        }
        share
    }
}
