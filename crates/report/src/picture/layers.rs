//! A graph in layers: locations in even layers, texts of edges in odd ones, and every edge as a chain of slots, one in each
//! layer between its ends.
//!
//! Edges that lead back are turned round first, found by a depth-first search from the start. A location stands
//! one pair of layers below the lowest of those before it (Sugiyama, Tagawa and Toda 1981).

use std::ops::Range;

use super::graph::{Arrow, Graph};

/// What stands in a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The location with this index.
    Node(usize),
    /// The text of the edge with this index, beside its line.
    Label(usize),
    /// The line of the edge with this index.
    Line(usize),
}

/// The line of an edge through the layers.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The slot of its upper end.
    pub top: usize,
    /// The slots between its ends, from top to bottom.
    pub inner: Range<usize>,
    /// The slot of its lower end.
    pub bottom: usize,
    /// Whether the edge leads from bottom to top.
    pub upwards: bool,
}

impl Chain {
    /// All slots from top to bottom, the ends included.
    pub fn slots(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        std::iter::once(self.top).chain(self.inner.clone()).chain(std::iter::once(self.bottom))
    }
}

/// The slots that each slot is connected with in a neighbouring layer, in one list.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// Where the part of each slot starts in `others`; the last entry is where everything ends.
    starts: Vec<usize>,
    others: Vec<usize>,
}

impl Links {
    /// Collects pairs of a slot and another one. The order of the others of a slot is that of the pairs.
    fn new(slots: usize, pairs: impl Iterator<Item = (usize, usize)> + Clone) -> Self {
        let mut starts = vec![0; slots + 1];
        pairs.clone().for_each(|(slot, _)| starts[slot + 1] += 1);
        for slot in 0..slots {
            starts[slot + 1] += starts[slot];
        }
        let mut next = starts.clone();
        let mut others = vec![0; starts[slots]];
        for (slot, other) in pairs {
            others[next[slot]] = other;
            next[slot] += 1;
        }
        Self { starts, others }
    }

    /// What a slot is connected with.
    pub fn of(&self, slot: usize) -> &[usize] {
        &self.others[self.starts[slot]..self.starts[slot + 1]]
    }
}

/// A graph in layers.
pub struct Layers {
    /// What stands where; the index is the identity of a slot.
    pub slots: Vec<Slot>,
    /// The slots of each layer from left to right.
    pub rows: Vec<Vec<usize>>,
    /// The slots that each slot is connected with, in the layer above and in the layer below.
    pub above: Links,
    pub below: Links,
    /// The line of each edge; nothing for a loop.
    pub chains: Vec<Option<Chain>>,
}

impl Layers {
    /// Puts a graph into layers; the order within them is that of the search.
    pub fn new(graph: &Graph) -> Self {
        let Ranked { order, upwards, ranks } = Ranked::new(graph);
        let count = ranks.iter().max().map_or(0, |last| 2 * last + 1);
        let mut slots = Vec::new();
        let mut rows = vec![Vec::new(); count];
        let mut add = |slot: Slot, row: usize| {
            slots.push(slot);
            rows[row].push(slots.len() - 1);
            slots.len() - 1
        };
        let mut of_node = vec![0; graph.nodes.len()];
        for node in order {
            of_node[node] = add(Slot::Node(node), 2 * ranks[node]);
        }
        let mut chains = vec![None; graph.edges.len()];
        let mut next = graph.nodes.len();
        for (index, edge) in graph.edges.iter().enumerate() {
            if edge.source == edge.target {
                continue;
            }
            let upwards = upwards[index];
            let (top, bottom) = ends(edge, upwards);
            let (first, last) = (2 * ranks[top], 2 * ranks[bottom]);
            // The odd layer that is nearest to the middle, rather above it.
            let middle = first + 1 + (last - first) / 4 * 2;
            let start = next;
            for row in first + 1..last {
                let slot = if row == middle { Slot::Label(index) } else { Slot::Line(index) };
                next = add(slot, row) + 1;
            }
            let (top, bottom) = (of_node[top], of_node[bottom]);
            chains[index] = Some(Chain { top, inner: start..next, bottom, upwards });
        }
        let pairs =
            chains.iter().flatten().flat_map(|chain| chain.slots().zip(chain.slots().skip(1)));
        let below = Links::new(slots.len(), pairs.clone());
        let above = Links::new(slots.len(), pairs.map(|(upper, lower)| (lower, upper)));
        Self { slots, rows, above, below, chains }
    }
}

/// The upper and the lower end of an edge.
fn ends(edge: &Arrow, upwards: bool) -> (usize, usize) {
    if upwards { (edge.target, edge.source) } else { (edge.source, edge.target) }
}

/// How many slots the depth-first search may need before the breadth-first search is tried.
const MANY: usize = 20_000;

