//! Which inputs were sent, and which were not: a channel that was never used, or values of it that never
//! were.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use tioga_model::{Direction, Model, Type};
use tioga_testcase::{Action, TestCase};

use super::event::Event;

/// The inputs that were sent, with their values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SentInputs {
    /// For each channel, the values of each parameter.
    channels: BTreeMap<String, Vec<BTreeSet<String>>>,
}

/// An input that was not sent, or not with all values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NeverSent {
    /// The channel.
    pub input: String,
    /// The values of its parameters that were never sent; none if the input was never sent at all.
    pub values: Vec<NeverSentValues>,
}

/// Values of a parameter that were never sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct NeverSentValues {
    /// Which parameter, from 0.
    pub parameter: usize,
    /// The first of them.
    pub from: i64,
    /// The last of them.
    pub to: i64,
}

impl SentInputs {
    /// What was sent in some events.
    pub fn of(events: &[Event]) -> Self {
        let mut sent = Self::default();
        events.iter().for_each(|event| sent.add(event));
        sent
    }

    /// Takes note of an event. What came before the last beginning of a run was sent as well.
    pub fn add(&mut self, event: &Event) {
        let Event::Sent { action: Action { channel, values }, .. } = event else { return };
        if !self.channels.contains_key(channel) {
            self.channels.insert(channel.clone(), vec![BTreeSet::new(); values.len()]);
        }
        let Some(known) = self.channels.get_mut(channel) else { return };
        known.resize(known.len().max(values.len()), BTreeSet::new());
        for (known, value) in known.iter_mut().zip(values) {
            if !known.contains(value) {
                known.insert(value.clone());
            }
        }
    }

    /// Takes over what was sent elsewhere.
    pub fn unite(&mut self, other: &Self) {
        for (channel, values) in &other.channels {
            let known = self.channels.entry(channel.clone()).or_default();
            known.resize(known.len().max(values.len()), BTreeSet::new());
            for (known, values) in known.iter_mut().zip(values) {
                known.extend(values.iter().cloned());
            }
        }
    }

    /// What was never sent, in the order of the interface. Without the model only channels are known, and
    /// not their values.
    pub fn never_sent(&self, case: &TestCase, model: Option<&Model>) -> Vec<NeverSent> {
        let Some(model) = model else {
            let missing =
                case.inputs.iter().filter(|one| !self.channels.contains_key(&one.channel));
            let missing: BTreeSet<&String> = missing.map(|one| &one.channel).collect();
            let whole = |input: &String| NeverSent { input: input.clone(), values: Vec::new() };
            return missing.into_iter().map(whole).collect();
        };
        let inputs =
            model.channels.iter().filter(|channel| channel.direction == Some(Direction::Input));
        let mut all = Vec::new();
        for channel in inputs {
            let input = channel.name.clone();
            let Some(known) = self.channels.get(&input) else {
                all.push(NeverSent { input, values: Vec::new() });
                continue;
            };
            let parameters = channel.parameters.iter().zip(known).enumerate();
            let values: Vec<NeverSentValues> = parameters
                .flat_map(|(parameter, (kind, known))| gaps(parameter, kind, known))
                .collect();
            if !values.is_empty() {
                all.push(NeverSent { input, values });
            }
        }
        all
    }
}

/// The ranges of values that are not known.
fn gaps(parameter: usize, kind: &Type, known: &BTreeSet<String>) -> Vec<NeverSentValues> {
    let (min, max) = match kind {
        Type::Bool => (0, 1),
        Type::Int { min, max } => (*min, *max),
        Type::Scalar { size, .. } => (0, size.saturating_sub(1)),
        _ => return Vec::new(),
    };
    let number = |text: &String| match text.as_str() {
        "true" => Some(1),
        "false" => Some(0),
        text => text.parse::<i64>().ok(),
    };
    let known: BTreeSet<i64> = known.iter().filter_map(number).collect();
    let mut gaps = Vec::new();
    let mut next = Some(min);
    for value in known.into_iter().filter(|value| (min..=max).contains(value)) {
        if let Some(from) = next.filter(|from| *from < value) {
            gaps.push(NeverSentValues { parameter, from, to: value - 1 });
        }
        next = value.checked_add(1);
    }
    if let Some(from) = next.filter(|from| *from <= max) {
        gaps.push(NeverSentValues { parameter, from, to: max });
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_between_known_values_is_a_gap() {
        let known: BTreeSet<String> = ["0", "3", "4"].into_iter().map(str::to_owned).collect();
        let found = |kind: Type, known: &BTreeSet<String>| -> Vec<(i64, i64)> {
            gaps(0, &kind, known).into_iter().map(|gap| (gap.from, gap.to)).collect()
        };
        assert_eq!(found(Type::Int { min: 0, max: 9 }, &known), [(1, 2), (5, 9)]);
        assert_eq!(found(Type::Int { min: -2, max: 4 }, &known), [(-2, -1), (1, 2)]);
        assert_eq!(found(Type::Int { min: 3, max: 4 }, &known), []);
        assert_eq!(found(Type::Bool, &["true".to_owned()].into()), [(0, 0)]);
        assert_eq!(found(Type::Integer, &known), []);
    }
}
