//! Words that tell states apart: of pairs, of all states, of one state from all others.

use crate::error::Error;
use crate::machine::{Input, Machine, StateIndex, Word};
use crate::partition;
use crate::rays::{Ray, follow};
use crate::trie::Trie;

const NONE: u32 = u32::MAX;

/// How many inputs words have at most beyond the longest shortest separating word.
const BEYOND: u32 = 3;

/// The shortest separating word of each pair of states.
#[derive(Clone, Debug)]
pub struct Separation<'m> {
    machine: &'m Machine,
    /// Per pair, the length of its shortest separating word, and the first input of one.
    pairs: Vec<(u32, Input)>,
}

impl<'m> Separation<'m> {
    /// Finds them all. A word separates two states if it is possible from both and the answers differ.
    pub fn new(machine: &'m Machine) -> Self {
        let count = machine.state_count();
        let mut pairs = vec![(NONE, 0); count * count.saturating_sub(1) / 2];
        let mut open: Vec<(StateIndex, StateIndex)> = Vec::new();
        for high in machine.states() {
            for low in 0..high {
                let differs =
                    |input: &Input| match (machine.step(low, *input), machine.step(high, *input)) {
                        (Some((_, one)), Some((_, other))) => one != other,
                        _ => false,
                    };
                match machine.inputs().find(differs) {
                    Some(input) => pairs[position(low, high)] = (1, input),
                    None => open.push((low, high)),
                }
            }
        }
        let mut length = 1;
        loop {
            let mut found = Vec::new();
            open.retain(|&(low, high)| {
                let leads = |input: &Input| {
                    let (Some((one, _)), Some((other, _))) =
                        (machine.step(low, *input), machine.step(high, *input))
                    else {
                        return false;
                    };
                    one != other && pairs[position(one, other)].0 == length
                };
                let input = machine.inputs().find(leads);
                found.extend(input.map(|input| (position(low, high), input)));
                input.is_none()
            });
            if found.is_empty() {
                return Self { machine, pairs };
            }
            length += 1;
            for (pair, input) in found {
                pairs[pair] = (length, input);
            }
        }
    }

    /// How long the shortest separating word of two states is; nothing if there is none.
    pub fn length(&self, one: StateIndex, other: StateIndex) -> Option<u32> {
        if one == other {
            return None;
        }
        let length = self.pairs[position(one, other)].0;
        (length != NONE).then_some(length)
    }

    /// A shortest separating word of two states.
    pub fn word(&self, one: StateIndex, other: StateIndex) -> Option<Word> {
        let (mut one, mut other) = (one, other);
        let mut word = Word::new();
        for _ in 0..self.length(one, other)? {
            let input = self.pairs[position(one, other)].1;
            word.push(input);
            let (left, right) = (self.machine.step(one, input)?, self.machine.step(other, input)?);
            (one, other) = (left.0, right.0);
            if one == other {
                break;
            }
        }
        Some(word)
    }

    /// Whether all states can be told apart.
    ///
    /// # Errors
    /// If some cannot: these.
    pub fn complete(&self) -> Result<(), Error> {
        let same = |state: StateIndex| {
            self.machine.states().any(|other| other != state && self.length(state, other).is_none())
        };
        let same: Vec<String> = self
            .machine
            .states()
            .filter(|state| same(*state))
            .map(|state| self.machine.state_name(state).to_owned())
            .collect();
        if same.is_empty() { Ok(()) } else { Err(Error::Equivalent(same)) }
    }
}

fn position(one: StateIndex, other: StateIndex) -> usize {
    let (low, high) = (one.min(other) as usize, one.max(other) as usize);
    high * (high - 1) / 2 + low
}

/// Whether a set of words tells all states apart that any word does (BON09, Def 21).
///
/// # Errors
/// Two states that it does not tell apart.
pub fn characterises(machine: &Machine, words: &[Word]) -> Result<(), (StateIndex, StateIndex)> {
    let separation = Separation::new(machine);
    let classes = partition::by_words(machine, words);
    for high in machine.states() {
        for low in 0..high {
            let same = classes[low as usize] == classes[high as usize];
            if same && separation.length(low, high).is_some() {
                return Err((low, high));
            }
        }
    }
    Ok(())
}

/// A small set of words that tells all states apart: of the shortest separating words of pairs and of longer
/// ones that separate many, in each round the one that separates most pairs for its cost; then those are
/// left out that are not needed.
///
/// # Errors
/// If the machine is partial, or two states are equivalent.
pub fn characterisation_set(machine: &Machine) -> Result<Vec<Word>, Error> {
    partition::complete(machine, "a characterisation set")?;
    let separation = Separation::new(machine);
    separation.complete()?;
    if machine.state_count() == 1 {
        return Ok(vec![Word::new()]);
    }
    let mut candidates: indexmap::IndexSet<Word> = indexmap::IndexSet::new();
    for high in machine.states() {
        candidates.extend((0..high).filter_map(|low| separation.word(low, high)));
    }
    // Longer words may do for more pairs.
    let all = machine.states().map(|state| (1, state)).collect();
    let longest = candidates.iter().map(Vec::len).max().unwrap_or(0);
    let most = u32::try_from(longest).unwrap_or(u32::MAX).saturating_add(BEYOND);
    follow(machine, Ray::new(all), most, false, &mut |_, word| {
        candidates.insert(word.clone());
    });
    let candidates: Vec<(Word, Vec<u32>)> = candidates
        .into_iter()
        .map(|word| {
            let classes = partition::by_words(machine, std::slice::from_ref(&word));
            (word, classes)
        })
        .collect();
    // What a word costs besides its inputs depends on where it is applied; several guesses are tried.
    let sets = [0, 2, 5, 10, 30].map(|besides| chosen(machine, &candidates, besides));
    let depth = crate::cover::mean_depth(machine);
    let cost = |words: &Vec<Word>| words.iter().map(|word| word.len() as u64 + depth).sum::<u64>();
    Ok(sets.into_iter().min_by_key(cost).unwrap_or_default())
}

