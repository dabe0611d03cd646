//! Where the system's cooperation is needed, and a run on which it cooperates.
//!
//! Following the strategy with a system that always cooperates gives the *intended run*. A state on
//! it whose next step the tester cannot enforce is a control loss; there, moves of the system that
//! lead elsewhere must not come first.

use std::collections::BTreeSet;

use crate::{Decision, Rank, RankTable, Ranked, decide};
use tioga_base::Rational;
use tioga_concrete::{Choice, Error, Semantics, State};
use tioga_model::{ClockBound, Composer, Control, DiscreteState, Step, Steps};

/// One step of the intended run.
#[derive(Clone, PartialEq, Debug)]
pub struct Intended {
    /// The state before it.
    pub state: State,
    /// Its rank.
    pub rank: Rank,
    /// How long to wait.
    pub delay: Rational,
    /// The move then made; none if only time passes.
    pub step: Option<Step>,
    /// The moves of the system that must not come first, if cooperation is needed.
    pub feared: Vec<Step>,
}

/// How many steps of the intended run are followed.
const LONGEST: usize = 10_000;

/// The intended run from a state: until the objective is reached or there are no ranks. `ranked` computes the ranks of a
/// discrete state; it is asked once for each state on the run, and for those one step away, and the table keeps them.
pub fn intended_run(
    semantics: &mut Semantics<'_>,
    table: &mut RankTable,
    ranked: &mut dyn FnMut(&DiscreteState) -> Option<Ranked>,
    from: &State,
) -> Result<Vec<Intended>, Error> {
    let model = semantics.model();
    let mut composer = Composer::new(model);
    let mut steps = Steps::new();
    let mut state = from.clone();
    let mut run = Vec::new();
    let mut asked = BTreeSet::new();
    let mut ask = |table: &mut RankTable, state: &DiscreteState| {
        if asked.insert(state.clone())
            && let Some(ranked) = ranked(state)
        {
            table.places.insert(state.clone(), ranked);
        }
    };
    while run.len() < LONGEST {
        composer.steps(&state.discrete, &mut steps);
        ask(table, &state.discrete);
        for step in &steps.list {
            if let Ok(applied) = composer.apply(&state.discrete, step) {
                ask(table, &applied.target);
            }
        }
        let table = &*table;
        let (rank, delay, step) = match decide(semantics, table, &state)? {
            Decision::Done | Decision::Astray => break,
            Decision::Play { rank, step } => {
                (rank, Rational::ZERO, Some(steps.list[step as usize].clone()))
            }
            Decision::Wait { rank, until, awaited, .. } => {
                let helpful = helpful(semantics, table, &state, rank, until, &awaited, &steps)?;
                match (helpful, until) {
                    (Some((delay, step)), _) => (rank, delay, Some(step)),
                    (None, Some(until)) => (rank, until, None),
                    (None, None) => break,
                }
            }
        };
        let feared = if rank.is_controlled() {
            Vec::new()
        } else {
            feared(semantics, table, &state, rank, delay)?
        };
        let mut next = state.later(delay)?;
        if let Some(step) = &step {
            next = semantics.step(&next, step)?;
        }
        run.push(Intended { state, rank, delay, step, feared });
        state = next;
    }
    Ok(run)
}

/// The rank that a table gives to a state.
pub fn rank_of(table: &RankTable, scale: i64, state: &State) -> Option<Rank> {
    table.rank(&state.discrete, |bound| satisfies(state, scale, bound))
}

fn satisfies(state: &State, scale: i64, bound: &ClockBound) -> bool {
    let value = |clock: Option<tioga_model::ClockId>| {
        clock.map_or(Rational::ZERO, |clock| state.clock(clock))
    };
    let limit = Rational::new(bound.bound, scale);
    match (value(bound.left).sub(value(bound.right)), limit) {
        (Ok(difference), Ok(limit)) if bound.strict => difference < limit,
        (Ok(difference), Ok(limit)) => difference <= limit,
        _ => false,
    }
}

