//! A discrete state as clocks see it: where they may be, and how long time may pass.
//!
//! Time may pass as long as the invariant holds and no urgent step is possible. So a delay from `v`
//! to `v + d` is *allowed* if every point of the way, ends included, satisfies the invariant, and
//! no point before the last lets an urgent step happen. In an urgent or committed location only
//! `d = 0` is allowed. Everything here is exact, for invariants that are disjunctions too.

use tioga_model::{Composer, DiscreteState, Steps};
use tioga_zones::{Arrival, Federation, Zone};

use crate::Error;
use crate::conditions::{alternatives, constrain};

/// A discrete state as clocks see it.
#[derive(Clone, Debug)]
pub struct Elapse {
    /// Where the clocks may be.
    invariant: Federation,
    /// Where time stands still because an urgent step is possible.
    urgent: Federation,
    /// Whether the locations let time pass.
    passes: bool,
}

impl Elapse {
    /// The time elapse of a discrete state, whose steps are given.
    pub fn of(
        composer: &mut Composer<'_>,
        state: &DiscreteState,
        steps: &Steps,
    ) -> Result<Self, Error> {
        let invariant = invariant(composer, state)?;
        let dimension = invariant.dimension();
        let passes = !composer.stops_time(state);
        let mut urgent = Federation::empty(dimension);
        for step in steps.list.iter().filter(|step| passes && step.urgent) {
            for alternative in alternatives(step) {
                let mut zone = Zone::universal(dimension);
                if constrain(&mut zone, &alternative)? {
                    urgent.add(zone);
                }
            }
        }
        Ok(Self::new(invariant, urgent, passes))
    }

    /// The place with this invariant, where time stands still in `urgent`, and everywhere unless it
    /// passes.
    ///
    /// Pre: the sets have the same dimension.
    #[must_use]
    pub fn new(invariant: Federation, mut urgent: Federation, passes: bool) -> Self {
        if passes {
            urgent.intersect(&invariant);
        }
        let standing = passes && !urgent.is_empty() && urgent.includes(&invariant);
        if standing || !passes {
            urgent = Federation::empty(invariant.dimension());
        }
        Self { invariant, urgent, passes: passes && !standing }
    }

    /// The place of two systems side by side, on clocks that include those of both: time passes as
    /// far as both allow.
    #[must_use]
    pub fn beside(&self, other: &Self) -> Self {
        let mut invariant = self.invariant.clone();
        invariant.intersect(&other.invariant);
        let mut urgent = self.urgent.clone();
        urgent.unite(&other.urgent);
        Self::new(invariant, urgent, self.passes && other.passes)
    }

    /// The same place seen by one clock more, the last, which nothing sets or tests.
    #[must_use]
    pub fn with_clock(&self) -> Self {
        let lifted = |set: &Federation| {
            Federation::from_zones(set.dimension() + 1, set.zones().iter().map(with_clock))
        };
        Self {
            invariant: lifted(&self.invariant),
            urgent: lifted(&self.urgent),
            passes: self.passes,
        }
    }

    /// Where the clocks may be.
    pub fn invariant(&self) -> &Federation {
        &self.invariant
    }

    /// Where time stands still because an urgent step is possible. Empty if time never passes.
    pub fn urgent(&self) -> &Federation {
        &self.urgent
    }

    /// Whether time may pass from some points.
    pub fn passes_time(&self) -> bool {
        self.passes
    }

    /// The points that an allowed delay leads to from points of `zone`.
    #[must_use]
    pub fn delay(&self, zone: &Zone) -> Federation {
        let mut start = self.invariant.clone();
        start.intersect_zone(zone);
        if !self.passes {
            return start;
        }
        let mut later = if self.invariant.len() > 1 {
            // A way between two alternatives may leave the invariant.
            start.timed_successor(&self.invariant.complement(), Arrival::Safe)
        } else {
            let mut later = start.clone();
            later.delay();
            later.intersect(&self.invariant);
            later
        };
        if !self.urgent.is_empty() {
            // Of two ways to a point that are good in one respect each, the shorter is good in both.
            later.intersect(&start.timed_successor(&self.urgent, Arrival::MayBeBad));
        }
        later
    }

