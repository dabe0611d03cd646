//! A layered layout of a graph: rows by distance from the start, places in a row by the mean place
//! of the neighbours. Whole numbers of pixels only, so that a picture is the same everywhere.

use super::graph::Graph;

/// Width of a character, at the font size the drawing uses.
pub const CHARACTER: i64 = 8;
/// Height of a line.
pub const LINE: i64 = 16;
/// How far a loop reaches out of its node.
pub const LOOP: i64 = 36;
const ROW_GAP: i64 = 56;
const COLUMN_GAP: i64 = 72;
const SWEEPS: usize = 8;

/// The box of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The centre, from the left.
    pub x: i64,
    /// The centre, from the top.
    pub y: i64,
    /// The width.
    pub width: i64,
    /// The height.
    pub height: i64,
    /// The row, from 0.
    pub row: usize,
}

/// The size of a text of several lines.
pub fn text_size(lines: &[String]) -> (i64, i64) {
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let size = |count: usize| i64::try_from(count).unwrap_or(i64::MAX / 1024);
    (size(longest) * CHARACTER, size(lines.len()) * LINE)
}

/// Where the nodes go. No two boxes overlap.
pub fn layout(graph: &Graph) -> Vec<Place> {
    let ranks = ranks(graph);
    let rows = order(graph, &ranks);
    let mut places = vec![Place::default(); graph.nodes.len()];
    let mut margins = vec![(0, 0); graph.nodes.len()];
    for (index, node) in graph.nodes.iter().enumerate() {
        let (width, height) = text_size(&node.lines);
        (places[index].width, places[index].height) = (width + 24, height + 16);
    }
    // Loops stand beside their node: the tester's on the right, the system's on the left.
    for edge in graph.edges.iter().filter(|edge| edge.source == edge.target) {
        let room = LOOP + text_size(&edge.lines).0 + CHARACTER;
        let (left, right) = &mut margins[edge.source];
        let side = if edge.dashed { left } else { right };
        *side = room.max(*side);
    }
    let mut top = ROW_GAP / 2;
    let mut widths = Vec::new();
    for (row, nodes) in rows.iter().enumerate() {
        let height = nodes.iter().map(|&node| places[node].height).max().unwrap_or(0);
        let mut x = 0;
        for &node in nodes {
            let (left, right) = margins[node];
            let width = places[node].width;
            (places[node].x, places[node].y) = (x + left + width / 2, top + height / 2);
            places[node].row = row;
            x += left + width + right + COLUMN_GAP;
        }
        widths.push(x - COLUMN_GAP);
        let crossing = graph.edges.iter().filter(|edge| {
            let (source, target) = (ranks[edge.source], ranks[edge.target]);
            source.min(target) <= row && row < source.max(target)
        });
        let text = crossing.map(|edge| text_size(&edge.lines).1).max().unwrap_or(0);
        top += height + ROW_GAP + text;
    }
    let widest = widths.iter().copied().max().unwrap_or(0);
    for place in &mut places {
        place.x += (widest - widths[place.row]) / 2;
    }
    places
}

/// The distance of each node from the start, in edges; what cannot be reached starts anew.
fn ranks(graph: &Graph) -> Vec<usize> {
    let mut successors = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        successors[edge.source].push(edge.target);
    }
    let mut ranks: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    let initial = (0..graph.nodes.len()).filter(|&node| graph.nodes[node].initial);
    for start in initial.chain(0..graph.nodes.len()) {
        let mut wave = if ranks[start].is_none() { vec![start] } else { Vec::new() };
        let mut rank = 0;
        while !wave.is_empty() {
            let mut next = Vec::new();
            for node in wave {
                if ranks[node].is_none() {
                    ranks[node] = Some(rank);
                    next.extend(&successors[node]);
                }
            }
            wave = next;
            rank += 1;
        }
    }
    ranks.into_iter().map(|rank| rank.unwrap_or(0)).collect()
}

/// The nodes of each row from left to right. Sweeps down and up put each node at the mean place of
/// its neighbours in the rows before; equal means keep their order.
fn order(graph: &Graph, ranks: &[usize]) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); ranks.iter().max().map_or(0, |last| last + 1)];
    for (node, &rank) in ranks.iter().enumerate() {
        rows[rank].push(node);
    }
    let mut neighbours = vec![Vec::new(); graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| ranks[edge.source] != ranks[edge.target]) {
        neighbours[edge.source].push(edge.target);
        neighbours[edge.target].push(edge.source);
    }
    let mut place = vec![0; graph.nodes.len()];
    let note = |row: &[usize], place: &mut [usize]| {
        for (index, &node) in row.iter().enumerate() {
            // Rows are compared by their middle, so that short and long ones fit together.
            place[node] = 1024 * (2 * index + 1) / (2 * row.len());
        }
    };
    rows.iter().for_each(|row| note(row, &mut place));
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        for step in 0..rows.len() {
            let index = if down { step } else { rows.len() - 1 - step };
            let before = |&&other: &&usize| (ranks[other] < index) == down;
            let mean = |node: usize| {
                let (sum, count) = neighbours[node]
                    .iter()
                    .filter(before)
                    .fold((0, 0), |(sum, count), &other| (sum + place[other], count + 1));
                sum.checked_div(count).unwrap_or(place[node])
            };
            let mut row = rows[index].clone();
            row.sort_by_key(|&node| mean(node));
            note(&row, &mut place);
            rows[index] = row;
        }
    }
    rows
}
