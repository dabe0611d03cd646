//! Ranks while the arena is being explored (HJM22 Algorithms 1-3; CDFLL05).
//!
//! Each node keeps under-approximations of its sets W(j,i). Exploring a node, or the growth of a
//! successor's sets, makes it *dirty* from some rank on; updating it recomputes its sets from that
//! rank and makes the nodes that depend on it dirty in turn. At every moment the sets are sound:
//! a successor about which nothing is known counts as bad. When nothing is dirty and everything is
//! explored they are exact.
//!
//! `update` is Algorithm 2. The ranks at which a set can grow are those right after a rank at
//! which the node itself or a successor grows (*active* ranks); it jumps from one to the next, and
//! tries a control loss whenever the last group of steps brought something new (Algorithm 3).
//!
//! Dirty nodes are updated lowest rank first. Once the arena is complete, each set is then computed
//! from final sets of lower rank, so nothing is computed twice. Nodes that are dirty from the same rank
//! are updated together, each from what the others had before, so that threads can share the work.

use std::collections::BTreeSet;

use tioga_base::{Cancel, Id};
use tioga_explore::map;
use tioga_testcase::{Rank, Scope};
use tioga_zones::{Federation, Point};

use crate::operators::{around, enforce, hope};
use crate::{Error, Game, Levels, NodeId};

/// Ranks of a game that is being explored.
pub struct OnTheFly<'m> {
    /// The game.
    pub game: Game<'m>,
    /// The sets of each node.
    pub levels: Vec<Levels>,
    /// For safety first: where the system has a move to a state without a rank.
    risks: Option<Vec<Federation>>,
    /// From which rank on each node must be recomputed.
    dirty_from: Vec<Option<Rank>>,
    dirty: BTreeSet<(Rank, NodeId)>,
    /// How many threads work; the result does not depend on it.
    pub threads: usize,
    /// How often a node was updated.
    pub updates: u64,
    /// Ends the computation when set from outside, also in the middle of an update.
    cancel: Cancel,
    nothing: Federation,
}

/// What ended a computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// All ranks are exact.
    Complete,
    /// What was looked for was found.
    Found,
    /// It was told to stop.
    Stopped,
}

/// When a computation should end early.
pub struct Watch<'w> {
    /// Ends the computation when set from outside.
    pub cancel: Cancel,
    /// A node and a valuation, and whether a rank there is all that is wanted.
    pub until: Option<(NodeId, Point)>,
    /// Told now and then how many nodes there are and how many updates there were; ends the
    /// computation by answering no.
    pub report: &'w mut dyn FnMut(usize, u64) -> bool,
}

/// How many nodes are updated at once.
const BATCH: usize = 512;

impl<'m> OnTheFly<'m> {
    /// Starts with what the game has explored so far.
    pub fn new(game: Game<'m>) -> Self {
        let nothing = Federation::empty(game.arena.dimension());
        Self {
            game,
            levels: Vec::new(),
            risks: None,
            dirty_from: Vec::new(),
            dirty: BTreeSet::new(),
            threads: 1,
            updates: 0,
            cancel: Cancel::new(),
            nothing,
        }
    }

    /// Explores and updates until all is known or the watch says enough.
    ///
    /// Without a state to watch, everything is explored before anything is updated. With one,
    /// updates catch up when the objective is first met and whenever the arena has doubled, so that
    /// they cost at most a constant factor and an early answer is found early.
    pub fn run(&mut self, watch: &mut Watch<'_>) -> Result<End, Error> {
        self.cancel = watch.cancel.clone();
        let mut met = false;
        let mut catch_up = if watch.until.is_some() { 1 } else { usize::MAX };
        loop {
            if self.must_stop(watch) {
                self.catch_up_a_little();
                return Ok(End::Stopped);
            }
            if self.game.arena.len() < catch_up {
                let nodes = self.game.explore(self.threads, &watch.cancel)?;
                if nodes.is_empty() {
                    catch_up = 0;
                }
                for node in nodes {
                    self.explored(node);
                }
                if watch.until.is_some() && !met && !self.dirty.is_empty() {
                    (met, catch_up) = (true, catch_up.min(1));
                }
                continue;
            }
            let batch = self.take_dirty();
            match batch.first() {
                Some(_) => {
                    self.update_all(&batch);
                    if self.found(watch) {
                        return Ok(End::Found);
                    }
                }
                None if catch_up == 0 => return Ok(End::Complete),
                None => catch_up = 2 * self.game.arena.len().max(catch_up),
            }
        }
    }

