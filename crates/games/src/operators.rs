//! One step of the hierarchy W(j,i) in one node (HJM22 Def. 20, as made precise in the semantics).
//!
//! `π_d(S) = S ∪ tPred(S ∪ Pred_c(S), bad(S)) ∪ ftPred(S)` adds the states from which the tester
//! can enforce `S` in one step; `π_cl(S) = S ∪ tPred(S ∪ Pred(S), ∅)` those from which one move of
//! either side can reach it. Here `bad(S)` are the states where the system has a move to a state
//! outside `S`.
//!
//! A delay into `S` ends at the first state of it, or at any time where there is no first one. So
//! states of `S` are never bad on the way, although the system may have a move out of `S` there.
//!
//! `ftPred` are the states from which waiting suffices. In fair games: nothing bad lies ahead, and
//! a move of the system into `S` does. In strict games: besides, time ends, and it ends while the
//! system has such a move, so that it must take one.

use tioga_model::Control;
use tioga_testcase::Concept;
use tioga_zones::{Arrival, Federation};

use crate::{Arena, Game, NodeId};

/// Where the moves of a node lead, seen from the node: all sets lie in what it may reach.
#[derive(Clone, Debug)]
pub struct Around {
    /// Where the tester has a move into the set.
    pub by_input: Federation,
    /// Where the system has a move into the set.
    pub by_output: Federation,
    /// Where the system has a move to somewhere outside the set.
    pub bad: Federation,
}

/// Looks at the moves of a node towards a set given by its part in each node; `None` is empty.
///
/// Edges to places where the test has failed count for neither side.
pub fn around<'s>(
    game: &Game<'_>,
    node: NodeId,
    set: impl Fn(NodeId) -> Option<&'s Federation>,
) -> Around {
    let arena = &game.arena;
    let reached = arena.reached(node);
    let empty = Federation::empty(arena.dimension());
    let mut around = Around { by_input: empty.clone(), by_output: empty.clone(), bad: empty };
    for edge in arena.edges(node) {
        if game.is_fail(edge.target) {
            continue;
        }
        let inside = set(edge.target);
        if let Some(inside) = inside {
            let mut before = arena.before(edge, inside);
            before.intersect(reached);
            match edge.control {
                Control::Controllable => around.by_input.unite(&before),
                Control::Uncontrollable => around.by_output.unite(&before),
            }
        }
        if edge.control == Control::Uncontrollable {
            let mut before = arena.before(edge, &outside(arena, edge.target, inside));
            before.intersect(reached);
            around.bad.unite(&before);
        }
    }
    around.by_input.merge();
    around.by_output.merge();
    around.bad.merge();
    around
}

/// What may be reached in a node and is not in the set.
fn outside(arena: &Arena<'_>, node: NodeId, inside: Option<&Federation>) -> Federation {
    let mut outside = arena.reached(node).clone();
    if let Some(inside) = inside {
        outside.subtract(inside);
    }
    outside
}

/// `π_d`: the own part of the set and what the tester can enforce in one step.
pub fn enforce(
    game: &Game<'_>,
    node: NodeId,
    own: Option<&Federation>,
    around: &Around,
) -> Federation {
    let arena = &game.arena;
    let elapse = arena.elapse(node);
    let mut result = own.cloned().unwrap_or_else(|| Federation::empty(arena.dimension()));
    let mut avoid = around.bad.clone();
    if let Some(aim) = game.aim(node) {
        avoid.unite(&aim.forbidden);
    }
    avoid.subtract(&result);
    let by_delay = elapse.timed_predecessor(&result, &avoid, Arrival::MayBeBad);
    let by_input = elapse.timed_predecessor(&around.by_input, &avoid, Arrival::Safe);
    result.unite(&by_delay);
    result.unite(&by_input);
    if !around.by_output.is_empty() {
        let mut cornered = match game.terms().concept {
            Concept::Fair => elapse.past(&around.by_output),
            Concept::Strict => {
                let mut forced = elapse.ends_in(&around.by_output);
                forced.intersect(&elapse.expiring());
                elapse.past(&forced)
            }
        };
        cornered.subtract(&elapse.past(&avoid));
        result.unite(&cornered);
    }
    result.intersect(arena.reached(node));
    result.merge();
    result
}

/// `π_cl`: the own part of the set and what can reach it by one move of either side, with
/// nothing of `avoid` on the way.
pub fn hope(
    game: &Game<'_>,
    node: NodeId,
    own: Option<&Federation>,
    around: &Around,
    avoid: &Federation,
) -> Federation {
    let arena = &game.arena;
    let elapse = arena.elapse(node);
    let mut result = own.cloned().unwrap_or_else(|| Federation::empty(arena.dimension()));
    let mut avoid = avoid.clone();
    if let Some(aim) = game.aim(node) {
        avoid.unite(&aim.forbidden);
    }
    avoid.subtract(&result);
    let mut by_move = around.by_input.clone();
    by_move.unite(&around.by_output);
    let by_delay = elapse.timed_predecessor(&result, &avoid, Arrival::MayBeBad);
    result.unite(&by_delay);
    result.unite(&elapse.timed_predecessor(&by_move, &avoid, Arrival::Safe));
    result.intersect(arena.reached(node));
    result.merge();
    result
}
