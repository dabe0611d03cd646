//! Where everything of a picture goes. Whole numbers of pixels only, so that a picture is the same everywhere.
//!
//! Each layer is a band as high as what stands in it. Lines are vertical within bands, in a slot of their own,
//! and bend only in the gaps between bands, where nothing else stands. So no line crosses a box or a text, and no two
//! texts overlap, by construction.

use super::graph::{Graph, Node};
use super::layers::{Layers, Slot};
use super::metric::{LABEL_SIZE, LINE, SIZE, text_size};
use super::order::reduce_crossings;

/// How far a loop reaches out of its box.
pub const LOOP: i64 = 30;

/// The length of the arrow that leads to where runs start.
pub const START: i64 = 24;

/// Between neighbours of a layer, and between layers.
const COLUMN_GAP: i64 = 18;
const ROW_GAP: i64 = 30;

/// How much room a line has to each side.
const LANE: i64 = 6;

/// How often slots are moved towards those they are connected with. In a large graph, only as often as this many slots
/// allow.
const SWEEPS: usize = 24;
const WORK: usize = 8_000_000;

/// A rectangle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rectangle {
    pub left: i64,
    pub top: i64,
    pub width: i64,
    pub height: i64,
}

impl Rectangle {
    pub fn right(&self) -> i64 {
        self.left + self.width
    }

    pub fn bottom(&self) -> i64 {
        self.top + self.height
    }

    /// The centre from the left.
    pub fn middle(&self) -> i64 {
        self.left + self.width / 2
    }
}

/// A part of the line of an edge: straight down within a band, or a bend within a gap.
pub type Point = (i64, i64);

/// Where the parts of a graph go.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// The boxes of the nodes.
    pub boxes: Vec<Rectangle>,
    /// The texts of the edges.
    pub labels: Vec<Rectangle>,
    /// The points of the edges in their direction. The line between the points at an odd position and the next one bends;
    /// the others are vertical. A loop has four: where it leaves, how far it reaches, and where it returns.
    pub lines: Vec<Vec<Point>>,
    pub width: i64,
    pub height: i64,
}

/// Lays out a graph.
pub fn layout(graph: &Graph) -> Layout {
    let mut layers = Layers::new(graph);
    reduce_crossings(&mut layers);
    let around = around(graph);
    let nodes = graph.nodes.iter().zip(&around);
    let sizes: Vec<(i64, i64)> =
        nodes.map(|(node, around)| box_size(graph, node, around)).collect();
    let reach: Vec<(i64, i64)> =
        layers.slots.iter().map(|slot| reach(graph, &sizes, &around, *slot)).collect();
    let mut centres = columns(&layers, &reach);
    let least = layers.rows.iter().filter_map(|row| row.first());
    let least = least.map(|slot| centres[*slot] - reach[*slot].0).min().unwrap_or(0);
    centres.iter_mut().for_each(|centre| *centre -= least);
    let width = (0..reach.len()).map(|slot| centres[slot] + reach[slot].1).max().unwrap_or(0);
    let mut layout = Layout {
        boxes: vec![Rectangle::default(); graph.nodes.len()],
        labels: vec![Rectangle::default(); graph.edges.len()],
        lines: vec![Vec::new(); graph.edges.len()],
        width,
        height: 0,
    };
    let mut bands = vec![(0, 0); layers.slots.len()];
    let mut top = 0;
    for row in &layers.rows {
        let height = |slot: &usize| match layers.slots[*slot] {
            Slot::Node(node) => sizes[node].1,
            Slot::Label(edge) => text_size(&graph.edges[edge].lines, LABEL_SIZE).1,
            Slot::Line(_) => 0,
        };
        let band = row.iter().map(height).max().unwrap_or(0);
        for slot in row {
            bands[*slot] = (top, top + band);
            let centre = centres[*slot];
            let own = top + (band - height(slot)) / 2;
            match layers.slots[*slot] {
                Slot::Node(node) => {
                    let (width, height) = sizes[node];
                    let left = centre - width / 2;
                    layout.boxes[node] = Rectangle { left, top: own, width, height };
                }
                Slot::Label(edge) => {
                    let (width, height) = text_size(&graph.edges[edge].lines, LABEL_SIZE);
                    layout.labels[edge] =
                        Rectangle { left: centre + LANE, top: own, width, height };
                }
                Slot::Line(_) => {}
            }
        }
        top += band + ROW_GAP;
    }
    layout.height = (top - ROW_GAP).max(0);
    lines(graph, &layers, &centres, &bands, &mut layout);
    loops(graph, &around, &mut layout);
    layout
}

