//! What may happen unseen: delays, silent steps and arrivals of inputs under way, up to a limit.
//!
//! From a set of points this computes all points that are reached without an output, by alternating
//! allowed delays and steps until nothing new is found. An input under way arrives within its window,
//! and time does not pass beyond the window before it has arrived.
//!
//! # Why this ends, and why it is exact
//! Every piece is abstracted with the constants that the board's clocks may still be compared with
//! (Extra_M⁺ of BBLP06), where the clocks of observation have infinite constants. For every point of
//! the abstracted zone there is one of the exact zone in which each clock has the same value, or both
//! values are above the clock's constant. The clocks of observation are equal in the two, because for
//! each single point any constant above its values does the same as an infinite one. Two such points
//! allow the same delays and steps, with the same exact times, and lead to two such points again. So
//! the abstraction explains no observation that the exact zone does not explain.
//!
//! The limit bounds one clock of observation from above, and the others differ from it by latencies,
//! so all bounds that remain are integers between known ones: there are finitely many pieces, and
//! silent loops, also those that take no time, end in pieces that are included in others.
//!
//! If clocks are compared with each other nothing is abstracted, and a loop may not end; the number
//! of pieces is limited, and reaching the limit is an error.

use std::collections::BTreeMap;

use tioga_base::Rational;
use tioga_zones::{Bound, Federation, Zone};

use crate::entry::Entry;
use crate::frame::at_most;
use crate::node::{ActionId, NodeId};
use crate::{Board, Error, Estimator};

/// How far things may go unseen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// An upper bound on one clock of observation.
    pub limit: Option<(usize, Bound)>,
    /// Whether time passes.
    pub passes: bool,
    /// Whether an input that arrives where it is not accepted is lost, instead of ending the
    /// explanation.
    pub loses: bool,
}

impl Way {
    /// Until a clock of observation shows a number.
    pub fn until(clock: usize, number: i64) -> Result<Self, Error> {
        Ok(Self::within(clock, at_most(number)?))
    }

    /// While a clock of observation is within a bound.
    pub fn within(clock: usize, limit: Bound) -> Self {
        Self { limit: Some((clock, limit)), passes: true, loses: false }
    }

    /// Without any delay.
    pub fn at_once() -> Self {
        Self { limit: None, passes: false, loses: false }
    }
}

/// When an input under way arrives, in terms of the clock of inputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    action: ActionId,
    /// `0 − clock ≤ …`
    from: Bound,
    /// `clock − 0 ≤ …`
    until: Bound,
}

impl<B: Board> Estimator<B> {
    /// The windows of the inputs under way, in the units of zones.
    fn windows(&self) -> Result<Vec<Window>, Error> {
        let window = |sent: &crate::estimator::Sent| {
            let jitter = self.latency.jitter.add(sent.leeway)?;
            Ok(Window {
                action: sent.action,
                from: self.units.lower(sent.at.earliest(), Rational::ZERO)?,
                until: self.units.upper(sent.at.latest(), jitter)?,
            })
        };
        self.pending.iter().map(window).collect()
    }

    /// All points that are reached unseen from some entries, these included. The pieces of the
    /// result are closed under delay as far as the way allows.
    pub(crate) fn advance(
        &mut self,
        start: Vec<Entry>,
        way: &Way,
    ) -> Result<BTreeMap<(NodeId, u32), Vec<Zone>>, Error> {
        let windows = self.windows()?;
        let mut passed: BTreeMap<(NodeId, u32), Vec<Zone>> = BTreeMap::new();
        let mut waiting = start;
        let mut met = 0;
        while let Some(Entry { node: id, arrived, mut zone }) = waiting.pop() {
            if self.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            let window = windows.get(arrived as usize);
            match window {
                Some(_) => self.supply(id)?,
                None => self.ready(id)?,
            }
            let node = self.nodes.get(id);
            if !self.bounded(&mut zone, way, window) {
                continue;
            }
            let (pieces, ended) = node.elapsed(zone, way.passes);
            for (target, part) in ended {
                push(&mut waiting, target, arrived, part);
            }
            for mut piece in pieces {
                if way.passes && !self.bounded(&mut piece, way, window) {
                    continue;
                }
                if let Some(bounds) = &node.bounds {
                    piece.extrapolate_lu_plus(bounds);
                }
                let seen = passed.entry((id, arrived)).or_default();
                if seen.iter().any(|other| other.includes(&piece)) {
                    continue;
                }
                met += 1;
                if met > self.limit {
                    return Err(Error::TooMany(self.limit));
                }
                for (jump, target) in &node.silent {
                    let after = jump.successor(&piece.clone().into());
                    push(&mut waiting, *target, arrived, after);
                }
                if let Some(window) = window {
                    let loses = way.loses || self.loses;
                    self.arrive((id, arrived), &piece, *window, loses, &mut waiting);
                }
                seen.retain(|other| !piece.includes(other));
                seen.push(piece);
            }
        }
        Ok(passed)
    }

    /// Keeps the points within the limit and within the window of the next input; false if there
    /// are none.
    fn bounded(&self, zone: &mut Zone, way: &Way, window: Option<&Window>) -> bool {
        let limited =
            way.limit.is_none_or(|(clock, bound)| zone.constrain(clock, 0, bound).is_ok());
        limited && window.is_none_or(|next| zone.constrain(self.frame.input, 0, next.until).is_ok())
    }

    /// Lets the next input arrive.
    fn arrive(
        &self,
        (id, arrived): (NodeId, u32),
        piece: &Zone,
        window: Window,
        loses: bool,
        waiting: &mut Vec<Entry>,
    ) {
        let node = self.nodes.get(id);
        let mut now = piece.clone();
        if now.constrain(0, self.frame.input, window.from).is_err() {
            return;
        }
        if node.over {
            push(waiting, id, arrived + 1, now.into());
            return;
        }
        let mut refused = Federation::from(now);
        let now = refused.clone();
        for (action, jump, target) in self.nodes.inputs(id) {
            if *action == window.action {
                push(waiting, *target, arrived + 1, jump.successor(&now));
                if loses {
                    refused.subtract(&jump.guard(self.frame.dimension));
                }
            }
        }
        if loses {
            push(waiting, self.unplanned.unwrap_or(id), arrived + 1, refused);
        }
    }
}

fn push(waiting: &mut Vec<Entry>, node: NodeId, arrived: u32, set: Federation) {
    let entries = set.into_zones().into_iter().map(|zone| Entry { node, arrived, zone });
    waiting.extend(entries);
}
