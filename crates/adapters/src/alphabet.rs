//! The interface of a system: the names of its inputs and outputs, and what outputs carry.

use std::collections::BTreeMap;

use tioga_base::Rational;
use tioga_model::{Direction, Model, Type};
use tioga_testcase::{Action, Side, TestCase};

/// The names of what goes in and out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alphabet {
    /// The channels the tester sends on, sorted.
    pub inputs: Vec<String>,
    /// The channels the system answers on, sorted.
    pub outputs: Vec<String>,
    /// What outputs carry, for the channels of which that is known.
    pub carried: BTreeMap<String, Carried>,
    /// Whether a system may declare other outputs as well, which are not listened to.
    pub any_output: bool,
}

/// The values that every output of a channel carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carried {
    /// How many there are.
    pub count: usize,
    /// Whether all of them are whole numbers.
    pub whole: bool,
}

impl Carried {
    /// Why these values are none that the channel can carry, if they are not.
    pub(crate) fn refuses(self, action: &Action) -> Option<String> {
        let Self { count, whole } = self;
        let (channel, found) = (&action.channel, action.values.len());
        if found != count {
            let plural = if count == 1 { "" } else { "s" };
            return Some(format!("the output `{channel}` has {count} value{plural}, not {found}"));
        }
        let broken = action.values.iter().find(|value| whole && !is_whole(value))?;
        Some(format!(
            "the values of the output `{channel}` are whole numbers, which {broken} is not"
        ))
    }
}

fn is_whole(value: &str) -> bool {
    value.parse::<Rational>().is_ok_and(|value| value.to_integer().is_some())
}

impl Alphabet {
    /// The alphabet of these test cases together. Of a channel on which they expect different numbers
    /// of values, it is not known what it carries.
    pub fn of<'c>(cases: impl IntoIterator<Item = &'c TestCase>) -> Self {
        let cases: Vec<&TestCase> = cases.into_iter().collect();
        let mut alphabet = Self::default();
        let mut outputs = Vec::new();
        for case in &cases {
            outputs.extend(&case.outputs);
            let sent = case.inputs.iter().filter(|input| !case.is_own_move(input));
            alphabet.inputs.extend(sent.map(|action| action.channel.clone()));
            alphabet.outputs.extend(case.outputs.iter().map(|action| action.channel.clone()));
        }
        for names in [&mut alphabet.inputs, &mut alphabet.outputs] {
            names.sort();
            names.dedup();
        }
        alphabet.carried = carried(&outputs);
        for case in cases.iter().filter_map(|case| case.symbolic.as_ref()) {
            // Here the outputs of a test case are no examples.
            for message in case.messages.iter().filter(|message| message.by == Side::System) {
                let symbols =
                    message.carries.iter().filter_map(|id| case.symbols.get(*id as usize));
                let whole = symbols.clone().all(|symbol| !symbol.rational);
                let count = message.carries.len();
                alphabet.carried.insert(message.name.clone(), Carried { count, whole });
            }
        }
        alphabet
    }

    /// The alphabet of a model.
    pub fn of_model(model: &Model) -> Self {
        let names = |direction: Direction| {
            let own = model.channels.iter().filter(|channel| channel.direction == Some(direction));
            let mut names: Vec<String> = own.map(|channel| channel.name.clone()).collect();
            names.sort();
            names
        };
        let (inputs, outputs) = (names(Direction::Input), names(Direction::Output));
        Self { inputs, outputs, carried: Self::carried_in(model), any_output: false }
    }

    /// What the outputs of a model carry.
    pub fn carried_in(model: &Model) -> BTreeMap<String, Carried> {
        let own = model.channels.iter().filter(|one| one.direction == Some(Direction::Output));
        own.map(|channel| {
            let (count, parameters) = (channel.parameters.len(), &channel.parameters);
            let whole = !parameters.iter().any(|one| matches!(one, Type::Rational));
            (channel.name.clone(), Carried { count, whole })
        })
        .collect()
    }
}

/// What outputs carry by these examples, as far as they agree.
fn carried(outputs: &[&Action]) -> BTreeMap<String, Carried> {
    let mut known: BTreeMap<String, Option<Carried>> = BTreeMap::new();
    for Action { channel, values } in outputs {
        let whole = values.iter().all(|value| is_whole(value));
        let count = values.len();
        let entry = known.entry(channel.clone()).or_insert(Some(Carried { count, whole }));
        *entry = entry.filter(|carried| carried.count == count);
        if let Some(carried) = entry {
            carried.whole &= whole;
        }
    }
    known.into_iter().filter_map(|(channel, carried)| Some((channel, carried?))).collect()
}
