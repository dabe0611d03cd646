//! Which clock valuations of a discrete state satisfy a predicate, exactly.
//!
//! Where no step is possible is what remains when the valuations from which one is are taken away. That
//! can have very many pieces, so a search asks for one of them among the valuations it has reached
//! ([`within`], [`deadlocked_within`], [`timelocked_within`]), and the pieces are made one after another.

use tioga_base::Span;
use tioga_model::{Composer, DiscreteState, Predicate, Step, StepLabel, Steps};
use tioga_zones::{Federation, Zone};

use crate::conditions::constrain;
use crate::effort::Effort;
use crate::elapse::invariant;
use crate::{Elapse, Error, Jump, ZoneGraph};

/// The valuations of a discrete state in which a predicate holds, within its invariant.
///
/// A state is deadlocked if no step is possible from it, now or after any delay it allows.
pub fn satisfying<'m>(
    graph: &ZoneGraph<'m>,
    composer: &mut Composer<'m>,
    state: &DiscreteState,
    predicate: &Predicate,
    span: Span,
) -> Result<Federation, Error> {
    satisfying_with((graph, composer), state, None, predicate, span)
}

/// As [`satisfying`]; of comparisons of two clocks, the bits of the stored state tell whether they hold, if
/// given.
fn satisfying_with<'m>(
    (graph, composer): (&ZoneGraph<'m>, &mut Composer<'m>),
    state: &DiscreteState,
    bits: Option<u8>,
    predicate: &Predicate,
    span: Span,
) -> Result<Federation, Error> {
    match predicate {
        Predicate::Holds(condition) => {
            let guard = composer.condition(state, condition, span)?;
            let mut holding = Federation::empty(graph.dimension());
            if guard.is_never() {
                return Ok(holding);
            }
            for inside in invariant(composer, state)?.zones() {
                for conjunction in &guard.disjuncts {
                    let told = match bits {
                        Some(bits) => graph.tracked().without(bits, conjunction)?,
                        None => Some(conjunction.to_vec()),
                    };
                    let mut zone = inside.clone();
                    if let Some(told) = told
                        && constrain(&mut zone, &told)?
                    {
                        holding.add(zone);
                    }
                }
            }
            Ok(holding)
        }
        Predicate::NoDeadlock => {
            let (elapse, steps) = placed(composer, state)?;
            lively(composer, state, (&elapse, &steps), |_| true, None)
        }
        Predicate::Deadlock => {
            let (elapse, steps) = placed(composer, state)?;
            let lively = lively(composer, state, (&elapse, &steps), |_| true, None)?;
            let dead = elapse.invariant().remainder(&lively);
            Ok(Federation::from_zones(graph.dimension(), dead))
        }
        Predicate::Either { dead, alive } => {
            let mut both = Federation::empty(graph.dimension());
            for (condition, place) in [(dead, Predicate::Deadlock), (alive, Predicate::NoDeadlock)]
            {
                let condition = Predicate::Holds(condition.clone());
                let mut part = satisfying_with((graph, composer), state, bits, &condition, span)?;
                if !part.is_empty() {
                    part.intersect(&satisfying(graph, composer, state, &place, span)?);
                    both.unite(&part);
                }
            }
            Ok(both)
        }
    }
}

/// A discrete state as clocks see it, and its steps.
pub(crate) fn placed(
    composer: &mut Composer<'_>,
    state: &DiscreteState,
) -> Result<(Elapse, Steps), Error> {
    let mut steps = Steps::new();
    composer.steps(state, &mut steps);
    Ok((Elapse::of(composer, state, &steps)?, steps))
}

/// Calls `found` with zones of a discrete state in which a predicate holds and that together are all of
/// these valuations within `part`, until it says true; whether it did.
pub(crate) fn within<'m>(
    (graph, composer): (&ZoneGraph<'m>, &mut Composer<'m>),
    (state, part): (&DiscreteState, &Zone),
    (predicate, span): (&Predicate, Span),
    effort: &mut Effort,
    found: &mut dyn FnMut(Zone) -> Result<bool, Error>,
) -> Result<bool, Error> {
    within_stored((graph, composer), (state, part, None), (predicate, span), effort, found)
}

/// As [`within`], for a stored state with its bits, if comparisons of two clocks are part of it.
pub(crate) fn within_stored<'m>(
    (graph, composer): (&ZoneGraph<'m>, &mut Composer<'m>),
    (state, part, bits): (&DiscreteState, &Zone, Option<u8>),
    (predicate, span): (&Predicate, Span),
    effort: &mut Effort,
    found: &mut dyn FnMut(Zone) -> Result<bool, Error>,
) -> Result<bool, Error> {
    if *predicate != Predicate::Deadlock {
        let holding = satisfying_with((graph, composer), state, bits, predicate, span)?;
        return each(holding.into_zones().into_iter().filter(|zone| zone.intersects(part)), found);
    }
    let (elapse, steps) = placed(composer, state)?;
    deadlocked_within(composer, (state, part), (&elapse, &steps), effort, found)
}

