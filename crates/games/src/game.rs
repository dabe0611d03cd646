//! A game: an arena with what counts as reached and what must not be left on the way.

use tioga_base::{Cancel, Id, Span};
use tioga_explore::map;
use tioga_model::{DiscreteState, Objective, Predicate};
use tioga_symbolic::{Abstraction, ZoneGraph, satisfying};
use tioga_testcase::{Concept, Scope, Terms};
use tioga_zones::Federation;

use crate::arena::Scratch;
use crate::{Arena, Error, NodeId};

/// An arena with an objective.
pub struct Game<'m> {
    /// The board.
    pub arena: Arena<'m>,
    terms: Terms,
    graph: ZoneGraph<'m>,
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
        Ok(Self { arena, terms, graph, span, aims: Vec::new() })
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

    /// Explores some more nodes, by several threads; none if there are none left. How many does
    /// not depend on the number of threads.
    ///
    /// Nodes that are all goal or all forbidden have no successors: the game is over there. If it is
    /// cancelled meanwhile, some nodes stay without successors, and the answer must not be used.
    pub fn explore(&mut self, threads: usize, cancel: &Cancel) -> Result<Vec<NodeId>, Error> {
        // While there is little to choose from, what is found should decide what comes next.
        let most = (self.arena.len() / 16).clamp(1, 512);
        let nodes: Vec<NodeId> = (0..most).map_while(|_| self.arena.take_waiting()).collect();
        let game = &*self;
        let looks = map(
            threads,
            &nodes,
            || game.arena.scratch(),
            |scratch, node| {
                if cancel.is_cancelled() {
                    return Ok(None);
                }
                let (aim, reached) = game.look(scratch, *node)?;
                let over = aim.goal.includes(reached)
                    || aim.forbidden.includes(reached)
                    || game.is_fail(*node);
                let possible = if over { None } else { Some(game.arena.expand(scratch, *node)?) };
                Ok::<_, Error>(Some((aim, possible)))
            },
        );
        for (node, look) in nodes.iter().zip(looks) {
            let Some((aim, possible)) = look? else { continue };
            match possible {
                None => self.arena.seal(*node),
                Some(possible) => {
                    self.arena.explore(*node, possible, |_, all| vec![true; all.len()])?;
                }
            }
            if self.aims.len() <= node.index() {
                self.aims.resize(node.index() + 1, None);
            }
            self.aims[node.index()] = Some(aim);
        }
        Ok(nodes)
    }

    /// What the objective says about a node, and what the node may reach.
    pub(crate) fn look(
        &self,
        scratch: &mut Scratch<'m>,
        node: NodeId,
    ) -> Result<(Aim, &Federation), Error> {
        let reached = self.arena.reached(node);
        let empty = Federation::empty(reached.dimension());
        if self.is_fail(node) {
            return Ok((Aim { goal: empty.clone(), forbidden: empty }, reached));
        }
        let state = self.arena.state(node);
        let mut holds = |predicate| self.satisfying(scratch, &state, predicate);
        let (mut goal, allowed) = match &self.terms.objective {
            Objective::Reach(goal) => (holds(goal)?, None),
            Objective::Until(keep, goal) => (holds(goal)?, Some(holds(keep)?)),
            Objective::Stay(keep) => (outside(reached, &holds(keep)?), None),
            Objective::WeakUntil(keep, done) => {
                let mut forbidden = holds(done)?;
                let mut fine = holds(keep)?;
                fine.unite(&forbidden);
                let goal = outside(reached, &fine);
                forbidden.intersect(reached);
                return Ok((Aim { goal, forbidden }, reached));
            }
        };
        goal.intersect(reached);
        goal.merge();
        let forbidden = allowed.map_or(empty, |mut allowed| {
            allowed.unite(&goal);
            outside(reached, &allowed)
        });
        Ok((Aim { goal, forbidden }, reached))
    }

    fn satisfying(
        &self,
        scratch: &mut Scratch<'m>,
        state: &DiscreteState,
        predicate: &Predicate,
    ) -> Result<Federation, Error> {
        Ok(satisfying(&self.graph, &mut scratch.composer, state, predicate, self.span)?)
    }
}

fn outside(all: &Federation, inside: &Federation) -> Federation {
    let mut rest = all.clone();
    rest.subtract(inside);
    rest.merge();
    rest
}
