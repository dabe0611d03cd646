//! The reference semantics: which delays and steps a state allows, and where they lead.
//!
//! A delay `τ` is allowed if the invariants hold after every delay `0 < η ≤ τ`, no process is in an
//! urgent or committed location (unless `τ = 0`), and no urgent step was enabled at any `η < τ`.
//! A step is possible after an allowed delay if its guard holds then, the clock guards of those who
//! stand aside do not, its updates can be carried out, and the invariants of the state it leads to
//! hold. All of this is computed exactly, as sets of delays.

use tioga_base::{Overflow, Rational};
use tioga_model::{Awaiting, ClockGuard, Composer, DiscreteState, EvalFault, Model, Step, Steps};

use crate::interval::{Interval, Intervals};
use crate::observable::Observable;
use crate::state::{Error, State};
use crate::windows::MovingClocks;

/// The reference semantics of one model.
#[derive(Clone, Debug)]
pub struct Semantics<'m> {
    composer: Composer<'m>,
    /// The steps that were enumerated last.
    steps: Steps,
    /// The discrete state they belong to. In a run the same one is often asked about again, with other clock values.
    discrete: Option<DiscreteState>,
}

/// A step and when it is possible.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The step.
    pub step: Step,
    /// The delays after which it is possible; not empty.
    pub windows: Intervals,
}

/// Everything a state allows.
#[derive(Clone, PartialEq, Debug)]
pub struct Allowed {
    /// The delays that are allowed; 0 is always among them.
    pub delays: Interval,
    /// The steps possible after some allowed delay, in the order of enumeration.
    pub choices: Vec<Choice>,
    /// Open inputs whose values must be supplied; nothing is known about their windows.
    pub awaiting: Vec<Awaiting>,
    /// What could not be evaluated: steps that do not exist because of it.
    pub faults: Vec<EvalFault>,
}

/// How a state is stuck.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lock {
    /// Time may pass for ever, but no step is ever possible.
    Deadlock,
    /// No step is ever possible, and time cannot pass beyond a bound either.
    Timelock,
}

impl Allowed {
    /// Whether the state is stuck. An open input that awaits values counts as a possible step.
    pub fn ending(&self) -> Option<Lock> {
        if !self.choices.is_empty() || !self.awaiting.is_empty() {
            return None;
        }
        Some(match self.delays.upper() {
            None => Lock::Deadlock,
            Some(_) => Lock::Timelock,
        })
    }

    /// The steps possible now.
    pub fn now(&self) -> impl Iterator<Item = &Step> {
        let possible = self.choices.iter().filter(|choice| choice.windows.contains(Rational::ZERO));
        possible.map(|choice| &choice.step)
    }
}

impl<'m> Semantics<'m> {
    /// The semantics of a model.
    pub fn new(model: &'m Model) -> Self {
        Self { composer: Composer::new(model), steps: Steps::new(), discrete: None }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.composer.model()
    }

    /// The initial state: all clocks are zero.
    ///
    /// Post: the invariants hold, or the error says that they do not.
    pub fn initial(&mut self) -> Result<State, Error> {
        let discrete = self.composer.initial();
        self.start(discrete)
    }

    /// The state with this discrete part and all clocks zero; for models with symbolic constants.
    pub fn start(&mut self, discrete: DiscreteState) -> Result<State, Error> {
        let clocks = vec![Rational::ZERO; self.model().clocks.len()].into_boxed_slice();
        let state = State { discrete, clocks };
        let invariant = self.composer.invariant(&state.discrete)?;
        let holds = self.moving(&state).when(&invariant)?.contains(Rational::ZERO);
        if holds { Ok(state) } else { Err(Error::NoInitialState) }
    }

    /// What a state allows.
    ///
    /// Pre: the invariants hold in the state.
    pub fn options(&mut self, state: &State) -> Result<Allowed, Error> {
        self.options_for(state, None)
    }

    /// What a state allows, when an open input with values to be supplied carries those of
    /// `observable`.
    pub fn options_for(
        &mut self,
        state: &State,
        observable: Option<&Observable>,
    ) -> Result<Allowed, Error> {
        self.options_among(state, observable, |_| true)
    }

    /// The same as far as it concerns these steps. Which delays are allowed depends on all steps.
    pub fn options_among(
        &mut self,
        state: &State,
        observable: Option<&Observable>,
        concerns: impl Fn(&Step) -> bool,
    ) -> Result<Allowed, Error> {
        let mut steps = self.steps_of(&state.discrete);
        if let Some(observable) = observable {
            self.supply(state, observable, &mut steps);
            self.discrete = None;
        }
        let options = self.options_of(state, &steps, concerns);
        self.steps = steps;
        options
    }

    /// The steps of a discrete state. They are to be put back.
    fn steps_of(&mut self, discrete: &DiscreteState) -> Steps {
        let mut steps = std::mem::take(&mut self.steps);
        if self.discrete.as_ref() != Some(discrete) {
            self.composer.steps(discrete, &mut steps);
            self.discrete = Some(discrete.clone());
        }
        steps
    }

