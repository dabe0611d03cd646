//! Values for inputs that carry many: those at the ends of what the guards tell apart, and others by chance.

use std::collections::BTreeSet;

use tioga_base::{Budget, Rational};
use tioga_concrete::{Chance, rational_values};
use tioga_data::{Alphabet, Classes, Solver, candidates, classes};
use tioga_model::{ChannelId, DiscreteState, Model, Type};
use tioga_testcase::Action;

/// How many states are asked for values.
const STATES: usize = 4;

/// How many values of an input are proposed at a time.
const VALUES: usize = 8;

/// How many classes of data are looked for; guards alone tell values apart where there are more.
const CLASSES: u64 = 500;

/// What a tester may send where inputs carry many values.
pub(super) struct Proposals<'m> {
    model: &'m Model,
    alphabet: Alphabet,
    /// The classes of the model's data, if they are few.
    classes: Option<Classes>,
    solver: Solver,
    /// The inputs with many values that were sent.
    sent: BTreeSet<String>,
}

impl<'m> Proposals<'m> {
    /// Proposals for a model; nothing if its inputs carry few values.
    pub fn new(model: &'m Model) -> Option<Self> {
        let alphabet = Alphabet::new(model);
        if !alphabet.is_needed() {
            return None;
        }
        let (mut solver, sent) = (Solver::new(), BTreeSet::new());
        let classes = classes(model, &[], &mut solver, &mut Budget::steps(CLASSES)).ok();
        Some(Self { model, alphabet, classes, solver, sent })
    }

    /// Inputs worth sending in one of these states.
    pub fn propose(&mut self, states: &[&DiscreteState], chance: &mut Chance) -> Vec<Action> {
        let mut all = Vec::new();
        let channels: Vec<ChannelId> = self.alphabet.inputs.keys().copied().collect();
        for state in states.iter().take(STATES) {
            for &channel in &channels {
                let classes = self.classes.as_ref();
                let (alphabet, solver) = (&self.alphabet, &mut self.solver);
                let found = candidates(self.model, alphabet, classes, state, channel, solver);
                // What cannot be reasoned about is left to chance.
                let mut values = found.unwrap_or_default();
                while values.len() > VALUES {
                    values.swap_remove(chance.position(values.len()));
                }
                let name = &self.model.channels[channel].name;
                for values in values {
                    let values = rational_values(self.model, channel, &values);
                    all.push(Action::new(name.clone(), &values));
                }
                all.push(Action::new(name.clone(), &self.by_chance(channel, chance)));
            }
        }
        all.sort();
        all.dedup();
        all
    }

    fn by_chance(&self, channel: ChannelId, chance: &mut Chance) -> Vec<Rational> {
        let value = |ty: &Type| {
            let (min, max) = ty.bounds().unwrap_or((-1000, 1000));
            Rational::from(chance.number(min..=max))
        };
        self.model.channels[channel].parameters.iter().map(value).collect()
    }

    /// An input was sent.
    pub fn sent(&mut self, action: &Action) {
        if !action.values.is_empty() {
            self.sent.insert(action.channel.clone());
        }
    }

    /// Whether an input was sent with some values.
    pub fn was_sent(&self, channel: &str) -> bool {
        self.sent.contains(channel)
    }
}