/// As [`within`], for the valuations from which nothing is possible any more; for a discrete state as
/// [`placed`] gives it.
pub(crate) fn deadlocked_within(
    composer: &mut Composer<'_>,
    (state, part): (&DiscreteState, &Zone),
    elapse: (&Elapse, &Steps),
    effort: &mut Effort,
    found: &mut dyn FnMut(Zone) -> Result<bool, Error>,
) -> Result<bool, Error> {
    let mut whole = elapse.0.invariant().clone();
    whole.intersect_zone(part);
    let all = |_: &Step| true;
    let elapse = (&blocked(composer, state, elapse, all)?, elapse.1);
    let lively = lively(composer, state, elapse, all, Some(&whole))?;
    without(&whole, &lively, effort, found)
}

/// As [`deadlocked_within`], for the valuations from which time cannot pass for ever and no step but an
/// open input is possible, now or later: the model is stuck unless the tester sends. Inputs that a process
/// of the environment sends are steps of the model.
pub(crate) fn timelocked_within(
    composer: &mut Composer<'_>,
    (state, part): (&DiscreteState, &Zone),
    elapse: (&Elapse, &Steps),
    effort: &mut Effort,
    found: &mut dyn FnMut(Zone) -> Result<bool, Error>,
) -> Result<bool, Error> {
    let channels = &composer.model().channels;
    let own = |step: &Step| match step.label {
        StepLabel::Input(channel) | StepLabel::Exchange(channel, _) => !channels[channel].open,
        StepLabel::Output(_) | StepLabel::Internal(_) => true,
    };
    let elapse = (&blocked(composer, state, elapse, own)?, elapse.1);
    let mut stuck = elapse.0.expiring();
    stuck.intersect_zone(part);
    if stuck.is_empty() {
        return Ok(false);
    }
    let lively = lively(composer, state, elapse, own, Some(&stuck))?;
    without(&stuck, &lively, effort, found)
}

/// Calls `found` with the pieces of a set that are not in another, until it says true.
fn without(
    whole: &Federation,
    taken: &Federation,
    effort: &mut Effort,
    found: &mut dyn FnMut(Zone) -> Result<bool, Error>,
) -> Result<bool, Error> {
    let mut remainder = whole.remainder(taken);
    while let Some(piece) = effort.next_piece(&mut remainder)? {
        if found(piece)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn each(
    zones: impl Iterator<Item = Zone>,
    found: &mut dyn FnMut(Zone) -> Result<bool, Error>,
) -> Result<bool, Error> {
    for zone in zones {
        if found(zone)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The place with as little urgency as decides where some step that counts is possible, now or later, and
/// where else time ends. At the first moment at which an urgent step is possible, a step is, so that moment
/// keeps nothing from happening. What does are urgent steps that do not count, that lead out of an
/// invariant, or that have no first moment, for a lower bound is strict. These are few, and often none.
fn blocked(
    composer: &mut Composer<'_>,
    state: &DiscreteState,
    (elapse, steps): (&Elapse, &Steps),
    counts: impl Fn(&Step) -> bool,
) -> Result<Elapse, Error> {
    let mut urgent = Federation::empty(elapse.invariant().dimension());
    if !elapse.passes_time() || elapse.urgent().is_empty() {
        return Ok(elapse.clone());
    }
    for step in steps.list.iter().filter(|step| step.urgent) {
        let guard = Jump::of(step, &[])?.predecessor(&Federation::universal(urgent.dimension()));
        if !counts(step) {
            urgent.unite(&guard);
            continue;
        }
        let possible = possible(composer, state, step)?;
        for zone in guard.into_zones() {
            let begins = (1..zone.dimension()).all(|clock| !zone.bound(0, clock).is_strict());
            if begins {
                let zone = Federation::from(zone);
                zone.remainder(&possible).for_each(|piece| urgent.add(piece));
            } else {
                urgent.add(zone);
            }
        }
    }
    Ok(Elapse::new(elapse.invariant().clone(), urgent, true))
}

/// The valuations from which some step that counts is possible, now or later. If these are all of some set, the rest may be
/// missing.
fn lively(
    composer: &mut Composer<'_>,
    state: &DiscreteState,
    (elapse, steps): (&Elapse, &Steps),
    counts: impl Fn(&Step) -> bool,
    enough: Option<&Federation>,
) -> Result<Federation, Error> {
    let mut open = enough.map(|enough| enough.zones().to_vec());
    let mut parts = Vec::new();
    // What leads into a union leads into one of its parts, so large unions need not be made: mostly, each zone of the
    // set is in one part.
    for step in steps.list.iter().filter(|step| counts(step)) {
        let before = elapse.past(&possible(composer, state, step)?);
        if let (Some(open), Some(enough)) = (&mut open, enough) {
            open.retain(|zone| !before.zones().iter().any(|own| own.includes(zone)));
            if open.is_empty() {
                return Ok(enough.clone());
            }
        }
        parts.push(before);
    }
    let mut lively = Federation::empty(elapse.invariant().dimension());
    parts.iter().for_each(|part| lively.unite(part));
    Ok(lively)
}

/// The valuations in which a step is possible: its condition holds, and it leads to where the
/// invariant of its target holds. The invariant of its source is not considered.
pub(crate) fn possible(
    composer: &mut Composer<'_>,
    state: &DiscreteState,
    step: &Step,
) -> Result<Federation, Error> {
    // A step whose update cannot be carried out is no step.
    let Ok(applied) = composer.apply(state, step) else {
        return Ok(Federation::empty(composer.model().clocks.len() + 1));
    };
    let jump = Jump::of(step, &applied.assignments)?;
    Ok(jump.predecessor(&invariant(composer, &applied.target)?))
}
