//! A model as the system: what it may do is chosen by a policy.
//!
//! The system owns every step that is not an input: outputs and internal steps. When it must decide, it
//! draws a step and its moment, and keeps to them until an input changes its state. An input that the
//! model does not accept is ignored, so every model can be run. If tester and system want to act at the
//! same moment, the policy decides the order.
//!
//! The environment of a closed model is the tester's to play, and what it does unseen the system cannot
//! know. So the system is what [`Model::system_alone`] leaves of the model. Where both share more than
//! their interface, they are run together; that is right if the tester can tell from what it sends and
//! hears where the environment is.

use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};
use tioga_base::{Cancel, Moment, Rational};
use tioga_concrete::{
    Allowed, Chance, Choice, Error, Fairness, Interval, Observable, Semantics, State, TraceEvent,
    label_of, observable, rational_values,
};
use tioga_model::{Model, Step, StepLabel};
use tioga_testcase::Action;

use crate::fault::{Fault, FaultKind};
use crate::system::{Heard, Ignored, System};

/// How a model resolves its choices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Any step at any moment, and sometimes none where nothing forces one. Fair: what is possible
    /// again and again happens.
    #[default]
    Random,
    /// As late as possible, and not at all where nothing forces it.
    Lazy,
    /// As early as possible.
    Eager,
    /// Whatever the test does not hope for; if there is nothing else, as late as possible.
    Hostile,
    /// Everything in turn, see [`Fairness`]. Never silent for ever where a step stays possible.
    Fair,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 5] = [Self::Random, Self::Lazy, Self::Eager, Self::Hostile, Self::Fair];

    /// What it is called on the command line and in journals.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Lazy => "lazy",
            Self::Eager => "eager",
            Self::Hostile => "hostile",
            Self::Fair => "fair",
        }
    }
}

/// Of so many decisions in a state that may stay silent for ever, one is to stay silent.
const SILENCES: usize = 8;

/// How long a random step may take at most where the model sets no bound, unless its constants are larger.
const HORIZON: Rational = Rational::integer(10);

/// How many internal steps may happen at one moment.
const INTERNAL_AT_ONCE: usize = 1000;

/// A step that a model took in a run.
#[derive(Clone, PartialEq, Debug)]
pub struct TakenStep {
    /// When.
    pub at: Rational,
    /// The state before it.
    pub before: State,
    /// The step.
    pub step: Step,
}

/// A model that answers.
pub struct ModelSystem<'m> {
    semantics: Semantics<'m>,
    state: Option<State>,
    policy: Policy,
    chance: Chance,
    /// The choices of a fair system, and the moments of any other.
    fairness: Fairness,
    now: Rational,
    /// What happens next, and when; nothing if nothing does.
    decided: Option<Option<(Rational, Step)>>,
    /// Whether the tester may still act before it at the same moment.
    yields: bool,
    /// The output of a Mealy step whose input has been taken.
    owes: Option<Action>,
    /// The first input that was ignored.
    ignored: Option<Ignored>,
    /// When time stopped.
    stopped: Option<Moment>,
    /// Ends a wait early.
    cancel: Cancel,
    /// Where the steps of the run under way are kept, if they are wanted.
    record: Option<Arc<Mutex<Vec<TakenStep>>>>,
}

impl<'m> ModelSystem<'m> {
    /// The system that behaves as the system of the model.
    pub fn new(model: &'m Model, policy: Policy) -> Self {
        let model = model.system_alone().ok().flatten().unwrap_or(model);
        Self {
            semantics: Semantics::new(model),
            state: None,
            policy,
            chance: Chance::new(0),
            fairness: Fairness::new(model),
            now: Rational::ZERO,
            decided: None,
            yields: false,
            owes: None,
            ignored: None,
            stopped: None,
            cancel: Cancel::new(),
            record: None,
        }
    }

    /// The same, which keeps the steps of the run under way to be looked at.
    #[must_use]
    pub fn recording(self, record: Arc<Mutex<Vec<TakenStep>>>) -> Self {
        Self { record: Some(record), ..self }
    }

