//! What can be observed: `after`, `out` and `in`, as sets of states.
//!
//! # Exactness
//! Without internal steps, the states after a trace are computed exactly. With internal steps, the
//! true set is usually uncountable, because an internal step may happen at any instant of a delay.
//! [`Observer`] then follows runs whose internal steps happen on a grid of step `1 / (u (k + 1))`,
//! where `u` is a common multiple of the model's scale and of the denominators of all delays, and
//! `k` bounds the internal steps of a run.
//!
//! *Why that is fine enough.* All observable actions happen at multiples of `1 / u`, and all
//! constants are multiples of `1 / u`. A clock value, or a difference of two, is a difference of two
//! instants of the run plus a multiple of `1 / u`; whether it meets a bound depends only on the
//! whole part of these instants, in units of `1 / u`, and on the order of their fractional parts.
//! At most `k` instants have a fractional part that is not zero, so moving these parts, in their
//! order, to `1/(k+1), …, k/(k+1)` changes the truth of no guard or invariant.
//!
//! *What is guaranteed.* Every state found is reached by a real run. For every run with at most `k`
//! internal steps there is one found that takes the same steps and differs only in the fractional
//! parts of the instants of internal steps: so the locations, data and the outputs and inputs
//! possible now are exactly right for such runs. [`Observer::is_complete`] says whether some run was
//! cut off because it used up its `k` steps. Delays are those of the states found; a bound on
//! delays that depends on the instant of an internal step is met by these representatives only.

use std::collections::{BTreeMap, BTreeSet};

use tioga_base::{Budget, Overflow, Rational};
use tioga_model::StepLabel;

use crate::interval::{Cut, Interval, Intervals};
use crate::observable::{Observable, Observed};
use crate::state::{Error, State};
use crate::step::{Allowed, Semantics};

/// Follows the set of states a model may be in.
#[derive(Clone, Debug)]
pub struct Observer<'m> {
    semantics: Semantics<'m>,
    /// The states, each with the least number of internal steps used to get there.
    states: BTreeMap<State, u32>,
    internal_steps: u32,
    /// Steps of the grid in one time unit.
    grid: Rational,
    complete: bool,
    budget: Budget,
}

impl<'m> Observer<'m> {
    /// The states before anything was observed, internal steps at time 0 included.
    ///
    /// `denominator` is a common multiple of the denominators of all delays that will be observed,
    /// `internal_steps` the greatest number of internal steps in a run, `budget` bounds the work.
    pub fn new(
        semantics: Semantics<'m>,
        denominator: i64,
        internal_steps: u32,
        budget: Budget,
    ) -> Result<Self, Error> {
        let mut semantics = semantics;
        let units = common_multiple(semantics.model().scale, denominator)?;
        let steps = i64::from(internal_steps) + 1;
        let grid = units.checked_mul(steps).map(Rational::integer).ok_or(Error::Overflow)?;
        let states = BTreeMap::from([(semantics.initial()?, 0)]);
        let mut observer = Self { semantics, states, internal_steps, grid, complete: true, budget };
        observer.delay(Rational::ZERO)?;
        Ok(observer)
    }