/// The results of a move, depending on its time: moments in the windows of the choice, rising, each
/// with the rank of the state after the move then. Between two neighbours the rank is that of one of
/// them.
pub fn outcomes(
    semantics: &mut Semantics<'_>,
    table: &RankTable,
    state: &State,
    choice: &Choice,
) -> Result<Vec<(Rational, Option<Rank>)>, Error> {
    let scale = semantics.model().scale;
    let mut outcomes = Vec::new();
    for moment in moments(semantics, table, state, choice)? {
        let after = semantics.step(&state.later(moment)?, &choice.step)?;
        outcomes.push((moment, rank_of(table, scale, &after)));
    }
    Ok(outcomes)
}

/// The earliest awaited move that lowers the rank.
fn helpful(
    semantics: &mut Semantics<'_>,
    table: &RankTable,
    state: &State,
    rank: Rank,
    until: Option<Rational>,
    awaited: &[u32],
    steps: &Steps,
) -> Result<Option<(Rational, Step)>, Error> {
    let scale = semantics.model().scale;
    let mut best: Option<(Rational, Step)> = None;
    for choice in semantics.options(state)?.choices {
        if !awaited.iter().any(|step| steps.list[*step as usize] == choice.step) {
            continue;
        }
        for delay in moments(semantics, table, state, &choice)? {
            let later = until.is_some_and(|until| delay >= until)
                || best.as_ref().is_some_and(|(best, _)| delay >= *best);
            if later {
                break;
            }
            let after = semantics.step(&state.later(delay)?, &choice.step)?;
            if rank_of(table, scale, &after).is_some_and(|after| after < rank) {
                best = Some((delay, choice.step.clone()));
                break;
            }
        }
    }
    Ok(best)
}

/// The system's moves that could come during the delay or at its end and lead to no lower rank.
pub fn feared(
    semantics: &mut Semantics<'_>,
    table: &RankTable,
    state: &State,
    rank: Rank,
    delay: Rational,
) -> Result<Vec<Step>, Error> {
    let scale = semantics.model().scale;
    let mut feared = Vec::new();
    for choice in semantics.options(state)?.choices {
        if choice.step.control == Control::Controllable {
            continue;
        }
        for moment in moments(semantics, table, state, &choice)? {
            if moment > delay {
                break;
            }
            let after = semantics.step(&state.later(moment)?, &choice.step)?;
            if rank_of(table, scale, &after).is_none_or(|after| after >= rank) {
                feared.push(choice.step);
                break;
            }
        }
    }
    Ok(feared)
}

/// Moments at which a move is possible, rising: between two of them the rank after the move does
/// not change. They are where a clock meets a constant of the table, the middles between, and
/// where the move becomes possible or ceases to be.
fn moments(
    semantics: &mut Semantics<'_>,
    table: &RankTable,
    state: &State,
    choice: &Choice,
) -> Result<Vec<Rational>, Error> {
    let model = semantics.model();
    let target = Composer::new(model).apply(&state.discrete, &choice.step)?.target;
    let mut ends = vec![Rational::ZERO];
    for part in choice.windows.parts() {
        ends.push(part.lower().0);
        ends.extend(part.upper().map(|(upper, _)| upper));
    }
    let levels = table.places.get(&target).map_or(&[][..], |ranked| &ranked.levels[..]);
    for bound in levels.iter().flat_map(|level| level.zones.iter().flatten()) {
        let constant = Rational::new(bound.bound, model.scale)?;
        // After the move either clock may have been set, then the other alone decides.
        for (clock, limit) in [(bound.left, constant), (bound.right, constant.neg()?)] {
            let Some(clock) = clock else { continue };
            ends.push(limit.sub(state.clock(clock))?);
        }
    }
    ends.retain(|end| !end.is_negative());
    ends.sort();
    ends.dedup();
    let mut moments = Vec::new();
    for (index, end) in ends.iter().enumerate() {
        moments.push(*end);
        let next = ends.get(index + 1).copied().map_or_else(|| end.add(Rational::ONE), Ok)?;
        moments.push(end.add(next)?.div(Rational::integer(2))?);
    }
    moments.retain(|moment| choice.windows.contains(*moment));
    Ok(moments)
}
