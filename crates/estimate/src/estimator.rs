//! Observations, one after the other, and the set of states that explain them.

use std::collections::VecDeque;

use tioga_base::{Cancel, Moment, Rational};
use tioga_testcase::Action;
use tioga_zones::Zone;

use crate::entry::Entry;
use crate::frame::{Frame, LARGEST, Units, at_most, common_multiple, just_reached};
use crate::node::{ActionId, NodeId, Nodes};
use crate::{Board, Error, Latencies};

/// How many symbolic states may be met in one step, unless said otherwise.
const LIMIT: usize = 50_000;

/// How many times the largest constant or latency is still near.
const NEAR: i64 = 4;

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
    /// How much longer than the jitter it may take.
    pub leeway: Rational,
}

/// The states of a board that explain what was observed.
///
/// Observations come in order; each says by its moment that nothing else was seen before. One that
/// cannot be explained leaves the estimate as it was, at some moment not after it.
#[derive(Clone, Debug)]
pub struct Estimator<B: Board> {
    pub(crate) board: B,
    pub(crate) latency: Latencies,
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
    pub(crate) earliest_seen: Rational,
    /// How much longer than the jitter the output that comes next may have taken.
    pub(crate) leeway: Rational,
    /// The coarsest scale at which a time was no whole number of units.
    pub(crate) rounded: Option<i64>,
    /// How far observations may be apart without a jump between them.
    pub(crate) near: Rational,
    pub(crate) limit: usize,
    pub(crate) cancel: Cancel,
    /// Whether inputs that arrive where they are not accepted are lost, instead of ending an explanation.
    pub(crate) loses: bool,
    /// The state after such an input; nothing if it changes nothing.
    pub(crate) unplanned: Option<NodeId>,
}

impl<B: Board> Estimator<B> {
    /// Before anything was observed: runs of the board start at tester time 0.
    ///
    /// # Errors
    /// If a latency is negative or too large, or the board cannot be followed.
    pub fn new(board: B, latency: Latencies) -> Result<Self, Error> {
        let frame = Frame::new(board.clocks().len(), latency.is_none());
        Self::within(board, latency, frame)
    }

    /// Not knowing anything but that the board is in one of these discrete states at this tester time:
    /// its clocks have any values that the invariants allow, and no message is under way.
    ///
    /// # Errors
    /// As [`Estimator::new`].
    pub fn anywhere(
        board: B,
        latency: Latencies,
        states: &[B::State],
        at: Rational,
    ) -> Result<Self, Error> {
        let mut estimator = Self::new(board, latency)?;
        (estimator.now, estimator.earliest_seen) = (at, at);
        let mut entries = Vec::new();
        for state in states {
            estimator.start(state, true, at)?;
            entries.append(&mut estimator.entries);
        }
        estimator.entries = entries;
        Ok(estimator)
    }

    /// The same, where single messages may take longer than the latencies say: see
    /// [`Estimator::allow`] and [`Estimator::sent_within`].
    ///
    /// # Errors
    /// As [`Estimator::new`].
    pub fn lenient(board: B, latency: Latencies) -> Result<Self, Error> {
        let frame = Frame::new(board.clocks().len(), false);
        Self::within(board, latency, frame)
    }