    /// The states the model may be in now.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &State> {
        self.states.keys()
    }

    /// Whether the trace is impossible.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Whether no run was cut off for having used up its internal steps.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Observes a delay or an action. An impossible observation leaves no state.
    pub fn observe(&mut self, observed: &Observed) -> Result<(), Error> {
        match observed {
            Observed::Delay(delay) => self.delay(*delay),
            Observed::Action(action) => self.action(action),
        }
    }

    /// Lets time pass, with internal steps at any grid point on the way, both ends included.
    fn delay(&mut self, delay: Rational) -> Result<(), Error> {
        // States by the time still to pass, so that the most time is left first.
        let mut pending: BTreeMap<(Rational, State), u32> = std::mem::take(&mut self.states)
            .into_iter()
            .map(|(state, used)| ((delay, state), used))
            .collect();
        let mut done: BTreeMap<(Rational, State), u32> = BTreeMap::new();
        while let Some(((left, state), used)) = pending.pop_last() {
            // Several ways to get here may differ in the internal steps they used.
            if done.get(&(left, state.clone())).is_some_and(|&before| before <= used) {
                continue;
            }
            self.budget.step()?;
            let options = self.semantics.options(&state)?;
            if options.delays.contains(left) {
                keep_least(&mut self.states, state.later(left)?, used);
            }
            self.internal_steps_from(&state, &options, left, used, &mut pending)?;
            done.insert((left, state), used);
        }
        Ok(())
    }

    fn internal_steps_from(
        &mut self,
        state: &State,
        options: &Allowed,
        left: Rational,
        used: u32,
        pending: &mut BTreeMap<(Rational, State), u32>,
    ) -> Result<(), Error> {
        let Some(reach) = Interval::closed(Rational::ZERO, left) else { return Ok(()) };
        for choice in &options.choices {
            if Observable::of(&choice.step).is_some() {
                continue;
            }
            for window in choice.windows.intersect(&reach.into()).parts() {
                if used >= self.internal_steps {
                    self.complete = false;
                    continue;
                }
                for delay in grid_points(window, self.grid)? {
                    self.budget.step()?;
                    let delay = delay?;
                    let next = self.semantics.step(&state.later(delay)?, &choice.step)?;
                    keep_least(pending, (left.sub(delay)?, next), used + 1);
                }
            }
        }
        Ok(())
    }

    fn action(&mut self, action: &Observable) -> Result<(), Error> {
        for (state, used) in std::mem::take(&mut self.states) {
            self.budget.step()?;
            let options = self.semantics.options_for(&state, Some(action))?;
            for step in options.now().filter(|step| action.matches(step)) {
                let next = self.semantics.step(&state, step)?;
                keep_least(&mut self.states, next, used);
            }
        }
        self.delay(Rational::ZERO)
    }

    /// The outputs and exchanges' outputs possible now.
    pub fn outputs(&mut self) -> Result<BTreeSet<Observable>, Error> {
        self.visible(|label| matches!(label, StepLabel::Output(_) | StepLabel::Exchange(..)))
    }

    /// The inputs possible now, except those that await values.
    pub fn inputs(&mut self) -> Result<BTreeSet<Observable>, Error> {
        self.visible(|label| matches!(label, StepLabel::Input(_) | StepLabel::Exchange(..)))
    }

    /// The delays possible now without an internal step on the way.
    pub fn delays(&mut self) -> Result<Intervals, Error> {
        let mut delays = Intervals::none();
        for state in self.states.keys() {
            let options = self.semantics.options(state)?;
            delays = delays.unite(&options.delays.into());
        }
        Ok(delays)
    }

    /// What each of the states allows, in order.
    pub fn options(&mut self) -> Result<Vec<Allowed>, Error> {
        self.states.keys().map(|state| self.semantics.options(state)).collect()
    }

    fn visible(
        &mut self,
        wanted: impl Fn(StepLabel) -> bool,
    ) -> Result<BTreeSet<Observable>, Error> {
        let options = self.options()?;
        let steps = options.iter().flat_map(Allowed::now).filter(|step| wanted(step.label));
        Ok(steps.filter_map(Observable::of).collect())
    }
}

/// The states after a trace, found as the module says. Empty if the trace is impossible.
pub fn after<'m>(
    semantics: Semantics<'m>,
    trace: &[Observed],
    internal_steps: u32,
    budget: Budget,
) -> Result<Observer<'m>, Error> {
    let mut denominator = 1;
    for observed in trace {
        if let Observed::Delay(delay) = observed {
            denominator = common_multiple(denominator, delay.denominator())?;
        }
    }
    let mut observer = Observer::new(semantics, denominator, internal_steps, budget)?;
    for observed in trace {
        observer.observe(observed)?;
    }
    Ok(observer)
}

fn keep_least<K: Ord>(map: &mut BTreeMap<K, u32>, key: K, used: u32) {
    let least = map.entry(key).or_insert(used);
    *least = used.min(*least);
}

/// The multiples of `1 / grid` in a bounded interval, in order.
pub(crate) fn grid_points(
    interval: &Interval,
    grid: Rational,
) -> Result<impl Iterator<Item = Result<Rational, Overflow>> + use<>, Overflow> {
    let (first, last) = grid_range(interval, grid)?;
    Ok((first..=last).map(move |step| Rational::integer(step).div(grid)))
}

/// The least and greatest integers `n` with `n / grid` in a bounded interval; none if the first is
/// greater than the second.
pub(crate) fn grid_range(interval: &Interval, grid: Rational) -> Result<(i64, i64), Overflow> {
    let (lower, lower_open) = interval.lower();
    let scaled = lower.mul(grid)?;
    let first =
        if lower_open { scaled.floor().checked_add(1).ok_or(Overflow)? } else { scaled.ceil() };
    let (upper, upper_open) = interval.upper().ok_or(Overflow)?;
    let scaled = upper.mul(grid)?;
    let last =
        if upper_open { scaled.ceil().checked_sub(1).ok_or(Overflow)? } else { scaled.floor() };
    Ok((first, last))
}

/// The least common multiple of two positive numbers.
pub(crate) fn common_multiple(left: i64, right: i64) -> Result<i64, Overflow> {
    // In lowest terms, `left / right` has the denominator `right / gcd`.
    let ratio = Rational::new(left, right)?;
    left.checked_mul(ratio.denominator()).ok_or(Overflow)
}

impl Interval {
    /// The part of the interval not after a delay.
    pub(crate) fn up_to(&self, delay: Rational) -> Option<Self> {
        self.intersect(&Self::between(Cut::ZERO, Some(Cut::after(delay)))?)
    }
}
