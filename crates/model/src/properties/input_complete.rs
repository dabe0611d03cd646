//! Input-completeness by guard coverage (HJM22 2.1).
//!
//! In each location, for each input of the interface the process receives anywhere, the guards of
//! its edges must together cover the location's invariant, for all received values. Target
//! invariants are not considered, as in the definition.

use super::closure::Point;
use super::cover::uncovered;
use super::points::Points;
use super::relax::{strengthened, weakened};
use super::subject::{Findings, Subject, communication, location_witness};
use super::verdict::PropertyVerdict;
use crate::reads::Reads;
use crate::{
    ChannelId, ClockBound, ClockConjunction, Composer, Direction, DiscreteState, EdgeId,
    LocationId, Type,
};

pub(super) fn decide(subject: &Subject<'_>) -> PropertyVerdict {
    let inputs: Vec<ChannelId> = inputs(subject);
    if inputs.is_empty() {
        return PropertyVerdict::NotApplicable("it has no inputs".into());
    }
    let mut findings = Findings::default();
    for location in subject.process.locations.ids() {
        for &input in &inputs {
            check(subject, location, input, &mut findings);
        }
    }
    findings.verdict()
}

/// The inputs of the interface that some edge of the process may receive.
fn inputs(subject: &Subject<'_>) -> Vec<ChannelId> {
    let is_input = |id: &ChannelId| {
        let input = subject.model.channels[*id].direction == Some(Direction::Input);
        input && subject.process.edges.ids().any(|edge| receives(subject, edge, *id))
    };
    subject.model.channels.ids().filter(is_input).collect()
}

fn receives(subject: &Subject<'_>, edge: EdgeId, input: ChannelId) -> bool {
    matches!(communication(subject.edge(edge)), Some((used, false)) if used.covers(input))
}

fn check(subject: &Subject<'_>, location: LocationId, input: ChannelId, findings: &mut Findings) {
    let outgoing = subject.process.outgoing[location].iter().copied();
    let edges: Vec<EdgeId> = outgoing.filter(|edge| receives(subject, *edge, input)).collect();
    if clocks_cover(subject, location, &edges) {
        return;
    }
    let parameters = &subject.model.channels[input].parameters;
    let slots = parameters.iter().map(Type::slots).sum::<u64>();
    let mut reads =
        Reads::new(subject.model, subject.slot_count(), u32::try_from(slots).unwrap_or(u32::MAX));
    reads.condition(&subject.process.locations[location].invariant);
    for &edge in &edges {
        reads.condition(&subject.edge(edge).guard);
        if let Some((used, _)) = communication(subject.edge(edge)) {
            used.index.iter().for_each(|(index, _)| reads.expr(*index));
        }
    }
    let points = Points::new(subject, location, parameters, reads.finish(), 1);
    let mut composer = Composer::new(subject.model);
    let found = points.find(|state, frame| {
        missing(subject, &mut composer, state, frame, (location, input), &edges).transpose()
    });
    let (name, channel) = (subject.location_name(location), &subject.model.channels[input].name);
    match found {
        Ok(None) => {}
        Ok(Some((Ok(point), data))) => {
            let clocks = subject.clock_values(&point);
            let sentence =
                format!("`{channel}?` is refused in `{name}`{}", subject.when(&clocks, &data));
            let words = format!("no edge for `{channel}?` is enabled here");
            let mut witness = location_witness(subject, location, sentence, &words);
            let spans = edges.iter().map(|edge| subject.edge(*edge).span);
            witness.spans.extend(spans.map(|span| (span, "not enabled then".to_owned())));
            (witness.clocks, witness.data, witness.edges) = (clocks, data, edges);
            findings.fail(witness, format!("`{channel}?` in `{name}`"));
        }
        Ok(Some((Err(reason), _))) => findings.unknown(reason),
        Err(reason) => findings
            .unknown(format!("the edges for `{channel}?` in `{name}` depend on data: {reason}")),
    }
}

/// Whether edges that depend on clocks alone cover the invariant.
fn clocks_cover(subject: &Subject<'_>, location: LocationId, edges: &[EdgeId]) -> bool {
    let edges = edges.iter().map(|edge| subject.edge(*edge));
    let plain =
        edges.filter(|edge| communication(edge).is_some_and(|(used, _)| used.index.is_none()));
    let guards: Vec<ClockConjunction> = plain.flat_map(|edge| strengthened(&edge.guard)).collect();
    let invariant = weakened(&subject.process.locations[location].invariant);
    gap(subject, &invariant, &guards) == Ok(None)
}

/// Clock values within the invariant at which no edge takes the input, for this data.
fn missing(
    subject: &Subject<'_>,
    composer: &mut Composer<'_>,
    state: &DiscreteState,
    frame: &[i64],
    (location, input): (LocationId, ChannelId),
    edges: &[EdgeId],
) -> Result<Option<Point>, String> {
    let invariant = &subject.process.locations[location].invariant;
    let invariant = subject.resolve(composer, state, invariant, &[], None);
    let mut guards: Vec<ClockConjunction> = Vec::new();
    for &edge in edges {
        let edge = subject.edge(edge);
        let Some((used, _)) = communication(edge) else { continue };
        if composer.channel(state, used, edge, &[]) == Ok(input) {
            let guard = subject.resolve(composer, state, &edge.guard, frame, Some(edge));
            guards.extend(guard.disjuncts);
        }
    }
    gap(subject, &invariant.disjuncts, &guards)
}

/// A point in one of the sets and in none of the guards.
fn gap(
    subject: &Subject<'_>,
    sets: &[ClockConjunction],
    guards: &[ClockConjunction],
) -> Result<Option<Point>, String> {
    let cover: Vec<&[ClockBound]> = guards.iter().map(|guard| guard.as_slice()).collect();
    for set in sets {
        let before = subject.left();
        let mut rest = before;
        let found = uncovered(set, &cover, &mut rest);
        subject.spend(before - rest);
        if let Some(point) = found? {
            return Ok(Some(point));
        }
    }
    Ok(None)
}
