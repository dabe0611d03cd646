//! Where a process would stop time, it gets stuck instead: it goes to a copy of the location in which
//! time passes, which takes the inputs of the location and does nothing else.
//!
//! Time ends in urgent locations, and at the bounds of invariants. A process gets stuck there only if it
//! has no edge of its own to take: one that has is obliged to take it. A bound that is excluded has no
//! last moment before it at which to get stuck. So it is included where the process gets stuck at it, every
//! edge has to come before it, and what counts is whether an edge was possible up to there.

use tioga_base::Span;
use tioga_model::{
    BinaryOp, ClockConstraint, ClockTerm, ClockUpdate, Condition, Conjunct, Control, Edge, Expr,
    Label, Location, LocationId, Marks, Network, Process, ProcessId, Role, TimeBound, Update,
};

use crate::negation::simplified;
use crate::possible::{available, meant, meets, otherwise, push, stays};

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
    fn reached(self) -> Option<ClockConstraint> {
        let (Self::At(clock, bound) | Self::Before(clock, bound)) = self else { return None };
        let bound = TimeBound::Constant(-bound);
        Some(ClockConstraint { left: None, right: Some(clock), strict: false, bound })
    }
}

/// Adds edges to where processes of the system get stuck.
pub fn get_stuck(network: &mut Network) {
    let system = network.processes.iter_ids().filter(|(_, body)| body.role == Role::System);
    let places: Vec<(ProcessId, LocationId)> = system
        .flat_map(|(process, body)| body.locations.ids().map(move |id| (process, id)))
        .collect();
    // What is possible is asked of the processes as they are, before any of them is changed.
    let ends: Vec<Vec<(End, Condition)>> =
        places.iter().map(|(process, location)| all_ends(network, *process, *location)).collect();
    for ((process, location), ends) in places.into_iter().zip(ends) {
        let mut stuck = None;
        for (end, guard) in ends {
            // The copy takes inputs after the bound, too: it is made before edges are limited.
            let target = *stuck.get_or_insert_with(|| stuck_location(network, process, location));
            if let End::Before(clock, bound) = end {
                include(network, (process, location), (clock, bound), &guard);
                limit(&mut network.processes[process], location, (clock, bound));
            }
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

/// Where time ends in a location, and when the process is stuck then.
fn all_ends(
    network: &mut Network,
    process: ProcessId,
    location: LocationId,
) -> Vec<(End, Condition)> {
    let mut ends = ends(&network.processes[process].locations[location]);
    ends.retain(|end| sayable(network, process, *end));
    let guarded = |end| Some((end, when_stuck(network, process, location, end)?));
    ends.into_iter().filter_map(guarded).collect()
}

/// The reasons why time ends in a location.
fn ends(location: &Location) -> Vec<End> {
    if location.marks.urgent || location.marks.committed {
        return vec![End::AtOnce];
    }
    let [end] = &location.invariant.disjuncts[..] else { return Vec::new() };
    let bounds = end.clocks.iter().filter_map(|one| match (one.left, one.right, one.bound) {
        (Some(clock), None, TimeBound::Constant(bound)) => Some(match one.strict {
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
fn just_before(constraint: &mut ClockConstraint) {
    match (constraint.left, constraint.right) {
        (Some(_), None) => constraint.strict = false,
        (None, Some(_)) => constraint.strict = true,
        _ => {}
    }
}

/// Whether it is plain which edges lead to an excluded bound: those of the process set its clock once at
/// most, under no condition, to a constant or from a clock that they do not set, and those of others set it below the bound.
fn sayable(network: &Network, process: ProcessId, end: End) -> bool {
    let End::Before(clock, bound) = end else { return true };
    let plain = |own: bool, edge: &Edge| {
        let mut sets = set_clocks(edge).filter(|set| meant(set.clock, clock));
        let Some(set) = sets.next() else { return true };
        let TimeBound::Constant(value) = set.value else { return false };
        let known = set.certain().is_some() && set.source.is_none_or(|source| stays(edge, source));
        let away = own || (set.source.is_none() && value < bound);
        known && away && sets.next().is_none()
    };
    let mut bodies = network.processes.iter_ids();
    clock.index.is_none()
        && bodies.all(|(id, body)| body.edges.iter().all(|edge| plain(id == process, edge)))
}

fn set_clocks(edge: &Edge) -> impl Iterator<Item = &ClockUpdate> {
    edge.updates.iter().filter_map(|update| match update {
        Update::Clock(set) => Some(set),
        Update::Data(_) => None,
    })
}

fn below(clock: ClockTerm, bound: i64) -> ClockConstraint {
    ClockConstraint {
        left: Some(clock),
        right: None,
        strict: true,
        bound: TimeBound::Constant(bound),
    }
}

/// Lets time reach an excluded bound of a location if the process is stuck then. A process that had
/// a step up to the bound had to take it, and does not reach the bound.
fn include(
    network: &mut Network,
    (process, location): (ProcessId, LocationId),
    (clock, bound): (ClockTerm, i64),
    stuck: &Condition,
) {
    let excluded = below(clock, bound);
    let reached = End::Before(clock, bound).reached();
    let always = |one: &Conjunct| one.data.is_none() && one.clocks.iter().eq(&reached);
    let always = stuck.disjuncts.iter().any(always);
    let mut invariant = network.processes[process].locations[location].invariant.clone();
    for mut conjunct in std::mem::take(&mut invariant.disjuncts) {
        let before = conjunct.clone();
        for constraint in conjunct.clocks.iter_mut().filter(|one| **one == excluded) {
            constraint.strict = false;
        }
        if always || conjunct == before {
            invariant.disjuncts.push(conjunct);
            continue;
        }
        invariant.disjuncts.push(before);
        for one in &stuck.disjuncts {
            let clocks: Vec<_> = conjunct.clocks.iter().chain(&one.clocks).cloned().collect();
            let Some(clocks) = simplified(&clocks) else { continue };
            let data = match (conjunct.data, one.data) {
                (Some(left), Some(right)) => {
                    Some(push(network, Expr::Binary(BinaryOp::And, left, right)))
                }
                (left, right) => left.or(right),
            };
            invariant.disjuncts.push(Conjunct { data, clocks });
        }
    }
    network.processes[process].locations[location].invariant = invariant;
}

/// Lets all edges come before a bound of a location, and none lead to it.
fn limit(body: &mut Process, location: LocationId, (clock, bound): (ClockTerm, i64)) {
    for edge in body.edges.iter_mut() {
        let mut limits = Vec::new();
        if edge.source == location {
            limits.push(below(clock, bound));
        }
        if edge.target == location {
            let set = set_clocks(edge).find(|set| set.clock == clock);
            match set.map(|set| (set.source, set.value)) {
                None => limits.push(below(clock, bound)),
                Some((Some(source), TimeBound::Constant(value))) => {
                    limits.push(below(source, bound.saturating_sub(value)));
                }
                Some((None, TimeBound::Constant(value))) if value < bound => {}
                Some(_) => edge.guard = Condition::never(),
            }
        }
        limits.dedup();
        for conjunct in &mut edge.guard.disjuncts {
            conjunct.clocks.extend(limits.iter().cloned());
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
        origin: Vec::new(),
        span: Span::default(),
    });
    for input in inputs {
        body.edges.push(Edge { source: stuck, ..input });
    }
    stuck
}
