//! Which thresholds a clock can still be compared with before its next reset: what a Set action programs.

use std::collections::BTreeSet;

use tioga_base::{Id, IdVec, Rational};
use tioga_terms::{Names, Term};

use crate::error::Refusal;
use crate::tiosa::{ClockId, Edge, LocationId, Tiosa};

/// For each location and clock, the thresholds that the clock can be compared with before its next reset.
pub struct Thresholds {
    live: IdVec<LocationId, Vec<BTreeSet<Term>>>,
    /// For each action and clock, the numbers that a reset with this action programs, wherever it leads.
    numbers: Vec<Vec<BTreeSet<Term>>>,
}

impl Thresholds {
    /// Computes them as a least fixed point over the edges, whatever their guards are.
    ///
    /// A threshold that is no number must keep its value from the reset on: an edge that assigns one of its
    /// variables and lets the clock run on is refused.
    pub fn of(tiosa: &Tiosa) -> Result<Self, Refusal> {
        let clocks = tiosa.clocks.len();
        let mut live: IdVec<LocationId, Vec<BTreeSet<Term>>> =
            tiosa.locations.ids().map(|_| vec![BTreeSet::new(); clocks]).collect();
        for location in tiosa.locations.ids() {
            for atom in tiosa.atoms(location) {
                if !always_passed(&atom.threshold) {
                    live[location][atom.clock.index()].insert(atom.threshold.clone());
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for edge in tiosa.edges.iter() {
                for clock in tiosa.clocks.ids().filter(|clock| !edge.resets.contains(clock)) {
                    let needed = live[edge.target][clock.index()].clone();
                    for term in needed {
                        changed |= live[edge.source][clock.index()].insert(term);
                    }
                }
            }
        }
        let found = Self { numbers: numbers(tiosa, &live), live };
        found.check(tiosa)?;
        Ok(found)
    }

    fn check(&self, tiosa: &Tiosa) -> Result<(), Refusal> {
        for edge in tiosa.edges.iter() {
            for clock in tiosa.clocks.ids().filter(|clock| !edge.resets.contains(clock)) {
                for term in &self.live[edge.target][clock.index()] {
                    let mut read = BTreeSet::new();
                    term.symbols(&mut read);
                    let assigned = edge.assignments.iter().find(|(v, _)| read.contains(v));
                    if let Some((variable, _)) = assigned {
                        return Err(Refusal::Hypothesis(format!(
                            "the clock {} is compared with {}, but {} in {} changes {} while the \
                             clock runs; reset the clock there, or keep the old value in a variable \
                             of its own",
                            tiosa.clocks[clock],
                            Names(&tiosa.symbols, term),
                            tiosa.action_text(edge.action),
                            tiosa.locations[edge.source].name,
                            tiosa.symbols[*variable].name,
                        )));
                    }
                }
            }
        }
        Ok(())
    }

    /// What the clock can be compared with from a location on.
    pub fn live(&self, location: LocationId, clock: ClockId) -> &BTreeSet<Term> {
        &self.live[location][clock.index()]
    }

    /// What an edge programs for a clock that it resets. Numbers depend on the action alone, so that the
    /// tester knows them without knowing which edge was taken.
    pub fn programmed(&self, edge: &Edge, clock: ClockId) -> BTreeSet<Term> {
        let mut terms = self.numbers[edge.action.index()][clock.index()].clone();
        let own = self.live(edge.target, clock);
        terms.extend(own.iter().filter(|term| term.as_number().is_none()).cloned());
        terms
    }
}

/// Whether a clock is above a threshold whenever something happens: clocks are then positive.
pub fn always_passed(threshold: &Term) -> bool {
    threshold.as_number().is_some_and(|number| number <= Rational::ZERO)
}

fn numbers(
    tiosa: &Tiosa,
    live: &IdVec<LocationId, Vec<BTreeSet<Term>>>,
) -> Vec<Vec<BTreeSet<Term>>> {
    let mut numbers = vec![vec![BTreeSet::new(); tiosa.clocks.len()]; tiosa.actions.len()];
    for edge in tiosa.edges.iter() {
        for clock in &edge.resets {
            let terms = live[edge.target][clock.index()].iter();
            let terms = terms.filter(|term| term.as_number().is_some()).cloned();
            numbers[edge.action.index()][clock.index()].extend(terms);
        }
    }
    numbers
}
