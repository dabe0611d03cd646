//! The shape of a model's behaviour: states and moves by their distance from the start, in steps
//! of half a time unit. It does not depend on names or on the order in which things are declared.

use std::collections::BTreeSet;

use tioga_base::Rational;
use tioga_concrete::{Semantics, State};
use tioga_model::{Model, TimeBound};

/// No further layer is started once so many states have been seen.
const STATES: usize = 10_000;

/// What is found at one distance from the start.
#[derive(PartialEq, Eq, Debug)]
pub struct Layer {
    /// States not seen at a smaller distance.
    pub states: usize,
    /// Different states reached from each by moves, in total.
    pub moves: usize,
    /// States in which half a time unit can pass.
    pub delays: usize,
}

/// The layers in order, up to the first beyond the limit.
pub fn layers(model: &Model) -> Vec<Layer> {
    let half = Rational::new(1, 2).unwrap();
    let cap = Rational::integer(cap(model));
    let mut semantics = Semantics::new(model);
    let initial = semantics.initial().unwrap();
    let mut seen: BTreeSet<State> = BTreeSet::from([initial.clone()]);
    let mut current = vec![initial];
    let mut layers = Vec::new();
    while !current.is_empty() && seen.len() < STATES {
        let mut layer = Layer { states: current.len(), moves: 0, delays: 0 };
        let mut next = Vec::new();
        for state in &current {
            let mut successors = BTreeSet::new();
            for step in semantics.options(state).unwrap().now() {
                successors.insert(semantics.step(state, step).unwrap());
            }
            layer.moves += successors.len();
            if let Ok(mut later) = semantics.delay(state, half).unwrap() {
                for clock in &mut later.clocks {
                    *clock = (*clock).min(cap);
                }
                layer.delays += 1;
                successors.insert(later);
            }
            for successor in successors {
                if seen.insert(successor.clone()) {
                    next.push(successor);
                }
            }
        }
        layers.push(layer);
        current = next;
    }
    layers
}

/// More than every constant clocks are compared with.
fn cap(model: &Model) -> i64 {
    let mut largest = 1;
    let conditions = model.processes.iter().flat_map(|process| {
        let guards = process.edges.iter().map(|edge| &edge.guard);
        guards.chain(process.locations.iter().map(|location| &location.invariant))
    });
    for condition in conditions {
        for constraint in condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks) {
            if let TimeBound::Constant(value) = constraint.bound {
                largest = largest.max(value.abs() / model.scale);
            }
        }
    }
    largest + 1
}
