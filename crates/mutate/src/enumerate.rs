//! All mutants of a model, in a fixed order.

use std::ops::ControlFlow;

use tioga_model::{
    ClockConstraint, Condition, Edge, EdgeId, Label, LocationId, Model, Node, ProcessId, Role,
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
    let mut list = Vec::new();
    let skipped = each_mutant(model, options, &mut |mutant| {
        list.push(mutant);
        ControlFlow::Continue(())
    });
    Mutants { list, skipped }
}

/// Passes on the mutants of a model one by one, in the order and with the promises of [`mutants`], until
/// the function stops it. Returns how many changes were left out so far. There may be as many mutants as
/// edges times locations, so a caller that needs each only once should keep none.
pub fn each_mutant(
    model: &Model,
    options: &MutantOptions,
    take: &mut dyn FnMut(Mutant) -> ControlFlow<()>,
) -> usize {
    let mut collector = Collector { model, options, skipped: 0, take };
    let mut operators = options.operators.clone();
    operators.sort_unstable();
    operators.dedup();
    let _ = operators.into_iter().try_for_each(|operator| collector.all_of(operator));
    collector.skipped
}

/// Turns changes into mutants.
struct Collector<'c> {
    model: &'c Model,
    options: &'c MutantOptions,
    skipped: usize,
    take: &'c mut dyn FnMut(Mutant) -> ControlFlow<()>,
}

impl Collector<'_> {
    /// All mutants of an operator.
    fn all_of(&mut self, operator: Operator) -> ControlFlow<()> {
        let model = self.model;
        for (process, body) in model.processes.iter_ids() {
            if body.role == Role::Environment && !self.options.environment {
                continue;
            }
            for (location, place) in body.locations.iter_ids() {
                let mut found = Vec::new();
                invariants(model, process, location, &mut found);
                self.collect(operator, process, &place.name, found)?;
            }
            for edge in body.edges.ids() {
                let mut found = Vec::new();
                guards(model, process, edge, &mut found);
                edges::changes(model, process, edge, &self.options.operators, &mut found);
                self.collect(operator, process, &edge.to_string(), found)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Turns what an operator found at one place into mutants.
    fn collect(
        &mut self,
        wanted: Operator,
        process: ProcessId,
        place: &str,
        mut found: Vec<Found>,
    ) -> ControlFlow<()> {
        found.retain(|(operator, _)| self.options.operators.contains(operator));
        let mut number = 0;
        for (position, (operator, change)) in found.iter().enumerate() {
            if *operator != wanted {
                continue;
            }
            // Numbers count what is skipped, so that ids do not depend on what is.
            let id = format!("{operator}@{}.{place}#{number}", self.model.processes[process].name);
            number += 1;
            // What was found before, by this or another operator, is not made again.
            let made = change
                .as_ref()
                .filter(|_| !found[..position].iter().any(|(_, earlier)| earlier == change));
            let mutant = made.and_then(|(change, nodes)| {
                let (change, nodes) = (change.clone(), nodes.clone());
                let description = String::new();
                self.made(Mutant { id, operator: *operator, process, description, change, nodes })
            });
            match mutant {
                Some(mutant) => (self.take)(mutant)?,
                None => self.skipped += 1,
            }
        }
        ControlFlow::Continue(())
    }

    /// The mutant with its description, if it makes sense.
    fn made(&self, mut mutant: Mutant) -> Option<Mutant> {
        let network = mutant.network(self.model);
        if network == **self.model {
            return None;
        }
        mutant.description = describe(self.model, &network, &mutant);
        let changed = network.validate().ok()?;
        (!stops_at_once(&changed, &mutant.change)).then_some(mutant)
    }
}

/// Whether an edge was given a guard that would stop time: it is urgent, and there is no first moment
/// at which it is possible.
fn stops_at_once(model: &Model, change: &Change) -> bool {
    let Change::Edge(_, edge) = change else { return false };
    let (Label::Send(used) | Label::Receive(used)) = &edge.label else { return false };
    let opens = |one: &ClockConstraint| one.strict && one.left.is_none();
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
