//! Testing without a test case: the set of states that explain what was observed says what may be sent
//! and what may come; ranks or chance decide what to do.
//!
//! The model may be nondeterministic and have silent moves. A run fails if nothing explains it. With a
//! goal it passes when the goal holds in every explanation; without one it passes when it has lasted
//! long enough.

use tioga_base::{Moment, Rational, Span};
use tioga_concrete::{Chance, Event, Semantics, State, label_of};
use tioga_estimate::{Estimator, Explained, Latency, ModelBoard};
use tioga_model::{Composer, Condition, Model, Moves, Predicate};
use tioga_testcase::{Action, Decision, RankTable, Verdict, decide};

use crate::history::{History, unspecified};
use crate::{Conclusion, Error, Latencies, Plan, Tester, short_moment};

/// What an on-line test is about, and how long it lasts.
#[derive(Clone, Debug)]
pub struct OnlineOptions<'m> {
    /// What to reach; without a goal everything that conforms passes.
    pub goal: Option<&'m Predicate>,
    /// Ranks that lead there, computed as if every move were seen; chance decides without.
    pub guide: Option<&'m RankTable>,
    /// How many inputs and outputs a run may have.
    pub actions: u64,
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
    estimator: Estimator<ModelBoard<'m>>,
    semantics: Semantics<'m>,
    latency: Latency,
    history: History,
    chance: Chance,
    now: Rational,
    actions: u64,
    /// Until when a random tester has decided to wait.
    waits: Option<Rational>,
}

impl<'m> OnlineTester<'m> {
    /// A tester at the start of a run.
    pub fn new(model: &'m Model, options: OnlineOptions<'m>) -> Result<Self, Error> {
        let latency = options.latencies.latency();
        Ok(Self {
            estimator: estimator(model, options.goal, latency)?,
            semantics: Semantics::new(model),
            latency,
            history: History::new(latency),
            chance: Chance::new(options.seed),
            options,
            now: Rational::ZERO,
            actions: 0,
            waits: None,
        })
    }

    /// The states that explain the run so far, in words.
    pub fn describe(&mut self) -> Result<Vec<String>, Error> {
        Ok(self.estimator.describe()?)
    }

    fn tick(&self) -> Result<Rational, Error> {
        let scale = self.semantics.model().scale;
        Ok(Rational::new(1, scale.checked_mul(16).ok_or(Error::Overflow)?)?)
    }

    /// When it will be clear that the system has been silent for too long.
    fn silence(&mut self, horizon: Rational) -> Result<Option<Rational>, Error> {
        let Some((end, _)) = self.estimator.deadline(horizon)? else { return Ok(None) };
        Ok(Some(end.add(self.tick()?)?))
    }

    fn wait(&mut self, until: Rational, awaited: Vec<Action>) -> Result<Plan, Error> {
        let silence = self.silence(until)?;
        Ok(Plan::Wait { until: silence.map_or(until, |silence| silence.min(until)), awaited })
    }

    /// What the ranks advise in one of the explanations.
    fn guided(&mut self, table: &RankTable) -> Result<Option<Plan>, Error> {
        let Some(sample) = self.estimator.sample()? else { return Ok(None) };
        if sample.state.owes.is_some() {
            return Ok(None);
        }
        let model = self.semantics.model();
        let state = State { discrete: sample.state.discrete, clocks: sample.clocks.into() };
        let mut moves = Moves::new();
        Composer::new(model).moves(&state.discrete, &mut moves);
        let shown = |step: u32| match label_of(model, &moves.list[step as usize]) {
            Event::Input(channel, values)
            | Event::Output(channel, values)
            | Event::Exchange(channel, values, ..) => Some(Action::new(channel, &values)),
            Event::Internal(_) => None,
        };
        Ok(match decide(&mut self.semantics, table, &state)? {
            Decision::Play { step, .. } => {
                let acceptable = self.estimator.acceptable_inputs()?;
                shown(step).filter(|action| acceptable.contains(action)).map(Plan::Send)
            }
            Decision::Wait { until, awaited, .. } => {
                let longest = self.now.add(self.options.longest_wait)?;
                let until = until.map(|until| self.now.add(until)).transpose()?;
                let until = until.map_or(longest, |until| until.min(longest));
                if until == self.now {
                    return Ok(None);
                }
                let awaited = awaited.into_iter().filter_map(shown).collect();
                Some(self.wait(until, awaited)?)
            }
            Decision::Done | Decision::Astray => None,
        })
    }