/// The edges at a node.
#[derive(Clone, Default)]
struct Around {
    loops: Vec<usize>,
    /// How many edges lead from or to another node.
    others: i64,
}

fn around(graph: &Graph) -> Vec<Around> {
    let mut around = vec![Around::default(); graph.nodes.len()];
    for (index, edge) in graph.edges.iter().enumerate() {
        if edge.source == edge.target {
            around[edge.source].loops.push(index);
        } else {
            around[edge.source].others += 1;
            around[edge.target].others += 1;
        }
    }
    around
}

/// The size of the box of a node: room for its text, for its lines, and for its loops one below the other.
fn box_size(graph: &Graph, node: &Node, around: &Around) -> (i64, i64) {
    let (width, height) = text_size(&node.lines, SIZE);
    let loops: i64 = around.loops.iter().map(|edge| loop_height(graph, *edge)).sum();
    let most = around.others * 2 * LANE;
    ((width + 24).max(most + 24), (height + 14).max(loops + 8))
}

fn loop_height(graph: &Graph, edge: usize) -> i64 {
    text_size(&graph.edges[edge].lines, LABEL_SIZE).1.max(LINE) + 4
}

/// How far a slot reaches to the left and to the right of its centre.
fn reach(graph: &Graph, sizes: &[(i64, i64)], around: &[Around], slot: Slot) -> (i64, i64) {
    match slot {
        Slot::Node(node) => {
            let half = sizes[node].0 / 2 + 1;
            let start = if graph.nodes[node].initial { START } else { 0 };
            let texts = around[node]
                .loops
                .iter()
                .map(|edge| text_size(&graph.edges[*edge].lines, LABEL_SIZE).0 + LOOP + 4);
            (half + start, half + texts.max().unwrap_or(0))
        }
        Slot::Label(edge) => (LANE, LANE + text_size(&graph.edges[edge].lines, LABEL_SIZE).0),
        Slot::Line(_) => (LANE, LANE),
    }
}

/// The centres of all slots: in sweeps each layer is put where it is nearest to what it is connected with, as far
/// as order and room allow.
fn columns(layers: &Layers, reach: &[(i64, i64)]) -> Vec<i64> {
    let mut centres = vec![0; layers.slots.len()];
    for row in &layers.rows {
        let mut right = 0;
        for slot in row {
            centres[*slot] = right + reach[*slot].0;
            right = centres[*slot] + reach[*slot].1 + COLUMN_GAP;
        }
    }
    let sweeps = (WORK / layers.slots.len().max(1)).clamp(4, SWEEPS) / 2 * 2;
    let mut unchanged = 0;
    for sweep in 0..sweeps {
        let both = sweep + 2 >= sweeps;
        // Neither a sweep down nor a sweep up changes anything any more.
        if !both && unchanged >= 2 {
            continue;
        }
        let mut changed = false;
        for step in 0..layers.rows.len() {
            let down = sweep % 2 == 0;
            let row = &layers.rows[if down { step } else { layers.rows.len() - 1 - step }];
            let wanted: Vec<(i64, i64)> = row
                .iter()
                .map(|slot| {
                    let none: &[usize] = &[];
                    let above = if down || both { layers.above.of(*slot) } else { none };
                    let below = if !down || both { layers.below.of(*slot) } else { none };
                    let sum: i64 = above.iter().chain(below).map(|other| centres[*other]).sum();
                    let count = i64::try_from(above.len() + below.len()).unwrap_or(1);
                    // A line should be straight rather than a box in the middle.
                    let weight = if matches!(layers.slots[*slot], Slot::Node(_)) { 1 } else { 4 };
                    if count == 0 { (centres[*slot], 1) } else { (sum / count, weight) }
                })
                .collect();
            changed |= settle(row, &wanted, reach, &mut centres);
        }
        unchanged = if changed { 0 } else { unchanged + 1 };
    }
    centres
}

