//! The run that shows a violation, with exact delays.
//!
//! As for runs along a symbolic path of one model: backwards the exact sets are computed from which
//! the rest of the path leads to the violation, forwards the least delays into these sets are taken.

use std::sync::Arc;

use tioga_base::{Overflow, Rational};
use tioga_concrete::{TraceEvent, label_of};
use tioga_explore::TransitionSystem;
use tioga_model::{Model, Step};
use tioga_symbolic::{Elapse, Error, TimedStep, Window, least_delay};
use tioga_zones::{Federation, Point};

use crate::check::{Finding, described, violations};
use crate::product::{PairStep, Product};
use crate::side::{Act, View};

/// A run that shows that the relation does not hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation {
    /// The run of the implementation up to and including what is observed; if an input is refused,
    /// up to the moment when it is.
    pub run: Vec<TimedStep>,
    /// The run of the specification up to its last step; `None` if it has several that explain the same.
    pub followed: Option<Vec<TimedStep>>,
    /// What is observed that violates the relation.
    pub observed: ObservedViolation,
    /// How long after the last step of the specification that is, in written time units. If a delay
    /// is observed, it is this one.
    pub after: Rational,
}

impl Violation {
    /// The last visible event before the violation, if there is one.
    pub fn last_event(&self, implementation: &Model) -> Option<TraceEvent> {
        let steps = match self.observed {
            ObservedViolation::Output(_) => &self.run[..self.run.len() - 1],
            ObservedViolation::Delay | ObservedViolation::Refusal(_) => &self.run[..],
        };
        let events = steps.iter().filter_map(|one| one.step.as_ref());
        let mut events = events.map(|step| label_of(implementation, step)).rev();
        events.find(|event| !matches!(event, TraceEvent::Internal(_)))
    }
}

/// What violates the relation.
#[derive(Clone, PartialEq, Debug)]
pub enum ObservedViolation {
    /// The implementation makes this step, whose output is not specified at this moment.
    Output(Step),
    /// The implementation lets more time pass than the specification does.
    Delay,
    /// The specification takes the input of this step of its own, and the implementation does not.
    Refusal(Step),
}

/// What became of a violation found on coarsened zones.
pub enum Witnessed {
    /// It is one.
    Violation(Box<Violation>),
    /// The implementation may be in other states after the same trace.
    Unclear(String),
}

/// One state of the path and how it is left.
struct Stage {
    views: (Arc<View>, Arc<View>),
    place: Elapse,
    step: Option<PairStep>,
}

impl Stage {
    /// The steps taken, if it is left by one.
    fn acts(&self) -> Option<(&Act, Option<&Act>)> {
        let step = self.step?;
        let own = &self.views.0.acts[step.implementation as usize];
        Some((own, step.specification.map(|index| &self.views.1.acts[index as usize])))
    }
}

/// The run along a path of the product to a violation. `scale` is the number of the product's units
/// in a written time unit.
pub fn witness(
    product: &Product<'_>,
    scale: i64,
    path: &[PairStep],
    finding: Finding,
) -> Result<Witnessed, Error> {
    let stages = stages(product, path)?;
    let last = stages.last().expect("a path has a first state");
    let found = violations(product.question, &last.views.0, &last.views.1);
    let goal = found.into_iter().find(|(other, _)| *other == finding);
    let (_, mut goal) = goal.expect("what was found is found again");
    goal.intersect(last.place.invariant());
    let leave = backwards(&stages, goal);
    let start = Point::new(&vec![0; product.dimension - 1], 1);
    let missing = || Error::Unsupported("the path found has no concrete run".to_owned());
    if !stages[0].place.past(&leave[0]).contains(&start) {
        return Err(missing());
    }
    let forwards = forwards(product, &stages, &leave, finding, scale);
    let too_large = |Overflow| Error::Unsupported("a delay is too large to be represented".into());
    forwards.map_err(too_large)?.ok_or_else(missing)
}

fn stages(product: &Product<'_>, path: &[PairStep]) -> Result<Vec<Stage>, Error> {
    let mut worker = product.worker();
    let mut pair = product.start(&worker);
    let mut stages = Vec::new();
    for step in path.iter().copied().map(Some).chain([None]) {
        let (one, two) = product.views(&mut worker, &pair)?;
        if let Some(step) = step {
            pair.0 = one.acts[step.implementation as usize].target.clone();
            if let Some(index) = step.specification {
                pair.1 = two.acts[index as usize].target.clone();
            }
            pair = product.canonical(pair);
        }
        let place = one.place.beside(&two.place);
        stages.push(Stage { views: (one, two), place, step });
    }
    Ok(stages)
}

/// For each stage the points at which to leave it; for the last one the goal.
fn backwards(stages: &[Stage], goal: Federation) -> Vec<Federation> {
    let mut leave = vec![goal];
    let mut after = stages.last();
    for stage in stages.iter().rev().skip(1) {
        let (Some((act, partner)), Some(next)) = (stage.acts(), after) else { continue };
        let arrive = next.place.past(leave.last().expect("it starts with the goal"));
        let mut before = act.jump.predecessor(&arrive);
        if let Some(partner) = partner {
            before = partner.jump.predecessor(&before);
        }
        before.intersect(stage.place.invariant());
        if before.len() > 1 {
            before.merge();
        }
        leave.push(before);
        after = Some(stage);
    }
    leave.reverse();
    leave
}

