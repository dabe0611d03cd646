//! The order within layers: sweeps down and up put each slot at the mean place of those it is connected with in
//! the layer before, then neighbours change places where that leaves fewer crossings. The best order met is kept.

use super::layers::{Layers, Links};

/// How often everything is ordered at most. Of a large graph, only as often as this many slots allow.
const SWEEPS: usize = 12;
const WORK: usize = 2_000_000;

/// Changes the order within layers so that few edges cross.
pub fn reduce_crossings(layers: &mut Layers) {
    let mut place = vec![0; layers.slots.len()];
    layers.rows.iter().for_each(|row| note(row, &mut place));
    let mut best = (crossings(layers, &place), layers.rows.clone());
    let sweeps = (WORK / layers.slots.len().max(1)).clamp(2, SWEEPS);
    let mut unchanged = 0;
    for sweep in 0..sweeps {
        let before = place.clone();
        let down = sweep % 2 == 0;
        for step in 1..layers.rows.len() {
            let index = if down { step } else { layers.rows.len() - 1 - step };
            let towards = if down { &layers.above } else { &layers.below };
            let mut row = std::mem::take(&mut layers.rows[index]);
            row.sort_by_cached_key(|slot| {
                mean(towards.of(*slot), &place).unwrap_or(1024 * place[*slot])
            });
            note(&row, &mut place);
            layers.rows[index] = row;
        }
        for index in 0..layers.rows.len() {
            exchange(layers, index, &mut place);
        }
        let count = crossings(layers, &place);
        if count < best.0 {
            best = (count, layers.rows.clone());
        }
        // Neither a sweep down nor a sweep up changes anything any more.
        unchanged = if before == place { unchanged + 1 } else { 0 };
        if best.0 == 0 || unchanged == 2 {
            break;
        }
    }
    layers.rows = best.1;
}

fn note(row: &[usize], place: &mut [usize]) {
    row.iter().enumerate().for_each(|(index, slot)| place[*slot] = index);
}

fn mean(others: &[usize], place: &[usize]) -> Option<usize> {
    let sum: usize = others.iter().map(|other| 1024 * place[*other]).sum();
    sum.checked_div(others.len())
}

/// The places of what each slot of a row is connected with, in rising order, in one list.
struct Ends {
    starts: Vec<usize>,
    places: Vec<usize>,
}

impl Ends {
    fn new(row: &[usize], links: &Links, place: &[usize]) -> Self {
        let (mut starts, mut places) = (vec![0], Vec::with_capacity(row.len()));
        for slot in row {
            let start = places.len();
            places.extend(links.of(*slot).iter().map(|other| place[*other]));
            places[start..].sort_unstable();
            starts.push(places.len());
        }
        Self { starts, places }
    }

    fn of(&self, index: usize) -> &[usize] {
        &self.places[self.starts[index]..self.starts[index + 1]]
    }
}

/// How many pairs of two rising lists have the first number above the second, and how many below.
fn inversions(left: &[usize], right: &[usize]) -> (usize, usize) {
    let (mut above, mut below, mut less, mut most) = (0, 0, 0, 0);
    for one in left {
        while right.get(less).is_some_and(|other| other < one) {
            less += 1;
        }
        while right.get(most).is_some_and(|other| other <= one) {
            most += 1;
        }
        above += less;
        below += right.len() - most;
    }
    (above, below)
}

/// Lets neighbours of a layer change places as long as that leaves fewer crossings.
fn exchange(layers: &mut Layers, index: usize, place: &mut [usize]) {
    let row = &layers.rows[index];
    let upper = Ends::new(row, &layers.above, place);
    let lower = Ends::new(row, &layers.below, place);
    // Positions in the row as it was, in their new order.
    let mut order: Vec<usize> = (0..row.len()).collect();
    // A pair that was no better the other way round is looked at again only if one of the two is another.
    let mut open = vec![true; row.len()];
    loop {
        let mut better = false;
        for left in 1..order.len() {
            if !std::mem::take(&mut open[left]) {
                continue;
            }
            let (one, other) = (order[left - 1], order[left]);
            let above = inversions(upper.of(one), upper.of(other));
            let below = inversions(lower.of(one), lower.of(other));
            if above.1 + below.1 < above.0 + below.0 {
                order.swap(left - 1, left);
                open[left - 1] = true;
                open[left] = true;
                if let Some(next) = open.get_mut(left + 1) {
                    *next = true;
                }
                better = true;
            }
        }
        if !better {
            break;
        }
    }
    let row: Vec<usize> = order.into_iter().map(|position| row[position]).collect();
    note(&row, place);
    layers.rows[index] = row;
}

/// How often edges cross: for each end, how many ends of earlier slots are further to the right.
fn crossings(layers: &Layers, place: &[usize]) -> usize {
    let mut count = 0;
    for (index, row) in layers.rows.iter().enumerate() {
        let ends = Ends::new(row, &layers.below, place);
        let width = layers.rows.get(index + 1).map_or(0, Vec::len);
        // A tree of sums over the places of the next layer (Fenwick 1994).
        let mut sums = vec![0_usize; width + 1];
        let mut total = 0;
        for position in 0..row.len() {
            for end in ends.of(position) {
                let mut at = end + 1;
                let mut up_to = 0;
                while at > 0 {
                    up_to += sums[at];
                    at &= at - 1;
                }
                count += total - up_to;
            }
            for end in ends.of(position) {
                let mut at = end + 1;
                while at <= width {
                    sums[at] += 1;
                    at += at & at.wrapping_neg();
                }
                total += 1;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::picture::graph::{Arrow, Graph, Node};

    fn layered(count: usize, edges: &[(usize, usize)]) -> Layers {
        let edges = edges.iter().map(|(source, target)| Arrow {
            source: source % count,
            target: target % count,
            ..Arrow::default()
        });
        let edges = edges.collect();
        Layers::new(&Graph { nodes: vec![Node::default(); count], edges, ..Graph::default() })
    }

    proptest! {
        #[test]
        fn crossings_are_counted_as_pair_by_pair(
            edges in prop::collection::vec((0..12_usize, 0..12_usize), 0..40),
        ) {
            let layers = layered(12, &edges);
            let mut place = vec![0; layers.slots.len()];
            layers.rows.iter().for_each(|row| note(row, &mut place));
            let mut expected = 0;
            for row in &layers.rows {
                for (index, right) in row.iter().enumerate() {
                    for left in &row[..index] {
                        for one in layers.below.of(*left) {
                            let ends = layers.below.of(*right).iter();
                            expected += ends.filter(|other| place[*one] > place[**other]).count();
                        }
                    }
                }
            }
            prop_assert_eq!(crossings(&layers, &place), expected);
        }

        #[test]
        fn inversions_are_counted_as_pair_by_pair(
            mut left in prop::collection::vec(0..9_usize, 0..9),
            mut right in prop::collection::vec(0..9_usize, 0..9),
        ) {
            left.sort_unstable();
            right.sort_unstable();
            let count = |holds: fn(usize, usize) -> bool| {
                let all = left.iter().flat_map(|one| right.iter().map(move |other| (*one, *other)));
                all.filter(|(one, other)| holds(*one, *other)).count()
            };
            prop_assert_eq!(inversions(&left, &right), (count(|a, b| a > b), count(|a, b| a < b)));
        }
    }
}
