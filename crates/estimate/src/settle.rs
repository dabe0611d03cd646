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
        self.make_room(self.leeway)?;
        self.note_denominators(at);
        self.refine(at)?;
        if earliest.sub(self.units.origin)? > self.step()? {
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

    /// How far silence is followed at once, and how far from the origin observations are at most.
    fn step(&self) -> Result<Rational, Error> {
        let most = self.units.duration(LARGEST / 2)?;
        let sent = self.pending.iter().map(|sent| sent.leeway).max().unwrap_or(Rational::ZERO);
        let least = self.near.add(self.leeway.max(sent).mul(Rational::integer(4))?)?;
        Ok(least.min(most))
    }

    /// Lets silence pass in steps until a time is near. What is known repeats itself sooner or later, and
    /// from then on all whole repetitions are passed at once, so that this takes no longer for a time that
    /// is farther away.
    pub(crate) fn come_near(&mut self, time: Rational) -> Result<Explained, Error> {
        let before = (self.entries.clone(), self.units, self.pending.clone());
        let seen = (self.now, self.earliest_seen);
        let mut step = self.step()?;
        // What was known at some earlier step, and where; replaced after ever more steps (BRENT80).
        let mut earlier = (self.entries.clone(), self.units.origin);
        let (mut steps, mut window) = (0_u32, 1_u32);
        while time.sub(self.units.origin)? > step {
            let (origin, next) = (self.units.origin, self.units.origin.add(step)?);
            let reached = self.units.lower(next, self.output_jitter()?)?;
            let quiet = self.silence(self.entries.clone(), reached)?;
            if quiet.is_empty() {
                let why = self.why(reached, self.units.upper(next, Rational::ZERO)?, None);
                if self.units.scale != before.1.scale {
                    self.nodes.clear();
                }
                (self.entries, self.units, self.pending) = before;
                (self.now, self.earliest_seen) = seen;
                return why;
            }
            self.become_estimate(quiet, Moment::exactly(next))?;
            if self.units.origin == origin {
                // What is under way may take longer than such a step.
                self.coarsen()?;
                step = self.step()?;
                earlier = (self.entries.clone(), self.units.origin);
                continue;
            }
            if self.pending.is_empty() && self.entries == earlier.0 {
                let period = self.units.origin.sub(earlier.1)?;
                let rest = time.sub(self.units.origin)?.sub(step)?;
                let repetitions = rest.div(period)?.floor().max(0);
                let passed = period.mul(Rational::integer(repetitions))?;
                self.units.origin = self.units.origin.add(passed)?;
            }
            steps += 1;
            if steps == window {
                earlier = (self.entries.clone(), self.units.origin);
                (steps, window) = (0, window.saturating_mul(2));
            }
        }
        Ok(Explained::Yes)
    }

    /// Makes these points the estimate: merges them, moves the origin, forgets inputs that have
    /// arrived in every explanation.
    pub(crate) fn settle(&mut self, entries: Vec<Entry>, at: Moment) -> Result<(), Error> {
        self.become_estimate(entries, at)?;
        self.coarsen_now_and_then()?;
        self.tidy();
        Ok(())
    }

    /// The same, and no state or unit becomes another.
    fn become_estimate(&mut self, entries: Vec<Entry>, at: Moment) -> Result<(), Error> {
        self.entries = merged(entries, self.frame.dimension);
        self.now = self.now.max(at.latest());
        self.earliest_seen = at.earliest();
        let arrived = self.entries.iter().map(|entry| entry.arrived).min().unwrap_or(0);
        if arrived > 0 {
            self.pending.drain(..arrived as usize);
            self.entries.iter_mut().for_each(|entry| entry.arrived -= arrived);
        }
        self.step_origin()?;
        self.anchor(at)?;
        self.shorten();
        Ok(())
    }

    /// Steps the origin to the least value of the clock of inputs.
    pub(crate) fn step_origin(&mut self) -> Result<(), Error> {
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
