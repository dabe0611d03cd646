//! Strong non-Zenoness, decided on the structure (AMPS98; Tripakis 1999 calls it structural).
//!
//! Every cycle of the location graph must set some clock, and some edge of the cycle must bound the
//! same clock from below by more than any value it is ever set to: then every turn takes at least
//! one unit of the model's constants. Edges whose guard is unsatisfiable are not part of the graph.
//! If all processes of a network have the property, so has the network.
//!
//! A cycle *violates* this if for each clock it lacks either the edges that set it or those that
//! bound it. So the search removes, clock by clock, one kind or the other from a strongly connected
//! part until no clock has both; any cycle that is left violates. The property of containing both
//! kinds is inherited by larger cycles, so a violating simple cycle is found if any violates.

use std::collections::BTreeSet;

use tioga_base::Id;

use super::closure::Closure;
use super::enabled::{find_enabled, weakly_enabled};
use super::marks::ClockMark;
use super::subject::Subject;
use super::verdict::{PropertyVerdict, PropertyWitness};
use crate::{ClockId, Edge, EdgeId, Update};

mod cycles;

pub(crate) use cycles::{Arrow, violating_cycle};

pub(super) fn decide(subject: &Subject<'_>) -> PropertyVerdict {
    let marks = subject.marks();
    let facts: Vec<(EdgeId, Facts)> = subject
        .process
        .edges
        .iter_ids()
        .map(|(id, edge)| (id, Facts::of(subject, edge, marks)))
        .collect();
    let size = subject.process.locations.len();
    let search = |optimistic: bool| {
        let arrows: Vec<Arrow> =
            facts.iter().filter_map(|(id, facts)| facts.arrow(subject, *id, optimistic)).collect();
        violating_cycle(size, &arrows).map(|cycle| cycle.map(|edges| (edges, arrows)))
    };
    match search(false) {
        Ok(None) => return PropertyVerdict::Holds,
        Ok(Some(_)) => {}
        Err(reason) => return PropertyVerdict::Unknown(reason),
    }
    // What data decides was counted against the property; counted in its favour, a violating cycle
    // is a violation for all data.
    match search(true) {
        Ok(Some((cycle, arrows))) => PropertyVerdict::Fails(witness(
            subject,
            cycle.iter().map(|index| arrows[*index].edge).collect(),
        )),
        Ok(None) => {
            let reason = facts.iter().find_map(|(_, facts)| facts.reason.clone());
            PropertyVerdict::Unknown(
                reason.unwrap_or_else(|| "what a clock is set to depends on data".into()),
            )
        }
        Err(reason) => PropertyVerdict::Unknown(reason),
    }
}

fn witness(subject: &Subject<'_>, cycle: Vec<EdgeId>) -> PropertyWitness {
    let edges = || cycle.iter().map(|id| subject.edge(*id));
    let mut path: Vec<&str> = edges().map(|edge| subject.location_name(edge.source)).collect();
    path.extend(path.first().copied());
    let cycle_text = if cycle.len() == 1 {
        subject.describe(subject.edge(cycle[0]))
    } else {
        format!("the cycle {}", path.join(" → "))
    };
    let sentence = format!(
        "nothing makes time pass on {cycle_text}: no clock is both set and bounded from below there"
    );
    let spans = edges().map(|edge| (edge.span, "on the cycle".to_owned())).collect();
    let location = edges().next().map(|edge| edge.source);
    PropertyWitness { sentence, spans, location, edges: cycle, ..PropertyWitness::default() }
}

/// The clocks that a guard and an invariant mention; all others have no bounds there.
fn mentioned(subject: &Subject<'_>, edge: &Edge) -> BTreeSet<ClockId> {
    let invariant = &subject.process.locations[edge.source].invariant;
    let conjuncts = edge.guard.disjuncts.iter().chain(&invariant.disjuncts);
    let terms = conjuncts.flat_map(|one| &one.clocks).flat_map(|one| [one.left, one.right]);
    let ranges = terms.flatten().map(|term| {
        let first = term.clock.index();
        first..first + term.index.map_or(1, |(_, length)| length as usize)
    });
    ranges.flatten().map(ClockId::from_index).collect()
}

