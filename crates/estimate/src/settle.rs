//! Before and after an observation: coming near its moment, and making what explains it the estimate.

use std::collections::BTreeMap;

use tioga_base::{Moment, Rational};
use tioga_zones::Federation;

use crate::entry::Entry;
use crate::frame::LARGEST;
use crate::node::NodeId;
use crate::{Board, Error, Estimator, Explained};

impl<B: Board> Estimator<B> {
    /// Inputs were sent before what was observed now.
    pub(crate) fn no_later(&mut self, latest: Rational) {
        for sent in &mut self.pending {
            let until = sent.at.latest().min(latest);
            sent.at = Moment::between(sent.at.earliest().min(until), until)
                .expect("the bounds are in order");
        }
    }

    /// Makes an observation's moment one that can be counted with: after earlier observations, not
    /// too far from the origin, and at the right scale. If silence long before cannot be explained,
    /// why that is.
    pub(crate) fn approach(&mut self, at: Moment) -> Result<Result<Moment, Explained>, Error> {
        if at.latest() < self.earliest_seen {
            return Err(Error::Backwards);
        }
        let earliest = at.earliest().max(self.earliest_seen);
        let at = Moment::between(earliest, at.latest()).expect("the bounds are in order");
        self.note_denominators(at);
        self.refine(at)?;
        if self.units.floor(earliest)? > LARGEST {
            match self.come_near(earliest)? {
                Explained::Yes => {}
                why => return Ok(Err(why)),
            }
        }
        if self.units.ceil(at.latest())? > 4 * LARGEST {
            return Err(Error::Overflow);
        }
        Ok(Ok(at))
    }

    /// Lets silence pass in steps until a time is near.
    pub(crate) fn come_near(&mut self, time: Rational) -> Result<Explained, Error> {
        let before = (self.entries.clone(), self.units, self.pending.clone());
        while self.units.floor(time)? > LARGEST {
            let next = self.units.at(LARGEST / 2)?;
            let jitter = self.output_jitter()?;
            let quiet = self.silence(self.entries.clone(), LARGEST / 2 - jitter)?;
            if quiet.is_empty() {
                let why = self.why(LARGEST / 2, None);
                (self.entries, self.units, self.pending) = before;
                return why;
            }
            let (entries, origin) = (self.entries.clone(), self.units.origin);
            self.settle(quiet, Moment::exactly(next))?;
            let moved = self.units.origin.sub(origin)?;
            // If nothing changes any more, more of the same changes nothing either.
            if self.pending.is_empty() && self.entries == entries && moved > Rational::ZERO {
                let rest = self.units.floor(time)? - LARGEST;
                let step = self.units.length(moved)?;
                if rest > 0 {
                    self.units.origin = self.units.at(rest - rest % step)?;
                }
            }
            if moved.is_zero() {
                return Err(Error::Overflow);
            }
        }
        Ok(Explained::Yes)
    }

    /// Makes these points the estimate: merges them, moves the origin, forgets inputs that have
    /// arrived in every explanation.
    pub(crate) fn settle(&mut self, entries: Vec<Entry>, at: Moment) -> Result<(), Error> {
        self.entries = merged(entries, self.frame.dimension);
        self.now = self.now.max(at.latest());
        self.earliest_seen = at.earliest();
        let arrived = self.entries.iter().map(|entry| entry.arrived).min().unwrap_or(0);
        if arrived > 0 {
            self.pending.drain(..arrived as usize);
            self.entries.iter_mut().for_each(|entry| entry.arrived -= arrived);
        }
        self.move_origin()?;
        self.shorten();
        self.coarsen_now_and_then()?;
        self.tidy();
        Ok(())
    }

    /// Moves the origin to the least value of the clock of inputs.
    pub(crate) fn move_origin(&mut self) -> Result<(), Error> {
        let clock = self.frame.input;
        let least = |entry: &Entry| entry.zone.bound(0, clock).constant().map_or(0, |low| -low);
        let Some(least) = self.entries.iter().map(least).min().filter(|least| *least > 0) else {
            return Ok(());
        };
        self.units.origin = self.units.at(i64::from(least))?;
        for entry in &mut self.entries {
            for clock in self.frame.clocks() {
                let moved = entry.zone.assign(clock, clock, -least);
                debug_assert!(moved.is_ok(), "no clock of observation is less than that of inputs");
            }
        }
        Ok(())
    }
}

/// The same points in fewer entries, in a fixed order.
fn merged(entries: Vec<Entry>, dimension: usize) -> Vec<Entry> {
    if entries.len() < 2 {
        return entries;
    }
    let mut sets: BTreeMap<(NodeId, u32), Federation> = BTreeMap::new();
    for Entry { node, arrived, zone } in entries {
        let empty = || Federation::empty(dimension);
        sets.entry((node, arrived)).or_insert_with(empty).add(zone);
    }
    let mut result = Vec::new();
    for ((node, arrived), mut set) in sets {
        if set.len() > 1 {
            set.merge();
        }
        result.extend(set.into_zones().into_iter().map(|zone| Entry { node, arrived, zone }));
    }
    result
}
