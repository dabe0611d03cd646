//! From a model to the automata of the method: a specification, and a purpose that observes it.
//!
//! The model has one process, the system, which is open: the tester offers its inputs. Guards, updates and
//! arguments become conditions and terms over symbols. What an output carries is a condition on its
//! parameters.

mod edges;
mod symbols;

pub use symbols::Given;

use std::collections::BTreeSet;

use tioga_base::{Budget, Id, IdVec, Rational};
use tioga_model::{EdgeId, Expr, Model, Network, Process, ProcessId, Role};
use tioga_terms::{Formula, Term};

use crate::compose::{Member, composed};
use crate::error::Refusal;
use crate::read::edges::Edges;
use crate::read::symbols::Alphabet;
use crate::solver::Solver;
use crate::tiosa::{Location, LocationId, Mark, Tiosa};

/// A specification and perhaps a purpose.
#[derive(Clone, Debug)]
pub struct Read {
    /// The specification.
    pub spec: Tiosa,
    /// The purpose, and where it goes on actions that none of its edges match; it stays if nowhere.
    pub purpose: Option<(Tiosa, Option<LocationId>)>,
}

/// How many locations several automata may have together.
const TOGETHER: u64 = 10_000;

/// Reads a model, with the purpose at a position. Several processes of the system become one automaton.
pub fn read(
    model: &Model,
    purpose: Option<usize>,
    given: &Given,
    solver: &mut dyn Solver,
) -> Result<Read, Refusal> {
    let network: &Network = model;
    let own = network.processes.len();
    refuse_network(network)?;
    if !network.syncs.is_empty() {
        let why = "the model has synchronisation vectors, which this method does not follow";
        return Err(Refusal::Hypothesis(why.to_owned()));
    }
    let mut whole = network.clone();
    if let Some(position) = purpose {
        whole = whole.observed_by(position).map_err(|wrong| Refusal::Mismatch(wrong.message))?;
    } else {
        whole.purposes.clear();
    }
    // Ranges are conditions here, so that a variable with few values stays a symbol.
    let ranges: Vec<_> = whole.slots.iter().map(|slot| slot.range).collect();
    for slot in &mut whole.slots {
        slot.range = None;
    }
    let wide = whole.validate().map_err(|found| {
        let first = found.iter().next().map(|one| one.message.clone());
        Refusal::Hypothesis(first.unwrap_or_else(|| "the model is not valid".to_owned()))
    })?;
    let alphabet = Alphabet::new(&wide, &ranges, network.slots.len(), given)?;
    let edges = Edges { model: &wide, alphabet: &alphabet, ranges: &ranges, own };
    let mut members = Vec::new();
    for process in wide.processes.ids().take(own) {
        members.push(automaton(&wide, &alphabet, &edges, process, &[], solver)?);
    }
    let spec = match members.len() {
        1 => members.swap_remove(0).0,
        _ => composed(&network.name, &members, &mut Budget::steps(TOGETHER))?,
    };
    let mut spec = without_idle_clocks(spec);
    for condition in &given.assumed {
        let assumed = edges.assumption(condition, solver)?;
        spec.initial_condition = spec.initial_condition.and(assumed);
    }
    let purpose = match &wide.observing {
        None => None,
        Some(observing) => {
            if observing.restart.is_some() {
                let why = "a purpose with a restart action has no place in this method";
                return Err(Refusal::Mismatch(why.to_owned()));
            }
            let extra: Vec<EdgeId> = observing.otherwise.iter().flatten().copied().collect();
            let process = &wide.processes[observing.process];
            let target = extra.first().map(|edge| process.edges[*edge].target);
            let target = target.map(|location| LocationId::from_index(location.index()));
            let (observer, _) =
                automaton(&wide, &alphabet, &edges, observing.process, &extra, solver)?;
            let mut observer = without_idle_clocks(observer);
            if own > 1 {
                // What automata tell each other is not seen.
                observer.actions.clone_from(&spec.actions);
            }
            Some((observer, target))
        }
    };
    Ok(Read { spec, purpose })
}

