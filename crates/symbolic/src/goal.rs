//! Which clock valuations of a discrete state satisfy a predicate, exactly.

use tioga_base::Span;
use tioga_model::{Composer, DiscreteState, Predicate, Step, StepLabel, Steps};
use tioga_zones::Federation;

use crate::conditions::constrain;
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
    match predicate {
        Predicate::Holds(condition) => {
            let guard = composer.condition(state, condition, span)?;
            let mut holding = Federation::empty(graph.dimension());
            if guard.is_never() {
                return Ok(holding);
            }
            for inside in invariant(composer, state)?.zones() {
                for conjunction in &guard.disjuncts {
                    let mut zone = inside.clone();
                    if constrain(&mut zone, conjunction)? {
                        holding.add(zone);
                    }
                }
            }
            Ok(holding)
        }
        Predicate::NoDeadlock => {
            let elapse = graph.elapse(composer, state, &mut Steps::new())?;
            lively(composer, state, &elapse, |_| true)
        }
        Predicate::Deadlock => {
            let elapse = graph.elapse(composer, state, &mut Steps::new())?;
            let mut dead = elapse.invariant().clone();
            dead.subtract(&lively(composer, state, &elapse, |_| true)?);
            Ok(dead)
        }
    }
}

/// The valuations of a discrete state from which time cannot pass for ever and no step but an open
/// input is possible, now or later: the model is stuck unless the tester sends. Inputs that a
/// process of the environment sends are steps of the model.
pub(crate) fn timelocked<'m>(
    graph: &ZoneGraph<'m>,
    composer: &mut Composer<'m>,
    state: &DiscreteState,
) -> Result<Federation, Error> {
    let elapse = graph.elapse(composer, state, &mut Steps::new())?;
    let mut stuck = elapse.expiring();
    if stuck.is_empty() {
        return Ok(stuck);
    }
    let own = |step: &Step| match step.label {
        StepLabel::Input(channel) | StepLabel::Exchange(channel, _) => {
            !graph.model().channels[channel].open
        }
        StepLabel::Output(_) | StepLabel::Internal(_) => true,
    };
    stuck.subtract(&lively(composer, state, &elapse, own)?);
    Ok(stuck)
}

/// The valuations from which some step that counts is possible, now or later.
fn lively(
    composer: &mut Composer<'_>,
    state: &DiscreteState,
    elapse: &Elapse,
    counts: impl Fn(&Step) -> bool,
) -> Result<Federation, Error> {
    let mut steps = Steps::new();
    composer.steps(state, &mut steps);
    let mut lively = Federation::empty(elapse.invariant().dimension());
    for step in steps.list.iter().filter(|step| counts(step)) {
        lively.unite(&possible(composer, state, step)?);
    }
    Ok(elapse.past(&lively))
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
