//! A script as the tester: what was sent before is sent again at the same times, and an oracle says
//! what the answers mean.
//!
//! The oracle follows the run as a tester would, but decides nothing. Where it does not take an input
//! that is due, because the system behaved differently, the run has *diverged*: it ends there, and
//! nothing is said against the system.

use tioga_base::{Moment, Overflow, Rational, Times};
use tioga_testcase::{Action, Verdict};

use super::difference::first_difference;
use super::script::{Script, ScriptInput};
use crate::adapters::fault::FaultKind;
use crate::adapters::protocol::TimeBase;
use crate::adapters::scheduling_delay::SchedulingDelay;
use crate::error::Error;
use crate::journal::event::Event;
use crate::journal::settings::Settings;
use crate::testers::oracle::Oracle;
use crate::testers::tester::{Conclusion, Plan, Tester};

/// What went wrong in a run, without the details that change from run to run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Failure {
    /// An output on this channel came when it must not.
    Output(String),
    /// The system was silent for too long.
    Silence,
    /// Something is wrong with the system or with the connection to it.
    Fault(FaultKind),
}

/// Sends the inputs of a script.
pub struct ScriptTester<'o> {
    oracle: Box<dyn Oracle + 'o>,
    script: Script,
    /// The delay allowed to an output that has to come before an input.
    grace: Rational,
    /// How times are shown.
    times: Times,
    /// What happened when the script was recorded, if that is known.
    recorded: Vec<Event>,
    observed: Vec<Event>,
    next: usize,
    /// How many outputs came since the last input.
    heard: usize,
    /// How often nothing was heard since then, at the moment of the next input or later.
    listened: u32,
    now: Rational,
    failure: Option<Failure>,
    /// What silence meant at the end, while an output at the same moment has yet to come.
    meant: Option<Conclusion>,
}

impl<'o> ScriptTester<'o> {
    /// A tester at the start of a run. `recorded` are the events of the run that the script comes
    /// from; they are only used to say what became different.
    pub fn new(oracle: Box<dyn Oracle + 'o>, script: Script, recorded: Vec<Event>) -> Self {
        Self {
            oracle,
            script,
            grace: Rational::ZERO,
            times: Times::default(),
            recorded,
            observed: Vec::new(),
            next: 0,
            heard: 0,
            listened: 0,
            now: Rational::ZERO,
            failure: None,
            meant: None,
        }
    }

    /// With real time no answer comes at the same moment twice: an input that answers an output
    /// waits for it a little, and at the end there is a little more time.
    pub fn paced_by(mut self, settings: &Settings) -> Result<Self, Error> {
        self.times = settings.times();
        if let TimeBase::Real { unit_ns } = settings.time {
            let unit = i64::try_from(unit_ns).map_err(|_| Overflow)?;
            let little = Rational::new(GRACE_NS, unit.max(1))?;
            self.grace = little.min(Rational::new(1, 2)?);
            self.script.end = self.script.end.add(little)?;
        }
        Ok(self)
    }

    /// How the run failed, if it did.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// An input that is due now; nothing if something else comes first.
    fn due(&self) -> Option<&ScriptInput> {
        let input = self.script.inputs.get(self.next)?;
        let waits = self.heard < input.after && self.listened < LISTEN;
        (self.now >= input.at && !waits).then_some(input)
    }

    /// Whether to listen for something more at the end: to what came, until it is clear that it does
    /// not come, and to silence as long as the recorded run did. A system that lets the tester go first
    /// has more to say to a tester that listens longer.
    fn listens(&self) -> bool {
        let times = match self.script.after {
            Some(after) if self.heard >= after => u32::from(self.script.listens),
            _ => LISTEN,
        };
        self.listened < times
    }

    /// Whether an output of the recorded run has yet to come, at its very end.
    fn lacks_output(&self) -> bool {
        let lacks = self.script.after.is_some_and(|after| self.heard < after);
        lacks && self.next == self.script.inputs.len() && self.listens()
    }

    fn concluded(
        &mut self,
        conclusion: Option<Conclusion>,
        failure: impl FnOnce() -> Failure,
    ) -> Option<Conclusion> {
        if conclusion.as_ref().is_some_and(|conclusion| conclusion.verdict == Verdict::Fail) {
            self.failure = Some(failure());
        }
        conclusion
    }

