//! The work that a search may do.

/// The search ended before it decided.
pub(super) struct Stop;

/// How much work is left.
pub(super) struct Budget<'a> {
    pub left: u64,
    pub going: &'a dyn Fn() -> bool,
}

impl Budget<'_> {
    /// Takes this number of steps from the budget.
    pub fn spend(&mut self, steps: usize) -> Result<(), Stop> {
        self.left = self.left.checked_sub(steps as u64).ok_or(Stop)?;
        if (self.going)() { Ok(()) } else { Err(Stop) }
    }
}
