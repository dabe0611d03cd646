//! A test case as the tester, where moments are uncertain or messages take time.
//!
//! Instead of one state of the test case there is the set of all that explain what was observed
//! ([`Estimator`]). The run fails if nothing explains it, and passes if everything that explains it
//! does. In an explanation in which the test is over already, whatever follows is no matter: it explains
//! everything from then on. Before the run fails, it is judged again by its scheduling delays ([`History`]). What to do next is planned for one
//! of the explanations, which affects cooperation but no verdict. But nothing is sent before every
//! explanation accepts it; if that does not come, the run is inconclusive.

use tioga_adapters::SchedulingDelay;
use tioga_base::{Cancel, Moment, Overflow, Rational};
use tioga_estimate::{CaseBoard, Estimator, Explained, Latencies, LatencyBounds, Sample, Upcoming};
use tioga_observe::{History, Losing, Observation, unspecified};
use tioga_testcase::{Action, Follower, TestCase, Verdict};

use super::grid::Grid;
use super::oracle::Oracle;
use super::planner::Planner;
use super::tester::{Conclusion, Plan, Tester};
use crate::error::Error;

/// Follows a test case as far as the observations determine it.
pub struct EstimatingTester<'c> {
    case: &'c TestCase,
    estimator: Estimator<CaseBoard<'c>>,
    cancel: Cancel,
    /// What explains the run if inputs were lost.
    losing: Losing<CaseBoard<'c>>,
    latency: Latencies,
    history: History,
    planner: Planner,
    now: Rational,
    /// Since when the explanations disagree about whether the test is over.
    divided: Option<Rational>,
    /// Since when something is to be sent that some explanation does not accept.
    hesitates: Option<Rational>,
}

/// An explanation, and when an input has to be sent to meet it.
type Planned = (Sample<u32>, Option<Rational>);

impl<'c> EstimatingTester<'c> {
    /// A tester at the start of a run; `patience` as in
    /// [`CaseTester::new`](super::case_tester::CaseTester::new).
    pub fn new(
        case: &'c TestCase,
        latencies: &Latencies,
        seed: u64,
        patience: Option<Rational>,
    ) -> Result<Self, Error> {
        let latency = *latencies;
        let mut planner = Planner::new(case, seed, patience)?;
        planner.acts_exactly(false);
        Ok(Self {
            case,
            estimator: Estimator::new(CaseBoard::new(case)?, latency)?,
            cancel: Cancel::new(),
            losing: Losing::new(Estimator::new(CaseBoard::new(case)?, latency)?, latency),
            latency,
            history: History::new(latency, case.summary.times()),
            planner,
            now: Rational::ZERO,
            divided: None,
            hesitates: None,
        })
    }

    /// Time is virtual. There is no scheduling delay then, so nothing of the run has to be kept to be
    /// judged again, and memory does not grow with it.
    #[must_use]
    pub fn in_virtual_time(mut self) -> Self {
        self.history.keep_nothing();
        self.planner.acts_exactly(true);
        self
    }

    /// Inputs are sent at points of a grid only, if there is one.
    #[must_use]
    pub fn on_grid(mut self, grid: Option<Grid>) -> Self {
        self.planner.on_grid(grid);
        self
    }

    fn tick(&self) -> Result<Rational, Error> {
        Ok(Rational::new(1, self.case.scale.checked_mul(16).ok_or(Overflow)?)?)
    }

    /// How long it may take until a difference shows.
    fn uncertainty(&self) -> Result<Rational, Error> {
        let Latencies { input, output, jitter } = self.latency;
        let ways = input.latest().add(output.latest())?;
        Ok(ways.add(jitter)?.add(jitter)?.add(self.tick()?)?)
    }

    /// When to see that silence lasted beyond its end. Where only scheduling delay explains that it
    /// did, it is looked at again and again, until something comes or not even that explains it.
    fn just_after(&self, end: Rational) -> Result<Rational, Error> {
        let seen = end.add(self.tick()?)?;
        Ok(if seen > self.now { seen } else { self.now.add(self.uncertainty()?)? })
    }

    /// One explanation of how it will be when an input arrives that is sent at the time that comes
    /// with it; of how it is now, without a time, if the system has to do something before.
    fn explanation(&mut self) -> Result<Option<Planned>, Error> {
        Ok(match self.estimator.upcoming()? {
            Some(Upcoming { sample, sent }) => Some((sample, Some(sent))),
            None => self.estimator.sample()?.map(|sample| (sample, None)),
        })
    }

