//! When it is too late in a place in which an event must come at once.
//!
//! The clocks of a tester give the present state, not the past. With one more clock, which measures
//! the time since the place was entered, they give both: values and that time determine all values
//! since then. The *first stop* on the way is the first moment from which no time may pass.
//! Everything later than a first stop is too late; its verdict depends on the side that could have
//! moved at that moment.

use tioga_zones::{Bound, Federation, OutOfRange, Zone};

/// Where it is too late because something had to happen at once.
pub struct Overdue {
    /// The system could have answered, and should have.
    pub silence: Federation,
    /// Only the tester could have gone on.
    pub hesitation: Federation,
}

impl Overdue {
    /// Where it is too late in a place.
    ///
    /// Pre: one of the clocks measures the time since the place was entered, and no set restricts
    /// it. `over` is where the test is over, `answers` where some output is expected.
    ///
    /// # Errors
    /// If a constant is too large.
    pub fn new(
        invariant: &Federation,
        urgent: &Federation,
        over: &Federation,
        answers: &Federation,
    ) -> Result<Self, OutOfRange> {
        let mut stops = urgent.clone();
        for zone in urgent.zones() {
            if let Some(zone) = shortly_before(zone)? {
                stops.add(zone);
            }
        }
        stops.intersect(invariant);
        let mut first = stops.clone();
        first.subtract(&later(&stops)?);
        first.subtract(over);
        let mut answered = first.clone();
        answered.intersect(answers);
        first.subtract(answers);
        Ok(Self { silence: later(&answered)?, hesitation: later(&first)? })
    }

    /// The points at which it is not too late, of a set.
    pub fn in_time(&self, set: &Federation) -> Federation {
        let mut set = set.clone();
        set.subtract(&self.silence);
        set.subtract(&self.hesitation);
        set
    }
}

/// The points from which all short delays lead through the zone: lower bounds hold weakly and upper
/// bounds strictly.
fn shortly_before(zone: &Zone) -> Result<Option<Zone>, OutOfRange> {
    let mut points = Zone::universal(zone.dimension());
    for left in 0..zone.dimension() {
        for right in 0..zone.dimension() {
            let bound = zone.bound(left, right);
            let Some(constant) = bound.constant().filter(|_| left != right) else { continue };
            let bound = match (left, right) {
                (_, 0) => Bound::lt(constant)?,
                (0, _) => Bound::le(constant)?,
                _ => bound,
            };
            if points.constrain(left, right, bound).is_err() {
                return Ok(None);
            }
        }
    }
    Ok(Some(points))
}

/// The points that some positive delay leads to from the set: lower bounds become strict, and there
/// are no upper ones.
fn later(set: &Federation) -> Result<Federation, OutOfRange> {
    let mut later = Federation::empty(set.dimension());
    for zone in set.zones() {
        let mut after = zone.clone();
        after.delay();
        let mut possible = true;
        for clock in 1..zone.dimension() {
            if let Some(constant) = zone.bound(0, clock).constant() {
                possible &= after.constrain(0, clock, Bound::lt(constant)?).is_ok();
            }
        }
        if possible {
            later.add(after);
        }
    }
    Ok(later)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The set of two clocks, `x` and the time since the place was entered, with bounds on `x`.
    fn between(from: Bound, to: Bound) -> Federation {
        let mut set = Federation::universal(3);
        set.constrain(0, 1, from);
        set.constrain(1, 0, to);
        set
    }

    fn overdue(urgent: &Federation, answers: &Federation) -> Overdue {
        let nothing = Federation::empty(3);
        Overdue::new(&Federation::universal(3), urgent, &nothing, answers).unwrap()
    }

    #[test]
    fn where_no_time_may_pass_at_all_any_delay_is_too_long() {
        let all = Federation::universal(3);
        let found = overdue(&all, &all);
        let mut delayed = Federation::universal(3);
        delayed.constrain(0, 1, Bound::LT_ZERO);
        delayed.constrain(0, 2, Bound::LT_ZERO);
        assert!(found.silence.includes(&delayed) && delayed.includes(&found.silence));
        assert!(found.hesitation.is_empty());
        let found = overdue(&all, &Federation::empty(3));
        assert!(found.silence.is_empty() && !found.hesitation.is_empty());
    }

    #[test]
    fn who_enters_after_the_moment_is_not_too_late() {
        let moment = between(Bound::le(-2).unwrap(), Bound::le(2).unwrap());
        let all = Federation::universal(3);
        let found = overdue(&moment, &all);
        let mut entered_late = Federation::universal(3);
        entered_late.constrain(0, 1, Bound::le(-3).unwrap());
        entered_late.constrain(2, 0, Bound::le(0).unwrap());
        assert!(!found.silence.intersects(&entered_late));
        // After three time units from zero it is too late.
        let mut zero = Federation::from(Zone::zero(3));
        zero.delay();
        zero.constrain(0, 1, Bound::le(-3).unwrap());
        assert!(found.silence.includes(&zero));
        assert!(!found.silence.intersects(&between(Bound::le(0).unwrap(), Bound::le(2).unwrap())));
    }

    #[test]
    fn without_a_first_moment_the_bound_itself_is_the_last() {
        let after_two = between(Bound::lt(-2).unwrap(), Bound::INFINITY);
        let before_three = between(Bound::le(0).unwrap(), Bound::lt(3).unwrap());
        let found = overdue(&after_two, &before_three);
        let mut zero = Federation::from(Zone::zero(3));
        zero.delay();
        let two = between(Bound::le(0).unwrap(), Bound::le(2).unwrap());
        let mut in_time = zero.clone();
        in_time.intersect(&two);
        assert!(found.in_time(&in_time).includes(&in_time));
        zero.subtract(&two);
        assert!(found.silence.includes(&zero));
        // Who enters at 4 finds nothing expected.
        let mut four = Federation::universal(3);
        four.constrain(0, 1, Bound::le(-5).unwrap());
        four.constrain(1, 2, Bound::le(4).unwrap());
        four.constrain(2, 1, Bound::le(-4).unwrap());
        assert!(found.hesitation.includes(&four));
    }
}
