//! For each state a set of words; every two sets share a word that separates their states.
//!
//! Such sets are made in two ways, and those that cost less are taken. Either pairs of states get words one
//! after the other. Or all states get a word that splits them well, and those that answer it alike get a
//! further one, as in a splitting tree (SOU15).

use std::collections::BTreeMap;

use indexmap::IndexSet;

use crate::cover;
use crate::error::Error;
use crate::machine::{Input, Machine, Output, StateIndex, Word};
use crate::rays::{Ray, Weighed, follow};
use crate::separation::Separation;
use crate::trie::Trie;

/// How many inputs words have at most beyond the longest shortest separating word.
const BEYOND: u32 = 2;

/// The sets, as trees.
///
/// # Errors
/// If two states cannot be told apart.
pub fn harmonised(machine: &Machine, separation: &Separation<'_>) -> Result<Vec<Trie>, Error> {
    separation.complete()?;
    let base = cover::mean_depth(machine);
    let weights = weights(machine);
    let cost = |sets: &Vec<Trie>| {
        let mut sum = 0;
        for (set, weight) in sets.iter().zip(&weights) {
            set.each(&mut |word| sum += (word.len() as u64 + base) * weight);
        }
        sum
    };
    let mut best = by_pairs(machine, separation);
    let mut least = cost(&best);
    for careful in [false, true] {
        if let Some(sets) = by_blocks(machine, separation, (&weights, base), careful)
            && cost(&sets) < least
        {
            (least, best) = (cost(&sets), sets);
        }
    }
    Ok(best)
}

/// How often each state has to be identified: once for each transition to it.
fn weights(machine: &Machine) -> Vec<u64> {
    let mut weights = vec![1; machine.state_count()];
    for (_, _, _, target) in machine.transitions() {
        weights[target as usize] += 1;
    }
    weights
}

/// Splits all states, then what is together, as long as something is. If that is to be done carefully,
/// words come first that lead no two states to the same one before they are told apart. Nothing if no word
/// that is possible in all states of a block splits it.
fn by_blocks(
    machine: &Machine,
    separation: &Separation<'_>,
    (weights, base): (&[u64], u64),
    careful: bool,
) -> Option<Vec<Trie>> {
    let mut sets = vec![Trie::new(machine.input_count()); machine.state_count()];
    let mut blocks: Vec<Vec<StateIndex>> = vec![machine.states().collect()];
    while let Some(block) = blocks.pop() {
        let [first, _, ..] = block[..] else { continue };
        let word = splitter(
            machine,
            separation,
            (&block, weights),
            (&sets[first as usize], base),
            careful,
        )?;
        let mut parts: BTreeMap<Vec<Output>, Vec<StateIndex>> = BTreeMap::new();
        for state in block {
            sets[state as usize].insert(0, &word);
            parts.entry(machine.answers(state, &word)?).or_default().push(state);
        }
        blocks.extend(parts.into_values());
    }
    Some(sets)
}

/// The word that separates most pairs of states of a block for what it costs behind the words that they
/// share already.
fn splitter(
    machine: &Machine,
    separation: &Separation<'_>,
    (block, weights): (&[StateIndex], &[u64]),
    (known, base): (&Trie, u64),
    careful: bool,
) -> Option<Word> {
    let mut starts: IndexSet<Word> = IndexSet::from([Word::new()]);
    starts.extend(known.words());
    let mut longest = 0;
    for (position, one) in block.iter().enumerate() {
        for other in &block[..position] {
            longest = longest.max(separation.length(*one, *other)?);
        }
    }
    let all: Vec<Weighed> = block.iter().map(|state| (weights[*state as usize], *state)).collect();
    let mut best: Option<(u64, u64, Word)> = None;
    let mut try_word = |gain: u64, word: &Word| {
        let price = (known.price(0, word) + base * u64::from(opens(known, word))).max(1);
        let better = best.as_ref().is_none_or(|(most, least, _)| gain * least > most * price);
        if gain > 0 && better {
            best = Some((gain, price, word.clone()));
        }
    };
    for start in starts {
        if let [one, other] = *block {
            // For two states, the shortest word behind each start is the best one.
            let (Some(left), Some(right)) =
                (machine.after(one, &start), machine.after(other, &start))
            else {
                continue;
            };
            if let Some(rest) = separation.word(left, right) {
                try_word(1, &start.iter().chain(&rest).copied().collect());
            }
            continue;
        }
        let begin =
            start.iter().try_fold(Ray::new(all.clone()), |ray, input| ray.longer(machine, *input));
        if let Some(begin) = begin {
            follow(machine, begin, longest + BEYOND, careful, &mut try_word);
        }
    }
    // Following the best words only may lead past all that do.
    if best.is_none() {
        let (one, other) = (block[0], block[1]);
        let word = separation.word(one, other)?;
        let possible = block.iter().all(|state| machine.after(*state, &word).is_some());
        best = possible.then_some((1, 1, word));
    }
    best.map(|(_, _, word)| word)
}

