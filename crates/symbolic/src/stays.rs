//! Maximal runs that stay in a set of states: greatest fixpoints, computed backwards.
//!
//! A run is *maximal* if it has infinitely many steps, if time passes for ever at its end, or if it ends
//! where neither a step nor a delay is possible. Where a bound is strict and so never reached, waiting
//! towards it without a step counts as an end too. The points from which a maximal run stays inside are
//! the greatest solution of `Y = inside ∩ (ends ∪ time-predecessor(predecessor(Y)))`, where time passes
//! through points inside only ([`Elapse`] is exact for sets that are not convex).
//!
//! On some of these runs time diverges: the points from which one of those begins are the greatest solution
//! of `Z = the points from which a run leads into Z after at least one unit`. Every set of these
//! iterations is a union of regions (AD94), of which there are finitely many.

use std::collections::VecDeque;

use tioga_base::Span;
use tioga_model::{Composer, Predicate, Steps};
use tioga_zones::{Bound, Federation};

use crate::arena::{Arena, ArenaStep};
use crate::effort::Effort;
use crate::elapse::with_clock;
use crate::goal::{possible, satisfying};
use crate::{Elapse, Error, ZoneGraph};

/// A discrete state, restricted to the points inside; with the stopwatch, which is free.
pub(crate) struct Place {
    /// How time passes inside.
    pub inside: Elapse,
    /// The points inside where neither a step nor a delay is possible.
    pub dead: Federation,
    /// The points from which a delay through points inside leads to a dead one.
    pub ending: Federation,
    /// The points from which time passes for ever, through points inside.
    pub for_ever: Federation,
    /// The points from which time passes through points inside towards a bound it never reaches.
    pub approaching: Federation,
}

/// Which points are inside: those that satisfy a predicate, or those that do not.
#[derive(Clone, Copy)]
pub(crate) struct Inside<'p> {
    pub predicate: &'p Predicate,
    pub negated: bool,
    pub span: Span,
}

/// The points of the discrete states that are inside, as time sees them. If it is said where runs may begin, no point
/// counts as inside of a discrete state that no run gets to from there while it is inside.
pub(crate) fn places<'m>(
    graph: &ZoneGraph<'m>,
    arena: &Arena<'_, 'm>,
    inside: Inside<'_>,
    begin: Option<&[Federation]>,
    effort: &mut Effort,
) -> Result<Vec<Place>, Error> {
    let mut composer = Composer::new(arena.model());
    let met = match begin {
        Some(begin) => met(graph, arena, &mut composer, inside, begin, effort)?,
        None => vec![true; arena.states.len()],
    };
    let mut places = Vec::with_capacity(met.len());
    for (state, met) in met.into_iter().enumerate() {
        places.push(match met {
            true => place(graph, arena, &mut composer, state, inside, effort)?,
            false => Place::outside(&arena.states[state].elapse),
        });
    }
    Ok(places)
}

/// Which discrete states are met by steps from where runs may begin, if points inside remain there.
fn met<'m>(
    graph: &ZoneGraph<'m>,
    arena: &Arena<'_, 'm>,
    composer: &mut Composer<'m>,
    inside: Inside<'_>,
    begin: &[Federation],
    effort: &mut Effort,
) -> Result<Vec<bool>, Error> {
    let mut met = vec![false; arena.states.len()];
    let mut waiting: Vec<usize> =
        (0..met.len()).filter(|state| !begin[*state].is_empty()).collect();
    while let Some(state) = waiting.pop() {
        effort.go_on()?;
        if met[state] {
            continue;
        }
        let here = &arena.states[state];
        let holding = holding(graph, composer, arena, state, (inside.predicate, inside.span))?;
        let leaves = match inside.negated {
            true => effort.includes(&holding, &here.domain)?,
            false => holding.is_empty(),
        };
        if !leaves {
            met[state] = true;
            waiting.extend(here.steps.iter().map(|step| step.target));
        }
    }
    Ok(met)
}

/// The points of a discrete state that satisfy a predicate; the stopwatch is free.
pub(crate) fn holding<'m>(
    graph: &ZoneGraph<'m>,
    composer: &mut Composer<'m>,
    arena: &Arena<'_, 'm>,
    state: usize,
    (predicate, span): (&Predicate, Span),
) -> Result<Federation, Error> {
    let holding = satisfying(graph, composer, &arena.states[state].discrete, predicate, span)?;
    Ok(lifted(&holding))
}

fn lifted(set: &Federation) -> Federation {
    Federation::from_zones(set.dimension() + 1, set.zones().iter().map(with_clock))
}

