//! A script as the tester: what was sent before is sent again, and an oracle says what the answers mean.
//!
//! Inputs are sent at the times of the recorded run, or at a pace that follows the run ([`Pace`]): an input
//! waits for as many outputs as came before it, as long as the oracle says that something has to come, and
//! is sent as long after the last of them as in the recorded run.
//!
//! The oracle follows the run as a tester would, but decides nothing. Where it does not take an input
//! that is due, because the system behaved differently, the run has *diverged*: it ends there, and
//! nothing is said against the system.

use tioga_adapters::{FaultKind, SchedulingDelay, TimeBase};
use tioga_base::{Cancel, Moment, Overflow, Rational, Times};
use tioga_testcase::{Action, Verdict};

use super::difference::first_difference;
use super::script::{Pace, Script, ScriptInput};
use crate::error::Error;
use crate::journal::event::Event;
use crate::journal::settings::Settings;
use crate::testers::grid::Grid;
use crate::testers::oracle::Oracle;
use crate::testers::tester::{Conclusion, Plan, Tester};

/// What went wrong in a run, without the details that change from run to run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RunFailure {
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
    /// When inputs may be sent, if not at any time.
    grid: Option<Grid>,
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
    /// When the last input was sent.
    last: Rational,
    /// When the output came that the next input follows: the input before if it follows none.
    followed: Option<Rational>,
    /// How often the next input was put off, because it may not be sent yet.
    put_off: u32,
    /// Whether the pace mattered: at another one, something else might have been done.
    paced: bool,
    failure: Option<RunFailure>,
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
            grid: None,
            times: Times::default(),
            recorded,
            observed: Vec::new(),
            next: 0,
            heard: 0,
            listened: 0,
            now: Rational::ZERO,
            last: Rational::ZERO,
            followed: None,
            put_off: 0,
            paced: false,
            failure: None,
            meant: None,
        }
    }

    /// With real time no answer comes at the same moment twice: an input that answers an output
    /// waits for it a little, and at the end there is a little more time. Inputs are sent at points of the
    /// grid, if there is one.
    pub fn paced_by(mut self, settings: &Settings) -> Result<Self, Error> {
        (self.times, self.grid) = (settings.times(), settings.grid());
        if let TimeBase::Real { unit_ns } = settings.time {
            let unit = i64::try_from(unit_ns).map_err(|_| Overflow)?;
            let little = Rational::new(GRACE_NS, unit.max(1))?;
            self.grace = little.min(Rational::new(1, 2)?);
            self.script.end = self.script.end.add(little)?;
        }
        Ok(self)
    }

    /// How the run failed, if it did.
    pub fn failure(&self) -> Option<&RunFailure> {
        self.failure.as_ref()
    }

    /// Whether the run might have been another one at the other pace.
    pub(crate) fn depends_on_pace(&self) -> bool {
        self.paced
    }

    /// When an input is due, as far as is known.
    fn due_at(&self, input: &ScriptInput) -> Result<Rational, Overflow> {
        let due = match (self.script.pace, self.followed) {
            (Pace::Fixed, _) => input.at,
            (Pace::Following, Some(followed)) => followed.add(input.since)?,
            (Pace::Following, None) => self.last.add(self.script.span(self.next)?)?,
        };
        let Some(grid) = self.grid else { return Ok(due) };
        // With real time, now is shortly after the point of the grid that was waited for.
        let due = due.max(self.now);
        let late = due.sub(grid.at_or_before(due)?)?;
        if late <= self.grace.min(grid.step().div(Rational::integer(2))?) {
            return Ok(due);
        }
        grid.at_or_after(due)
    }

    /// Until when the run is observed, if nothing follows.
    fn end(&self) -> Result<Rational, Overflow> {
        Ok(match self.script.pace {
            Pace::Fixed => self.script.end,
            Pace::Following => self.last.add(self.script.tail()?)?,
        })
    }

    /// An input that is due now; nothing if something else comes first.
    fn due(&mut self) -> Result<Option<ScriptInput>, Error> {
        let Some(input) = self.script.inputs.get(self.next).cloned() else { return Ok(None) };
        if self.now < self.due_at(&input)? {
            return Ok(None);
        }
        if self.heard < input.after {
            self.paced = true;
            if self.listened < LISTEN {
                return Ok(None);
            }
            // What has to come is waited for, where the run is followed.
            if self.script.pace == Pace::Following && self.awaits_output()? {
                return Ok(None);
            }
        } else if let Some(followed) = self.followed {
            self.paced |= followed.add(input.since)? != input.at;
        }
        Ok(Some(input))
    }

    /// Whether the system has to say something before so much time has passed as the whole script takes.
    fn awaits_output(&mut self) -> Result<bool, Error> {
        let horizon = self.now.add(self.script.end.max(Rational::ONE))?;
        self.oracle.awaits_output(horizon)
    }

    /// An input that is due and may not be sent: later it may, where the run is followed.
    fn refused(&mut self, input: &ScriptInput) -> Result<Plan, Error> {
        self.paced = true;
        if self.script.pace == Pace::Fixed || self.put_off >= PUT_OFF {
            return Ok(Plan::Stop(self.diverged(input)));
        }
        self.put_off += 1;
        self.oracle.wait(self.now.add(Rational::new(1, 2)?)?)
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
        failure: impl FnOnce() -> RunFailure,
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

/// How often to listen at the same moment before nothing is expected any more: a system may let the tester go first once
/// before each of its steps, and some of them may be hidden.
const LISTEN: u32 = 16;

/// How often an input that may not be sent is put off, by half a time unit.
const PUT_OFF: u32 = 64;

/// The delay allowed to an answer with real time, in nanoseconds.
const GRACE_NS: i64 = 100_000_000;

impl Tester for ScriptTester<'_> {
    fn stop_with(&mut self, cancel: &Cancel) {
        self.oracle.stop_with(cancel);
    }

    fn scheduling_delay(&mut self, delay: SchedulingDelay) -> Result<(), Error> {
        self.oracle.scheduling_delay(delay)
    }

    fn relies_on_delay(&self) -> bool {
        self.oracle.relies_on_delay()
    }

    fn is_guess(&self, input: &Action) -> bool {
        self.oracle.is_guess(input)
    }

    fn plan(&mut self) -> Result<Plan, Error> {
        if let Some(conclusion) = &self.meant {
            return Ok(match self.lacks_output() {
                true => Plan::Wait { until: self.now, awaited: Vec::new() },
                false => Plan::Stop(conclusion.clone()),
            });
        }
        if let Some(input) = self.due()? {
            return match self.oracle.allows(&input.action)? {
                true => Ok(Plan::Send(input.action)),
                false => self.refused(&input),
            };
        }
        let until = match self.script.inputs.get(self.next).cloned() {
            Some(input) => {
                let due = self.due_at(&input)?;
                let listens = self.listened < LISTEN;
                match self.now < due {
                    true => due,
                    false if listens => due.add(self.grace)?.max(self.now),
                    // The oracle knows by when something has to come.
                    false => self.now.add(self.script.end.max(Rational::ONE))?,
                }
            }
            None if self.now < self.end()? || self.listens() => self.end()?.max(self.now),
            // Answers that come at other times may come later.
            None if self.script.pace == Pace::Following && self.awaits_output()? => {
                self.now.add(self.script.end.max(Rational::ONE))?
            }
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
        (self.next, self.heard, self.listened, self.put_off) = (self.next + 1, 0, 0, 0);
        self.now = self.now.max(at.latest());
        (self.last, self.followed) = (self.now, None);
        if self.script.inputs.get(self.next).is_some_and(|next| next.after == 0) {
            self.followed = Some(self.now);
        }
        let conclusion = self.oracle.sent(action, at)?;
        Ok(self.concluded(conclusion, || RunFailure::Silence))
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
            if let Some(conclusion) = self.concluded(silent, || RunFailure::Silence) {
                return Ok(Some(conclusion));
            }
        }
        self.now = self.now.max(at.latest());
        if self.script.inputs.get(self.next).is_some_and(|next| next.after == self.heard) {
            self.followed = Some(self.now);
        }
        let conclusion = self.oracle.heard(action, at)?;
        Ok(self.concluded(conclusion, || RunFailure::Output(action.channel.clone())))
    }

    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error> {
        self.now = self.now.max(now.latest());
        let enough = match self.script.inputs.get(self.next) {
            Some(input) => self.now >= self.due_at(input)?.add(self.grace)?,
            None => self.now >= self.end()?,
        };
        self.listened = if enough { self.listened + 1 } else { 0 };
        if self.meant.is_some() {
            return Ok(None);
        }
        let conclusion = self.oracle.quiet(now)?;
        let conclusion = self.concluded(conclusion, || RunFailure::Silence);
        if enough && conclusion.is_some() && self.lacks_output() {
            self.meant = conclusion;
            return Ok(None);
        }
        Ok(conclusion)
    }
}