    /// What the run means now, after an observation that was explained or not.
    fn observe(&mut self, observed: Observation) -> Result<Option<Conclusion>, Error> {
        let explained = self.history.add(&observed, &mut self.estimator)?;
        self.losing.observe(&observed, &self.history);
        let times = self.history.times();
        self.conclude(explained, &|| observed.story(explained, times))
    }

    fn conclude(
        &mut self,
        mut explained: Explained,
        observed: &dyn Fn() -> String,
    ) -> Result<Option<Conclusion>, Error> {
        let mut again = false;
        let (verdict, reason) = loop {
            let judged = self.judge(explained, observed)?;
            let fails = matches!(judged, Some((Verdict::Fail, _)));
            if fails && self.history.reconsider() {
                explained = self.judge_again()?;
                again = true;
                continue;
            }
            if again && !fails {
                self.history.rely_on_delay(&observed())?;
            }
            match judged {
                Some(judged) => break judged,
                None => return Ok(None),
            }
        };
        Ok(Some(self.concluded(verdict, reason)))
    }

    /// What a verdict comes to.
    fn concluded(&self, verdict: Verdict, reason: String) -> Conclusion {
        let (verdict, reason) = self.history.qualified(verdict, reason);
        let (verdict, reason) = self.planner.judged(verdict, reason, self.case);
        Conclusion { verdict, reason, at: self.now }
    }

    /// Explains the run once more by its scheduling delays.
    fn judge_again(&mut self) -> Result<Explained, Error> {
        let lenient = || {
            let mut estimator = Estimator::lenient(CaseBoard::new(self.case)?, self.latency)?;
            estimator.stop_with(&self.cancel);
            Ok::<_, Error>(estimator)
        };
        let (mut estimator, losing) = (lenient()?, lenient()?);
        let explained = self.history.replay(&mut estimator, |_| Ok(()))?;
        self.estimator = estimator;
        self.losing = Losing::again(losing, &self.history);
        self.divided = None;
        self.planner.forget();
        Ok(explained)
    }

    fn judge(
        &mut self,
        explained: Explained,
        observed: &dyn Fn() -> String,
    ) -> Result<Option<(Verdict, String)>, Error> {
        let concluded = |verdict, reason: String| Ok(Some((verdict, reason)));
        match explained {
            Explained::Yes => {}
            Explained::Unspecified => {
                let reason = unspecified(&observed());
                return concluded(Verdict::Inconclusive, reason);
            }
            Explained::NoOutput | Explained::Late if self.losing.explains => {
                return concluded(Verdict::Inconclusive, unspecified(&observed()));
            }
            Explained::NoOutput | Explained::Late => {
                let reason = format!("{}, which no latency explains", observed());
                return concluded(Verdict::Fail, reason);
            }
        }
        self.verdict()
    }

    /// What the run means if the test is over in every explanation.
    fn verdict(&mut self) -> Result<Option<(Verdict, String)>, Error> {
        if !self.estimator.is_over()? {
            return Ok(None);
        }
        for verdict in [Verdict::Pass, Verdict::Uncertain, Verdict::Inconclusive, Verdict::Fail] {
            if self.estimator.verdict(verdict)?.all {
                let reason = self.estimator.reason(verdict)?.unwrap_or_default().to_owned();
                return Ok(Some((verdict, reason)));
            }
        }
        let reason = "the test is over, and its verdict depends on the latencies".to_owned();
        Ok(Some((Verdict::Inconclusive, reason)))
    }

    fn give_up(&self, reason: String) -> Plan {
        let (verdict, reason) = self.history.qualified(Verdict::Inconclusive, reason);
        Plan::Stop(Conclusion { verdict, reason, at: self.now })
    }

    fn moved(&mut self, at: Moment) {
        self.now = self.now.max(at.latest());
        (self.divided, self.hesitates) = (None, None);
        self.planner.acted();
    }

    /// What to do instead of sending something that some explanation does not accept: as time passes,
    /// explanations come to an end and bounds are met in those that remain.
    fn hesitate(&mut self, input: &Action, silence: Option<Rational>) -> Result<Plan, Error> {
        let since = *self.hesitates.get_or_insert(self.now);
        let longest = self.uncertainty()?;
        if self.now < since.add(longest)?.add(longest)? {
            let soon = self.now.add(longest.div(Rational::integer(4))?)?;
            let until = silence.map_or(soon, |silence| silence.min(soon));
            return Ok(Plan::Wait { until, awaited: Vec::new() });
        }
        let input = &input.channel;
        let reason = format!("whether `{input}` may be sent depends on the latencies at all times");
        Ok(self.give_up(reason))
    }

