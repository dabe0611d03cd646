//! Merges states of SetExp with the same location, the same pending expirations and the same future.
//!
//! The coarsest partition in which states of one class have the same labelled transitions into the same
//! classes (a bisimulation), by refinement.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Id, IdVec};

use crate::setexp::{Expiration, Set, SetExp, SetExpTransition, StateId};
use crate::tiosa::EdgeId;

type Label<'a> = (&'a [Expiration], &'a [EdgeId], &'a [Set], usize);

/// The same automaton with the fewest states.
pub(crate) fn reduced(full: &SetExp) -> SetExp {
    let mut overdue: BTreeMap<StateId, BTreeSet<&[Expiration]>> = BTreeMap::new();
    for (state, expirations) in &full.overdue {
        overdue.entry(*state).or_default().insert(expirations);
    }
    let mut classes = numbered(full.states.iter_ids().map(|(id, state)| {
        (state.location, state.pending.as_slice(), overdue.get(&id).cloned().unwrap_or_default())
    }));
    loop {
        let next = numbered(full.states.ids().map(|state| {
            let moves: BTreeSet<Label<'_>> = full
                .leaving(state)
                .map(|t| (&t.expirations[..], &t.edges[..], &t.sets[..], classes[t.target.index()]))
                .collect();
            (classes[state.index()], moves)
        }));
        if next == classes {
            break;
        }
        classes = next;
    }
    rebuilt(full, &classes)
}

/// Numbers keys in the order in which they first occur.
fn numbered<K: Ord>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut known = BTreeMap::new();
    keys.map(|key| {
        let next = known.len();
        *known.entry(key).or_insert(next)
    })
    .collect()
}

fn rebuilt(full: &SetExp, classes: &[usize]) -> SetExp {
    let class = |state: StateId| StateId::from_index(classes[state.index()]);
    let mut states = IdVec::new();
    let mut transitions: Vec<SetExpTransition> = Vec::new();
    let mut overdue = Vec::new();
    for (id, state) in full.states.iter_ids() {
        if class(id) != states.next_id() {
            continue;
        }
        states.push(state.clone());
        let first = transitions.len();
        for transition in full.leaving(id) {
            let (source, target) = (class(transition.source), class(transition.target));
            let moved = SetExpTransition { source, target, ..transition.clone() };
            if !transitions[first..].contains(&moved) {
                transitions.push(moved);
            }
        }
        let own = full.overdue.iter().filter(|(state, _)| *state == id);
        overdue.extend(own.map(|(state, expirations)| (class(*state), expirations.clone())));
    }
    SetExp { states, initial: class(full.initial), start: full.start.clone(), transitions, overdue }
}