fn forwards(
    product: &Product<'_>,
    stages: &[Stage],
    leave: &[Federation],
    finding: Finding,
    scale: i64,
) -> Result<Option<Witnessed>, Overflow> {
    let scale = Rational::integer(scale);
    let mut clocks = vec![Rational::ZERO; product.dimension];
    let (mut run, mut followed) = (Vec::new(), Vec::new());
    let (mut waited, mut unclear) = (Rational::ZERO, None);
    for (stage, set) in stages.iter().zip(leave) {
        let Some(delay) = least_delay(&clocks, stage.place.urgent(), set)? else {
            return Ok(None);
        };
        if unclear.is_none() {
            unclear = other_ways(product, stage, &clocks, delay)?;
        }
        pass(&mut clocks, delay)?;
        let delay = delay.div(scale)?;
        waited = waited.add(delay)?;
        let Some((act, partner)) = stage.acts() else {
            run.push(TimedStep { delay, step: None });
            continue;
        };
        act.jump.assign(&mut clocks)?;
        run.push(TimedStep { delay, step: Some(act.step.clone()) });
        if let Some(partner) = partner {
            partner.jump.assign(&mut clocks)?;
            followed.push(TimedStep { delay: waited, step: Some(partner.step.clone()) });
            waited = Rational::ZERO;
        }
    }
    let (own, other) = &stages.last().expect("a path has a first state").views;
    let end = run.last_mut().expect("the last stage has a step");
    let observed = match finding {
        Finding::Output(index) => {
            end.step = Some(own.acts[index].step.clone());
            ObservedViolation::Output(own.acts[index].step.clone())
        }
        Finding::Refusal(_) if unclear.is_some() => {
            return Ok(unclear.map(Witnessed::Unclear));
        }
        Finding::Refusal(index) => ObservedViolation::Refusal(other.acts[index].step.clone()),
        Finding::Wait => {
            let Some(more) = longer(&clocks, own, other)? else { return Ok(None) };
            let more = more.div(scale)?;
            end.delay = end.delay.add(more)?;
            waited = waited.add(more)?;
            ObservedViolation::Delay
        }
    };
    let violation = Violation { run, followed: Some(followed), observed, after: waited };
    Ok(Some(Witnessed::Violation(Box::new(violation))))
}

fn pass(clocks: &mut [Rational], delay: Rational) -> Result<(), Overflow> {
    for clock in clocks.iter_mut().skip(1) {
        *clock = clock.add(delay)?;
    }
    Ok(())
}

/// A delay that the implementation allows from here and the specification does not.
///
/// Pre: there is one.
fn longer(clocks: &[Rational], own: &View, other: &View) -> Result<Option<Rational>, Overflow> {
    let mut outside = other.place.invariant().complement();
    outside.intersect(own.place.invariant());
    let leaving = match least_delay(clocks, own.place.urgent(), &outside)? {
        Some(delay) if allowed(clocks, &own.place, delay)? => Some(delay),
        _ => None,
    };
    let mut stopped = own.may_wait.clone();
    if other.place.passes_time() {
        stopped.intersect(other.place.urgent());
    }
    let Some(stop) = least_delay(clocks, own.place.urgent(), &stopped)? else {
        return Ok(leaving);
    };
    if leaving.is_some_and(|leaving| leaving <= stop) || !allowed(clocks, &own.place, stop)? {
        return Ok(leaving);
    }
    let mut there = clocks.to_vec();
    pass(&mut there, stop)?;
    Ok(Some(stop.add(a_little(&there, &own.place)?)?))
}

/// Whether the invariant holds all the way; urgent steps were taken care of.
fn allowed(clocks: &[Rational], place: &Elapse, delay: Rational) -> Result<bool, Overflow> {
    let outside = place.invariant().complement();
    for zone in outside.zones() {
        if let Some(window) = Window::of(clocks, zone)?
            && begins_by(&window, delay)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a window has begun when a delay ends.
fn begins_by(window: &Window, delay: Rational) -> bool {
    let (from, excluded) = window.from;
    from < delay || (from == delay && !excluded)
}

/// An allowed delay above 0, at most 1/2 of a unit.
///
/// Pre: there is one.
fn a_little(clocks: &[Rational], place: &Elapse) -> Result<Rational, Overflow> {
    let mut room = Rational::ZERO;
    for zone in place.invariant().zones() {
        if let Some(window) = Window::of(clocks, zone)?
            && window.from.0.is_zero()
        {
            room = room.max(window.to.map_or(Rational::ONE, |(end, _)| end));
        }
    }
    for zone in place.urgent().zones() {
        if let Some(window) = Window::of(clocks, zone)? {
            room = room.min(window.from.0);
        }
    }
    room.min(Rational::ONE).div(Rational::integer(2))
}

/// Why the implementation may be in another state after the same observations: an internal step on
/// the way, or another step that shows the same.
fn other_ways(
    product: &Product<'_>,
    stage: &Stage,
    clocks: &[Rational],
    delay: Rational,
) -> Result<Option<String>, Overflow> {
    let model = product.implementation.model;
    let mut there = clocks.to_vec();
    pass(&mut there, delay)?;
    let taken = stage.acts().map(|(act, _)| act);
    for act in &stage.views.0.acts {
        let other = match (&act.action, taken) {
            (None, _) => meets(act, clocks, delay)?,
            (Some(action), Some(taken)) => {
                taken.action.as_ref() == Some(action)
                    && !act.same_effect(taken)
                    && meets(act, &there, Rational::ZERO)?
            }
            (Some(_), None) => false,
        };
        if other {
            return Ok(Some(format!(
                "an input is refused after a trace that may also lead elsewhere, by {}",
                described(model, act),
            )));
        }
    }
    Ok(None)
}

/// Whether a step is possible within a delay.
fn meets(act: &Act, clocks: &[Rational], delay: Rational) -> Result<bool, Overflow> {
    for zone in act.enabled.zones() {
        if let Some(window) = Window::of(clocks, zone)?
            && begins_by(&window, delay)
        {
            return Ok(true);
        }
    }
    Ok(false)
}
