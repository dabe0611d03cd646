//! Adaptive distinguishing sequences against their definition and against a search for any.

use std::collections::{BTreeMap, BTreeSet};

use tioga_machines::{Machine, adaptive};

use crate::support::{machine, random};

/// Whether there is a sequence, by trying all inputs on all sets of pairs; sets on the way are not met again.
fn exists(
    machine: &Machine,
    pairs: &BTreeSet<(u32, u32)>,
    way: &mut Vec<BTreeSet<(u32, u32)>>,
    budget: &mut u32,
) -> Option<bool> {
    if pairs.len() == 1 {
        return Some(true);
    }
    if way.contains(pairs) {
        return Some(false);
    }
    *budget = budget.checked_sub(1)?;
    way.push(pairs.clone());
    for input in machine.inputs() {
        let mut parts: BTreeMap<u32, BTreeSet<(u32, u32)>> = BTreeMap::new();
        let mut valid = true;
        for (began, now) in pairs {
            let (target, output) = machine.step(*now, input).unwrap();
            let part = parts.entry(output).or_default();
            valid &= !part.iter().any(|(_, other)| *other == target);
            part.insert((*began, target));
        }
        if !valid {
            continue;
        }
        let mut all = true;
        for part in parts.values() {
            if !exists(machine, part, way, budget)? {
                all = false;
                break;
            }
        }
        if all {
            way.pop();
            return Some(true);
        }
    }
    way.pop();
    Some(false)
}

#[test]
fn a_sequence_is_found_exactly_if_there_is_one() {
    let mut rng = fastrand::Rng::with_seed(6);
    let (mut with, mut without) = (0, 0);
    for round in 0..400 {
        let spec = random(&mut rng, 2 + round % 4, 2, 2);
        let pairs = spec.states().map(|state| (state, state)).collect();
        let Some(expected) = exists(&spec, &pairs, &mut Vec::new(), &mut 200_000) else { continue };
        match adaptive(&spec) {
            Some(sequence) => {
                assert!(expected, "{spec:?}");
                with += 1;
                for state in spec.states() {
                    let mut now = state;
                    let told = sequence.began(|input| {
                        let (target, output) = spec.step(now, input).unwrap();
                        now = target;
                        output
                    });
                    assert_eq!(told, Some(state), "{spec:?} {sequence:?}");
                }
            }
            None => {
                assert!(!expected, "{spec:?}");
                without += 1;
            }
        }
    }
    assert!(with > 50 && without > 50, "{with} {without}");
}

#[test]
fn the_chain_needs_as_many_inputs_as_it_has_states_less_one() {
    let chain = machine("s0: a->1/0 b->0/0 | s1: a->2/0 b->0/0 | s2: a->2/1 b->0/0");
    assert_eq!(adaptive(&chain).map(|sequence| sequence.depth()), Some(2));
    // Both inputs lead two states to one with the same answer.
    let lost = machine("s0: a->0/0 b->1/0 | s1: a->0/0 b->2/0 | s2: a->2/1 b->2/0");
    assert_eq!(adaptive(&lost), None);
}
