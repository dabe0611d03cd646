//! The frame of a function while its body is lowered.

use tioga_model::Type;

use super::scope::Changes;

/// The frame of the function being lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub size: u32,
    pub result: Option<Type>,
    /// What is changed besides the frame.
    pub changes: Changes,
}

impl Frame {
    /// Takes one slot.
    pub fn allocate(&mut self) -> u32 {
        self.allocate_many(1)
    }

    /// Takes several slots in a row; the first of them.
    pub fn allocate_many(&mut self, slots: u32) -> u32 {
        let first = self.size;
        self.size = self.size.saturating_add(slots);
        first
    }
}