    /// Makes some use of what was explored, in a fraction of the time that exploring it took; none at all
    /// if the time is up.
    fn catch_up_a_little(&mut self) {
        let enough = self.updates + (self.game.arena.len() as u64).div_ceil(4);
        while self.updates < enough && !self.dirty.is_empty() && !self.cancel.is_cancelled() {
            let batch = self.take_dirty();
            self.update_all(&batch);
        }
    }

    /// Some of the nodes that must be recomputed from the lowest rank.
    fn take_dirty(&mut self) -> Vec<(Rank, NodeId)> {
        let lowest = self.dirty.first().map(|(rank, _)| *rank);
        let mut batch = Vec::new();
        while batch.len() < BATCH
            && let Some((rank, node)) = self.dirty.first().copied()
            && Some(rank) == lowest
        {
            self.dirty.pop_first();
            self.dirty_from[node.index()] = None;
            // What has grown since it was explored comes back when it has been explored again.
            if self.game.arena.is_explored(node) {
                batch.push((rank, node));
            }
        }
        batch
    }

    /// Recomputes nodes, each from what the others had before. What is cancelled stays as it was.
    fn update_all(&mut self, batch: &[(Rank, NodeId)]) {
        let solver = &*self;
        let computed =
            map(self.threads, batch, || (), |(), (from, node)| solver.updated(*node, *from));
        for ((from, node), levels) in batch.iter().zip(computed) {
            let Some(levels) = levels else { continue };
            self.updates += 1;
            let old = std::mem::replace(&mut self.levels[node.index()], levels);
            if let Some(rank) = self.levels[node.index()].first_growth(*from, &old) {
                self.pass_on(*node, rank);
            }
        }
    }

    fn must_stop(&self, watch: &mut Watch<'_>) -> bool {
        watch.cancel.is_cancelled() || !(watch.report)(self.game.arena.len(), self.updates)
    }

    fn found(&self, watch: &Watch<'_>) -> bool {
        let Some((wanted, point)) = &watch.until else { return false };
        self.levels[wanted.index()].rank(point).is_some()
    }

    /// Takes up a node that was explored, for the first time or again.
    fn explored(&mut self, node: NodeId) {
        let count = self.game.arena.len();
        self.levels.resize(count, Levels::default());
        self.dirty_from.resize(count, None);
        let Some(aim) = self.game.aim(node) else { return };
        let levels = &mut self.levels[node.index()];
        let grows = levels.at(Rank::ZERO).is_none_or(|old| !old.includes(&aim.goal));
        if !aim.goal.is_empty() && grows {
            let mut fresh = Levels::default();
            fresh.push(Rank::ZERO, aim.goal.clone());
            *levels = fresh;
            self.pass_on(node, Rank::ZERO);
        }
        // Where nothing is reached, here or by one move, there is nothing to compute.
        let levels = |node: NodeId| !self.levels[node.index()].is_empty();
        let edges = self.game.arena.edges(node);
        if levels(node) || edges.iter().any(|edge| levels(edge.target)) {
            self.mark(node, Rank::ZERO);
        }
    }

    /// Notes that a node must be recomputed above a rank.
    fn mark(&mut self, node: NodeId, from: Rank) {
        let old = &mut self.dirty_from[node.index()];
        match *old {
            Some(old) if old <= from => return,
            Some(old) => {
                self.dirty.remove(&(old, node));
            }
            None => {}
        }
        *old = Some(from);
        self.dirty.insert((from, node));
    }

    /// Notes that the sets of a node have grown from a rank on.
    fn pass_on(&mut self, node: NodeId, from: Rank) {
        for index in 0..self.game.arena.dependents(node).len() {
            let dependent = self.game.arena.dependents(node)[index];
            if dependent != node {
                self.mark(dependent, from);
            }
        }
    }

