//! All mutants of a model, in a fixed order.

use std::collections::BTreeMap;

use tioga_model::{
    Condition, Constraint, Edge, EdgeId, Label, LocationId, Model, Node, ProcessId, Role,
};

use crate::conditions::{Adjustment, Changed, adjusted};
use crate::describe::describe;
use crate::draft::Draft;
use crate::edges::{self, Found};
use crate::negation::negation;
use crate::{Change, Mutant, Operator};

/// Which mutants to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MutantOptions {
    /// The kinds of changes.
    pub operators: Vec<Operator>,
    /// Whether processes of the environment are changed, too.
    pub environment: bool,
}

impl Default for MutantOptions {
    fn default() -> Self {
        Self { operators: Operator::ALL.to_vec(), environment: false }
    }
}

/// The mutants of a model.
#[derive(Clone, PartialEq, Debug)]
pub struct Mutants {
    /// Operator by operator, each in the order of processes, locations and edges.
    pub list: Vec<Mutant>,
    /// How many changes were left out because they make no sense: a bound below zero, a value
    /// outside the range of its variable, an urgent edge that becomes possible at no first moment, a
    /// model that does not validate.
    pub skipped: usize,
}

/// The mutants of a model.
///
/// Post: every one validates and differs from the model, no two are the same, and all ids differ.
pub fn mutants(model: &Model, options: &MutantOptions) -> Mutants {
    let mut mutants = Mutants { list: Vec::new(), skipped: 0 };
    for (process, body) in model.processes.iter_ids() {
        if body.role == Role::Environment && !options.environment {
            continue;
        }
        for location in body.locations.ids() {
            let mut found = Vec::new();
            invariants(model, process, location, &mut found);
            let place = &body.locations[location].name;
            collect(model, options, process, place, found, &mut mutants);
        }
        for (edge, _) in body.edges.iter_ids() {
            let mut found = Vec::new();
            guards(model, process, edge, &mut found);
            edges::changes(model, process, edge, &mut found);
            collect(model, options, process, &edge.to_string(), found, &mut mutants);
        }
    }
    mutants.list.sort_by_key(|mutant| mutant.operator);
    mutants
}

/// Turns what was found at one place into mutants.
fn collect(
    model: &Model,
    options: &MutantOptions,
    process: ProcessId,
    place: &str,
    found: Vec<Found>,
    mutants: &mut Mutants,
) {
    let first = mutants.list.len();
    let mut numbers: BTreeMap<Operator, usize> = BTreeMap::new();
    for (operator, change) in found {
        if !options.operators.contains(&operator) {
            continue;
        }
        // Numbers count what is skipped, so that ids do not depend on what is.
        let number = numbers.entry(operator).or_insert(0);
        let id = format!("{operator}@{}.{place}#{number}", model.processes[process].name);
        *number += 1;
        let Some((change, nodes)) = change else {
            mutants.skipped += 1;
            continue;
        };
        let same = |known: &Mutant| known.change == change && known.nodes == nodes;
        if mutants.list[first..].iter().any(same) {
            mutants.skipped += 1;
            continue;
        }
        let mut mutant =
            Mutant { id, operator, process, description: String::new(), change, nodes };
        let network = mutant.network(model);
        if network == **model {
            mutants.skipped += 1;
            continue;
        }
        mutant.description = describe(model, &network, &mutant);
        match network.validate() {
            Ok(changed) if stops_at_once(&changed, &mutant.change) => mutants.skipped += 1,
            Ok(_) => mutants.list.push(mutant),
            Err(_) => mutants.skipped += 1,
        }
    }
}

/// Whether an edge was given a guard that would stop time: it is urgent, and there is no first moment
/// at which it is possible.
fn stops_at_once(model: &Model, change: &Change) -> bool {
    let Change::Edge(_, edge) = change else { return false };
    let (Label::Send(used) | Label::Receive(used)) = &edge.label else { return false };
    let opens = |one: &Constraint| one.strict && one.left.is_none();
    let open = edge.guard.disjuncts.iter().any(|conjunct| conjunct.clocks.iter().any(opens));
    open && model.channels[used.channel].urgent
}

fn invariants(model: &Model, process: ProcessId, id: LocationId, found: &mut Vec<Found>) {
    let invariant = &model.processes[process].locations[id].invariant;
    if invariant.is_always() {
        return;
    }
    let change = |changed: Changed| {
        changed.map(|(condition, nodes)| (Change::Invariant(id, condition), nodes))
    };
    for (operator, adjustment) in [
        (Operator::InvariantPlus, Adjustment::Plus),
        (Operator::InvariantMinus, Adjustment::Minus),
        (Operator::InvariantStrict, Adjustment::Strict),
    ] {
        let all = adjusted(model, invariant, adjustment).into_iter();
        found.extend(all.map(|changed| (operator, change(changed))));
    }
    let always = Some((Condition::always(), Vec::new()));
    found.push((Operator::InvariantDrop, change(always)));
}

fn guards(model: &Model, process: ProcessId, id: EdgeId, found: &mut Vec<Found>) {
    let edge = &model.processes[process].edges[id];
    let change = |guard: Condition, nodes: Vec<Node>| {
        (Change::Edge(id, Box::new(Edge { guard, ..edge.clone() })), nodes)
    };
    for (operator, adjustment) in [
        (Operator::GuardPlus, Adjustment::Plus),
        (Operator::GuardMinus, Adjustment::Minus),
        (Operator::GuardStrict, Adjustment::Strict),
        (Operator::GuardCompare, Adjustment::Compare),
    ] {
        for changed in adjusted(model, &edge.guard, adjustment) {
            found.push((operator, changed.map(|(guard, nodes)| change(guard, nodes))));
        }
    }
    if edge.guard.is_always() {
        return;
    }
    let mut draft = Draft::new(model);
    let negated =
        negation(&edge.guard, &mut |expr| draft.push(expr, tioga_model::Kind::Bool, edge.span));
    // What is never possible is the same as a missing edge.
    let negated = negated.filter(|negated| !negated.disjuncts.is_empty());
    found.push((Operator::GuardNegate, negated.map(|guard| change(guard, draft.nodes))));
}
