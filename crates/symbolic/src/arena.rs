//! The arena: everything reachable, arranged for computing sets of points backwards.
//!
//! A search forwards finds the discrete states and, for each, zones that cover the points reached
//! there. They are abstracted with [`Abstraction::M`] at most, so every point of them behaves exactly
//! like some reachable one (BBLP06), and together they are closed under delays and steps. Hence what is
//! computed backwards needs to be right on these zones only: elsewhere a set may be anything.
//!
//! If the search did not end, some zones were not visited, and what happens after them is open. What
//! is bad whatever happens there is bad all the same, so questions can still be answered with *no*.
//!
//! All sets here have one clock more than the model, the last: the *stopwatch*. Nothing sets or
//! tests it; the questions asked do, by restricting it in the sets they start from.

use std::collections::HashMap;

use tioga_explore::{NodeId, Store};
use tioga_model::{Composer, DiscreteState, Model, Step, StepLabel, Steps};
use tioga_zones::{Bound, Federation, Zone};

use crate::elapse::with_clock;
use crate::witness::{TimedStep, along_path};
use crate::{Abstraction, Elapse, Error, Jump, PackedState, ZoneGraph};

/// How many zones of a discrete state that were not visited are told apart.
const MOST_OPEN: usize = 32;

/// Everything reachable.
pub(crate) struct Arena<'g, 'm> {
    graph: &'g ZoneGraph<'m>,
    found: &'g Store<ZoneGraph<'m>>,
    /// Why the search did not end, if it did not.
    pub incomplete: Option<String>,
    /// The discrete states, in the order in which they were found.
    pub states: Vec<ArenaState>,
    /// For each discrete state the steps that lead to it: from where, and which of that one's.
    pub entries: Vec<Vec<(usize, usize)>>,
}

/// A discrete state of the arena.
pub(crate) struct ArenaState {
    pub discrete: DiscreteState,
    /// How time passes; with the stopwatch.
    pub elapse: Elapse,
    /// The least zone around all that is reached here, within the invariant; the stopwatch is free.
    /// Sets are kept inside it.
    pub domain: Federation,
    /// What is reached here and was visited, within the invariant and with the stopwatch at zero,
    /// and by which nodes of the search.
    pub reached: Vec<(NodeId, Federation)>,
    /// What is reached here and was not visited; the stopwatch is free.
    pub open: Federation,
    /// The steps to other reachable discrete states.
    pub steps: Vec<ArenaStep>,
}

/// A joint step of a discrete state.
pub(crate) struct ArenaStep {
    /// Where it leads.
    pub target: usize,
    /// What it does to clocks.
    pub jump: Jump,
    /// What an observer sees of it.
    pub label: StepLabel,
    /// Its position in the enumeration of the state's steps.
    pub index: usize,
}

impl<'g, 'm> Arena<'g, 'm> {
    /// Arranges what a search of the graph found, which did not end for the given reason, if any.
    ///
    /// Pre: the abstraction of the graph is [`Abstraction::M`] at most.
    pub fn of(
        graph: &'g ZoneGraph<'m>,
        found: &'g Store<ZoneGraph<'m>>,
        incomplete: Option<String>,
    ) -> Result<Self, Error> {
        debug_assert!(matches!(graph.abstraction(), Abstraction::M | Abstraction::None));
        let mut builder =
            Builder { graph, composer: Composer::new(graph.model()), states: Vec::new() };
        let mut numbers: HashMap<PackedState, usize> = HashMap::new();
        for (node, key, part) in found.stored() {
            let state = match numbers.get(key) {
                Some(state) => *state,
                None => {
                    numbers.insert(key.clone(), builder.states.len());
                    builder.state(key)?
                }
            };
            let zone = graph.unpack(&builder.states[state].discrete, part);
            builder.reach(state, &zone, found.is_visited(node).then_some(node));
        }
        let mut states = builder.states;
        let mut composer = builder.composer;
        let mut entries = vec![Vec::new(); states.len()];
        let mut steps = Steps::new();
        for (source, state) in states.iter_mut().enumerate() {
            composer.steps(&state.discrete, &mut steps);
            for (index, step) in steps.list.iter().enumerate() {
                // A step whose update cannot be carried out is no step.
                let Ok(applied) = composer.apply(&state.discrete, step) else { continue };
                // A step to a state that was not found is possible at no point that was visited.
                let Some(&target) = numbers.get(&graph.codec().pack(&applied.target)) else {
                    continue;
                };
                let jump = Jump::of(step, &applied.assignments)?;
                entries[target].push((source, state.steps.len()));
                state.steps.push(ArenaStep { target, jump, label: step.label, index });
            }
        }
        Ok(Self { graph, found, incomplete, states, entries })
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.graph.model()
    }

    /// The stopwatch, as clocks are numbered in zones.
    pub fn stopwatch(&self) -> usize {
        self.graph.dimension()
    }

