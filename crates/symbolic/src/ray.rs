//! One valuation as time passes: when it is in a zone, and how long it may wait in a place.
//!
//! Valuations have an entry for each clock of a zone; entry 0 is the constant zero.

use tioga_base::{Overflow, Rational};
use tioga_zones::{Federation, Zone};

use crate::Place;

/// The delays after which a valuation is in a zone: an interval that is not empty.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Window {
    /// The least delay, and whether it is excluded.
    from: (Rational, bool),
    /// The greatest delay, and whether it is excluded; `None` if there is none.
    to: Option<(Rational, bool)>,
}

impl Window {
    /// When the valuation is in the zone, now or later.
    fn of(clocks: &[Rational], zone: &Zone) -> Result<Option<Self>, Overflow> {
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

    /// The windows of all zones, sorted by when they begin.
    fn all(clocks: &[Rational], set: &Federation) -> Result<Vec<Self>, Overflow> {
        let mut windows = Vec::with_capacity(set.len());
        for zone in set.zones() {
            windows.extend(Self::of(clocks, zone)?);
        }
        windows.sort_by_key(|window| window.from);
        Ok(windows)
    }
}

/// The least delay allowed in the place after which the valuation lies in the set. If that is
/// excluded by a strict bound, a delay shortly after it: at most halfway to where the zone or the
/// allowed delays end, and at most 1/2 later. `None` if no allowed delay leads into the set.
///
/// Pre: the valuation satisfies the invariant of the place.
pub(crate) fn least_delay(
    clocks: &[Rational],
    place: &Place,
    set: &Federation,
) -> Result<Option<Rational>, Overflow> {
    // A delay that begins like an allowed one and is shorter is allowed too. So the window that
    // begins first decides.
    let windows = Window::all(clocks, set)?;
    let Some(first) = windows.first() else { return Ok(None) };
    let (least, open) = first.from;
    let end = patience(clocks, place)?;
    if !open {
        let allowed = end.is_none_or(|end| least <= end);
        return Ok(allowed.then_some(least));
    }
    let mut room = Rational::ONE;
    for end in first.to.map(|(end, _)| end).into_iter().chain(end) {
        room = room.min(end.sub(least)?);
    }
    if room <= Rational::ZERO {
        return Ok(None);
    }
    Ok(Some(least.add(room.div(Rational::integer(2))?)?))
}

/// The supremum of the delays allowed in the place; `None` if they are not bounded.
fn patience(clocks: &[Rational], place: &Place) -> Result<Option<Rational>, Overflow> {
    if !place.passes_time() {
        return Ok(Some(Rational::ZERO));
    }
    let urgent = Window::all(clocks, place.urgent())?;
    let mut end = urgent.first().map(|window| window.from.0);
    // How far windows that touch lead without a gap, and whether this end is excluded.
    let mut reached = (Rational::ZERO, false);
    for window in Window::all(clocks, place.invariant())? {
        let (from, open) = window.from;
        if from > reached.0 || (from == reached.0 && open && reached.1) {
            break;
        }
        let Some((to, excluded)) = window.to else { return Ok(end) };
        if to > reached.0 || (to == reached.0 && !excluded) {
            reached = (to, excluded);
        }
    }
    end = Some(end.map_or(reached.0, |end| end.min(reached.0)));
    Ok(end)
}
