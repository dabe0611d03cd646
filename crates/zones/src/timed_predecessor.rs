//! The safe timed predecessor: the points that can reach a goal by letting time pass, without
//! meeting something bad on the way.
//!
//! For one bad zone `B`, which every delay enters and leaves at most once (CDFLL05: Cassez, David,
//! Fleury, Larsen, Lime, *Efficient on-the-fly algorithms for the analysis of timed games*, 2005):
//!
//! ```text
//! tPred(G, B) = (G↓ \\ B↓) ∪ ((G ∩ B↓) \\ B)↓
//! ```
//!
//! A delay either never meets `B`, or reaches the goal before `B`. For a union of goals the result
//! is the union. For a union of bad zones it is the intersection: if there is a good delay with
//! respect to each bad zone, the shortest of these delays is good with respect to all.
//!
//! If the goal may be bad itself, one may also stay in the goal, or reach it at the first moment
//! in `B`; this moment exists where a lower bound of `B` is weak.

use crate::bound::Bound;
use crate::federation::Federation;
use crate::zone::Zone;

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
        self.same_dimension(bad);
        let mut result = Self::empty(self.dimension);
        for goal in &self.zones {
            result.unite(&avoiding(goal, bad, arrival));
        }
        result
    }
}

/// The points that reach one goal zone without meeting a federation.
fn avoiding(goal: &Zone, bad: &Federation, arrival: Arrival) -> Federation {
    let mut reach = goal.clone();
    reach.past();
    let mut bad = bad.zones.iter().filter(|bad| !reach.is_clearly_disjoint(bad));
    let Some(first) = bad.next() else { return reach.into() };
    let mut result = avoiding_one(goal, &reach, first, arrival);
    for bad in bad {
        // A zone from which no way to the goal meets this bad zone stays in one piece.
        let (met, kept): (Vec<Zone>, Vec<Zone>) =
            result.zones.into_iter().partition(|zone| may_meet(zone, &reach, bad));
        result = Federation { zones: kept, dimension: goal.dimension() };
        if !met.is_empty() {
            let mut safe = Federation { zones: met, dimension: goal.dimension() };
            safe.intersect(&avoiding_one(goal, &reach, bad, arrival));
            result.unite(&safe);
        }
    }
    result
}

/// Whether a way from `zone` to a goal, whose past is `reach`, meets `bad`. All ways lie in the
/// future of the one and the past of the other.
fn may_meet(zone: &Zone, reach: &Zone, bad: &Zone) -> bool {
    let mut way = zone.clone();
    way.delay();
    way.intersect(bad).is_ok() && way.intersects(reach)
}

/// The points that reach one goal zone, whose past is `reach`, without meeting one bad zone.
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
        for clock in 1..goal.dimension() {
            let lower = bad.bound(0, clock);
            if lower.is_strict() {
                continue;
            }
            // The points of `bad` at its lower bound of this clock: none before them is bad.
            let mut first = bad.clone();
            let reachable = first.constrain(clock, 0, Bound(2 - lower.0)).is_ok()
                && first.intersect(goal).is_ok();
            if reachable {
                first.past();
                result.add(first);
            }
        }
    }
    result
}
