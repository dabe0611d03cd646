//! Discrete states that are left at once, in one way, unobserved.

use super::{Composer, Step, StepLabel, Steps};
use crate::DiscreteState;

impl Composer<'_> {
    /// The internal step that leaves a discrete state in no time, if that is all that can happen
    /// there: time stands still, no clock is asked, and no other step is possible. An observer may
    /// take such a state and the one after it for one.
    ///
    /// Pre: `steps` are those of the state.
    pub fn instant<'s>(&self, state: &DiscreteState, steps: &'s Steps) -> Option<&'s Step> {
        let [step] = &steps.list[..] else { return None };
        let internal = matches!(step.label, StepLabel::Internal(_));
        let alone = steps.awaiting.is_empty() && steps.faults.is_empty();
        let unconditional = step.guard.is_always() && step.blocked.is_empty();
        (internal && alone && unconditional && self.stops_time(state)).then_some(step)
    }
}
