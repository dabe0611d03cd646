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

use std::collections::{BTreeMap, BTreeSet};

use indexmap::{IndexMap, IndexSet};
use tioga_model::Marks;
use tioga_zones::{Bound, Constraint, Federation, Zone};

use crate::determinized::Acceptance;
use crate::game::{Game, Node};
use crate::region::Grid;
use crate::strategy::Strategy;
use crate::table::Hasher;

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
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Location {
    /// How long one may stay.
    pub invariant: Guard,
    /// Where the model accepts, and which explanations do.
    pub accepts: Vec<(Guard, Acceptance)>,
    /// The edges that leave it.
    pub edges: Vec<Edge>,
}

/// What a location is known for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Arrival {
    /// The discrete states possible on arrival.
    pub at: BTreeSet<usize>,
    /// What is known to be reached on arrival.
    pub marks: Marks,
    /// Whether what follows is known.
    pub known: bool,
}

/// An automaton whose first location is the initial one.
#[derive(Debug)]
pub(crate) struct Automaton {
    /// How many clocks it has.
    pub clocks: usize,
    /// The locations.
    pub locations: Vec<Location>,
    /// What each of them is known for.
    pub arrivals: Vec<Arrival>,
    /// The states that each of them stands for.
    pub states: Vec<Vec<usize>>,
}

impl Automaton {
    /// The automaton of a strategy.
    pub(crate) fn new(game: &Game, strategy: &Strategy, (clocks, grid): (usize, &Grid)) -> Self {
        let mut reached: IndexSet<usize, Hasher> = IndexSet::default();
        let mut waiting = vec![0];
        while let Some(number) = waiting.pop() {
            if reached.insert(number) {
                waiting.extend(strategy.answers[&number].iter().rev().map(|(_, target)| *target));
            }
        }
        let arrival = |number: usize| {
            let node = &game.nodes[number];
            let at = node.at.iter().copied().collect();
            Arrival { at, marks: node.marks, known: node.opened }
        };
        let location = |number: usize, class: &BTreeMap<usize, usize>| {
            location(&game.nodes[number], &strategy.answers[&number], class, clocks, grid)
        };
        let mut all = Self::minimal(clocks, reached.into_iter().collect(), &arrival, &location);
        if all.arrivals.iter().any(|arrival| !arrival.known) && all.unmarked_unknown().is_none() {
            let at = BTreeSet::new();
            all.arrivals.push(Arrival { at, marks: Marks::default(), known: false });
            all.locations.push(Location::default());
            all.states.push(Vec::new());
        }
        all
    }

    /// Where nothing is known, not even whether anything is reached on arrival. All outputs from
    /// unknown locations lead here: what holds on arrival in one of them need not hold after that.
    pub(crate) fn unmarked_unknown(&self) -> Option<usize> {
        let mut each = self.arrivals.iter().zip(&self.locations);
        each.position(|(arrival, location)| {
            !arrival.known && arrival.marks == Marks::default() && location.accepts.is_empty()
        })
    }

    /// The smallest automaton with these states, the first of which is initial. States that are
    /// known for different things stay apart. The location of a state is asked for with the
    /// classes of the states it leads to.
    pub(crate) fn minimal(
        clocks: usize,
        states: Vec<usize>,
        arrival: &dyn Fn(usize) -> Arrival,
        location: &dyn Fn(usize, &BTreeMap<usize, usize>) -> Location,
    ) -> Self {
        let kind = |number: usize| {
            let Arrival { marks, known, .. } = arrival(number);
            [marks.accept, marks.refuse, marks.fail, marks.desired, known]
        };
        let mut class: BTreeMap<usize, usize> = BTreeMap::new();
        let mut kinds: IndexSet<[bool; 5], Hasher> = IndexSet::default();
        for &number in &states {
            class.insert(number, kinds.insert_full(kind(number)).0);
        }
        let mut count = kinds.len();
        loop {
            let mut parts: IndexMap<(usize, Location), Vec<usize>, Hasher> = IndexMap::default();
            for &number in &states {
                let key = (class[&number], location(number, &class));
                parts.entry(key).or_default().push(number);
            }
            for (position, members) in parts.values().enumerate() {
                for member in members {
                    class.insert(*member, position);
                }
            }
            if parts.len() == count {
                // The numbers of the classes changed, so the edges are made once more.
                let states: Vec<Vec<usize>> = parts.into_values().collect();
                let locations = states.iter().map(|members| location(members[0], &class)).collect();
                let arrivals = states.iter().map(|members| {
                    let at = members.iter().flat_map(|member| arrival(*member).at).collect();
                    Arrival { at, ..arrival(members[0]) }
                });
                return Self { clocks, locations, arrivals: arrivals.collect(), states };
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
    let mut accepts = Vec::new();
    for acceptance in Acceptance::SUREST_FIRST {
        let own = node.accepts.iter().enumerate().filter(|(_, own)| **own == Some(acceptance));
        let moments: Vec<usize> = own.map(|(moment, _)| moment).collect();
        for stretch in stretches(&moments) {
            accepts.push((short_guard(node, grid, stretch), acceptance));
        }
    }
    Location { invariant, accepts, edges }
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
    union.zones().iter().map(guard_of).collect()
}

/// A zone as a guard.
pub(crate) fn guard_of(zone: &Zone) -> Guard {
    let mut bounds: Guard = zone.minimal_constraints().into_iter().map(bound).collect();
    // Clocks are never negative, and saying so would be noise.
    bounds.retain(|(left, _, bound)| *left != 0 || *bound != Bound::LE_ZERO);
    bounds.sort();
    bounds
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
