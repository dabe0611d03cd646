//! Where a process would stop time, it gets stuck instead: it goes to a copy of the location in which
//! time passes, which takes the inputs of the location and does nothing else.
//!
//! Time ends in urgent locations, and at the bounds of invariants. A process gets stuck there only if it
//! has no edge of its own to take: one that has is obliged to take it. A bound that is excluded has no
//! last moment before it at which to get stuck. So it is included, every edge has to come before it, and
//! what counts is whether an edge was possible up to there.

use tioga_base::Span;
use tioga_model::{
    Bound, ClockTerm, Condition, Constraint, Control, Edge, Label, Location, LocationId, Marks,
    Network, Process, ProcessId, Role, Update,
};

use crate::complete::{available, meets, otherwise};
use crate::negation::simplified;

/// Why time ends in a location.
#[derive(Clone, Copy)]
enum End {
    /// It never passes.
    AtOnce,
    /// A clock has reached a bound of the invariant.
    At(ClockTerm, i64),
    /// A clock would reach a bound that the invariant excludes.
    Before(ClockTerm, i64),
}

impl End {
    /// When time has ended.
    fn reached(self) -> Option<Constraint> {
        let (Self::At(clock, bound) | Self::Before(clock, bound)) = self else { return None };
        let bound = Bound::Constant(-bound);
        Some(Constraint { left: None, right: Some(clock), strict: false, bound })
    }
}

/// Adds edges to where processes of the system get stuck.
pub fn get_stuck(network: &mut Network) {
    let processes: Vec<ProcessId> = network.processes.ids().collect();
    for process in processes {
        if network.processes[process].role != Role::System {
            continue;
        }
        let locations: Vec<LocationId> = network.processes[process].locations.ids().collect();
        for location in locations {
            let mut stuck = None;
            for end in ends(&network.processes[process].locations[location]) {
                let Some(guard) = when_stuck(network, process, location, end) else { continue };
                if let End::Before(clock, bound) = end {
                    include(&mut network.processes[process], location, clock, bound);
                }
                let target =
                    *stuck.get_or_insert_with(|| stuck_location(network, process, location));
                network.processes[process].edges.push(Edge {
                    source: location,
                    target,
                    control: Control::Uncontrollable,
                    label: Label::Silent,
                    reply: None,
                    frame: 0,
                    guard,
                    updates: Vec::new(),
                    choices: Vec::new(),
                    span: Span::default(),
                });
            }
        }
    }
}

/// The reasons why time ends in a location.
fn ends(location: &Location) -> Vec<End> {
    if location.marks.urgent || location.marks.committed {
        return vec![End::AtOnce];
    }
    let [end] = &location.invariant.disjuncts[..] else { return Vec::new() };
    let bounds = end.clocks.iter().filter_map(|one| match (one.left, one.right, one.bound) {
        (Some(clock), None, Bound::Constant(bound)) => Some(match one.strict {
            true => End::Before(clock, bound),
            false => End::At(clock, bound),
        }),
        _ => None,
    });
    bounds.collect()
}

/// When time has ended and the process has nothing to do, if that can happen and can be said.
fn when_stuck(
    network: &mut Network,
    process: ProcessId,
    location: LocationId,
    end: End,
) -> Option<Condition> {
    let own = |edge: &Edge| !matches!(edge.label, Label::Receive(_));
    let mut own = available(network, process, location, None, own);
    if let End::Before(..) = end {
        let clocks = own.disjuncts.iter_mut().flat_map(|conjunct| conjunct.clocks.iter_mut());
        clocks.for_each(just_before);
    }
    let mut guard = otherwise(network, &own)?;
    let mut invariant = network.processes[process].locations[location].invariant.clone();
    if let End::Before(..) = end {
        let clocks = invariant.disjuncts.iter_mut().flat_map(|conjunct| conjunct.clocks.iter_mut());
        clocks.for_each(just_before);
    }
    for conjunct in &mut guard.disjuncts {
        conjunct.clocks.extend(end.reached());
    }
    guard.disjuncts.retain(|conjunct| meets(conjunct, &invariant));
    for conjunct in &mut guard.disjuncts {
        conjunct.clocks = simplified(&conjunct.clocks).unwrap_or_default();
    }
    (!guard.disjuncts.is_empty()).then_some(guard)
}

/// Turns a constraint into the one that holds now if the old one held up to now: a clock may just
/// have reached an upper bound, and must be beyond a lower one.
fn just_before(constraint: &mut Constraint) {
    match (constraint.left, constraint.right) {
        (Some(_), None) => constraint.strict = false,
        (None, Some(_)) => constraint.strict = true,
        _ => {}
    }
}

/// Lets time reach a bound of a location that was excluded. All edges still have to come before it.
fn include(body: &mut Process, location: LocationId, clock: ClockTerm, bound: i64) {
    let limit =
        Constraint { left: Some(clock), right: None, strict: true, bound: Bound::Constant(bound) };
    for constraint in body.locations[location]
        .invariant
        .disjuncts
        .iter_mut()
        .flat_map(|conjunct| conjunct.clocks.iter_mut())
    {
        if *constraint == limit {
            constraint.strict = false;
        }
    }
    for edge in body.edges.iter_mut() {
        let sets = |update: &Update| matches!(update, Update::Clock(set) if set.clock == clock);
        let enters = edge.target == location && !edge.updates.iter().any(sets);
        if edge.source == location || enters {
            edge.guard.disjuncts.iter_mut().for_each(|one| one.clocks.push(limit.clone()));
        }
    }
}

/// Adds a copy of a location in which time passes, and the process does nothing but take the inputs
/// of the location.
fn stuck_location(network: &mut Network, process: ProcessId, location: LocationId) -> LocationId {
    let body = &mut network.processes[process];
    let receiving = |edge: &&Edge| matches!(edge.label, Label::Receive(_));
    let inputs = body.edges.iter().filter(|edge| edge.source == location).filter(receiving);
    let inputs: Vec<Edge> = inputs.cloned().collect();
    let mut name = format!("{}_stuck", body.locations[location].name);
    while body.locations.iter().any(|location| location.name == name) {
        name.push('_');
    }
    let stuck = body.locations.push(Location {
        name,
        marks: Marks::default(),
        labels: Vec::new(),
        invariant: Condition::always(),
        span: Span::default(),
    });
    for input in inputs {
        body.edges.push(Edge { source: stuck, ..input });
    }
    stuck
}
