//! Mutants as systems: they take every input at any time, and time never stops for them.
//!
//! Conformance is a relation between a specification and such systems. A mutant that lost an input
//! would otherwise never be asked: the tester's input would simply not be possible. And one that lost
//! an output would stop time where its invariant ends, so that nobody could ever see it be late. So a
//! mutant is completed before it is judged:
//!
//! - Where an input is taken by no edge, an edge back to the same location takes it and changes
//!   nothing. That is done for inputs which one process alone receives: if several do, or all listen to
//!   a broadcast, an input is taken as soon as one takes it. Urgent inputs are left alone, too, because
//!   one that is always possible would stop time.
//! - Where an invariant ends, or a location is urgent, and the process has no edge of its own to take, it
//!   gets stuck: it goes to a copy of the location in which time passes, which still takes the inputs
//!   of the location and otherwise stays silent.
//!
//! Both are done where it can be said with constants. Neither fits every model: one whose silent moves
//! decide which inputs it takes, or that stops time in other ways, would not conform to itself when
//! completed. Whoever judges mutants has to ask for the parts that leave the model as it is.

use tioga_base::Span;
use tioga_model::{
    BinaryOp, Bound, ChannelId, ChannelUse, ClockTerm, Condition, Conjunct, Constraint, Control,
    Direction, Edge, Expr, ExprId, Kind, Label, LocationId, Network, ProcessId, Role, Type, Update,
};

use crate::mutant::ignoring;
use crate::negation::{negation, simplified};
use crate::stuck::get_stuck;

/// What is completed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Completion {
    /// Inputs that are not taken are ignored.
    pub inputs: bool,
    /// A process gets stuck where it would stop time.
    pub time: bool,
}

impl Completion {
    /// From everything to nothing.
    pub const ALL: [Self; 4] = [
        Self { inputs: true, time: true },
        Self { inputs: true, time: false },
        Self { inputs: false, time: true },
        Self { inputs: false, time: false },
    ];
}

/// Completes a network as described above. New locations and edges follow after those of each
/// process.
pub fn complete(network: &mut Network, completion: Completion) {
    if completion.time {
        get_stuck(network);
    }
    if completion.inputs {
        ignore_inputs(network);
    }
}

/// Whether a conjunction can hold together with an invariant, as far as constants tell.
pub(crate) fn meets(conjunct: &Conjunct, invariant: &Condition) -> bool {
    invariant.disjuncts.iter().any(|one| {
        let all: Vec<Constraint> = one.clocks.iter().chain(&conjunct.clocks).cloned().collect();
        simplified(&all).is_some()
    })
}

/// Adds edges that ignore inputs where they are not taken.
fn ignore_inputs(network: &mut Network) {
    let channels: Vec<ChannelId> = network.channels.ids().collect();
    for channel in channels {
        let declared = &network.channels[channel];
        let usual = !declared.broadcast && !declared.urgent;
        if !usual || declared.direction != Some(Direction::Input) {
            continue;
        }
        let slots: u64 = declared.parameters.iter().map(Type::slots).sum();
        let frame = u32::try_from(slots).unwrap_or(u32::MAX);
        let Some(process) = only_receiver(network, channel) else { continue };
        let locations: Vec<LocationId> = network.processes[process].locations.ids().collect();
        for location in locations {
            let taking = |edge: &Edge| matches!(edge.label, Label::Receive(_));
            let taken = available(network, process, location, Some(channel), taking);
            let Some(mut guard) = otherwise(network, &taken) else { continue };
            let invariant = &network.processes[process].locations[location].invariant;
            guard.disjuncts.retain(|conjunct| meets(conjunct, invariant));
            if guard.disjuncts.is_empty() {
                continue;
            }
            let edge = ignoring(channel, location, guard, frame, Control::Controllable);
            network.processes[process].edges.push(edge);
        }
    }
}

/// The process of the system that alone receives on a channel, or the first one if none does.
fn only_receiver(network: &Network, channel: ChannelId) -> Option<ProcessId> {
    let system = || network.processes.iter_ids().filter(|(_, body)| body.role == Role::System);
    let mut receivers = system().filter(|(_, body)| {
        body.edges.iter().any(
            |edge| matches!(&edge.label, Label::Receive(used) if position(used, channel).is_some()),
        )
    });
    match (receivers.next(), receivers.next()) {
        (Some((process, _)), None) => Some(process),
        (None, None) => system().next().map(|(process, _)| process),
        _ => None,
    }
}

/// The position of a channel among those that may be meant.
fn position(used: &ChannelUse, channel: ChannelId) -> Option<u32> {
    let length = used.index.map_or(1, |(_, length)| length);
    channel.0.checked_sub(used.channel.0).filter(|position| *position < length)
}

