//! What may be seen next: outputs with their times, by when something must be seen, and which inputs
//! make sense.
//!
//! Each question has a horizon, because silent steps may go on for ever. It is brought nearer where
//! it lies farther away than zones can count, which is hundreds of time units at least.

use std::collections::BTreeMap;

use tioga_base::Rational;
use tioga_model::ClockConjunction;
use tioga_symbolic::Jump;
use tioga_testcase::{Action, Side};
use tioga_zones::{Bound, Federation, Zone};

use crate::advance::Way;
use crate::frame::{LARGEST, at_most};
use crate::node::set;
use crate::{Board, Error, Estimator};

/// An end of a stretch of time: the time, and whether it is excluded.
pub type End = (Rational, bool);

/// A stretch of tester time in which an output may be seen, or an input may be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The output or input.
    pub action: Action,
    /// From when on.
    pub from: End,
    /// Until when; nothing if not before the horizon.
    pub until: Option<End>,
}

/// A stretch in units of zones: packed lower bound on minus the clock, and upper bound on it.
type Stretch = (Bound, Bound);

impl<B: Board> Estimator<B> {
    /// When each output may be seen next, from now on and up to a horizon, if the tester sends
    /// nothing more. In order of actions, then of time.
    pub fn expected(&mut self, horizon: Rational) -> Result<Vec<Expected>, Error> {
        self.stretches(horizon, Side::System)
    }

    /// Until when the system may stay silent, if the tester sends nothing more: silence beyond this
    /// time, and up to it if it is excluded, is a failure. Nothing if not before the horizon.
    pub fn deadline(&mut self, horizon: Rational) -> Result<Option<End>, Error> {
        let clock = self.frame.output;
        let end = self.horizon(horizon)?;
        let passed = self.advance(self.entries.clone(), &Way::until(clock, end)?)?;
        let latest = |zone: &Zone| zone.bound(clock, 0);
        // What was beyond the horizon from the start is not among what was passed.
        let reached = passed.values().flatten().chain(self.entries.iter().map(|entry| &entry.zone));
        let Some(last) = reached.map(latest).max() else { return Ok(None) };
        if last >= at_most(end)? {
            return Ok(None);
        }
        self.tester(last + at_most(self.jitter()?)?, false)
    }

