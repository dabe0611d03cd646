//! Boundary values: every edge with a clock at a bound that decides about it, just below the bound and just above
//! it; and where a comparison of data decides about it (see [`super::decisions`]).
//!
//! The bounds that decide about an edge are those of its guard, of the guards of edges that leave the same location
//! on the same action, and of the invariant there. A window without a lower bound begins when its clock is set, so 0
//! is one of them. An edge that no bound decides about is taken at any moment, and soon after the clocks of its
//! process are set. An input just outside its window is the input of another edge just inside of its own, if the
//! model says what happens then.

use std::collections::BTreeSet;

use tioga_base::{Rational, Times};
use tioga_model::{
    ClockConstraint, ClockId, ClockTerm, Condition, EdgePlace, Milestone, Milestones, Model,
    ProcessId, TimeBound,
};
use tioga_testcase::Cover;

use super::decisions;
use super::edges::{edge_words, is_visible, rivals, system_edges};
use super::target::{Covered, Target, Way};

/// Where a clock is, compared with a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Position {
    Below,
    At,
    Above,
}

impl Position {
    const ALL: [Self; 3] = [Self::Below, Self::At, Self::Above];

    /// The bounds on the clock: strictly within a time unit from the bound, or exactly there. They count in units
    /// of `1 / scale`, and `scale` is a time unit.
    fn bounds(self, clock: ClockId, bound: i64, scale: i64) -> Option<Vec<ClockConstraint>> {
        let (low, high, strict) = match self {
            Self::Below if bound == 0 => return None,
            Self::Below => ((bound - scale).max(0), bound, true),
            Self::At => (bound, bound, false),
            Self::Above => (bound, bound + scale, true),
        };
        let term = Some(ClockTerm::from(clock));
        let one = |left, right, bound| ClockConstraint {
            left,
            right,
            strict,
            bound: TimeBound::Constant(bound),
        };
        Some(vec![one(None, term, -low), one(term, None, high)])
    }

    fn word(self) -> &'static str {
        match self {
            Self::Below => "just below",
            Self::At => "at",
            Self::Above => "just above",
        }
    }

    fn short(self) -> &'static str {
        match self {
            Self::Below => "below",
            Self::At => "at",
            Self::Above => "above",
        }
    }
}

/// What there is to cover.
pub fn targets(model: &Model) -> Vec<Target> {
    let criterion = Cover::Boundaries;
    let mut all = Vec::new();
    for (place, edge) in system_edges(model) {
        if !is_visible(model, edge) {
            continue;
        }
        let (process, id) = place;
        let body = &model.processes[process];
        let mut bounds = deciding(model, place);
        let clocks: BTreeSet<ClockId> = if bounds.is_empty() {
            bounded_clocks(model, process)
        } else {
            bounds.iter().map(|(clock, _)| *clock).collect()
        };
        let unbounded = bounds.is_empty();
        bounds.extend(clocks.into_iter().map(|clock| (clock, 0)));
        if unbounded {
            // A window without ends: any moment will do.
            let element = format!("{}.{id}-any", body.name);
            let text = format!("{}: {}, at any moment", body.name, edge_words(model, place));
            let milestone = Milestone { edges: vec![place], ..Milestone::default() };
            let way = Milestones { list: vec![milestone], silence: None };
            let ways = vec![Way::new(Covered::Milestones(way))];
            all.push(Target { criterion, element, text, ways, hidden: false, process });
        }
        // Just above one bound may be just below another.
        let mut known: Vec<Vec<ClockConstraint>> = Vec::new();
        for (clock, bound) in bounds {
            for position in Position::ALL {
                let Some(when) = position.bounds(clock, bound, model.scale) else { continue };
                if known.contains(&when) {
                    continue;
                }
                known.push(when.clone());
                let invariant = &body.locations[edge.source].invariant;
                if !may_hold(&edge.guard, &when) || !may_hold(invariant, &when) {
                    continue;
                }
                let own = model.clocks[clock].name.clone();
                let short = own.rsplit('.').next().unwrap_or(&own).to_owned();
                let time = Rational::new(bound, model.scale).unwrap_or(Rational::ZERO);
                let shown = Times::of(None).exact(time);
                let element = format!("{}.{id}-{short}-{}-{shown}", body.name, position.short());
                let text = format!(
                    "{}: {}, with {short} {} {shown}",
                    body.name,
                    edge_words(model, place),
                    position.word()
                );
                let edges = vec![place];
                let milestone = Milestone { edges, when, ..Milestone::default() };
                let way = Milestones { list: vec![milestone], silence: None };
                let ways = vec![Way::new(Covered::Milestones(way))];
                all.push(Target { criterion, element, text, ways, hidden: false, process });
            }
        }
        all.extend(decisions::targets(model, place));
    }
    all
}

/// The bounds that decide when an edge can be taken, or another on the same action instead.
fn deciding(model: &Model, place: EdgePlace) -> BTreeSet<(ClockId, i64)> {
    let body = &model.processes[place.0];
    let guards = rivals(model, place).map(|other| &body.edges[other].guard);
    let invariant = &body.locations[body.edges[place.1].source].invariant;
    guards.chain(std::iter::once(invariant)).flat_map(single_bounds).collect()
}

/// The clocks that a process compares with constants.
fn bounded_clocks(model: &Model, process: ProcessId) -> BTreeSet<ClockId> {
    let body = &model.processes[process];
    let guards = body.edges.iter().map(|edge| &edge.guard);
    let invariants = body.locations.iter().map(|location| &location.invariant);
    let bounds = guards.chain(invariants).flat_map(single_bounds);
    bounds.map(|(clock, _)| clock).collect()
}

/// The bounds on single clocks by constants.
fn single_bounds(condition: &Condition) -> impl Iterator<Item = (ClockId, i64)> {
    let all = condition.disjuncts.iter().flat_map(|conjunct| &conjunct.clocks);
    all.filter_map(|bound| match (bound.left, bound.right, bound.bound) {
        (Some(ClockTerm { clock, index: None }), None, TimeBound::Constant(bound)) => {
            Some((clock, bound))
        }
        (None, Some(ClockTerm { clock, index: None }), TimeBound::Constant(bound)) => {
            Some((clock, -bound))
        }
        _ => None,
    })
}

/// Whether a condition does not contradict bounds on one clock at first sight.
fn may_hold(condition: &Condition, when: &[ClockConstraint]) -> bool {
    condition.disjuncts.iter().any(|conjunct| {
        let contradicts = |one: &ClockConstraint| {
            when.iter().any(|other| match (one.bound, other.bound) {
                (TimeBound::Constant(first), TimeBound::Constant(second))
                    if (one.left, one.right) == (other.right, other.left) =>
                {
                    first + second < 0 || first + second == 0 && (one.strict || other.strict)
                }
                _ => false,
            })
        };
        !conjunct.clocks.iter().any(contradicts)
    })
}
