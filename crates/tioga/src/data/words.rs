//! The meaning of representatives in words: states by the conditions on their data, inputs by their possible
//! values, outputs by their terms.

use tioga_concrete::label_of;
use tioga_model::{ChannelId, DiscreteState, Kind, Step, StepLabel};
use tioga_terms::{Formula, Names};

use super::DataView;
use crate::words::action;

impl DataView {
    /// A representative for people: locations, known values, and conditions on the others.
    pub fn state_text(&self, state: &DiscreteState) -> String {
        let mut parts = self.locations(state);
        parts.extend(self.data(state));
        parts.join(", ")
    }

    /// The locations of a state; with the names of processes, if there are several.
    fn locations(&self, state: &DiscreteState) -> Vec<String> {
        let processes = &self.plain().processes;
        let single = processes.len() == 1;
        let named = processes.iter().zip(&state.locations).map(|(process, at)| {
            let location = &process.locations[*at].name;
            if single { location.clone() } else { format!("{}.{location}", process.name) }
        });
        named.collect()
    }

    /// The conditions on the data in the class of a representative.
    pub fn data(&self, state: &DiscreteState) -> Vec<String> {
        let (model, classes) = (self.plain(), self.classes());
        let mut parts = Vec::new();
        for (position, (slot, value)) in model.slots.iter().zip(&state.data).enumerate() {
            let before = position.checked_sub(1).and_then(|before| model.slots.get(before));
            let below = before.is_some_and(|before| before.kind == Kind::Rational);
            if classes.alphabet.slots.contains_key(&position) || below {
                continue;
            }
            parts.push(match slot.kind {
                Kind::Bool => format!("{} = {}", slot.name, *value != 0),
                Kind::Int | Kind::Rational => format!("{} = {value}", slot.name),
            });
        }
        if let Some(formula) = classes.blocks.get(state).filter(|own| **own != Formula::True) {
            parts.push(Names(&classes.alphabet.symbols, formula).to_string());
        }
        parts
    }

    /// The move of a step from a representative: `set(v)?`, with the condition on its values if there is one, or
    /// `ack(last)!`.
    pub fn move_text(&self, state: &DiscreteState, step: &Step) -> (String, Option<String>) {
        let model = self.plain();
        let classes = self.classes();
        let symbols = &classes.alphabet.symbols;
        let plain = label_of(model, step);
        let key = (state.clone(), step.label, step.arguments.clone(), step.reply.clone());
        let Some(meaning) = classes.steps.get(&key).and_then(|all| all.first()) else {
            return (action(&plain), None);
        };
        let condition = (meaning.condition != Formula::True)
            .then(|| Names(symbols, &meaning.condition).to_string());
        let carried = |channel: ChannelId| -> Option<Vec<String>> {
            let names = classes.alphabet.inputs.get(&channel)?;
            Some(names.iter().map(|symbol| symbols[*symbol].name.clone()).collect())
        };
        let terms: Vec<String> =
            meaning.arguments.iter().map(|term| Names(symbols, term).to_string()).collect();
        let name = |channel: ChannelId| &model.channels[channel].name;
        let text = match step.label {
            StepLabel::Input(channel) => {
                carried(channel).map(|names| format!("{}?", call(name(channel), &names)))
            }
            StepLabel::Output(channel) => Some(format!("{}!", call(name(channel), &terms))),
            StepLabel::Exchange(channel, reply) => carried(channel).map(|names| {
                format!("{}?/{}!", call(name(channel), &names), call(name(reply), &terms))
            }),
            StepLabel::Internal(_) => None,
        };
        (text.unwrap_or_else(|| action(&plain)), condition)
    }
}

fn call(name: &str, values: &[String]) -> String {
    if values.is_empty() { name.to_owned() } else { format!("{name}({})", values.join(", ")) }
}
