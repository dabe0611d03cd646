//! What a `.tck` file does not say about its events.

use crate::syntax::Direction;

/// Directions of events that come from elsewhere; what they say replaces the attributes of the file.
#[derive(Clone, Copy, Default, Debug)]
pub struct Events<'e> {
    /// Events that go into the system under test.
    pub inputs: &'e [String],
    /// Events that come out of it.
    pub outputs: &'e [String],
    /// Events that stay inside.
    pub internals: &'e [String],
    /// Whether names that the file does not declare are passed over; otherwise they are errors.
    pub lenient: bool,
}

impl<'e> Events<'e> {
    /// The direction of an event, if one is given; within, it may be none.
    pub(super) fn direction(&self, event: &str) -> Option<Option<Direction>> {
        let among = |names: &[String]| names.iter().any(|name| name == event);
        if among(self.internals) {
            Some(None)
        } else if among(self.inputs) {
            Some(Some(Direction::Input))
        } else if among(self.outputs) {
            Some(Some(Direction::Output))
        } else {
            None
        }
    }

    /// All names that are given.
    pub(super) fn names(&self) -> impl Iterator<Item = &'e str> {
        let (inputs, outputs) = (self.inputs.iter(), self.outputs.iter());
        inputs.chain(outputs).chain(self.internals).map(String::as_str)
    }
}