    /// The number of clocks plus one, the stopwatch included.
    pub fn dimension(&self) -> usize {
        self.graph.dimension() + 1
    }

    /// The points of a discrete state from which a step leads into a set of its target.
    pub fn before(&self, state: usize, step: usize, target: &Federation) -> Federation {
        let state = &self.states[state];
        let mut before = state.steps[step].jump.predecessor(target);
        before.intersect(&state.domain);
        before
    }

    /// The points from which time may pass into a set.
    pub fn earlier(&self, state: usize, set: &Federation) -> Federation {
        let state = &self.states[state];
        let mut earlier = state.elapse.past(set);
        earlier.intersect(&state.domain);
        earlier
    }

    /// A run to a visited point outside the sets, if there is one; the stopwatch shows zero.
    pub fn run_outside(&self, sets: &[Federation]) -> Result<Option<Vec<TimedStep>>, Error> {
        let missed = |state: usize, reached: &Federation| {
            let mut left = reached.clone();
            left.subtract(&sets[state]);
            left
        };
        Ok(self.run(missed)?.map(|(_, run)| run))
    }

    /// A run to a visited point inside the sets, if there is one, and where it ends; the
    /// stopwatch shows zero.
    pub fn run_inside(
        &self,
        sets: &[Federation],
    ) -> Result<Option<(usize, Vec<TimedStep>)>, Error> {
        let met = |state: usize, reached: &Federation| {
            let mut common = reached.clone();
            common.intersect(&sets[state]);
            common
        };
        self.run(met)
    }

    /// A run to a point among those that are picked from what is reached; an early one.
    fn run(
        &self,
        pick: impl Fn(usize, &Federation) -> Federation,
    ) -> Result<Option<(usize, Vec<TimedStep>)>, Error> {
        let mut first: Option<(NodeId, usize, Federation)> = None;
        for (number, state) in self.states.iter().enumerate() {
            for (node, reached) in &state.reached {
                if first.as_ref().is_some_and(|(earliest, _, _)| earliest < node) {
                    continue;
                }
                let picked = pick(number, reached);
                if !picked.is_empty() {
                    first = Some((*node, number, picked));
                }
            }
        }
        let Some((node, state, picked)) = first else { return Ok(None) };
        let goal = picked.zones().iter().map(|zone| self.without_stopwatch(zone));
        let goal = Federation::from_zones(self.graph.dimension(), goal);
        let run = along_path(self.graph, &self.found.path(node), &goal)?;
        Ok(Some((state, run)))
    }

    fn without_stopwatch(&self, zone: &Zone) -> Zone {
        let clocks: Vec<usize> = (1..self.stopwatch()).collect();
        zone.pack_clocks(&clocks).unpack()
    }
}

struct Builder<'g, 'm> {
    graph: &'g ZoneGraph<'m>,
    composer: Composer<'m>,
    states: Vec<ArenaState>,
}

impl Builder<'_, '_> {
    /// Adds a discrete state of which nothing is known to be reached yet.
    fn state(&mut self, key: &PackedState) -> Result<usize, Error> {
        let mut state = self.composer.initial();
        self.graph.codec().unpack(key, &mut state);
        let mut steps = Steps::new();
        self.composer.steps(&state, &mut steps);
        let elapse = Elapse::of(&mut self.composer, &state, &steps)?.with_clock();
        let empty = Federation::empty(self.graph.dimension() + 1);
        self.states.push(ArenaState {
            discrete: state,
            elapse,
            domain: empty.clone(),
            reached: Vec::new(),
            open: empty,
            steps: Vec::new(),
        });
        Ok(self.states.len() - 1)
    }

    /// Adds what is reached in a discrete state, by a node that was visited or not.
    fn reach(&mut self, state: usize, zone: &Zone, visited: Option<NodeId>) {
        let state = &mut self.states[state];
        let stopwatch = self.graph.dimension();
        let mut reached = Federation::from(with_clock(zone));
        // Coarsening may have left the invariant.
        reached.intersect(state.elapse.invariant());
        let around = state.domain.zones().iter().chain(reached.zones()).cloned();
        let around = Federation::from_zones(stopwatch + 1, around);
        state.domain = around.hull().map_or(around, Federation::from);
        state.domain.intersect(state.elapse.invariant());
        match visited {
            Some(node) => {
                reached.constrain(stopwatch, 0, Bound::LE_ZERO);
                state.reached.push((node, reached));
            }
            // Where much is open, everything may be taken to be: that only hides what is bad.
            None if state.open.len() >= MOST_OPEN => state.open = state.domain.clone(),
            None => state.open.unite(&reached),
        }
    }
}

/// The steps of a model in a discrete state, by position.
pub(crate) fn steps_of(composer: &mut Composer<'_>, state: &DiscreteState) -> Vec<Step> {
    let mut steps = Steps::new();
    composer.steps(state, &mut steps);
    steps.list
}
