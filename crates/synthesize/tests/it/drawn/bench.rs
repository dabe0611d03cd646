//! A bench on which a test case meets a system that behaves as a model says, in some manner, or
//! that does something wrong at some step.

use fastrand::Rng;
use tioga_base::{Budget, Rational};
use tioga_concrete::{Observable, Observed, Observer, Semantics, TraceEvent, label_of};
use tioga_model::{Control, Model, Step, StepLabel};
use tioga_testcase::{Action, Followed, Follower, Intention, Side, TestCase, Verdict};

/// How a system uses the freedom that its model leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    Random,
    Lazy,
    Eager,
    /// Prefers what the tester does not hope for.
    Hostile,
}

pub const MANNERS: [Manner; 4] = [Manner::Random, Manner::Lazy, Manner::Eager, Manner::Hostile];

/// What a system does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// It emits an output that is not allowed.
    Output,
    /// It says nothing any more.
    Silence,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// With a verdict.
    Verdict(Verdict, String),
    /// Without one: after many steps, or because the model allows nothing any more.
    Open,
    /// Something wrong happened, and this became of the step.
    Wronged(Followed),
}

/// A test case, a system and what it should do.
pub struct Bench<'a> {
    pub case: &'a TestCase,
    pub system: &'a Model,
    /// A model with the traces of the specification whose states can be known.
    pub oracle: Option<&'a Model>,
}

struct Run<'a> {
    tester: Follower<'a>,
    oracle: Option<(&'a Model, Observer<'a>)>,
}

/// The longest run.
const STEPS: usize = 60;

impl Bench<'_> {
    /// One run. What is wrong happens at the given step or as soon as possible after it.
    ///
    /// It is checked on the way that nothing fails that is allowed, and that what is passed is accepted.
    pub fn run(&self, manner: Manner, wrong: Option<(Wrong, usize)>, random: &mut Rng) -> Outcome {
        let mut semantics = Semantics::new(self.system);
        let mut state = semantics.initial().unwrap();
        let observer = |model| {
            let budget = Budget::steps(1_000_000);
            (model, Observer::new(Semantics::new(model), 1, 0, budget).unwrap())
        };
        let mut run = Run { tester: Follower::new(self.case), oracle: self.oracle.map(observer) };
        for step in 0..STEPS {
            if let Some((verdict, reason)) = run.tester.verdict().unwrap() {
                return run.over(verdict, reason);
            }
            let due = wrong.filter(|(_, at)| *at <= step).map(|(wrong, _)| wrong);
            if due == Some(Wrong::Output)
                && let Some(action) = run.disallowed(self.system, random)
            {
                return Outcome::Wronged(run.tester.act(Side::System, &action).unwrap());
            }
            let (mut send, until, awaited) = match run.tester.intention().unwrap() {
                Intention::Send(action) => (Some(action), Some(Rational::ZERO), Vec::new()),
                Intention::Wait { until, awaited } => (None, until, awaited),
                Intention::Open(choices) => match random.u8(0..3) {
                    0 if !choices.is_empty() => {
                        (random.choice(choices), Some(Rational::ZERO), Vec::new())
                    }
                    1 => (None, Some(Rational::new(random.i64(1..=6), 2).unwrap()), Vec::new()),
                    _ => (None, None, Vec::new()),
                },
            };
            let options = semantics.options(&state).unwrap();
            let mut plans: Vec<(Rational, Option<Step>)> = Vec::new();
            for choice in &options.choices {
                let silent = matches!(choice.step.label, StepLabel::Internal(_));
                let own = choice.step.control == Control::Uncontrollable || silent;
                if !own || due == Some(Wrong::Silence) {
                    continue;
                }
                for part in choice.windows.parts() {
                    let (lower, open) = part.lower();
                    let upper =
                        part.upper().map_or(lower.add(Rational::integer(3)).unwrap(), |u| u.0);
                    let middle = lower.add(upper).unwrap().div(Rational::integer(2)).unwrap();
                    for delay in [(!open).then_some(lower), Some(middle), Some(upper)] {
                        if let Some(delay) = delay
                            && until.is_none_or(|until| delay <= until)
                            && part.contains(delay)
                        {
                            plans.push((delay, Some(choice.step.clone())));
                        }
                    }
                }
            }
            if due == Some(Wrong::Silence) && send.is_none() {
                match run.stay_silent(until) {
                    Silence::Allowed(delay) => {
                        // The state that chance led to need not be the one that allows this.
                        let Ok(later) = semantics.delay(&state, delay).unwrap() else {
                            return Outcome::Open;
                        };
                        state = later;
                        continue;
                    }
                    Silence::Over(outcome) => return outcome,
                }
            }
            let end = options.delays.upper().map(|(end, _)| end);
            match until {
                Some(until) if end.is_none_or(|end| until <= end) => plans.push((until, None)),
                _ if plans.is_empty() && end.is_none() => {
                    plans.push((until.unwrap_or(Rational::integer(20)), None));
                }
                _ => {}
            }
            let Some((delay, own)) = chosen(manner, plans, &awaited, self.system, random) else {
                return Outcome::Open; // The model allows nothing any more.
            };
            if let Some(outcome) = run.delay(delay) {
                return outcome;
            }
            state = state.later(delay).unwrap();
            let step = match own {
                Some(step) => step,
                None => {
                    let Some(wanted) = send.take() else { continue };
                    let options = semantics.options(&state).unwrap();
                    let takes = |step: &&Step| {
                        step.control == Control::Controllable
                            && seen(self.system, step).as_ref() == Some(&wanted)
                    };
                    // In the state that chance led to, the input need not be possible.
                    let steps = options.now().filter(takes).cloned();
                    let Some(step) = random.choice(steps.collect::<Vec<_>>()) else {
                        return Outcome::Open;
                    };
                    step
                }
            };
            state = semantics.step(&state, &step).unwrap();
            let side = match step.control {
                Control::Controllable => Side::Tester,
                Control::Uncontrollable => Side::System,
            };
            if let Some(action) = seen(self.system, &step)
                && let Some(outcome) = run.act(side, &action, &step)
            {
                return outcome;
            }
        }
        Outcome::Open
    }
}

