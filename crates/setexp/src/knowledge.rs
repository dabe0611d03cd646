//! What is always true of the registers in each node: an over-approximation, by which steps that no run can
//! take are removed.
//!
//! A forward fixed point: the strongest condition after each step, joined where steps meet. A node whose
//! condition keeps changing gets the weakest one, so the computation ends.

use std::collections::BTreeSet;

use tioga_base::IdVec;
use tioga_terms::{Formula, SymbolId, Symbols, Term};

use crate::determinize::{NodeId, ObservableGraph, ObservableStep};
use crate::error::Refusal;
use crate::solver::{Solver, implied, possible, some};
use crate::tiosa::Tiosa;

/// How often the condition of a node may change before it becomes the weakest.
const CHANGES: u32 = 4;

/// How many comparisons a condition may have before it becomes the weakest.
const SIZE: usize = 24;

/// What holds in each node whenever a run is there; nothing for nodes that no run reaches.
pub fn knowledge(
    tiosa: &Tiosa,
    observed: &ObservableGraph,
    solver: &mut dyn Solver,
) -> Result<IdVec<NodeId, Option<Formula>>, Refusal> {
    let mut symbols = observed.symbols.clone();
    let mut known: IdVec<NodeId, Option<Formula>> = observed.nodes.ids().map(|_| None).collect();
    let mut changes: IdVec<NodeId, u32> = observed.nodes.ids().map(|_| 0).collect();
    let start = tiosa.initial_condition.symbols();
    let kept = registers(tiosa, observed, observed.initial);
    let gone: Vec<_> = start.into_iter().filter(|symbol| !kept.contains(symbol)).collect();
    let first = match some(solver, &symbols, &tiosa.initial_condition, &gone) {
        Err(Refusal::Undecided(_)) => Formula::True,
        first => first?,
    };
    known[observed.initial] = Some(first);
    let mut waiting = BTreeSet::from([observed.initial]);
    while let Some(node) = waiting.pop_first() {
        let Some(here) = known[node].clone() else { continue };
        for step in observed.leaving(node) {
            let kept = registers(tiosa, observed, step.target);
            let after = after(&mut symbols, observed.symbols.len(), step, &here, &kept, solver)?;
            if after == Formula::False {
                continue;
            }
            let next = match &known[step.target] {
                None => after,
                Some(old) if implied(solver, &symbols, &after, old)? => continue,
                Some(_) if changes[step.target] >= CHANGES => Formula::True,
                Some(old) => {
                    let both = old.clone().or(after);
                    solver.simplify(&symbols, &both, &Formula::True)
                }
            };
            let next = if size(&next) > SIZE { Formula::True } else { next };
            changes[step.target] += 1;
            known[step.target] = Some(next);
            waiting.insert(step.target);
        }
    }
    Ok(known)
}

/// Removes the steps that no run can take.
pub fn pruned(
    tiosa: &Tiosa,
    observed: &ObservableGraph,
    solver: &mut dyn Solver,
) -> Result<ObservableGraph, Refusal> {
    let known = knowledge(tiosa, observed, solver)?;
    let mut result = observed.clone();
    result.steps.clear();
    for step in &observed.steps {
        let Some(here) = &known[step.source] else { continue };
        if possible(solver, &observed.symbols, &here.clone().and(step.guard.clone()))? {
            let mut step = step.clone();
            step.guard = solver.simplify(&observed.symbols, &step.guard, here);
            result.steps.push(step);
        }
    }
    Ok(result)
}

fn size(formula: &Formula) -> usize {
    let mut count = 0;
    formula.each_term(&mut |_| count += 1);
    count
}

/// Registers and constants that matter in a node.
fn registers(tiosa: &Tiosa, observed: &ObservableGraph, node: NodeId) -> BTreeSet<SymbolId> {
    let mut found: BTreeSet<SymbolId> = tiosa.constants.iter().copied().collect();
    for member in &observed.nodes[node].members {
        found.extend(member.condition.symbols());
        for term in member.store.values() {
            term.symbols(&mut found);
        }
    }
    found
}

/// What holds of the kept registers after a step.
fn after(
    symbols: &mut Symbols,
    length: usize,
    step: &ObservableStep,
    here: &Formula,
    kept: &BTreeSet<SymbolId>,
    solver: &mut dyn Solver,
) -> Result<Formula, Refusal> {
    symbols.truncate(length);
    let mut parts = vec![here.clone(), step.guard.clone()];
    let mut renamed = Vec::new();
    for (register, term) in &step.updates {
        let new = symbols.add(symbols[*register].clone());
        parts.push(Formula::equal(symbols, &Term::symbol(new), term)?);
        renamed.push((*register, new));
    }
    let whole = Formula::all(parts);
    let new =
        |symbol: SymbolId| renamed.iter().find(|(_, new)| *new == symbol).map(|(old, _)| *old);
    let old = |symbol: SymbolId| renamed.iter().any(|(old, _)| *old == symbol);
    let gone: Vec<_> = whole
        .symbols()
        .into_iter()
        .filter(|symbol| match new(*symbol) {
            Some(register) => !kept.contains(&register),
            None => old(*symbol) || !kept.contains(symbol),
        })
        .collect();
    if !possible(solver, symbols, &whole)? {
        return Ok(Formula::False);
    }
    let left = match some(solver, symbols, &whole, &gone) {
        // What cannot be eliminated is not known.
        Err(Refusal::Undecided(_)) => return Ok(Formula::True),
        left => left?,
    };
    Ok(left.substitute(symbols, &|symbol| new(symbol).map(Term::symbol))?)
}
