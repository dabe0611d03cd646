//! Observations, one after the other, and the set of states that explain them.

use std::collections::{BTreeMap, VecDeque};

use tioga_base::{Moment, Rational};
use tioga_testcase::Action;
use tioga_zones::Zone;

use crate::advance::{Entry, Way};
use crate::frame::{Frame, LARGEST, Units, at_most, common_multiple};
use crate::node::{ActionId, NodeId, Nodes};
use crate::{Board, Error, Latency};

/// How many symbolic states may be met in one step, unless said otherwise.
const LIMIT: usize = 50_000;

/// Whether an observation can be explained.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Explained {
    /// Some run of the board explains everything observed so far.
    Yes,
    /// No run emits this output at this time: the system failed.
    NoOutput,
    /// No run stays silent for so long: the system failed.
    Late,
    /// Runs explain everything up to the arrival of an input that none of them accepts. The tester
    /// should not have sent it, and nothing can be said about the system.
    Unspecified,
}

/// An input that may not have arrived yet.
#[derive(Clone, Debug)]
pub(crate) struct Sent {
    pub action: ActionId,
    pub at: Moment,
}

/// The states of a board that explain what was observed.
///
/// Observations come in order; each says by its moment that nothing else was seen before. One that
/// cannot be explained leaves the estimate as it was, at some moment not after it.
#[derive(Clone, Debug)]
pub struct Estimator<B: Board> {
    pub(crate) board: B,
    pub(crate) latency: Latency,
    pub(crate) frame: Frame,
    pub(crate) units: Units,
    /// The scale that the board and the latencies need.
    pub(crate) base: i64,
    /// The finest scale whose constants fit.
    pub(crate) finest: i64,
    /// A common multiple of the denominators of recent times, to notice when a coarser scale would
    /// do; and how many observations it covers.
    pub(crate) recent: (i64, u32),
    pub(crate) nodes: Nodes<B::State>,
    pub(crate) pending: VecDeque<Sent>,
    pub(crate) entries: Vec<Entry>,
    /// The latest and the earliest that the last observation may have been.
    pub(crate) now: Rational,
    earliest: Rational,
    pub(crate) limit: usize,
}

impl<B: Board> Estimator<B> {
    /// Before anything was observed: runs of the board start at tester time 0.
    ///
    /// # Errors
    /// If a latency is negative or too large, or the board cannot be followed.
    pub fn new(board: B, latency: Latency) -> Result<Self, Error> {
        latency.check()?;
        let frame = Frame::new(board.clocks().len(), &latency);
        let scale = board.scale();
        let longest = latency.numbers().into_iter().max().unwrap_or(Rational::ZERO);
        let longest = longest.mul(Rational::integer(scale))?.ceil();
        // A coarse scale makes for long steps, so some time units should fit in any case.
        let largest = i64::from(board.largest()).max(longest).max(scale.saturating_mul(64));
        let finest = scale.checked_mul((LARGEST / largest).max(1)).ok_or(Error::Overflow)?;
        let mut base = scale;
        for number in latency.numbers() {
            let multiple = common_multiple(base, number.denominator());
            base = multiple.filter(|multiple| *multiple <= finest).unwrap_or(base);
        }
        let mut estimator = Self {
            board,
            latency,
            frame,
            units: Units { scale: base, origin: Rational::ZERO },
            base,
            finest,
            recent: (1, 0),
            nodes: Nodes::new(),
            pending: VecDeque::new(),
            entries: Vec::new(),
            now: Rational::ZERO,
            earliest: Rational::ZERO,
            limit: LIMIT,
        };
        estimator.start()?;
        Ok(estimator)
    }

    /// Limits how many symbolic states may be met in one step.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// The board.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The tester time of the last observation, at the latest.
    pub fn now(&self) -> Rational {
        self.now
    }