/// The nodes of a graph with their pairs of layers.
pub struct Ranked {
    order: Vec<usize>,
    upwards: Vec<bool>,
    /// The pair of layers of each node.
    pub ranks: Vec<usize>,
}

impl Ranked {
    /// A depth-first search shows how a model works, but long paths make many layers. A large graph has the layers of a
    /// breadth-first search if lines pass through fewer of these.
    pub fn new(graph: &Graph) -> Self {
        let deep = Self::of(graph, search(graph));
        if deep.slots(graph) <= MANY {
            return deep;
        }
        let broad = Self::of(graph, broad_search(graph));
        if broad.slots(graph) < deep.slots(graph) { broad } else { deep }
    }

    fn of(graph: &Graph, (order, upwards): (Vec<usize>, Vec<bool>)) -> Self {
        let ranks = ranks(graph, &order, &upwards);
        Self { order, upwards, ranks }
    }

    /// How many slots a picture with these layers has.
    pub fn slots(&self, graph: &Graph) -> usize {
        let edges = graph.edges.iter().filter(|edge| edge.source != edge.target);
        let inner = edges.map(|edge| {
            let (one, other) = (self.ranks[edge.source], self.ranks[edge.target]);
            2 * one.abs_diff(other) - 1
        });
        graph.nodes.len() + inner.sum::<usize>()
    }
}

/// The nodes in the order of a depth-first search, and which edges it finds to lead back.
fn search(graph: &Graph) -> (Vec<usize>, Vec<bool>) {
    let mut leaving = vec![Vec::new(); graph.nodes.len()];
    for (index, edge) in graph.edges.iter().enumerate() {
        leaving[edge.source].push(index);
    }
    let mut upwards = vec![false; graph.edges.len()];
    let (mut met, mut open) = (vec![false; graph.nodes.len()], vec![false; graph.nodes.len()]);
    let mut order = Vec::new();
    let initial = (0..graph.nodes.len()).filter(|node| graph.nodes[*node].initial);
    for start in initial.chain(0..graph.nodes.len()) {
        if met[start] {
            continue;
        }
        (met[start], open[start]) = (true, true);
        order.push(start);
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            let Some(edge) = leaving[*node].get(*next) else {
                open[*node] = false;
                path.pop();
                continue;
            };
            *next += 1;
            let target = graph.edges[*edge].target;
            if open[target] {
                upwards[*edge] = true;
            } else if !met[target] {
                (met[target], open[target]) = (true, true);
                order.push(target);
                path.push((target, 0));
            }
        }
    }
    (order, upwards)
}

/// The nodes in the order of a breadth-first search, and the edges that lead to a node before their own.
fn broad_search(graph: &Graph) -> (Vec<usize>, Vec<bool>) {
    let mut leaving = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        leaving[edge.source].push(edge.target);
    }
    let mut place = vec![None; graph.nodes.len()];
    let mut order: Vec<usize> = Vec::new();
    let initial = (0..graph.nodes.len()).filter(|node| graph.nodes[*node].initial);
    for start in initial.chain(0..graph.nodes.len()) {
        let mut next = order.len();
        if place[start].is_none() {
            place[start] = Some(order.len());
            order.push(start);
        }
        while let Some(node) = order.get(next).copied() {
            next += 1;
            for target in &leaving[node] {
                if place[*target].is_none() {
                    place[*target] = Some(order.len());
                    order.push(*target);
                }
            }
        }
    }
    let upwards = graph.edges.iter().map(|edge| place[edge.target] < place[edge.source]).collect();
    (order, upwards)
}

/// How far down each node stands. What nothing leads to is pulled down to what it leads to.
fn ranks(graph: &Graph, order: &[usize], upwards: &[bool]) -> Vec<usize> {
    let mut lower = vec![Vec::new(); graph.nodes.len()];
    let mut awaited = vec![0_usize; graph.nodes.len()];
    for (edge, upwards) in graph.edges.iter().zip(upwards) {
        if edge.source != edge.target {
            let (above, below) = ends(edge, *upwards);
            lower[above].push(below);
            awaited[below] += 1;
        }
    }
    let leads: Vec<bool> = awaited.iter().map(|count| *count > 0).collect();
    let mut ranks = vec![0; graph.nodes.len()];
    // Without edges that lead back, every node is met once all those above it were.
    let mut ready: Vec<usize> = (0..graph.nodes.len()).filter(|node| !leads[*node]).collect();
    while let Some(above) = ready.pop() {
        for below in &lower[above] {
            ranks[*below] = ranks[*below].max(ranks[above] + 1);
            awaited[*below] -= 1;
            if awaited[*below] == 0 {
                ready.push(*below);
            }
        }
    }
    for node in order {
        let nearest = lower[*node].iter().map(|below| ranks[*below]).min();
        if let Some(nearest) = nearest.filter(|_| !leads[*node]) {
            ranks[*node] = ranks[*node].max(nearest - 1);
        }
    }
    ranks
}
