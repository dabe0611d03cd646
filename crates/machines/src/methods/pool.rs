//! Words that tell one state from many others at once, for each state a few.

use indexmap::IndexSet;

use crate::machine::{Input, Machine, StateIndex, Word};
use crate::separation::Separation;

/// How many words of each length are followed.
const WIDTH: usize = 12;
/// How many inputs words have at most beyond the longest shortest separating word.
const BEYOND: u32 = 3;
/// How many of the longer words are kept for a state.
const KEPT: usize = 24;

/// A set of states.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct States(Vec<u64>);

impl States {
    pub fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub fn insert(&mut self, state: StateIndex) {
        self.0[state as usize / 64] |= 1 << (state % 64);
    }

    pub fn contains(&self, state: StateIndex) -> bool {
        self.0[state as usize / 64] & (1 << (state % 64)) != 0
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|block| *block == 0)
    }

    pub fn common(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(one, other)| (one & other).count_ones()).sum()
    }

    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, other)| one & !other).collect())
    }
}

/// A word with what it tells a state from.
#[derive(Clone, Debug)]
pub(super) struct Teller {
    pub word: Word,
    /// The states it is told from.
    pub told: States,
    /// After how many inputs each state is told apart; zero if it is not.
    pub after: Vec<u32>,
}

/// What a word tells a state from.
pub(super) fn teller(machine: &Machine, state: StateIndex, word: Word) -> Teller {
    let mut told = States::none(machine.state_count());
    let mut after = vec![0; machine.state_count()];
    for other in machine.states() {
        let (mut one, mut two) = (state, other);
        for (position, input) in (1..).zip(&word) {
            let (Some(left), Some(right)) = (machine.step(one, *input), machine.step(two, *input))
            else {
                break;
            };
            if left.1 != right.1 {
                told.insert(other);
                after[other as usize] = position;
                break;
            }
            (one, two) = (left.0, right.0);
        }
    }
    Teller { word, told, after }
}

/// For each state, words of which at least one tells it from each other state.
pub(super) fn pool(machine: &Machine, separation: &Separation<'_>) -> Vec<Vec<Teller>> {
    machine.states().map(|state| tellers(machine, separation, state)).collect()
}

fn tellers(machine: &Machine, separation: &Separation<'_>, state: StateIndex) -> Vec<Teller> {
    let others = machine.states().filter(|other| *other != state);
    let mut words: IndexSet<Word> =
        others.clone().filter_map(|other| separation.word(state, other)).collect();
    let longest = words.iter().map(Vec::len).max().unwrap_or(0);
    words.extend(beam(machine, state, longest + BEYOND as usize));
    words.sort_unstable();
    // A word that is the beginning of the next one does nothing that this one does not.
    let mut kept: Vec<Word> = Vec::new();
    for word in words {
        if kept.last().is_some_and(|last| word.starts_with(last)) {
            kept.pop();
        }
        kept.push(word);
    }
    kept.into_iter().map(|word| teller(machine, state, word)).collect()
}

/// A word on the way, where it leads, and where it leads from the states that answered alike.
struct Ray {
    word: Word,
    now: StateIndex,
    alike: Vec<StateIndex>,
    told: usize,
}

/// Words that tell a state from most others, found by following the best ones of each length.
fn beam(machine: &Machine, state: StateIndex, most: usize) -> Vec<Word> {
    let others = machine.states().filter(|other| *other != state).collect();
    let mut level = vec![Ray { word: Word::new(), now: state, alike: others, told: 0 }];
    let mut found: Vec<(usize, Word)> = Vec::new();
    for _ in 0..most {
        let mut next: Vec<Ray> = Vec::new();
        for ray in &level {
            next.extend(machine.inputs().filter_map(|input| longer(machine, ray, input)));
        }
        // Those come first that tell most states apart, then those that may still do so.
        next.sort_by_key(|ray| {
            (std::cmp::Reverse(ray.told), std::cmp::Reverse(ray.alike.len()), ray.word.clone())
        });
        next.truncate(WIDTH);
        found.extend(next.iter().map(|ray| (ray.told, ray.word.clone())));
        next.retain(|ray| !ray.alike.is_empty());
        level = next;
    }
    found.sort_by_key(|(told, word)| (std::cmp::Reverse(*told), word.len(), word.clone()));
    let mut kept: Vec<Word> = Vec::new();
    for (_, word) in found {
        if kept.len() == KEPT {
            break;
        }
        if !kept.iter().any(|other| word.starts_with(other)) {
            kept.push(word);
        }
    }
    kept
}

fn longer(machine: &Machine, ray: &Ray, input: Input) -> Option<Ray> {
    let (now, answer) = machine.step(ray.now, input)?;
    let mut told = ray.told;
    let mut alike = Vec::new();
    for other in &ray.alike {
        let Some((target, output)) = machine.step(*other, input) else { continue };
        if output != answer {
            told += 1;
        } else if target != now {
            alike.push(target);
        }
    }
    let mut word = ray.word.clone();
    word.push(input);
    Some(Ray { word, now, alike, told })
}