/// Refuses networks that are not automata of the system which meet on channels.
fn refuse_network(network: &Network) -> Result<(), Refusal> {
    let refused = |why: String| {
        let name = &network.name;
        Err(Refusal::Hypothesis(format!("the processes of {name} cannot be read as one: {why}")))
    };
    if network.processes.len() == 1 {
        return Ok(());
    }
    if let Some(other) = network.processes.iter().find(|one| one.role == Role::Environment) {
        return refused(format!(
            "{} is part of the environment; leave that to the tester",
            other.name
        ));
    }
    if network.processes.is_empty() {
        return refused("there are none".to_owned());
    }
    for channel in network.channels.iter() {
        let name = &channel.name;
        if channel.broadcast && channel.direction.is_none() {
            return refused(format!(
                "{name} is a broadcast channel; write one channel per receiver"
            ));
        }
        if channel.urgent {
            return refused(format!("{name} is urgent; give locations invariants instead"));
        }
        if channel.direction.is_some() && !channel.open {
            return refused(format!("{name} crosses the interface and meets a process, too"));
        }
    }
    // Queries may ask where processes are.
    let asked = |node: &tioga_model::Node| {
        let (span, mut queries) = (node.span, network.queries.iter());
        queries.any(|query| {
            query.span.file == span.file
                && query.span.start <= span.start
                && span.end <= query.span.end
        })
    };
    let mut places = network.code.nodes.iter().filter(|node| matches!(node.expr, Expr::At(..)));
    if places.any(|node| !asked(node)) {
        let why = "a condition asks where another process is; share a variable instead";
        return refused(why.to_owned());
    }
    Ok(())
}

fn automaton(
    model: &Model,
    alphabet: &Alphabet,
    edges: &Edges<'_>,
    id: ProcessId,
    left_out: &[EdgeId],
    solver: &mut dyn Solver,
) -> Result<Member, Refusal> {
    let process: &Process = &model.processes[id];
    let observer = id.index() >= edges.own;
    let mut locations = IdVec::new();
    for (at, location) in process.locations.iter_ids() {
        let marks = location.marks;
        if marks.urgent || marks.committed {
            return Err(Refusal::Hypothesis(format!(
                "the location {} is {}; in this method time passes between any two actions",
                location.name,
                if marks.urgent { "urgent" } else { "committed" }
            )));
        }
        let mark = match (marks.accept, marks.refuse) {
            (true, _) => Mark::Accept,
            (_, true) => Mark::Refuse,
            _ => Mark::Plain,
        };
        let invariant = edges.invariant(id, at, solver)?;
        locations.push(Location { name: location.name.clone(), mark, invariant });
    }
    let (constants, variables) = if observer {
        // A purpose reads the data of the specification, as if it were constant (KHO 6.1).
        let read = [&alphabet.constants[..], &alphabet.variables[..]].concat();
        (read, alphabet.observer_variables.clone())
    } else {
        (alphabet.constants.clone(), alphabet.variables.clone())
    };
    let own = if observer { &alphabet.observer_initial } else { &alphabet.initial };
    let mut initial = Vec::new();
    for (symbol, value) in own {
        let value: Rational = *value;
        let (left, right) = (Term::symbol(*symbol), Term::number(value));
        initial.push(Formula::equal(&alphabet.symbols, &left, &right)?);
    }
    let mut clocks: IdVec<crate::tiosa::ClockId, String> = IdVec::new();
    for (_, clock) in model.clocks.iter_ids() {
        clocks.push(alphabet.short_name(&clock.name));
    }
    let (written, parts) = edges.of(id, left_out, solver)?;
    let tiosa = Tiosa {
        name: process.name.clone(),
        symbols: alphabet.symbols.clone(),
        constants,
        variables,
        initial_condition: Formula::all(initial),
        clocks,
        actions: alphabet.actions.clone(),
        locations,
        initial: LocationId::from_index(process.initial.index()),
        edges: written,
    };
    Ok((tiosa, parts))
}

/// Leaves out clocks that are never compared.
fn without_idle_clocks(mut tiosa: Tiosa) -> Tiosa {
    let mut used = BTreeSet::new();
    for location in tiosa.locations.ids() {
        used.extend(tiosa.atoms(location).map(|atom| atom.clock));
    }
    let mut new = IdVec::new();
    let mut moved = std::collections::BTreeMap::new();
    for (id, name) in tiosa.clocks.iter_ids() {
        if used.contains(&id) {
            moved.insert(id, new.push(name.clone()));
        }
    }
    for location in tiosa.locations.iter_mut() {
        for atom in &mut location.invariant {
            atom.clock = moved[&atom.clock];
        }
    }
    for edge in tiosa.edges.iter_mut() {
        for atom in &mut edge.guard {
            atom.clock = moved[&atom.clock];
        }
        let resets = edge.resets.iter().filter_map(|clock| moved.get(clock).copied());
        edge.resets = resets.collect();
    }
    tiosa.clocks = new;
    tiosa
}
