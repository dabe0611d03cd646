//! Words that split a set of states, found by following the best ones of each length.

use crate::machine::{Input, Machine, Output, StateIndex, Word};

/// How many words of each length are followed.
const WIDTH: usize = 16;

/// A state with how much it counts.
pub(crate) type Weighed = (u64, StateIndex);

/// A word with where it leads from the states of a set that it does not tell from all others yet, those
/// together that answer it alike.
pub(crate) struct Ray {
    word: Word,
    parts: Vec<Vec<Weighed>>,
    /// How many pairs there were.
    pairs: u64,
    /// How many of them no longer word tells apart.
    lost: u64,
}

impl Ray {
    /// The empty word.
    pub fn new(states: Vec<Weighed>) -> Self {
        let pairs = pairs(&states);
        Self { word: Word::new(), parts: vec![states], pairs, lost: 0 }
    }

    /// The word with one more input; nothing if a state does not take it that is not told from all others.
    pub fn longer(&self, machine: &Machine, input: Input) -> Option<Self> {
        let (mut parts, mut lost) = (Vec::new(), self.lost);
        for part in &self.parts {
            let mut by_answer: Vec<(Output, Vec<Weighed>)> = Vec::new();
            for (weight, state) in part {
                let (target, output) = machine.step(*state, input)?;
                match by_answer.iter_mut().find(|(known, _)| *known == output) {
                    Some((_, states)) => states.push((*weight, target)),
                    None => by_answer.push((output, vec![(*weight, target)])),
                }
            }
            for (_, states) in by_answer {
                if states.iter().all(|(_, state)| *state == states[0].1) {
                    lost += pairs(&states);
                } else {
                    parts.push(states);
                }
            }
        }
        let mut word = self.word.clone();
        word.push(input);
        Some(Self { word, parts, pairs: self.pairs, lost })
    }

    /// How many pairs of states are not together.
    fn separated(&self) -> u64 {
        self.pairs - self.lost - self.parts.iter().map(|part| pairs(part)).sum::<u64>()
    }

    /// Whether two states are the same now that were not told apart.
    fn merges(&self) -> bool {
        self.lost > 0
            || self.parts.iter().any(|part| {
                let mut states: Vec<StateIndex> = part.iter().map(|(_, state)| *state).collect();
                states.sort_unstable();
                states.windows(2).any(|pair| pair[0] == pair[1])
            })
    }
}

/// How many pairs there are, each counted for both of its states as much as they count.
fn pairs(states: &[Weighed]) -> u64 {
    (states.len() as u64).saturating_sub(1) * states.iter().map(|(weight, _)| weight).sum::<u64>()
}

/// Words of at most so many inputs more, with how many pairs they separate: of each length those that
/// separate most. If that is to be done carefully, only words are followed that lead no two states to the
/// same one before they are told apart, where there are such words.
pub(crate) fn follow(
    machine: &Machine,
    begin: Ray,
    inputs: u32,
    careful: bool,
    found: &mut dyn FnMut(u64, &Word),
) {
    let mut level = vec![begin];
    for _ in 0..inputs {
        let mut next: Vec<(u64, Ray)> = Vec::new();
        for ray in &level {
            let rays = machine.inputs().filter_map(|input| ray.longer(machine, input));
            next.extend(rays.map(|ray| (ray.separated(), ray)));
        }
        if careful && next.iter().any(|(_, ray)| !ray.merges()) {
            next.retain(|(_, ray)| !ray.merges());
        }
        next.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.word.cmp(&other.1.word)));
        // Words that separate nothing yet may be the only ones that do later.
        next.truncate(WIDTH);
        for (gain, ray) in &next {
            found(*gain, &ray.word);
        }
        level = next.into_iter().map(|(_, ray)| ray).filter(|ray| !ray.parts.is_empty()).collect();
    }
}