/// What became of staying silent.
enum Silence {
    /// That was allowed for this long.
    Allowed(Rational),
    /// It was not, or the test is over.
    Over(Outcome),
}

impl Run<'_> {
    fn over(&self, verdict: Verdict, reason: &str) -> Outcome {
        if let Some((model, oracle)) = &self.oracle
            && verdict == Verdict::Pass
        {
            let accepts = oracle.states().any(|state| {
                let mut located = model.processes.iter().zip(&state.discrete.locations);
                located.any(|(process, location)| process.locations[*location].marks.accept)
            });
            assert!(accepts, "passed without having reached the goal");
        }
        Outcome::Verdict(verdict, reason.to_owned())
    }

    fn observe(&mut self, observed: &Observed) {
        if let Some((_, oracle)) = &mut self.oracle {
            oracle.observe(observed).unwrap();
        }
    }

    fn delay(&mut self, delay: Rational) -> Option<Outcome> {
        match self.tester.delay(delay).unwrap() {
            Followed::Going | Followed::Unplanned => {
                self.observe(&Observed::Delay(delay));
                None
            }
            Followed::Over { verdict, reason, after } => {
                self.observe(&Observed::Delay(after));
                Some(self.over(verdict, &reason))
            }
        }
    }

    fn act(&mut self, side: Side, action: &Action, step: &Step) -> Option<Outcome> {
        let observed = Observable::of(step).expect("visible steps are observable");
        self.observe(&Observed::Action(observed));
        match self.tester.act(side, action).unwrap() {
            Followed::Going => None,
            Followed::Unplanned => panic!("the test case wanted to send {action:?}"),
            Followed::Over { verdict, reason, .. } => Some(self.over(verdict, &reason)),
        }
    }

    /// An output that the specification does not allow now.
    fn disallowed(&mut self, system: &Model, random: &mut Rng) -> Option<Action> {
        let allowed = self.oracle.as_mut()?.1.outputs().unwrap();
        let outputs = ["u", "v", "w"].into_iter().filter(|name| {
            !allowed.iter().any(|one| match one.label {
                StepLabel::Output(channel) => system.channels[channel].name == *name,
                _ => false,
            })
        });
        let channel = random.choice(outputs.collect::<Vec<_>>())?.to_owned();
        Some(Action { channel, values: Vec::new() })
    }

    /// Waits as the tester wants, and beyond the deadline if the tester does not mind.
    fn stay_silent(&mut self, until: Option<Rational>) -> Silence {
        let (_, oracle) = self.oracle.as_mut().expect("who stays silent is judged by an oracle");
        let deadline = oracle.delays().unwrap().initial_stretch().upper();
        let delay = until.unwrap_or_else(|| {
            let end = deadline.map_or(Rational::integer(4), |(end, _)| end);
            end.add(Rational::ONE).unwrap()
        });
        if oracle.delays().unwrap().contains(delay) {
            return self.delay(delay).map_or(Silence::Allowed(delay), Silence::Over);
        }
        let (end, _) = deadline.expect("delays that are not allowed come after a deadline");
        let step = self.tester.delay(delay).unwrap();
        if let Followed::Over { verdict, after, .. } = &step {
            assert!(*after <= end, "{verdict:?} after {after} and not by {end}");
            if *verdict != Verdict::Fail {
                return Silence::Over(Outcome::Verdict(*verdict, "before the deadline".to_owned()));
            }
            assert_eq!(*after, end, "the deadline is {end}");
        }
        Silence::Over(Outcome::Wronged(step))
    }
}

/// One of the plans of the system, and of the tester if it comes first.
fn chosen(
    manner: Manner,
    mut plans: Vec<(Rational, Option<Step>)>,
    awaited: &[Action],
    system: &Model,
    random: &mut Rng,
) -> Option<(Rational, Option<Step>)> {
    random.shuffle(&mut plans);
    match manner {
        Manner::Random => plans.pop(),
        Manner::Eager => plans.into_iter().min_by_key(|(delay, _)| *delay),
        Manner::Lazy => plans.into_iter().max_by_key(|(delay, _)| *delay),
        Manner::Hostile => plans.into_iter().max_by_key(|(delay, step)| {
            let action = step.as_ref().and_then(|step| seen(system, step));
            (action.is_some_and(|action| !awaited.contains(&action)), *delay)
        }),
    }
}

/// What an observer sees of a step.
fn seen(model: &Model, step: &Step) -> Option<Action> {
    match label_of(model, step) {
        TraceEvent::Input(channel, _) | TraceEvent::Output(channel, _) => {
            Some(Action { channel, values: Vec::new() })
        }
        _ => None,
    }
}
