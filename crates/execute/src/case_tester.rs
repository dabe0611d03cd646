//! A test case as the tester, with exact time.

use tioga_base::{Moment, Rational};
use tioga_concrete::{Chance, Interval};
use tioga_testcase::{Action, Follower, Intention, Side, Step, TestCase, Verdict};

use crate::{Conclusion, Error, Plan, Tester};

/// Follows a test case. Where the test case leaves the choice open, a seed decides.
pub struct CaseTester<'c> {
    follower: Follower<'c>,
    now: Rational,
    chance: Chance,
    /// How long to wait where the test case sets no bound.
    patience: Rational,
    /// Until when to wait at most before giving up; decided once for each stay in a place.
    gives_up: Option<Rational>,
    /// What to send when, where the test case leaves it open; decided once for each stay.
    choice: Option<Option<(Rational, Action)>>,
}

impl<'c> CaseTester<'c> {
    /// A tester at the start of a run. Where the system may be silent for ever, it waits for
    /// `patience` after the last moment that the test case tells from others; by default as long as
    /// the largest constant of the test case.
    pub fn new(case: &'c TestCase, seed: u64, patience: Option<Rational>) -> Result<Self, Error> {
        let follower = Follower::new(case);
        let patience = match patience {
            Some(patience) => patience,
            None => follower.largest_constant()?.max(Rational::ONE),
        };
        Ok(Self {
            follower,
            now: Rational::ZERO,
            chance: Chance::new(seed),
            patience,
            gives_up: None,
            choice: None,
        })
    }

    /// Where the run is.
    pub fn follower(&self) -> &Follower<'c> {
        &self.follower
    }

    /// Waits until this delay has passed, but not longer than the system may stay silent, and then
    /// just long enough to see that it did.
    fn wait(&mut self, until: Option<Rational>, awaited: Vec<Action>) -> Result<Plan, Error> {
        let mut wait = until;
        if let Some((end, excluded)) = self.follower.patience()?.upper() {
            let tick = Rational::new(1, self.follower.case().scale)?;
            let seen = if excluded { end } else { end.add(tick)? };
            wait = Some(wait.map_or(seen, |wait| wait.min(seen)));
        }
        if let Some(wait) = wait {
            return Ok(Plan::Wait { until: self.now.add(wait)?, awaited });
        }
        let end = match self.gives_up {
            Some(end) => end,
            None => self.now.add(self.follower.horizon()?)?.add(self.patience)?,
        };
        self.gives_up = Some(end);
        if end > self.now {
            return Ok(Plan::Wait { until: end, awaited });
        }
        let reason = "the system stayed silent, which it may for ever".to_owned();
        Ok(Plan::Stop(Conclusion { verdict: Verdict::Inconclusive, reason, at: self.now }))
    }

    /// What to send when: something that may be sent, at a moment when it may, or nothing.
    fn choose(&mut self) -> Result<Option<(Rational, Action)>, Error> {
        let openings = self.follower.openings()?;
        if openings.is_empty() {
            return Ok(None);
        }
        // One time in four the system may speak first, if it can.
        let speaks = self.follower.expected()?.iter().any(|(_, when)| !when.is_empty());
        if speaks && self.chance.position(4) == 0 {
            return Ok(None);
        }
        let (action, windows) = &openings[self.chance.position(openings.len())];
        let part: Interval = windows.parts()[self.chance.position(windows.parts().len())];
        let scale = self.follower.case().scale;
        let delay = self.chance.moment(scale, &part, self.patience)?;
        let chosen = delay.map(|delay| Ok((self.now.add(delay)?, (*action).clone())));
        chosen.transpose().map_err(|error: tioga_base::Overflow| error.into())
    }

    fn concluded(&self, step: Step, start: Rational) -> Result<Option<Conclusion>, Error> {
        Ok(match step {
            Step::Going => None,
            Step::Over { verdict, reason, after } => {
                Some(Conclusion { verdict, reason, at: start.add(after)? })
            }
        })
    }

    /// Lets the time pass that has passed.
    fn pass(&mut self, at: Moment) -> Result<Option<Conclusion>, Error> {
        let (start, time) = (self.now, at.latest());
        if time <= start {
            return Ok(None);
        }
        let step = self.follower.delay(time.sub(start)?)?;
        self.now = time;
        self.concluded(step, start)
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
        (self.gives_up, self.choice) = (None, None);
        let step = self.follower.act(side, action)?;
        self.concluded(step, self.now)
    }
}

impl Tester for CaseTester<'_> {
    fn plan(&mut self) -> Result<Plan, Error> {
        if let Some((verdict, reason)) = self.follower.verdict()? {
            let reason = reason.to_owned();
            return Ok(Plan::Stop(Conclusion { verdict, reason, at: self.now }));
        }
        match self.follower.intention()? {
            Intention::Send(action) => Ok(Plan::Send(action)),
            Intention::Wait { until, awaited } => self.wait(until, awaited),
            Intention::Open(_) => {
                let choice = match self.choice.take() {
                    Some(choice) => choice,
                    None => self.choose()?,
                };
                self.choice = Some(choice.clone());
                match choice {
                    Some((at, action)) if at <= self.now => Ok(Plan::Send(action)),
                    Some((at, _)) => self.wait(Some(at.sub(self.now)?), Vec::new()),
                    None => self.wait(None, Vec::new()),
                }
            }
        }
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
