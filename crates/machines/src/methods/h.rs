//! The H-method (DOR05): instead of identifiers that are fixed beforehand, separating words are chosen for
//! pairs of tests, those that cost least with what is there already.
//!
//! Tests reach every state and go on with all words of `k + 1` inputs, `k` being the number of extra
//! states. Three kinds of pairs have to be separated if they lead to different states: two words of the
//! state cover; one of these and one that goes on; and two that go on where one is the beginning of the
//! other.

use super::convergence::{At, Tests};
use crate::cover;
use crate::error::{Error, check};
use crate::machine::{Machine, Word};
use crate::separation::Separation;
use crate::suite::WordSuite;
use crate::trie::Trie;

pub(super) fn h(
    machine: &Machine,
    covers: &[Word],
    separation: &Separation<'_>,
    extra_states: usize,
    going: &dyn Fn() -> bool,
) -> Result<WordSuite, Error> {
    separation.complete()?;
    let mut tree = Trie::new(machine.input_count());
    let mut bases: Vec<&Word> = covers.iter().collect();
    bases.sort_by_key(|word| (word.len(), *word));
    for word in &bases {
        cover::extend(machine, &mut tree, word, extra_states + 1, going)?;
    }
    let mut tests = Tests::new(machine, separation, tree);
    let reached: Vec<At> = bases.iter().map(|word| tests.apply(word)).collect();
    for (position, one) in reached.iter().enumerate() {
        for other in &reached[..position] {
            tests.separate(one, other);
        }
    }
    for base in &reached {
        let starts = std::slice::from_ref(base);
        behind(machine, &mut tests, &reached, starts, extra_states + 1, going)?;
    }
    Ok(WordSuite::of_tree(machine.input_count(), tests.into_tree()))
}

/// Separates what is reached behind places by at most so many inputs from other places, and from what was
/// passed on the way from any of the places. Longer words come first, because what is applied behind them
/// is also behind what was passed.
pub(super) fn behind(
    machine: &Machine,
    tests: &mut Tests<'_>,
    others: &[At],
    starts: &[At],
    inputs: usize,
    going: &dyn Fn() -> bool,
) -> Result<(), Error> {
    // What each word leads to, with the position of the word before it.
    let mut places: Vec<(Vec<At>, usize, usize)> = vec![(starts.to_vec(), 0, 0)];
    let mut position = 0;
    while let Some((here, _, depth)) = places.get(position).cloned() {
        check(going)?;
        if depth < inputs {
            let state = tests.state(here[0].node);
            for input in machine.inputs().filter(|input| machine.step(state, *input).is_some()) {
                let next = |at: &At| {
                    let longer: Word = at.word.iter().copied().chain([input]).collect();
                    tests.apply(&longer)
                };
                let next = here.iter().map(next).collect();
                places.push((next, position, depth + 1));
            }
        }
        position += 1;
    }
    for (here, before, _) in places[1..].iter().rev() {
        check(going)?;
        for at in here {
            for other in others {
                tests.separate(at, other);
            }
            let mut before = *before;
            loop {
                for other in &places[before].0 {
                    tests.separate(at, other);
                }
                if before == 0 {
                    break;
                }
                before = places[before].1;
            }
        }
    }
    Ok(())
}
