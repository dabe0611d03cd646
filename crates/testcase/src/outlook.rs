//! The future of a run of a test case: possible inputs with their times, and the time after which
//! nothing changes.

use tioga_base::{Overflow, Rational};
use tioga_concrete::{Interval, Intervals};

use crate::{Action, CaseZone, Follower, Side};

impl<'c> Follower<'c> {
    /// When each input may be sent from now on, if the system stays silent: an entry for each edge,
    /// because edges with the same input may have different targets.
    pub fn openings(&self) -> Result<Vec<(&'c Action, Intervals)>, Overflow> {
        let patience: Intervals = self.patience()?.into();
        let edges = self.place().edges.iter().filter(|edge| edge.by == Side::Tester);
        let mut openings = Vec::new();
        for edge in edges {
            let windows = self.when(&edge.guard)?.intersect(&patience);
            if !windows.is_empty() {
                openings.push((&edge.action, windows));
            }
        }
        Ok(openings)
    }

    /// The delay after which silence changes nothing any more: every bound of the place has passed.
    pub fn horizon(&self) -> Result<Rational, Overflow> {
        let place = self.place();
        let edges = place.edges.iter().map(|edge| &edge.guard);
        let verdicts = place.verdicts.iter().map(|judgement| &judgement.zones);
        let rules = place.rules.iter().map(|rule| &rule.zones);
        let mut last = Rational::ZERO;
        let all = edges.chain(verdicts).chain(rules).chain([&place.invariant, &place.urgent]);
        for zones in all {
            for part in self.when(zones)?.parts() {
                last = last.max(part.lower().0).max(end(part));
            }
        }
        Ok(last)
    }

    /// The largest constant that the test case compares a clock with.
    pub fn largest_constant(&self) -> Result<Rational, Overflow> {
        let case = self.case();
        let largest = |zones: &[CaseZone]| {
            zones.iter().flatten().map(|bound| bound.bound.unsigned_abs()).max().unwrap_or(0)
        };
        let places = case.places.iter().map(|place| {
            let guards = place.edges.iter().map(|edge| largest(&edge.guard)).max().unwrap_or(0);
            guards.max(largest(&place.invariant)).max(largest(&place.urgent))
        });
        let constant = i64::try_from(places.max().unwrap_or(0)).map_err(|_| Overflow)?;
        Rational::new(constant, case.scale)
    }
}

fn end(part: &Interval) -> Rational {
    part.upper().map_or(Rational::ZERO, |(upper, _)| upper)
}
