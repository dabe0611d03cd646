//! Which clock valuations of a discrete state satisfy a predicate, exactly.

use tioga_base::Span;
use tioga_model::{ClockConjunction, Composer, DiscreteState, Move, MoveLabel, Moves, Predicate};
use tioga_zones::{Federation, Zone};

use crate::zone_graph::{alternatives, constrain};
use crate::{Error, ZoneGraph, witness};

/// The zones of a discrete state in which a predicate holds, within its invariant.
///
/// A state is deadlocked if no move is possible from it, now or after any delay it allows.
pub(crate) fn zones<'m>(
    graph: &ZoneGraph<'m>,
    composer: &mut Composer<'m>,
    state: &DiscreteState,
    predicate: &Predicate,
    span: Span,
) -> Result<Vec<Zone>, Error> {
    if let Predicate::Holds(condition) = predicate {
        let guard = composer.condition(state, condition, span)?;
        let guard = composer.invariant(state)?.and(&guard);
        let mut zones = Vec::new();
        for conjunction in &guard.disjuncts {
            let mut zone = Zone::universal(graph.dimension());
            if constrain(&mut zone, conjunction)? {
                zones.push(zone);
            }
        }
        return Ok(zones);
    }
    let Some(invariant) = graph.invariant(composer, state)? else { return Ok(Vec::new()) };
    let mut inside = Zone::universal(graph.dimension());
    if !constrain(&mut inside, &invariant)? {
        return Ok(Vec::new());
    }
    let mut lively = lively(graph, composer, state, &inside, |_| true)?;
    if *predicate == Predicate::NoDeadlock {
        lively.intersect_zone(&inside);
        return Ok(lively.into_zones());
    }
    let mut dead = Federation::from(inside);
    dead.subtract(&lively);
    Ok(dead.into_zones())
}

/// The valuations from which some move that counts is possible, now or later.
fn lively<'m>(
    graph: &ZoneGraph<'m>,
    composer: &mut Composer<'m>,
    state: &DiscreteState,
    inside: &Zone,
    counts: impl Fn(&Move) -> bool,
) -> Result<Federation, Error> {
    let mut moves = Moves::new();
    let may_delay = graph.may_delay(composer, state, &mut moves)?;
    composer.moves(state, &mut moves);
    let mut lively = Federation::empty(graph.dimension());
    for step in moves.list.iter().filter(|step| counts(step)) {
        let Ok(applied) = composer.apply(state, step) else { continue };
        let Some(target) = graph.invariant(composer, &applied.target)? else { continue };
        let Some(before) = before(graph, &target, &applied.assignments)? else { continue };
        for alternative in alternatives(step) {
            let mut zone = inside.clone();
            if constrain(&mut zone, &alternative)? && zone.intersect(&before).is_ok() {
                lively.add(zone);
            }
        }
    }
    if may_delay {
        lively.past();
    }
    Ok(lively)
}

/// The valuations of a discrete state from which time cannot pass for ever and no move but an open
/// input is possible, now or later: the model is stuck unless the tester sends. Inputs that a
/// process of the environment sends are moves of the model.
pub(crate) fn timelocked<'m>(
    graph: &ZoneGraph<'m>,
    composer: &mut Composer<'m>,
    state: &DiscreteState,
) -> Result<Vec<Zone>, Error> {
    let Some(invariant) = graph.invariant(composer, state)? else { return Ok(Vec::new()) };
    let bounded = invariant.iter().any(|bound| bound.left.is_some() && bound.right.is_none());
    if !bounded && graph.may_delay(composer, state, &mut Moves::new())? {
        return Ok(Vec::new());
    }
    let mut inside = Zone::universal(graph.dimension());
    if !constrain(&mut inside, &invariant)? {
        return Ok(Vec::new());
    }
    let own = |step: &Move| match step.label {
        MoveLabel::Input(channel) | MoveLabel::Exchange(channel, _) => {
            !graph.model().channels[channel].open
        }
        MoveLabel::Output(_) | MoveLabel::Internal(_) => true,
    };
    let mut stuck = Federation::from_zones(graph.dimension(), [inside.clone()]);
    stuck.subtract(&lively(graph, composer, state, &inside, own)?);
    Ok(stuck.into_zones())
}

/// The valuations that the assignments lead into a conjunction; none if there is no such one.
fn before(
    graph: &ZoneGraph<'_>,
    target: &ClockConjunction,
    assignments: &[tioga_model::ClockAssignment],
) -> Result<Option<Zone>, Error> {
    let mut zone = Zone::universal(graph.dimension());
    if !constrain(&mut zone, target)? {
        return Ok(None);
    }
    for assignment in assignments.iter().rev() {
        if !witness::unassign(&mut zone, assignment) {
            return Ok(None);
        }
    }
    Ok(Some(zone))
}

/// The valuations of a discrete state in which a predicate holds, within its invariant.
pub fn satisfying<'m>(
    graph: &ZoneGraph<'m>,
    composer: &mut Composer<'m>,
    state: &DiscreteState,
    predicate: &Predicate,
    span: Span,
) -> Result<Federation, Error> {
    Ok(Federation::from_zones(graph.dimension(), zones(graph, composer, state, predicate, span)?))
}
