//! Online testing, without a test case: the set of states that explain what was observed says what may
//! be sent and what may come; ranks or chance decide what to do.
//!
//! The model may be nondeterministic and have internal steps. At random only inputs are sent that every
//! explanation accepts: they are what BJSK12 keeps when it approximates inputs from below. What leads to the goal may
//! be sent if some explanation accepts it, for then it follows a trace of the model. A run fails if nothing explains it.
//! With a goal it passes when the goal holds in every explanation; without one it passes when it has lasted long enough.
//!
//! The tester plays the environment of a closed model. Hidden steps of the environment are its own
//! choices, which need no message: the estimate follows all of them, and an input may be sent if some
//! of them lead to it. Whether the system takes it, and whether the system is at fault for an
//! unexplained observation, is for the system alone to say ([`Model::system_alone`]), of which another
//! estimate is kept; where both cannot be separated, it is for the model whose environment hinders nothing
//! ([`Model::unhindered`]). What the system may do and its environment cannot accept is a mistake of the
//! model.

mod ends;
mod guide;

use std::collections::BTreeSet;

use tioga_adapters::SchedulingDelay;
use tioga_base::{Cancel, Moment, Overflow, Rational, Times};
use tioga_concrete::{Chance, Semantics};
use tioga_data::Classes;
use tioga_estimate::{Estimator, Expected, Explained, Latencies, ModelBoard};
use tioga_model::{DiscreteState, Model, Predicate};
use tioga_observe::{History, Losing, Observation, unspecified};
use tioga_testcase::{Action, RankTable, Verdict};

use super::class_guide::ClassGuide;
use super::estimates::{Terms, alone, estimator, unhindered, whole};
use super::grid::Grid;
use super::oracle::Oracle;
use super::proposals::Proposals;
use super::tester::{Conclusion, Plan, Tester};
use crate::error::Error;

/// What online testing is about, and how long it lasts.
#[derive(Clone, Debug)]
pub struct OnlineOptions<'m> {
    /// What to reach; without a goal everything that conforms passes.
    pub goal: Option<&'m Predicate>,
    /// Where the goal can still be reached; by default everywhere.
    pub keep: Option<&'m Predicate>,
    /// Ranks that lead there, computed as if every step were seen; chance decides without.
    pub guide: Option<&'m RankTable>,
    /// How many inputs and outputs a run may have.
    pub actions: u64,
    /// When a run without a goal is over; by default when nothing more happens, or after so many inputs and outputs.
    pub lasts: Option<Rational>,
    /// How long a random tester waits at most between two inputs.
    pub longest_wait: Rational,
    /// How long messages may be under way.
    pub latencies: Latencies,
    /// What decides random choices.
    pub seed: u64,
}

/// A tester that knows the model only.
pub struct OnlineTester<'m> {
    options: OnlineOptions<'m>,
    cancel: Cancel,
    estimator: Estimator<ModelBoard<'m>>,
    /// Of a closed model, what the system alone may have done.
    alone: Option<Estimator<ModelBoard<'m>>>,
    /// Of a closed model without that, what the system may have done if the environment hindered nothing.
    unhindered: Option<Estimator<ModelBoard<'m>>>,
    /// Whether the system alone explains what was observed last.
    system_explains: bool,
    /// What explains the run if inputs were lost.
    losing: Losing<ModelBoard<'m>>,
    semantics: Semantics<'m>,
    /// The classes of data that the guide is about, if it is.
    classes: Option<ClassGuide<'m>>,
    latency: Latencies,
    history: History,
    chance: Chance,
    now: Rational,
    actions: u64,
    /// What was sent although not every explanation takes it.
    guesses: Vec<Action>,
    /// Until when a random tester has decided to wait.
    waits: Option<Rational>,
    /// By when the tester has to send something, because nothing else can happen then.
    obliged: Option<Rational>,
    /// Whether it may have to, for all that is known.
    may_be_obliged: bool,
    /// How often the tester waited since something happened.
    idle: u32,
    /// When something happened last.
    last: Rational,
    /// Whether to wait until it is clearer where the system is, if that is possible.
    patient: bool,
    /// Values for inputs that carry many, if there are such inputs.
    proposals: Option<Proposals<'m>>,
    /// When inputs may be sent, if not at any time.
    grid: Option<Grid>,
    /// Whether the tester acts exactly when it plans to, and not shortly after.
    exact: bool,
}

