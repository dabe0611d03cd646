//! Objectives that say what to avoid: `A[] p` and `A[ p W q ]`.
//!
//! Here it is the system that wants to reach something: a state outside `p` (and not in `q`). The
//! *danger* is where the system has won already or has a move to such a state. The tester wins if
//! there is no danger ahead, if time leads to `q` with no danger before, or if it has a move out of
//! what the system wins, with no danger before and none at that moment, since the system may go
//! first. The system wins from the other states. If danger and the way out begin together and have
//! no first moment, whatever moment the tester chooses, the system can choose an earlier one.
//!
//! A run that ends, because time stands still and no side moves, has avoided everything. In fair games
//! moves to failed tests count for neither side.

use std::collections::BTreeSet;

use tioga_base::{Cancel, Id};
use tioga_model::Control;
use tioga_testcase::Rank;
use tioga_zones::{Arrival, Federation};

use crate::{Error, Game, Levels, NodeId};

/// The sets of states from which the system can enforce the violation within so many steps.
/// Explores what is not explored yet; `None` if told to stop.
pub fn ranks(
    game: &mut Game<'_>,
    cancel: &Cancel,
    report: &mut dyn FnMut(usize, u64) -> bool,
) -> Result<Option<Vec<Levels>>, Error> {
    let mut updates = 0;
    while !game.explore(1, cancel)?.is_empty() {
        updates += 1;
        if cancel.is_cancelled() || updates % 256 == 0 && !report(game.arena.len(), 0) {
            return Ok(None);
        }
    }
    let mut levels = vec![Levels::default(); game.arena.len()];
    let mut dirty = BTreeSet::new();
    for node in game.arena.ids() {
        if let Some(aim) = game.aim(node).filter(|aim| !aim.goal.is_empty()) {
            levels[node.index()].push(Rank::ZERO, aim.goal.clone());
            dirty.insert(node);
            dirty.extend(game.arena.dependents(node));
        }
    }
    let mut rank = Rank::ZERO;
    updates = 0;
    while !dirty.is_empty() {
        rank.steps += 1;
        let mut grown = Vec::new();
        for node in &dirty {
            updates += 1;
            if cancel.is_cancelled() || updates % 256 == 0 && !report(game.arena.len(), updates) {
                return Ok(None);
            }
            let set = step(game, *node, &levels);
            let own = levels[node.index()].last();
            if !set.is_empty() && own.is_none_or(|own| !own.includes(&set)) {
                grown.push((*node, set));
            }
        }
        dirty.clear();
        for (node, set) in grown {
            levels[node.index()].push(rank, set);
            dirty.insert(node);
            dirty.extend(game.arena.dependents(node));
        }
    }
    Ok(Some(levels))
}

/// What the system can enforce from a node in one more step.
fn step(game: &Game<'_>, node: NodeId, levels: &[Levels]) -> Federation {
    let arena = &game.arena;
    let reached = arena.reached(node);
    let own = levels[node.index()].last();
    let mut danger = own.cloned().unwrap_or_else(|| Federation::empty(arena.dimension()));
    let mut escape = Federation::empty(arena.dimension());
    for edge in arena.edges(node).iter().filter(|edge| !game.is_fail(edge.target)) {
        let lost = levels[edge.target.index()].last();
        match (edge.control, lost) {
            (Control::Uncontrollable, None) => {}
            (Control::Uncontrollable, Some(lost)) => danger.unite(&arena.before(edge, lost)),
            (Control::Controllable, lost) => {
                let mut safe = arena.reached(edge.target).clone();
                if let Some(lost) = lost {
                    safe.subtract(lost);
                }
                escape.unite(&arena.before(edge, &safe));
            }
        }
    }
    let nothing = Federation::empty(arena.dimension());
    let forbidden = game.aim(node).map_or(&nothing, |aim| &aim.forbidden);
    danger.subtract(forbidden);
    danger.intersect(reached);
    danger.merge();
    escape.intersect(reached);
    escape.merge();
    let elapse = arena.elapse(node);
    let mut saved = elapse.timed_predecessor(forbidden, &danger, Arrival::MayBeBad);
    saved.unite(&elapse.timed_predecessor(&escape, &danger, Arrival::Safe));
    let mut result = elapse.past(&danger);
    result.subtract(&saved);
    result.intersect(reached);
    result.merge();
    result
}