/// When one of these edges of a location is possible; of those that receive, the ones that receive
/// on the given channel.
pub(crate) fn available(
    network: &mut Network,
    process: ProcessId,
    location: LocationId,
    channel: Option<ChannelId>,
    wanted: impl Fn(&Edge) -> bool,
) -> Condition {
    let body = &network.processes[process];
    let mut taken = Vec::new();
    for edge in body.edges.iter().filter(|edge| edge.source == location && wanted(edge)) {
        let index = match (&edge.label, channel) {
            (Label::Receive(used), Some(channel)) => {
                let Some(position) = position(used, channel) else { continue };
                used.index.map(|(index, _)| (index, i64::from(position)))
            }
            _ => None,
        };
        let target = &body.locations[edge.target].invariant;
        taken.push((edge.guard.clone(), index, arrival(edge, target)));
    }
    let mut push = |expr: Expr| push(network, expr);
    let mut all = Condition::never();
    for (guard, index, arrival) in taken {
        for mut conjunct in guard.disjuncts {
            if let Some((index, position)) = index {
                let position = push(Expr::Int(position));
                let meant = push(Expr::Binary(BinaryOp::Eq, index, position));
                conjunct.data = Some(match conjunct.data {
                    None => meant,
                    Some(data) => push(Expr::Binary(BinaryOp::And, data, meant)),
                });
            }
            for more in &arrival.disjuncts {
                let mut conjunct = conjunct.clone();
                conjunct.clocks.extend(more.clocks.iter().cloned());
                all.disjuncts.push(conjunct);
            }
        }
    }
    all
}

/// When a condition does not hold, if that is not too much to say.
pub(crate) fn otherwise(network: &mut Network, condition: &Condition) -> Option<Condition> {
    negation(condition, &mut |expr| push(network, expr))
}

/// Adds an expression of truth values, or a number.
pub(crate) fn push(network: &mut Network, expr: Expr) -> ExprId {
    let kind = if matches!(expr, Expr::Int(_)) { Kind::Int } else { Kind::Bool };
    network.code.push(expr, kind, Span::default())
}

/// The clock part of when an edge may arrive: the target's invariant before the edge's resets. Where
/// that is not plain, it is taken to hold.
fn arrival(edge: &Edge, invariant: &Condition) -> Condition {
    let plain = invariant.disjuncts.iter().all(|conjunct| conjunct.data.is_none());
    if !plain || invariant.is_always() {
        return Condition::always();
    }
    let mut before = Condition::never();
    'disjuncts: for conjunct in &invariant.disjuncts {
        let mut clocks = Vec::new();
        for constraint in &conjunct.clocks {
            let mut moved = constraint.clone();
            for (left, side) in [(true, constraint.left), (false, constraint.right)] {
                let Some(term) = side else { continue };
                let mut sets = edge.updates.iter().rev().filter_map(|update| match update {
                    Update::Clock(update) if update.clock.clock == term.clock => Some(update),
                    _ => None,
                });
                let Some(set) = sets.next() else { continue };
                let (Bound::Constant(value), Bound::Constant(bound)) = (set.value, moved.bound)
                else {
                    return Condition::always();
                };
                // A clock that is set from one which is set, too, has another value.
                if set.source.is_some_and(|source| !stays(edge, source)) {
                    return Condition::always();
                }
                let value = if left { -value } else { value };
                *(if left { &mut moved.left } else { &mut moved.right }) = set.source;
                moved.bound = Bound::Constant(bound.saturating_add(value));
            }
            if moved.left == moved.right {
                (moved.left, moved.right) = (None, None);
            }
            match (moved.left, moved.right, moved.bound) {
                (None, None, Bound::Constant(bound)) => {
                    if bound < 0 || (bound == 0 && moved.strict) {
                        continue 'disjuncts;
                    }
                }
                _ => clocks.push(moved),
            }
        }
        before.disjuncts.push(Conjunct { data: None, clocks });
    }
    before
}

/// Whether an edge leaves a single clock as it is.
pub(crate) fn stays(edge: &Edge, clock: ClockTerm) -> bool {
    let sets = |update: &Update| matches!(update, Update::Clock(set) if meant(set.clock, clock));
    clock.index.is_none() && !edge.updates.iter().any(sets)
}

/// Whether a term may mean a single clock.
pub(crate) fn meant(term: ClockTerm, clock: ClockTerm) -> bool {
    match term.index {
        None => term == clock,
        Some((_, length)) => (term.clock.0..term.clock.0 + length).contains(&clock.clock.0),
    }
}
