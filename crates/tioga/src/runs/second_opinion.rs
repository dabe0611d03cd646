//! Whether the system or the environment that the tester plays is at fault if a test case of a closed model
//! fails.
//!
//! A test case follows system and environment together. An output that only the environment refuses, or
//! silence that only its invariant bounds, is unexpected in the test case, but no fault of the system
//! (relativised conformance, LMN04). So a fail stands only if the model, which separates both, agrees. If they
//! share more than the interface, it agrees if not even an environment that hinders nothing explains the run.
//!
//! Most runs do not fail, so what happens is noted and judged when it is needed, or in parts when there is much of it.

use tioga_adapters::SchedulingDelay;
use tioga_base::{Cancel, Moment};
use tioga_estimate::Latencies;
use tioga_execute::{Conclusion, Error, OnlineTester, Oracle, Plan, Tester};
use tioga_model::Model;
use tioga_testcase::{Action, TestCase, Verdict};

/// How much is noted before it is judged.
const NOTES: usize = 10_000;

/// Something that happened.
enum Note {
    Delay(SchedulingDelay),
    Sent(Action, Moment),
    Heard(Action, Moment),
    Quiet(Moment),
}

/// A tester whose fails are judged a second time.
pub(crate) struct SecondOpinion<'t> {
    first: Box<dyn Tester + 't>,
    second: OnlineTester<'t>,
    /// The tester's own moves, which no message shows.
    own_moves: &'t [String],
    /// Whether system and environment cannot be separated.
    entangled: bool,
    /// What the second one has not been told yet.
    notes: Vec<Note>,
    /// The verdict of the second judgement; it is final.
    concluded: Option<Verdict>,
}

impl<'t> SecondOpinion<'t> {
    /// The tester with a second judgement if the model has an environment of its own; otherwise
    /// unchanged.
    ///
    /// # Errors
    /// If runs of the model cannot be followed.
    pub fn of(
        first: Box<dyn Tester + 't>,
        case: &'t TestCase,
        model: &'t Model,
        latencies: Latencies,
        is_virtual: bool,
    ) -> Result<Box<dyn Tester + 't>, Error> {
        let entangled = match model.system_alone() {
            Ok(None) => return Ok(first),
            Ok(Some(_)) => false,
            Err(_) => true,
        };
        let second = OnlineTester::judge(model, None, None, latencies, false)?;
        let second = if is_virtual { second.in_virtual_time() } else { second };
        let (own_moves, notes) = (&case.own_moves, Vec::new());
        Ok(Box::new(Self { first, second, own_moves, entangled, notes, concluded: None }))
    }

    /// Notes what happened, for the second one.
    fn note(&mut self, note: Note) -> Result<(), Error> {
        if self.concluded.is_none() {
            self.notes.push(note);
        }
        if self.notes.len() < NOTES { Ok(()) } else { self.ask() }
    }

    /// Notes what the second one says about all that happened.
    fn ask(&mut self) -> Result<(), Error> {
        for note in std::mem::take(&mut self.notes) {
            let conclusion = match note {
                Note::Delay(delay) => self.second.scheduling_delay(delay).map(|()| None)?,
                Note::Sent(action, at) => self.second.sent(&action, at)?,
                Note::Heard(action, at) => self.second.heard(&action, at)?,
                Note::Quiet(now) => self.second.quiet(now)?,
            };
            if let Some(conclusion) = conclusion {
                self.concluded = Some(conclusion.verdict);
                break;
            }
        }
        Ok(())
    }

    /// The conclusion, unless it blames the system for what it may do.
    fn judged(&mut self, conclusion: Conclusion) -> Result<Conclusion, Error> {
        if conclusion.verdict != Verdict::Fail {
            return Ok(conclusion);
        }
        self.ask()?;
        if self.concluded == Some(Verdict::Fail) {
            return Ok(conclusion);
        }
        let reason = format!(
            "the environment of the model does not allow this, and {} does: {}",
            if self.entangled { "the system without its limits" } else { "the system alone" },
            conclusion.reason
        );
        Ok(Conclusion { verdict: Verdict::Inconclusive, reason, ..conclusion })
    }
}

impl Tester for SecondOpinion<'_> {
    fn stop_with(&mut self, cancel: &Cancel) {
        self.first.stop_with(cancel);
        self.second.stop_with(cancel);
    }

    fn scheduling_delay(&mut self, delay: SchedulingDelay) -> Result<(), Error> {
        self.first.scheduling_delay(delay)?;
        self.note(Note::Delay(delay))
    }

    fn relies_on_delay(&self) -> bool {
        self.first.relies_on_delay()
    }

    fn plan(&mut self) -> Result<Plan, Error> {
        Ok(match self.first.plan()? {
            Plan::Stop(conclusion) => Plan::Stop(self.judged(conclusion)?),
            Plan::Wait { until, awaited } => {
                // Where time ends and the system can do nothing without the environment, neither is at fault.
                if self.entangled {
                    self.ask()?;
                    if self.concluded.is_none() {
                        self.second.wait(until)?;
                    }
                }
                Plan::Wait { until, awaited }
            }
            plan => plan,
        })
    }

    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        // All hidden moves of the environment are followed, whether the tester makes them or not.
        if !self.own_moves.contains(&action.channel) {
            self.note(Note::Sent(action.clone(), at))?;
        }
        self.first.sent(action, at)?.map(|conclusion| self.judged(conclusion)).transpose()
    }

    fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.note(Note::Heard(action.clone(), at))?;
        self.first.heard(action, at)?.map(|conclusion| self.judged(conclusion)).transpose()
    }

    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error> {
        self.note(Note::Quiet(now))?;
        self.first.quiet(now)?.map(|conclusion| self.judged(conclusion)).transpose()
    }
}
