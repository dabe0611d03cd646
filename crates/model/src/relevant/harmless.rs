//! Processes that can hold no other process up.
//!
//! A process is *harmless* if all of this holds. Steps of its own are silent or send a broadcast.
//!
//! - Its invariants are upper bounds `x <= c`. For each of them there is, whatever the data is, a step of its own that is
//!   possible when `x` is `c`.
//! - From each committed or urgent location a step of its own is possible at once, whatever the data is. These steps
//!   form no cycle of such locations, and what they send leads no irrelevant process into one. Nothing is received in a committed location.
//! - After such a step every bound of the location it comes to is at least one unit away.
//! - A broadcast that it receives leads to where the invariant holds; if irrelevant processes may send it, no bound comes nearer.
//! - All these steps have updates that can be carried out, and guards that have a value, in every state.
//! - Other processes set the clocks of its invariants to 0 only.

use std::collections::BTreeSet;

use tioga_base::Id;

use super::{Analysis, channels_of};
use crate::{
    Base, ChannelId, ClockConstraint, ClockId, ClockTerm, Condition, Conjunct, Edge, Evaluator,
    Expr, ExprId, Label, Location, LocationId, Model, Process, ProcessId, Stack, TimeBound, Update,
};

/// How many combinations of values are tried.
const COMBINATIONS: i64 = 1 << 17;

/// Upper bounds on clocks.
type Uppers = Vec<(ClockId, i64)>;

impl Analysis<'_> {
    /// Whether a process can hold no other up, if the relevant ones are these.
    pub(super) fn is_harmless(&self, id: ProcessId, relevant: &BTreeSet<ProcessId>) -> bool {
        let process = &self.model.processes[id];
        let Some(uppers) = process.locations.iter().map(uppers).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let own = Own { analysis: self, process, uppers: &uppers };
        *self.uses[id.index()].calm.get_or_init(|| own.is_calm(id))
            && process.edges.iter().all(|edge| own.receives_well(edge, relevant))
    }

    /// Whether only relevant processes send on a channel.
    pub(super) fn only_from(&self, channel: ChannelId, relevant: &BTreeSet<ProcessId>) -> bool {
        let senders =
            self.uses.iter().enumerate().filter(|(_, uses)| uses.sends.contains(&channel));
        senders.map(|(id, _)| ProcessId::from_index(id)).all(|id| relevant.contains(&id))
    }
}

/// A process that is examined.
struct Own<'a, 'm> {
    analysis: &'a Analysis<'m>,
    process: &'m Process,
    uppers: &'a [Uppers],
}

impl Own<'_, '_> {
    fn model(&self) -> &Model {
        self.analysis.model
    }

    /// Whether steps of its own are possible wherever they have to be.
    fn is_calm(&self, id: ProcessId) -> bool {
        let clocks: BTreeSet<ClockId> = self.uppers.iter().flatten().map(|(one, _)| *one).collect();
        let sets_otherwise = |update: &Update| match update {
            Update::Clock(set) => {
                let zero = set.source.is_none() && set.value == TimeBound::Constant(0);
                !zero && set.clock.elements().any(|clock| clocks.contains(&clock))
            }
            Update::Data(_) => false,
        };
        let others = self.model().processes.iter_ids().filter(|(other, _)| *other != id);
        let mut others = others.flat_map(|(_, other)| &other.edges).flat_map(|edge| &edge.updates);
        let mut locations = self.process.locations.ids();
        !others.any(sets_otherwise)
            && locations.all(|one| self.lets_time_pass(one) && self.is_left(one))
            && self.no_instant_cycle()
    }

    fn outgoing(&self, location: LocationId) -> impl Iterator<Item = &Edge> {
        self.process.outgoing[location].iter().map(|edge| &self.process.edges[*edge])
    }

    fn is_instant(&self, location: LocationId) -> bool {
        let marks = self.process.locations[location].marks;
        marks.committed || marks.urgent
    }

    /// Whether there is a step of its own where a bound of the location would end time.
    fn lets_time_pass(&self, location: LocationId) -> bool {
        self.uppers[location.index()].iter().all(|bound| self.has_step(location, Some(*bound)))
    }

