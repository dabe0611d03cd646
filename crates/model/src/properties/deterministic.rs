//! Determinism by guard disjointness (HJM22 2.1).
//!
//! Two different edges of a location that carry the same action must have disjoint guards within
//! the location's invariant. The action is the channel with the values sent; received values are
//! the partner's choice and the same for both edges. The reply of a Mealy step is not part of the
//! action: at the instant of the input it is still open. Target invariants are not considered, as
//! in the definition. Silent edges carry no action; [`super::internal`] reports them.

use tioga_base::Overflow;

use super::closure::{Closure, Point, is_satisfiable};
use super::points::Points;
use super::relax::weakened;
use super::subject::{Findings, Subject, communication, received};
use super::verdict::{PropertyVerdict, PropertyWitness};
use crate::reads::Reads;
use crate::{
    BinaryOp, ChannelId, ClockGuard, Composer, DiscreteState, Edge, EdgeId, Expr, ExprId, Label,
    LocationId, Model, Type,
};

pub(super) fn decide(subject: &Subject<'_>) -> PropertyVerdict {
    let mut findings = Findings::default();
    for location in subject.process.locations.ids() {
        let edges = &subject.process.outgoing[location];
        for (position, &first) in edges.iter().enumerate() {
            for &second in &edges[position + 1..] {
                compare(subject, location, first, second, &mut findings);
            }
        }
    }
    findings.verdict()
}

/// Whether two edges may carry the same action, and are not the same edge written twice.
fn comparable(first: &Edge, second: &Edge) -> bool {
    let overlap = match (&first.label, &second.label) {
        (Label::Plain(a), Label::Plain(b)) => a == b,
        (Label::Send(a), Label::Send(b)) | (Label::Receive(a), Label::Receive(b)) => {
            a.covers(b.channel) || b.covers(a.channel)
        }
        _ => false,
    };
    let same = first.target == second.target
        && first.label == second.label
        && first.reply == second.reply
        && first.guard == second.guard
        && first.updates == second.updates;
    overlap && !same
}

fn compare(
    subject: &Subject<'_>,
    location: LocationId,
    first: EdgeId,
    second: EdgeId,
    findings: &mut Findings,
) {
    let (one, two) = (subject.edge(first), subject.edge(second));
    if !comparable(one, two) || never_meet(subject.model, one, two) {
        return;
    }
    let invariant = &subject.process.locations[location].invariant;
    let work = [&one.guard, &two.guard, invariant].map(|c| c.disjuncts.len().max(1) as u64);
    let work = work.into_iter().fold(1, u64::saturating_mul);
    if !subject.spend(work) {
        return findings.unknown("the guards have too many alternatives".into());
    }
    if clocks_exclude(subject, location, one, two) {
        return;
    }
    let parameters = received(subject.model, one).map_or(&[][..], |channel| &channel.parameters);
    let variables = reads(subject, location, one, two);
    let points = Points::new(subject, location, parameters, variables, work);
    let mut composer = Composer::new(subject.model);
    let found = points.find(|state, frame| {
        both(subject, &mut composer, state, frame, location, [one, two]).transpose()
    });
    match found {
        Ok(None) => {}
        Ok(Some((Ok((channel, point)), data))) => {
            let clocks = subject.clock_values(&point);
            let (name, action) = (subject.location_name(location), subject.action(one, channel));
            let targets = [one, two].map(|edge| subject.location_name(edge.target));
            let sentence = if targets[0] == targets[1] {
                format!(
                    "in `{name}`, `{action}` leads to `{}` in two ways{}",
                    targets[0],
                    subject.when(&clocks, &data)
                )
            } else {
                format!(
                    "in `{name}`, `{action}` leads both to `{}` and to `{}`{}",
                    targets[0],
                    targets[1],
                    subject.when(&clocks, &data)
                )
            };
            let witness = PropertyWitness {
                sentence,
                spans: vec![
                    (two.span, format!("`{action}` is enabled here")),
                    (one.span, "and here at the same time".into()),
                ],
                location: Some(location),
                edges: vec![first, second],
                clocks,
                data,
                others: Vec::new(),
            };
            findings.fail(witness, format!("`{action}` in `{name}`"));
        }
        Ok(Some((Err(overflow), _))) => findings.unknown(overflow.to_string()),
        Err(reason) => findings.unknown(format!(
            "two edges for `{}` in `{}` depend on data: {reason}",
            subject.action(one, None),
            subject.location_name(location)
        )),
    }
}

