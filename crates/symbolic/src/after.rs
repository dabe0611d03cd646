//! The safe timed successor: the points that time leads to without meeting something bad on the way.
//!
//! The mirror image of [`Federation::timed_predecessor`]. For one bad zone `B`, which every way enters
//! and leaves at most once, and a start `Z`:
//!
//! ```text
//! (Z↑ \\ B↑) ∪ ((Z ∩ B↑) \\ B)↑
//! ```
//!
//! A way either ends before `B` or starts after it. For a union of bad zones the result is the
//! intersection: of several ways to a point, the shortest is good in all respects.

use tioga_zones::{Arrival, Bound, Federation, Zone};

/// The points that some delay leads to from `start`, with no point of `bad` before the end, and
/// none at the end either if arrival must be [`Arrival::Safe`].
pub(crate) fn timed_successor(
    start: &Federation,
    bad: &Federation,
    arrival: Arrival,
) -> Federation {
    let mut result = Federation::empty(start.dimension());
    for zone in start.zones() {
        let mut reach = zone.clone();
        reach.delay();
        let mut safe = Federation::from(reach.clone());
        for bad in bad.zones() {
            if bad.intersects(&reach) {
                safe.intersect(&passing_one(zone, &reach, bad, arrival));
            }
        }
        result.unite(&safe);
    }
    result
}

/// The points reached from one zone, whose future is `reach`, without meeting one bad zone.
fn passing_one(start: &Zone, reach: &Zone, bad: &Zone, arrival: Arrival) -> Federation {
    let mut after_bad = bad.clone();
    after_bad.delay();
    let mut result = reach.subtract(&after_bad);
    let mut late = start.clone();
    if late.intersect(&after_bad).is_ok() {
        let mut late = late.subtract(bad);
        late.delay();
        result.unite(&late);
    }
    if arrival == Arrival::MayBeBad {
        result.add(start.clone());
        for clock in 1..start.dimension() {
            // Where a lower bound is weak, ways enter the bad zone at a first moment.
            let lower = bad.bound(0, clock);
            let Some(constant) = lower.constant().filter(|_| !lower.is_strict()) else { continue };
            let at_most = Bound::le(-constant).expect("the constants of zones are within range");
            let mut first = bad.clone();
            if first.constrain(clock, 0, at_most).is_ok() && first.intersect(reach).is_ok() {
                result.add(first);
            }
        }
    }
    result
}
