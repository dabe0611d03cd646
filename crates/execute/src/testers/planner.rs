//! What to do next in a test case: send, wait, or give up. Where the test case leaves the choice open,
//! chance decides.

use tioga_base::{Overflow, Rational};
use tioga_concrete::{Chance, Interval};
use tioga_testcase::{Action, Follower, Intention, TestCase, Verdict};

use super::grid::Grid;
use super::tester::{Conclusion, Plan};
use crate::error::Error;

/// What the longest wait of a random walk is divided by, one of these for each run. Quick walks get through more states,
/// slow ones meet what depends on long waits.
const PACES: [i64; 3] = [1, 4, 16];

/// Plans the inputs of a tester. What it decides holds until something happens.
pub(crate) struct Planner {
    chance: Chance,
    /// How long to wait where nothing bounds the wait.
    patience: Rational,
    /// When to give up.
    gives_up: Option<Rational>,
    /// What to send when, where the test case leaves it open.
    choice: Option<Option<(Rational, Action)>>,
    /// Until when the system of a random walk may speak first, while nothing happens.
    pause: Option<Rational>,
    /// How long a random walk lets time pass at most where nothing bounds the wait; nothing for other test cases.
    pace: Option<Rational>,
    /// Whether anything was sent or heard.
    acted: bool,
    /// When inputs may be sent, if not at any time.
    grid: Option<Grid>,
    /// Whether the tester acts exactly when it plans to, and not shortly after.
    exact: bool,
    /// What is to be sent later than it could be, because of the grid.
    moved: Option<(Rational, Action)>,
    /// Whether nothing can be sent, because no window has a point of the grid.
    shut: bool,
}

impl Planner {
    /// Where the system may be silent for ever, the tester waits for `patience` after the last
    /// moment that the test case tells from others; by default as long as a random walk or the test
    /// case says, and otherwise as the largest constant of the test case.
    pub fn new(case: &TestCase, seed: u64, patience: Option<Rational>) -> Result<Self, Error> {
        let patience = match patience {
            Some(patience) => patience,
            None => match case.walk {
                Some(walk) => Rational::new(walk.longest_wait, case.scale)?,
                None => match case.patience {
                    Some(patience) => Rational::new(patience, case.scale)?,
                    None => Follower::new(case).largest_constant()?.max(Rational::ONE),
                },
            },
        };
        let mut chance = Chance::new(seed);
        // A wait below the unit of the constants might leave no moment but the first one, and time would never pass.
        let least = Rational::new(1, case.scale)?;
        let pace = case.walk.map(|_| {
            let divisor = PACES[chance.position(PACES.len())];
            patience.div(Rational::integer(divisor)).map(|pace| pace.max(least))
        });
        Ok(Self {
            chance,
            patience,
            gives_up: None,
            choice: None,
            pause: None,
            pace: pace.transpose()?,
            acted: false,
            grid: None,
            exact: true,
            moved: None,
            shut: false,
        })
    }

    /// Inputs are sent at points of a grid only.
    pub fn on_grid(&mut self, grid: Option<Grid>) {
        self.grid = grid;
    }

    /// Whether the tester acts exactly when it plans to.
    pub fn acts_exactly(&mut self, exact: bool) {
        self.exact = exact;
    }

    /// What a verdict comes to: a random walk shows nothing if nothing happened in it.
    pub fn judged(&self, verdict: Verdict, reason: String, case: &TestCase) -> (Verdict, String) {
        if self.pace.is_some() && !self.acted && verdict == Verdict::Pass {
            return (Verdict::Inconclusive, "nothing was sent or heard in the walk".to_owned());
        }
        (verdict, self.remarked(verdict, reason, case))
    }

    /// A reason, and what the grid has to do with it.
    fn remarked(&self, verdict: Verdict, reason: String, case: &TestCase) -> String {
        match self.grid.filter(|_| self.shut && verdict == Verdict::Inconclusive) {
            Some(grid) => {
                let step = case.summary.times().exact(grid.step());
                format!("{reason}; no multiple of {step} lies in a window of an input")
            }
            None => reason,
        }
    }

    /// Something was sent or heard.
    pub fn acted(&mut self) {
        self.acted = true;
        self.forget();
    }

    /// Plans are made anew.
    pub fn forget(&mut self) {
        (self.gives_up, self.choice, self.moved, self.shut) = (None, None, None, false);
        self.pause = None;
    }

