//! Test cases as finite trees (DLLN08 Algorithm 1).
//!
//! A node of the tree is a place of the tester reached with some rank. Answers that lead to a lower
//! rank go on to a child; others end the test inconclusively, and so does an answer that does not
//! come in its window. Since ranks fall along every branch, the tree is finite. What the strategy
//! does may depend on when an answer came: the clocks recorded it, and rules branch on them.
//!
//! Where an invariant ends the window, the system had to answer: that is a failure (the semantics of
//! forced actions), and so it is where something has to happen at once. Where nothing forces an
//! answer, the tester waits for as long as it was told.

use tioga_base::Id;
use tioga_games::NodeId;
use tioga_model::Control;
use tioga_testcase::{CaseBound, CaseEdge, CasePlace, CaseSet, CaseZone, Judgement, Rank, Verdict};
use tioga_zones::{Bound, Federation, Zone};

use crate::Error;
use crate::automaton::{Expected, Judged, NodePlaces, Tester, side};

/// The clock that measures how long the tester has been waiting.
pub(crate) const CLOCK: &str = "since";

/// How many places a tree may have.
const LIMIT: usize = 20_000;

/// The places of the tree from a rank on.
pub(crate) fn places(
    tester: &Tester<'_, '_>,
    rank: Rank,
    patience: i64,
) -> Result<NodePlaces, Error> {
    let mut tree = Tree { tester, places: Vec::new(), patience, undesired: None, failed: None };
    tree.grow(NodeId::from_index(0), rank)?;
    Ok(tree.places)
}

struct Tree<'t, 's, 'm> {
    tester: &'t Tester<'s, 'm>,
    places: NodePlaces,
    patience: i64,
    /// The leaf of answers that lead away.
    undesired: Option<u32>,
    /// The leaf of answers that the specification itself calls a failure.
    failed: Option<u32>,
}

