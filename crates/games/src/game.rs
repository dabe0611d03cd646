//! A game: an arena with what counts as reached and what must not be left on the way.

use tioga_base::{Id, Span};
use tioga_model::{Composer, DiscreteState, Objective, Predicate};
use tioga_symbolic::{Abstraction, ZoneGraph, satisfying};
use tioga_testcase::{Concept, Scope, Terms};
use tioga_zones::Federation;

use crate::{Arena, Error, NodeId};

/// An arena with an objective.
pub struct Game<'m> {
    /// The board.
    pub arena: Arena<'m>,
    terms: Terms,
    graph: ZoneGraph<'m>,
    composer: Composer<'m>,
    span: Span,
    /// What each explored node says about the objective.
    aims: Vec<Option<Aim>>,
}

/// What the objective says about one node.
#[derive(Clone, Debug)]
pub struct Aim {
    /// What is to be reached: by the tester, or by the system if the objective is to avoid
    /// something.
    pub goal: Federation,
    /// What must not be met on the way.
    pub forbidden: Federation,
}

impl<'m> Game<'m> {
    /// A game on an unexplored board. The span is that of the query.
    pub fn new(arena: Arena<'m>, terms: Terms, span: Span) -> Result<Self, Error> {
        let model = arena.model();
        let graph = ZoneGraph::new(model, Abstraction::None, &[])?;
        Ok(Self { arena, terms, graph, composer: Composer::new(model), span, aims: Vec::new() })
    }

    /// What is asked.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Asks for ranks of another scope, on the same board.
    pub(crate) fn set_scope(&mut self, scope: Scope) {
        self.terms.scope = scope;
    }

    /// What the objective says about a node; `None` before it is explored.
    pub fn aim(&self, node: NodeId) -> Option<&Aim> {
        self.aims.get(node.index())?.as_ref()
    }

    /// Whether a node is a verdict whatever the clocks say: in fair games, which are about tests,
    /// failing ends the test (HJM22 3.3).
    pub fn is_fail(&self, node: NodeId) -> bool {
        self.terms.concept == Concept::Fair && self.arena.is_marked_fail(node)
    }

    /// Explores one more node; which one, or `None` if there are none left.
    ///
    /// Nodes that are all goal or all forbidden have no successors: the game is over there.
    pub fn explore(&mut self) -> Result<Option<NodeId>, Error> {
        let Some(node) = self.arena.take_waiting() else { return Ok(None) };
        let state = self.arena.state(node);
        let reached = self.arena.reached(node);
        let aim = self.look(node, &state, &reached)?;
        if aim.goal.includes(&reached) || aim.forbidden.includes(&reached) || self.is_fail(node) {
            self.arena.seal(node);
        } else {
            self.arena.explore(node)?;
        }
        if self.aims.len() <= node.index() {
            self.aims.resize(node.index() + 1, None);
        }
        self.aims[node.index()] = Some(aim);
        Ok(Some(node))
    }

    /// What the objective says about a node, and what the node may reach.
    pub(crate) fn look_at(&mut self, node: NodeId) -> Result<(Aim, Federation), Error> {
        let reached = self.arena.reached(node);
        let aim = self.look(node, &self.arena.state(node), &reached)?;
        Ok((aim, reached))
    }

    fn look(
        &mut self,
        node: NodeId,
        state: &DiscreteState,
        reached: &Federation,
    ) -> Result<Aim, Error> {
        let empty = Federation::empty(reached.dimension());
        if self.is_fail(node) {
            return Ok(Aim { goal: empty.clone(), forbidden: empty });
        }
        let objective = self.terms.objective.clone();
        let (goal, allowed) = match &objective {
            Objective::Reach(goal) => (self.satisfying(state, goal)?, None),
            Objective::Until(keep, goal) => {
                (self.satisfying(state, goal)?, Some(self.satisfying(state, keep)?))
            }
            Objective::Stay(keep) => (outside(reached, &self.satisfying(state, keep)?), None),
            Objective::WeakUntil(keep, done) => {
                let done = self.satisfying(state, done)?;
                let mut fine = self.satisfying(state, keep)?;
                fine.unite(&done);
                let goal = outside(reached, &fine);
                let mut forbidden = done;
                forbidden.intersect(reached);
                return Ok(Aim { goal, forbidden });
            }
        };
        let mut goal = goal;
        goal.intersect(reached);
        goal.merge();
        let forbidden = allowed.map_or(empty, |mut allowed| {
            allowed.unite(&goal);
            outside(reached, &allowed)
        });
        Ok(Aim { goal, forbidden })
    }

    fn satisfying(
        &mut self,
        state: &DiscreteState,
        predicate: &Predicate,
    ) -> Result<Federation, Error> {
        let composer = &mut self.composer;
        Ok(satisfying(&self.graph, composer, state, predicate, self.span)?)
    }
}

fn outside(all: &Federation, inside: &Federation) -> Federation {
    let mut rest = all.clone();
    rest.subtract(inside);
    rest.merge();
    rest
}
