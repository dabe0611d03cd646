//! Words that together visit every state, or take every transition, between the start and the ends.

use super::graph::{Sources, WordGraph, small};
use super::way::Way;

/// Words that cover a graph: the way that is farthest from the start and not covered yet comes first, by a
/// shortest way to it and a shortest way on.
#[derive(Debug)]
pub struct Covering<'g> {
    graph: &'g WordGraph,
    transitions: bool,
    /// For each node the edge by which a shortest way enters it, and its source.
    entry: Vec<(u32, usize)>,
    distances: Vec<u32>,
    /// What is left to cover: nodes, or edges.
    order: Vec<u32>,
    covered: Vec<bool>,
    sources: Vec<u32>,
    labels: Vec<u32>,
    before: Vec<u32>,
}

impl<'g> Covering<'g> {
    /// Words that visit every state.
    pub fn states(graph: &'g WordGraph) -> Self {
        Self::new(graph, false)
    }

    /// Words that take every transition.
    pub fn transitions(graph: &'g WordGraph) -> Self {
        Self::new(graph, true)
    }

    fn new(graph: &'g WordGraph, transitions: bool) -> Self {
        let backwards: Sources = graph.backwards();
        let distances = graph.distances(&backwards, |_| true);
        let mut entry = vec![(u32::MAX, usize::MAX); graph.len()];
        let mut breadth: Vec<u32> = if graph.is_empty() { Vec::new() } else { vec![0] };
        let mut sources = vec![0; graph.edge_count()];
        let mut next = 0;
        while next < breadth.len() {
            let node = breadth[next];
            next += 1;
            for edge in graph.edges(node) {
                sources[edge] = node;
                let target = graph.targets[edge];
                if target != 0 && entry[target as usize].0 == u32::MAX {
                    entry[target as usize] = (node, edge);
                    breadth.push(target);
                }
            }
        }
        // Taken from the end, so the farthest comes first.
        let order: Vec<u32> = match transitions {
            false => breadth,
            true => breadth.iter().flat_map(|node| graph.edges(*node).rev().map(small)).collect(),
        };
        let covered = vec![false; if transitions { graph.edge_count() } else { graph.len() }];
        let (labels, before) = (Vec::new(), Vec::new());
        Self { graph, transitions, entry, distances, order, covered, sources, labels, before }
    }

    /// The next word, or nothing if everything is covered.
    pub fn next_way(&mut self) -> Option<Way<'_>> {
        let wanted = loop {
            let one = self.order.pop()?;
            if !self.covered[one as usize] {
                break one as usize;
            }
        };
        std::mem::swap(&mut self.labels, &mut self.before);
        self.labels.clear();
        let (turn, edge) = match self.transitions {
            true => (self.sources[wanted], Some(wanted)),
            false => (small(wanted), None),
        };
        let mut way = Vec::new();
        let mut at = turn;
        while at != 0 {
            let (source, edge) = self.entry[at as usize];
            way.push(edge);
            at = source;
        }
        way.reverse();
        way.extend(edge);
        let mut at = edge.map_or(turn, |edge| self.graph.targets[edge]);
        while self.distances[at as usize] > 0 {
            let nearer = |edge: &usize| {
                self.distances[self.graph.targets[*edge] as usize] < self.distances[at as usize]
            };
            let edge = self.graph.edges(at).find(nearer)?;
            way.push(edge);
            at = self.graph.targets[edge];
        }
        for edge in &way {
            self.labels.push(self.graph.labels[*edge]);
            match self.transitions {
                true => self.covered[*edge] = true,
                false => self.covered[self.graph.targets[*edge] as usize] = true,
            }
        }
        if !self.transitions {
            self.covered[0] = true;
        }
        let pairs = self.labels.iter().zip(&self.before);
        let kept = pairs.take_while(|(one, other)| one == other).count();
        Some(Way { kept, labels: &self.labels, last: at })
    }
}
