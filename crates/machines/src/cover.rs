//! Words that reach every state and every transition (BON09, section 2.3).

use crate::error::{Error, check};
use crate::machine::{Input, Machine, StateIndex, Word};
use crate::trie::Trie;

/// The shortest word to each state, the first of these in the order of inputs.
///
/// # Errors
/// If some state cannot be reached.
pub fn states(machine: &Machine) -> Result<Vec<Word>, Error> {
    let mut found: Vec<Option<Word>> = vec![None; machine.state_count()];
    found[machine.initial() as usize] = Some(Word::new());
    let mut order = vec![machine.initial()];
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        let word = found[state as usize].clone().unwrap_or_default();
        for input in machine.inputs() {
            let Some((target, _)) = machine.step(state, input) else { continue };
            if found[target as usize].is_none() {
                let mut longer = word.clone();
                longer.push(input);
                found[target as usize] = Some(longer);
                order.push(target);
            }
        }
    }
    let lost: Vec<String> = machine
        .states()
        .filter(|state| found[*state as usize].is_none())
        .map(|state| machine.state_name(state).to_owned())
        .collect();
    if !lost.is_empty() {
        return Err(Error::Unreachable(lost));
    }
    Ok(found.into_iter().flatten().collect())
}

/// The words of the labelled tree, in the order in which its nodes are made: a node is expanded if no
/// node before it, of its level or a lower one, has the same state. As printed in the thesis only lower
/// levels count, and the tree may be exponential.
///
/// # Errors
/// If some state cannot be reached.
pub fn transitions(machine: &Machine) -> Result<Vec<Word>, Error> {
    let mut expanded = vec![false; machine.state_count()];
    let mut words: Vec<(Word, StateIndex)> = vec![(Word::new(), machine.initial())];
    let mut next = 0;
    while let Some((word, state)) = words.get(next).cloned() {
        next += 1;
        if std::mem::replace(&mut expanded[state as usize], true) {
            continue;
        }
        for input in machine.inputs() {
            if let Some((target, _)) = machine.step(state, input) {
                let mut longer = word.clone();
                longer.push(input);
                words.push((longer, target));
            }
        }
    }
    if expanded.contains(&false) {
        states(machine)?;
    }
    Ok(words.into_iter().map(|(word, _)| word).collect())
}

/// How long tests are on average before what identifies states, the reset included.
pub(crate) fn mean_depth(machine: &Machine) -> u64 {
    let words = transitions(machine).unwrap_or_default();
    let inputs: usize = words.iter().map(Vec::len).sum();
    1 + (inputs / words.len().max(1)) as u64
}

/// A transition that a set of words does not cover: some word of it leads to the source, and the same
/// word followed by the input is in it (BON09, Def 2). Nothing if it covers all.
pub fn uncovered(machine: &Machine, words: &[Word]) -> Option<(StateIndex, Input)> {
    let mut covered = vec![false; machine.state_count() * machine.input_count()];
    let known: std::collections::HashSet<&Word> = words.iter().collect();
    for word in words {
        let Some((last, before)) = word.split_last() else { continue };
        if !known.contains(&before.to_vec()) {
            continue;
        }
        if let Some(state) = machine.after(machine.initial(), before) {
            covered[state as usize * machine.input_count() + *last as usize] = true;
        }
    }
    machine
        .transitions()
        .map(|(state, input, _, _)| (state, input))
        .find(|(state, input)| !covered[*state as usize * machine.input_count() + *input as usize])
}

/// All words of at most so many inputs before each word of a set: the member of a stratified family
/// (BON09, Def 10). Words are in the order of their first parts, shorter ones first.
pub fn stratified(machine: &Machine, words: &[Word], depth: usize) -> Vec<Word> {
    let mut all: indexmap::IndexSet<Word> = indexmap::IndexSet::new();
    let mut level = vec![Word::new()];
    for at in 0..=depth {
        for before in &level {
            for word in words {
                all.insert(before.iter().chain(word).copied().collect());
            }
        }
        if at < depth {
            level = level.iter().flat_map(|word| longer(machine, word)).collect();
        }
    }
    all.into_iter().collect()
}

fn longer(machine: &Machine, word: &Word) -> impl Iterator<Item = Word> + use<> {
    let word = word.clone();
    machine.inputs().map(move |input| {
        let mut longer = word.clone();
        longer.push(input);
        longer
    })
}

/// Adds all words of so many inputs behind a word that are possible, as long as a function says to go on.
pub(crate) fn extend(
    machine: &Machine,
    trie: &mut Trie,
    word: &[Input],
    depth: usize,
    going: &dyn Fn() -> bool,
) -> Result<(), Error> {
    let node = trie.insert(0, word);
    let Some(state) = machine.after(machine.initial(), word) else { return Ok(()) };
    let mut waiting = vec![(node, state, depth)];
    while let Some((node, state, depth)) = waiting.pop() {
        check(going)?;
        if depth == 0 {
            continue;
        }
        for input in machine.inputs() {
            if let Some((target, _)) = machine.step(state, input) {
                waiting.push((trie.extend(node, input), target, depth - 1));
            }
        }
    }
    Ok(())
}
