//! The H-method (DOR05): instead of identifiers that are fixed beforehand, separating words are chosen for
//! pairs of tests, those that cost least with what is there already.
//!
//! Tests reach every state and go on with all words of `k + 1` inputs, `k` being the number of extra
//! states. Three kinds of pairs have to be separated if they lead to different states: two words of the
//! state cover; one of these and one that goes on; and two that go on where one is the beginning of the
//! other.

use super::convergence::{At, Tests};
use crate::cover;
use crate::error::Error;
use crate::machine::{Machine, Word};
use crate::separation::Separation;
use crate::suite::Suite;
use crate::trie::Trie;

pub(super) fn h(
    machine: &Machine,
    covers: &[Word],
    separation: &Separation<'_>,
    extra_states: usize,
) -> Result<Suite, Error> {
    separation.complete()?;
    let mut tree = Trie::new(machine.input_count());
    let mut bases: Vec<&Word> = covers.iter().collect();
    bases.sort_by_key(|word| (word.len(), *word));
    for word in &bases {
        cover::extend(machine, &mut tree, word, extra_states + 1);
    }
    let mut tests = Tests::new(machine, separation, tree);
    let reached: Vec<At> = bases.iter().map(|word| tests.apply(word)).collect();
    for (position, one) in reached.iter().enumerate() {
        for other in &reached[..position] {
            tests.separate(one, other);
        }
    }
    for base in &reached {
        behind(machine, &mut tests, &reached, base, extra_states + 1);
    }
    Ok(Suite::of_tree(machine.input_count(), tests.into_tree()))
}

/// Separates what is reached behind a place by at most so many inputs from other places, and from what was
/// passed on the way; shorter words first.
pub(super) fn behind(
    machine: &Machine,
    tests: &mut Tests<'_>,
    others: &[At],
    start: &At,
    inputs: usize,
) {
    // Each place with the position of the one before it.
    let mut places: Vec<(At, usize, usize)> = vec![(start.clone(), 0, 0)];
    let mut position = 0;
    while position < places.len() {
        let (here, _, depth) = &places[position];
        if *depth < inputs {
            let (word, state, depth) = (here.word.clone(), tests.state(here.node), *depth + 1);
            for input in machine.inputs().filter(|input| machine.step(state, *input).is_some()) {
                let longer: Word = word.iter().copied().chain([input]).collect();
                places.push((tests.apply(&longer), position, depth));
            }
        }
        if position > 0 {
            let (here, before, _) = &places[position];
            let mut before = *before;
            for other in others {
                tests.separate(here, other);
            }
            loop {
                tests.separate(here, &places[before].0);
                if before == 0 {
                    break;
                }
                before = places[before].1;
            }
        }
        position += 1;
    }
}
