//! What to do next in a test case: send, wait, or give up. Where the test case leaves the choice open,
//! chance decides.

use tioga_base::{Overflow, Rational};
use tioga_concrete::{Chance, Interval};
use tioga_testcase::{Action, Follower, Intention, TestCase, Verdict};

use super::tester::{Conclusion, Plan};
use crate::error::Error;

/// Plans the inputs of a tester. What it decides holds until something happens.
pub(crate) struct Planner {
    chance: Chance,
    /// How long to wait where nothing bounds the wait.
    patience: Rational,
    /// When to give up.
    gives_up: Option<Rational>,
    /// What to send when, where the test case leaves it open.
    choice: Option<Option<(Rational, Action)>>,
}

impl Planner {
    /// Where the system may be silent for ever, the tester waits for `patience` after the last
    /// moment that the test case tells from others; by default as long as the largest constant of
    /// the test case.
    pub fn new(case: &TestCase, seed: u64, patience: Option<Rational>) -> Result<Self, Error> {
        let patience = match patience {
            Some(patience) => patience,
            None => Follower::new(case).largest_constant()?.max(Rational::ONE),
        };
        Ok(Self { chance: Chance::new(seed), patience, gives_up: None, choice: None })
    }

    /// Something happened: plans are made anew.
    pub fn forget(&mut self) {
        (self.gives_up, self.choice) = (None, None);
    }

    /// What to do in this state at this time. `silence` is when it will be clear that the system
    /// has been silent for too long.
    pub fn plan(
        &mut self,
        follower: &Follower<'_>,
        now: Rational,
        silence: Option<Rational>,
    ) -> Result<Plan, Error> {
        match follower.intention()? {
            Intention::Send(action) => Ok(Plan::Send(action)),
            Intention::Wait { until, awaited } => {
                let until = until.map(|until| now.add(until)).transpose()?;
                self.wait(follower, now, until, silence, awaited)
            }
            Intention::Open(_) => {
                let choice = match self.choice.take() {
                    Some(choice) => choice,
                    None => self.choose(follower, now)?,
                };
                self.choice = Some(choice.clone());
                match choice {
                    Some((at, action)) if at <= now => Ok(Plan::Send(action)),
                    choice => {
                        let until = choice.map(|(at, _)| at);
                        self.wait(follower, now, until, silence, Vec::new())
                    }
                }
            }
        }
    }

    fn wait(
        &mut self,
        follower: &Follower<'_>,
        now: Rational,
        until: Option<Rational>,
        silence: Option<Rational>,
        awaited: Vec<Action>,
    ) -> Result<Plan, Error> {
        if let Some(until) = until.into_iter().chain(silence).min() {
            return Ok(Plan::Wait { until, awaited });
        }
        let end = match self.gives_up {
            Some(end) => end,
            None => now.add(follower.horizon()?)?.add(self.patience)?,
        };
        self.gives_up = Some(end);
        if end > now {
            return Ok(Plan::Wait { until: end, awaited });
        }
        let reason = "the system stayed silent, which it may for ever".to_owned();
        Ok(Plan::Stop(Conclusion { verdict: Verdict::Inconclusive, reason, at: now }))
    }

    /// Something that may be sent, and a moment when it may; or nothing.
    fn choose(
        &mut self,
        follower: &Follower<'_>,
        now: Rational,
    ) -> Result<Option<(Rational, Action)>, Overflow> {
        let openings = follower.openings()?;
        if openings.is_empty() {
            return Ok(None);
        }
        // One time in four the system may speak first, if it can; but if time ends where only the
        // tester can go on, it has to.
        let expected = follower.expected()?;
        let speaks = match follower.patience()?.upper() {
            None => expected.iter().any(|(_, when)| !when.is_empty()),
            Some((end, true)) => expected
                .iter()
                .any(|(_, when)| when.parts().iter().any(|part| part.upper() == Some((end, true)))),
            Some((end, false)) => expected.iter().any(|(_, when)| when.contains(end)),
        };
        if speaks && self.chance.position(4) == 0 {
            return Ok(None);
        }
        // Each edge gets its share, so that both sides of a bound are tried.
        let (action, windows) = &openings[self.chance.position(openings.len())];
        let part: Interval = windows.parts()[self.chance.position(windows.parts().len())];
        let delay = self.chance.moment(follower.case().scale, &part, self.patience)?;
        delay.map(|delay| Ok((now.add(delay)?, (*action).clone()))).transpose()
    }
}