/// Which clocks an edge sets and bounds from below, as far as is known.
struct Facts {
    /// It can be taken for some data.
    possible: bool,
    sets: BTreeSet<ClockId>,
    bounds: BTreeSet<ClockId>,
    /// Clocks it may set, depending on data.
    may_set: BTreeSet<ClockId>,
    /// Clocks it may bound, depending on data.
    may_bound: BTreeSet<ClockId>,
    /// Why something is not known.
    reason: Option<String>,
}

impl Facts {
    fn of(subject: &Subject<'_>, edge: &Edge, marks: &[ClockMark]) -> Self {
        let own: Vec<ClockId> = mentioned(subject, edge).into_iter().collect();
        let clocks = || own.iter().copied();
        let mark = |clock: &ClockId| marks.get(clock.index()).copied();
        let threshold = |clock: &ClockId| mark(clock).and_then(ClockMark::threshold);
        // The least lower bound of each clock over some ways to take the edge, which may be too weak;
        // nothing if there is no way.
        let mut lowest: Option<Vec<i128>> = None;
        let note = |lowest: &mut Option<Vec<i128>>, closure: &Closure| {
            let bounds = clocks().map(|clock| closure.lower(clock));
            *lowest = Some(match lowest.take() {
                None => bounds.collect(),
                Some(old) => old.into_iter().zip(bounds).map(|(a, b)| a.min(b)).collect(),
            });
        };
        let weak = weakly_enabled(subject, edge);
        weak.iter().for_each(|closure| note(&mut lowest, closure));
        // Where a bound is high enough for whatever the data may be, data need not be looked at.
        let exceeds = |clock: &ClockId, bound: i128| threshold(clock).is_none_or(|t| bound > t);
        let surely: Vec<bool> = match lowest.take() {
            Some(bounds) => own.iter().zip(bounds).map(|(c, bound)| exceeds(c, bound)).collect(),
            None => vec![false; own.len()],
        };
        let visited = find_enabled(subject, edge, |closure| {
            note(&mut lowest, closure);
            let bounds = lowest.iter().flatten();
            let mut open = own.iter().zip(bounds).zip(&surely).filter(|(_, surely)| !**surely);
            // Further data makes bounds lower only.
            open.all(|((clock, bound), _)| !exceeds(clock, *bound)).then_some(())
        });
        let reason = visited.err();
        if reason.is_some() {
            weak.iter().for_each(|closure| note(&mut lowest, closure));
        }
        let possible = lowest.is_some();
        let least = |clock: &ClockId| {
            let position = own.binary_search(clock).ok();
            position.and_then(|position| Some(lowest.as_ref()?[position])).unwrap_or(0)
        };
        let bounded = |clock: &ClockId, data: bool| match (mark(clock), data) {
            (Some(ClockMark::AtMost(most)), _) => least(clock) > i128::from(most),
            (Some(ClockMark::Data), true) => least(clock) > 0,
            _ => false,
        };
        let optimistic = reason.is_some();
        let useful = |clock: &ClockId| threshold(clock).is_some();
        let mut facts = Self {
            possible,
            sets: BTreeSet::new(),
            bounds: clocks().filter(|clock| bounded(clock, false)).collect(),
            may_set: BTreeSet::new(),
            may_bound: clocks()
                .filter(|clock| bounded(clock, true) || (optimistic && useful(clock)))
                .collect(),
            reason,
        };
        facts.note_sets(edge);
        facts
    }

    fn note_sets(&mut self, edge: &Edge) {
        for update in &edge.updates {
            let Update::Clock(update) = update else { continue };
            self.sets.extend(update.certain());
            let first = update.clock.clock.index();
            let length = update.clock.index.map_or(1, |(_, length)| length as usize);
            self.may_set.extend((first..first + length).map(ClockId::from_index));
        }
        if self.may_set != self.sets {
            self.reason.get_or_insert_with(|| "which clock is set depends on data".into());
        }
    }

    fn arrow(&self, subject: &Subject<'_>, edge: EdgeId, optimistic: bool) -> Option<Arrow> {
        let (sets, bounds) =
            if optimistic { (&self.may_set, &self.may_bound) } else { (&self.sets, &self.bounds) };
        let (source, target) = (subject.edge(edge).source, subject.edge(edge).target);
        self.possible.then(|| Arrow {
            edge,
            source: source.index(),
            target: target.index(),
            sets: sets.clone(),
            bounds: bounds.clone(),
        })
    }
}