/// Whether the edges use elements of one array whose positions differ by a constant, so that no data
/// makes them the same. Edges that one choice of values stands for mostly do.
fn never_meet(model: &Model, one: &Edge, two: &Edge) -> bool {
    let (Some((one, _)), Some((two, _))) = (communication(one), communication(two)) else {
        return false;
    };
    let (Some((left, _)), Some((right, _))) = (one.index, two.index) else { return false };
    let parts = |index: ExprId| match &model.code.nodes[index].expr {
        Expr::Binary(BinaryOp::Add, sum, by) => match &model.code.nodes[*by].expr {
            Expr::Int(by) => (*sum, *by),
            _ => (index, 0),
        },
        _ => (index, 0),
    };
    let ((left, first), (right, second)) = (parts(left), parts(right));
    one.channel == two.channel && first != second && alike(model, left, right)
}

/// Whether two expressions without effects are written alike.
pub(super) fn alike(model: &Model, one: ExprId, two: ExprId) -> bool {
    let alike = |one: &ExprId, two: &ExprId| alike(model, *one, *two);
    if one == two {
        return true;
    }
    match (&model.code.nodes[one].expr, &model.code.nodes[two].expr) {
        (Expr::Int(a), Expr::Int(b)) => a == b,
        (Expr::Load(a), Expr::Load(b)) => a == b && a.indices.is_empty(),
        (Expr::Unary(a, x), Expr::Unary(b, y)) => a == b && alike(x, y),
        (Expr::Binary(a, x, u), Expr::Binary(b, y, v)) => a == b && alike(x, y) && alike(u, v),
        (Expr::Conditional(a, x, u), Expr::Conditional(b, y, v)) => {
            alike(a, b) && alike(x, y) && alike(u, v)
        }
        _ => false,
    }
}

/// Whether constant clock bounds alone make the guards disjoint.
fn clocks_exclude(subject: &Subject<'_>, location: LocationId, one: &Edge, two: &Edge) -> bool {
    let invariant = weakened(&subject.process.locations[location].invariant);
    let (left, right) = (weakened(&one.guard), weakened(&two.guard));
    !left.iter().any(|a| {
        right.iter().any(|b| invariant.iter().any(|i| is_satisfiable(a.iter().chain(b).chain(i))))
    })
}

fn reads(
    subject: &Subject<'_>,
    location: LocationId,
    one: &Edge,
    two: &Edge,
) -> std::collections::BTreeSet<crate::reads::Variable> {
    let parameters = received(subject.model, one)
        .map_or(0, |channel| channel.parameters.iter().map(Type::slots).sum::<u64>());
    let received = u32::try_from(parameters).unwrap_or(u32::MAX);
    let mut reads = Reads::new(subject.model, subject.slot_count(), received);
    reads.condition(&subject.process.locations[location].invariant);
    for edge in [one, two] {
        reads.condition(&edge.guard);
        if let Some((used, _)) = communication(edge) {
            used.index.iter().for_each(|(index, _)| reads.expr(*index));
        }
    }
    // What is sent matters only if it can differ: edges that send the same expressions agree.
    if let (Label::Send(a), Label::Send(b)) = (&one.label, &two.label)
        && a.arguments != b.arguments
    {
        a.arguments.iter().chain(&b.arguments).for_each(|argument| reads.expr(*argument));
    }
    reads.finish()
}

type Overlap = (Option<ChannelId>, Point);

/// Clock values at which both edges are enabled with the same action, for this data.
fn both(
    subject: &Subject<'_>,
    composer: &mut Composer<'_>,
    state: &DiscreteState,
    frame: &[i64],
    location: LocationId,
    edges: [&Edge; 2],
) -> Result<Option<Overlap>, Overflow> {
    let Some(channel) = common_channel(composer, state, edges) else { return Ok(None) };
    let invariant = &subject.process.locations[location].invariant;
    let mut all = subject.resolve(composer, state, invariant, &[], None);
    for edge in edges {
        all = all.and(&subject.resolve(composer, state, &edge.guard, frame, Some(edge)));
    }
    Ok(solution(&all)?.map(|point| (channel, point)))
}

/// Clock values that satisfy a condition.
pub(super) fn solution(guard: &ClockGuard) -> Result<Option<Point>, Overflow> {
    guard.disjuncts.iter().find_map(Closure::of).map(|closure| closure.point()).transpose()
}

/// The channel both edges use with the same values; `Some(None)` for plain labels.
fn common_channel(
    composer: &mut Composer<'_>,
    state: &DiscreteState,
    edges: [&Edge; 2],
) -> Option<Option<ChannelId>> {
    let [(one, _), (two, sends)] = match edges.map(communication) {
        [Some(one), Some(two)] => [one, two],
        _ => return Some(None),
    };
    let channel = composer.channel(state, one, edges[0], &[]).ok()?;
    if composer.channel(state, two, edges[1], &[]).ok()? != channel {
        return None;
    }
    if sends && one.arguments != two.arguments {
        let first = composer.arguments(state, one, channel, edges[0], &[]).ok()?;
        let second = composer.arguments(state, two, channel, edges[1], &[]).ok()?;
        if first != second {
            return None;
        }
    }
    Some(Some(channel))
}