    /// Whether in some explanation, up to a horizon, the system gets to where an input is possible and it
    /// does nothing by itself any more, if the tester sends nothing. If time ends there, that is the
    /// tester's doing.
    pub fn may_be_left_to_tester(&mut self, horizon: Rational) -> Result<bool, Error> {
        let end = self.horizon(horizon)?;
        let passed = self.advance(self.entries.clone(), &Way::until(self.frame.output, end)?)?;
        for ((id, _), zones) in passed {
            self.supply(id)?;
            let node = self.nodes.get(id);
            let visible =
                self.nodes.inputs(id).iter().chain(&node.outputs).map(|(.., target)| *target);
            let targets: Vec<u32> =
                visible.chain(node.silent.iter().map(|(_, target)| *target)).collect();
            for target in targets {
                self.ready(target)?;
            }
            let node = self.nodes.get(id);
            let mut inputs = Federation::empty(node.elapse.invariant().dimension());
            let mut own = inputs.clone();
            let possible = |jump: &Jump, target: u32| {
                jump.predecessor(self.nodes.get(target).elapse.invariant())
            };
            let open = self.nodes.inputs(id).iter();
            open.for_each(|(_, jump, target)| inputs.unite(&possible(jump, *target)));
            node.outputs.iter().for_each(|(_, jump, target)| own.unite(&possible(jump, *target)));
            node.silent.iter().for_each(|(jump, target)| own.unite(&possible(jump, *target)));
            inputs.subtract(&node.elapse.past(&own));
            if zones.into_iter().any(|zone| inputs.intersects(&zone.into())) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The inputs that some explanation accepts if they are sent now, in order. Inputs whose values
    /// are too many to be enumerated are not among them.
    pub fn acceptable_inputs(&mut self) -> Result<Vec<Action>, Error> {
        let clock = self.frame.input;
        let from = self.units.lower(self.now, Rational::ZERO)?;
        let until = self.units.upper(self.now, self.latency.jitter)?;
        let all = u32::try_from(self.pending.len()).unwrap_or(u32::MAX);
        let passed = self.advance(self.entries.clone(), &Way::within(clock, until))?;
        let mut inputs = std::collections::BTreeSet::new();
        for ((id, arrived), zones) in passed {
            if arrived < all {
                continue;
            }
            self.supply(id)?;
            let steps: Vec<u32> =
                self.nodes.inputs(id).iter().map(|(.., target)| *target).collect();
            for target in steps {
                self.ready(target)?;
            }
            for mut zone in zones {
                if zone.constrain(0, clock, from).is_err() {
                    continue;
                }
                for (action, jump, target) in self.nodes.inputs(id) {
                    let after = jump.successor(&zone.clone().into());
                    if !self.nodes.get(*target).inside(after).is_empty() {
                        inputs.insert(self.nodes.action(*action).clone());
                    }
                }
            }
        }
        Ok(inputs.into_iter().collect())
    }

    /// When each input may be sent, from now on and up to a horizon, so that some explanation accepts it, if
    /// nothing is sent or heard before. In order of actions, then of time.
    pub fn input_windows(&mut self, horizon: Rational) -> Result<Vec<Expected>, Error> {
        self.stretches(horizon, Side::Tester)
    }

    /// When each output may be seen next, or each input may be sent.
    fn stretches(&mut self, horizon: Rational, by: Side) -> Result<Vec<Expected>, Error> {
        let end = self.horizon(horizon)?;
        let (jitter, limit) = (at_most(self.jitter()?)?, at_most(end)?);
        let all = u32::try_from(self.pending.len()).unwrap_or(u32::MAX);
        // An output may be under way for as long as the jitter, and so be seen later; an input that arrives may
        // have been, and so was sent before.
        let (clock, before, after) = match by {
            Side::System => (self.frame.output, Bound::LE_ZERO, jitter),
            Side::Tester => (self.frame.input, jitter, Bound::LE_ZERO),
        };
        let mut found: BTreeMap<Action, Vec<Stretch>> = BTreeMap::new();
        let passed = self.advance(self.entries.clone(), &Way::until(clock, end)?)?;
        for ((id, arrived), zones) in passed {
            // An input comes after all that are under way.
            if by == Side::Tester && arrived < all {
                continue;
            }
            if by == Side::Tester {
                self.supply(id)?;
            }
            let targets: Vec<u32> =
                self.nodes.visible(id, by).iter().map(|(.., target)| *target).collect();
            for target in targets {
                self.ready(target)?;
            }
            for (action, jump, target) in self.nodes.visible(id, by) {
                let possible = jump.predecessor(self.nodes.get(*target).elapse.invariant());
                for zone in &zones {
                    let mut part = possible.clone();
                    part.intersect_zone(zone);
                    let stretches = found.entry(self.nodes.action(*action).clone()).or_default();
                    for zone in part.zones() {
                        stretches.push((zone.bound(0, clock) + before, zone.bound(clock, 0)));
                    }
                }
            }
        }
        let now = self.now;
        let mut windows = Vec::new();
        for (action, stretches) in found {
            for (from, until) in united(stretches, after) {
                let from = self.tester(from, true)?.unwrap_or((now, false)).max((now, false));
                let until = if until < limit { self.tester(until + after, false)? } else { None };
                if until.is_none_or(|(high, open)| high > now || (high == now && !open)) {
                    windows.push(Expected { action: action.clone(), from, until });
                }
            }
        }
        Ok(windows)
    }

    /// The earliest true time, from the present state of knowledge on and up to a horizon, at which
    /// one of the conjunctions that `asked` gives for a state may hold, if the tester sends nothing
    /// more and nothing is seen.
    pub fn earliest(
        &mut self,
        horizon: Rational,
        mut asked: impl FnMut(&mut B, &B::State) -> Result<Vec<ClockConjunction>, Error>,
    ) -> Result<Option<End>, Error> {
        let clock = self.frame.time;
        let end = self.horizon(horizon)?;
        let factor = self.units.scale / self.board.scale();
        let passed = self.advance(self.entries.clone(), &Way::until(clock, end)?)?;
        // Of lower bounds, the loosest is the earliest.
        let mut first: Option<Bound> = None;
        for ((id, _), zones) in passed {
            let state = self.nodes.state(id).clone();
            let wanted = set(&asked(&mut self.board, &state)?, &self.frame, factor)?;
            for zone in zones {
                let mut part = wanted.clone();
                part.intersect_zone(&zone);
                first = first.max(part.zones().iter().map(|zone| zone.bound(0, clock)).max());
            }
        }
        first.map_or(Ok(None), |bound| self.tester(bound, true))
    }

    /// A horizon in units of zones, no farther than can be counted.
    fn horizon(&self, horizon: Rational) -> Result<i64, Error> {
        Ok(self.units.ceil(horizon)?.min(4 * LARGEST))
    }

    /// A bound on a clock of observation as a tester time; nothing if there is none.
    fn tester(&self, bound: Bound, lower: bool) -> Result<Option<End>, Error> {
        let Some(constant) = bound.constant().map(i64::from) else { return Ok(None) };
        let units = if lower { -constant } else { constant };
        Ok(Some((self.units.at(units)?, bound.is_strict())))
    }
}

/// Stretches that overlap or touch, with the jitter after their ends, as one; in order.
fn united(mut stretches: Vec<Stretch>, jitter: Bound) -> Vec<Stretch> {
    stretches.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    let mut united: Vec<Stretch> = Vec::new();
    for (from, until) in stretches {
        match united.last_mut() {
            Some(last)
                if last.1 + jitter + from >= Bound::LE_ZERO || touch(last.1 + jitter, from) =>
            {
                last.1 = last.1.max(until);
            }
            _ => united.push((from, until)),
        }
    }
    united
}

/// Whether one stretch ends where the next begins, so that together they have no gap.
fn touch(until: Bound, from: Bound) -> bool {
    match (until.constant(), from.constant()) {
        (Some(until_at), Some(from_at)) => {
            until_at + from_at == 0 && !(until.is_strict() && from.is_strict())
        }
        _ => false,
    }
}