    /// The sets of a node, those above a rank recomputed (HJM22 Algorithm 2); nothing if cancelled.
    fn updated(&self, node: NodeId, from: Rank) -> Option<Levels> {
        let mut own = self.levels[node.index()].clone();
        own.truncate_above(from);
        let scope = self.game.terms().scope;
        // The rank after which sets may grow: the node's or a successor's set grew there.
        let mut trigger = from;
        loop {
            if self.cancel.is_cancelled() {
                return None;
            }
            // The tester's steps.
            let rank = Rank { steps: trigger.steps + 1, ..trigger };
            if self.try_rank(node, &mut own, rank, RankOperator::Enforce) {
                trigger = rank;
                continue;
            }
            let next = self.next_trigger(node, trigger);
            let same_losses =
                |next: &Rank| (next.risks, next.losses) == (trigger.risks, trigger.losses);
            if let Some(next) = next.filter(same_losses) {
                trigger = next;
                continue;
            }
            if scope == Scope::Winning {
                return Some(own);
            }
            // A control loss.
            let rank = Rank { losses: trigger.losses + 1, steps: 0, ..trigger };
            let step = if scope == Scope::SafetyFirst {
                RankOperator::HopeSafely
            } else {
                RankOperator::Hope
            };
            if self.try_rank(node, &mut own, rank, step) {
                trigger = rank;
                continue;
            }
            if let Some(next) = next.filter(|next| next.risks == trigger.risks) {
                trigger = next;
                continue;
            }
            // A risk.
            if scope == Scope::SafetyFirst {
                let rank = Rank { risks: trigger.risks + 1, losses: 0, steps: 0 };
                if self.try_rank(node, &mut own, rank, RankOperator::Hope) {
                    trigger = rank;
                    continue;
                }
            }
            match next {
                Some(next) => trigger = next,
                None => return Some(own),
            }
        }
    }

    /// The least rank above a rank at which a successor's set grows.
    fn next_trigger(&self, node: NodeId, after: Rank) -> Option<Rank> {
        let edges = self.game.arena.edges(node).iter();
        edges
            .filter(|edge| edge.target != node)
            .filter_map(|edge| self.levels[edge.target.index()].next_above(after))
            .min()
    }

    /// Computes the set of a rank from all lower ones; whether it is larger.
    fn try_rank(&self, node: NodeId, levels: &mut Levels, rank: Rank, step: RankOperator) -> bool {
        let own = levels.last();
        let below = before(rank);
        let around = around(&self.game, node, |target| {
            // The node's own sets are complete up to here, those of others may go on.
            if target == node { own } else { self.levels[target.index()].at(below) }
        });
        let set = match step {
            RankOperator::Enforce => enforce(&self.game, node, own, &around),
            RankOperator::Hope => hope(&self.game, node, own, &around, &self.nothing),
            RankOperator::HopeSafely => {
                let risks = self.risks.as_ref().map_or(&self.nothing, |risks| &risks[node.index()]);
                hope(&self.game, node, own, &around, risks)
            }
        };
        let grows = !set.is_empty() && own.is_none_or(|own| !own.includes(&set));
        if grows {
            levels.push(rank, set);
        }
        grows
    }

    /// Forgets the ranks and starts again, with moves to states without a rank as risks.
    ///
    /// Pre: the computation is complete.
    pub fn restart_with_risks(&mut self) {
        let ids: Vec<NodeId> = self.game.arena.ids().collect();
        let risks = ids
            .iter()
            .map(|node| around(&self.game, *node, |target| self.levels[target.index()].last()).bad);
        self.risks = Some(risks.collect());
        self.levels = vec![Levels::default(); ids.len()];
        for node in ids {
            self.explored(node);
        }
    }
}

/// What adds to the sets.
#[derive(Clone, Copy)]
enum RankOperator {
    Enforce,
    Hope,
    HopeSafely,
}

/// The largest rank below a rank.
pub fn before(rank: Rank) -> Rank {
    const ALL: u32 = u32::MAX;
    match rank {
        Rank { steps: 1.., .. } => Rank { steps: rank.steps - 1, ..rank },
        Rank { losses: 1.., .. } => Rank { losses: rank.losses - 1, steps: ALL, ..rank },
        Rank { risks: 1.., .. } => Rank { risks: rank.risks - 1, losses: ALL, steps: ALL },
        Rank { .. } => rank,
    }
}
