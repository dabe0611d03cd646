//! Which variables are read later, from each location on. The value of the others does not matter.

use std::collections::BTreeSet;

use tioga_base::IdVec;
use tioga_terms::SymbolId;

use crate::tiosa::{LocationId, Tiosa};

/// For each location, the variables whose value may still be read.
pub fn live_variables(tiosa: &Tiosa) -> IdVec<LocationId, BTreeSet<SymbolId>> {
    let mut live: IdVec<LocationId, BTreeSet<SymbolId>> = tiosa
        .locations
        .iter()
        .map(|location| {
            let mut read = BTreeSet::new();
            for atom in &location.invariant {
                atom.threshold.symbols(&mut read);
            }
            read
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for edge in tiosa.edges.iter() {
            let mut read = edge.condition.symbols();
            for atom in &edge.guard {
                atom.threshold.symbols(&mut read);
            }
            let after = live[edge.target].clone();
            for symbol in after {
                match edge.assignments.iter().find(|(variable, _)| *variable == symbol) {
                    Some((_, term)) => term.symbols(&mut read),
                    None => {
                        read.insert(symbol);
                    }
                }
            }
            for symbol in read.into_iter().filter(|symbol| tiosa.variables.contains(symbol)) {
                changed |= live[edge.source].insert(symbol);
            }
        }
    }
    live
}
