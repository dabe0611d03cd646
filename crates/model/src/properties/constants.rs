//! The greatest constant each clock is compared with: M(x) of HJM22 2.1.
//!
//! A comparison of two clocks counts for both. Bounds that depend on data count with their
//! greatest absolute value over the data, if it can be enumerated.

use tioga_base::{Cancel, Id, IdVec, Overflow, Rational};

use super::points::Points;
use super::relax::constant_clocks;
use super::shared::Shared;
use super::subject::{Subject, received};
use crate::reads::Reads;
use crate::{ClockBound, ClockId, Composer, Condition, Edge, LocationId, Model, Type};

/// The greatest constant a clock is compared with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MaximalConstant {
    /// It is compared with nothing.
    None,
    /// This, in written time units.
    Known(Rational),
    /// It depends on data that was not enumerated, for this reason.
    Unknown(String),
}

/// The greatest constant each clock of the network is compared with in guards and invariants of its
/// processes and purposes.
pub fn maximal_constants(model: &Model) -> IdVec<ClockId, MaximalConstant> {
    let mut search = Search {
        greatest: model.clocks.iter().map(|_| None).collect(),
        reasons: model.clocks.iter().map(|_| None).collect(),
    };
    let (cancel, shared) = (&Cancel::new(), &Shared::new(model, 0));
    let processes = model.processes.ids().map(|id| Subject::process(shared, id, cancel));
    let purposes = model.purposes.iter().map(|purpose| Subject::purpose(shared, purpose, cancel));
    for subject in processes.chain(purposes) {
        for (id, location) in subject.process.locations.iter_ids() {
            search.condition(&subject, id, &location.invariant, None);
        }
        for edge in &subject.process.edges {
            search.condition(&subject, edge.source, &edge.guard, Some(edge));
        }
    }
    let constants = model.clocks.ids().map(|clock| {
        let scaled = search.greatest[clock].map(|value| Rational::new(value, model.scale));
        match (search.reasons[clock].take(), scaled) {
            (Some(reason), _) => MaximalConstant::Unknown(reason),
            (None, None) => MaximalConstant::None,
            (None, Some(Ok(value))) => MaximalConstant::Known(value),
            (None, Some(Err(overflow))) => MaximalConstant::Unknown(overflow.to_string()),
        }
    });
    constants.collect()
}

impl Model {
    /// The largest constant that a clock is compared with and that is known, in written time units; 0 if
    /// there is none.
    pub fn largest_constant(&self) -> Rational {
        let constants = maximal_constants(self);
        let known = constants.iter().filter_map(|constant| match constant {
            MaximalConstant::Known(value) => Some(*value),
            MaximalConstant::None | MaximalConstant::Unknown(_) => None,
        });
        known.max().unwrap_or(Rational::ZERO)
    }

    /// How long an optional output is waited for, in written time units: one unit beyond the largest
    /// constant. When so much time has passed since the last event, no bound of the model is still ahead.
    ///
    /// # Errors
    /// If the number becomes too large.
    pub fn patience(&self) -> Result<Rational, Overflow> {
        self.largest_constant().add(Rational::ONE)
    }
}

struct Search {
    greatest: IdVec<ClockId, Option<i64>>,
    reasons: IdVec<ClockId, Option<String>>,
}

impl Search {
    fn condition(
        &mut self,
        subject: &Subject<'_>,
        location: LocationId,
        condition: &Condition,
        edge: Option<&Edge>,
    ) {
        if !condition.reads_clocks() {
            return;
        }
        if let Some(bounds) = constant_clocks(condition) {
            return self.bounds(&bounds);
        }
        let channel = edge.and_then(|edge| received(subject.model, edge));
        let parameters = channel.map_or(&[][..], |channel| &channel.parameters);
        let slots = parameters.iter().map(Type::slots).sum::<u64>();
        let slots = u32::try_from(slots).unwrap_or(u32::MAX);
        let mut reads = Reads::new(subject.model, subject.slot_count(), slots);
        reads.condition(condition);
        let points = Points::new(subject, location, parameters, reads.finish(), 1);
        let mut composer = Composer::new(subject.model);
        let visited = points.find(|state, frame| {
            let guard = subject.resolve(&mut composer, state, condition, frame, edge);
            guard.disjuncts.iter().for_each(|conjunction| self.bounds(conjunction));
            None::<()>
        });
        if let Err(reason) = visited {
            self.give_up(condition, &reason);
        }
    }

    fn bounds(&mut self, bounds: &[ClockBound]) {
        for bound in bounds {
            let size = bound.bound.saturating_abs();
            for clock in bound.left.iter().chain(&bound.right) {
                // A purpose's own clocks are not the network's.
                if clock.index() < self.greatest.len() {
                    let place = &mut self.greatest[*clock];
                    *place = Some(place.map_or(size, |old| old.max(size)));
                }
            }
        }
    }

    fn give_up(&mut self, condition: &Condition, reason: &str) {
        let constraints = condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks);
        for term in constraints.flat_map(|c| c.left.iter().chain(&c.right)) {
            let first = term.clock.index();
            let length = term.index.map_or(1, |(_, length)| length as usize);
            let end = (first + length).min(self.reasons.len());
            for clock in first..end {
                self.reasons[ClockId::from_index(clock)].get_or_insert_with(|| reason.to_owned());
            }
        }
    }
}
