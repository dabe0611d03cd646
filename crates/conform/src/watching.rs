//! Progress of searches that find what they look for when successors are computed.

use std::ops::ControlFlow;

use tioga_explore::{NodeId, Statistics, TransitionSystem, Visitor};

/// Passes progress on.
pub struct Watching<'w>(pub &'w mut dyn FnMut(&Statistics));

impl<S: TransitionSystem> Visitor<S> for Watching<'_> {
    fn stored(&mut self, _: NodeId, _: &S::Key, _: &S::Part) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, statistics: &Statistics) {
        (self.0)(statistics);
    }
}
