//! The trap of a lost game, independent of zones and of this solver.

use tioga_model::Control;
use tioga_testcase::{Trap, TrapPlace};

use crate::{NodeId, Solution, conjunctions};

impl Solution<'_> {
    /// Why the first root is lost, if the board is a trap; see [`crate::spoil`].
    ///
    /// Post: the first root is a state of the trap, unless its own invariant rules it out.
    pub fn trap(&self) -> Option<Trap> {
        if !self.trapped {
            return None;
        }
        let arena = &self.game.arena;
        let place = |node: NodeId| {
            let edges = arena.edges(node).iter();
            let system = edges.filter(|edge| edge.control == Control::Uncontrollable);
            TrapPlace {
                zones: conjunctions(arena.reached(node)),
                moves: system.map(|edge| edge.step).collect(),
            }
        };
        let nodes = arena.ids().filter(|node| arena.is_reached(*node));
        let places = nodes.map(|node| (arena.state(node), place(node))).collect();
        Some(Trap { terms: self.game.terms().clone(), places })
    }
}
