//! Where moments go: from left to right in their order, at distances that grow with time as far as texts leave the choice.
//!
//! Every moment at which something begins, ends or happens is a *stop*. Neighbouring stops are apart as their times are,
//! within limits, and as far as what stands between two stops needs.

use tioga_base::Rational;

/// How near and how far neighbouring stops are, in pixels.
const NEAR: i64 = 14;
const FAR: i64 = 150;

/// How wide the axis would be if times decided alone.
const WIDTH: i64 = 620;

/// A moment; what happens at the same time is ordered by a number.
pub type Stop = (Rational, usize);

/// The places of stops.
pub struct Axis {
    stops: Vec<Stop>,
    places: Vec<i64>,
}

impl Axis {
    /// An axis from a place on. Between each pair of stops there is room for so many pixels.
    pub fn new(left: i64, mut stops: Vec<Stop>, rooms: &[(Stop, Stop, i64)]) -> Self {
        stops.sort_unstable();
        stops.dedup();
        let index = |stop: &Stop| stops.partition_point(|other| other < stop);
        let mut needed: Vec<Vec<(usize, i64)>> = vec![Vec::new(); stops.len()];
        for (from, to, room) in rooms {
            let (from, to) = (index(from), index(to));
            if from < to && to < stops.len() {
                needed[to].push((from, *room));
            }
        }
        let span = match (stops.first(), stops.last()) {
            (Some(first), Some(last)) => last.0.sub(first.0).unwrap_or(Rational::ONE),
            _ => Rational::ONE,
        };
        let mut places: Vec<i64> = Vec::with_capacity(stops.len());
        for (position, stop) in stops.iter().enumerate() {
            let Some(before) = position.checked_sub(1) else {
                places.push(left);
                continue;
            };
            let passed = stop.0.sub(stops[before].0).unwrap_or(Rational::ZERO);
            let gap = share(passed, span).clamp(NEAR, FAR);
            let mut place = places[before] + gap;
            for (from, room) in &needed[position] {
                place = place.max(places[*from] + room);
            }
            places.push(place);
        }
        Self { stops, places }
    }

    /// Where a stop is; of one that is not there, the next.
    pub fn place(&self, stop: Stop) -> i64 {
        let index = self.stops.partition_point(|other| *other < stop);
        self.places.get(index).or(self.places.last()).copied().unwrap_or(0)
    }

    /// Where the axis ends.
    pub fn right(&self) -> i64 {
        self.places.last().copied().unwrap_or(0)
    }
}

/// How many pixels a time takes of the width for all.
fn share(passed: Rational, span: Rational) -> i64 {
    if span.is_zero() {
        return 0;
    }
    let part = passed.div(span).and_then(|part| part.mul(Rational::integer(WIDTH)));
    part.map_or(FAR, Rational::floor)
}

/// The rows of texts that begin at places, from left to right: no two texts of a row overlap, and a line from the
/// beginning of a text to row 0 crosses no other text.
///
/// From the right: a text stands one row above those that begin before it ends.
pub fn rows(texts: &[(i64, i64)]) -> Vec<usize> {
    let mut rows = vec![0; texts.len()];
    for index in (0..texts.len()).rev() {
        let (place, wide) = texts[index];
        let later = (index + 1..texts.len()).filter(|other| texts[*other].0 < place + wide);
        rows[index] = later.map(|other| rows[other] + 1).max().unwrap_or(0);
    }
    rows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(time: i64) -> Stop {
        (Rational::integer(time), 0)
    }

    #[test]
    fn later_is_further_right_and_texts_have_room() {
        let stops = vec![at(0), at(1), at(2), at(100), (Rational::integer(2), 1)];
        let axis = Axis::new(10, stops, &[(at(0), at(1), 300)]);
        let places: Vec<i64> = [at(0), at(1), at(2), (Rational::integer(2), 1), at(100)]
            .map(|stop| axis.place(stop))
            .into();
        assert_eq!(places, [10, 310, 324, 338, 488]);
        assert_eq!(axis.right(), 488);
    }

    proptest! {
        #[test]
        fn neither_texts_nor_their_lines_meet(gaps in prop::collection::vec((0i64..60, 1i64..150), 1..20)) {
            let mut place = 0;
            let texts: Vec<(i64, i64)> = gaps.iter().map(|(gap, wide)| { place += gap; (place, *wide) }).collect();
            let rows = rows(&texts);
            for (one, (left, wide)) in texts.iter().enumerate() {
                for (other, (begin, _)) in texts.iter().enumerate().filter(|(other, _)| *other != one) {
                    let inside = left <= begin && *begin < left + wide && one < other;
                    // The line of the other goes from its row down to row 0.
                    prop_assert!(!(inside && rows[other] >= rows[one]));
                }
            }
        }
    }
}
