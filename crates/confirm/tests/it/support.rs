//! Configurations in words, and searches without limits.

use tioga_base::{Budget, Id, Rational};
use tioga_concrete::{Semantics, State};
use tioga_confirm::{Machine, Pair, Pairs, Rule, Run, Second, Separation, separate};
use tioga_model::{ChannelId, LocationId, Model, ProcessId};

/// A budget that is never used up here.
pub fn plenty() -> Budget {
    Budget::steps(u64::MAX)
}

pub fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

/// A configuration: a location, clock values in order, and data in order.
pub fn at(model: &Model, location: &str, clocks: &[&str], data: &[i64]) -> State {
    let mut state = Semantics::new(model).initial().unwrap();
    let process = &model.processes[ProcessId(0)];
    let found = process.locations.iter().position(|one| one.name == location).unwrap();
    state.discrete.locations[0] = LocationId::from_index(found);
    state.discrete.data = data.into();
    state.clocks = clocks.iter().map(|text| rational(text)).collect();
    state
}

/// The channel of this name.
pub fn channel(model: &Model, name: &str) -> ChannelId {
    ChannelId::from_index(model.channels.iter().position(|one| one.name == name).unwrap())
}

/// The separation of two configurations.
pub fn separation(model: &Model, rule: Rule, first: &State, second: &State) -> Separation {
    let machine = Machine::of(model).unwrap();
    separate(machine, rule, first, second, &mut plenty()).unwrap()
}

/// The sequence that tells two configurations apart.
pub fn sequence(model: &Model, rule: Rule, first: &State, second: &State) -> Run {
    match separation(model, rule, first, second) {
        Separation::By(sequence) => *sequence,
        other => panic!("{other:?}"),
    }
}

/// A sequence in words: `1 a / c b(2) / e(3)`; delays of 0 are left out.
pub fn shown(model: &Model, sequence: &Run) -> String {
    let mut words = Vec::new();
    for one in &sequence.exchanges {
        if !one.delay.is_zero() {
            words.push(one.delay.to_string());
        }
        let action = |channel: ChannelId, values: &[Rational]| {
            let name = &model.channels[channel].name;
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            if values.is_empty() { name.clone() } else { format!("{name}({})", values.join(", ")) }
        };
        words.push(format!(
            "{} / {}",
            action(one.input, &one.values),
            action(one.output, &one.reply)
        ));
    }
    words.join(" ")
}

/// Where a word of delays and plain inputs leads in the product: all pairs, in order.
pub fn follow(model: &Model, rule: Rule, first: &State, second: &State, word: &str) -> Vec<Pair> {
    let mut pairs = Pairs::new(Machine::of(model).unwrap(), rule);
    let mut now = vec![Pair { first: first.clone(), second: Second::At(second.clone()) }];
    for symbol in word.split_whitespace() {
        let mut next = Vec::new();
        for pair in &now {
            match symbol.parse::<Rational>() {
                Ok(delay) => next.extend(pairs.delay(pair, delay).unwrap()),
                Err(_) => {
                    let input = channel(model, symbol);
                    let ways = pairs.input(pair, input, &[]).unwrap();
                    next.extend(ways.into_iter().map(|(_, pair)| pair));
                }
            }
        }
        now = next;
    }
    now
}
