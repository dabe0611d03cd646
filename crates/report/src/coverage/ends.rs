//! In which part of its window an edge is taken.
//!
//! The window of an edge are the moments at which its clock guard and the invariant of its source hold, if nothing else
//! happens. The early part is the first quarter of a window that ends, and a quarter of a time unit of one that does not;
//! the late part is the last quarter, or a quarter of a time unit before the end of a window without a beginning.

use tioga_base::{Overflow, Rational};
use tioga_concrete::State;
use tioga_model::{
    ClockBound, ClockConjunction, ClockConstraint, Composer, Condition, Edge, EvalFault,
    Participant, Process, Step, TimeBound,
};

/// Which ends something concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Ends {
    pub early: bool,
    pub late: bool,
}

/// Whether the window of an edge has a beginning and an end. In urgent and committed locations time stands still, so
/// there are no windows.
pub(super) fn of_edge(process: &Process, edge: &Edge) -> Ends {
    let source = &process.locations[edge.source];
    if source.marks.urgent || source.marks.committed {
        return Ends::default();
    }
    let all = |condition: &Condition, wanted: fn(&ClockConstraint) -> bool| {
        condition.disjuncts.iter().flat_map(|one| &one.clocks).any(wanted)
    };
    let lower = |one: &ClockConstraint| {
        let trivial = !one.strict && matches!(one.bound, TimeBound::Constant(0));
        one.left.is_none() && one.right.is_some() && !trivial
    };
    let upper = |one: &ClockConstraint| one.left.is_some() && one.right.is_none();
    Ends {
        early: all(&edge.guard, lower),
        late: all(&edge.guard, upper) || all(&source.invariant, upper),
    }
}

/// In which part of its window an edge of a step is taken right now.
pub(super) fn reached(
    composer: &mut Composer<'_>,
    state: &State,
    step: &Step,
    participant: &Participant,
) -> Result<Ends, EvalFault> {
    let process = &composer.model().processes[participant.process];
    let source = &process.locations[process.edges[participant.edge].source];
    let guard = composer.guard_in(&state.discrete, step, participant)?;
    let invariant = composer.condition(&state.discrete, &source.invariant, source.span)?;
    let scale = composer.model().scale;
    let mut ends = Ends::default();
    for one in &guard.disjuncts {
        for other in &invariant.disjuncts {
            // Numbers that are too large to be exact are near no end.
            let found = within(state, one, other, scale).unwrap_or_default();
            (ends.early, ends.late) = (ends.early || found.early, ends.late || found.late);
        }
    }
    Ok(ends)
}

/// The same for one alternative of the guard and of the invariant.
fn within(
    state: &State,
    guard: &ClockConjunction,
    invariant: &ClockConjunction,
    scale: i64,
) -> Result<Ends, Overflow> {
    let (mut since, mut left): (Option<Rational>, Option<Rational>) = (None, None);
    for bound in guard {
        let room = room(state, bound, scale)?;
        if room.is_negative() || (bound.strict && room.is_zero()) {
            return Ok(Ends::default());
        }
        match (bound.left, bound.right) {
            (None, Some(_)) => since = Some(since.map_or(room, |least| least.min(room))),
            (Some(_), None) => left = Some(left.map_or(room, |least| least.min(room))),
            _ => {}
        }
    }
    for bound in invariant.iter().filter(|bound| bound.right.is_none()) {
        let room = room(state, bound, scale)?;
        left = Some(left.map_or(room, |least| least.min(room)));
    }
    let four = Rational::integer(4);
    let quarter = match (since, left) {
        (Some(since), Some(left)) => since.add(left)?.div(four)?,
        _ => Rational::ONE.div(four)?,
    };
    let near = |end: Option<Rational>| end.is_some_and(|end| end <= quarter);
    Ok(Ends { early: near(since), late: near(left) })
}

/// How far a bound is from being violated.
fn room(state: &State, bound: &ClockBound, scale: i64) -> Result<Rational, Overflow> {
    let value = |clock: Option<_>| clock.map_or(Rational::ZERO, |clock| state.clock(clock));
    let difference = value(bound.left).sub(value(bound.right))?;
    Rational::new(bound.bound, scale)?.sub(difference)
}
