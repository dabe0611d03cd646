//! A graph in layers: locations in even layers, texts of edges in odd ones, and every edge as a chain of slots, one in each
//! layer between its ends.
//!
//! Edges that lead back are turned round first, found by a depth-first search from the start. A location stands
//! one pair of layers below the lowest of those before it (Sugiyama, Tagawa and Toda 1981).

use super::graph::Graph;

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

/// A graph in layers.
pub struct Layers {
    /// What stands where; the index is the identity of a slot.
    pub slots: Vec<Slot>,
    /// The slots of each layer from left to right.
    pub rows: Vec<Vec<usize>>,
    /// The slots that each slot is connected with, in the layer above and in the layer below.
    pub above: Vec<Vec<usize>>,
    pub below: Vec<Vec<usize>>,
    /// The slots of each edge from top to bottom, its ends included, and whether it leads upwards; nothing for a loop.
    pub chains: Vec<Option<(Vec<usize>, bool)>>,
}

impl Layers {
    /// Puts a graph into layers; the order within them is that of the depth-first search.
    pub fn new(graph: &Graph) -> Self {
        let (order, upwards) = search(graph);
        let ranks = ranks(graph, &order, &upwards);
        let count = ranks.iter().max().map_or(0, |last| 2 * last + 1);
        let mut layers = Self {
            slots: Vec::new(),
            rows: vec![Vec::new(); count],
            above: Vec::new(),
            below: Vec::new(),
            chains: vec![None; graph.edges.len()],
        };
        let mut of_node = vec![0; graph.nodes.len()];
        for node in order {
            of_node[node] = layers.add(Slot::Node(node), 2 * ranks[node]);
        }
        for (index, edge) in graph.edges.iter().enumerate() {
            if edge.source == edge.target {
                continue;
            }
            let (mut top, mut bottom) = (edge.source, edge.target);
            if upwards[index] {
                (top, bottom) = (bottom, top);
            }
            let (first, last) = (2 * ranks[top], 2 * ranks[bottom]);
            // The odd layer that is nearest to the middle, rather above it.
            let middle = first + 1 + (last - first) / 4 * 2;
            let mut chain = vec![of_node[top]];
            for row in first + 1..last {
                let slot = if row == middle { Slot::Label(index) } else { Slot::Line(index) };
                chain.push(layers.add(slot, row));
            }
            chain.push(of_node[bottom]);
            for pair in chain.windows(2) {
                layers.below[pair[0]].push(pair[1]);
                layers.above[pair[1]].push(pair[0]);
            }
            layers.chains[index] = Some((chain, upwards[index]));
        }
        layers
    }

    fn add(&mut self, slot: Slot, row: usize) -> usize {
        let index = self.slots.len();
        self.slots.push(slot);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        self.rows[row].push(index);
        index
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

/// How far down each node stands. What nothing leads to is pulled down to what it leads to.
fn ranks(graph: &Graph, order: &[usize], upwards: &[bool]) -> Vec<usize> {
    let mut down: Vec<(usize, usize)> = Vec::new();
    for (edge, upwards) in graph.edges.iter().zip(upwards) {
        if edge.source != edge.target {
            let ends = (edge.source, edge.target);
            down.push(if *upwards { (ends.1, ends.0) } else { ends });
        }
    }
    down.sort_unstable();
    down.dedup();
    let mut ranks = vec![0; graph.nodes.len()];
    // Without edges that lead back, as many rounds as there are nodes are enough.
    for _ in 0..order.len() {
        let mut changed = false;
        for (above, below) in &down {
            if ranks[*below] <= ranks[*above] {
                ranks[*below] = ranks[*above] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for node in order {
        let mut lower =
            down.iter().filter(|(above, _)| above == node).map(|(_, below)| ranks[*below]);
        let leads = down.iter().any(|(_, below)| below == node);
        if !leads && let Some(first) = lower.next() {
            let nearest = lower.fold(first, usize::min);
            ranks[*node] = ranks[*node].max(nearest - 1);
        }
    }
    ranks
}
