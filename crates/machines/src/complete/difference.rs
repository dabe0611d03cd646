//! Words that a table answers differently from the specification.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use super::table::Table;
use crate::machine::{Input, Machine, StateIndex, Word};

/// A state of the specification and one of the table.
type Pair = (StateIndex, usize);

/// A shortest word that is possible in the specification and answered differently by the table. A cell without a
/// transition is a difference, because it may be given any answer. `None` if there is no such word.
pub(super) fn difference(machine: &Machine, table: &Table) -> Option<Word> {
    let start = (machine.initial(), 0);
    let mut before: BTreeMap<Pair, Option<(Pair, Input)>> = BTreeMap::from([(start, None)]);
    let mut waiting = VecDeque::from([start]);
    while let Some((here, there)) = waiting.pop_front() {
        for input in machine.inputs() {
            let Some((target, right)) = machine.step(here, input) else { continue };
            match table.get(there, input) {
                Some((next, output)) if output == right => {
                    let pair = (target, next);
                    if let Entry::Vacant(entry) = before.entry(pair) {
                        entry.insert(Some(((here, there), input)));
                        waiting.push_back(pair);
                    }
                }
                _ => {
                    let mut word = vec![input];
                    let mut at = (here, there);
                    while let Some(Some((earlier, input))) = before.get(&at) {
                        word.push(*input);
                        at = *earlier;
                    }
                    word.reverse();
                    return Some(word);
                }
            }
        }
    }
    None
}
