//! Runs of two models over representatives as runs of the models themselves, with the same inputs.

use tioga_model::{ChannelId, Composer, Model, Step, StepLabel, Steps, Values};

use crate::classes::{Joint, PairClasses, own_channel, values};
use crate::reason::{Asking, Reason};
use crate::run::SMALL;

/// Follows steps of two models between representatives.
#[derive(Debug)]
pub struct PairFollower<'f, R> {
    models: [&'f Model; 2],
    composers: [Composer<'f>; 2],
    classes: &'f PairClasses,
    solver: R,
    states: Joint,
    representative: Joint,
}

impl<'f, R: Reason> PairFollower<'f, R> {
    /// At the initial states.
    pub fn new(models: [&'f Model; 2], classes: &'f PairClasses, solver: R) -> Self {
        let composers = models.map(|model| Composer::unrolling(model, SMALL as u64));
        let states = models.map(|model| Composer::new(model).initial());
        let representative = states.clone();
        Self { models, composers, classes, solver, states, representative }
    }

    /// The steps that correspond to steps of the representatives, which have been taken when this returns: the
    /// same edges, with values that fit.
    ///
    /// # Errors
    /// If no such values are known.
    pub fn step(&mut self, steps: [Option<&Step>; 2]) -> Result<[Option<Step>; 2], String> {
        let no_step = || "a step between classes is no step of the model".to_owned();
        let values = self.values(steps)?;
        let mut found = [None, None];
        let (mut next, mut after) = (self.states.clone(), self.representative.clone());
        for side in [0, 1] {
            let Some(step) = steps[side] else { continue };
            let real = self.corresponding(side, step, values.as_ref()).ok_or_else(no_step)?;
            let composer = &mut self.composers[side];
            let apply = |composer: &mut Composer<'_>, state: &_, step: &_| {
                composer.apply(state, step).map(|applied| applied.target).map_err(|_| no_step())
            };
            next[side] = apply(composer, &self.states[side], &real)?;
            after[side] = apply(composer, &self.representative[side], step)?;
            found[side] = Some(real);
        }
        let joint = self.classes.data.canonical(after[0].beside(&after[1]));
        let (one, other) = after[0].apart(&joint);
        (self.states, self.representative) = (next, [one, other]);
        Ok(found)
    }

    /// The step that corresponds to a step of a representative, which is not taken.
    pub fn corresponding(
        &mut self,
        side: usize,
        step: &Step,
        values: Option<&(ChannelId, Values)>,
    ) -> Option<Step> {
        let mut steps = Steps::new();
        self.composers[side].steps(&self.states[side], &mut steps);
        let input = matches!(step.label, StepLabel::Input(_) | StepLabel::Exchange(..));
        if let Some((channel, values)) = values.filter(|_| input) {
            let own = own_channel(self.models, 0, side, *channel)?;
            let awaiting = std::mem::take(&mut steps.awaiting);
            steps.clear();
            for one in awaiting.into_iter().filter(|one| one.channel == own) {
                self.composers[side].supply(&self.states[side], one, values, &mut steps);
            }
            return steps.list.into_iter().find(|one| one.participants == step.participants);
        }
        let fitting = |one: &Step| {
            one.participants == step.participants
                && one.label == step.label
                && (!input || one.arguments == step.arguments)
        };
        steps.list.into_iter().find(fitting)
    }

    /// What an input with many values carries here, with its channel in the first model.
    ///
    /// # Errors
    /// If no such values are known.
    pub fn values(
        &mut self,
        steps: [Option<&Step>; 2],
    ) -> Result<Option<(ChannelId, Values)>, String> {
        for (side, step) in steps.into_iter().enumerate() {
            let Some(step) = step else { continue };
            let (StepLabel::Input(own) | StepLabel::Exchange(own, _)) = step.label else {
                continue;
            };
            let Some(channel) = own_channel(self.models, side, 0, own) else { continue };
            let alphabet = &self.classes.alphabets[0];
            let Some(symbols) = alphabet.inputs.get(&channel) else { continue };
            let key = (self.representative.clone(), channel, step.arguments.clone());
            let unknown = || "a step between classes has no condition".to_owned();
            let condition = self.classes.conditions.get(&key).ok_or_else(unknown)?;
            let known = values(&self.classes.alphabets, &self.states);
            let mut here = known.clone();
            for (symbol, value) in alphabet.carried(channel, self.models[0], &step.arguments) {
                here.set(symbol, value);
            }
            if condition.holds(&here) == Ok(Some(true)) {
                return Ok(Some((channel, step.arguments.clone())));
            }
            let mut asking = Asking { symbols: &alphabet.symbols, solver: &mut self.solver };
            let found = asking.values(condition, &known, symbols)?.ok_or_else(unknown)?;
            let message = alphabet.message(channel, self.models[0], &found);
            return Ok(Some((channel, Values::from_vec(message))));
        }
        Ok(None)
    }
}
