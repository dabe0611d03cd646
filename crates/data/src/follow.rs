//! A run over representatives as a run of the model itself: each step between representatives is made from a
//! state of the same class, with values of the same cell.

use tioga_model::{ChannelId, Composer, DiscreteState, Model, Step, StepLabel, Steps, Values};

use crate::classes::Classes;
use crate::reason::{Asking, Reason};
use crate::run::SMALL;

/// Follows steps between representatives with states of the model.
#[derive(Debug)]
pub struct Follower<'f, R> {
    composer: Composer<'f>,
    classes: &'f Classes,
    solver: R,
    /// Where the run of the model is.
    state: DiscreteState,
    /// The representative of that state.
    representative: DiscreteState,
}

impl<'f, R: Reason> Follower<'f, R> {
    /// At the initial state.
    ///
    /// Pre: the model has no classes of its own; these are the classes of its network.
    pub fn new(model: &'f Model, classes: &'f Classes, solver: R) -> Self {
        let composer = Composer::unrolling(model, SMALL as u64);
        let (state, representative) = (composer.initial(), classes.initial.clone());
        Self { composer, classes, solver, state, representative }
    }

    /// At a state, if one of its class was reached.
    pub fn at(
        model: &'f Model,
        classes: &'f Classes,
        solver: R,
        state: &DiscreteState,
    ) -> Option<Self> {
        let representative = classes.representative(state)?.clone();
        Some(Self { state: state.clone(), representative, ..Self::new(model, classes, solver) })
    }

    /// Where the run of the model is.
    pub fn state(&self) -> &DiscreteState {
        &self.state
    }

    /// The step that corresponds to a step of the representative, which has been taken when this returns: the
    /// same edges, with values that fit. The values of the representative stay where they fit.
    ///
    /// # Errors
    /// If such values are not known.
    pub fn step(&mut self, step: &Step) -> Result<Step, String> {
        let found = self.corresponding(step)?;
        let no_step = || "a step between classes is no step of the model".to_owned();
        let found = found.ok_or_else(no_step)?;
        let after = self.composer.apply(&self.representative, step).map_err(|_| no_step())?.target;
        self.representative = self.classes.data.canonical(after);
        self.state = self.composer.apply(&self.state, &found).map_err(|_| no_step())?.target;
        Ok(found)
    }

    /// The step that corresponds to a step of the representative, without taking it.
    ///
    /// # Errors
    /// If such values are not known.
    pub fn corresponding(&mut self, step: &Step) -> Result<Option<Step>, String> {
        let mut steps = Steps::new();
        self.composer.steps(&self.state, &mut steps);
        if let Some((channel, values)) = self.values(step)? {
            let awaiting = std::mem::take(&mut steps.awaiting);
            steps.clear();
            for one in awaiting.into_iter().filter(|one| one.channel == channel) {
                self.composer.supply(&self.state, one, &values, &mut steps);
            }
            let mut all = steps.list.into_iter();
            return Ok(all.find(|one| one.participants == step.participants));
        }
        let fitting = |one: &Step| {
            let input = matches!(step.label, StepLabel::Input(_) | StepLabel::Exchange(..));
            one.participants == step.participants
                && one.label == step.label
                && (!input || one.arguments == step.arguments)
        };
        Ok(steps.list.into_iter().find(fitting))
    }

    /// What the input of a step with many values carries here.
    fn values(&mut self, step: &Step) -> Result<Option<(ChannelId, Values)>, String> {
        let (StepLabel::Input(channel) | StepLabel::Exchange(channel, _)) = step.label else {
            return Ok(None);
        };
        let alphabet = &self.classes.alphabet;
        let Some(symbols) = alphabet.inputs.get(&channel) else { return Ok(None) };
        let (representative, label) = (self.representative.clone(), step.label);
        let key = (representative, label, step.arguments.clone(), step.reply.clone());
        let unknown = || "a step between classes has no condition".to_owned();
        let meaning = self.classes.steps.get(&key).and_then(|all| all.first());
        let condition = &meaning.ok_or_else(unknown)?.condition;
        let known = alphabet.values(&self.state);
        let mut here = known.clone();
        for (symbol, value) in alphabet.carried(channel, self.composer.model(), &step.arguments) {
            here.set(symbol, value);
        }
        if condition.holds(&here) == Ok(Some(true)) {
            return Ok(Some((channel, step.arguments.clone())));
        }
        let mut asking = Asking { symbols: &alphabet.symbols, solver: &mut self.solver };
        let values = asking.values(condition, &known, symbols)?.ok_or_else(unknown)?;
        let message = alphabet.message(channel, self.composer.model(), &values);
        Ok(Some((channel, Values::from_vec(message))))
    }
}