    /// The latencies that explain the run so far, in words.
    pub fn latencies(&self) -> Result<String, Error> {
        let LatencyBounds { input, output } = self.estimator.latencies()?;
        let times = self.history.times();
        Ok(format!("input {}, output {}", times.moment(input), times.moment(output)))
    }
}

impl Tester for EstimatingTester<'_> {
    fn stop_with(&mut self, cancel: &Cancel) {
        self.cancel = cancel.clone();
        self.estimator.stop_with(cancel);
        self.losing.stop_with(cancel);
    }

    fn scheduling_delay(&mut self, delay: SchedulingDelay) -> Result<(), Error> {
        Ok(self.history.scheduling_delay(delay)?)
    }

    fn relies_on_delay(&self) -> bool {
        self.history.relies_on_delay()
    }

    fn plan(&mut self) -> Result<Plan, Error> {
        // The purpose may be reached before anything is observed.
        if let Some((verdict, reason)) = self.verdict()? {
            return Ok(Plan::Stop(self.concluded(verdict, reason)));
        }
        let Some((sample, at)) = self.explanation()? else {
            let reason = "nothing explains the run".to_owned();
            return Ok(self.give_up(reason));
        };
        if self.estimator.board().judgement(sample.state).is_some() {
            // In other explanations the test goes on, or it would be over.
            let since = *self.divided.get_or_insert(self.now);
            let longest = self.uncertainty()?;
            let end = since.add(longest)?.add(longest)?;
            if self.now < end {
                return Ok(Plan::Wait { until: self.now.add(longest)?, awaited: Vec::new() });
            }
            let reason = "whether the test was over depends on the latencies".to_owned();
            return Ok(self.give_up(reason));
        }
        let follower = Follower::at(self.case, sample.state as usize, sample.clocks);
        let horizon = self.now.add(follower.horizon()?)?.add(self.uncertainty()?)?;
        let deadline = self.estimator.deadline(horizon.add(Rational::ONE)?)?;
        let mut silence = match deadline {
            None => None,
            Some((end, _)) => Some(self.just_after(end)?),
        };
        // A verdict that comes with time alone should be seen when it comes.
        for verdict in [Verdict::Pass, Verdict::Uncertain, Verdict::Inconclusive] {
            let Some((at, excluded)) = self.estimator.earliest_verdict(verdict, horizon)? else {
                continue;
            };
            let at = if excluded { at.add(self.tick()?)? } else { at };
            if at > self.now {
                silence = Some(silence.map_or(at, |silence| silence.min(at)));
            }
        }
        let plan = self.planner.plan(&follower, at.unwrap_or(self.now), silence)?;
        let waits = |until| Plan::Wait { until, awaited: Vec::new() };
        match (plan, at) {
            // What was sent before has to arrive first.
            (Plan::Send(_), Some(at)) if at > self.now => Ok(waits(at)),
            // An input would be for a state in which the system cannot be any more when it arrives.
            (Plan::Send(_), None) => Ok(waits(match silence {
                Some(silence) => silence,
                None => self.now.add(self.uncertainty()?)?,
            })),
            (Plan::Send(input), _) if !self.estimator.sure_inputs()?.contains(&input) => {
                self.hesitate(&input, silence)
            }
            (plan, _) => {
                self.hesitates = None;
                Ok(plan)
            }
        }
    }

    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.moved(at);
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

impl Oracle for EstimatingTester<'_> {
    fn allows(&mut self, input: &Action) -> Result<bool, Error> {
        Ok(self.estimator.acceptable_inputs()?.contains(input))
    }

    fn wait(&mut self, until: Rational) -> Result<Plan, Error> {
        Ok(match self.plan()? {
            Plan::Wait { until: own, awaited } if own > self.now => {
                Plan::Wait { until: own.min(until), awaited }
            }
            // The test case would do something else, but only silence counts.
            _ => {
                let until = match self.estimator.deadline(until)? {
                    None => until,
                    Some((end, _)) => self.just_after(end)?.min(until),
                };
                Plan::Wait { until, awaited: Vec::new() }
            }
        })
    }

    fn awaits_output(&mut self, horizon: Rational) -> Result<bool, Error> {
        Ok(self.estimator.deadline(horizon)?.is_some())
    }
}
