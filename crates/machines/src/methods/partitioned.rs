//! Methods that put sets of words behind a cover: G and W (BON09, CHO78), Wp (FUJ91) and HSI (PYL93).

use crate::cover;
use crate::error::Error;
use crate::machine::{Machine, Word};
use crate::separation::{Separation, harmonised, identifiers};
use crate::suite::Suite;
use crate::trie::Trie;

/// The transition cover, then at most `depth` inputs, then the words.
pub(super) fn g(machine: &Machine, words: &[Word], depth: usize) -> Result<Suite, Error> {
    let cover = tree(machine, &cover::transitions(machine)?);
    let tail = tree(machine, &cover::stratified(machine, words, depth));
    let tail_of = vec![Some(0); cover.len()];
    Ok(Suite::of_product(machine.input_count(), cover, vec![tail], tail_of))
}

/// The state cover, then at most `depth` inputs, then the characterisation set; and behind the
/// transitions that are not in the state cover, then exactly `depth` inputs, the identifiers of the states
/// reached.
pub(super) fn wp(
    machine: &Machine,
    covers: &[Word],
    words: &[Word],
    depth: usize,
) -> Result<Suite, Error> {
    let mut cover = tree(machine, &cover::transitions(machine)?);
    let mut first = Trie::new(machine.input_count());
    for word in covers {
        cover::extend(machine, &mut first, word, depth);
        cover::extend(machine, &mut cover, word, depth + 1);
    }
    let states = cover.states(machine, machine.initial());
    let mut tails: Vec<Trie> =
        identifiers(machine, words).iter().map(|words| tree(machine, words)).collect();
    let all = u32::try_from(tails.len()).expect("fewer than 2^32 states");
    tails.push(tree(machine, words));
    let mut tail_of: Vec<Option<u32>> = states;
    // The nodes of the first phase are checked with all words.
    let mut waiting: Vec<(u32, u32)> = vec![(0, 0)];
    while let Some((node, here)) = waiting.pop() {
        tail_of[here as usize] = Some(all);
        for (input, child) in first.following(node) {
            let beside = cover.child(here, input).expect("the second phase goes further");
            waiting.push((child, beside));
        }
    }
    Ok(Suite::of_product(machine.input_count(), cover, tails, tail_of))
}

/// The transition cover, then at most `depth` inputs, then the identifiers of the states reached.
pub(super) fn hsi(
    machine: &Machine,
    separation: &Separation<'_>,
    depth: usize,
) -> Result<Suite, Error> {
    let tails = harmonised(machine, separation)?;
    let mut cover = Trie::new(machine.input_count());
    for word in cover::transitions(machine)? {
        cover::extend(machine, &mut cover, &word, depth);
    }
    let tail_of = cover.states(machine, machine.initial());
    Ok(Suite::of_product(machine.input_count(), cover, tails, tail_of))
}

/// A tree of words for the machine.
fn tree(machine: &Machine, words: &[Word]) -> Trie {
    Trie::of(machine.input_count(), words)
}
