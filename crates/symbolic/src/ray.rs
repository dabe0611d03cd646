//! One valuation as time passes: when it is in a zone, and how long to wait for a set of zones.
//!
//! Valuations have an entry for each clock of a zone; entry 0 is the constant zero.

use tioga_base::{Overflow, Rational};
use tioga_zones::{Federation, Zone};

/// The delays after which a valuation is in a zone: an interval that is not empty.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Window {
    /// The least delay, and whether it is excluded.
    pub from: (Rational, bool),
    /// The greatest delay, and whether it is excluded; `None` if there is none.
    pub to: Option<(Rational, bool)>,
}

impl Window {
    /// When the valuation is in the zone, now or later.
    pub fn of(clocks: &[Rational], zone: &Zone) -> Result<Option<Self>, Overflow> {
        let mut from = (Rational::ZERO, false);
        let mut to: Option<(Rational, bool)> = None;
        for (clock, value) in clocks.iter().enumerate().skip(1) {
            let low = zone.bound(0, clock);
            if let Some(constant) = low.constant() {
                let needed = Rational::integer(-i64::from(constant)).sub(*value)?;
                from = from.max((needed, low.is_strict()));
            }
            let high = zone.bound(clock, 0);
            if let Some(constant) = high.constant() {
                let room = Rational::integer(i64::from(constant)).sub(*value)?;
                // At equal ends the one that is excluded is tighter.
                let tighter = to.is_none_or(|(old, open)| (room, !high.is_strict()) < (old, !open));
                to = if tighter { Some((room, high.is_strict())) } else { to };
            }
            for (other, subtracted) in clocks.iter().enumerate().skip(1) {
                // Differences stay the same, so they keep the valuation out now and later.
                let bound = zone.bound(clock, other);
                let Some(constant) = bound.constant().filter(|_| clock != other) else { continue };
                let (difference, most) =
                    (value.sub(*subtracted)?, Rational::integer(i64::from(constant)));
                if difference > most || (difference == most && bound.is_strict()) {
                    return Ok(None);
                }
            }
        }
        let some = to.is_none_or(|(end, open)| from.0 < end || (from == (end, false) && !open));
        Ok(some.then_some(Self { from, to }))
    }
}

/// The least delay after which the valuation lies in the set. If that is excluded by a strict bound,
/// a delay shortly after it: at most halfway to where its zone ends or an urgent step is possible,
/// and at most 1/2 later. `None` if no delay leads into the set without passing an urgent point.
///
/// Pre: some allowed delay leads into the set, and the invariant holds in the set.
/// Post: the delay is allowed. One that is shorter than an allowed one is allowed too, so the zone
/// that is met first can be met; and beyond its first moment, only urgent steps end what is allowed,
/// because the invariant holds in all of it.
pub fn least_delay(
    clocks: &[Rational],
    urgent: &Federation,
    set: &Federation,
) -> Result<Option<Rational>, Overflow> {
    let Some(window) = first_window(clocks, set)? else { return Ok(None) };
    let urgent = first_window(clocks, urgent)?.map(|window| window.from.0);
    let (least, open) = window.from;
    if !open {
        return Ok(urgent.is_none_or(|urgent| least <= urgent).then_some(least));
    }
    let mut room = Rational::ONE;
    for end in window.to.map(|(end, _)| end).into_iter().chain(urgent) {
        room = room.min(end.sub(least)?);
    }
    if room <= Rational::ZERO {
        return Ok(None);
    }
    Ok(Some(least.add(room.div(Rational::integer(2))?)?))
}

/// The window that begins first.
fn first_window(clocks: &[Rational], set: &Federation) -> Result<Option<Window>, Overflow> {
    let mut first: Option<Window> = None;
    for zone in set.zones() {
        if let Some(window) = Window::of(clocks, zone)? {
            first = first.filter(|first| first.from <= window.from).or(Some(window));
        }
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use tioga_zones::Bound;

    use super::*;

    fn rational(numerator: i64, denominator: i64) -> Rational {
        Rational::new(numerator, denominator).unwrap()
    }

    fn set(constraints: &[(usize, usize, Bound)]) -> Federation {
        let mut set = Federation::universal(3);
        for (left, right, bound) in constraints {
            set.constrain(*left, *right, *bound);
        }
        set
    }

    fn least(x: Rational, y: Rational, urgent: &Federation, goal: &Federation) -> Option<Rational> {
        least_delay(&[Rational::ZERO, x, y], urgent, goal).unwrap()
    }

    #[test]
    fn a_weak_bound_is_met_exactly_and_a_strict_one_shortly_after() {
        let (zero, never) = (Rational::ZERO, Federation::empty(3));
        let at_least = |bound| set(&[(0, 1, bound)]);
        let weak = at_least(Bound::le(-2).unwrap());
        assert_eq!(least(zero, zero, &never, &weak), Some(rational(2, 1)));
        let strict = at_least(Bound::lt(-2).unwrap());
        assert_eq!(least(zero, zero, &never, &strict), Some(rational(5, 2)));
        let mut narrow = strict;
        narrow.constrain(2, 0, Bound::le(3).unwrap());
        assert_eq!(least(zero, rational(3, 4), &never, &narrow), Some(rational(17, 8)));
        assert_eq!(least(zero, rational(1, 1), &never, &narrow), None);
    }

    #[test]
    fn a_zone_that_differences_keep_out_of_reach_does_not_count() {
        let never = Federation::empty(3);
        let mut goal = set(&[(0, 1, Bound::le(-1).unwrap()), (1, 2, Bound::le(-1).unwrap())]);
        goal.unite(&set(&[(0, 1, Bound::le(-2).unwrap())]));
        let zero = Rational::ZERO;
        assert_eq!(least(zero, zero, &never, &goal), Some(rational(2, 1)));
        assert_eq!(least(zero, rational(1, 1), &never, &goal), Some(rational(1, 1)));
    }

    #[test]
    fn the_delay_ends_before_an_urgent_moment() {
        let goal = set(&[(0, 1, Bound::lt(-1).unwrap())]);
        let urgent = set(&[(0, 2, Bound::le(-2).unwrap())]);
        let zero = Rational::ZERO;
        assert_eq!(least(zero, rational(3, 4), &urgent, &goal), Some(rational(9, 8)));
        assert_eq!(least(zero, rational(1, 1), &urgent, &goal), None);
    }
}
