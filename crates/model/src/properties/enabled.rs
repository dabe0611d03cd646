//! The sets of clock values at which an edge may be taken, for all data.

use super::closure::Closure;
use super::points::Points;
use super::relax::{is_constant, weakened};
use super::subject::{Subject, received};
use super::verdict::DataValue;
use crate::reads::Reads;
use crate::{ClockConjunction, Composer, Edge, Type};

/// Calls `each` with every satisfiable conjunction under which the edge's guard and its source's
/// invariant hold, for each combination of data values, until it finds something. An error says
/// why not all data was looked at.
pub(super) fn find_enabled<T>(
    subject: &Subject<'_>,
    edge: &Edge,
    mut each: impl FnMut(&Closure) -> Option<T>,
) -> Result<Option<(T, Vec<DataValue>)>, String> {
    let invariant = &subject.process.locations[edge.source].invariant;
    let work = (edge.guard.disjuncts.len() * invariant.disjuncts.len()).max(1) as u64;
    if is_constant(&edge.guard) && is_constant(invariant) {
        let found = closures(&weakened(&edge.guard), &weakened(invariant)).find_map(|c| each(&c));
        return Ok(found.map(|found| (found, Vec::new())));
    }
    if weakly_enabled(subject, edge).is_empty() {
        return Ok(None);
    }
    let parameters = received(subject.model, edge).map_or(&[][..], |channel| &channel.parameters);
    let slots = parameters.iter().map(Type::slots).sum::<u64>();
    let mut reads =
        Reads::new(subject.model, subject.slot_count(), u32::try_from(slots).unwrap_or(u32::MAX));
    reads.condition(&edge.guard);
    reads.condition(invariant);
    let points = Points::new(subject, edge.source, parameters, reads.finish(), work);
    let mut composer = Composer::new(subject.model);
    points.find(|state, frame| {
        let invariant = subject.resolve(&mut composer, state, invariant, &[], None);
        let guard = subject.resolve(&mut composer, state, &edge.guard, frame, Some(edge));
        closures(&guard.disjuncts, &invariant.disjuncts).find_map(|closure| each(&closure))
    })
}

/// The same for whatever the data may be: the conjunctions may be too weak.
pub(super) fn weakly_enabled(subject: &Subject<'_>, edge: &Edge) -> Vec<Closure> {
    let invariant = &subject.process.locations[edge.source].invariant;
    closures(&weakened(&edge.guard), &weakened(invariant)).collect()
}

fn closures<'a>(
    guard: &'a [ClockConjunction],
    invariant: &'a [ClockConjunction],
) -> impl Iterator<Item = Closure> + use<'a> {
    let pairs = guard.iter().flat_map(move |a| invariant.iter().map(move |b| (a, b)));
    pairs.filter_map(|(guard, invariant)| Closure::of(guard.iter().chain(invariant)))
}
