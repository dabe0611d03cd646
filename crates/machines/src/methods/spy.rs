//! Methods that use what is known to converge: SPY (SPY12) with harmonised identifiers, and SPYH (SOU18)
//! with separating words that are chosen one by one.
//!
//! One transition after the other is shown to lead where the specification says: the word to it and the
//! word of the state cover to its target converge. What is applied behind them may then be applied behind
//! either.

use super::convergence::Tests;
use crate::error::Error;
use crate::machine::{Input, Machine, Word};
use crate::separation::{Separation, harmonised};
use crate::suite::Suite;
use crate::trie::{NodeId, Trie};

pub(super) fn spy(
    machine: &Machine,
    covers: &[Word],
    separation: &Separation<'_>,
    extra_states: usize,
) -> Result<Suite, Error> {
    let identifiers: Vec<Vec<Word>> =
        harmonised(machine, separation)?.iter().map(Trie::words).collect();
    let mut tests = Tests::new(machine, separation, Trie::of(machine.input_count(), covers));
    let cores = cores(&tests, covers);
    for state in machine.states() {
        for word in &identifiers[state as usize] {
            tests.apply(cores[state as usize], word);
        }
    }
    for (source, input) in open(machine, covers) {
        let (target, _) = machine.step(source, input).expect("the transition is there");
        let arrived = tests.apply(cores[source as usize], &[input]);
        // All words of at most so many inputs, then what identifies the state reached.
        let mut behind = Trie::new(machine.input_count());
        let mut waiting = vec![(Word::new(), target)];
        while let Some((word, state)) = waiting.pop() {
            for identifier in &identifiers[state as usize] {
                let full: Word = word.iter().chain(identifier).copied().collect();
                behind.insert(0, &full);
            }
            if word.len() < extra_states {
                waiting.extend(longer(machine, &word, state));
            }
        }
        for word in behind.words() {
            tests.apply(arrived, &word);
            tests.apply(cores[target as usize], &word);
        }
        tests.merge(arrived, cores[target as usize]);
    }
    Ok(Suite::of_tree(machine.input_count(), tests.into_tree()))
}

pub(super) fn spyh(
    machine: &Machine,
    covers: &[Word],
    separation: &Separation<'_>,
    extra_states: usize,
) -> Result<Suite, Error> {
    separation.complete()?;
    let mut tests = Tests::new(machine, separation, Trie::of(machine.input_count(), covers));
    let cores = cores(&tests, covers);
    for (position, one) in cores.iter().enumerate() {
        for other in &cores[..position] {
            tests.separate(*one, *other);
        }
    }
    for (source, input) in open(machine, covers) {
        let (target, _) = machine.step(source, input).expect("the transition is there");
        let arrived = tests.apply(cores[source as usize], &[input]);
        let core = cores[target as usize];
        for start in [arrived, core] {
            further(machine, &mut tests, &cores, start, extra_states);
        }
        tests.merge(arrived, core);
    }
    Ok(Suite::of_tree(machine.input_count(), tests.into_tree()))
}

/// Separates what is reached behind a node by at most so many inputs from the state cover, and from
/// what was passed on the way.
fn further(
    machine: &Machine,
    tests: &mut Tests<'_>,
    cores: &[NodeId],
    start: NodeId,
    extra_states: usize,
) {
    let mut waiting: Vec<Vec<NodeId>> = vec![vec![start]];
    let mut position = 0;
    while let Some(way) = waiting.get(position).cloned() {
        position += 1;
        let Some((last, before)) = way.split_last() else { continue };
        for other in cores.iter().chain(before) {
            tests.separate(*last, *other);
        }
        if way.len() <= extra_states {
            for input in machine.inputs() {
                if machine.step(tests.state(*last), input).is_some() {
                    let next = tests.apply(*last, &[input]);
                    waiting.push(way.iter().copied().chain([next]).collect());
                }
            }
        }
    }
}

/// The nodes of the state cover.
fn cores(tests: &Tests<'_>, covers: &[Word]) -> Vec<NodeId> {
    let found = covers.iter().map(|word| tests.tree().find(0, word));
    found.map(|node| node.expect("the cover is in the tree")).collect()
}

/// The transitions that are not part of the state cover, those that are reached first at first.
fn open(machine: &Machine, covers: &[Word]) -> Vec<(u32, Input)> {
    let mut all: Vec<(u32, Input)> = machine
        .transitions()
        .filter(|(source, input, _, target)| {
            let way = covers[*source as usize].iter().chain([input]);
            !way.eq(&covers[*target as usize])
        })
        .map(|(source, input, _, _)| (source, input))
        .collect();
    all.sort_by_key(|(source, input)| (covers[*source as usize].len(), *source, *input));
    all
}

fn longer(machine: &Machine, word: &Word, state: u32) -> Vec<(Word, u32)> {
    let next = |input: Input| {
        let (target, _) = machine.step(state, input)?;
        Some((word.iter().copied().chain([input]).collect(), target))
    };
    machine.inputs().filter_map(next).collect()
}
