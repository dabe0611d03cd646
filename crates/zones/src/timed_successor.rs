//! The safe timed successor: the points that are reached from a set by letting time pass, without
//! meeting something bad on the way. The mirror image of the timed predecessor.
//!
//! For one zone `Z` to start from and one bad zone `B`, a point of the future of `Z` *loses* if it is
//! in `B`, or if `B` came earlier and ends no sooner than `Z`: then one cannot start after it. On a
//! line along which time passes a zone ends where the first of its upper bounds is met, so `B` ends no
//! sooner than `Z` if there is a clock `x_i` such that for each clock `x_j`
//!
//! ```text
//! upper_Z(x_i) − x_i ≤ upper_B(x_j) − x_j
//! ```
//!
//! For each `x_i` these are bounds on differences. With several bad zones a point must lose to none:
//! if one can start after each of them, the latest of these starts will do for all.
//!
//! If the point itself may be bad, a point of `Z` does not lose, and others do only if `B` began
//! properly before them.

use crate::bound::Bound;
use crate::federation::Federation;
use crate::timed_predecessor::{Arrival, difference};
use crate::zone::Zone;

impl Federation {
    /// The points `w` that are reached from a point `v` of this set by a delay `d ≥ 0`, with no point
    /// of `bad` from `v` on and before `w`, nor at `w` if arrival must be [`Arrival::Safe`]. Exact.
    ///
    /// With [`Arrival::MayBeBad`] all points of the set itself are among them, by the delay 0.
    ///
    /// ```
    /// use tioga_zones::{Arrival, Bound, Federation, Zone};
    /// let start = Federation::from(Zone::zero(2));
    /// let mut bad = Federation::universal(2);
    /// bad.constrain(0, 1, Bound::le(-3)?);
    /// let safe = start.timed_successor(&bad, Arrival::Safe);
    /// assert_eq!(safe.display(&["x"]).to_string(), "x < 3");
    /// let last = start.timed_successor(&bad, Arrival::MayBeBad);
    /// assert_eq!(last.display(&["x"]).to_string(), "x <= 3");
    /// # Ok::<(), tioga_zones::OutOfRange>(())
    /// ```
    #[must_use]
    pub fn timed_successor(&self, bad: &Self, arrival: Arrival) -> Self {
        self.same_dimension(bad);
        let mut result = Self::empty(self.dimension);
        for start in &self.zones {
            let mut reach = start.clone();
            reach.delay();
            let mut losing = Self::empty(self.dimension);
            for bad in &bad.zones {
                add_losing(start, &reach, bad, arrival, &mut losing);
            }
            result.add_difference(reach, losing);
        }
        result
    }
}

/// Adds the points of `reach`, the future of one zone, that lose to one bad zone.
fn add_losing(start: &Zone, reach: &Zone, bad: &Zone, arrival: Arrival, losing: &mut Federation) {
    let n = start.dimension;
    let mut after = bad.clone();
    after.delay();
    if after.intersect(reach).is_err() {
        return;
    }
    match arrival {
        Arrival::Safe => {
            let mut here = bad.clone();
            if here.intersect(reach).is_ok() {
                losing.add(here);
            }
        }
        Arrival::MayBeBad => {
            let lower = |clock: usize| Bound(bad.cells[clock].0 & !1);
            if !(1..n).all(|clock| after.constrain(0, clock, lower(clock)).is_ok()) {
                return;
            }
        }
    }
    for first in (1..n).filter(|&clock| start.may_end_with(clock)) {
        let upper = start.cells[first * n];
        let bound = |clock: usize| ends_no_later(upper, bad.cells[clock * n]);
        if !(1..n).all(|clock| after.meets(clock, first, bound(clock))) {
            continue;
        }
        let mut late = after.clone();
        if arrival == Arrival::MayBeBad && late.constrain(0, first, upper.complement()).is_err() {
            continue;
        }
        if (1..n).all(|clock| late.constrain(clock, first, bound(clock)).is_ok()) {
            losing.add(late);
        }
    }
}

/// The bound on `y − x` where the upper bound of `x` in the zone to start from, which is finite, is
/// met no later than that of `y` in something bad.
fn ends_no_later(start: Bound, bad: Bound) -> Bound {
    if bad.is_infinite() {
        return Bound::INFINITY;
    }
    // A zone with a strict bound ends before one with the same bound that is weak.
    difference(bad, start, !start.is_strict() && bad.is_strict())
}

impl Zone {
    /// Whether the upper bound of a clock is needed to tell where lines leave the zone. Of clocks
    /// whose bounds are always met together, one is needed.
    fn may_end_with(&self, clock: usize) -> bool {
        let n = self.dimension;
        let upper = |i: usize| self.cells[i * n];
        let follows = |i: usize, k: usize| self.cells[i * n + k] + upper(k) <= upper(i);
        !upper(clock).is_infinite()
            && !(1..n).any(|k| k != clock && follows(clock, k) && !(clock < k && follows(k, clock)))
    }
}