    /// Adds the steps that come from supplying the values of an observable input.
    fn supply(&mut self, state: &State, observable: &Observable, steps: &mut Steps) {
        let wanted = |awaiting: &Awaiting| observable.input() == Some(awaiting.channel);
        let awaiting: Vec<Awaiting> = steps.awaiting.iter().copied().filter(wanted).collect();
        for awaiting in awaiting {
            self.composer.supply(&state.discrete, awaiting, &observable.arguments, steps);
        }
    }

    fn options_of(
        &mut self,
        state: &State,
        steps: &Steps,
        concerns: impl Fn(&Step) -> bool,
    ) -> Result<Allowed, Error> {
        let clocks = self.moving(state);
        let delays = self.delays_among(state, &clocks, steps)?;
        let mut options = Allowed {
            delays,
            choices: Vec::new(),
            awaiting: steps.awaiting.clone(),
            faults: steps.faults.clone(),
        };
        for step in steps.list.iter().filter(|step| concerns(step)) {
            match self.windows_within(state, &clocks, step, delays) {
                Ok(windows) if windows.is_empty() => {}
                Ok(windows) => options.choices.push(Choice { step: step.clone(), windows }),
                Err(Error::Fault(fault)) => options.faults.push(fault),
                Err(error) => return Err(error),
            }
        }
        Ok(options)
    }

    /// The allowed delays, given all steps of the state.
    fn delays_among(
        &mut self,
        state: &State,
        clocks: &MovingClocks,
        steps: &Steps,
    ) -> Result<Interval, Error> {
        if self.composer.stops_time(&state.discrete) {
            return Ok(Intervals::none().initial_stretch());
        }
        let invariant = self.composer.invariant(&state.discrete)?;
        let delays = clocks.when(&invariant)?.initial_stretch();
        let mut urgent = Intervals::none();
        for step in steps.list.iter().filter(|step| step.urgent) {
            urgent = urgent.unite(&enabled(clocks, step)?);
        }
        let both = delays.intersect(&urgent.until());
        Ok(both.expect("both intervals contain the delay 0"))
    }

    /// The delays among `delays` after which a step of this state is possible.
    fn windows_within(
        &mut self,
        state: &State,
        clocks: &MovingClocks,
        step: &Step,
        delays: Interval,
    ) -> Result<Intervals, Error> {
        let guard = enabled(clocks, step)?.intersect(&delays.into());
        if guard.is_empty() {
            return Ok(guard);
        }
        let mut clocks = clocks.clone();
        let applied = self.composer.apply(&state.discrete, step)?;
        let defined = clocks.assign(&applied.assignments)?;
        let invariant = self.composer.invariant(&applied.target)?;
        Ok(guard.intersect(&defined).intersect(&clocks.when(&invariant)?))
    }

    /// The internal step that comes at once and alone in a state, if there is one.
    pub fn instant(&mut self, state: &State) -> Option<Step> {
        let steps = self.steps_of(&state.discrete);
        let instant = self.composer.instant(&state.discrete, &steps).cloned();
        self.steps = steps;
        instant
    }

    /// The delays after which a clock condition holds, allowed or not.
    pub fn when(&self, state: &State, guard: &ClockGuard) -> Result<Intervals, Error> {
        Ok(self.moving(state).when(guard)?)
    }

    /// The state after a delay, or the allowed delays if it is not one of them.
    pub fn delay(
        &mut self,
        state: &State,
        delay: Rational,
    ) -> Result<Result<State, Interval>, Error> {
        let steps = self.steps_of(&state.discrete);
        let delays = self.delays_among(state, &self.moving(state), &steps);
        self.steps = steps;
        let delays = delays?;
        if !delays.contains(delay) {
            return Ok(Err(delays));
        }
        Ok(Ok(state.later(delay)?))
    }

    /// The state after a step that is possible now.
    ///
    /// Pre: the step is one of [`Semantics::options`] of this state with 0 in its windows.
    /// Post: the invariants hold in the result.
    pub fn step(&mut self, state: &State, step: &Step) -> Result<State, Error> {
        let applied = self.composer.apply(&state.discrete, step)?;
        let mut clocks = self.moving(state);
        clocks.assign(&applied.assignments)?;
        Ok(State { discrete: applied.target, clocks: clocks.now() })
    }

    fn moving(&self, state: &State) -> MovingClocks {
        MovingClocks::new(&state.clocks, self.model().scale)
    }
}

impl State {
    /// The same state with all clocks later. Whether the delay is allowed is not checked.
    pub fn later(&self, delay: Rational) -> Result<Self, Overflow> {
        let clocks: Result<Vec<Rational>, Overflow> =
            self.clocks.iter().map(|clock| clock.add(delay)).collect();
        Ok(Self { discrete: self.discrete.clone(), clocks: clocks?.into_boxed_slice() })
    }
}

/// The delays after which the clock conditions of a step hold.
fn enabled(clocks: &MovingClocks, step: &Step) -> Result<Intervals, Overflow> {
    let mut windows = clocks.when(&step.guard)?;
    for blocked in &step.blocked {
        windows = windows.intersect(&clocks.when(&blocked.guard)?.complement());
    }
    Ok(windows)
}
