//! From which points infinitely many steps are possible in bounded time: a greatest fixpoint,
//! computed backwards.
//!
//! A run with infinitely many steps in finite time takes less than one unit from some moment on.
//! So such a run exists iff a reachable point with the stopwatch at zero lies in the greatest
//! solution of `Y = {stopwatch <= 1} ∩ time-predecessor(predecessor(Y))`. Every set of the
//! iteration is a union of regions (AD94), of which there are finitely many; a point of the
//! solution has a step into the solution again, and so for ever.

use std::collections::VecDeque;

use tioga_zones::{Bound, Federation};

use crate::Error;
use crate::arena::{Arena, ArenaStep};
use crate::effort::Effort;

/// For each discrete state, the points from which infinitely many allowed steps can be taken before
/// the stopwatch exceeds one unit. Right on the points visited if the search ended; otherwise not
/// all such points may be found. Sets may be empty where nothing of them was visited.
pub(crate) fn endless(
    arena: &Arena<'_, '_>,
    allowed: impl Fn(&ArenaStep) -> bool,
    effort: &mut Effort,
) -> Result<Vec<Federation>, Error> {
    let stopwatch = arena.stopwatch();
    let unit = Bound::le(1).expect("1 is in range");
    let mut sets: Vec<Federation> = Vec::new();
    for state in &arena.states {
        let mut set = state.domain.clone();
        set.constrain(stopwatch, 0, unit);
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
        let left = goes_on(arena, state, &sets, &allowed, effort)?;
        if effort.includes(&left, &sets[state])? {
            continue;
        }
        sets[state] = left;
        for (source, step) in &arena.entries[state] {
            if !queued[*source] && allowed(&arena.states[*source].steps[*step]) {
                queued[*source] = true;
                waiting.push_back(*source);
            }
        }
    }
    Ok(sets)
}

/// The points of a set from which a step leads into the sets, after some delay.
fn goes_on(
    arena: &Arena<'_, '_>,
    state: usize,
    sets: &[Federation],
    allowed: &impl Fn(&ArenaStep) -> bool,
    effort: &mut Effort,
) -> Result<Federation, Error> {
    let mut before = Federation::empty(arena.dimension());
    for (number, step) in arena.states[state].steps.iter().enumerate() {
        if !allowed(step) || sets[step.target].is_empty() {
            continue;
        }
        effort.spend(&sets[step.target])?;
        before.unite(&arena.before(state, number, &sets[step.target]));
    }
    let mut left = arena.earlier(state, &before, effort)?;
    left.intersect(&sets[state]);
    effort.spend(&left)?;
    left.merge();
    let met = |(_, reached): &(_, Federation)| reached.intersects(&left);
    if !arena.states[state].reached.iter().any(met) {
        return Ok(Federation::empty(arena.dimension()));
    }
    Ok(left)
}
