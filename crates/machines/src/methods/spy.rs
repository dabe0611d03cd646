//! Methods that use what is known to converge: SPY (SPY12) with harmonised identifiers, and SPYH (SOU18)
//! with separating words that are chosen one by one.
//!
//! One transition after the other is shown to lead where the specification says: the word to it and the
//! word of the state cover to its target converge. What is applied behind them may then be applied behind
//! either.

use super::convergence::{At, Tests};
use super::h::behind;
use crate::error::{Error, check};
use crate::harmonised::harmonised;
use crate::machine::{Input, Machine, Word};
use crate::separation::Separation;
use crate::suite::WordSuite;
use crate::trie::Trie;

pub(super) fn spy(
    machine: &Machine,
    covers: &[Word],
    separation: &Separation<'_>,
    extra_states: usize,
    going: &dyn Fn() -> bool,
) -> Result<WordSuite, Error> {
    let identifiers: Vec<Vec<Word>> = match machine.state_count() {
        // A single state needs no words. What leads to it is applied nevertheless.
        1 => vec![vec![Word::new()]],
        _ => harmonised(machine, separation)?.iter().map(Trie::words).collect(),
    };
    let mut tests = Tests::new(machine, separation, Trie::of(machine.input_count(), covers));
    let cores: Vec<At> = covers.iter().map(|word| tests.apply(word)).collect();
    for state in machine.states() {
        for identifier in &identifiers[state as usize] {
            tests.put(&joined(&covers[state as usize], identifier));
        }
    }
    for (source, input) in open(machine, covers) {
        check(going)?;
        let (target, _) = machine.step(source, input).expect("the transition is there");
        let arrived = tests.apply(&joined(&covers[source as usize], &[input]));
        // All words of at most so many inputs, then what identifies the state reached.
        let mut behind = Trie::new(machine.input_count());
        let mut waiting = vec![(Word::new(), target)];
        while let Some((word, state)) = waiting.pop() {
            check(going)?;
            for identifier in &identifiers[state as usize] {
                behind.insert(0, &joined(&word, identifier));
            }
            if word.len() < extra_states {
                waiting.extend(longer(machine, &word, state));
            }
        }
        for word in behind.words() {
            tests.put(&joined(&arrived.word, &word));
            tests.put(&joined(&covers[target as usize], &word));
        }
        tests.merge(arrived.node, cores[target as usize].node);
    }
    Ok(WordSuite::of_tree(machine.input_count(), tests.into_tree()))
}

pub(super) fn spyh(
    machine: &Machine,
    covers: &[Word],
    separation: &Separation<'_>,
    extra_states: usize,
    going: &dyn Fn() -> bool,
) -> Result<WordSuite, Error> {
    separation.complete()?;
    let mut tests = Tests::new(machine, separation, Trie::of(machine.input_count(), covers));
    let cores: Vec<At> = covers.iter().map(|word| tests.apply(word)).collect();
    for (position, one) in cores.iter().enumerate() {
        for other in &cores[..position] {
            tests.separate(one, other);
        }
    }
    for (source, input) in open(machine, covers) {
        check(going)?;
        let (target, _) = machine.step(source, input).expect("the transition is there");
        let arrived = tests.apply(&joined(&covers[source as usize], &[input]));
        let core = &cores[target as usize];
        for other in &cores {
            tests.separate(&arrived, other);
        }
        let starts = [arrived.clone(), core.clone()];
        behind(machine, &mut tests, &cores, &starts, extra_states, going)?;
        tests.merge(arrived.node, core.node);
    }
    Ok(WordSuite::of_tree(machine.input_count(), tests.into_tree()))
}

pub(super) fn joined(one: &[Input], other: &[Input]) -> Word {
    one.iter().chain(other).copied().collect()
}

/// The transitions that are not part of the state cover, those that are reached first at first.
pub(super) fn open(machine: &Machine, covers: &[Word]) -> Vec<(u32, Input)> {
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
        Some((joined(word, &[input]), target))
    };
    machine.inputs().filter_map(next).collect()
}