    /// The initial state: true time is zero, and the latencies are somewhere within their bounds.
    fn start(&mut self) -> Result<(), Error> {
        let initial = self.board.initial();
        let node = self.nodes.id(&initial);
        self.ready(node)?;
        let mut zone = Zone::zero(self.frame.dimension);
        if !self.frame.exact {
            // The clock of inputs shows minus the latency, so the origin lies before the start.
            let (input, output) = (self.latency.input, self.latency.output);
            let lead = self.units.length(input.latest())?;
            self.units.origin = self.units.at(-lead)?;
            let number = |units: i64| u32::try_from(units).map_err(|_| Error::Overflow);
            zone.reset(self.frame.time, number(lead)?);
            zone.free(self.frame.input);
            zone.free(self.frame.output);
            let zero = self.units.origin;
            let bounds = [
                (self.frame.time, self.frame.input, self.units.ceil(zero.add(input.latest())?)?),
                (
                    self.frame.input,
                    self.frame.time,
                    -self.units.floor(zero.add(input.earliest())?)?,
                ),
                (self.frame.output, self.frame.time, self.units.ceil(zero.add(output.latest())?)?),
                (
                    self.frame.time,
                    self.frame.output,
                    -self.units.floor(zero.add(output.earliest())?)?,
                ),
            ];
            for (left, right, bound) in bounds {
                if zone.constrain(left, right, at_most(bound)?).is_err() {
                    return Err(Error::Overflow);
                }
            }
        }
        let inside = self.nodes.get(node).inside(zone.into());
        let entries = inside.into_zones().into_iter();
        self.entries = entries.map(|zone| Entry { node, arrived: 0, zone }).collect();
        Ok(())
    }

    /// Makes a discrete state ready for zones.
    pub(crate) fn ready(&mut self, node: NodeId) -> Result<(), Error> {
        let factor = self.units.scale / self.board.scale();
        self.nodes.ready(&mut self.board, &self.frame, factor, node)
    }

    /// The jitter in the units of zones.
    pub(crate) fn jitter(&self) -> Result<i64, Error> {
        self.units.length(self.latency.jitter)
    }

    /// The tester sent an input.
    pub fn sent(&mut self, action: &Action, at: Moment) -> Result<Explained, Error> {
        let Some(at) = self.approach(at)? else { return Ok(Explained::Late) };
        let under_way: Vec<Action> =
            self.pending.iter().map(|sent| self.nodes.action(sent.action).clone()).collect();
        let announced: Vec<&Action> = under_way.iter().chain([action]).collect();
        if self.board.announce(&announced) {
            self.nodes.clear();
        }
        let (from, until) = (self.units.floor(at.earliest())?, self.units.ceil(at.latest())?);
        let entries = self.entries.clone();
        let quiet = self.silence(entries, from - self.jitter()?)?;
        if quiet.is_empty() {
            return self.why(from, None);
        }
        if self.frame.exact {
            let taken = self.take(quiet, true, action, (from, until))?;
            if taken.is_empty() {
                return Ok(Explained::Unspecified);
            }
            self.settle(taken, at)?;
            return Ok(Explained::Yes);
        }
        self.no_later(at.latest());
        let action = self.nodes.action_id(action);
        self.pending.push_back(Sent { action, at });
        self.settle(quiet, at)?;
        Ok(Explained::Yes)
    }

    /// The tester saw an output.
    pub fn heard(&mut self, action: &Action, at: Moment) -> Result<Explained, Error> {
        let Some(at) = self.approach(at)? else { return Ok(Explained::Late) };
        let before = self.pending.clone();
        self.no_later(at.latest());
        let from = self.units.floor(at.earliest())?.saturating_sub(self.jitter()?);
        let until = self.units.ceil(at.latest())?;
        let taken = self.take(self.entries.clone(), false, action, (from, until))?;
        if taken.is_empty() {
            let why = self.why(from, Some((action, until)));
            self.pending = before;
            return why;
        }
        self.settle(taken, at)?;
        Ok(Explained::Yes)
    }

