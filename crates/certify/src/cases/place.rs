//! The places of a test case as conditions on clocks, ready to be asked.

use tioga_base::{Overflow, Rational};
use tioga_model::{ClockAssignment, ClockBound, ClockGuard, ClockId};
use tioga_testcase::{
    Action, CaseEdge, CasePlace, CaseSet, CaseZone, Side, TestCase, Verdict, guard,
};

use crate::states::Valuation;

/// A place.
pub(crate) struct ReadyPlace<'c> {
    pub name: &'c str,
    pub invariant: ClockGuard,
    /// From where no time may pass.
    pub urgent: ClockGuard,
    pub verdicts: Vec<(Verdict, ClockGuard)>,
    pub edges: Vec<Expected<'c>>,
    /// When each rule applies and which edge it plays.
    pub rules: Vec<(ClockGuard, Option<usize>)>,
    /// All bounds that anything here depends on.
    pub bounds: Vec<ClockBound>,
}

/// An edge of a place.
pub(crate) struct Expected<'c> {
    pub by: Side,
    pub action: &'c Action,
    pub guard: ClockGuard,
    pub assignments: Vec<ClockAssignment>,
    pub target: usize,
}

/// The places of a test case that is well formed.
pub(crate) fn places(case: &TestCase) -> Vec<ReadyPlace<'_>> {
    places_after(0, case)
}

/// The places of a test case whose clocks come after some others.
pub(crate) fn places_after(others: usize, case: &TestCase) -> Vec<ReadyPlace<'_>> {
    let first = u32::try_from(others).unwrap_or(u32::MAX);
    case.places.iter().map(|one| place(one, first)).collect()
}

/// A clock of the test case, counted from its first.
fn shifted(clock: u32, first: u32) -> ClockId {
    ClockId(clock.saturating_add(first))
}

fn place(place: &CasePlace, first: u32) -> ReadyPlace<'_> {
    let guard = |zones: &[CaseZone]| {
        let mut guard = guard(zones);
        for bound in guard.disjuncts.iter_mut().flatten() {
            for clock in [&mut bound.left, &mut bound.right].into_iter().flatten() {
                *clock = shifted(clock.0, first);
            }
        }
        guard
    };
    let verdicts = place.verdicts.iter();
    let rules = place.rules.iter();
    let mut ready = ReadyPlace {
        name: &place.name,
        invariant: guard(&place.invariant),
        urgent: guard(&place.urgent),
        verdicts: verdicts.map(|one| (one.verdict, guard(&one.zones))).collect(),
        edges: place.edges.iter().map(|one| edge(one, guard(&one.guard), first)).collect(),
        rules: rules
            .map(|rule| (guard(&rule.zones), rule.play.map(|play| play as usize)))
            .collect(),
        bounds: Vec::new(),
    };
    let guards = [&ready.invariant, &ready.urgent]
        .into_iter()
        .chain(ready.verdicts.iter().map(|(_, guard)| guard))
        .chain(ready.edges.iter().map(|edge| &edge.guard))
        .chain(ready.rules.iter().map(|(guard, _)| guard));
    ready.bounds = guards.flat_map(|guard| &guard.disjuncts).flatten().copied().collect();
    ready
}

fn edge(edge: &CaseEdge, guard: ClockGuard, first: u32) -> Expected<'_> {
    let assignment = |set: &CaseSet| ClockAssignment {
        clock: shifted(set.clock, first),
        source: set.source.map(|source| shifted(source, first)),
        value: set.value,
    };
    Expected {
        by: edge.by,
        action: &edge.action,
        guard,
        assignments: edge.sets.iter().map(assignment).collect(),
        target: edge.target as usize,
    }
}

impl ReadyPlace<'_> {
    /// The verdict of a valuation.
    pub fn verdict(&self, clocks: &Valuation) -> Result<Option<Verdict>, Overflow> {
        for (verdict, guard) in &self.verdicts {
            if clocks.satisfies(guard)? {
                return Ok(Some(*verdict));
            }
        }
        Ok(None)
    }

    /// Whether time may pass from a valuation for some delay that ends where something changes, or
    /// before: what holds half way holds all the way.
    pub fn lets_pass(&self, clocks: &Valuation, delay: Rational) -> Result<bool, Overflow> {
        let half = clocks.later(delay.div(Rational::integer(2))?)?;
        Ok(!clocks.satisfies(&self.urgent)?
            && !half.satisfies(&self.urgent)?
            && clocks.later(delay)?.satisfies(&self.invariant)?)
    }

    /// The positions of the edges that may be taken.
    pub fn enabled(&self, clocks: &Valuation) -> Result<Vec<usize>, Overflow> {
        let mut enabled = Vec::new();
        for (position, edge) in self.edges.iter().enumerate() {
            if clocks.satisfies(&edge.guard)? {
                enabled.push(position);
            }
        }
        Ok(enabled)
    }

    /// The position of the rule that applies.
    pub fn rule(&self, clocks: &Valuation) -> Result<Option<usize>, Overflow> {
        for (position, (guard, _)) in self.rules.iter().enumerate() {
            if clocks.satisfies(guard)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }
}
