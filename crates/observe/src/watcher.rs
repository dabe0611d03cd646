//! Watching a system that something else drives: each observation is as expected, or there is a finding
//! that says what would have been.
//!
//! A watcher keeps the states that explain what was observed ([`Estimator`]); what it needs does not
//! grow with the number of observations. What was expected is computed when it is asked for only.

use serde::Serialize;
use tioga_base::{Moment, Rational};
use tioga_estimate::{
    Board, Error, Estimator, Explained, Latencies, LatencyBounds, ModelBoard, ModelState,
};
use tioga_model::{DiscreteState, Model};
use tioga_testcase::{Action, Side};

use crate::finding::{ActionWindow, Deviation, Finding, Limit, deviation};
use crate::history::{History, Observation};
use crate::log::Logged;

/// Silence that is longer, in time units, may be followed in several steps, after which it is not
/// known any more what was expected before them.
const LONG: i64 = 50;

/// Follows observations on a board.
pub struct Watcher<B: Board> {
    estimator: Estimator<B>,
    /// How far ahead something is expected: beyond all constants, however late it is heard.
    ahead: Rational,
    exact: bool,
}

/// Where a system may be, and what is expected next.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outlook {
    /// As of when.
    pub since: Rational,
    /// The states that explain everything so far.
    pub states: Vec<Estimated>,
    /// What is expected when, if nothing is sent.
    pub expected: Vec<ActionWindow>,
    /// By when something has to be seen, if nothing is sent.
    pub deadline: Option<Limit>,
    /// What may be sent when, if nothing is sent or seen before.
    pub inputs: Vec<ActionWindow>,
}

/// A discrete state with bounds on its clocks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Estimated {
    /// The locations and the data, or the place of a test case.
    pub state: String,
    /// The bounds of each clock.
    pub clocks: Vec<ClockRange>,
}

/// What is known about a clock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ClockRange {
    /// Its name.
    pub clock: String,
    /// How much it shows at least.
    pub from: Limit,
    /// How much it shows at most; nothing if that does not matter.
    pub until: Option<Limit>,
}

/// Follows observations on a model.
pub type ModelWatcher<'m> = Watcher<ModelBoard<'m>>;

impl<'m> ModelWatcher<'m> {
    /// A watcher of a model that has seen nothing.
    pub fn of_model(model: &'m Model, latencies: &Latencies) -> Result<Self, Error> {
        Self::new(ModelBoard::new(model, &[])?, latencies)
    }
}

/// Of a model with more discrete states it is not followed what follows from any of them.
const ANYWHERE: usize = 10_000;

impl<'m> ModelWatcher<'m> {
    /// Every discrete state that the model may be in; nothing if there are too many.
    pub fn anywhere(model: &'m Model) -> Result<Option<Vec<ModelState>>, Error> {
        ModelBoard::new(model, &[])?.discrete_states(ANYWHERE)
    }

    /// Forgets what it has seen: at this time the model is in one of these discrete states, with any
    /// values of its clocks, and no message is under way.
    pub fn start_anywhere(&mut self, states: &[ModelState], at: Rational) -> Result<(), Error> {
        let board = self.estimator.board().clone();
        let latency = self.estimator.latency();
        self.estimator = Estimator::anywhere(board, latency, states, at)?;
        Ok(())
    }

    /// The discrete states that explain everything so far.
    pub fn discrete_states(&mut self) -> Result<Vec<DiscreteState>, Error> {
        let mut found: Vec<DiscreteState> = Vec::new();
        for possible in self.estimator.states()? {
            if !found.contains(&possible.state.discrete) {
                found.push(possible.state.discrete);
            }
        }
        Ok(found)
    }

    /// These inputs, of which the model takes many, are among those that may be sent next.
    pub fn announce(&mut self, inputs: &[Action]) {
        self.estimator.propose(inputs);
    }
}

impl<B: Board + Clone> Watcher<B> {
    /// A watcher that has seen nothing.
    pub fn new(board: B, latencies: &Latencies) -> Result<Self, Error> {
        let latency = *latencies;
        let constant = Rational::new(i64::from(board.largest()), board.scale())?;
        let mut ahead = constant.add(Rational::ONE)?;
        // An input and the answer to it are each under way.
        let Latencies { input, output, jitter } = latency;
        for more in [input.latest(), jitter, output.latest(), jitter] {
            ahead = ahead.add(more)?;
        }
        let exact = latency.is_none();
        Ok(Self { estimator: Estimator::new(board, latency)?, ahead, exact })
    }

    /// Takes a line of a log.
    pub fn logged(&mut self, line: &Logged) -> Result<Option<Finding>, Error> {
        match line {
            Logged::Action { at, by: Side::Tester, action } => self.sent(action, *at),
            Logged::Action { at, by: Side::System, action } => self.heard(action, *at),
            Logged::End { at } => self.quiet(*at),
        }
    }

    /// An input was sent.
    pub fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Finding>, Error> {
        let sent = |estimator: &mut Estimator<B>| estimator.sent(action, at);
        self.observed(at, sent, Some((action, true)))
    }

    /// An output was seen, and nothing since the last observation.
    pub fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Finding>, Error> {
        let heard = |estimator: &mut Estimator<B>| estimator.heard(action, at);
        self.observed(at, heard, Some((action, false)))
    }

    /// Nothing was seen up to a moment.
    pub fn quiet(&mut self, until: Moment) -> Result<Option<Finding>, Error> {
        self.observed(until, |estimator| estimator.quiet(until.earliest()), None)
    }

