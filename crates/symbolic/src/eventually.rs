//! From which points something is possible eventually: a least fixpoint, computed backwards.
//!
//! `X = seed ∪ time-predecessor(predecessor(X))`, over the steps that are allowed. A discrete state of
//! which everything visited lies in `X` needs no further work: its set may then be taken to be
//! its whole domain, which keeps sets small (see [`Arena`]).

use std::collections::VecDeque;

use tioga_zones::{Federation, Point};

use crate::Error;
use crate::arena::{Arena, ArenaStep};
use crate::effort::Effort;

/// For each discrete state, the points from which a run over allowed steps leads into the seed, or
/// to where it is open what happens. Right on the points visited with the stopwatch at zero.
///
/// Pre: the seeds are closed under time-predecessors and, with a point, contain it with any
/// greater value of the stopwatch.
pub(crate) fn eventually(
    arena: &Arena<'_, '_>,
    mut sets: Vec<Federation>,
    allowed: impl Fn(&ArenaStep) -> bool,
    effort: &mut Effort,
) -> Result<Vec<Federation>, Error> {
    let mut done = vec![false; sets.len()];
    let mut outside: Vec<Option<Outside>> = vec![None; sets.len()];
    let mut waiting = VecDeque::new();
    for (state, set) in sets.iter_mut().enumerate() {
        set.unite(&arena.earlier(state, &arena.states[state].open, effort)?);
        done[state] = finish(arena, state, set, &mut outside[state], effort)?;
        if !set.is_empty() {
            waiting.push_back(state);
        }
    }
    let mut queued: Vec<bool> = sets.iter().map(|set| !set.is_empty()).collect();
    while let Some(target) = waiting.pop_front() {
        queued[target] = false;
        for &(source, step) in &arena.entries[target] {
            if done[source] || !allowed(&arena.states[source].steps[step]) {
                continue;
            }
            effort.spend(&sets[target])?;
            let before = arena.before(source, step, &sets[target]);
            let before = arena.earlier(source, &before, effort)?;
            let set = &mut sets[source];
            let mut grown = false;
            for zone in before.into_zones() {
                if !effort.includes_zone(set, &zone)? {
                    set.add(zone);
                    grown = true;
                }
            }
            if !grown {
                continue;
            }
            effort.spend(set)?;
            set.merge();
            done[source] = finish(arena, source, set, &mut outside[source], effort)?;
            if !queued[source] {
                queued[source] = true;
                waiting.push_back(source);
            }
        }
    }
    Ok(sets)
}

/// What was visited and is in no set so far: a point, and how many of the sets visited are included.
#[derive(Clone)]
struct Outside {
    point: Point,
    included: usize,
}

/// Whether everything visited is in the set; then it becomes the whole domain. Sets only grow, so what was
/// found outside is looked at first, and what was included is not looked at again.
fn finish(
    arena: &Arena<'_, '_>,
    state: usize,
    set: &mut Federation,
    outside: &mut Option<Outside>,
    effort: &mut Effort,
) -> Result<bool, Error> {
    let state = &arena.states[state];
    let included = match outside {
        Some(known) if !set.contains(&known.point) => return effort.go_on().map(|()| false),
        Some(known) => known.included,
        None => 0,
    };
    for (position, (_, reached)) in state.reached.iter().enumerate().skip(included) {
        if let Some(piece) = effort.next_piece(&mut reached.remainder(set))? {
            *outside = Some(Outside { point: piece.sample(), included: position });
            return Ok(false);
        }
    }
    *set = state.domain.clone();
    Ok(true)
}