/// After so many waits in which nothing happens, nothing will, if they took long enough.
const IDLE: u32 = 50;

impl<'m> OnlineTester<'m> {
    /// A tester at the start of a run.
    pub fn new(model: &'m Model, options: OnlineOptions<'m>) -> Result<Self, Error> {
        Self::made(model, options, Proposals::new(model))
    }

    fn made(
        model: &'m Model,
        options: OnlineOptions<'m>,
        proposals: Option<Proposals<'m>>,
    ) -> Result<Self, Error> {
        let (latency, cancel) = (options.latencies, Cancel::new());
        let new = Terms { latency, lenient: false, cancel: &cancel };
        Ok(Self {
            estimator: estimator(model, &[options.goal, options.keep], new)?,
            alone: alone(model, new)?,
            unhindered: unhindered(model, new)?,
            system_explains: false,
            losing: Losing::new(whole(model, new)?, latency),
            cancel,
            semantics: Semantics::new(model),
            classes: None,
            latency,
            history: History::new(latency, Times::of(model.time_unit)),
            chance: Chance::new(options.seed),
            options,
            now: Rational::ZERO,
            actions: 0,
            guesses: Vec::new(),
            waits: None,
            obliged: None,
            may_be_obliged: false,
            idle: 0,
            last: Rational::ZERO,
            patient: false,
            proposals,
            grid: None,
            exact: false,
        })
    }

    /// A tester that only judges given inputs. A run passes where it reaches the goal; without one, a
    /// run that conforms to its end passes if `passes`, but not before it has lasted as long as given.
    pub fn judge(
        model: &'m Model,
        goal: Option<&'m Predicate>,
        lasts: Option<Rational>,
        latencies: Latencies,
        passes: bool,
    ) -> Result<Self, Error> {
        let options = OnlineOptions {
            goal,
            keep: None,
            guide: None,
            actions: if passes { 0 } else { u64::MAX },
            lasts,
            longest_wait: Rational::ONE,
            latencies,
            seed: 0,
        };
        Self::new(model, options)
    }

    /// A tester that only says whether a given run in virtual time conforms, and whether it reaches the goal.
    pub fn observer(model: &'m Model, goal: &'m Predicate) -> Result<Self, Error> {
        let options = OnlineOptions {
            goal: Some(goal),
            keep: None,
            guide: None,
            actions: u64::MAX,
            lasts: None,
            longest_wait: Rational::ONE,
            latencies: Latencies::NONE,
            seed: 0,
        };
        Ok(Self::made(model, options, None)?.in_virtual_time())
    }

    /// Time is virtual. There is no scheduling delay then, so nothing of the run has to be kept to be
    /// judged again, and memory does not grow with it.
    #[must_use]
    pub fn in_virtual_time(mut self) -> Self {
        self.history.keep_nothing();
        self.exact = true;
        self
    }

    /// The guide has ranks over classes of data: `over` is the model over representatives.
    #[must_use]
    pub fn over_classes(self, plain: &'m Model, over: &'m Model, classes: &'m Classes) -> Self {
        Self { classes: Some(ClassGuide { over, plain, classes }), ..self }
    }

    /// Inputs are sent at points of a grid only, if there is one.
    #[must_use]
    pub fn on_grid(mut self, grid: Option<Grid>) -> Self {
        self.grid = grid;
        self
    }

    /// Whether something may be sent now. With real time, now is shortly after the point of the grid
    /// that was waited for.
    fn may_send(&self) -> Result<bool, Overflow> {
        let Some(grid) = self.grid else { return Ok(true) };
        let waited = self.waits.filter(|until| !self.exact && *until <= self.now);
        let since = waited.map(|until| self.now.sub(until)).transpose()?;
        Ok(grid.has(self.now)? || since.is_some_and(|since| since < grid.step()))
    }

    /// The states that explain the run so far, in words.
    pub fn describe(&mut self) -> Result<Vec<String>, Error> {
        Ok(self.estimator.describe()?)
    }

    fn tick(&self) -> Result<Rational, Error> {
        let scale = self.semantics.model().scale;
        Ok(Rational::new(1, scale.checked_mul(16).ok_or(Overflow)?)?)
    }

