//! SetExp: the transformation that turns time into events (KHO 4).
//!
//! A reset of a clock becomes an action Set, which programs expirations at the thresholds the clock can be
//! compared with before its next reset. A state knows the location, the expirations that are pending, and a
//! zone over the running clocks, which decides in which orders pending expirations can come. Transitions are
//! of three types: a set of simultaneous expirations; an action with its Sets; both at the same instant.
//!
//! Time passes between any two transitions (KHO Remark 2.1 has no simultaneous actions). Internal actions may be
//! simultaneous with what is observed all the same: a transition may take several edges at one instant, of which
//! one is observable. Thresholds that are no numbers may expire in any order; the clock handler, which knows the
//! numbers, allows only the true one.

use std::cmp::Ordering;

use tioga_base::IdVec;
use tioga_terms::{Names, Term};
use tioga_zones::Zone;

use crate::thresholds::always_passed;
use crate::tiosa::{Atom, ClockId, EdgeId, LocationId, Tiosa};

tioga_base::define_id! {
    /// Names a state of [`SetExp`].
    StateId = "q";
}

/// The automaton that SetExp gives, over the data of the automaton it was made from.
#[derive(Clone, Debug)]
pub struct SetExp {
    /// The states.
    pub states: IdVec<StateId, SetExpState>,
    /// Where it starts.
    pub initial: StateId,
    /// What is programmed at the start.
    pub start: Vec<Set>,
    /// The transitions, in order of their sources.
    pub transitions: Vec<SetExpTransition>,
    /// Expirations that end an invariant: there, the system was to act before.
    pub overdue: Vec<(StateId, Vec<Expiration>)>,
}

/// A state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SetExpState {
    /// The location.
    pub location: LocationId,
    /// The expirations that are programmed and have not happened, in order.
    pub pending: Vec<Expiration>,
    /// The values the clocks can have, in scaled units, between the last transition and the next.
    pub zone: Zone,
}

/// A clock reaches a threshold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Expiration {
    /// The clock.
    pub clock: ClockId,
    /// The threshold.
    pub threshold: Term,
}

/// A clock is reset and expirations are programmed, in order; the earlier ones are cancelled. Without thresholds,
/// they are only cancelled.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Set {
    /// The clock.
    pub clock: ClockId,
    /// The thresholds.
    pub thresholds: Vec<Term>,
}

/// A transition. Without edges it is of type 1; without expirations of type 2; with both of type 3.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetExpTransition {
    /// The state it leaves.
    pub source: StateId,
    /// The state it enters.
    pub target: StateId,
    /// The expirations that happen, all at the same instant.
    pub expirations: Vec<Expiration>,
    /// The edges that are taken one after the other at the same instant, at most one of them observable.
    pub edges: Vec<EdgeId>,
    /// What is programmed, at the same instant.
    pub sets: Vec<Set>,
}

impl SetExpTransition {
    /// 1, 2 or 3.
    pub fn kind(&self) -> u8 {
        match (self.expirations.is_empty(), !self.edges.is_empty()) {
            (false, false) => 1,
            (true, _) => 2,
            (false, true) => 3,
        }
    }
}

impl SetExp {
    /// The transitions that leave a state, in order.
    pub fn leaving(&self, state: StateId) -> impl Iterator<Item = &SetExpTransition> {
        let start = self.transitions.partition_point(|t| t.source < state);
        self.transitions[start..].iter().take_while(move |t| t.source == state)
    }

    /// `l2 {c1: 2, 3}`: the location and what is pending.
    pub fn state_text(&self, tiosa: &Tiosa, state: StateId) -> String {
        let state = &self.states[state];
        let mut text = tiosa.locations[state.location].name.clone();
        let mut last = None;
        for pending in &state.pending {
            let lead = match last {
                None => format!(" {{{}: ", tiosa.clocks[pending.clock]),
                Some(clock) if clock == pending.clock => ", ".to_owned(),
                Some(_) => format!("; {}: ", tiosa.clocks[pending.clock]),
            };
            text.push_str(&lead);
            text.push_str(&Names(&tiosa.symbols, &pending.threshold).to_string());
            last = Some(pending.clock);
        }
        if last.is_some() {
            text.push('}');
        }
        text
    }
}

/// `Exp(c1, 2)`
pub fn expiration_text(tiosa: &Tiosa, expiration: &Expiration) -> String {
    let threshold = Names(&tiosa.symbols, &expiration.threshold);
    format!("Exp({}, {threshold})", tiosa.clocks[expiration.clock])
}

/// `Set(c1, 2, 3)`, or `Set(c1)` where nothing is programmed
pub fn set_text(tiosa: &Tiosa, set: &Set) -> String {
    let mut text = format!("Set({}", tiosa.clocks[set.clock]);
    for threshold in &set.thresholds {
        text.push_str(", ");
        text.push_str(&Names(&tiosa.symbols, threshold).to_string());
    }
    text.push(')');
    text
}

/// How a clock compares with a threshold while some expirations are pending and some happen now.
pub fn order(
    clock: ClockId,
    threshold: &Term,
    pending: &[Expiration],
    now: &[Expiration],
) -> Ordering {
    let same = |one: &Expiration| one.clock == clock && one.threshold == *threshold;
    if always_passed(threshold) {
        Ordering::Greater
    } else if now.iter().any(same) {
        Ordering::Equal
    } else if pending.iter().any(same) {
        Ordering::Less
    } else {
        Ordering::Greater
    }
}

/// Whether comparisons hold while some expirations are pending and some happen now.
pub fn hold(atoms: &[Atom], pending: &[Expiration], now: &[Expiration]) -> bool {
    atoms.iter().all(|atom| atom.relation.holds(order(atom.clock, &atom.threshold, pending, now)))
}