    /// What to do in this state at this time. `silence` is when it will be clear that the system
    /// has been silent for too long.
    pub fn plan(
        &mut self,
        follower: &Follower<'_>,
        now: Rational,
        silence: Option<Rational>,
    ) -> Result<Plan, Error> {
        if let Some((at, action)) = self.moved.clone() {
            if at > now {
                return self.wait(follower, now, Some(at), silence, Vec::new());
            }
            if !self.exact || self.grid.is_some_and(|grid| grid.has(now) == Ok(true)) {
                return Ok(Plan::Send(action));
            }
            self.moved = None;
        }
        match follower.intention()? {
            Intention::Send(action) => match self.grid {
                None => Ok(Plan::Send(action)),
                Some(grid) => self.send_on(grid, action, follower, now, silence),
            },
            Intention::Wait { until, awaited } => {
                let until = until.map(|until| now.add(until)).transpose()?;
                self.wait(follower, now, until, silence, awaited)
            }
            Intention::Open(_) => {
                let choice = match self.choice.take() {
                    // A walk does not wait for ever for a system that says nothing.
                    Some(None) if self.pause.is_some_and(|pause| pause <= now) => {
                        self.choose(follower, now)?
                    }
                    Some(choice) => choice,
                    None => self.choose(follower, now)?,
                };
                self.choice = Some(choice.clone());
                match choice {
                    Some((at, action)) if at <= now => Ok(Plan::Send(action)),
                    choice => {
                        let pause = self.pause.filter(|pause| *pause > now);
                        let until = choice.map(|(at, _)| at).or(pause);
                        self.wait(follower, now, until, silence, Vec::new())
                    }
                }
            }
        }
    }

    /// Sends an input at the first point of the grid at which it can be sent.
    fn send_on(
        &mut self,
        grid: Grid,
        action: Action,
        follower: &Follower<'_>,
        now: Rational,
        silence: Option<Rational>,
    ) -> Result<Plan, Error> {
        if grid.has(now)? {
            return Ok(Plan::Send(action));
        }
        let mut first: Option<Rational> = None;
        let openings = follower.openings()?;
        let own = openings.iter().filter(|(other, _)| **other == action);
        for part in own.flat_map(|(_, windows)| windows.parts()) {
            let point = grid.first_in(now, part)?;
            first = point.into_iter().chain(first).min();
        }
        match first {
            Some(at) => {
                self.moved = Some((at, action));
                self.wait(follower, now, Some(at), silence, Vec::new())
            }
            None => {
                let times = follower.case().summary.times();
                let (step, now_shown) = (times.exact(grid.step()), times.exact(now));
                let reason = format!(
                    "no multiple of {step} lies in the window in which `{action}` can be sent from \
                     {now_shown} on"
                );
                Ok(Plan::Stop(Conclusion { verdict: Verdict::Inconclusive, reason, at: now }))
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
        let reason = self.remarked(Verdict::Inconclusive, reason, follower.case());
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
        let paused = self.pause.is_some();
        if speaks && !paused && self.chance.position(4) == 0 {
            if let Some(pace) = self.pace {
                self.pause = Some(now.add(pace)?);
            }
            return Ok(None);
        }
        // Each edge gets its share, so that both sides of a bound are tried.
        let (action, windows) = &openings[self.chance.position(openings.len())];
        let part: Interval = windows.parts()[self.chance.position(windows.parts().len())];
        let horizon = self.pace.unwrap_or(self.patience);
        let delay = self.chance.moment(follower.case().scale, &part, horizon)?;
        let Some(grid) = self.grid else {
            return delay.map(|delay| Ok((now.add(delay)?, (*action).clone()))).transpose();
        };
        if let Some(delay) = delay
            && let Some(at) = grid.near(now, &part, delay)?
        {
            return Ok(Some((at, (*action).clone())));
        }
        // Any other window will do.
        for (action, windows) in &openings {
            for part in windows.parts() {
                if let Some(at) = grid.first_in(now, part)? {
                    return Ok(Some((at, (*action).clone())));
                }
            }
        }
        self.shut = true;
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_have_several_paces_and_other_test_cases_none() {
        let model = tioga_testkit::example("smart-light");
        let objective = &tioga_testkit::objectives(&model)[0];
        let (scope, shape) = (tioga_testcase::Scope::Cooperative, tioga_testcase::Shape::Strategy);
        let mut case = tioga_testkit::test_case(&model, objective, scope, shape, 1).unwrap();
        assert_eq!(Planner::new(&case, 1, None).unwrap().pace, None);
        let longest_wait = 16 * case.scale;
        case.walk = Some(tioga_testcase::Walk { runs: 1, longest_wait, online: false });
        let mut paces: Vec<Rational> =
            (0..50).map(|seed| Planner::new(&case, seed, None).unwrap().pace.unwrap()).collect();
        paces.sort_unstable();
        paces.dedup();
        assert_eq!(paces, [1, 4, 16].map(Rational::integer));

        // The quickest walk through a model with small constants lets time pass, too.
        case.walk = Some(tioga_testcase::Walk { runs: 1, longest_wait: case.scale, online: false });
        let least = Rational::new(1, case.scale).unwrap();
        assert!((0..50).all(|seed| Planner::new(&case, seed, None).unwrap().pace >= Some(least)));
    }
}