    fn within(board: B, latency: Latencies, frame: Frame) -> Result<Self, Error> {
        latency.check()?;
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
        let exactly = latency.numbers().iter().all(|number| base % number.denominator() == 0);
        let near = Rational::new(largest, scale)?.mul(Rational::integer(NEAR))?;
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
            earliest_seen: Rational::ZERO,
            leeway: Rational::ZERO,
            rounded: (!exactly).then_some(base),
            near,
            limit: LIMIT,
            cancel: Cancel::new(),
            loses: false,
            unplanned: None,
        };
        let initial = estimator.board.initial();
        estimator.start(&initial, false, Rational::ZERO)?;
        Ok(estimator)
    }

    /// Limits how many symbolic states may be met in one step.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// Lets the flag end a step with [`Error::Cancelled`]. Nothing may be concluded from the estimate then.
    pub fn stop_with(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
    }

    /// Also explains by inputs that were lost because they arrived where they are not accepted: as a
    /// system behaves that ignores what it does not expect. Where the board does not say that they are
    /// lost, everything is possible after them. Only where messages take time.
    #[must_use]
    pub fn losing_inputs(mut self) -> Self {
        self.loses = true;
        self.unplanned = self.board.unplanned().map(|state| self.nodes.id(&state));
        self
    }

    /// The latencies that are taken for granted.
    pub fn latency(&self) -> Latencies {
        self.latency
    }

    /// The board.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// The tester time of the last observation, at the latest.
    pub fn now(&self) -> Rational {
        self.now
    }

    /// A discrete state at a true time, with all clocks zero or anywhere; the latencies are somewhere
    /// within their bounds.
    fn start(&mut self, state: &B::State, anywhere: bool, at: Rational) -> Result<(), Error> {
        let node = self.nodes.id(state);
        self.units.origin = at;
        self.ready(node)?;
        let mut zone = Zone::zero(self.frame.dimension);
        if anywhere {
            (1..self.frame.own).for_each(|clock| zone.free(clock));
        }
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

    /// Makes a discrete state ready for zones, with the inputs that are announced.
    pub(crate) fn supply(&mut self, node: NodeId) -> Result<(), Error> {
        let factor = self.units.scale / self.board.scale();
        self.nodes.supply(&mut self.board, &self.frame, factor, node)
    }

    /// The jitter in the units of zones.
    pub(crate) fn jitter(&self) -> Result<i64, Error> {
        self.units.length(self.latency.jitter)
    }

    /// How long outputs may take beyond their latency.
    pub(crate) fn output_jitter(&self) -> Result<Rational, Error> {
        Ok(self.latency.jitter.add(self.leeway)?)
    }

    /// From the next observation on, what is seen may have taken this much longer than the jitter, and
    /// what is not seen may still be under way for as much longer.
    ///
    /// Pre: not negative, and zero unless the estimator is [lenient](Estimator::lenient).
    pub fn allow(&mut self, leeway: Rational) {
        debug_assert!(!leeway.is_negative() && (leeway.is_zero() || !self.frame.exact));
        self.leeway = leeway;
    }

    /// The tester sent an input.
    pub fn sent(&mut self, action: &Action, at: Moment) -> Result<Explained, Error> {
        self.sent_within(action, at, Rational::ZERO)
    }

    /// The tester thinks of sending one of these inputs: where the values of an input are too many to be
    /// enumerated, questions about inputs that may be sent are answered for these.
    pub fn propose(&mut self, inputs: &[Action]) {
        let under_way: Vec<Action> =
            self.pending.iter().map(|sent| self.nodes.action(sent.action).clone()).collect();
        let announced: Vec<&Action> = under_way.iter().chain(inputs).collect();
        if self.board.announce(&announced) {
            self.nodes.announce();
        }
    }

    /// The tester sent an input that may take this much longer than the jitter.
    ///
    /// Pre: as for [`Estimator::allow`].
    pub fn sent_within(
        &mut self,
        action: &Action,
        at: Moment,
        leeway: Rational,
    ) -> Result<Explained, Error> {
        debug_assert!(!leeway.is_negative() && (leeway.is_zero() || !self.frame.exact));
        self.make_room(leeway)?;
        let at = match self.approach(at)? {
            Ok(at) => at,
            Err(why) => return Ok(why),
        };
        let under_way: Vec<Action> =
            self.pending.iter().map(|sent| self.nodes.action(sent.action).clone()).collect();
        let announced: Vec<&Action> = under_way.iter().chain([action]).collect();
        if self.board.announce(&announced) {
            self.nodes.announce();
        }
        let from = self.units.lower(at.earliest(), Rational::ZERO)?;
        let until = self.units.upper(at.latest(), Rational::ZERO)?;
        let reached = self.units.lower(at.earliest(), self.output_jitter()?)?;
        let quiet = self.silence(self.entries.clone(), reached)?;
        if quiet.is_empty() {
            return self.why(reached, just_reached(from)?, None);
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
        self.pending.push_back(Sent { action, at, leeway });
        self.settle(quiet, at)?;
        Ok(Explained::Yes)
    }

    /// The tester saw an output.
    pub fn heard(&mut self, action: &Action, at: Moment) -> Result<Explained, Error> {
        let at = match self.approach(at)? {
            Ok(at) => at,
            Err(why) => return Ok(why),
        };
        let before = self.pending.clone();
        self.no_later(at.latest());
        let from = self.units.lower(at.earliest(), self.output_jitter()?)?;
        let until = self.units.upper(at.latest(), Rational::ZERO)?;
        let taken = self.take(self.entries.clone(), false, action, (from, until))?;
        if taken.is_empty() {
            let why = self.why(from, until, Some(action));
            self.pending = before;
            return why;
        }
        self.settle(taken, at)?;
        Ok(Explained::Yes)
    }

    /// The tester saw nothing up to this time.
    pub fn quiet(&mut self, until: Rational) -> Result<Explained, Error> {
        if until < self.earliest_seen {
            return Ok(Explained::Yes);
        }
        let at = match self.approach(Moment::exactly(until))? {
            Ok(at) => at,
            Err(why) => return Ok(why),
        };
        let reached = self.units.lower(at.earliest(), self.output_jitter()?)?;
        let quiet = self.silence(self.entries.clone(), reached)?;
        if quiet.is_empty() {
            let until = self.units.lower(at.earliest(), Rational::ZERO)?;
            return self.why(reached, just_reached(until)?, None);
        }
        self.settle(quiet, at)?;
        Ok(Explained::Yes)
    }
}