/// Whether a word begins a test of its own behind the words that are known.
fn opens(known: &Trie, word: &[Input]) -> bool {
    let mut at = 0;
    for input in word {
        match known.child(at, *input) {
            Some(child) => at = child,
            None => return at == 0 || !known.is_leaf(at),
        }
    }
    false
}

/// Pairs that need long words come first, because these do for others too.
fn by_pairs(machine: &Machine, separation: &Separation<'_>) -> Vec<Trie> {
    let mut sets = vec![Trie::new(machine.input_count()); machine.state_count()];
    let mut pairs: Vec<(StateIndex, StateIndex)> =
        machine.states().flat_map(|high| (0..high).map(move |low| (low, high))).collect();
    pairs.sort_by_key(|(one, other)| std::cmp::Reverse(separation.length(*one, *other)));
    for (one, other) in pairs {
        let (left, right) = (&sets[one as usize], &sets[other as usize]);
        if shared(machine, left, right, one, other) {
            continue;
        }
        let word = cheapest(machine, separation, (left, one), (right, other));
        sets[one as usize].insert(0, &word);
        sets[other as usize].insert(0, &word);
    }
    sets
}

/// Whether two sets share a word that separates two states.
fn shared(
    machine: &Machine,
    left: &Trie,
    right: &Trie,
    one: StateIndex,
    other: StateIndex,
) -> bool {
    let mut waiting = vec![(0, 0, one, other)];
    while let Some((l, r, one, other)) = waiting.pop() {
        for (input, next) in left.following(l) {
            let Some(beside) = right.child(r, input) else { continue };
            if let (Some(a), Some(b)) = (machine.step(one, input), machine.step(other, input)) {
                if a.1 != b.1 {
                    return true;
                }
                waiting.push((next, beside, a.0, b.0));
            }
        }
    }
    false
}

/// A word that separates two states and adds least to two sets, of the shortest ones and of those that
/// continue what both have.
fn cheapest(
    machine: &Machine,
    separation: &Separation<'_>,
    (left, one): (&Trie, StateIndex),
    (right, other): (&Trie, StateIndex),
) -> Word {
    let shortest = separation.word(one, other).unwrap_or_default();
    let mut best = (left.price(0, &shortest) + right.price(0, &shortest), shortest);
    let mut waiting = vec![(0, 0, one, other, Word::new())];
    while let Some((l, r, one, other, word)) = waiting.pop() {
        for input in machine.inputs() {
            let (Some(a), Some(b)) = (machine.step(one, input), machine.step(other, input)) else {
                continue;
            };
            let mut longer = word.clone();
            longer.push(input);
            let (next, beside) = (left.child(l, input), right.child(r, input));
            if a.1 == b.1 {
                if next.is_none() && beside.is_none() {
                    continue;
                }
                match (next, beside) {
                    (Some(next), Some(beside)) => {
                        waiting.push((next, beside, a.0, b.0, longer));
                        continue;
                    }
                    _ => match separation.word(a.0, b.0) {
                        Some(rest) => longer.extend(rest),
                        None => continue,
                    },
                }
            }
            let price = left.price(0, &longer) + right.price(0, &longer);
            if price < best.0 {
                best = (price, longer);
            }
        }
    }
    best.1
}
