//! Concrete runs along a symbolic path.
//!
//! The zones of a search are coarsened, so a path is made concrete in two passes. Backwards, exact
//! zones are computed from which the rest of the path can be taken (delay, guard, assignments,
//! invariants, in reverse). Forwards, from the initial valuation, the least delay that stays within
//! these zones is chosen at each step; where the least delay is excluded by a strict bound, a point
//! shortly after it is taken.

use tioga_base::{Id, Rational, Span};
use tioga_explore::NodeId;
use tioga_model::{
    ClockAssignment, ClockConjunction, Composer, DiscreteState, Move, Moves, Predicate,
};
use tioga_zones::{Point, Zone};

use crate::zone_graph::{StepLabel, alternatives, constrain};
use crate::{Error, ZoneGraph, goal};

/// One step of a concrete run: wait, then move.
#[derive(Clone, PartialEq, Debug)]
pub struct TimedStep {
    /// How long to wait, in written time units.
    pub delay: Rational,
    /// The move then taken; none in the last step, which only waits until the goal holds.
    pub step: Option<Move>,
}

/// One step of the symbolic path, with all that is needed to go back.
struct Stage {
    /// Whether time may pass before the step.
    may_delay: bool,
    invariant: ClockConjunction,
    step: Move,
    guard: ClockConjunction,
    assignments: Vec<ClockAssignment>,
}

/// A run along a path that ends in a state satisfying the goal.
///
/// Pre: the path was found in this graph and the goal meets its last zone.
pub fn concrete_run(
    graph: &ZoneGraph<'_>,
    path: &[(NodeId, StepLabel)],
    goal: (&Predicate, Span),
) -> Result<Vec<TimedStep>, Error> {
    let mut composer = Composer::new(graph.model());
    let mut state = composer.initial();
    let mut moves = Moves::new();
    for (_, label) in path {
        composer.moves(&state, &mut moves);
        state = composer.apply(&state, &moves.list[label.step as usize])?.target;
    }
    let zones = goal::zones(graph, &mut composer, &state, goal.0, goal.1)?;
    along_path(graph, path, &zones)
}

/// A run along a path that ends in one of the zones.
pub(crate) fn along_path(
    graph: &ZoneGraph<'_>,
    path: &[(NodeId, StepLabel)],
    goal: &[Zone],
) -> Result<Vec<TimedStep>, Error> {
    let model = graph.model();
    let mut composer = Composer::new(model);
    let mut state = composer.initial();
    let mut moves = Moves::new();
    let mut stages = Vec::new();
    for (_, label) in path {
        let (may_delay, invariant) = entry(graph, &mut composer, &state, &mut moves)?;
        composer.moves(&state, &mut moves);
        let step = moves.list[label.step as usize].clone();
        let guard = alternatives(&step)[label.alternative as usize].clone();
        let applied = composer.apply(&state, &step)?;
        let assignments = applied.assignments.to_vec();
        stages.push(Stage { may_delay, invariant, step, guard, assignments });
        state = applied.target;
    }
    let (may_delay, invariant) = entry(graph, &mut composer, &state, &mut moves)?;
    for last in goal {
        if let Some(run) = along(graph, &stages, last, may_delay, &invariant)? {
            return Ok(run);
        }
    }
    Err(Error::Unsupported("the path found has no concrete run".to_owned()))
}

fn entry<'m>(
    graph: &ZoneGraph<'m>,
    composer: &mut Composer<'m>,
    state: &DiscreteState,
    moves: &mut Moves,
) -> Result<(bool, ClockConjunction), Error> {
    let may_delay = graph.may_delay(composer, state, moves)?;
    let invariant = graph.invariant(composer, state)?;
    let invariant = invariant
        .ok_or_else(|| Error::Unsupported("the path found has no concrete run".to_owned()))?;
    Ok((may_delay, invariant))
}

/// The run for one alternative of the goal, if there is one.
fn along(
    graph: &ZoneGraph<'_>,
    stages: &[Stage],
    last: &Zone,
    may_delay: bool,
    invariant: &[tioga_model::ClockBound],
) -> Result<Option<Vec<TimedStep>>, Error> {
    // From `leave[i]` step i leads on; `arrive` is where the next stage may be entered.
    let mut leave = vec![last.clone()];
    let mut arrive = back_in_time(last, may_delay, invariant)?;
    for stage in stages.iter().rev() {
        let Some(mut zone) = arrive else { return Ok(None) };
        for assignment in stage.assignments.iter().rev() {
            if !unassign(&mut zone, assignment) {
                return Ok(None);
            }
        }
        if !constrain(&mut zone, &stage.guard)? || !constrain(&mut zone, &stage.invariant)? {
            return Ok(None);
        }
        arrive = back_in_time(&zone, stage.may_delay, &stage.invariant)?;
        leave.push(zone);
    }
    let start = Point::new(&vec![0; graph.dimension() - 1], 1);
    if !arrive.is_some_and(|zone| zone.contains(&start)) {
        return Ok(None);
    }
    leave.reverse();
    forwards(graph, stages, &leave)
}

