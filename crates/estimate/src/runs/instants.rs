//! Exact times along a sequence of steps: the least ones with which it is a run of the model.
//!
//! Clock conditions, invariants and observations bound differences of the moments of two steps. The least solution
//! is found by raising moments until all bounds hold. Where moments are only excluded, by strict bounds, they are raised
//! by a small amount that is chosen at the end. What bounds of differences cannot say, disjunctive invariants and urgent
//! steps with clock conditions, is not taken into account; so the run is made once more by the reference semantics,
//! which refuses it if that matters.

use tioga_base::{Id, Rational};
use tioga_concrete::{Observable, Semantics, State};
use tioga_model::{ClockBound, ClockConjunction, ClockId, Composer, DiscreteState, Model, Steps};

use super::explained::RunStep;
use super::trails::Taken;
use crate::Error;

/// A run with times.
pub struct Timed {
    pub steps: Vec<RunStep>,
    pub last: State,
    pub end: Rational,
}

/// `later − earlier ≥ least`, or `>`.
#[derive(Clone, Copy, Debug)]
struct Gap {
    later: usize,
    earlier: usize,
    least: Rational,
    strict: bool,
}

/// A moment: a time, and how many small amounts more.
type Raised = (Rational, i64);

/// The least times of the steps, which last until some time at least.
pub fn timed(model: &Model, path: &[Taken], reached: Rational) -> Result<Timed, Error> {
    let gaps = gaps(model, path, reached)?;
    let moments = least(path.len() + 2, &gaps)?;
    run(model, path, &moments)
}

/// Moment 0 is the start, moment `k` that of the step before position `k`, the last one the end.
fn gaps(model: &Model, path: &[Taken], reached: Rational) -> Result<Vec<Gap>, Error> {
    let mut composer = Composer::new(model);
    let mut state = composer.initial();
    let mut conditions = Conditions {
        scale: model.scale,
        set: vec![(0, Rational::ZERO); model.clocks.len()],
        gaps: Vec::new(),
    };
    conditions.invariant(&mut composer, &state, 0)?;
    for (index, taken) in path.iter().enumerate() {
        let now = index + 1;
        conditions.pass(&mut composer, &state, now)?;
        conditions.all(&taken.guard, now)?;
        if let Some(((from, until), _)) = taken.seen {
            conditions.at_least(now, 0, from);
            conditions.at_least(0, now, until.neg()?);
        }
        let applied = composer.apply(&state, &taken.step).map_err(tioga_symbolic::Error::from)?;
        for one in &applied.assignments {
            let value = conditions.time(one.value)?;
            conditions.set[one.clock.index()] = match one.source {
                None => (now, value),
                Some(source) => {
                    let (since, start) = conditions.set[source.index()];
                    (since, start.add(value)?)
                }
            };
        }
        state = applied.target;
        conditions.invariant(&mut composer, &state, now)?;
    }
    let end = path.len() + 1;
    conditions.pass(&mut composer, &state, end)?;
    conditions.at_least(end, 0, reached);
    Ok(conditions.gaps)
}

struct Conditions {
    scale: i64,
    /// When each clock was set, and to what.
    set: Vec<(usize, Rational)>,
    gaps: Vec<Gap>,
}

impl Conditions {
    fn time(&self, amount: i64) -> Result<Rational, Error> {
        Ok(Rational::new(amount, self.scale)?)
    }

    fn at_least(&mut self, later: usize, earlier: usize, least: Rational) {
        self.gaps.push(Gap { later, earlier, least, strict: false });
    }

    /// Time passes in a state until a moment.
    fn pass(
        &mut self,
        composer: &mut Composer<'_>,
        state: &DiscreteState,
        now: usize,
    ) -> Result<(), Error> {
        self.at_least(now, now - 1, Rational::ZERO);
        let mut steps = Steps::new();
        composer.steps(state, &mut steps);
        let at_once = steps
            .list
            .iter()
            .any(|step| step.urgent && step.guard.is_always() && step.blocked.is_empty());
        if at_once || composer.stops_time(state) {
            self.at_least(now - 1, now, Rational::ZERO);
        }
        self.invariant(composer, state, now)
    }

