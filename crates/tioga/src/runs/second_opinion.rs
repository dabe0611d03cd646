//! Whether the system or the environment that the tester plays is at fault if a test case of a closed model
//! fails.
//!
//! A test case follows system and environment together. An output that only the environment refuses, or
//! silence that only its invariant bounds, is unexpected in the test case, but no fault of the system
//! (relativised conformance, LMN04). So a fail stands only if the model, which separates both, agrees. If they
//! share more than the interface, it agrees if not even an environment that hinders nothing explains the run.

use tioga_adapters::SchedulingDelay;
use tioga_base::{Cancel, Moment};
use tioga_estimate::Latencies;
use tioga_execute::{Conclusion, Error, OnlineTester, Oracle, Plan, Tester};
use tioga_model::Model;
use tioga_testcase::{Action, TestCase, Verdict};

/// A tester whose fails are judged a second time.
pub(crate) struct SecondOpinion<'t> {
    first: Box<dyn Tester + 't>,
    second: OnlineTester<'t>,
    /// The tester's own moves, which no message shows.
    own_moves: &'t [String],
    /// Whether system and environment cannot be separated.
    entangled: bool,
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
        let second = OnlineTester::judge(model, None, latencies, false)?;
        let second = if is_virtual { second.in_virtual_time() } else { second };
        let own_moves = &case.own_moves;
        Ok(Box::new(Self { first, second, own_moves, entangled, concluded: None }))
    }

    /// Notes what the second one says.
    fn ask(
        &mut self,
        observe: impl FnOnce(&mut OnlineTester<'t>) -> Result<Option<Conclusion>, Error>,
    ) -> Result<(), Error> {
        if self.concluded.is_none() {
            self.concluded = observe(&mut self.second)?.map(|conclusion| conclusion.verdict);
        }
        Ok(())
    }

    /// The conclusion, unless it blames the system for what it may do.
    fn judged(&self, conclusion: Conclusion) -> Conclusion {
        if conclusion.verdict != Verdict::Fail || self.concluded == Some(Verdict::Fail) {
            return conclusion;
        }
        let reason = format!(
            "the environment of the model does not allow this, and {} does: {}",
            if self.entangled { "the system without its limits" } else { "the system alone" },
            conclusion.reason
        );
        Conclusion { verdict: Verdict::Inconclusive, reason, ..conclusion }
    }
}

impl Tester for SecondOpinion<'_> {
    fn stop_with(&mut self, cancel: &Cancel) {
        self.first.stop_with(cancel);
        self.second.stop_with(cancel);
    }

    fn scheduling_delay(&mut self, delay: SchedulingDelay) -> Result<(), Error> {
        self.first.scheduling_delay(delay)?;
        self.second.scheduling_delay(delay)
    }

    fn relies_on_delay(&self) -> bool {
        self.first.relies_on_delay()
    }

    fn plan(&mut self) -> Result<Plan, Error> {
        Ok(match self.first.plan()? {
            Plan::Stop(conclusion) => Plan::Stop(self.judged(conclusion)),
            Plan::Wait { until, awaited } => {
                // Where time ends and the system can do nothing without the environment, neither is at fault.
                if self.entangled && self.concluded.is_none() {
                    self.second.wait(until)?;
                }
                Plan::Wait { until, awaited }
            }
            plan => plan,
        })
    }

    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        // All hidden moves of the environment are followed, whether the tester makes them or not.
        if !self.own_moves.contains(&action.channel) {
            self.ask(|second| second.sent(action, at))?;
        }
        Ok(self.first.sent(action, at)?.map(|conclusion| self.judged(conclusion)))
    }

    fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.ask(|second| second.heard(action, at))?;
        Ok(self.first.heard(action, at)?.map(|conclusion| self.judged(conclusion)))
    }

    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error> {
        self.ask(|second| second.quiet(now))?;
        Ok(self.first.quiet(now)?.map(|conclusion| self.judged(conclusion)))
    }
}