    fn random(&mut self) -> Result<Plan, Error> {
        if let Some(until) = self.waits.filter(|until| *until > self.now) {
            return self.wait(until, Vec::new());
        }
        let inputs = self.estimator.acceptable_inputs()?;
        if !inputs.is_empty() && self.chance.position(2) == 0 {
            return Ok(Plan::Send(inputs[self.chance.position(inputs.len())].clone()));
        }
        let scale = self.semantics.model().scale;
        let steps = self.options.longest_wait.mul(Rational::integer(2 * scale))?.floor().max(1);
        let delay = Rational::new(self.chance.number(1..=steps), 2 * scale)?;
        let until = self.now.add(delay)?;
        self.waits = Some(until);
        self.wait(until, Vec::new())
    }

    fn conclude(
        &mut self,
        mut explained: Explained,
        observed: &dyn Fn() -> String,
    ) -> Result<Option<Conclusion>, Error> {
        // Before a run fails, it is judged again with the lateness of the machine in mind.
        while matches!(explained, Explained::NoOutput | Explained::Late)
            && let Some(latency) = self.history.wider()?
        {
            let model = self.semantics.model();
            let mut wider = estimator(model, self.options.goal, latency)?;
            explained = self.history.replay(&mut wider, |_| Ok(()))?;
            (self.estimator, self.latency) = (wider, latency);
        }
        let (verdict, reason) = match explained {
            Explained::Unspecified => (Verdict::Inconclusive, unspecified(&observed())),
            Explained::NoOutput | Explained::Late => {
                (Verdict::Fail, format!("{}, which nothing explains", observed()))
            }
            Explained::Yes => match self.options.goal {
                Some(goal) if self.estimator.satisfies(goal, Span::default())?.all => {
                    (Verdict::Pass, "the goal is reached in every explanation".to_owned())
                }
                _ => return Ok(None),
            },
        };
        Ok(Some(Conclusion { verdict, reason, at: self.now }))
    }

    fn moved(&mut self, at: Moment) {
        self.now = self.now.max(at.latest());
        self.actions += 1;
        self.waits = None;
    }
}

/// What explains a run of this model that has not begun yet.
fn estimator<'m>(
    model: &'m Model,
    goal: Option<&Predicate>,
    latency: Latency,
) -> Result<Estimator<ModelBoard<'m>>, Error> {
    let asked: Vec<&Condition> = match goal {
        Some(Predicate::Holds(condition)) => vec![condition],
        _ => Vec::new(),
    };
    Ok(Estimator::new(ModelBoard::new(model, &asked)?, latency)?)
}

impl Tester for OnlineTester<'_> {
    fn late(&mut self, by: Rational) {
        self.history.late(by);
    }

    fn plan(&mut self) -> Result<Plan, Error> {
        if self.actions >= self.options.actions {
            let (verdict, reason) = match self.options.goal {
                None => (Verdict::Pass, "everything conformed"),
                Some(_) => (Verdict::Inconclusive, "the goal was not reached"),
            };
            let reason = format!("{reason} in {} actions", self.actions);
            return Ok(Plan::Stop(Conclusion { verdict, reason, at: self.now }));
        }
        // While something may be under way, an explanation of the past is no guide.
        if let Some(table) = self.options.guide
            && self.latency.is_none()
            && let Some(plan) = self.guided(table)?
        {
            return Ok(plan);
        }
        self.random()
    }

    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.moved(at);
        self.history.sent(action, at);
        let explained = self.estimator.sent(action, at)?;
        self.conclude(explained, &|| {
            format!("the tester sent `{}` at {}", action.channel, short_moment(at))
        })
    }

    fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.moved(at);
        self.history.heard(action, at);
        let explained = self.estimator.heard(action, at)?;
        let late = explained == Explained::Late;
        self.conclude(explained, &|| match late {
            true => format!("the system was silent until {}", short_moment(at)),
            false => format!("the system answered `{}` at {}", action.channel, short_moment(at)),
        })
    }

    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error> {
        self.now = self.now.max(now.earliest());
        self.history.quiet(self.now);
        let explained = self.estimator.quiet(self.now)?;
        self.conclude(explained, &|| format!("the system was silent until {}", short_moment(now)))
    }
}