    fn invariant(
        &mut self,
        composer: &mut Composer<'_>,
        state: &DiscreteState,
        now: usize,
    ) -> Result<(), Error> {
        let invariant = composer.invariant(state).map_err(tioga_symbolic::Error::from)?;
        match &invariant.disjuncts[..] {
            [only] => self.all(only, now),
            _ => Ok(()),
        }
    }

    fn all(&mut self, conjunction: &ClockConjunction, now: usize) -> Result<(), Error> {
        conjunction.iter().try_for_each(|bound| self.bound(bound, now))
    }

    /// `left − right ≤ bound` at a moment.
    fn bound(&mut self, bound: &ClockBound, now: usize) -> Result<(), Error> {
        // A clock is the moment less the moment it was set at, plus what it was set to; no clock is always zero.
        let part = |clock: Option<ClockId>| {
            clock.map_or((now, Rational::ZERO), |clock| self.set[clock.index()])
        };
        let (left, right) = (part(bound.left), part(bound.right));
        let most = self.time(bound.bound)?.sub(left.1)?.add(right.1)?;
        self.gaps.push(Gap {
            later: left.0,
            earlier: right.0,
            least: most.neg()?,
            strict: bound.strict,
        });
        Ok(())
    }
}

/// The least moments that are so far apart.
fn least(count: usize, gaps: &[Gap]) -> Result<Vec<Rational>, Error> {
    let mut moments: Vec<Raised> = vec![(Rational::ZERO, 0); count];
    let mut rounds = 0;
    loop {
        let mut changed = false;
        for gap in gaps {
            let (value, small) = moments[gap.earlier];
            let raised = (value.add(gap.least)?, small + i64::from(gap.strict));
            if moments[gap.later] < raised {
                moments[gap.later] = raised;
                changed = true;
            }
        }
        if !changed {
            break;
        }
        rounds += 1;
        if rounds > count || moments[0] != (Rational::ZERO, 0) {
            return Err(Error::Unsupported("no exact times fit what was observed".to_owned()));
        }
    }
    // A small amount with which all bounds still hold.
    let mut amount = Rational::ONE;
    for gap in gaps {
        let ((later, more), (earlier, less)) = (moments[gap.later], moments[gap.earlier]);
        let slack = later.sub(earlier)?.sub(gap.least)?;
        if less > more && !slack.is_zero() {
            amount = amount.min(slack.div(Rational::integer(less - more + 1))?);
        }
    }
    let half = amount.div(Rational::integer(2))?;
    let exact = moments.into_iter().map(|(value, small)| {
        Ok(if small == 0 { value } else { value.add(half.mul(Rational::integer(small))?)? })
    });
    exact.collect()
}

/// Makes the run by the reference semantics.
fn run(model: &Model, path: &[Taken], moments: &[Rational]) -> Result<Timed, Error> {
    let refused = || Error::Unsupported("the run found is none of the model".to_owned());
    let wrong = |error: tioga_concrete::Error| Error::Unsupported(error.to_string());
    let mut semantics = Semantics::new(model);
    let mut state = semantics.initial().map_err(wrong)?;
    let mut steps = Vec::with_capacity(path.len());
    for (index, taken) in path.iter().enumerate() {
        let passed = moments[index + 1].sub(moments[index])?;
        let before = semantics.delay(&state, passed).map_err(wrong)?.map_err(|_| refused())?;
        let shown = Observable::of(&taken.step);
        let options = semantics.options_for(&before, shown.as_ref()).map_err(wrong)?;
        let same = |step: &&tioga_model::Step| {
            step.participants == taken.step.participants
                && step.label == taken.step.label
                && step.arguments == taken.step.arguments
                && step.reply == taken.step.reply
        };
        let step = options.now().find(same).ok_or_else(refused)?.clone();
        state = semantics.step(&before, &step).map_err(wrong)?;
        let seen = taken.seen.map(|(_, index)| index);
        steps.push(RunStep { step, at: moments[index + 1], before, seen });
    }
    let end = moments[path.len() + 1];
    let passed = end.sub(moments[path.len()])?;
    let last = semantics.delay(&state, passed).map_err(wrong)?.map_err(|_| refused())?;
    Ok(Timed { steps, last, end })
}