impl Tree<'_, '_, '_> {
    /// Adds the subtree of a node reached with at most this rank; the position of its place.
    fn grow(&mut self, node: NodeId, rank: Rank) -> Result<u32, Error> {
        let position = self.push(Some(node), self.bare(node))?;
        let solution = self.tester.solution;
        let arena = &solution.game.arena;
        let mut verdicts = Vec::new();
        let mut judge = |judgement: Judgement| {
            if !judgement.zones.is_empty() {
                verdicts.push(judgement);
            }
        };
        let mut worse = arena.reached(node).clone();
        if let Some(good) = solution.levels[node.index()].at(rank) {
            worse.subtract(good);
        }
        for pass in self.tester.passes(node) {
            worse.subtract(&pass.set);
            judge(self.tester.judgement(node, &pass));
        }
        // Where the tree gives up, it settles for what there is.
        let settled = self.tester.settled(node);
        for less in &settled {
            let mut set = less.set.clone();
            set.intersect(&worse);
            worse.subtract(&set);
            set.merge();
            judge(self.tester.judgement(node, &Judged { set, ..*less }));
        }
        worse.merge();
        let missed = "no answer came in its window";
        judge(Judgement::new(Verdict::Inconclusive, self.tester.zones(node, &worse), missed));
        let clock = u32::try_from(arena.model().clocks.len()).expect("fewer than 2^32 clocks");
        let late =
            CaseBound { left: None, right: Some(clock), strict: true, bound: -self.patience };
        // With the lowest rank every valuation has a verdict, and nothing follows.
        let edges = if rank == Rank::ZERO { Vec::new() } else { self.tester.edges(node) };
        let rules = self.tester.rules(node, &edges, |own| own <= rank);
        // Waiting for time is part of the plan; only answers can be missing. Where no time passes
        // they cannot even be late.
        let passes = arena.elapse(node).passes_time();
        let awaiting =
            rules.iter().filter(|rule| passes && rule.play.is_none() && !rule.awaited.is_empty());
        let zones = awaiting.flat_map(|rule| &rule.zones);
        let late_zones: Vec<CaseZone> = zones
            .map(|zone| zone.iter().copied().chain([late]).collect())
            .filter(|zone| self.may_hold(node, zone))
            .collect();
        for less in &settled {
            let zones = self.tester.zones(node, &less.set);
            let mut both: Vec<CaseZone> = Vec::new();
            for late in &late_zones {
                both.extend(zones.iter().map(|own| own.iter().chain(late).copied().collect()));
            }
            both.retain(|zone| self.may_hold(node, zone));
            let judgement = Judgement::new(less.verdict, both, less.reason);
            judge(Judgement { settled: true, ..judgement });
        }
        if !late_zones.is_empty() {
            judge(Judgement::new(Verdict::Inconclusive, late_zones, missed));
        }
        let below = tioga_games::below(rank);
        let mut grown = Vec::new();
        let mut moved = vec![None; edges.len()];
        for (index, expected) in edges.iter().enumerate() {
            let Expected { control, target, steps, guard, .. } = expected;
            let levels = &solution.levels[target.index()];
            let toward = levels.at(below).map(|good| {
                let mut toward = Federation::empty(guard.dimension());
                steps.iter().for_each(|way| toward.unite(&self.tester.before(way, good)));
                toward.intersect(guard);
                toward.merge();
                toward
            });
            let mut away = guard.clone();
            if let Some(toward) = toward.filter(|toward| !toward.is_empty()) {
                away.subtract(&toward);
                let reached = levels.iter().map(|(rank, _)| rank).take_while(|own| *own <= below);
                let child = self.grow(*target, reached.last().unwrap_or(Rank::ZERO))?;
                moved[index] = Some(u32::try_from(grown.len()).expect("fewer than 2^32 edges"));
                grown.push(self.edge(node, expected, &toward, child, clock));
            }
            away.merge();
            // An answer that was not hoped for may still count for less.
            let settled = match control {
                Control::Uncontrollable if !away.is_empty() => self.tester.settled(*target),
                _ => Vec::new(),
            };
            if !settled.is_empty() {
                let mut less = Federation::empty(guard.dimension());
                for way in steps {
                    settled.iter().for_each(|one| less.unite(&self.tester.before(way, &one.set)));
                }
                less.intersect(&away);
                if !less.is_empty() {
                    away.subtract(&less);
                    away.merge();
                    less.merge();
                    let judged = settled.iter().map(|one| self.tester.judgement(*target, one));
                    let verdicts = judged.collect();
                    let place = CasePlace { verdicts, ..self.bare(*target) };
                    let leaf = self.push(Some(*target), place)?;
                    grown.push(self.edge(node, expected, &less, leaf, clock));
                }
            }
            if *control == Control::Uncontrollable && !away.is_empty() {
                let leaf = self.leaf(solution.game.is_fail(*target))?;
                grown.push(self.edge(node, expected, &away, leaf, clock));
            }
        }
        let (_, place) = &mut self.places[position as usize];
        place.verdicts = verdicts;
        place.edges = grown;
        place.rules = rules
            .into_iter()
            .filter_map(|mut rule| {
                let at = |index: &u32| moved[*index as usize];
                rule.awaited = rule.awaited.iter().filter_map(at).collect();
                match rule.play {
                    None => Some(rule),
                    Some(play) => {
                        rule.play = Some(at(&play)?);
                        Some(rule)
                    }
                }
            })
            .collect();
        Ok(position)
    }

    /// A node without what follows.
    fn bare(&self, node: NodeId) -> CasePlace {
        CasePlace {
            name: self.tester.name(node),
            origin: self.tester.origin(node),
            invariant: self.tester.invariant(node),
            urgent: self.tester.urgent(node),
            verdicts: Vec::new(),
            edges: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// Whether bounds on the clocks of the model and the tree can hold together with the invariant of a
    /// node. The clock of the tree is set whenever a node is entered, so no other clock shows less.
    fn may_hold(&self, node: NodeId, bounds: &CaseZone) -> bool {
        let arena = &self.tester.solution.game.arena;
        let since = arena.dimension();
        let index = |clock: Option<u32>| clock.map_or(0, |clock| clock as usize + 1);
        let mut least = Zone::universal(since + 1);
        let fits = |zone: &mut Zone, left, right, strict, bound: i64| {
            let Ok(constant) = i32::try_from(bound) else { return true };
            let limit = if strict { Bound::lt(constant) } else { Bound::le(constant) };
            // A bound that is too large to be looked at excludes nothing.
            limit.map_or(true, |limit| zone.constrain(left, right, limit).is_ok())
        };
        let before = (1..since).all(|clock| fits(&mut least, since, clock, false, 0));
        let own = bounds.iter().all(|bound| {
            fits(&mut least, index(bound.left), index(bound.right), bound.strict, bound.bound)
        });
        before
            && own
            && self.tester.invariant(node).iter().any(|invariant| {
                let mut zone = least.clone();
                invariant.iter().all(|bound| {
                    let (left, right) = (index(bound.left), index(bound.right));
                    fits(&mut zone, left, right, bound.strict, bound.bound)
                })
            })
    }

    fn edge(
        &self,
        node: NodeId,
        expected: &Expected,
        guard: &Federation,
        target: u32,
        clock: u32,
    ) -> CaseEdge {
        let mut sets = expected.sets.clone();
        sets.push(CaseSet { clock, source: None, value: 0 });
        let guard = self.tester.zones(node, guard);
        let (by, action) = (side(expected.control), expected.action.clone());
        CaseEdge { by, action, guard, sets, target }
    }

    /// The leaf of answers that lead away: to a failure, or just elsewhere.
    fn leaf(&mut self, fail: bool) -> Result<u32, Error> {
        let known = if fail { self.failed } else { self.undesired };
        if let Some(leaf) = known {
            return Ok(leaf);
        }
        let (name, verdict, reason) = if fail {
            ("fail", Verdict::Fail, "the specification calls this a failure")
        } else {
            let reason = "the system answered otherwise than hoped for";
            ("inconclusive", Verdict::Inconclusive, reason)
        };
        let always = vec![CaseZone::new()];
        let place = CasePlace {
            name: name.to_owned(),
            origin: Vec::new(),
            invariant: always.clone(),
            urgent: Vec::new(),
            verdicts: vec![Judgement::new(verdict, always, reason)],
            edges: Vec::new(),
            rules: Vec::new(),
        };
        let leaf = self.push(None, place)?;
        *(if fail { &mut self.failed } else { &mut self.undesired }) = Some(leaf);
        Ok(leaf)
    }

    fn push(&mut self, node: Option<NodeId>, place: CasePlace) -> Result<u32, Error> {
        if self.places.len() >= LIMIT {
            return Err(Error::TooLarge(LIMIT));
        }
        self.places.push((node, place));
        Ok(u32::try_from(self.places.len() - 1).expect("the limit is smaller"))
    }
}
