//! Violations found on the states that explain a run.
//!
//! Where a specification has neither a known state after each trace nor an exact deterministic view, runs of the
//! implementation are followed on the set of all its states that explain them ([`Estimator`]). What none of them
//! allows is a violation, whatever the specification is like. So a run that an approximate view refuses is checked
//! here (an io-abstraction allows more outputs and delays, BJSK11 Proposition 1), and random runs search for others.
//! Nothing is proved by not finding any.

use std::collections::BTreeMap;

use tioga_base::{Cancel, Moment, Overflow, Rational};
use tioga_concrete::{
    Allowed, Chance, Choice, Error as StateError, Fairness, Interval, Observable, Semantics, State,
    TraceEvent, label_of,
};
use tioga_estimate::{Error as EstimateError, Estimator, Explained, Latencies, ModelBoard};
use tioga_model::{ChannelId, Model, Step, StepLabel, Values};
use tioga_symbolic::TimedStep;
use tioga_testcase::Action;

use crate::relation::Relation;
use crate::witness::{ObservedViolation, Violation};

/// The comparison with a specification of which several states may explain a run.
#[derive(Clone, Copy, Debug)]
pub struct Nondeterministic<'m> {
    /// The implementation.
    pub implementation: &'m Model,
    /// The specification.
    pub specification: &'m Model,
    /// How the first is to relate to the second; inputs that it has to take are not compared.
    pub relation: Relation,
    /// Ends the comparison early.
    pub cancel: &'m Cancel,
}

impl<'m> Nondeterministic<'m> {
    /// The violation that a run of the implementation shows, if it shows one: at its last event, or before.
    pub fn refuted_by(&self, run: &[TimedStep]) -> Option<Box<Violation>> {
        let mut follower = Follower::new(self).ok()?;
        for one in run {
            match follower.follow(one.delay, one.step.as_ref()) {
                Ok(Judged::Allowed) => {}
                Ok(Judged::Violated(violation)) => return Some(violation),
                Ok(Judged::Free) | Err(Stuck) => return None,
            }
        }
        None
    }

    /// A violation that random runs of so many steps show, if they show one. Inputs that carry too many values to try
    /// them all are sent with some of `values`. The same arguments give the same.
    pub fn refuted_at_random(
        &self,
        (runs, steps): (u64, u64),
        values: &BTreeMap<ChannelId, Vec<Values>>,
    ) -> Option<Box<Violation>> {
        let start = Follower::new(self).ok()?;
        let own = self.implementation.patience().ok()?;
        let longest = own.max(self.specification.patience().ok()?);
        let fairness = Fairness::new(self.implementation);
        for run in 0..runs {
            let mut walk = Walk {
                semantics: Semantics::new(self.implementation),
                follower: start.clone(),
                fairness: fairness.clone(),
                chance: Chance::new(run),
                longest,
                values,
                waits: !values.is_empty() && run % 2 == 1,
            };
            if let Ok(Some(violation)) = walk.run(steps) {
                return Some(violation);
            }
            if self.cancel.is_cancelled() {
                return None;
            }
        }
        None
    }
}

/// A run or an estimate cannot be computed, so nothing is known.
#[derive(Debug)]
struct Stuck;

impl From<EstimateError> for Stuck {
    fn from(_: EstimateError) -> Self {
        Self
    }
}

impl From<StateError> for Stuck {
    fn from(_: StateError) -> Self {
        Self
    }
}

impl From<Overflow> for Stuck {
    fn from(_: Overflow) -> Self {
        Self
    }
}

/// What the specification says to one more event.
enum Judged {
    /// It allows it.
    Allowed,
    /// The tester did what the specification does not speak of, or owed an input: nothing can be said any more.
    Free,
    /// It does not allow it.
    Violated(Box<Violation>),
}

/// A run of the implementation on the states of the specification that explain it.
#[derive(Clone)]
struct Follower<'m> {
    implementation: &'m Model,
    estimator: Estimator<ModelBoard<'m>>,
    /// Whether waiting for an input that the tester owes is excused.
    served: bool,
    now: Rational,
    /// When something was observed last.
    observed: Rational,
    run: Vec<TimedStep>,
}

impl<'m> Follower<'m> {
    fn new(asked: &Nondeterministic<'m>) -> Result<Self, Stuck> {
        let implementation = asked.implementation;
        let board = ModelBoard::new(asked.specification, &[])?;
        let mut estimator = Estimator::new(board, Latencies::NONE)?;
        estimator.stop_with(asked.cancel);
        let served = asked.relation == Relation::ConformsWhenServed;
        let (now, observed) = (Rational::ZERO, Rational::ZERO);
        Ok(Self { implementation, estimator, served, now, observed, run: Vec::new() })
    }