fn place<'m>(
    graph: &ZoneGraph<'m>,
    arena: &Arena<'_, 'm>,
    composer: &mut Composer<'m>,
    state: usize,
    inside: Inside<'_>,
    effort: &mut Effort,
) -> Result<Place, Error> {
    effort.go_on()?;
    let here = &arena.states[state];
    let whole = &here.elapse;
    let mut set = holding(graph, composer, arena, state, (inside.predicate, inside.span))?;
    if inside.negated {
        set = effort.minus(whole.invariant(), &set)?;
    }
    effort.spend(&set)?;
    set.merge();
    let empty = Federation::empty(arena.dimension());
    let [mut dead, mut for_ever, mut approaching] = [(); 3].map(|()| empty.clone());
    if !set.is_empty() {
        let stopwatch = arena.stopwatch();
        let mut later = whole.invariant().clone();
        later.constrain(0, stopwatch, Bound::LT_ZERO);
        let mut moving = effort.past(whole, &later)?;
        moving.constrain(stopwatch, 0, Bound::LE_ZERO);
        moving.free(stopwatch);
        let stopped = effort.minus(whole.invariant(), &moving)?;
        dead = stopped.clone();
        dead.intersect(&set);
        let mut steps = Steps::new();
        composer.steps(&here.discrete, &mut steps);
        for step in &steps.list {
            if dead.is_empty() {
                break;
            }
            let possible = possible(composer, &here.discrete, step)?;
            dead = effort.minus(&dead, &lifted(&possible))?;
        }
        let outside = effort.minus(whole.invariant(), &set)?;
        let stopping = past(effort, whole, &stopped)?;
        let leaving = past(effort, whole, &outside)?;
        let waiting = effort.minus(&set, &stopping)?;
        let waiting = effort.minus(&waiting, &leaving)?;
        let expiring = whole.expiring();
        for_ever = effort.minus(&waiting, &expiring)?;
        approaching = waiting;
        approaching.intersect(&expiring);
    }
    let inside = Elapse::new(set, whole.urgent().clone(), whole.passes_time());
    let ending = past(effort, &inside, &dead)?;
    Ok(Place { inside, dead, ending, for_ever, approaching })
}

fn past(effort: &mut Effort, place: &Elapse, set: &Federation) -> Result<Federation, Error> {
    if set.is_empty() { Ok(set.clone()) } else { effort.past(place, set) }
}

/// For each discrete state, the points from which a maximal run stays inside. Right on the points visited
/// if the search ended; otherwise some may be missing.
pub(crate) fn staying(
    arena: &Arena<'_, '_>,
    places: &[Place],
    effort: &mut Effort,
) -> Result<Vec<Federation>, Error> {
    let mut sets: Vec<Federation> = Vec::new();
    for (state, place) in arena.states.iter().zip(places) {
        let mut set = state.domain.clone();
        set.intersect(place.inside.invariant());
        sets.push(set);
    }
    // What is found last can often go on least, so it comes first.
    let mut waiting: VecDeque<usize> = (0..sets.len()).rev().collect();
    let mut queued = vec![true; sets.len()];
    while let Some(state) = waiting.pop_front() {
        queued[state] = false;
        if sets[state].is_empty() {
            continue;
        }
        let left = going_on(arena, places, state, &sets, effort)?;
        if effort.includes(&left, &sets[state])? {
            continue;
        }
        sets[state] = left;
        for (source, _) in &arena.entries[state] {
            if !queued[*source] {
                queued[*source] = true;
                waiting.push_back(*source);
            }
        }
    }
    Ok(sets)
}

/// The points of a set at which a run may end, or from which a step leads into the sets after some delay.
fn going_on(
    arena: &Arena<'_, '_>,
    places: &[Place],
    state: usize,
    sets: &[Federation],
    effort: &mut Effort,
) -> Result<Federation, Error> {
    let place = &places[state];
    let mut left = place.ending.clone();
    left.unite(&place.for_ever);
    left.unite(&place.approaching);
    let mut before = Federation::empty(arena.dimension());
    for (number, step) in arena.states[state].steps.iter().enumerate() {
        if !sets[step.target].is_empty() {
            effort.spend(&sets[step.target])?;
            before.unite(&arena.before(state, number, &sets[step.target]));
        }
    }
    left.unite(&past(effort, &place.inside, &before)?);
    left.intersect(&sets[state]);
    effort.spend(&left)?;
    left.merge();
    Ok(left)
}

