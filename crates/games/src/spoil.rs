//! A quick proof that the tester cannot enforce its objective: a trap.
//!
//! In a strict game the system may stay idle unless time ends. So fix a lazy system: it moves only
//! where time ends and it has a move, and then makes one of few chosen moves. If the tester cannot
//! reach the goal against this system, whatever it does, it cannot enforce it. The states reached
//! against a lazy system are often very few compared with all states; if the goal is among them,
//! nothing is known, and the game has to be solved.
//!
//! Moves are chosen greedily: those that lead to states reached already, then those that lead
//! further away from the goal, until the system has a chosen move wherever it must have one.

use tioga_model::Control;
use tioga_zones::Federation;

use crate::{Arena, Candidate, Error, Game, NodeId};

/// How many discrete states are looked at before giving up.
const LIMIT: usize = 20_000;

/// Whether the board, with one root and nothing explored, could be made a trap without a goal.
///
/// Post: if so, every move of the tester from a state of the board leads to a state of the board,
/// and so does one move of the system wherever it has one and time ends.
pub fn succeeds(
    game: &mut Game<'_>,
    report: &mut dyn FnMut(usize, u64) -> bool,
) -> Result<bool, Error> {
    let mut scratch = game.arena.scratch();
    while let Some(node) = game.arena.take_waiting() {
        if game.arena.len() > LIMIT || !report(game.arena.len(), 0) {
            return Ok(false);
        }
        let (aim, reached) = game.look(&mut scratch, node)?;
        if !aim.goal.is_empty() {
            return Ok(false);
        }
        if aim.forbidden.includes(reached) {
            game.arena.seal(node);
        } else {
            let possible = game.arena.expand(&mut scratch, node)?;
            game.arena.explore(node, possible, |arena, all| lazily(arena, node, all))?;
        }
    }
    Ok(true)
}

/// All moves of the tester, and as few of the system as suffice.
fn lazily(arena: &Arena<'_>, node: NodeId, candidates: &[Candidate]) -> Vec<bool> {
    let mut chosen: Vec<bool> =
        candidates.iter().map(|one| one.edge.control == Control::Controllable).collect();
    let reached = arena.reached(node);
    let enabled = |candidate: &Candidate| {
        let target = arena.elapse(candidate.edge.target).invariant();
        let mut enabled = arena.before(&candidate.edge, target);
        enabled.intersect(reached);
        enabled
    };
    let mut system: Vec<(usize, Federation)> = candidates
        .iter()
        .enumerate()
        .filter(|(index, _)| !chosen[*index])
        .map(|(index, candidate)| (index, enabled(candidate)))
        .collect();
    let elapse = arena.elapse(node);
    let mut all = Federation::empty(arena.dimension());
    system.iter().for_each(|(_, enabled)| all.unite(enabled));
    all.merge();
    // Where the system must move: it can, and time ends while it can.
    let mut forced = elapse.ends_in(&all);
    forced.intersect(&elapse.expiring());
    forced.intersect(reached);
    system.sort_by_key(|(index, _)| {
        let target = candidates[*index].edge.target;
        (!arena.is_reached(target), u32::MAX - arena.missing(target), *index)
    });
    for (index, enabled) in system {
        if forced.is_empty() {
            break;
        }
        if forced.intersects(&enabled) {
            // Where time ends while this move is possible, it is enough from there on.
            let mut enough = elapse.past(&elapse.ends_in(&enabled));
            enough.unite(&enabled);
            forced.subtract(&enough);
            chosen[index] = true;
        }
    }
    chosen
}
