//! What to do where: strategies from ranks.
//!
//! For reaching (HJM22 Def. 24): from a state of rank `r` the tester aims at the states of lower
//! rank. Where an input leads there it is played at once; elsewhere the tester waits, for an output
//! that leads there or until time does. Waiting is safe as long as the rank is the tester's to
//! lower: by construction nothing bad comes before the aim. So one rule for each input and one for
//! waiting suffice for each rank, and the strategy needs no memory.
//!
//! For avoiding: where danger lies ahead and an input leads away, it is played at once; elsewhere
//! the tester waits.

use std::collections::BTreeMap;

use tioga_base::Id;
use tioga_model::{ClockBound, ClockConjunction, ClockId, Control, Objective};
use tioga_testcase::{Advice, Level, Rank, RankTable, Ranked, Rule};
use tioga_zones::{Constraint, Federation, Zone};

use crate::on_the_fly::before;
use crate::{ArenaStep, NodeId, Solution};

/// What to do in some valuations of a node.
#[derive(Clone, Debug)]
pub struct NodeRule {
    /// The rank of these valuations.
    pub rank: Rank,
    /// The valuations.
    pub set: Federation,
    /// What to do.
    pub advice: Advice,
}

impl Solution<'_> {
    /// Ranks and rules of all nodes, independent of zones and of this solver.
    pub fn table(&self) -> RankTable {
        let arena = &self.game.arena;
        let places = arena.ids().filter_map(|node| Some((arena.state(node), self.ranked(node)?)));
        RankTable { places: places.collect(), ..self.empty_table() }
    }

    /// The table without any node.
    pub fn empty_table(&self) -> RankTable {
        let (terms, complete) = (self.game.terms().clone(), self.complete);
        RankTable { terms, complete, places: BTreeMap::new() }
    }

    /// Ranks and rules of a node. `None` if it has none.
    pub fn ranked(&self, node: NodeId) -> Option<Ranked> {
        let levels = &self.levels[node.index()];
        if levels.is_empty() && !self.avoids() {
            return None;
        }
        let levels = levels.iter().map(|(rank, set)| Level { rank, zones: conjunctions(set) });
        let rules = self.rules(node).into_iter().map(|rule| Rule {
            rank: rule.rank,
            zones: conjunctions(&rule.set),
            advice: rule.advice,
        });
        Some(Ranked { levels: levels.collect(), rules: rules.collect() })
    }

    /// Whether the objective says what to avoid, so that the ranks are the system's.
    pub fn avoids(&self) -> bool {
        matches!(self.game.terms().objective, Objective::Stay(_) | Objective::WeakUntil(..))
    }

    /// What to do in a node; the first rule that applies decides. The sets are disjoint except for
    /// inputs of the same rank.
    pub fn rules(&self, node: NodeId) -> Vec<NodeRule> {
        if self.avoids() { self.avoiding_rules(node) } else { self.reaching_rules(node) }
    }

    /// The rule that applies to a state of a node.
    pub fn rule_at(&self, node: NodeId, root: &crate::Root) -> Option<NodeRule> {
        let point = crate::solve::point(self.game.arena.model(), &root.clocks)?;
        self.rules(node).into_iter().find(|rule| rule.set.contains(&point))
    }

    fn reaching_rules(&self, node: NodeId) -> Vec<NodeRule> {
        let arena = &self.game.arena;
        let mut rules = Vec::new();
        let mut lower = Federation::empty(arena.dimension());
        for (rank, set) in self.levels[node.index()].iter() {
            let mut own = set.clone();
            own.subtract(&lower);
            own.merge();
            if rank == Rank::ZERO {
                lower.unite(&own);
                rules.push(NodeRule { rank, set: own, advice: Advice::Done });
                continue;
            }
            lower.unite(&own);
            lower.merge();
            let below = before(rank);
            let aim = |target: NodeId| self.levels[target.index()].at(below);
            let mut rest = own;
            let mut system = Vec::new();
            for edge in arena.edges(node) {
                if self.game.is_fail(edge.target) {
                    continue;
                }
                if edge.control == Control::Uncontrollable {
                    system.push(edge);
                    continue;
                }
                let Some(aim) = aim(edge.target) else { continue };
                let mut play = arena.before(edge, aim);
                play.intersect(&rest);
                if play.is_empty() {
                    continue;
                }
                rest.subtract(&play);
                play.merge();
                rules.push(NodeRule { rank, set: play, advice: Advice::Play(edge.step) });
            }
            rest.merge();
            if !rest.is_empty() {
                let advice = self.waiting(node, &rest, &system, aim);
                rules.push(NodeRule { rank, set: rest, advice });
            }
        }
        rules
    }

    /// Which moves of the system are hoped for and which are not, from some valuations on.
    fn waiting<'s>(
        &self,
        node: NodeId,
        from: &Federation,
        system: &[&ArenaStep],
        aim: impl Fn(NodeId) -> Option<&'s Federation>,
    ) -> Advice {
        let arena = &self.game.arena;
        let comes = |set: &Federation| arena.elapse(node).past(set).intersects(from);
        let (mut awaited, mut feared) = (Vec::new(), Vec::new());
        for edge in system {
            let mut outside = arena.reached(edge.target).clone();
            if let Some(inside) = aim(edge.target) {
                if comes(&arena.before(edge, inside)) {
                    awaited.push(edge.step);
                }
                outside.subtract(inside);
            }
            if comes(&arena.before(edge, &outside)) {
                feared.push(edge.step);
            }
        }
        Advice::Wait { awaited, feared }
    }

    fn avoiding_rules(&self, node: NodeId) -> Vec<NodeRule> {
        let arena = &self.game.arena;
        let elapse = arena.elapse(node);
        let nothing = Federation::empty(arena.dimension());
        let lost_here = self.levels[node.index()].last().unwrap_or(&nothing);
        let mut rest = arena.reached(node).clone();
        rest.subtract(lost_here);
        let mut rules = Vec::new();
        let rank = Rank::ZERO;
        if let Some(aim) = self.game.aim(node) {
            let mut done = aim.forbidden.clone();
            done.intersect(&rest);
            if !done.is_empty() {
                rest.subtract(&done);
                rules.push(NodeRule { rank, set: done, advice: Advice::Done });
            }
        }
        let lost = |edge: &ArenaStep| self.levels[edge.target.index()].last();
        let mut danger = lost_here.clone();
        let mut feared = Vec::new();
        for edge in arena.edges(node) {
            if let (Control::Uncontrollable, Some(lost)) = (edge.control, lost(edge)) {
                danger.unite(&arena.before(edge, lost));
                feared.push(edge.step);
            }
        }
        let ahead = elapse.past(&danger);
        for edge in arena.edges(node) {
            if edge.control == Control::Uncontrollable || self.game.is_fail(edge.target) {
                continue;
            }
            let mut safe = arena.reached(edge.target).clone();
            if let Some(lost) = lost(edge) {
                safe.subtract(lost);
            }
            let mut play = arena.before(edge, &safe);
            play.intersect(&ahead);
            play.intersect(&rest);
            if !play.is_empty() {
                rest.subtract(&play);
                play.merge();
                rules.push(NodeRule { rank, set: play, advice: Advice::Play(edge.step) });
            }
        }
        rest.merge();
        if !rest.is_empty() {
            let advice = Advice::Wait { awaited: Vec::new(), feared };
            rules.push(NodeRule { rank, set: rest, advice });
        }
        rules
    }
}