    /// The tester saw nothing up to this time.
    pub fn quiet(&mut self, until: Rational) -> Result<Explained, Error> {
        if until < self.earliest {
            return Ok(Explained::Yes);
        }
        let Some(at) = self.approach(Moment::exactly(until))? else { return Ok(Explained::Late) };
        let until = self.units.floor(at.earliest())?;
        let quiet = self.silence(self.entries.clone(), until - self.jitter()?)?;
        if quiet.is_empty() {
            return self.why(until, None);
        }
        self.settle(quiet, at)?;
        Ok(Explained::Yes)
    }

    /// The points from which nothing was seen until the clock of outputs shows `low`: those that are
    /// there already, and those reached at that moment.
    pub(crate) fn silence(&mut self, entries: Vec<Entry>, low: i64) -> Result<Vec<Entry>, Error> {
        self.silence_by(entries, low, false)
    }

    fn silence_by(
        &mut self,
        entries: Vec<Entry>,
        low: i64,
        loses: bool,
    ) -> Result<Vec<Entry>, Error> {
        let clock = self.frame.output;
        let reached = at_most(-low)?;
        let (mut there, mut before) = (Vec::new(), Vec::new());
        for entry in entries {
            if entry.zone.implies(0, clock, reached) && !loses {
                there.push(entry);
                continue;
            }
            let mut later = entry.zone.clone();
            if later.constrain(0, clock, reached).is_ok() {
                there.push(Entry { zone: later, ..entry });
            }
            before.push(entry);
        }
        if before.is_empty() {
            return Ok(there);
        }
        let way = Way { loses, ..Way::until(clock, low)? };
        for ((node, arrived), zones) in self.advance(before, &way)? {
            for mut zone in zones {
                if zone.constrain(0, clock, reached).is_ok() {
                    there.push(Entry { node, arrived, zone });
                }
            }
        }
        Ok(there)
    }

    /// The points right after an input or output that happened in a window of its clock.
    fn take(
        &mut self,
        entries: Vec<Entry>,
        input: bool,
        action: &Action,
        window: (i64, i64),
    ) -> Result<Vec<Entry>, Error> {
        self.take_by(entries, input, action, window, false)
    }

    fn take_by(
        &mut self,
        entries: Vec<Entry>,
        input: bool,
        action: &Action,
        (from, until): (i64, i64),
        loses: bool,
    ) -> Result<Vec<Entry>, Error> {
        let clock = self.frame.output;
        let way = Way { loses, ..Way::until(clock, until)? };
        let from = at_most(-from)?;
        let passed = self.advance(entries, &way)?;
        // Moves that were met so far include all that are possible here.
        let Some(action) = self.nodes.find_action(action) else { return Ok(Vec::new()) };
        let mut taken = Vec::new();
        for ((id, arrived), zones) in passed {
            let node = self.nodes.get(id);
            let moves = if input { &node.inputs } else { &node.outputs };
            let fitting = moves.iter().enumerate().filter(|(_, (shown, ..))| *shown == action);
            let fitting: Vec<usize> = fitting.map(|(position, _)| position).collect();
            if fitting.is_empty() {
                continue;
            }
            for mut zone in zones {
                if zone.constrain(0, clock, from).is_err() {
                    continue;
                }
                for &position in &fitting {
                    let node = self.nodes.get(id);
                    let moves = if input { &node.inputs } else { &node.outputs };
                    let (_, jump, target) = &moves[position];
                    let (after, node) = (jump.successor(&zone.clone().into()), *target);
                    if after.is_empty() {
                        continue;
                    }
                    self.ready(node)?;
                    let inside = self.nodes.get(node).inside(after).into_zones();
                    taken.extend(inside.into_iter().map(|zone| Entry { node, arrived, zone }));
                }
            }
        }
        Ok(taken)
    }

