//! From a strategy to a small automaton: regions become guards, equal states become one location.
//!
//! A location is entered in one region only, and from there time leads through a chain of regions.
//! So a stretch of the chain is told apart from the rest by one bound where it begins and one where
//! it ends, and the end of the chain needs none because the invariant is there. Where such guards of
//! two edges with the same action overlap outside the chain, the regions themselves are merged into
//! convex guards, so that the automaton is deterministic on its text too.
//!
//! States with the same invariant and the same edges, up to states that are already the same, are
//! one location: the coarsest partition of this kind is found by refinement.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};
use tioga_zones::{Bound, Constraint, Federation, Zone};

use crate::game::{Game, Node};
use crate::region::Grid;
use crate::strategy::Strategy;

/// A conjunction of bounds over the clocks of the result, in zone numbering.
pub(crate) type Guard = Vec<(usize, usize, Bound)>;

/// An edge.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Edge {
    /// The number of the action.
    pub action: usize,
    /// When.
    pub guard: Guard,
    /// Which clocks are reset.
    pub reset: u32,
    /// Where to.
    pub target: usize,
}

/// A location.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Location {
    /// How long one may stay.
    pub invariant: Guard,
    /// The edges that leave it.
    pub edges: Vec<Edge>,
}

/// An automaton whose first location is the initial one.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// The locations.
    pub locations: Vec<Location>,
    /// The states of the game that each location stands for.
    pub states: Vec<Vec<usize>>,
}

impl Automaton {
    /// The automaton of a strategy. States with different `kinds` stay apart.
    pub(crate) fn new(
        game: &Game,
        strategy: &Strategy,
        (clocks, grid): (usize, &Grid),
        kind: &dyn Fn(&Node) -> u32,
    ) -> Self {
        let mut reached: IndexSet<usize> = IndexSet::new();
        let mut waiting = vec![0];
        while let Some(number) = waiting.pop() {
            if reached.insert(number) {
                waiting.extend(strategy.answers[&number].iter().rev().map(|(_, target)| *target));
            }
        }
        let mut class: BTreeMap<usize, usize> = BTreeMap::new();
        let mut kinds: IndexMap<u32, ()> = IndexMap::new();
        for &number in &reached {
            class.insert(number, kinds.insert_full(kind(&game.nodes[number]), ()).0);
        }
        let mut count = kinds.len();
        loop {
            let mut parts: IndexMap<(usize, Location), Vec<usize>> = IndexMap::new();
            for &number in &reached {
                let answers = &strategy.answers[&number];
                let location = location(&game.nodes[number], answers, &class, clocks, grid);
                parts.entry((class[&number], location)).or_default().push(number);
            }
            for (position, members) in parts.values().enumerate() {
                for member in members {
                    class.insert(*member, position);
                }
            }
            if parts.len() == count {
                // The numbers of the classes changed, so the edges are made once more.
                let locations = parts
                    .values()
                    .map(|members| {
                        let first = members[0];
                        location(
                            &game.nodes[first],
                            &strategy.answers[&first],
                            &class,
                            clocks,
                            grid,
                        )
                    })
                    .collect();
                return Self { locations, states: parts.into_values().collect() };
            }
            count = parts.len();
        }
    }
}

/// The location of a state when its targets are classes.
fn location(
    node: &Node,
    answers: &[(u32, usize)],
    class: &BTreeMap<usize, usize>,
    clocks: usize,
    grid: &Grid,
) -> Location {
    let last = node.regions.last();
    let invariant: Guard = last
        .and_then(|region| region.end(grid))
        .map(|cut| bound(cut.before(1)))
        .into_iter()
        .collect();
    // Per action, reset and target: the moments, in order.
    let mut moments: BTreeMap<usize, BTreeMap<(u32, usize), Vec<usize>>> = BTreeMap::new();
    for (challenge, (reset, target)) in node.challenges.iter().zip(answers) {
        let same = moments.entry(challenge.action).or_default();
        same.entry((*reset, class[target])).or_default().push(challenge.moment);
    }
    let mut edges = Vec::new();
    for (action, ways) in moments {
        let mut own = Vec::new();
        for ((reset, target), moments) in &ways {
            for stretch in stretches(moments) {
                let guard = short_guard(node, grid, stretch);
                own.push(Edge { action, guard, reset: *reset, target: *target });
            }
        }
        if clocks > 1 && overlap(&own, &invariant, clocks) {
            own.clear();
            for ((reset, target), moments) in &ways {
                for guard in region_guards(node, grid, moments, clocks) {
                    own.push(Edge { action, guard, reset: *reset, target: *target });
                }
            }
        }
        edges.extend(own);
    }
    edges.sort();
    Location { invariant, edges }
}

/// The first and last of each run of consecutive numbers.
fn stretches(moments: &[usize]) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for &moment in moments {
        match all.last_mut() {
            Some((_, last)) if *last + 1 == moment => *last = moment,
            _ => all.push((moment, moment)),
        }
    }
    all
}

fn short_guard(node: &Node, grid: &Grid, (from, to): (usize, usize)) -> Guard {
    let begin = from.checked_sub(1).and_then(|before| node.regions[before].end(grid));
    let end = if to + 1 < node.regions.len() { node.regions[to].end(grid) } else { None };
    let begin = begin.map(|cut| bound(cut.after(1)));
    let end = end.map(|cut| bound(cut.before(1)));
    begin.into_iter().chain(end).collect()
}

fn region_guards(node: &Node, grid: &Grid, moments: &[usize], clocks: usize) -> Vec<Guard> {
    let regions = moments.iter().map(|moment| node.regions[*moment].zone(grid, clocks + 1, 1));
    let mut union = Federation::from_zones(clocks + 1, regions);
    union.merge();
    let guard = |zone: &Zone| {
        let mut bounds: Guard = zone.minimal_constraints().into_iter().map(bound).collect();
        // Clocks are never negative, and saying so would be noise.
        bounds.retain(|(left, _, bound)| *left != 0 || *bound != Bound::LE_ZERO);
        bounds.sort();
        bounds
    };
    union.zones().iter().map(guard).collect()
}

fn overlap(edges: &[Edge], invariant: &Guard, clocks: usize) -> bool {
    let meet = |one: &Edge, other: &Edge| {
        let mut zone = Zone::universal(clocks + 1);
        let mut all = one.guard.iter().chain(&other.guard).chain(invariant);
        all.all(|(left, right, bound)| zone.constrain(*left, *right, *bound).is_ok())
    };
    edges.iter().enumerate().any(|(i, one)| edges[..i].iter().any(|other| meet(one, other)))
}

fn bound(constraint: Constraint) -> (usize, usize, Bound) {
    (constraint.left, constraint.right, constraint.bound)
}
