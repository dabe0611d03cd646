//! How much work a question about sets of clock values may take.

use tioga_base::Cancel;
use tioga_zones::{Federation, Remainder, RemainderStep, Zone};

use crate::{Elapse, Error};

/// How many zones a set may consist of before a question is given up that is one of many.
const MOST_ZONES: usize = 400;

/// How many zones a set may consist of for a question that was asked for. Work on sets grows faster than they do,
/// and is not interrupted within one operation.
const MOST_ZONES_PATIENT: usize = 5000;

/// How much may be computed for one question, in bounds of zones that are looked at, about.
pub(crate) struct Effort {
    left: u64,
    most_zones: usize,
    cancel: Cancel,
}

impl Effort {
    /// So much, unless cancelled before.
    pub fn new(most: u64, cancel: Cancel) -> Self {
        Self { left: most, most_zones: MOST_ZONES, cancel }
    }

    /// As much as it takes, unless cancelled before.
    pub fn unlimited(cancel: Cancel) -> Self {
        Self::new(u64::MAX, cancel)
    }

    /// As much as it takes, on sets of more zones, unless cancelled before.
    pub fn patient(cancel: Cancel) -> Self {
        Self { most_zones: MOST_ZONES_PATIENT, ..Self::unlimited(cancel) }
    }

    /// Accounts for work on a set, which grows faster than the number of its zones.
    pub fn spend(&mut self, set: &Federation) -> Result<(), Error> {
        let (zones, clocks) = (set.len() as u64, set.dimension() as u64);
        if set.len() > self.most_zones {
            return Err(self.too_many_zones());
        }
        self.take((zones + 1) * (1 + zones / 8) * clocks * clocks)
    }

    /// The points from which an allowed delay leads into a set.
    pub fn past(&mut self, place: &Elapse, set: &Federation) -> Result<Federation, Error> {
        self.spend(set)?;
        place.past_within(set, self.most_zones).ok_or_else(|| self.too_many_zones())
    }

    /// The points of one set that are not in another.
    pub fn minus(&mut self, whole: &Federation, taken: &Federation) -> Result<Federation, Error> {
        if whole.is_empty() || taken.is_empty() {
            return Ok(whole.clone());
        }
        self.spend(whole)?;
        self.spend(taken)?;
        let mut left = whole.clone();
        match left.subtract_within(taken, self.most_zones) {
            true => Ok(left),
            false => Err(self.too_many_zones()),
        }
    }

    /// Whether the work may go on.
    pub fn go_on(&self) -> Result<(), Error> {
        self.cancel.reason().map_or(Ok(()), |reason| Err(Error::Stopped(reason)))
    }

    fn take(&mut self, cost: u64) -> Result<(), Error> {
        self.go_on()?;
        self.left = self.left.checked_sub(cost).ok_or_else(|| {
            Error::Unsupported("the sets of clock values take too much work".to_owned())
        })?;
        Ok(())
    }

    /// The next piece that is left of a set.
    pub fn next_piece(&mut self, remainder: &mut Remainder<'_>) -> Result<Option<Zone>, Error> {
        loop {
            self.take(1)?;
            match remainder.step() {
                RemainderStep::Piece(piece) => return Ok(Some(piece)),
                RemainderStep::More => {}
                RemainderStep::End => return Ok(None),
            }
        }
    }

    /// Whether every point of the zone is in the set.
    pub fn includes_zone(&mut self, set: &Federation, zone: &Zone) -> Result<bool, Error> {
        if set.zones().iter().any(|own| own.includes(zone)) {
            return self.go_on().map(|()| true);
        }
        self.includes(set, &zone.clone().into())
    }

    fn too_many_zones(&self) -> Error {
        let most = self.most_zones;
        Error::Unsupported(format!("a set of clock values has more than {most} parts"))
    }

    /// Whether every point of `smaller` is in `larger`.
    pub fn includes(&mut self, larger: &Federation, smaller: &Federation) -> Result<bool, Error> {
        Ok(self.next_piece(&mut smaller.remainder(larger))?.is_none())
    }
}
