//! The part of a grid that words are read from: what lies between the start and the first end of the purpose on
//! each way. Every node of it can reach an end, and no end is left.

use tioga_base::Budget;

use crate::error::Error;
use crate::grid::{GridAutomaton, StateIndex, TICK};

/// What the actions of words must be.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// The names of the actions in order; any actions if nothing.
    pub actions: Option<Vec<String>>,
}

/// States of a grid between the start and the ends.
#[derive(Clone, Debug)]
pub struct WordGraph {
    /// The state of the grid that each node is. A grid without a node has no words.
    pub states: Vec<StateIndex>,
    pub(crate) first: Vec<u32>,
    pub(crate) labels: Vec<u32>,
    pub(crate) targets: Vec<u32>,
    /// Whether each node is an end.
    pub(crate) ends: Vec<bool>,
}

impl WordGraph {
    /// The graph of the words of a grid, from its start up to the first end.
    ///
    /// # Errors
    /// If the budget is used up, of which each node takes a step.
    pub fn new(grid: &GridAutomaton, wanted: &Wanted, budget: &mut Budget) -> Result<Self, Error> {
        let sequence = wanted.actions.as_ref();
        let places = sequence.map_or(1, |actions| actions.len() + 1);
        let states = grid.state_count();
        // A node is a state and how many of the wanted actions were taken.
        let nodes = states.checked_mul(places).filter(|count| u32::try_from(*count).is_ok());
        let nodes = nodes.ok_or(Error::TooManyStates)?;
        let is_end = |node: usize| {
            let (fail, desired) = grid.ends(small(node % states));
            (fail || desired) && node / states + 1 == places
        };
        let passes_end = |node: usize| {
            let (fail, desired) = grid.ends(small(node % states));
            fail || desired
        };
        let mut numbers = vec![u32::MAX; nodes];
        let (mut order, mut raw) = (vec![0usize], RawEdges::default());
        numbers[0] = 0;
        let mut next = 0;
        while next < order.len() {
            budget.step()?;
            let node = order[next];
            let (state, done) = (node % states, node / states);
            if !passes_end(node) {
                for (label, target) in grid.transitions(small(state)) {
                    let after = match (label, sequence) {
                        (TICK, _) | (_, None) => done,
                        (_, Some(actions)) => {
                            let (action, _) = grid.label(label).unwrap_or((usize::MAX, &[]));
                            let name = grid.automaton().actions.get(action).map(|one| &one.name);
                            if actions.get(done) != name {
                                continue;
                            }
                            done + 1
                        }
                    };
                    let target = after * states + target as usize;
                    if numbers[target] == u32::MAX {
                        numbers[target] = small(order.len());
                        order.push(target);
                    }
                    raw.edges.push((label, numbers[target]));
                }
            }
            raw.first.push(raw.edges.len());
            next += 1;
        }
        let ends: Vec<bool> = order.iter().map(|node| is_end(*node)).collect();
        Ok(Self::pruned(&order, &raw, &ends, states))
    }

    /// Only the nodes from which an end is reached.
    fn pruned(order: &[usize], raw: &RawEdges, ends: &[bool], states: usize) -> Self {
        let before = raw.reversed();
        let mut useful = ends.to_vec();
        let mut waiting: Vec<usize> = (0..ends.len()).filter(|node| ends[*node]).collect();
        while let Some(node) = waiting.pop() {
            for source in before.of(node) {
                if !std::mem::replace(&mut useful[*source as usize], true) {
                    waiting.push(*source as usize);
                }
            }
        }
        let mut numbers = vec![u32::MAX; order.len()];
        let mut graph = Self {
            states: Vec::new(),
            first: vec![0],
            labels: Vec::new(),
            targets: Vec::new(),
            ends: Vec::new(),
        };
        if !useful[0] {
            return graph;
        }
        for (node, _) in useful.iter().enumerate().filter(|(_, useful)| **useful) {
            numbers[node] = small(graph.states.len());
            graph.states.push(small(order[node] % states));
            graph.ends.push(ends[node]);
        }
        for (node, _) in useful.iter().enumerate().filter(|(_, useful)| **useful) {
            for (label, target) in raw.of(node) {
                if useful[*target as usize] {
                    graph.labels.push(*label);
                    graph.targets.push(numbers[*target as usize]);
                }
            }
            graph.first.push(small(graph.labels.len()));
        }
        graph
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether no end can be reached.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.labels.len()
    }

    /// The numbers of the edges of a node.
    pub(crate) fn edges(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize] as usize..self.first[node as usize + 1] as usize
    }

    /// The sources of the edges of each node, backwards.
    pub(crate) fn backwards(&self) -> Sources {
        let pairs = (0..self.len()).flat_map(|node| {
            self.edges(small(node)).map(move |edge| (small(node), self.targets[edge]))
        });
        Sources::new(self.len(), pairs)
    }

    /// How many edges there are at least from each node to an end that passes a test; `u32::MAX` if none is
    /// reached.
    pub(crate) fn distances(&self, before: &Sources, wanted: impl Fn(u32) -> bool) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.len()];
        let nodes = 0..small(self.len());
        let mut order: Vec<u32> =
            nodes.filter(|node| self.ends[*node as usize] && wanted(*node)).collect();
        order.iter().for_each(|node| distances[*node as usize] = 0);
        let mut next = 0;
        while next < order.len() {
            let node = order[next] as usize;
            next += 1;
            for source in before.of(node) {
                if distances[*source as usize] == u32::MAX {
                    distances[*source as usize] = distances[node] + 1;
                    order.push(*source);
                }
            }
        }
        distances
    }
}

pub(crate) fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Edges in order of their sources.
struct RawEdges {
    first: Vec<usize>,
    edges: Vec<(u32, u32)>,
}

impl Default for RawEdges {
    fn default() -> Self {
        Self { first: vec![0], edges: Vec::new() }
    }
}

impl RawEdges {
    fn of(&self, node: usize) -> &[(u32, u32)] {
        &self.edges[self.first[node]..self.first[node + 1]]
    }

    fn reversed(&self) -> Sources {
        let count = self.first.len() - 1;
        let pairs = (0..count)
            .flat_map(|node| self.of(node).iter().map(move |(_, target)| (small(node), *target)));
        Sources::new(count, pairs)
    }
}

/// The sources of edges, in order of their targets.
pub(crate) struct Sources {
    first: Vec<u32>,
    sources: Vec<u32>,
}

impl Sources {
    fn new(count: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut first = vec![0u32; count + 1];
        pairs.clone().for_each(|(_, target)| first[target as usize + 1] += 1);
        for node in 0..count {
            first[node + 1] += first[node];
        }
        let mut next = first.clone();
        let mut sources = vec![0; first[count] as usize];
        for (source, target) in pairs {
            sources[next[target as usize] as usize] = source;
            next[target as usize] += 1;
        }
        Self { first, sources }
    }

    pub fn of(&self, node: usize) -> &[u32] {
        &self.sources[self.first[node] as usize..self.first[node + 1] as usize]
    }
}
