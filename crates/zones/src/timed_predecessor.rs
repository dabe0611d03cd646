//! The safe timed predecessor: the points that can reach a goal by letting time pass, without
//! meeting something bad on the way.
//!
//! Take one goal zone `G` and one bad zone `B`. Letting time pass from a point leads along a line,
//! which enters and leaves each zone at most once. A point of the past of `G` *loses* if it is in
//! `B`, or if `B` comes later and begins no later than `G`. A zone begins on a line where the last of
//! its lower bounds is met, so `B` begins no later than `G` if there is a clock `x_i` such that for
//! each clock `x_j` the lower bound of `x_j` in `B` is met no later than that of `x_i` in `G`:
//!
//! ```text
//! lower_B(x_j) − x_j ≤ lower_G(x_i) − x_i
//! ```
//!
//! For each `x_i` these are bounds on differences, so the points that lose are a union of few zones.
//! Being safe from several bad zones means to lose to none of them: if there is a good delay with
//! respect to each, the shortest of these delays is good with respect to all. So the result is the
//! past of the goal without all points that lose; for a union of goals it is the union.
//!
//! For one bad zone there is a form in fewer pieces, which overlap (CDFLL05: Cassez, David, Fleury,
//! Larsen, Lime, *Efficient on-the-fly algorithms for the analysis of timed games*, 2005):
//!
//! ```text
//! tPred(G, B) = (G↓ \\ B↓) ∪ ((G ∩ B↓) \\ B)↓
//! ```
//!
//! A delay either never meets `B`, or reaches the goal before `B`. Intersecting such unions for
//! several bad zones would make many more pieces than taking away the points that lose.
//!
//! If the goal may be bad itself, a point of the goal does not lose, and `B` has to begin properly
//! before the goal does: one may also reach the goal at the first moment in `B`, which exists where a
//! lower bound of `B` is weak.

use crate::bound::{Bound, FLOOR, INFINITE};
use crate::federation::Federation;
use crate::zone::Zone;

/// How many pairs of zones of different goals are tested for inclusion. Beyond that the tests would
/// take longer than all the rest.
const COMPARED: usize = 1 << 14;

/// What may be bad about the moment of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrival {
    /// The goal must be reached at a point that is not bad: no bad point during `[0, d]`.
    Safe,
    /// The goal may be reached at a bad point: no bad point during `[0, d)`.
    MayBeBad,
}

impl Federation {
    /// The points from which some delay `d ≥ 0` leads into this set, with no point of `bad` before
    /// that moment, and none at that moment either if arrival must be [`Arrival::Safe`]. Exact.
    ///
    /// ```
    /// use tioga_zones::{Arrival, Bound, Federation};
    /// let mut goal = Federation::universal(2);
    /// goal.constrain(0, 1, Bound::le(-5)?);
    /// let mut bad = Federation::universal(2);
    /// bad.constrain(0, 1, Bound::le(-2)?);
    /// bad.constrain(1, 0, Bound::lt(3)?);
    /// let safe = goal.timed_predecessor(&bad, Arrival::Safe);
    /// assert_eq!(safe.display(&["x"]).to_string(), "x >= 3");
    /// # Ok::<(), tioga_zones::OutOfRange>(())
    /// ```
    #[doc(alias = "tpred")]
    #[must_use]
    pub fn timed_predecessor(&self, bad: &Self, arrival: Arrival) -> Self {
        let all = self.timed_predecessor_within(bad, arrival, usize::MAX);
        all.expect("there is no limit")
    }

    /// The same as long as no more than so many zones arise, also on the way; nothing otherwise.
    #[must_use]
    pub fn timed_predecessor_within(
        &self,
        bad: &Self,
        arrival: Arrival,
        most: usize,
    ) -> Option<Self> {
        self.same_dimension(bad);
        let mut result = Self::empty(self.dimension);
        for goal in &self.zones {
            let mut reach = goal.clone();
            reach.past();
            let ahead = |bad: &&Zone| !reach.is_clearly_disjoint(bad);
            let bad: Vec<&Zone> = bad.zones.iter().filter(ahead).collect();
            if let [bad] = bad[..] {
                result.unite(&avoiding_one(goal, &reach, bad, arrival));
                continue;
            }
            let mut losing = Self::empty(self.dimension);
            for bad in bad {
                add_losing(goal, &reach, bad, arrival, &mut losing);
            }
            if !result.add_difference_within(reach, losing, most) || result.len() > most {
                return None;
            }
        }
        Some(result)
    }

    /// Adds the points of a zone that are not in a federation.
    pub(crate) fn add_difference(&mut self, zone: Zone, without: Self) {
        let done = self.add_difference_within(zone, without, usize::MAX);
        debug_assert!(done, "there is no limit");
    }

