//! Words up to a length, and the shortest words.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use tioga_base::Budget;

use super::graph::{WordGraph, small};
use super::way::Way;
use crate::error::Error;
use crate::natural::Natural;

/// The ways of a graph up to a number of labels, ticks included, in depth-first order. States may come again.
#[derive(Debug)]
pub struct UpTo<'g> {
    graph: &'g WordGraph,
    most: usize,
    distances: Vec<u32>,
    frames: Vec<(u32, usize)>,
    labels: Vec<u32>,
    kept: usize,
}

impl<'g> UpTo<'g> {
    /// All ways with at most so many labels.
    pub fn new(graph: &'g WordGraph, most: usize) -> Self {
        let distances = graph.distances(&graph.backwards(), |_| true);
        let begins = distances.first().is_some_and(|distance| *distance as usize <= most);
        let frames = if begins { vec![(0, graph.edges(0).start)] } else { Vec::new() };
        Self { graph, most, distances, frames, labels: Vec::new(), kept: 0 }
    }

    /// The next word, or nothing if there are no more.
    pub fn next_way(&mut self) -> Option<Way<'_>> {
        if self.graph.ends.first() == Some(&true)
            && self.frames.len() == 1
            && self.labels.is_empty()
        {
            self.frames.clear();
            return Some(Way { kept: 0, labels: &self.labels, last: 0 });
        }
        loop {
            let (node, edge) = self.frames.last_mut()?;
            if *edge == self.graph.edges(*node).end {
                self.frames.pop();
                self.labels.pop();
                self.kept = self.kept.min(self.labels.len());
                continue;
            }
            let (taken, target) = (*edge, self.graph.targets[*edge]);
            *edge += 1;
            let least = self.labels.len() + 1 + self.distances[target as usize] as usize;
            if least > self.most {
                continue;
            }
            self.labels.push(self.graph.labels[taken]);
            self.frames.push((target, self.graph.edges(target).start));
            if self.graph.ends[target as usize] {
                let kept = self.kept.min(self.labels.len() - 1);
                self.kept = self.labels.len() - 1;
                return Some(Way { kept, labels: &self.labels, last: target });
            }
        }
    }
}

/// How many ways there are with at most so many labels. Each node takes a step of the budget for each length.
///
/// # Errors
/// If the budget is used up.
pub fn count_up_to(graph: &WordGraph, most: usize, budget: &mut Budget) -> Result<Natural, Error> {
    let mut sum = Natural::default();
    if graph.is_empty() {
        return Ok(sum);
    }
    let mut counts = vec![Natural::default(); graph.len()];
    counts[0] = Natural::of(1);
    for length in 0..=most {
        let mut after = vec![Natural::default(); graph.len()];
        let mut more = false;
        for node in 0..small(graph.len()) {
            let count = &counts[node as usize];
            if count.is_zero() {
                continue;
            }
            budget.step()?;
            if graph.ends[node as usize] {
                sum.add(count);
                continue;
            }
            if length < most {
                for edge in graph.edges(node) {
                    after[graph.targets[edge] as usize].add(count);
                    more = true;
                }
            }
        }
        if !more {
            break;
        }
        counts = after;
    }
    Ok(sum)
}

/// The shortest ways to ends, one after the other, with at most so many to each. States may come again.
#[derive(Debug)]
pub struct Shortest<'g> {
    graph: &'g WordGraph,
    most: usize,
    /// The ends that are still to come, or all at once.
    goals: std::vec::IntoIter<Option<u32>>,
    search: Option<Search>,
    labels: Vec<u32>,
    before: Vec<u32>,
}

/// A search for the shortest ways to one end, or to any.
#[derive(Debug)]
struct Search {
    distances: Vec<u32>,
    /// Ways as chains: node, edge, and the position of the way before.
    ways: Vec<(u32, usize, usize)>,
    /// Length in the end, position among the ways.
    waiting: BinaryHeap<Reverse<(u64, usize)>>,
    lengths: Vec<u32>,
    visits: Vec<usize>,
    found: usize,
}

impl<'g> Shortest<'g> {
    /// The shortest ways to any end: so many in all.
    pub fn new(graph: &'g WordGraph, most: usize) -> Self {
        let goals = if graph.is_empty() { Vec::new() } else { vec![None] };
        Self::to(graph, most, goals)
    }

    /// The shortest ways to each end in order: so many to each.
    pub fn per_end(graph: &'g WordGraph, most: usize) -> Self {
        let ends = (0..small(graph.len())).filter(|node| graph.ends[*node as usize]);
        Self::to(graph, most, ends.map(Some).collect())
    }

    fn to(graph: &'g WordGraph, most: usize, goals: Vec<Option<u32>>) -> Self {
        let (labels, before) = (Vec::new(), Vec::new());
        Self { graph, most, goals: goals.into_iter(), search: None, labels, before }
    }

    /// The next word, or nothing if there are no more.
    pub fn next_way(&mut self) -> Option<Way<'_>> {
        loop {
            if self.search.is_none() {
                let goal = self.goals.next()?;
                let distances = self
                    .graph
                    .distances(&self.graph.backwards(), |node| goal.is_none_or(|one| one == node));
                self.search = Some(Search::new(distances));
            }
            let search = self.search.as_mut()?;
            let Some(last) = search.next(self.graph, self.most) else {
                self.search = None;
                continue;
            };
            std::mem::swap(&mut self.labels, &mut self.before);
            self.labels.clear();
            let mut way = last;
            let node = search.ways[last].0;
            while let (_, edge, previous) = search.ways[way]
                && previous != way
            {
                self.labels.push(self.graph.labels[edge]);
                way = previous;
            }
            self.labels.reverse();
            let pairs = self.labels.iter().zip(&self.before);
            let kept = pairs.take_while(|(one, other)| one == other).count();
            return Some(Way { kept, labels: &self.labels, last: node });
        }
    }
}

impl Search {
    fn new(distances: Vec<u32>) -> Self {
        let visits = vec![0; distances.len()];
        let mut waiting = BinaryHeap::new();
        let reached = distances.first().is_some_and(|distance| *distance != u32::MAX);
        waiting.extend(reached.then_some(Reverse((0, 0))));
        Self { distances, ways: vec![(0, 0, 0)], waiting, lengths: vec![0], visits, found: 0 }
    }

    /// The position of the next way that ends.
    fn next(&mut self, graph: &WordGraph, most: usize) -> Option<usize> {
        while self.found < most {
            let Reverse((_, way)) = self.waiting.pop()?;
            let (node, ..) = self.ways[way];
            if graph.ends[node as usize] {
                self.found += 1;
                return Some(way);
            }
            // No word of the first so many goes on from a node more often.
            self.visits[node as usize] += 1;
            if self.visits[node as usize] > most {
                continue;
            }
            for edge in graph.edges(node) {
                let target = graph.targets[edge];
                let distance = self.distances[target as usize];
                if distance == u32::MAX {
                    continue;
                }
                let length = self.lengths[way] + 1;
                self.waiting
                    .push(Reverse((u64::from(length) + u64::from(distance), self.ways.len())));
                self.ways.push((target, edge, way));
                self.lengths.push(length);
            }
        }
        None
    }
}