    /// Whether a location in which time stands can be left at once.
    fn is_left(&self, location: LocationId) -> bool {
        let committed = self.process.locations[location].marks.committed;
        let receives = |edge: &Edge| matches!(edge.label, Label::Receive(_));
        if committed && self.outgoing(location).any(receives) {
            return false;
        }
        !self.is_instant(location) || self.has_step(location, None)
    }

    /// Whether a step of its own is possible whatever the data is, where a clock has this value, or at any time.
    fn has_step(&self, location: LocationId, at: Option<(ClockId, i64)>) -> bool {
        let steps = self.outgoing(location).filter(|edge| self.is_own_step(edge));
        let ways = steps.flat_map(|edge| &edge.guard.disjuncts);
        let open = ways.filter(|way| way.clocks.iter().all(|one| holds_at(one, at)));
        self.one_holds(open)
    }

    /// Whether an edge can be taken alone and leads to where time can pass or which is left at once.
    fn is_own_step(&self, edge: &Edge) -> bool {
        let sent = match &edge.label {
            Label::Silent | Label::Plain(_) => None,
            Label::Send(used) => Some(used),
            Label::Receive(_) => return false,
        };
        if let Some(used) = sent {
            let broadcast = channels_of(used).all(|one| self.model().channels[one].broadcast);
            if !broadcast || used.index.is_some() || !used.arguments.is_empty() {
                return false;
            }
        }
        edge.reply.is_none()
            && self.updates_well(edge)
            && (self.uppers[edge.target.index()].iter())
                .all(|(clock, most)| set_to(edge, *clock).is_some_and(|value| value < *most))
    }

    fn updates_well(&self, edge: &Edge) -> bool {
        edge.updates.iter().all(|update| self.analysis.is_safe(update))
    }

    /// Whether steps of its own never lead around among the locations in which time stands.
    fn no_instant_cycle(&self) -> bool {
        let mut left: BTreeSet<LocationId> =
            self.process.locations.ids().filter(|one| self.is_instant(*one)).collect();
        loop {
            let stays = |location: &LocationId| {
                let mut steps = self.outgoing(*location).filter(|edge| self.is_own_step(edge));
                steps.any(|edge| left.contains(&edge.target))
            };
            let next: BTreeSet<LocationId> = left.iter().copied().filter(stays).collect();
            if next.len() == left.len() {
                return left.is_empty();
            }
            left = next;
        }
    }

    /// Whether the process takes part in a broadcast without making it impossible.
    fn receives_well(&self, edge: &Edge, relevant: &BTreeSet<ProcessId>) -> bool {
        let Label::Receive(used) = &edge.label else { return true };
        let mut channels = channels_of(used);
        if channels.clone().all(|one| !self.model().channels[one].broadcast) {
            return true;
        }
        let known = channels.all(|one| self.analysis.only_from(one, relevant));
        let source = &self.uppers[edge.source.index()];
        let target = &self.uppers[edge.target.index()];
        let fits = |(clock, most): &(ClockId, i64)| match set_to(edge, *clock) {
            Some(value) => value < *most || (known && value == *most),
            None => {
                let unset = !edge.updates.iter().any(|update| sets(update, *clock));
                unset && source.iter().any(|(own, bound)| own == clock && bound <= most)
            }
        };
        used.index.is_none()
            && edge.frame == 0
            && edge.reply.is_none()
            && (known || !self.is_instant(edge.target))
            && self.updates_well(edge)
            && target.iter().all(fits)
            && self.has_value(&edge.guard)
    }

    /// Whether the data of a condition can be evaluated in every state.
    fn has_value(&self, condition: &Condition) -> bool {
        let bounds = condition.disjuncts.iter().flat_map(|way| &way.clocks).all(|one| {
            let terms = one.left.iter().chain(&one.right);
            matches!(one.bound, TimeBound::Constant(_))
                && terms.into_iter().all(|term| term.index.is_none())
        });
        let data = condition.disjuncts.iter().filter_map(|way| way.data);
        bounds
            && data
                .into_iter()
                .all(|data| self.analysis.bounds.of_value(self.model(), data).is_some())
    }

