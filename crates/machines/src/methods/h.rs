//! The H-method (DOR05): instead of identifiers that are fixed beforehand, separating words are chosen for
//! pairs of tests, those that cost least with what is there already.
//!
//! Tests reach every state and go on with all words of `k + 1` inputs, `k` being the number of extra
//! states. Three kinds of pairs have to be separated if they lead to different states: two words of the
//! state cover; one of these and one that goes on; and two that go on where one is the beginning of the
//! other.

use super::convergence::Tests;
use crate::cover;
use crate::error::Error;
use crate::machine::{Machine, Word};
use crate::separation::Separation;
use crate::suite::Suite;
use crate::trie::{NodeId, Trie};

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
    let reached: Vec<NodeId> = bases.iter().filter_map(|word| tests.tree().find(0, word)).collect();
    for (position, one) in reached.iter().enumerate() {
        for other in &reached[..position] {
            tests.separate(*one, *other);
        }
    }
    for base in &reached {
        // What goes on from here, with the nodes on the way.
        let mut waiting: Vec<(NodeId, Vec<NodeId>)> = vec![(*base, Vec::new())];
        let mut position = 0;
        while let Some((node, way)) = waiting.get(position).cloned() {
            position += 1;
            if way.len() <= extra_states {
                let next: Vec<NodeId> =
                    machine.inputs().filter_map(|input| tests.tree().child(node, input)).collect();
                for child in next {
                    let mut longer = way.clone();
                    longer.push(child);
                    waiting.push((child, longer));
                }
            }
            let Some((last, before)) = way.split_last() else { continue };
            for other in reached.iter().chain(before) {
                tests.separate(*last, *other);
            }
        }
    }
    Ok(Suite::of_tree(machine.input_count(), tests.into_tree()))
}