    fn model(&self) -> &'m Model {
        self.semantics.model()
    }

    /// What the system does next, if nothing comes in between.
    fn decide(&mut self, awaited: &[Action]) -> Result<Option<(Rational, Step)>, Error> {
        if let Some(decided) = &self.decided {
            return Ok(decided.clone());
        }
        let state = self.state.clone().expect("a run has begun");
        let options = self.semantics.options_among(&state, None, |step| !is_input(step))?;
        let own = &options.choices[..];
        let chosen = match self.policy {
            _ if own.is_empty() => None,
            Policy::Random => self.any(&state, &options)?,
            Policy::Fair => self.in_turn(&state, &options)?,
            Policy::Eager => earliest(own.iter()),
            Policy::Lazy => latest(&options),
            Policy::Hostile => {
                let hoped = |step: &Step| {
                    action_of(self.model(), step).is_some_and(|action| awaited.contains(&action))
                };
                let others = own.iter().filter(|choice| !hoped(&choice.step));
                earliest(others).or_else(|| latest(&options))
            }
        };
        let decided = match chosen {
            None => None,
            Some((delay, step)) => Some((self.now.add(delay)?, step)),
        };
        self.decided = Some(decided.clone());
        self.yields = match self.policy {
            Policy::Random | Policy::Fair => self.chance.position(2) == 0,
            Policy::Lazy => true,
            Policy::Eager | Policy::Hostile => false,
        };
        Ok(decided)
    }

    /// Any of the steps at any moment, or none where nothing forces one.
    fn any(&mut self, state: &State, options: &Allowed) -> Result<Option<(Rational, Step)>, Error> {
        let own = &options.choices;
        if options.delays.upper().is_none() && self.chance.position(SILENCES) == 0 {
            return Ok(None);
        }
        let Choice { step, windows } = &own[self.chance.position(own.len())];
        let moment = self.fairness.moment(state, windows, HORIZON, &mut self.chance)?;
        Ok(moment.map(|delay| (delay, step.clone())))
    }

    /// The step whose turn it is; or none, to let the windows pass.
    fn in_turn(
        &mut self,
        state: &State,
        options: &Allowed,
    ) -> Result<Option<(Rational, Step)>, Error> {
        let may_let_pass = self.may_let_pass(state, options)?;
        let own = &options.choices;
        let chosen = self.fairness.choose(state, own, may_let_pass, &mut self.chance)?;
        Ok(chosen.map(|(choice, delay)| (delay, own[choice].step.clone())))
    }

    /// Whether time may pass beyond all steps of the system: it may for ever, or the tester can act then.
    fn may_let_pass(&mut self, state: &State, options: &Allowed) -> Result<bool, Error> {
        let parts = options.choices.iter().flat_map(|one| one.windows.parts());
        let Some(ends) = parts.map(Interval::upper).collect::<Option<Vec<_>>>() else {
            return Ok(false);
        };
        let Some((last, _)) = ends.into_iter().max() else { return Ok(false) };
        if options.delays.upper().is_none() {
            return Ok(true);
        }
        let beyond = |part: &Interval| part.upper().is_none_or(|(end, _)| end > last);
        let inputs = self.semantics.options_among(state, None, is_input)?.choices;
        Ok(inputs.iter().any(|choice| choice.windows.parts().iter().any(beyond)))
    }

    /// Lets time pass to a moment of the future.
    fn pass(&mut self, until: Rational) -> Result<(), Error> {
        let state = self.state.as_ref().expect("a run has begun");
        self.state = Some(state.later(until.sub(self.now)?)?);
        self.now = until;
        Ok(())
    }

    fn take(&mut self, step: &Step) -> Result<(), Error> {
        let state = self.state.as_ref().expect("a run has begun");
        if let Some(mut record) = self.record.as_ref().and_then(|record| record.lock().ok()) {
            record.push(TakenStep { at: self.now, before: state.clone(), step: step.clone() });
        }
        self.state = Some(self.semantics.step(state, step)?);
        self.decided = None;
        Ok(())
    }

    fn receive(&mut self, input: &Action) -> Result<(), Error> {
        let state = self.state.as_ref().expect("a run has begun");
        let model = self.semantics.model();
        let takes = |step: &Step| is_taking(model, step, input);
        let supplied = supplied(model, input);
        let options = self.semantics.options_among(state, supplied.as_ref(), takes)?;
        let taking: Vec<Step> = options.now().cloned().collect();
        if taking.is_empty() {
            let at = Moment::exactly(self.now);
            self.ignored.get_or_insert_with(|| Ignored { at, action: input.clone() });
            return Ok(());
        }
        let chosen = self.chance.position(taking.len());
        self.owes = reply_of(self.model(), &taking[chosen]);
        self.take(&taking[chosen])
    }

    /// What is heard until then; nothing at all if internal steps follow each other without end.
    fn proceed(&mut self, until: Rational, awaited: &[Action]) -> Result<Option<Heard>, Error> {
        if let Some(action) = self.owes.take() {
            return Ok(Some(Heard::Output { at: Moment::exactly(self.now), action }));
        }
        let mut at_once = 0;
        while at_once < INTERNAL_AT_ONCE {
            let next = self.decide(awaited)?;
            // A system that gave way once has waited long enough.
            let next = next.filter(|(at, _)| {
                *at < until || (*at == until && !std::mem::take(&mut self.yields))
            });
            let Some((at, step)) = next else {
                // A model that can neither make a step nor let time pass stays where it is.
                let state = self.state.clone().expect("a run has begun");
                match self.semantics.delay(&state, until.sub(self.now)?)? {
                    Ok(later) => self.state = Some(later),
                    Err(_) => {
                        self.stopped.get_or_insert(Moment::exactly(self.now));
                        self.decided = Some(None);
                    }
                }
                self.now = until;
                return Ok(Some(Heard::Nothing { now: Moment::exactly(until) }));
            };
            at_once = if at > self.now { 1 } else { at_once + 1 };
            self.pass(at)?;
            self.take(&step)?;
            if self.cancel.is_cancelled() {
                return Ok(Some(Heard::Nothing { now: Moment::exactly(self.now) }));
            }
            if let Some(action) = action_of(self.model(), &step) {
                return Ok(Some(Heard::Output { at: Moment::exactly(at), action }));
            }
        }
        Ok(None)
    }
}

