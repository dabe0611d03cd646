//! Loop-free words: those of ways from the start to their first end on which no state comes twice. They are
//! enumerated one by one, each with what it shares with the one before, and counted without being enumerated.

use tioga_base::Budget;

use super::components::Components;
use super::graph::{WordGraph, small};
use super::way::Way;
use crate::error::Error;
use crate::natural::Natural;

/// The loop-free ways of a graph, in depth-first order: edges in the order of the grid, ticks last.
///
/// A way that cannot be completed is never begun: where several nodes form a cycle, it is looked for a
/// loop-free continuation before each step. So the time from one word to the next is polynomial.
#[derive(Debug)]
pub struct LoopFree<'g> {
    graph: &'g WordGraph,
    components: Components,
    /// The nodes of the present way, each with its next edge.
    frames: Vec<(u32, usize)>,
    labels: Vec<u32>,
    on_way: Vec<bool>,
    /// How many labels stayed since the last word.
    kept: usize,
    seen: Vec<u32>,
    round: u32,
}

impl<'g> LoopFree<'g> {
    /// All loop-free ways of a graph.
    pub fn new(graph: &'g WordGraph) -> Self {
        let frames = if graph.is_empty() { Vec::new() } else { vec![(0, graph.edges(0).start)] };
        let mut on_way = vec![false; graph.len()];
        if let Some(start) = on_way.first_mut() {
            *start = true;
        }
        Self {
            graph,
            components: Components::new(graph),
            frames,
            labels: Vec::new(),
            on_way,
            kept: 0,
            seen: vec![0; graph.len()],
            round: 0,
        }
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
                self.on_way[*node as usize] = false;
                self.frames.pop();
                self.labels.pop();
                self.kept = self.kept.min(self.labels.len());
                continue;
            }
            let (taken, target) = (*edge, self.graph.targets[*edge]);
            *edge += 1;
            if self.on_way[target as usize] {
                continue;
            }
            if self.graph.ends[target as usize] {
                let kept = self.kept.min(self.labels.len());
                self.kept = self.labels.len();
                self.labels.push(self.graph.labels[taken]);
                self.frames.push((target, self.graph.edges(target).end));
                return Some(Way { kept, labels: &self.labels, last: target });
            }
            if !self.components.is_alone(target) && !self.goes_on(target) {
                continue;
            }
            self.on_way[target as usize] = true;
            self.labels.push(self.graph.labels[taken]);
            self.frames.push((target, self.graph.edges(target).start));
        }
    }

    /// Whether the component of a node can be left from it without a node of the present way.
    fn goes_on(&mut self, node: u32) -> bool {
        self.round += 1;
        let own = self.components.of[node as usize];
        let mut waiting = vec![node];
        self.seen[node as usize] = self.round;
        while let Some(at) = waiting.pop() {
            for edge in self.graph.edges(at) {
                let target = self.graph.targets[edge] as usize;
                if self.components.of[target] != own {
                    return true;
                }
                if !self.on_way[target] && self.seen[target] != self.round {
                    self.seen[target] = self.round;
                    waiting.push(small(target));
                }
            }
        }
        false
    }
}

/// How many loop-free ways a graph has. Only ways within components of several nodes are enumerated; each of
/// their nodes takes a step of the budget.
///
/// # Errors
/// If the budget is used up.
pub fn count_loop_free(graph: &WordGraph, budget: &mut Budget) -> Result<Natural, Error> {
    if graph.is_empty() {
        return Ok(Natural::default());
    }
    let components = Components::new(graph);
    let mut order: Vec<u32> = (0..small(graph.len())).collect();
    // Edges lead to lower components, so these are known first.
    order.sort_by_key(|node| components.of[*node as usize]);
    let mut entered = vec![false; graph.len()];
    entered[0] = true;
    for node in 0..small(graph.len()) {
        for edge in graph.edges(node) {
            let target = graph.targets[edge] as usize;
            entered[target] |= components.of[target] != components.of[node as usize];
        }
    }
    let mut counts = vec![Natural::default(); graph.len()];
    // What leaves the component of a node directly.
    let mut leaving = vec![Natural::default(); graph.len()];
    let mut begin = 0;
    while begin < order.len() {
        let own = components.of[order[begin] as usize];
        let size = components.sizes[own as usize] as usize;
        let members = &order[begin..begin + size];
        for node in members {
            let mut sum = Natural::of(u64::from(graph.ends[*node as usize]));
            for edge in graph.edges(*node) {
                let target = graph.targets[edge] as usize;
                if components.of[target] != own {
                    sum.add(&counts[target]);
                }
            }
            leaving[*node as usize] = sum;
        }
        for node in members {
            if size == 1 {
                counts[*node as usize] = std::mem::take(&mut leaving[*node as usize]);
            } else if entered[*node as usize] {
                counts[*node as usize] = within(graph, &components, &leaving, *node, budget)?;
            }
        }
        begin += size;
    }
    Ok(counts.swap_remove(0))
}

/// The sum of what leaves a component, over all loop-free ways in it from a node.
fn within(
    graph: &WordGraph,
    components: &Components,
    leaving: &[Natural],
    start: u32,
    budget: &mut Budget,
) -> Result<Natural, Error> {
    let own = components.of[start as usize];
    let mut on_way = vec![false; graph.len()];
    let mut sum = leaving[start as usize].clone();
    let mut frames = vec![(start, graph.edges(start).start)];
    on_way[start as usize] = true;
    while let Some((node, edge)) = frames.last_mut() {
        if *edge == graph.edges(*node).end {
            on_way[*node as usize] = false;
            frames.pop();
            continue;
        }
        let target = graph.targets[*edge];
        *edge += 1;
        if components.of[target as usize] == own && !on_way[target as usize] {
            budget.step()?;
            on_way[target as usize] = true;
            sum.add(&leaving[target as usize]);
            frames.push((target, graph.edges(target).start));
        }
    }
    Ok(sum)
}
