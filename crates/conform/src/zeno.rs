//! Internal steps that cannot be made without end in bounded time.
//!
//! A cycle takes at least one unit of time if on it a clock is reset and found to be at least 1 (strongly non-Zeno).

use std::ops::Range;

use indexmap::IndexSet;
use rustc_hash::FxHashSet;
use tioga_symbolic::PackedState;
use tioga_zones::Zone;

use crate::side::{Act, View};

/// An internal step between the positions of two states.
struct Edge<'v> {
    from: usize,
    to: usize,
    act: &'v Act,
}

/// The internal steps that may be made without end only while time diverges.
pub struct LastingSteps {
    /// The states between which steps may be made without end in no time.
    dropped: FxHashSet<(PackedState, PackedState)>,
}

impl LastingSteps {
    /// The ones among the steps of these states, which may repeat. `clocks` are those of the model. States may stand
    /// for others: those that `known_of` makes the same are one.
    pub fn new<'v>(
        states: impl Iterator<Item = (&'v PackedState, &'v View)>,
        known_of: impl Fn(&PackedState) -> PackedState,
        clocks: Range<usize>,
    ) -> Self {
        let mut known: IndexSet<PackedState> = IndexSet::default();
        let mut visited = FxHashSet::default();
        let mut edges = Vec::new();
        for (state, view) in states.filter(|(state, _)| visited.insert(*state)) {
            let from = known.insert_full(known_of(state)).0;
            for act in view.acts.iter().filter(|act| act.action.is_none()) {
                edges.push(Edge { from, to: known.insert_full(known_of(&act.target)).0, act });
            }
        }
        let all: Vec<&Edge<'_>> = edges.iter().collect();
        let mut dropped = FxHashSet::default();
        if !is_acyclic(&all) && !clocks.into_iter().any(|clock| takes_time(&all, clock)) {
            for edge in edges.iter().filter(|edge| reaches(&all, edge.to, edge.from)) {
                dropped.insert((known[edge.from].clone(), known[edge.to].clone()));
            }
        }
        Self { dropped }
    }

    /// Whether the internal steps from one state to another are among them.
    pub fn contains(&self, from: &PackedState, to: &PackedState) -> bool {
        self.dropped.is_empty() || !self.dropped.contains(&(from.clone(), to.clone()))
    }
}

/// Whether no way leads back to where it began.
fn is_acyclic(edges: &[&Edge<'_>]) -> bool {
    edges.iter().all(|edge| !reaches(edges, edge.to, edge.from))
}

/// Whether each cycle resets the clock and finds it to be at least 1.
fn takes_time(edges: &[&Edge<'_>], clock: usize) -> bool {
    let mut unresetting = Vec::new();
    let mut untested = Vec::new();
    for edge in edges {
        let mut resets = false;
        for (target, source, offset) in edge.act.jump.assignments() {
            if target == clock {
                if (source, offset) != (0, 0) {
                    return false;
                }
                resets = true;
            }
        }
        let enabled = edge.act.enabled.zones();
        let at_least_one =
            |zone: &Zone| zone.bound(0, clock).constant().is_some_and(|bound| bound <= -1);
        if !resets {
            unresetting.push(*edge);
        }
        if !enabled.iter().all(at_least_one) {
            untested.push(*edge);
        }
    }
    is_acyclic(&unresetting) && is_acyclic(&untested)
}

/// Whether the edges lead from one state to another.
fn reaches(edges: &[&Edge<'_>], from: usize, to: usize) -> bool {
    let mut seen = FxHashSet::from_iter([from]);
    let mut waiting = vec![from];
    while let Some(state) = waiting.pop() {
        if state == to {
            return true;
        }
        for edge in edges.iter().filter(|edge| edge.from == state) {
            if seen.insert(edge.to) {
                waiting.push(edge.to);
            }
        }
    }
    false
}
