//! Where everything of a picture goes. Whole numbers of pixels only, so that a picture is the same everywhere.
//!
//! Each layer is a band as high as what stands in it. Lines are vertical within bands, in a slot of their own,
//! and bend only in the gaps between bands, where nothing else stands. So no line crosses a box or a text, and no two
//! texts overlap, by construction.

use super::graph::Graph;
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

/// How often slots are moved towards those they are connected with.
const SWEEPS: usize = 24;

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
    let sizes: Vec<(i64, i64)> = (0..graph.nodes.len()).map(|node| box_size(graph, node)).collect();
    let reach: Vec<(i64, i64)> =
        layers.slots.iter().map(|slot| reach(graph, &sizes, *slot)).collect();
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
    loops(graph, &mut layout);
    layout
}

/// The size of the box of a node: room for its text, for its lines, and for its loops one below the other.
fn box_size(graph: &Graph, node: usize) -> (i64, i64) {
    let (width, height) = text_size(&graph.nodes[node].lines, SIZE);
    let loops: i64 = loops_of(graph, node).map(|edge| loop_height(graph, edge)).sum();
    let ends = |end: fn(&super::graph::Arrow) -> usize| {
        let edges =
            graph.edges.iter().filter(|edge| edge.source != edge.target && end(edge) == node);
        i64::try_from(edges.count()).unwrap_or(i64::MAX / 1024)
    };
    let most = (ends(|edge| edge.source) + ends(|edge| edge.target)) * 2 * LANE;
    ((width + 24).max(most + 24), (height + 14).max(loops + 8))
}

fn loops_of(graph: &Graph, node: usize) -> impl Iterator<Item = usize> + '_ {
    let edges = graph.edges.iter().enumerate();
    let own = edges.filter(move |(_, edge)| edge.source == node && edge.target == node);
    own.map(|(index, _)| index)
}

fn loop_height(graph: &Graph, edge: usize) -> i64 {
    text_size(&graph.edges[edge].lines, LABEL_SIZE).1.max(LINE) + 4
}

/// How far a slot reaches to the left and to the right of its centre.
fn reach(graph: &Graph, sizes: &[(i64, i64)], slot: Slot) -> (i64, i64) {
    match slot {
        Slot::Node(node) => {
            let half = sizes[node].0 / 2 + 1;
            let start = if graph.nodes[node].initial { START } else { 0 };
            let loops = loops_of(graph, node);
            let texts =
                loops.map(|edge| text_size(&graph.edges[edge].lines, LABEL_SIZE).0 + LOOP + 4);
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
    for sweep in 0..SWEEPS {
        let both = sweep + 2 >= SWEEPS;
        for step in 0..layers.rows.len() {
            let down = sweep % 2 == 0;
            let row = &layers.rows[if down { step } else { layers.rows.len() - 1 - step }];
            let wanted: Vec<(i64, i64)> = row
                .iter()
                .map(|slot| {
                    let none: &[usize] = &[];
                    let above = if down || both { &layers.above[*slot][..] } else { none };
                    let below = if !down || both { &layers.below[*slot][..] } else { none };
                    let sum: i64 = above.iter().chain(below).map(|other| centres[*other]).sum();
                    let count = i64::try_from(above.len() + below.len()).unwrap_or(1);
                    // A line should be straight rather than a box in the middle.
                    let weight = if matches!(layers.slots[*slot], Slot::Node(_)) { 1 } else { 4 };
                    if count == 0 { (centres[*slot], 1) } else { (sum / count, weight) }
                })
                .collect();
            settle(row, &wanted, reach, &mut centres);
        }
    }
    centres
}

/// Puts the slots of a layer as near as possible to where they want to be, by least squares: neighbours that would overlap
/// form a block, which stands at its mean (pool adjacent violators).
fn settle(row: &[usize], wanted: &[(i64, i64)], reach: &[(i64, i64)], centres: &mut [i64]) {
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
    for (sum, weight, count) in blocks {
        for (slot, offset) in members.by_ref().take(count) {
            centres[*slot] = sum.div_euclid(weight) + offset;
        }
    }
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
    for (edge, chain) in layers.chains.iter().enumerate() {
        let Some((chain, _)) = chain else { continue };
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        if let (Some(top), Some(bottom)) = (node(first), node(last)) {
            lower[top].push((centres[chain[1]], edge));
            upper[bottom].push((centres[chain[chain.len() - 2]], edge));
        }
    }
    let port = |ends: &mut Vec<(i64, usize)>, edge: usize, own: Rectangle| {
        ends.sort_unstable();
        let count = i64::try_from(ends.len()).unwrap_or(1);
        let index = ends.iter().position(|(_, other)| *other == edge).unwrap_or(0);
        let index = i64::try_from(index).unwrap_or(0);
        // Not on the round corners.
        let room = own.width - 20;
        own.left + 10 + room * (2 * index + 1) / (2 * count)
    };
    for (edge, chain) in layers.chains.iter().enumerate() {
        let Some((chain, upwards)) = chain else { continue };
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        let (Some(top), Some(bottom)) = (node(first), node(last)) else { continue };
        let (above, below) = (layout.boxes[top], layout.boxes[bottom]);
        let x = port(&mut lower[top], edge, above);
        let mut points = vec![(x, above.bottom()), (x, bands[first].1)];
        for slot in &chain[1..chain.len() - 1] {
            let x = centres[*slot];
            points.extend([(x, bands[*slot].0), (x, bands[*slot].1)]);
        }
        let x = port(&mut upper[bottom], edge, below);
        points.extend([(x, bands[last].0), (x, below.top)]);
        if *upwards {
            points.reverse();
        }
        layout.lines[edge] = points;
    }
}

/// The loops of each box, one below the other on its right, with their texts beside them.
fn loops(graph: &Graph, layout: &mut Layout) {
    for node in 0..graph.nodes.len() {
        let own = layout.boxes[node];
        let total: i64 = loops_of(graph, node).map(|edge| loop_height(graph, edge)).sum();
        let mut top = own.top + (own.height - total) / 2;
        for edge in loops_of(graph, node) {
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