    /// When to see that silence lasted beyond its end. Where only scheduling delay explains that it
    /// did, it is looked at again and again, until something comes or not even that explains it.
    fn just_after(&self, end: Rational) -> Result<Rational, Error> {
        let seen = end.add(self.tick()?)?;
        let later = self.latency.jitter.add(self.tick()?)?;
        Ok(if seen > self.now { seen } else { self.now.add(later)? })
    }

    /// Waits until this time, but not longer than the system may be silent, and then just long
    /// enough to see that it was; or than the tester may.
    fn listen(&mut self, until: Rational, awaited: Vec<Action>) -> Result<Plan, Error> {
        self.idle += 1;
        let until = match self.obliged {
            Some(latest) => until.min(self.last_chance(latest)?),
            None => match self.estimator.deadline(until)? {
                Some((end, _)) => until.min(self.just_after(end)?),
                None => until,
            },
        };
        let until = self.options.lasts.map_or(until, |end| until.min(end.max(self.now)));
        Ok(Plan::Wait { until, awaited })
    }

    /// When to send at the latest what has to be sent by then: at a point of the grid, if there is one.
    fn last_chance(&self, latest: Rational) -> Result<Rational, Overflow> {
        let point = self.grid.map(|grid| grid.at_or_before(latest)).transpose()?;
        Ok(point.filter(|point| *point >= self.now).unwrap_or(latest))
    }

    /// What may be sent: the environment can send it, and the system is sure to take it.
    fn sure_inputs(&mut self) -> Result<Vec<Action>, Error> {
        let Some(alone) = &mut self.alone else { return Ok(self.estimator.sure_inputs()?) };
        let mut inputs = self.estimator.acceptable_inputs()?;
        if !inputs.is_empty() {
            let taken = alone.sure_inputs()?;
            inputs.retain(|input| taken.contains(input));
        }
        Ok(inputs)
    }

    /// What some explanation takes: the environment can send it, and the system may take it.
    fn possible_inputs(&mut self) -> Result<Vec<Action>, Error> {
        let mut inputs = self.estimator.acceptable_inputs()?;
        if let Some(alone) = self.alone.as_mut().filter(|_| !inputs.is_empty()) {
            let taken = alone.acceptable_inputs()?;
            inputs.retain(|input| taken.contains(input));
        }
        Ok(inputs)
    }

    /// By when the tester has to send something: time ends, and the system can do nothing then.
    fn obligation(&mut self) -> Result<Option<Rational>, Error> {
        self.may_be_obliged = false;
        let horizon = self.now.add(self.options.longest_wait)?.add(Rational::ONE)?;
        let Some((end, excluded)) = self.estimator.deadline(horizon)? else { return Ok(None) };
        let answered = match &mut self.alone {
            // It is the system whose time ends, and not only that of the environment.
            Some(alone) => alone.deadline(horizon)?.is_some_and(|(last, _)| last <= end),
            None => {
                let answers = |one: &Expected| one.until.is_none_or(|last| last >= (end, false));
                self.estimator.expected(horizon)?.iter().any(answers)
            }
        };
        if answered {
            let judge = self.alone.as_mut().unwrap_or(&mut self.estimator);
            self.may_be_obliged = judge.may_be_left_to_tester(horizon)?;
            return Ok(None);
        }
        let slack =
            if excluded { end.sub(self.now)?.div(Rational::integer(2))? } else { Rational::ZERO };
        Ok(Some(end.sub(slack)?))
    }

    /// Thinks of values for inputs that carry many.
    fn propose(&mut self) -> Result<(), Error> {
        let Some(proposals) = &mut self.proposals else { return Ok(()) };
        let states = self.estimator.states()?;
        let states: Vec<&DiscreteState> = states.iter().map(|one| &one.state.discrete).collect();
        let inputs = proposals.propose(&states, &mut self.chance);
        self.announce(&inputs);
        Ok(())
    }

    /// These inputs are considered next.
    fn announce(&mut self, inputs: &[Action]) {
        self.estimator.propose(inputs);
        if let Some(alone) = &mut self.alone {
            alone.propose(inputs);
        }
    }

