//! The frame of a function while its body is lowered.

use tioga_model::{Local, Type};

use super::scope::Changes;
use crate::syntax::Name;

/// The frame of the function being lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub size: u32,
    pub result: Option<Type>,
    /// What has a name in it.
    pub variables: Vec<Local>,
    /// What is changed besides the frame.
    pub changes: Changes,
}

impl Frame {
    /// Takes one slot for a bound name.
    pub fn bind(&mut self, name: &Name, ty: &Type) -> u32 {
        self.take(name, ty, 1, false)
    }

    /// Takes several slots in a row for a name; the first of them.
    pub fn take(&mut self, name: &Name, ty: &Type, slots: u32, reference: bool) -> u32 {
        let slot = self.allocate_many(slots);
        let (name, ty) = (name.text.clone(), ty.clone());
        self.variables.push(Local { name, ty, slot, reference });
        slot
    }

    fn allocate_many(&mut self, slots: u32) -> u32 {
        let first = self.size;
        self.size = self.size.saturating_add(slots);
        first
    }
}