impl Place {
    /// A place none of which is inside.
    fn outside(elapse: &Elapse) -> Self {
        let [inside, dead, ending, for_ever, approaching] =
            [(); 5].map(|()| Federation::empty(elapse.invariant().dimension()));
        let inside = Elapse::new(inside, elapse.urgent().clone(), elapse.passes_time());
        Self { inside, dead, ending, for_ever, approaching }
    }

    /// A place all of which is inside, of which only how time passes is known.
    pub fn whole(elapse: &Elapse) -> Self {
        let [dead, ending, for_ever, approaching] =
            [(); 4].map(|()| Federation::empty(elapse.invariant().dimension()));
        Self { inside: elapse.clone(), dead, ending, for_ever, approaching }
    }
}

/// Points from which a run inside leads into a set, by the same first move.
pub(crate) struct Layer {
    /// Runs from here go on through layers with smaller numbers.
    pub number: usize,
    pub points: Federation,
    /// The step of the discrete state that is taken, after a delay; none where a delay leads into the set.
    pub step: Option<usize>,
}

/// Runs on which time diverges.
pub(crate) struct Diverging {
    /// For each discrete state, the points from which one begins; the stopwatch is free.
    pub sets: Vec<Federation>,
    /// For each discrete state, from where a run leads into these sets with the stopwatch at one at least.
    pub layers: Vec<Vec<Layer>>,
}

/// The points among those given from which a run of allowed steps stays inside on which time diverges.
///
/// Pre: from all other points there is no such run.
pub(crate) fn diverging(
    arena: &Arena<'_, '_>,
    places: &[Place],
    mut sets: Vec<Federation>,
    allowed: &dyn Fn(&ArenaStep) -> bool,
    effort: &mut Effort,
) -> Result<Diverging, Error> {
    let stopwatch = arena.stopwatch();
    loop {
        let late: Vec<Federation> = sets.iter().map(|set| late(arena, set)).collect();
        let layers = layers(arena, places, &late, allowed, effort)?;
        let mut changed = false;
        for (set, layers) in sets.iter_mut().zip(&layers) {
            let mut left = Federation::empty(arena.dimension());
            for layer in layers {
                left.unite(&layer.points);
            }
            left.constrain(stopwatch, 0, Bound::LE_ZERO);
            left.free(stopwatch);
            left.intersect(set);
            if !effort.includes(&left, set)? {
                left.merge();
                *set = left;
                changed = true;
            }
        }
        if !changed {
            return Ok(Diverging { sets, layers });
        }
    }
}

/// From where a run of allowed steps inside leads into the sets.
pub(crate) fn layers(
    arena: &Arena<'_, '_>,
    places: &[Place],
    sets: &[Federation],
    allowed: &dyn Fn(&ArenaStep) -> bool,
    effort: &mut Effort,
) -> Result<Vec<Vec<Layer>>, Error> {
    let mut layers: Vec<Vec<Layer>> = Vec::new();
    let mut known: Vec<Federation> = Vec::new();
    let mut waiting = VecDeque::new();
    for (state, set) in sets.iter().enumerate() {
        let points = past(effort, &places[state].inside, set)?;
        if !points.is_empty() {
            waiting.push_back(state);
        }
        known.push(points.clone());
        layers.push(vec![Layer { number: 0, points, step: None }]);
    }
    let mut queued: Vec<bool> = known.iter().map(|set| !set.is_empty()).collect();
    let mut number = 0;
    while let Some(target) = waiting.pop_front() {
        queued[target] = false;
        for &(source, step) in &arena.entries[target] {
            if !allowed(&arena.states[source].steps[step]) {
                continue;
            }
            effort.spend(&known[target])?;
            let mut before = arena.before(source, step, &known[target]);
            before.intersect(places[source].inside.invariant());
            let before = past(effort, &places[source].inside, &before)?;
            let mut points = Federation::empty(arena.dimension());
            for zone in before.into_zones() {
                if !effort.includes_zone(&known[source], &zone)? {
                    points.add(zone);
                }
            }
            if points.is_empty() {
                continue;
            }
            number += 1;
            known[source].unite(&points);
            effort.spend(&known[source])?;
            known[source].merge();
            layers[source].push(Layer { number, points, step: Some(step) });
            if !queued[source] {
                queued[source] = true;
                waiting.push_back(source);
            }
        }
    }
    Ok(layers)
}

/// The points of a set at which the stopwatch shows one unit at least.
pub(crate) fn late(arena: &Arena<'_, '_>, set: &Federation) -> Federation {
    let mut late = set.clone();
    late.constrain(0, arena.stopwatch(), Bound::le(-1).expect("1 is in range"));
    late
}