impl System for ModelSystem<'_> {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        self.chance = Chance::new(seed);
        self.fairness.begin();
        self.now = Rational::ZERO;
        (self.decided, self.owes) = (None, None);
        (self.ignored, self.stopped) = (None, None);
        self.state = Some(self.semantics.initial().map_err(fault)?);
        if let Some(mut record) = self.record.as_ref().and_then(|record| record.lock().ok()) {
            record.clear();
        }
        Ok(())
    }

    fn stop_with(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        Moment::exactly(self.now)
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        self.receive(input).map_err(fault)?;
        Ok(Moment::exactly(self.now))
    }

    fn wait(&mut self, until: Rational, awaited: &[Action]) -> Result<Heard, Fault> {
        let heard = self.proceed(until.max(self.now), awaited).map_err(fault)?;
        heard.ok_or_else(|| {
            let evidence = format!("{INTERNAL_AT_ONCE} internal steps at {}", self.now);
            Fault::new(FaultKind::Hang, evidence)
        })
    }

    fn ignored(&self) -> Option<Ignored> {
        self.ignored.clone()
    }

    fn stopped(&self) -> Option<Moment> {
        self.stopped
    }

    /// What comes at once and alone belongs to the step before it, also if the run is over with that.
    fn finish(&mut self) -> Result<(), Fault> {
        for _ in 0..INTERNAL_AT_ONCE {
            let Some(state) = self.state.as_ref().filter(|_| self.record.is_some()) else { break };
            let Some(step) = self.semantics.instant(state) else { break };
            self.take(&step).map_err(fault)?;
        }
        Ok(())
    }
}

/// A model that cannot be followed is a system that ended.
fn fault(error: Error) -> Fault {
    Fault::new(FaultKind::Crash, error.to_string())
}

fn is_input(step: &Step) -> bool {
    matches!(step.label, StepLabel::Input(_) | StepLabel::Exchange(..))
}

/// Whether a step takes this input.
fn is_taking(model: &Model, step: &Step, input: &Action) -> bool {
    let (StepLabel::Input(channel) | StepLabel::Exchange(channel, _)) = step.label else {
        return false;
    };
    let name = &model.channels[channel].name;
    *name == input.channel
        && Action::new(name.clone(), &rational_values(model, channel, &step.arguments)) == *input
}

/// The output at the end of a Mealy step.
fn reply_of(model: &Model, step: &Step) -> Option<Action> {
    match label_of(model, step) {
        TraceEvent::Exchange(_, _, channel, values) => Some(Action::new(channel, &values)),
        _ => None,
    }
}

/// The output that a step of the system shows to a tester.
fn action_of(model: &Model, step: &Step) -> Option<Action> {
    match label_of(model, step) {
        TraceEvent::Output(channel, values) => Some(Action::new(channel, &values)),
        _ => None,
    }
}

/// The input with its values, if it carries some.
fn supplied(model: &Model, input: &Action) -> Option<Observable> {
    if input.values.is_empty() {
        return None;
    }
    let values: Option<Vec<Rational>> =
        input.values.iter().map(|value| value.parse().ok()).collect();
    observable(model, &TraceEvent::Input(input.channel.clone(), values?)).ok()?
}

fn earliest<'c>(own: impl Iterator<Item = &'c Choice>) -> Option<(Rational, Step)> {
    let mut best: Option<(Rational, &Step)> = None;
    for Choice { step, windows } in own {
        for part in windows.parts() {
            let delay = part.earliest();
            if best.is_none_or(|(least, _)| delay < least) {
                best = Some((delay, step));
            }
        }
    }
    best.map(|(delay, step)| (delay, step.clone()))
}

/// The latest moment of a step, if time ends at all.
fn latest(options: &Allowed) -> Option<(Rational, Step)> {
    options.delays.upper()?;
    let mut best: Option<(Rational, &Step)> = None;
    for Choice { step, windows } in &options.choices {
        for part in windows.parts() {
            let delay = part.latest();
            if best.is_none_or(|(most, _)| delay > most) {
                best = Some((delay, step));
            }
        }
    }
    best.map(|(delay, step)| (delay, step.clone()))
}