    /// The points from which an allowed delay leads into `goal` with no point of `bad` before that
    /// moment, and none at that moment either if arrival must be [`Arrival::Safe`].
    #[must_use]
    pub fn timed_predecessor(
        &self,
        goal: &Federation,
        bad: &Federation,
        arrival: Arrival,
    ) -> Federation {
        let mut goal = goal.clone();
        goal.intersect(&self.invariant);
        if !self.passes {
            if arrival == Arrival::Safe {
                goal.subtract(bad);
            }
            return goal;
        }
        let mut earlier = if self.invariant.len() > 1 {
            // A way between two alternatives may leave the invariant. Arrival is inside.
            let mut bad = bad.clone();
            bad.unite(&self.invariant.complement());
            goal.timed_predecessor(&bad, arrival)
        } else {
            goal.timed_predecessor(bad, arrival)
        };
        if !self.urgent.is_empty() {
            // The shorter of two delays that are good in one respect each is good in both.
            earlier.intersect(&goal.timed_predecessor(&self.urgent, Arrival::MayBeBad));
        }
        earlier.intersect(&self.invariant);
        earlier
    }

    /// The points from which an allowed delay leads into `goal`.
    #[must_use]
    pub fn past(&self, goal: &Federation) -> Federation {
        if self.passes && self.invariant.len() <= 1 && self.urgent.is_empty() {
            let mut earlier = goal.clone();
            earlier.intersect(&self.invariant);
            earlier.past();
            earlier.intersect(&self.invariant);
            return earlier;
        }
        self.timed_predecessor(goal, &Federation::empty(goal.dimension()), Arrival::MayBeBad)
    }

    /// The same as [`Self::past`] as long as no more than so many zones arise, also on the way; nothing
    /// otherwise.
    #[must_use]
    pub fn past_within(&self, goal: &Federation, most: usize) -> Option<Federation> {
        if self.urgent.is_empty() && (self.invariant.len() <= 1 || !self.passes) {
            return Some(self.past(goal));
        }
        let mut goal = goal.clone();
        goal.intersect(&self.invariant);
        if !self.passes {
            return Some(goal);
        }
        // A way between two alternatives may leave the invariant. Arrival is inside.
        let mut outside = Federation::empty(goal.dimension());
        if self.invariant.len() > 1 {
            outside = Federation::universal(goal.dimension());
            if !outside.subtract_within(&self.invariant, most) {
                return None;
            }
        }
        // What is urgent may be met on arrival, and what is outside never is.
        outside.unite(&self.urgent);
        let mut earlier = goal.timed_predecessor_within(&outside, Arrival::MayBeBad, most)?;
        earlier.intersect(&self.invariant);
        Some(earlier)
    }

    /// The points of `set` from which time may pass no further without staying in one of its zones:
    /// the allowed delays end, or go on for ever, inside that zone.
    #[must_use]
    pub fn ends_in(&self, set: &Federation) -> Federation {
        let mut set = set.clone();
        set.intersect(&self.invariant);
        if !self.passes {
            return set;
        }
        let mut result = Federation::empty(set.dimension());
        for zone in set.into_zones() {
            let mut future = zone.clone();
            future.delay();
            let mut after = self.invariant.clone();
            after.intersect_zone(&future);
            after.subtract_zone(&zone);
            let mut kept = Federation::from(zone);
            kept.subtract(&self.past(&after));
            result.unite(&kept);
        }
        result
    }

    /// The points from which every allowed delay is shorter than some bound.
    #[must_use]
    pub fn expiring(&self) -> Federation {
        let mut expiring = self.invariant.clone();
        if !self.passes {
            return expiring;
        }
        let endless = self.invariant.zones().iter().filter(|zone| zone.is_delay_closed()).cloned();
        let mut endless = Federation::from_zones(self.invariant.dimension(), endless);
        if endless.is_empty() {
            return expiring;
        }
        let mut stopped = self.urgent.clone();
        stopped.past();
        endless.subtract(&stopped);
        expiring.subtract(&self.past(&endless));
        expiring
    }
}

/// Where the clocks may be in a discrete state.
pub(crate) fn invariant(
    composer: &mut Composer<'_>,
    state: &DiscreteState,
) -> Result<Federation, Error> {
    let dimension = composer.model().clocks.len() + 1;
    let mut invariant = Federation::empty(dimension);
    for conjunction in &composer.invariant(state)?.disjuncts {
        let mut zone = Zone::universal(dimension);
        if constrain(&mut zone, conjunction)? {
            invariant.add(zone);
        }
    }
    Ok(invariant)
}

/// The zone with one clock more, the last, which may have any value.
pub(crate) fn with_clock(zone: &Zone) -> Zone {
    let clocks: Vec<usize> = (1..zone.dimension()).collect();
    let mut larger = Zone::zero(zone.dimension() + 1);
    zone.pack_clocks(&clocks).unpack_clocks_into(&clocks, &mut larger);
    larger
}
