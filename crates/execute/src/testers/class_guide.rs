//! Ranks over classes of data, where messages carry many values: what they advise for the class of a state, with
//! values that fit the state.

use tioga_concrete::{State, TraceEvent, label_of};
use tioga_data::{Classes, Follower, Solver};
use tioga_model::{Composer, Model, Steps};
use tioga_testcase::Action;

/// The classes that ranks are about.
#[derive(Clone, Copy)]
pub(crate) struct ClassGuide<'m> {
    /// The model over representatives.
    pub over: &'m Model,
    /// The model itself.
    pub plain: &'m Model,
    /// The classes.
    pub classes: &'m Classes,
}

/// A state, and what ranks know in its place.
pub(crate) struct Place<'m> {
    model: &'m Model,
    classes: Option<ClassGuide<'m>>,
    own: State,
    /// The model that the ranks are about.
    pub over: &'m Model,
    /// The state that ranks know.
    pub known: State,
    steps: Steps,
}

impl<'m> Place<'m> {
    /// A state of a model; nothing if no state of its class was reached.
    pub fn of(model: &'m Model, classes: Option<ClassGuide<'m>>, own: State) -> Option<Self> {
        let discrete = match classes {
            Some(classes) => classes.classes.representative(&own.discrete)?.clone(),
            None => own.discrete.clone(),
        };
        let over = classes.map_or(model, |classes| classes.over);
        let known = State { discrete, clocks: own.clocks.clone() };
        let mut steps = Steps::new();
        Composer::new(over).steps(&known.discrete, &mut steps);
        Some(Self { model, classes, own, over, known, steps })
    }

    /// What a tester sends or sees of a step that ranks speak of; nothing if it is internal.
    pub fn seen(&self, step: u32) -> Option<Action> {
        let step = self.steps.list.get(step as usize)?;
        let real = match self.classes {
            None => step.clone(),
            Some(ClassGuide { plain, classes, .. }) => {
                let mut own = Follower::at(plain, classes, Solver::new(), &self.own.discrete)?;
                own.corresponding(step).ok().flatten()?
            }
        };
        match label_of(self.model, &real) {
            TraceEvent::Input(channel, values)
            | TraceEvent::Output(channel, values)
            | TraceEvent::Exchange(channel, values, ..) => Some(Action::new(channel, &values)),
            TraceEvent::Internal(_) => None,
        }
    }
}