/// Puts the slots of a layer as near as possible to where they want to be, by least squares: neighbours that would overlap
/// form a block, which stands at its mean (pool adjacent violators). Whether that moves any of them.
fn settle(row: &[usize], wanted: &[(i64, i64)], reach: &[(i64, i64)], centres: &mut [i64]) -> bool {
    // Positions without the room that everything to the left needs: these only must not fall.
    let mut offset = 0;
    let mut offsets = Vec::with_capacity(row.len());
    for (index, slot) in row.iter().enumerate() {
        if index > 0 {
            offset += reach[row[index - 1]].1 + COLUMN_GAP + reach[*slot].0;
        }
        offsets.push(offset);
    }
    // Weighted sum, weight and number of members of each block.
    let mut blocks: Vec<(i64, i64, usize)> = Vec::new();
    for ((place, weight), offset) in wanted.iter().zip(&offsets) {
        let mut block = ((place - offset) * weight, *weight, 1);
        while let Some(before) = blocks.last() {
            if before.0.div_euclid(before.1) < block.0.div_euclid(block.1) {
                break;
            }
            block = (before.0 + block.0, before.1 + block.1, before.2 + block.2);
            blocks.pop();
        }
        blocks.push(block);
    }
    let mut members = row.iter().zip(&offsets);
    let mut moved = false;
    for (sum, weight, count) in blocks {
        for (slot, offset) in members.by_ref().take(count) {
            let centre = sum.div_euclid(weight) + offset;
            moved |= centres[*slot] != centre;
            centres[*slot] = centre;
        }
    }
    moved
}

/// The lines of edges that are no loops. Where several meet at a box, they stand side by side in the order of where they
/// lead.
fn lines(
    graph: &Graph,
    layers: &Layers,
    centres: &[i64],
    bands: &[(i64, i64)],
    layout: &mut Layout,
) {
    // The ends at each box: where the edge leads, which edge it is.
    let mut upper: Vec<Vec<(i64, usize)>> = vec![Vec::new(); graph.nodes.len()];
    let mut lower = upper.clone();
    let node = |slot: usize| match layers.slots[slot] {
        Slot::Node(node) => Some(node),
        Slot::Label(_) | Slot::Line(_) => None,
    };
    // There is a slot between any two boxes: that of the text.
    let chains = || {
        let chains = layers.chains.iter().enumerate();
        chains.filter_map(|(edge, chain)| {
            let chain = chain.as_ref()?;
            Some((edge, chain, node(chain.top)?, node(chain.bottom)?))
        })
    };
    for (edge, chain, top, bottom) in chains() {
        lower[top].push((centres[chain.inner.start], edge));
        upper[bottom].push((centres[chain.inner.end - 1], edge));
    }
    let (lower, upper) = (ports(graph, lower, layout), ports(graph, upper, layout));
    for (edge, chain, top, bottom) in chains() {
        let (above, below) = (layout.boxes[top], layout.boxes[bottom]);
        let x = lower[edge];
        let mut points = vec![(x, above.bottom()), (x, bands[chain.top].1)];
        for slot in chain.inner.clone() {
            let x = centres[slot];
            match points.last_mut() {
                // Where the line goes on as it came, it does not bend.
                Some(last) if last.0 == x => last.1 = bands[slot].1,
                _ => points.extend([(x, bands[slot].0), (x, bands[slot].1)]),
            }
        }
        let x = upper[edge];
        match points.last_mut() {
            Some(last) if last.0 == x => last.1 = below.top,
            _ => points.extend([(x, bands[chain.bottom].0), (x, below.top)]),
        }
        if chain.upwards {
            points.reverse();
        }
        layout.lines[edge] = points;
    }
}

/// Where each edge meets its box, from what each box has as ends.
fn ports(graph: &Graph, ends: Vec<Vec<(i64, usize)>>, layout: &Layout) -> Vec<i64> {
    let mut ports = vec![0; graph.edges.len()];
    for (mut ends, own) in ends.into_iter().zip(&layout.boxes) {
        ends.sort_unstable();
        let count = i64::try_from(ends.len()).unwrap_or(1);
        // Not on the round corners.
        let room = own.width - 20;
        for ((_, edge), index) in ends.into_iter().zip(0_i64..) {
            ports[edge] = own.left + 10 + room * (2 * index + 1) / (2 * count);
        }
    }
    ports
}

/// The loops of each box, one below the other on its right, with their texts beside them.
fn loops(graph: &Graph, around: &[Around], layout: &mut Layout) {
    for (node, Around { loops, .. }) in around.iter().enumerate() {
        let own = layout.boxes[node];
        let total: i64 = loops.iter().map(|edge| loop_height(graph, *edge)).sum();
        let mut top = own.top + (own.height - total) / 2;
        for edge in loops.iter().copied() {
            let height = loop_height(graph, edge);
            let (x, y) = (own.right(), top + height / 2);
            let far = x + LOOP;
            layout.lines[edge] = vec![(x, y - 5), (far, y - 12), (far, y + 12), (x, y + 5)];
            let (width, height) = text_size(&graph.edges[edge].lines, LABEL_SIZE);
            layout.labels[edge] = Rectangle { left: far + 2, top: y - height / 2, width, height };
            top += loop_height(graph, edge);
        }
    }
}
