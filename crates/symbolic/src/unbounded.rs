//! Whether a clock has arbitrarily large values in states that count.
//!
//! It has iff a run that does not set it can take arbitrarily long and then end in such a state. So there
//! are points from which a run without setting the clock leads to a state that counts, and to a point of
//! the same kind after at least one unit: the greatest fixpoint of that. Every set of the iteration is a
//! union of regions (AD94), so a run that is longer than there are regions meets one again, and repeats.

use tioga_base::{Id, Span};
use tioga_model::{ClockId, Composer, Measured, Predicate};
use tioga_zones::Federation;

use crate::arena::{Arena, ArenaStep};
use crate::effort::Effort;
use crate::stays::{Place, diverging, holding, layers};
use crate::{Error, ZoneGraph};

/// A clock that is measured in states that count.
#[derive(Clone, Copy)]
pub(crate) struct Counted<'p> {
    /// As zones number clocks.
    pub clock: usize,
    /// What is measured: where it is this clock.
    pub measured: Measured,
    pub inside: &'p Predicate,
    pub span: Span,
}

/// Whether the clock is unbounded where it is measured.
///
/// Pre: no step sets the clock from another.
pub(crate) fn unbounded<'m>(
    graph: &ZoneGraph<'m>,
    arena: &Arena<'_, 'm>,
    counted: Counted<'_>,
    effort: &mut Effort,
) -> Result<bool, Error> {
    let goals = goals(graph, arena, counted)?;
    let waits = |(state, goal): (&crate::arena::ArenaState, &Federation)| {
        let closed = goal.zones().iter().filter(|zone| zone.is_delay_closed());
        let reached = || state.reached.iter().map(|(_, reached)| reached);
        state.elapse.passes_time()
            && state.elapse.urgent().is_empty()
            && closed.into_iter().any(|zone| {
                let zone = Federation::from(zone.clone());
                reached().any(|reached| reached.intersects(&zone))
            })
    };
    if arena.states.iter().zip(&goals).any(waits) {
        return Ok(true);
    }
    let places: Vec<Place> = arena.states.iter().map(|state| Place::whole(&state.elapse)).collect();
    let keeps = |step: &ArenaStep| step.jump.assignments().all(|(set, ..)| set != counted.clock);
    let mut sets = Vec::new();
    for (state, layers) in layers(arena, &places, &goals, &keeps, effort)?.iter().enumerate() {
        let mut set = Federation::empty(arena.dimension());
        layers.iter().for_each(|layer| set.unite(&layer.points));
        set.intersect(&arena.states[state].domain);
        effort.spend(&set)?;
        set.merge();
        sets.push(set);
    }
    let sets = diverging(arena, &places, sets, &keeps, effort)?.sets;
    Ok(arena
        .states
        .iter()
        .zip(&sets)
        .any(|(state, set)| state.reached.iter().any(|(_, reached)| reached.intersects(set))))
}

/// For each discrete state, the points that count if the clock is measured there.
fn goals<'m>(
    graph: &ZoneGraph<'m>,
    arena: &Arena<'_, 'm>,
    counted: Counted<'_>,
) -> Result<Vec<Federation>, Error> {
    let mut composer = Composer::new(arena.model());
    let condition = counted.measured.condition();
    let mut goals = Vec::new();
    for (number, state) in arena.states.iter().enumerate() {
        let mut goal = Federation::empty(arena.dimension());
        if let Some(condition) = &condition {
            let guard = composer.condition(&state.discrete, condition, counted.span)?;
            let bounds = guard.disjuncts.iter().flatten();
            let index = |clock: Option<ClockId>| clock.map(|clock| clock.index() + 1);
            let is = |clock: Option<ClockId>| index(clock) == Some(counted.clock);
            if bounds.into_iter().any(|bound| is(bound.left) || is(bound.right)) {
                let inside = (counted.inside, counted.span);
                goal = holding(graph, &mut composer, arena, number, inside)?;
                goal.intersect(&state.domain);
            }
        }
        goals.push(goal);
    }
    Ok(goals)
}