/// The zones of a set as conjunctions of clock bounds.
pub fn conjunctions(set: &Federation) -> Vec<ClockConjunction> {
    set.zones().iter().map(conjunction).collect()
}

fn conjunction(zone: &Zone) -> ClockConjunction {
    zone.minimal_constraints().into_iter().filter_map(clock_bound).collect()
}

fn clock_bound(constraint: Constraint) -> Option<ClockBound> {
    let clock = |index: usize| index.checked_sub(1).map(ClockId::from_index);
    let bound = i64::from(constraint.bound.constant()?);
    let strict = constraint.bound.is_strict();
    Some(ClockBound { left: clock(constraint.left), right: clock(constraint.right), strict, bound })
}

impl Solution<'_> {
    /// A set of a node in few words: conjunctions that describe it among what the node may reach.
    /// Bounds that say nothing there, or that rule out only other zones of the set, are left out.
    pub fn readable(&self, node: NodeId, set: &Federation) -> Vec<ClockConjunction> {
        let reached = self.game.arena.reached(node);
        if !reached.is_empty() && set.includes(reached) {
            return vec![ClockConjunction::new()];
        }
        let mut found: Vec<(Federation, ClockConjunction)> = Vec::new();
        for zone in set.zones() {
            if found.iter().any(|(covered, _)| covered.includes_zone(zone)) {
                continue;
            }
            let mut kept = zone.minimal_constraints();
            let mut index = 0;
            while index < kept.len() {
                let mut others = kept.clone();
                others.remove(index);
                let mut wider = reached.clone();
                wider.constrain_all(&others);
                if set.includes(&wider) {
                    kept = others;
                } else {
                    index += 1;
                }
            }
            let mut covered = reached.clone();
            covered.constrain_all(&kept);
            found.push((covered, kept.iter().filter_map(|one| clock_bound(*one)).collect()));
        }
        found.into_iter().map(|(_, conjunction)| conjunction).collect()
    }
}
