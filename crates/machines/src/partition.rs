//! Which states no word of a set, of a length, or at all, tells apart (BON09, chapter 2).

use std::collections::HashMap;

use crate::error::Error;
use crate::machine::{Input, Machine, StateIndex};

/// The class of each state, numbered as they first occur.
pub type Classes = Vec<u32>;

/// How many classes there are.
pub fn count(classes: &[u32]) -> usize {
    classes.iter().max().map_or(0, |greatest| *greatest as usize + 1)
}

/// Numbers keys as they first occur.
fn numbered<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> Classes {
    let mut known: HashMap<K, u32> = HashMap::new();
    keys.map(|key| {
        let next = u32::try_from(known.len()).expect("no more classes than states");
        *known.entry(key).or_insert(next)
    })
    .collect()
}

/// The classes of states that give the same answers to each of these words. Where a word is not
/// possible, that is an answer, too.
pub fn by_words(machine: &Machine, words: &[Vec<Input>]) -> Classes {
    numbered(
        machine
            .states()
            .map(|state| words.iter().map(|word| machine.answers(state, word)).collect::<Vec<_>>()),
    )
}

/// For k = 0, 1, … the classes of states that no word of length k tells apart, until they stay the
/// same. The last are the classes of equivalent states.
///
/// Pre: the machine is complete.
pub fn refinements(machine: &Machine) -> Vec<Classes> {
    let mut all = vec![vec![0; machine.state_count()]];
    loop {
        let last = &all[all.len() - 1];
        let next = numbered(machine.states().map(|state| {
            let row = machine.inputs().map(|input| {
                machine.step(state, input).map(|(target, output)| (output, last[target as usize]))
            });
            (last[state as usize], row.collect::<Vec<_>>())
        }));
        if count(&next) == count(last) {
            return all;
        }
        all.push(next);
    }
}

/// The classes of equivalent states.
///
/// Pre: the machine is complete.
pub fn equivalence(machine: &Machine) -> Classes {
    refinements(machine).pop().unwrap_or_default()
}

/// The minimal machine: equivalent states are one, and states that cannot be reached are left out.
///
/// # Errors
/// If the machine is partial: such a machine has several minimal ones.
pub fn minimal(machine: &Machine) -> Result<Machine, Error> {
    complete(machine, "minimisation")?;
    Ok(machine.quotient(&equivalence(machine)))
}

/// Whether a machine is complete.
///
/// # Errors
/// If it is not.
pub fn complete(machine: &Machine, method: &str) -> Result<(), Error> {
    let Some((state, input)) = machine.gap() else { return Ok(()) };
    Err(Error::Partial {
        state: machine.state_name(state).to_owned(),
        input: machine.input_name(input).to_owned(),
        method: method.to_owned(),
    })
}

/// The shortest word, the first of these, that two machines answer differently. Inputs and outputs
/// are the same if their names are. Nothing if there is none: the machines are equivalent.
///
/// Pre: both have the same inputs; where one has no transition, the other need not have one.
pub fn difference(one: &Machine, other: &Machine) -> Option<Vec<Input>> {
    let inputs: Vec<Option<Input>> =
        one.inputs().map(|input| other.input(one.input_name(input))).collect();
    let mut seen: HashMap<(StateIndex, StateIndex), (StateIndex, StateIndex, Input)> =
        HashMap::new();
    let start = (one.initial(), other.initial());
    let mut level = vec![start];
    seen.insert(start, (start.0, start.1, 0));
    while !level.is_empty() {
        let mut next = Vec::new();
        for &(here, there) in &level {
            for input in one.inputs() {
                let (Some(step), Some(fits)) =
                    (one.step(here, input), inputs[input as usize].map(|i| other.step(there, i)))
                else {
                    continue;
                };
                let pair = match fits {
                    Some((target, output))
                        if other.output_name(output) == one.output_name(step.1) =>
                    {
                        (step.0, target)
                    }
                    _ => {
                        let mut word = vec![input];
                        let mut at = (here, there);
                        while at != start {
                            let (before, beside, by) = seen[&at];
                            word.push(by);
                            at = (before, beside);
                        }
                        word.reverse();
                        return Some(word);
                    }
                };
                if let std::collections::hash_map::Entry::Vacant(entry) = seen.entry(pair) {
                    entry.insert((here, there, input));
                    next.push(pair);
                }
            }
        }
        level = next;
    }
    None
}