    /// Whether the data of one of these ways holds, whatever the values are.
    fn one_holds<'c>(&self, ways: impl Iterator<Item = &'c Conjunct>) -> bool {
        let mut conditions = Vec::new();
        for way in ways {
            match way.data {
                None => return true,
                Some(data) if self.analysis.bounds.of_value(self.model(), data).is_some() => {
                    conditions.push(data);
                }
                Some(_) => {}
            }
        }
        let mut slots = BTreeSet::new();
        conditions.iter().for_each(|data| loaded(self.model(), *data, &mut slots));
        let ranges: Option<Vec<(u32, i64, i64)>> = slots
            .iter()
            .map(|slot| self.analysis.bounds.of_slot(*slot).map(|(low, high)| (*slot, low, high)))
            .collect();
        let Some(ranges) = ranges else { return false };
        let count = ranges.iter().try_fold(1_i64, |count, (_, low, high)| {
            count.checked_mul(high.checked_sub(*low)?.checked_add(1)?)
        });
        // A location that is asked for is one of another process.
        let asks = conditions.iter().any(|data| asks_location(self.model(), *data));
        let Some(count) = count.filter(|count| *count <= COMBINATIONS && !asks) else {
            return false;
        };
        let mut data: Vec<i64> = self.model().slots.iter().map(|slot| slot.initial).collect();
        let mut stack = Stack::default();
        (0..count).all(|mut number| {
            for (slot, low, high) in &ranges {
                let size = high - low + 1;
                data[*slot as usize] = low + number % size;
                number /= size;
            }
            let mut evaluator = Evaluator::reading(&self.model().code, &[], &data, &mut stack);
            conditions.iter().any(|one| evaluator.holds(*one).unwrap_or(false))
        })
    }
}

/// The slots that an expression loads, if it has a value in every state.
fn loaded(model: &Model, expr: ExprId, slots: &mut BTreeSet<u32>) {
    match &model.code.nodes[expr].expr {
        Expr::Load(place) if place.base == Base::Global => {
            slots.insert(place.offset);
        }
        Expr::Unary(_, operand) => loaded(model, *operand, slots),
        Expr::Binary(_, left, right) => {
            loaded(model, *left, slots);
            loaded(model, *right, slots);
        }
        _ => {}
    }
}

fn asks_location(model: &Model, expr: ExprId) -> bool {
    match &model.code.nodes[expr].expr {
        Expr::At(..) => true,
        Expr::Unary(_, operand) => asks_location(model, *operand),
        Expr::Binary(_, left, right) => asks_location(model, *left) || asks_location(model, *right),
        _ => false,
    }
}

/// The upper bounds of an invariant that is nothing else.
fn uppers(location: &Location) -> Option<Uppers> {
    let [way] = &location.invariant.disjuncts[..] else { return None };
    if way.data.is_some() {
        return None;
    }
    let upper = |one: &ClockConstraint| match (one.left, one.right, one.bound) {
        (Some(ClockTerm { clock, index: None }), None, TimeBound::Constant(most))
            if !one.strict && most >= 0 =>
        {
            Some((clock, most))
        }
        _ => None,
    };
    way.clocks.iter().map(upper).collect()
}

/// Whether a comparison holds where a clock has a value, whatever the others are.
fn holds_at(one: &ClockConstraint, at: Option<(ClockId, i64)>) -> bool {
    let TimeBound::Constant(bound) = one.bound else { return false };
    let (term, upper) = match (one.left, one.right) {
        (Some(term), None) => (term, true),
        (None, Some(term)) => (term, false),
        _ => return false,
    };
    if term.index.is_some() {
        return false;
    }
    match at.filter(|(clock, _)| *clock == term.clock) {
        Some((_, value)) => {
            let difference = if upper { value } else { -value };
            if one.strict { difference < bound } else { difference <= bound }
        }
        // A clock is never negative.
        None => !upper && if one.strict { 0 < bound } else { 0 <= bound },
    }
}

fn sets(update: &Update, clock: ClockId) -> bool {
    matches!(update, Update::Clock(set) if set.clock.elements().any(|one| one == clock))
}

/// The constant that an edge certainly sets a clock to, if it does.
fn set_to(edge: &Edge, clock: ClockId) -> Option<i64> {
    let last = edge.updates.iter().rev().find(|update| sets(update, clock))?;
    match last {
        Update::Clock(set) if set.certain().is_some() && set.source.is_none() => match set.value {
            TimeBound::Constant(value) => Some(value),
            TimeBound::Expr(_) => None,
        },
        _ => None,
    }
}