    /// Takes what was observed at a moment in a run with scheduling delays, and judges as its tester
    /// did: by these delays only where nothing else explains it.
    pub fn follow(
        &mut self,
        observed: &Observation,
        at: Moment,
        history: &mut History,
    ) -> Result<Option<Finding>, Error> {
        let action = match observed {
            Observation::Sent(action, _) => Some((action, true)),
            Observation::Heard(action, _) => Some((action, false)),
            Observation::Quiet(_) => None,
        };
        let found = self.observed(at, |estimator| history.add(observed, estimator), action)?;
        if matches!(found, None | Some(Finding::Unspecified { .. })) || !history.reconsider() {
            return Ok(found);
        }
        let board = self.estimator.board().clone();
        let mut lenient = Estimator::lenient(board, history.declared())?;
        if history.replay_earlier(&mut lenient)? != Explained::Yes {
            return Ok(found);
        }
        self.estimator = lenient;
        let found = self.observed(at, |estimator| history.tell(observed, estimator), action)?;
        if found.is_none() {
            history.rely_on_delay("this was observed")?;
        }
        Ok(found)
    }

    /// Within what times were rounded, if some were finer than can be counted with.
    pub fn rounding(&self) -> Option<Rational> {
        self.estimator.rounding()
    }

    /// The tester time of the last observation, at the latest.
    pub fn now(&self) -> Rational {
        self.estimator.now()
    }

    fn observed(
        &mut self,
        at: Moment,
        take: impl FnOnce(&mut Estimator<B>) -> Result<Explained, Error>,
        action: Option<(&Action, bool)>,
    ) -> Result<Option<Finding>, Error> {
        let long = at.earliest() > self.now().add(Rational::integer(LONG))?;
        let before = long.then(|| self.estimator.clone());
        let explained = take(&mut self.estimator)?;
        if explained == Explained::Yes {
            return Ok(None);
        }
        if let Some(before) = before {
            self.estimator = before;
        }
        self.finding(explained, at, action).map(Some)
    }

    /// What is wrong with an observation that left the estimate as it was.
    fn finding(
        &mut self,
        explained: Explained,
        at: Moment,
        action: Option<(&Action, bool)>,
    ) -> Result<Finding, Error> {
        if explained == Explained::Unspecified {
            let sent = action.filter(|(_, sent)| *sent && self.exact).map(|(input, _)| input);
            // Those that are accepted at the time of the input, as far as silence gets there.
            let mut then = self.estimator.clone();
            let inputs = match then.quiet(at.earliest().max(self.now()))? {
                Explained::Yes => then.acceptable_inputs()?,
                _ => Vec::new(),
            };
            return Ok(Finding::Unspecified { at, input: sent.cloned(), inputs });
        }
        let horizon = at.latest().max(self.now()).add(self.ahead)?;
        // The finding stands, even if there is too much that would have been right to say it all.
        let expectations =
            self.expectations(horizon).or_else(|_| self.expectations(at.latest())).ok();
        let known = expectations.is_some();
        let (expected, deadline) = expectations.unwrap_or_default();
        Ok(match action {
            Some((action, false)) => {
                let deviation = match known {
                    true => deviation(action, at, &expected)?,
                    false => Deviation::Unexplained,
                };
                Finding::Output { at, action: action.clone(), deviation, expected, deadline }
            }
            _ => Finding::Silence { until: at, expected, deadline },
        })
    }

    fn expectations(
        &mut self,
        horizon: Rational,
    ) -> Result<(Vec<ActionWindow>, Option<Limit>), Error> {
        let expected =
            self.estimator.expected(horizon)?.into_iter().map(ActionWindow::from).collect();
        let deadline = self.estimator.deadline(horizon)?.map(Limit::from);
        Ok((expected, deadline))
    }

    /// Where the system may be, and what is expected next.
    pub fn outlook(&mut self) -> Result<Outlook, Error> {
        let since = self.now();
        let horizon = since.add(self.ahead)?;
        let (expected, deadline) = self.expectations(horizon)?;
        let inputs = self.estimator.input_windows(horizon)?;
        let inputs = inputs.into_iter().map(ActionWindow::from).collect();
        Ok(Outlook { since, states: self.states()?, expected, deadline, inputs })
    }

    /// The states that explain everything so far.
    pub fn states(&mut self) -> Result<Vec<Estimated>, Error> {
        let mut found = Vec::new();
        for possible in self.estimator.states()? {
            let board = self.estimator.board();
            let mut clocks = Vec::new();
            for (index, clock) in board.clocks().into_iter().enumerate() {
                let (low, high) =
                    (possible.zone.bound(0, index + 1), possible.zone.bound(index + 1, 0));
                let limit = |constant: i32, excluded: bool| {
                    let at = Rational::new(constant.into(), possible.scale)?;
                    Ok::<_, Error>(Limit { at, excluded })
                };
                let from = limit(-low.constant().unwrap_or(0), low.is_strict())?;
                let high_end = high.constant().map(|constant| limit(constant, high.is_strict()));
                clocks.push(ClockRange { clock, from, until: high_end.transpose()? });
            }
            let one = Estimated { state: board.describe(&possible.state), clocks };
            if !found.contains(&one) {
                found.push(one);
            }
        }
        Ok(found)
    }

    /// The latencies that explain everything so far; nothing if there are none by assumption.
    pub fn latencies(&self) -> Result<Option<LatencyBounds>, Error> {
        if self.exact { Ok(None) } else { self.estimator.latencies().map(Some) }
    }
}
