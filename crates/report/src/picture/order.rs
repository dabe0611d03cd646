//! The order within layers: sweeps down and up put each slot at the mean place of those it is connected with in
//! the layer before, then neighbours change places where that leaves fewer crossings. The best order met is kept.

use super::layers::Layers;

const SWEEPS: usize = 12;

/// Changes the order within layers so that few edges cross.
pub fn reduce_crossings(layers: &mut Layers) {
    let mut place = vec![0; layers.slots.len()];
    layers.rows.iter().for_each(|row| note(row, &mut place));
    let mut best = (crossings(layers, &place), layers.rows.clone());
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        for step in 1..layers.rows.len() {
            let index = if down { step } else { layers.rows.len() - 1 - step };
            let towards = if down { &layers.above } else { &layers.below };
            let mut row = std::mem::take(&mut layers.rows[index]);
            row.sort_by_key(|slot| mean(&towards[*slot], &place).unwrap_or(1024 * place[*slot]));
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
        if best.0 == 0 {
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

/// Lets neighbours of a layer change places as long as that leaves fewer crossings.
fn exchange(layers: &mut Layers, index: usize, place: &mut [usize]) {
    let mut row = std::mem::take(&mut layers.rows[index]);
    loop {
        let mut better = false;
        for left in 1..row.len() {
            let (one, other) = (row[left - 1], row[left]);
            let now = between(layers, one, other, place);
            let then = between(layers, other, one, place);
            if then < now {
                row.swap(left - 1, left);
                (place[one], place[other]) = (left, left - 1);
                better = true;
            }
        }
        if !better {
            break;
        }
    }
    layers.rows[index] = row;
}

/// How often edges of two slots cross if the first stands left of the second.
fn between(layers: &Layers, left: usize, right: usize, place: &[usize]) -> usize {
    let inversions = |of: &[Vec<usize>]| {
        let pairs = of[left].iter().flat_map(|one| of[right].iter().map(move |other| (one, other)));
        pairs.filter(|(one, other)| place[**one] > place[**other]).count()
    };
    inversions(&layers.above) + inversions(&layers.below)
}

/// How often edges cross.
fn crossings(layers: &Layers, place: &[usize]) -> usize {
    let mut count = 0;
    for row in &layers.rows {
        let mut ends: Vec<usize> = Vec::new();
        for slot in row {
            let mut own: Vec<usize> =
                layers.below[*slot].iter().map(|other| place[*other]).collect();
            own.sort_unstable();
            for end in &own {
                count += ends.iter().filter(|before| *before > end).count();
            }
            ends.extend(own);
        }
    }
    count
}
