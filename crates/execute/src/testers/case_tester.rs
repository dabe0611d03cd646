//! A test case as the tester, with exact time.

use tioga_base::{Moment, Rational};
use tioga_testcase::{Action, Followed, Follower, Side, TestCase, Verdict};

use super::grid::Grid;
use super::oracle::Oracle;
use super::planner::Planner;
use super::tester::{Conclusion, Plan, Tester};
use crate::error::Error;

/// Follows a test case where every moment is known exactly. Where the test case leaves the choice
/// open, a seed decides.
pub struct CaseTester<'c> {
    follower: Follower<'c>,
    now: Rational,
    planner: Planner,
}

impl<'c> CaseTester<'c> {
    /// A tester at the start of a run. Where the system may be silent for ever, it waits for
    /// `patience` after the last moment that the test case tells from others; by default as long as
    /// the largest constant of the test case.
    pub fn new(case: &'c TestCase, seed: u64, patience: Option<Rational>) -> Result<Self, Error> {
        let planner = Planner::new(case, seed, patience)?;
        Ok(Self { follower: Follower::new(case), now: Rational::ZERO, planner })
    }

    /// Inputs are sent at points of a grid only, if there is one.
    #[must_use]
    pub fn on_grid(mut self, grid: Option<Grid>) -> Self {
        self.planner.on_grid(grid);
        self
    }

    /// When it will be clear that the system has been silent for too long.
    fn silence(&self) -> Result<Option<Rational>, Error> {
        let Some((end, excluded)) = self.follower.patience()?.upper() else { return Ok(None) };
        let tick = Rational::new(1, self.follower.case().scale)?;
        let seen = if excluded { end } else { end.add(tick)? };
        Ok(Some(self.now.add(seen)?))
    }

    /// Lets the time pass that has passed.
    fn pass(&mut self, at: Moment) -> Result<Option<Conclusion>, Error> {
        let (start, time) = (self.now, at.latest());
        if time <= start {
            return Ok(None);
        }
        let step = self.follower.delay(time.sub(start)?)?;
        self.now = time;
        let over = concluded(step, start)?;
        let over = over.map(|over| explained(over, || self.missing())).transpose()?;
        Ok(over.map(|over| self.judged(over)))
    }

    /// What a conclusion comes to.
    fn judged(&self, over: Conclusion) -> Conclusion {
        let case = self.follower.case();
        let (verdict, reason) = self.planner.judged(over.verdict, over.reason, case);
        Conclusion { verdict, reason, ..over }
    }

    fn act(
        &mut self,
        side: Side,
        action: &Action,
        at: Moment,
    ) -> Result<Option<Conclusion>, Error> {
        if let Some(conclusion) = self.pass(at)? {
            return Ok(Some(conclusion));
        }
        self.planner.acted();
        let step = self.follower.act(side, action)?;
        if step == Followed::Unplanned {
            // The sender is at fault, and the test case does not say what may follow.
            let reason = format!("the test case does not send `{action}` now");
            let verdict = Verdict::Inconclusive;
            return Ok(Some(Conclusion { verdict, reason, at: self.now }));
        }
        let over = concluded(step, self.now)?;
        over.map(|over| explained(over, || self.later(action))).transpose()
    }

    /// What the system is waited for, as an explanation of a failure by silence.
    fn missing(&self) -> Result<String, Error> {
        let mut names: Vec<String> = Vec::new();
        for (action, when) in self.follower.expected()? {
            // Only the channel: there may be as many actions as values.
            let name = format!("`{}`", action.channel);
            if !when.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        Ok(if names.is_empty() { String::new() } else { format!(": no {}", names.join(" or ")) })
    }

    /// When an output that comes too early may come, as an explanation of a failure by it.
    fn later(&self, action: &Action) -> Result<String, Error> {
        let expected = self.follower.expected()?.into_iter();
        let windows = expected.filter(|(other, _)| *other == action);
        let begins =
            windows.filter_map(|(_, when)| when.parts().first().map(|part| part.lower().0));
        let times = self.follower.case().summary.times();
        let later = |begin| format!(", but {} later", times.exact(begin));
        Ok(begins.min().map_or_else(String::new, later))
    }
}

/// A failure with more words. What was expected is still known, because a failure changes nothing.
fn explained(
    over: Conclusion,
    more: impl FnOnce() -> Result<String, Error>,
) -> Result<Conclusion, Error> {
    match over.verdict {
        Verdict::Fail => Ok(Conclusion { reason: over.reason + &more()?, ..over }),
        Verdict::Pass | Verdict::Uncertain | Verdict::Inconclusive => Ok(over),
    }
}

/// What a step that began at this time means for the run.
fn concluded(step: Followed, start: Rational) -> Result<Option<Conclusion>, Error> {
    Ok(match step {
        Followed::Going | Followed::Unplanned => None,
        Followed::Over { verdict, reason, after } => {
            Some(Conclusion { verdict, reason, at: start.add(after)? })
        }
    })
}

impl Tester for CaseTester<'_> {
    fn plan(&mut self) -> Result<Plan, Error> {
        if let Some((verdict, reason)) = self.follower.verdict()? {
            let reason = reason.to_owned();
            let over = Conclusion { verdict, reason, at: self.now };
            return Ok(Plan::Stop(self.judged(over)));
        }
        let silence = self.silence()?;
        self.planner.plan(&self.follower, self.now, silence)
    }

    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.act(Side::Tester, action, at)
    }

    fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        self.act(Side::System, action, at)
    }

    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error> {
        self.pass(now)
    }
}

impl Oracle for CaseTester<'_> {
    fn allows(&mut self, input: &Action) -> Result<bool, Error> {
        for (action, windows) in self.follower.openings()? {
            if action == input && windows.contains(Rational::ZERO) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn wait(&mut self, until: Rational) -> Result<Plan, Error> {
        Ok(match self.plan()? {
            Plan::Wait { until: own, awaited } if own > self.now => {
                Plan::Wait { until: own.min(until), awaited }
            }
            // The test case would do something else, but only silence counts.
            _ => {
                let silence = self.silence()?;
                let until = silence.map_or(until, |silence| silence.min(until));
                Plan::Wait { until, awaited: Vec::new() }
            }
        })
    }

    fn awaits_output(&mut self, horizon: Rational) -> Result<bool, Error> {
        Ok(self.silence()?.is_some_and(|silence| silence <= horizon))
    }
}