    fn diverged(&self, input: &ScriptInput) -> Conclusion {
        let ScriptInput { at, action, .. } = input;
        let at = self.times.exact(*at);
        let mut reason = format!("diverged: `{action}`, due at {at}, may not be sent any more");
        let mut recorded = self.recorded.clone();
        // What was recorded later is no difference yet.
        recorded.retain(|event| event.at().is_none_or(|at| at.latest() <= self.now));
        if let Some(difference) = first_difference(&recorded, &self.observed) {
            reason = format!("{reason}; {}", difference.text(self.times));
        }
        Conclusion { verdict: Verdict::Inconclusive, reason, at: self.now }
    }
}

/// How often to listen at the same moment before nothing is expected any more: a system may let the
/// tester go first once.
const LISTEN: u32 = 2;

/// The delay allowed to an answer with real time, in nanoseconds.
const GRACE_NS: i64 = 100_000_000;

impl Tester for ScriptTester<'_> {
    fn scheduling_delay(&mut self, delay: SchedulingDelay) -> Result<(), Error> {
        self.oracle.scheduling_delay(delay)
    }

    fn relies_on_delay(&self) -> bool {
        self.oracle.relies_on_delay()
    }

    fn plan(&mut self) -> Result<Plan, Error> {
        if let Some(conclusion) = &self.meant {
            return Ok(match self.lacks_output() {
                true => Plan::Wait { until: self.now, awaited: Vec::new() },
                false => Plan::Stop(conclusion.clone()),
            });
        }
        if let Some(input) = self.due().cloned() {
            return Ok(match self.oracle.allows(&input.action)? {
                true => Plan::Send(input.action),
                false => Plan::Stop(self.diverged(&input)),
            });
        }
        let until = match self.script.inputs.get(self.next) {
            Some(input) if self.now < input.at => input.at,
            Some(input) => input.at.add(self.grace)?.max(self.now),
            None if self.now < self.script.end || self.listens() => self.script.end.max(self.now),
            None => {
                // A test that is over, or has waited long enough, says why in its own words.
                if let stop @ Plan::Stop(_) = self.oracle.plan()? {
                    return Ok(stop);
                }
                let reason = "everything conformed as long as the recorded run lasted".to_owned();
                let verdict = Verdict::Inconclusive;
                return Ok(Plan::Stop(Conclusion { verdict, reason, at: self.now }));
            }
        };
        self.oracle.wait(until)
    }

    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.observed.push(Event::Sent { at, action: action.clone() });
        (self.next, self.heard, self.listened) = (self.next + 1, 0, 0);
        self.now = self.now.max(at.latest());
        let conclusion = self.oracle.sent(action, at)?;
        Ok(self.concluded(conclusion, || Failure::Silence))
    }

    fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.observed.push(Event::Heard { at, action: action.clone() });
        (self.heard, self.listened) = (self.heard + 1, 0);
        if self.meant.is_some() {
            return Ok(self.meant.take());
        }
        // What was too late before the output came is told from what should not have come.
        if at.earliest() > self.now {
            let silent = self.oracle.quiet(Moment::exactly(at.earliest()))?;
            if let Some(conclusion) = self.concluded(silent, || Failure::Silence) {
                return Ok(Some(conclusion));
            }
        }
        self.now = self.now.max(at.latest());
        let conclusion = self.oracle.heard(action, at)?;
        Ok(self.concluded(conclusion, || Failure::Output(action.channel.clone())))
    }

    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error> {
        self.now = self.now.max(now.latest());
        let enough = match self.script.inputs.get(self.next) {
            Some(input) => self.now >= input.at.add(self.grace)?,
            None => self.now >= self.script.end,
        };
        self.listened = if enough { self.listened + 1 } else { 0 };
        if self.meant.is_some() {
            return Ok(None);
        }
        let conclusion = self.oracle.quiet(now)?;
        let conclusion = self.concluded(conclusion, || Failure::Silence);
        if enough && conclusion.is_some() && self.lacks_output() {
            self.meant = conclusion;
            return Ok(None);
        }
        Ok(conclusion)
    }
}