    /// The same as long as no more than so many zones arise: whether it was done.
    fn add_difference_within(&mut self, zone: Zone, mut without: Self, most: usize) -> bool {
        // Large holes first, of which most pieces are at the rim and not cut again.
        let narrowness = |hole: &Zone| -> usize {
            let bounds = hole.cells.iter().zip(&zone.cells);
            bounds.map(|(own, zone)| usize::from(own < zone)).sum()
        };
        without.zones.sort_by_cached_key(narrowness);
        let mut pieces = Self::from(zone);
        if !pieces.subtract_within(&without, most) {
            return false;
        }
        // The pieces are disjoint; only earlier ones may include them or be included.
        if self.zones.len() * pieces.len() <= COMPARED {
            pieces.zones.retain(|piece| !self.zones.iter().any(|own| own.includes(piece)));
            self.zones.retain(|own| !pieces.zones.iter().any(|piece| piece.includes(own)));
        }
        self.zones.append(&mut pieces.zones);
        true
    }
}

/// The points of `reach`, the past of one goal zone, that reach it without meeting one bad zone.
fn avoiding_one(goal: &Zone, reach: &Zone, bad: &Zone, arrival: Arrival) -> Federation {
    let mut before_bad = bad.clone();
    before_bad.past();
    let mut result = reach.subtract(&before_bad);
    let mut before = goal.clone();
    if before.intersect(&before_bad).is_err() {
        return result;
    }
    let mut ahead = before.subtract(bad);
    ahead.past();
    result.unite(&ahead);
    if arrival == Arrival::MayBeBad {
        result.add(goal.clone());
        for clock in (1..goal.dimension).filter(|&clock| !bad.cells[clock].is_strict()) {
            // The points of `bad` at its lower bound of this clock: none before them is bad.
            let mut first = bad.clone();
            let reachable = first.constrain(clock, 0, Bound(2 - bad.cells[clock].0)).is_ok()
                && first.intersect(goal).is_ok();
            if reachable {
                first.past();
                result.add(first);
            }
        }
    }
    result
}

/// Adds the points of `reach`, the past of one goal zone, that lose to one bad zone.
fn add_losing(goal: &Zone, reach: &Zone, bad: &Zone, arrival: Arrival, losing: &mut Federation) {
    let n = goal.dimension;
    if arrival == Arrival::Safe {
        let mut here = bad.clone();
        if here.intersect(reach).is_ok() {
            losing.add(here);
        }
    }
    let mut before = bad.clone();
    before.past();
    if before.intersect(reach).is_err() {
        return;
    }
    for last in (1..n).filter(|&clock| goal.may_begin_with(clock)) {
        let lower = goal.cells[last];
        let bound = |clock: usize| begins_no_sooner(lower, bad.cells[clock], arrival);
        if !(1..n).all(|clock| before.meets(last, clock, bound(clock))) {
            continue;
        }
        let mut late = before.clone();
        if arrival == Arrival::MayBeBad && late.constrain(last, 0, lower.complement()).is_err() {
            continue;
        }
        if (1..n).all(|clock| late.constrain(last, clock, bound(clock)).is_ok()) {
            losing.add(late);
        }
    }
}

/// The bound on `x − y` where the lower bound of `x` in a goal is met no sooner than that of `y` in
/// something bad. Lower bounds are given as in the first row of a matrix.
fn begins_no_sooner(goal: Bound, bad: Bound, arrival: Arrival) -> Bound {
    // At the same moment a weak bound is met before a strict one. The goal may begin together with
    // something bad if it may be bad, but not if it has no first moment.
    let strict = !goal.is_strict() && (bad.is_strict() || arrival == Arrival::MayBeBad);
    difference(bad, goal, strict)
}

/// The bound by the difference of the constants of two finite bounds.
pub(crate) fn difference(of: Bound, and: Bound, strict: bool) -> Bound {
    let constant = (of.0 >> 1) - (and.0 >> 1);
    Bound((2 * constant + i32::from(!strict)).clamp(FLOOR, INFINITE))
}

impl Zone {
    /// Whether the lower bound of a clock is needed to tell where lines enter the zone. Of clocks
    /// whose bounds are always met together, one is needed.
    fn may_begin_with(&self, clock: usize) -> bool {
        let n = self.dimension;
        let follows = |i: usize, k: usize| self.cells[k] + self.cells[k * n + i] <= self.cells[i];
        !(1..n).any(|k| k != clock && follows(clock, k) && !(clock < k && follows(k, clock)))
    }
}