    /// Why an observation has no explanation: the input under way that comes first may have arrived
    /// where it is not accepted. It is the tester's mistake if losing such inputs explains the
    /// observation, or if there is an input that no run accepts and that some run should have by now.
    fn why(&mut self, from: i64, heard: Option<(&Action, i64)>) -> Result<Explained, Error> {
        let failure = if heard.is_some() { Explained::NoOutput } else { Explained::Late };
        if self.pending.is_empty() {
            return Ok(failure);
        }
        let start = self.entries.clone();
        let lost = match heard {
            Some((action, until)) => self.take_by(start, false, action, (from, until), true)?,
            None => {
                let low = from - self.jitter()?;
                self.silence_by(start, low, true)?
            }
        };
        if !lost.is_empty() {
            return Ok(Explained::Unspecified);
        }
        let until = heard.map_or(from, |(_, until)| until);
        let way = Way::until(self.frame.output, until)?;
        let passed = self.advance(self.entries.clone(), &way)?;
        let most = passed.keys().map(|(_, arrived)| *arrived).max();
        // The first input that no run accepts, if there is one.
        let Some(sent) = most.and_then(|most| self.pending.get(most as usize)) else {
            return Ok(failure);
        };
        let from = at_most(-self.units.floor(sent.at.earliest())?)?;
        let arrives = |zone: &Zone| zone.meets(0, self.frame.input, from);
        let waiting = passed.iter().filter(|((_, arrived), _)| Some(*arrived) == most);
        let refused = waiting.flat_map(|(_, zones)| zones).any(arrives);
        Ok(if refused { Explained::Unspecified } else { failure })
    }

    /// Inputs were sent before what was observed now.
    fn no_later(&mut self, latest: Rational) {
        for sent in &mut self.pending {
            let until = sent.at.latest().min(latest);
            sent.at = Moment::between(sent.at.earliest().min(until), until)
                .expect("the bounds are in order");
        }
    }

    /// Makes an observation's moment one that can be counted with: after earlier observations, not
    /// too far from the origin, and at the right scale. Nothing if the system should have answered
    /// long before.
    fn approach(&mut self, at: Moment) -> Result<Option<Moment>, Error> {
        if at.latest() < self.earliest {
            return Err(Error::Backwards);
        }
        let earliest = at.earliest().max(self.earliest);
        let at = Moment::between(earliest, at.latest()).expect("the bounds are in order");
        self.note_denominators(at);
        self.refine(at)?;
        if self.units.floor(earliest)? > LARGEST && !self.come_near(earliest)? {
            return Ok(None);
        }
        if self.units.ceil(at.latest())? > 4 * LARGEST {
            return Err(Error::Overflow);
        }
        Ok(Some(at))
    }

    /// Lets silence pass in steps until a time is near; false if it cannot be explained.
    fn come_near(&mut self, time: Rational) -> Result<bool, Error> {
        let before = (self.entries.clone(), self.units, self.pending.clone());
        while self.units.floor(time)? > LARGEST {
            let next = self.units.at(LARGEST / 2)?;
            let jitter = self.jitter()?;
            let quiet = self.silence(self.entries.clone(), LARGEST / 2 - jitter)?;
            if quiet.is_empty() {
                (self.entries, self.units, self.pending) = before;
                return Ok(false);
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
        Ok(true)
    }

    /// Makes these points the estimate: merges them, moves the origin, forgets inputs that have
    /// arrived in every explanation.
    fn settle(&mut self, entries: Vec<Entry>, at: Moment) -> Result<(), Error> {
        self.entries = merged(entries, self.frame.dimension);
        self.now = self.now.max(at.latest());
        self.earliest = at.earliest();
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
    fn move_origin(&mut self) -> Result<(), Error> {
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
    let mut sets: BTreeMap<(NodeId, u32), tioga_zones::Federation> = BTreeMap::new();
    for Entry { node, arrived, zone } in entries {
        let empty = || tioga_zones::Federation::empty(dimension);
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