    fn random(&mut self) -> Result<Plan, Error> {
        let chance = self.obliged.map(|latest| self.last_chance(latest)).transpose()?;
        let must = chance.is_some_and(|latest| latest <= self.now);
        if let Some(until) = self.waits.filter(|until| *until > self.now && !must) {
            return self.listen(until, Vec::new());
        }
        self.propose()?;
        let mut inputs = self.sure_inputs()?;
        if !inputs.is_empty() && (self.chance.position(2) == 0 || must) {
            // An input with many values is no more likely than one with few.
            if self.proposals.is_some() {
                let channels: BTreeSet<&String> = inputs.iter().map(|one| &one.channel).collect();
                let chosen = channels.iter().nth(self.chance.position(channels.len()));
                let chosen = chosen.map(|name| (*name).clone());
                inputs.retain(|one| chosen.as_ref() == Some(&one.channel));
            }
            return Ok(Plan::Send(inputs[self.chance.position(inputs.len())].clone()));
        }
        let time_ends = self.obliged.is_some_and(|latest| latest <= self.now);
        if inputs.is_empty() && time_ends && self.latency.is_none() {
            let reason = "time ends in the model, and nothing can be sent any more".to_owned();
            let (verdict, at) = (Verdict::Inconclusive, self.now);
            return Ok(Plan::Stop(Conclusion { verdict, reason, at }));
        }
        let scale = self.semantics.model().scale;
        let steps = self.options.longest_wait.mul(Rational::integer(2 * scale))?.floor().max(1);
        let delay = Rational::new(self.chance.number(1..=steps), 2 * scale)?;
        let mut until = self.now.add(delay)?;
        if self.idle >= IDLE {
            until = self.options.lasts.unwrap_or(until).max(until);
        }
        if let Some(grid) = self.grid {
            until = grid.at_or_after(until)?;
        }
        self.waits = Some(until);
        self.listen(until, Vec::new())
    }

    /// A plan that sends nothing between two points of the grid.
    fn on_time(&mut self, plan: Plan) -> Result<Plan, Error> {
        match (plan, self.grid) {
            (Plan::Send(_), Some(grid)) if !self.may_send()? => {
                let mut next = grid.at_or_after(self.now)?;
                if next == self.now {
                    next = next.add(grid.step())?;
                }
                self.waits = Some(next);
                self.listen(next, Vec::new())
            }
            (plan, _) => Ok(plan),
        }
    }

    fn observe(&mut self, observed: Observation) -> Result<Option<Conclusion>, Error> {
        let explained = self.history.add(&observed, &mut self.estimator)?;
        if let Some(system) = self.alone.as_mut().or(self.unhindered.as_mut()) {
            self.system_explains = self.history.tell(&observed, system)? == Explained::Yes;
        }
        self.losing.observe(&observed, &self.history);
        let times = self.history.times();
        self.conclude(explained, &|| observed.story(explained, times))
    }

    fn conclude(
        &mut self,
        mut explained: Explained,
        observed: &dyn Fn() -> String,
    ) -> Result<Option<Conclusion>, Error> {
        // Before a run fails, it is judged again by its scheduling delays.
        let fails = |explained| matches!(explained, Explained::NoOutput | Explained::Late);
        if fails(explained) && self.history.reconsider() {
            let model = self.semantics.model();
            let cancel = self.cancel.clone();
            let terms = Terms { latency: self.latency, lenient: true, cancel: &cancel };
            let mut lenient = estimator(model, &[self.options.goal, self.options.keep], terms)?;
            explained = self.history.replay(&mut lenient, |_| Ok(()))?;
            self.estimator = lenient;
            self.alone = alone(model, terms)?;
            self.unhindered = unhindered(model, terms)?;
            self.losing = Losing::again(whole(model, terms)?, &self.history);
            if let Some(system) = self.alone.as_mut().or(self.unhindered.as_mut()) {
                let explained = self.history.replay(system, |_| Ok(()))?;
                self.system_explains = explained == Explained::Yes;
            }
            if !fails(explained) {
                self.history.rely_on_delay(&observed())?;
            }
        }
        let (verdict, reason) = match explained {
            Explained::Unspecified => (Verdict::Inconclusive, unspecified(&observed())),
            Explained::Late if self.obliged.is_some() || self.may_be_obliged => {
                let reason = "time ended, and the tester had sent nothing".to_owned();
                (Verdict::Inconclusive, reason)
            }
            Explained::NoOutput | Explained::Late if self.losing.explains => {
                (Verdict::Inconclusive, unspecified(&observed()))
            }
            Explained::NoOutput | Explained::Late if self.system_explains => {
                let reason =
                    "which the system of the model may do, but its environment cannot accept";
                (Verdict::Inconclusive, format!("{}, {reason}", observed()))
            }
            Explained::NoOutput | Explained::Late => {
                (Verdict::Fail, format!("{}, which the model does not explain", observed()))
            }
            Explained::Yes => match self.at_goal()? {
                Some(end) => end,
                None => return Ok(None),
            },
        };
        let (verdict, reason) = self.history.qualified(verdict, reason);
        Ok(Some(Conclusion { verdict, reason, at: self.now }))
    }