    /// Time passes, and then the implementation makes a step.
    fn follow(&mut self, delay: Rational, step: Option<&Step>) -> Result<Judged, Stuck> {
        let until = self.now.add(delay)?;
        if self.estimator.quiet(until)? != Explained::Yes {
            if self.served && self.estimator.may_be_left_to_tester(until)? {
                return Ok(Judged::Free);
            }
            return Ok(Judged::Violated(self.violation(until, None)?));
        }
        self.now = until;
        let Some(step) = step else {
            self.run.push(TimedStep { delay, step: None });
            return Ok(Judged::Allowed);
        };
        let event = label_of(self.implementation, step);
        let (input, output) = match event {
            TraceEvent::Input(channel, values) => (Some(Action::new(channel, &values)), None),
            TraceEvent::Output(channel, values) => (None, Some(Action::new(channel, &values))),
            TraceEvent::Exchange(input, values, output, reply) => {
                (Some(Action::new(input, &values)), Some(Action::new(output, &reply)))
            }
            TraceEvent::Internal(_) => (None, None),
        };
        let (at, shows) = (Moment::exactly(self.now), input.is_some() || output.is_some());
        if let Some(input) = input
            && self.estimator.sent(&input, at)? != Explained::Yes
        {
            return Ok(Judged::Free);
        }
        if let Some(output) = output
            && self.estimator.heard(&output, at)? != Explained::Yes
        {
            return Ok(Judged::Violated(self.violation(until, Some(step))?));
        }
        if shows {
            self.observed = self.now;
        }
        self.run.push(TimedStep { delay, step: Some(step.clone()) });
        Ok(Judged::Allowed)
    }

    fn violation(&self, until: Rational, step: Option<&Step>) -> Result<Box<Violation>, Stuck> {
        let mut run = self.run.clone();
        let passed = run.iter().try_fold(Rational::ZERO, |sum, one| sum.add(one.delay))?;
        run.push(TimedStep { delay: until.sub(passed)?, step: step.cloned() });
        let observed = match step {
            Some(step) => ObservedViolation::Output(step.clone()),
            None => ObservedViolation::Delay,
        };
        let after = until.sub(self.observed)?;
        Ok(Box::new(Violation { run, followed: None, observed, after }))
    }
}

/// A random run in progress.
struct Walk<'m> {
    semantics: Semantics<'m>,
    follower: Follower<'m>,
    fairness: Fairness,
    chance: Chance,
    /// Longer than this no side waits for anything.
    longest: Rational,
    /// What inputs carry whose values are too many to try them all.
    values: &'m BTreeMap<ChannelId, Vec<Values>>,
    /// Whether inputs are sent only where there is nothing else to do: too many lead where all is allowed.
    waits: bool,
}

impl Walk<'_> {
    fn run(&mut self, steps: u64) -> Result<Option<Box<Violation>>, Stuck> {
        let mut state = self.semantics.initial()?;
        for _ in 0..steps {
            let options = self.options(&state)?;
            if let Some(violation) = self.next_events(&state, &options)? {
                return Ok(Some(violation));
            }
            if options.choices.is_empty() {
                break;
            }
            let choice = self.choose(&options);
            let delay = self.moment(&state, choice)?;
            match self.follower.follow(delay, Some(&choice.step))? {
                Judged::Allowed => {}
                Judged::Free => break,
                Judged::Violated(violation) => return Ok(Some(violation)),
            }
            state = self.semantics.step(&state.later(delay)?, &choice.step)?;
        }
        Ok(None)
    }

    /// One of the steps that a state allows.
    fn choose<'c>(&mut self, options: &'c Allowed) -> &'c Choice {
        let own = |one: &&Choice| {
            !matches!(one.step.label, StepLabel::Input(_) | StepLabel::Exchange(..))
        };
        let own: Vec<&Choice> = options.choices.iter().filter(own).collect();
        if self.waits && !own.is_empty() {
            return own[self.chance.position(own.len())];
        }
        &options.choices[self.chance.position(options.choices.len())]
    }

    /// What a state allows, with some values for each input that awaits them.
    fn options(&mut self, state: &State) -> Result<Allowed, Stuck> {
        let mut options = self.semantics.options(state)?;
        for awaiting in std::mem::take(&mut options.awaiting) {
            let Some(values) = self.values.get(&awaiting.channel).filter(|all| !all.is_empty())
            else {
                continue;
            };
            let arguments = values[self.chance.position(values.len())].clone();
            let (label, reply) = (StepLabel::Input(awaiting.channel), Values::new());
            let observable = Observable { label, arguments, reply };
            let more = self.semantics.options_for(state, Some(&observable))?.choices;
            let new = more.into_iter().filter(|one| !options.choices.contains(one));
            options.choices.extend(new.collect::<Vec<_>>());
        }
        Ok(options)
    }

    /// Whether what may come next is a violation: the longest silence, and each output at the ends of its windows
    /// and at one moment between them.
    fn next_events(
        &mut self,
        state: &State,
        options: &Allowed,
    ) -> Result<Option<Box<Violation>>, Stuck> {
        let longest = match options.delays.upper() {
            Some(_) => options.delays.latest(),
            None => self.longest,
        };
        let mut events = vec![(longest, None)];
        for choice in &options.choices {
            if !matches!(label_of(self.semantics.model(), &choice.step), TraceEvent::Output(..)) {
                continue;
            }
            let parts = choice.windows.parts();
            events.extend(parts.iter().map(|part| (part.earliest(), Some(&choice.step))));
            events.extend(parts.iter().map(|part| (self.last(part), Some(&choice.step))));
            events.push((self.moment(state, choice)?, Some(&choice.step)));
        }
        for (delay, step) in events {
            if let Judged::Violated(violation) = self.follower.clone().follow(delay, step)? {
                return Ok(Some(violation));
            }
        }
        Ok(None)
    }

    fn last(&self, part: &Interval) -> Rational {
        match part.upper() {
            Some(_) => part.latest(),
            None => part.earliest().max(self.longest),
        }
    }

    fn moment(&mut self, state: &State, choice: &Choice) -> Result<Rational, Stuck> {
        let moment =
            self.fairness.moment(state, &choice.windows, Rational::ZERO, &mut self.chance)?;
        moment.ok_or(Stuck)
    }
}