/// Words with the classes they make, chosen so that all states are told apart, if a word costs so many
/// inputs besides its own.
fn chosen(machine: &Machine, candidates: &[(Word, Vec<u32>)], besides: u64) -> Vec<Word> {
    let mut chosen: Vec<usize> = Vec::new();
    let mut classes = vec![0; machine.state_count()];
    while partition::count(&classes) < machine.state_count() {
        let together = pairs(&classes);
        let gain = |own: &[u32]| together - pairs(&join(&classes, own));
        let best = candidates.iter().enumerate().max_by(|(i, (one, left)), (j, (other, right))| {
            let (gain_one, gain_other) = (gain(left), gain(right));
            let (price_one, price_other) =
                (one.len() as u64 + besides, other.len() as u64 + besides);
            (gain_one * price_other).cmp(&(gain_other * price_one)).then(j.cmp(i))
        });
        let Some((position, (_, own))) = best else { break };
        classes = join(&classes, own);
        chosen.push(position);
    }
    // The longest that is not needed goes first.
    chosen.sort_by_key(|position| std::cmp::Reverse(candidates[*position].0.len()));
    let mut position = 0;
    while position < chosen.len() {
        let rest = chosen.iter().enumerate().filter(|(at, _)| *at != position);
        let without = rest.fold(vec![0; machine.state_count()], |classes, (_, one)| {
            join(&classes, &candidates[*one].1)
        });
        if partition::count(&without) == machine.state_count() {
            chosen.remove(position);
        } else {
            position += 1;
        }
    }
    let words: Vec<Word> = chosen.into_iter().map(|one| candidates[one].0.clone()).collect();
    crate::trie::prefix_free(machine.input_count(), &words)
}

/// The classes of states that are together in both.
fn join(one: &[u32], other: &[u32]) -> Vec<u32> {
    let mut known: indexmap::IndexSet<(u32, u32)> = indexmap::IndexSet::new();
    let numbers = one.iter().zip(other).map(|(one, other)| known.insert_full((*one, *other)).0);
    numbers.map(|number| u32::try_from(number).expect("no more classes than states")).collect()
}

/// How many pairs are in one class.
fn pairs(classes: &[u32]) -> u64 {
    let mut sizes = vec![0u64; partition::count(classes)];
    for class in classes {
        sizes[*class as usize] += 1;
    }
    sizes.iter().map(|size| size * (size - 1) / 2).sum()
}

/// For each state, words of a characterisation set, or beginnings of these, that tell it from all others.
pub fn identifiers(machine: &Machine, words: &[Word]) -> Vec<Vec<Word>> {
    let of = |state: StateIndex| {
        let mut tree = Trie::new(machine.input_count());
        let mut others: Vec<StateIndex> =
            machine.states().filter(|other| *other != state).collect();
        let mut chosen: Vec<Word> = Vec::new();
        // The length after which a word tells two states apart.
        let tells = |word: &Word, other: StateIndex| {
            let (one, two) = (machine.answers(state, word)?, machine.answers(other, word)?);
            one.iter().zip(&two).position(|(one, two)| one != two).map(|at| at + 1)
        };
        while !others.is_empty() {
            let best = words.iter().filter_map(|word| {
                let cuts: Vec<usize> =
                    others.iter().filter_map(|other| tells(word, *other)).collect();
                // A beginning of the word may do for nearly as many.
                let mut options: Vec<usize> = cuts.clone();
                options.sort_unstable();
                options.dedup();
                options
                    .into_iter()
                    .map(|cut| {
                        let gain = cuts.iter().filter(|own| **own <= cut).count() as u64;
                        (gain, tree.price(0, &word[..cut]).max(1), word[..cut].to_vec())
                    })
                    .max_by(|one, two| (one.0 * two.1).cmp(&(two.0 * one.1)))
            });
            let best = best.max_by(|one, two| {
                (one.0 * two.1).cmp(&(two.0 * one.1)).then(std::cmp::Ordering::Greater)
            });
            let Some((_, _, word)) = best else { break };
            others.retain(|other| tells(&word, *other).is_none());
            tree.insert(0, &word);
            chosen.push(word);
        }
        // What later words make superfluous is left out.
        let mut position = 0;
        while position < chosen.len() {
            let needed = machine.states().filter(|other| *other != state).any(|other| {
                let mut rest = chosen.iter().enumerate().filter(|(at, _)| *at != position);
                !rest.any(|(_, word)| tells(word, other).is_some())
            });
            if needed {
                position += 1;
            } else {
                chosen.remove(position);
            }
        }
        if chosen.is_empty() {
            chosen.push(Word::new());
        }
        crate::trie::prefix_free(machine.input_count(), &chosen)
    };
    machine
        .states()
        .map(of)
        .map(|words| if words.is_empty() { vec![Word::new()] } else { words })
        .collect()
}