    fn moved(&mut self, at: Moment) {
        self.now = self.now.max(at.latest());
        self.actions += 1;
        self.waits = None;
        self.idle = 0;
        self.last = self.now;
        if self.options.guide.is_some() {
            self.patient = self.chance.position(2) == 0;
        }
    }
}

impl Tester for OnlineTester<'_> {
    fn stop_with(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
        self.estimator.stop_with(cancel);
        let systems = self.alone.iter_mut().chain(&mut self.unhindered);
        systems.for_each(|system| system.stop_with(cancel));
        self.losing.stop_with(cancel);
    }

    fn scheduling_delay(&mut self, delay: SchedulingDelay) -> Result<(), Error> {
        Ok(self.history.scheduling_delay(delay)?)
    }

    fn relies_on_delay(&self) -> bool {
        self.history.relies_on_delay()
    }

    fn is_guess(&self, input: &Action) -> bool {
        self.guesses.contains(input)
    }

    fn plan(&mut self) -> Result<Plan, Error> {
        if self.actions == 0
            && self.now == Rational::ZERO
            && let Some((verdict, reason)) = self.at_goal()?
        {
            return Ok(Plan::Stop(Conclusion { verdict, reason, at: self.now }));
        }
        if self.is_over()? {
            let (verdict, reason) = self.ended()?;
            let (verdict, reason) = self.history.qualified(verdict, reason);
            return Ok(Plan::Stop(Conclusion { verdict, reason, at: self.now }));
        }
        self.obliged = self.obligation()?;
        // While something may be under way, an explanation of the past is no guide.
        // Where the system does not cooperate for long, chance may lead to where it does.
        if let Some(table) = self.options.guide
            && self.latency.is_none()
            && !self.is_impatient()?
            && let Some(plan) = self.guided(table)?
        {
            return self.on_time(plan);
        }
        let plan = self.random()?;
        self.on_time(plan)
    }

    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.moved(at);
        if let Some(proposals) = &mut self.proposals {
            proposals.sent(action);
        }
        self.observe(Observation::Sent(action.clone(), at))
    }

    fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.moved(at);
        self.observe(Observation::Heard(action.clone(), at))
    }

    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error> {
        self.now = self.now.max(now.earliest());
        self.observe(Observation::Quiet(self.now))
    }
}

impl Oracle for OnlineTester<'_> {
    fn allows(&mut self, input: &Action) -> Result<bool, Error> {
        // Inputs with values cannot all be listed; one that is not accepted shows when it is sent.
        if !input.values.is_empty() || self.sure_inputs()?.contains(input) {
            return Ok(true);
        }
        let possible = self.possible_inputs()?.contains(input);
        self.guesses.extend(possible.then(|| input.clone()));
        Ok(possible)
    }

    fn wait(&mut self, until: Rational) -> Result<Plan, Error> {
        // If time ends where only the tester could have gone on, that is no failure.
        self.options.longest_wait = until.sub(self.now)?.max(Rational::ZERO);
        self.obliged = self.obligation()?;
        let until = match self.estimator.deadline(until)? {
            Some((end, _)) => until.min(self.just_after(end)?),
            None => until,
        };
        Ok(Plan::Wait { until, awaited: Vec::new() })
    }

    fn awaits_output(&mut self, horizon: Rational) -> Result<bool, Error> {
        self.options.longest_wait = horizon.sub(self.now)?.max(Rational::ZERO);
        let by_tester = self.obligation()?.is_some();
        Ok(!by_tester && self.estimator.deadline(horizon)?.is_some())
    }
}
