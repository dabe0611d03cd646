//! Adaptive distinguishing sequences: which input next depends on the answers, and at the end the state
//! in which it began is known.
//!
//! A splitting tree is grown (LEE94). Its root holds all states. A block is split by a word that no two of
//! its states answer alike on the way to the same state: by one input if the answers differ, or by an input
//! followed by the word of the smallest block that holds all states reached, once that one is split.

use std::collections::BTreeMap;

use crate::machine::{Input, Machine, Output, StateIndex, Word};

/// What to do next, or what is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Adaptive {
    /// Apply an input, and go on as the answer says.
    Apply(Input, BTreeMap<Output, Adaptive>),
    /// It began in this state.
    Began(StateIndex),
}

impl Adaptive {
    /// How many inputs it takes at most.
    pub fn depth(&self) -> usize {
        match self {
            Self::Began(_) => 0,
            Self::Apply(_, next) => 1 + next.values().map(Self::depth).max().unwrap_or(0),
        }
    }

    /// The state a machine was in, by what it answers.
    pub fn began(&self, mut answer: impl FnMut(Input) -> Output) -> Option<StateIndex> {
        let mut at = self;
        loop {
            match at {
                Self::Began(state) => return Some(*state),
                Self::Apply(input, next) => at = next.get(&answer(*input))?,
            }
        }
    }
}

struct Block {
    states: Vec<StateIndex>,
    parent: Option<usize>,
    /// How it is split, if it is.
    word: Option<Word>,
}

/// An adaptive distinguishing sequence; nothing if there is none.
///
/// Pre: the machine is complete.
pub fn adaptive(machine: &Machine) -> Option<Adaptive> {
    let mut tree = vec![Block { states: machine.states().collect(), parent: None, word: None }];
    let mut leaf_of = vec![0; machine.state_count()];
    loop {
        let open: Vec<usize> = (0..tree.len())
            .filter(|block| tree[*block].word.is_none() && tree[*block].states.len() > 1)
            .collect();
        if open.is_empty() {
            break;
        }
        // The shortest words first, so that others are built on short ones.
        let found = open
            .iter()
            .filter_map(|block| Some((splitter(machine, &tree, &leaf_of, *block)?, *block)));
        let (word, block) = found.min_by_key(|(word, block)| (word.len(), *block))?;
        let mut parts: BTreeMap<Vec<Output>, Vec<StateIndex>> = BTreeMap::new();
        for state in tree[block].states.clone() {
            parts.entry(machine.answers(state, &word)?).or_default().push(state);
        }
        tree[block].word = Some(word);
        for states in parts.into_values() {
            for state in &states {
                leaf_of[*state as usize] = tree.len();
            }
            tree.push(Block { states, parent: Some(block), word: None });
        }
    }
    let all = machine.states().map(|state| (state, state)).collect();
    build(machine, &tree, &leaf_of, all)
}

/// The smallest block that holds all of these states.
fn around(tree: &[Block], leaf_of: &[usize], states: &[StateIndex]) -> usize {
    let mut block = leaf_of[states[0] as usize];
    while !states.iter().all(|state| tree[block].states.contains(state)) {
        block = tree[block].parent.expect("the root holds all states");
    }
    block
}

/// A word that splits a block, as far as the tree tells.
fn splitter(machine: &Machine, tree: &[Block], leaf_of: &[usize], block: usize) -> Option<Word> {
    let states = &tree[block].states;
    let valid = |input: Input| {
        let mut seen: Vec<(StateIndex, Output)> =
            states.iter().filter_map(|state| machine.step(*state, input)).collect();
        seen.sort_unstable();
        seen.windows(2).all(|pair| pair[0] != pair[1]) && seen.len() == states.len()
    };
    let mut best: Option<Word> = None;
    for input in machine.inputs().filter(|input| valid(*input)) {
        let steps: Vec<(StateIndex, Output)> =
            states.iter().filter_map(|state| machine.step(*state, input)).collect();
        if steps.iter().any(|(_, output)| *output != steps[0].1) {
            return Some(vec![input]);
        }
        let reached: Vec<StateIndex> = steps.iter().map(|(target, _)| *target).collect();
        let Some(rest) = &tree[around(tree, leaf_of, &reached)].word else { continue };
        if best.as_ref().is_none_or(|word| rest.len() + 1 < word.len()) {
            best = Some([input].iter().chain(rest).copied().collect());
        }
    }
    best
}

/// The sequence for pairs of the state in which it began and the state in which it is.
fn build(
    machine: &Machine,
    tree: &[Block],
    leaf_of: &[usize],
    pairs: Vec<(StateIndex, StateIndex)>,
) -> Option<Adaptive> {
    if let [(began, _)] = pairs[..] {
        return Some(Adaptive::Began(began));
    }
    let states: Vec<StateIndex> = pairs.iter().map(|(_, now)| *now).collect();
    let word = tree[around(tree, leaf_of, &states)].word.as_ref()?;
    apply(machine, tree, leaf_of, pairs, word)
}

fn apply(
    machine: &Machine,
    tree: &[Block],
    leaf_of: &[usize],
    pairs: Vec<(StateIndex, StateIndex)>,
    word: &[Input],
) -> Option<Adaptive> {
    let Some((input, rest)) = word.split_first() else {
        return build(machine, tree, leaf_of, pairs);
    };
    if let [(began, _)] = pairs[..] {
        return Some(Adaptive::Began(began));
    }
    let mut parts: BTreeMap<Output, Vec<(StateIndex, StateIndex)>> = BTreeMap::new();
    for (began, now) in pairs {
        let (target, output) = machine.step(now, *input)?;
        parts.entry(output).or_default().push((began, target));
    }
    let next = parts
        .into_iter()
        .map(|(output, pairs)| Some((output, apply(machine, tree, leaf_of, pairs, rest)?)));
    Some(Adaptive::Apply(*input, next.collect::<Option<_>>()?))
}
