//! Methods that put sets of words behind a cover: G and W (BON09, CHO78), Wp (FUJ91) and HSI (PYL93).

use crate::cover;
use crate::error::Error;
use crate::harmonised::harmonised;
use crate::machine::{Machine, Word};
use crate::separation::{Separation, identifiers};
use crate::suite::{Product, WordSuite};
use crate::trie::Trie;

/// The transition cover, then at most `depth` inputs, then the words.
pub(super) fn g(machine: &Machine, words: &[Word], depth: usize) -> Result<WordSuite, Error> {
    let cover = tree(machine, &cover::transitions(machine)?);
    let first = Some((tree(machine, words), vec![true; cover.len()]));
    let machine = machine.clone();
    Ok(WordSuite::of_product(Product { machine, cover, depth, tails: Vec::new(), first }))
}

/// The state cover, then at most `depth` inputs, then the characterisation set; and behind the
/// transitions that are not in the state cover, then at most `depth` inputs, the identifiers of the states
/// reached.
pub(super) fn wp(
    machine: &Machine,
    covers: &[Word],
    words: &[Word],
    depth: usize,
) -> Result<WordSuite, Error> {
    let cover = tree(machine, &cover::transitions(machine)?);
    let tails = identifiers(machine, words).iter().map(|words| tree(machine, words)).collect();
    // Words of the state cover are followed by all words.
    let mut nodes = vec![false; cover.len()];
    for word in covers {
        let node = word.iter().try_fold(0, |at, input| cover.child(at, *input));
        nodes[node.expect("the state cover is part of the transition cover") as usize] = true;
    }
    let first = Some((tree(machine, words), nodes));
    let machine = machine.clone();
    Ok(WordSuite::of_product(Product { machine, cover, depth, tails, first }))
}

/// The transition cover, then at most `depth` inputs, then the identifiers of the states reached.
pub(super) fn hsi(
    machine: &Machine,
    separation: &Separation<'_>,
    depth: usize,
) -> Result<WordSuite, Error> {
    let tails = harmonised(machine, separation)?;
    let cover = tree(machine, &cover::transitions(machine)?);
    let machine = machine.clone();
    Ok(WordSuite::of_product(Product { machine, cover, depth, tails, first: None }))
}

/// A tree of words for the machine.
fn tree(machine: &Machine, words: &[Word]) -> Trie {
    Trie::of(machine.input_count(), words)
}