/// Where one may arrive to be in the zone later, or now if time may not pass.
fn back_in_time(
    zone: &Zone,
    may_delay: bool,
    invariant: &[tioga_model::ClockBound],
) -> Result<Option<Zone>, Error> {
    let mut zone = zone.clone();
    if may_delay {
        zone.past();
        if !constrain(&mut zone, invariant)? {
            return Ok(None);
        }
    }
    Ok(Some(zone))
}

pub(crate) fn unassign(zone: &mut Zone, assignment: &ClockAssignment) -> bool {
    let clock = assignment.clock.index() + 1;
    let result = match assignment.source {
        None => match u32::try_from(assignment.value) {
            Ok(value) => zone.reset_predecessor(clock, value),
            Err(_) => return false,
        },
        Some(source) => match i32::try_from(assignment.value) {
            Ok(offset) => zone.assign_predecessor(clock, source.index() + 1, offset),
            Err(_) => return false,
        },
    };
    result.is_ok()
}

fn forwards(
    graph: &ZoneGraph<'_>,
    stages: &[Stage],
    leave: &[Zone],
) -> Result<Option<Vec<TimedStep>>, Error> {
    let too_large = |_| Error::Unsupported("a delay is too large to be represented".to_owned());
    let scale = graph.model().scale;
    let mut clocks = vec![Rational::ZERO; graph.dimension()];
    let mut run = Vec::new();
    for (position, zone) in leave.iter().enumerate() {
        let Some(delay) = least_delay(&clocks, zone) else { return Ok(None) };
        for clock in clocks.iter_mut().skip(1) {
            *clock = clock.add(delay).map_err(too_large)?;
        }
        let stage = stages.get(position);
        for assignment in stage.map_or(&[][..], |stage| &stage.assignments) {
            let source = assignment.source.map_or(Rational::ZERO, |s| clocks[s.index() + 1]);
            let value = source.add(Rational::integer(assignment.value)).map_err(too_large)?;
            clocks[assignment.clock.index() + 1] = value;
        }
        let delay = delay.div(Rational::integer(scale)).map_err(too_large)?;
        run.push(TimedStep { delay, step: stage.map(|stage| stage.step.clone()) });
    }
    Ok(Some(run))
}

/// The least delay after which the valuation lies in the zone; if only later ones do, one that is
/// at most halfway to the latest, and at most 1/2 later. `None` if there is none.
pub(crate) fn least_delay(clocks: &[Rational], zone: &Zone) -> Option<Rational> {
    let (mut least, mut open) = (Rational::ZERO, false);
    let mut most: Option<(Rational, bool)> = None;
    for (clock, value) in clocks.iter().enumerate().skip(1) {
        // −x <= bound: the delay is at least −bound − value.
        let low = zone.bound(0, clock);
        if let Some(constant) = low.constant() {
            let needed = Rational::integer(-i64::from(constant)).sub(*value).ok()?;
            if needed > least || (needed == least && low.is_strict()) {
                (least, open) = (needed, low.is_strict());
            }
        }
        let high = zone.bound(clock, 0);
        if let Some(constant) = high.constant() {
            let room = Rational::integer(i64::from(constant)).sub(*value).ok()?;
            let tighter = most.is_none_or(|(old, strict)| {
                room < old || (room == old && high.is_strict() && !strict)
            });
            if tighter {
                most = Some((room, high.is_strict()));
            }
        }
    }
    let delay = match (open, most) {
        (false, _) => least,
        (true, None) => least.add(Rational::new(1, 2).ok()?).ok()?,
        (true, Some((most, _))) => {
            let room = most.sub(least).ok()?.min(Rational::ONE);
            least.add(room.div(Rational::integer(2)).ok()?).ok()?
        }
    };
    let fits = most.is_none_or(|(most, strict)| delay < most || (delay == most && !strict));
    (fits && !delay.is_negative()).then_some(delay)
}
