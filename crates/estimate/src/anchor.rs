//! Keeping times exact that are finer than the scale: where nothing else depends on the units, they are
//! counted from the last observation.
//!
//! A time between two units is known to zones as the open interval between them, and comparisons with the
//! board's constants are exact. If a clock is set then, its distance to the clock of observation is known
//! to less than a unit only. Unless some other clock is still tied to the old origin, that does no harm:
//! the moment of the observation becomes the origin, from which the clock that was set is a whole number
//! of units away. So models with one clock, and all whose clocks are set together, are followed exactly at
//! any scale. Everything else is noted as rounded.

use tioga_base::{Moment, Rational};
use tioga_zones::{Bound, Zone};

use crate::frame::common_multiple;
use crate::{Board, Error, Estimator};

impl<B: Board> Estimator<B> {
    /// After an observation: makes its moment the origin if it lies between two units and no clock depends
    /// on the origin; notes that times are rounded if that is not possible.
    pub(crate) fn anchor(&mut self, at: Moment) -> Result<(), Error> {
        let time = at.latest();
        if self.is_whole(time)? && (at.is_exact() || self.is_whole(at.earliest())?) {
            return Ok(());
        }
        if !self.frame.exact || !at.is_exact() {
            self.note_rounding();
            return Ok(());
        }
        let (clock, own) = (self.frame.time, 1..self.frame.own);
        let every = |holds: &dyn Fn(&Zone, usize) -> bool| {
            self.entries.iter().all(|entry| own.clone().all(|own| holds(&entry.zone, own)))
        };
        if every(&|zone, own| independent(zone, own, clock)) && self.can_count_from(time) {
            for entry in &mut self.entries {
                entry.zone.reset(clock, 0);
            }
            self.units.origin = time;
        } else if !every(&|zone, own| tied(zone, own, clock) || forgotten(zone, own, clock)) {
            self.note_rounding();
        }
        Ok(())
    }

    fn is_whole(&self, time: Rational) -> Result<bool, Error> {
        Ok(self.units.scale % time.sub(self.units.origin)?.denominator() == 0)
    }

    /// Whether times from this origin on fit in 64 bits, with room to spare.
    fn can_count_from(&self, time: Rational) -> bool {
        let finest = common_multiple(self.units.scale, time.denominator());
        let whole = time.ceil().checked_abs().and_then(|whole| whole.checked_mul(4));
        finest.zip(whole).is_some_and(|(finest, whole)| finest.checked_mul(whole).is_some())
    }

    /// Remembers that a time was rounded to the present scale.
    pub(crate) fn note_rounding(&mut self) {
        let scale = self.units.scale;
        self.rounded = Some(self.rounded.map_or(scale, |coarsest| coarsest.min(scale)));
    }

    /// Within what times were rounded so far, if some were finer than zones can count: a difference of
    /// two times counts as any that is less than this apart from it. Nothing if all was exact.
    pub fn rounding(&self) -> Option<Rational> {
        self.rounded.and_then(|scale| Rational::new(1, scale).ok())
    }
}

/// Whether what is known of the distance between two clocks follows from what is known of each.
fn independent(zone: &Zone, one: usize, other: usize) -> bool {
    let implied = |above: usize, below: usize| {
        let (high, low) = (zone.bound(above, 0), zone.bound(0, below));
        let distance = zone.bound(above, below);
        high.is_infinite() || low.is_infinite() || distance >= high + low
    };
    let open = |above: usize, below: usize| {
        !zone.bound(above, 0).is_infinite() || zone.bound(above, below).is_infinite()
    };
    [(one, other), (other, one)].iter().all(|(a, b)| implied(*a, *b) && open(*a, *b))
}

/// Whether the distance between two clocks is known exactly.
fn tied(zone: &Zone, one: usize, other: usize) -> bool {
    zone.bound(one, other) + zone.bound(other, one) == Bound::LE_ZERO
}

/// Whether a clock is beyond all that it is compared with.
fn forgotten(zone: &Zone, own: usize, clock: usize) -> bool {
    zone.bound(own, 0).is_infinite() && independent(zone, own, clock)
}
