//! When the edges of a location are possible, and when none of them is, as conditions.

use tioga_base::Span;
use tioga_model::{
    BinaryOp, ChannelId, ChannelUse, ClockConstraint, ClockTerm, Condition, Conjunct, Edge, Expr,
    ExprId, Kind, Label, LocationId, Network, ProcessId, TimeBound, Update,
};

use crate::negation::{negation, simplified};

/// Whether a conjunction can hold together with an invariant, as far as constants tell.
pub(crate) fn meets(conjunct: &Conjunct, invariant: &Condition) -> bool {
    invariant.disjuncts.iter().any(|one| {
        let all: Vec<ClockConstraint> =
            one.clocks.iter().chain(&conjunct.clocks).cloned().collect();
        simplified(&all).is_some()
    })
}

/// The position of a channel among those that may be meant.
pub(crate) fn position(used: &ChannelUse, channel: ChannelId) -> Option<u32> {
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
                let (TimeBound::Constant(value), TimeBound::Constant(bound)) =
                    (set.value, moved.bound)
                else {
                    return Condition::always();
                };
                // A clock that is set from one which is set, too, has another value. One that is set under a
                // condition may keep its own.
                if set.when.is_some() || set.source.is_some_and(|source| !stays(edge, source)) {
                    return Condition::always();
                }
                let value = if left { -value } else { value };
                *(if left { &mut moved.left } else { &mut moved.right }) = set.source;
                moved.bound = TimeBound::Constant(bound.saturating_add(value));
            }
            if moved.left == moved.right {
                (moved.left, moved.right) = (None, None);
            }
            match (moved.left, moved.right, moved.bound) {
                (None, None, TimeBound::Constant(bound)) => {
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
