//! Where locations, labels and bends go, so that an exported automaton can be read as drawn.
//!
//! Locations stand in columns by their distance from the initial one. Edges between the same two
//! locations are bent apart; loops go around the location. All of it is integer arithmetic, so the
//! same automaton is always drawn the same way.

use std::collections::{BTreeMap, VecDeque};

use crate::syntax::{EdgeDecl, LocationDecl, Target};

const COLUMN: i64 = 272;
const ROW: i64 = 170;
/// How far apart edges between the same two locations are bent.
const BEND: i64 = 68;

/// A point in the editor's plane; y grows downwards.
pub(super) type Point = (i64, i64);

/// Where everything goes.
#[derive(Debug)]
pub(super) struct Layout {
    /// Per location, in order.
    pub locations: Vec<Point>,
    /// Per edge, in order: the top left corner of its labels, and its bends.
    pub edges: Vec<(Point, Vec<Point>)>,
}

/// Lays out an automaton. Every edge has one source and an explicit target.
pub(super) fn layout(locations: &[&LocationDecl], edges: &[&EdgeDecl]) -> Layout {
    let numbers: BTreeMap<&str, usize> = (locations.iter().enumerate())
        .map(|(number, location)| (location.names[0].text.as_str(), number))
        .collect();
    let ends: Vec<(usize, usize)> = edges
        .iter()
        .map(|edge| {
            let source = edge.sources.first().and_then(|name| numbers.get(name.text.as_str()));
            let target = match &edge.target {
                Target::Location(name) => numbers.get(name.text.as_str()),
                Target::Same(_) => source,
            };
            let source = source.copied().unwrap_or(0);
            (source, target.copied().unwrap_or(source))
        })
        .collect();
    let columns = columns(locations, &ends);
    let mut heights: BTreeMap<usize, i64> = BTreeMap::new();
    let points: Vec<Point> = columns
        .iter()
        .map(|&column| {
            let height = heights.entry(column).or_insert(0);
            let row = *height;
            *height += 1;
            let column = i64::try_from(column).unwrap_or(i64::from(i32::MAX));
            // Every other column is shifted, so that edges across it do not cross its locations.
            (column * COLUMN, row * ROW + (column % 2) * ROW / 2)
        })
        .collect();
    let edges = bends(&points, &ends);
    Layout { locations: points, edges }
}

/// The distance of every location from the initial one; unreachable ones come last.
fn columns(locations: &[&LocationDecl], ends: &[(usize, usize)]) -> Vec<usize> {
    let mut successors = vec![Vec::new(); locations.len()];
    for &(source, target) in ends {
        if let Some(targets) = successors.get_mut(source) {
            targets.push(target);
        }
    }
    let mut distance: Vec<Option<usize>> = vec![None; locations.len()];
    let mut queue = VecDeque::new();
    for (number, location) in locations.iter().enumerate() {
        if location.marks.initial {
            distance[number] = Some(0);
            queue.push_back((number, 0));
        }
    }
    let mut last = 0;
    while let Some((number, column)) = queue.pop_front() {
        last = last.max(column);
        for &next in &successors[number] {
            if distance[next].is_none() {
                distance[next] = Some(column + 1);
                queue.push_back((next, column + 1));
            }
        }
    }
    distance.into_iter().map(|column| column.unwrap_or(last + 1)).collect()
}

fn bends(points: &[Point], ends: &[(usize, usize)]) -> Vec<(Point, Vec<Point>)> {
    let mut between: BTreeMap<(usize, usize), i64> = BTreeMap::new();
    for &(source, target) in ends {
        *between.entry((source.min(target), source.max(target))).or_insert(0) += 1;
    }
    let mut seen: BTreeMap<(usize, usize), i64> = BTreeMap::new();
    ends.iter()
        .map(|&(source, target)| {
            let pair = (source.min(target), source.max(target));
            let number = seen.entry(pair).or_insert(0);
            *number += 1;
            let (number, count) = (*number, between[&pair]);
            let start = points.get(source).copied().unwrap_or_default();
            let end = points.get(target).copied().unwrap_or_default();
            if source == target { around(start, number) } else { across(start, end, number, count) }
        })
        .collect()
}

/// A loop above a location; each further one is larger.
fn around((x, y): Point, number: i64) -> (Point, Vec<Point>) {
    let size = 17 + 17 * number;
    let top = y - 17 - 17 * number;
    ((x - size, top - 51), vec![(x - size, top), (x + size, top)])
}

/// One of several edges between two points, bent away from the straight line.
fn across(start: Point, end: Point, number: i64, count: i64) -> (Point, Vec<Point>) {
    let (dx, dy) = (end.0 - start.0, end.1 - start.1);
    let middle = (start.0 + dx / 2, start.1 + dy / 2);
    let length = dx.abs().max(dy.abs()).max(1);
    let side = (2 * number - 1 - count) * BEND / 2;
    // Both directions bend by the same side of the same pair.
    let side = if (dx, dy) < (0, 0) { -side } else { side };
    if side == 0 {
        return ((middle.0 - 34, middle.1 - 51), Vec::new());
    }
    let bend = (middle.0 - dy * side / length, middle.1 + dx * side / length);
    ((bend.0 - 34, bend.1 - 51), vec![bend])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_edges_get_different_bends() {
        let straight = across((0, 0), (272, 0), 1, 1);
        assert!(straight.1.is_empty());
        let one = across((0, 0), (272, 0), 1, 3);
        let two = across((0, 0), (272, 0), 2, 3);
        let back = across((272, 0), (0, 0), 3, 3);
        assert_eq!(one.1.len(), 1);
        assert!(two.1.is_empty());
        assert_ne!(one.1, back.1);
    }

    #[test]
    fn loops_grow() {
        assert_ne!(around((0, 0), 1).1, around((0, 0), 2).1);
    }
}
