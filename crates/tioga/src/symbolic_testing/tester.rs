//! The tester of a symbolic test case in a campaign (KHO 5): inputs with their times, and observations, in the
//! terms of runs. The clock handler is part of the tester: it waits for the next expiration.

use std::collections::BTreeMap;

use tioga_adapters::SchedulingDelay;
use tioga_base::{Id, Moment, Overflow, Rational, Times};
use tioga_concrete::Chance;
use tioga_execute::{Conclusion, Error, Plan, Settings, Tester};
use tioga_setexp::{Advice, Judged, Message, Refusal, Script, ScriptFollower};
use tioga_terms::Exact;
use tioga_testcase::{Action, Verdict};

/// How long after a deadline it is clear that it has passed, where moments are exact.
fn tick() -> Rational {
    Rational::new(1, 1000).unwrap_or(Rational::ONE)
}

/// A tester in a run of a symbolic test case.
pub(crate) struct SymbolicTester<'s> {
    /// Why nothing can be followed, if that is so from the start.
    follower: Result<ScriptFollower<'s>, Refusal>,
    solver: Exact,
    chance: Chance,
    times: Times,
    /// How long to wait for an output without deadline.
    patience: Rational,
    grid: Option<Rational>,
    now: Rational,
    /// Since when nothing was sent or seen.
    since: Rational,
    /// What to do, once that is decided.
    decided: Option<Decided>,
    /// How much later messages may have come because of scheduling delay.
    delay: Rational,
}

/// What a tester does next unless something comes before.
#[derive(Clone, Debug)]
enum Decided {
    Send(Rational, Action),
    Wait,
}

impl<'s> SymbolicTester<'s> {
    /// A tester at the start of a run.
    pub(crate) fn new(script: &'s Script, settings: &Settings, seed: u64) -> Self {
        Self {
            chance: Chance::new(Settings::tester_seed(seed)),
            times: settings.times(),
            patience: settings.patience.unwrap_or_else(|| usual_patience(script)),
            grid: settings.grid,
            ..Self::plain(script, seed)
        }
    }

    /// A tester without the settings of a campaign.
    pub(crate) fn plain(script: &'s Script, seed: u64) -> Self {
        let mut solver = Exact::new();
        let follower = ScriptFollower::new(script, BTreeMap::new(), &mut solver);
        let (times, chance) = (Times::default(), Chance::new(seed));
        Self {
            follower,
            solver,
            chance,
            times,
            patience: usual_patience(script),
            grid: None,
            now: Rational::ZERO,
            since: Rational::ZERO,
            decided: None,
            delay: Rational::ZERO,
        }
    }

    /// The positions of the nodes that explain the run.
    pub(crate) fn nodes(&self) -> Vec<usize> {
        let explanations = self.follower.as_ref().map(ScriptFollower::explanations);
        explanations.unwrap_or_default().iter().map(|one| one.node.index()).collect()
    }

    fn over(&self, (verdict, reason): Judged) -> Conclusion {
        Conclusion { verdict: verdict.into(), reason, at: self.now }
    }

    /// What cannot be decided is never guessed.
    fn unknown(&self, refusal: &Refusal) -> Conclusion {
        let reason = format!("unknown: {refusal}");
        Conclusion { verdict: Verdict::Inconclusive, reason, at: self.now }
    }

    fn decide(&mut self) -> Result<Decided, Conclusion> {
        let chance = &mut self.chance;
        let mut random = |below: u64| {
            let count = usize::try_from(below).unwrap_or(usize::MAX);
            chance.position(count) as u64
        };
        let follower = match &self.follower {
            Ok(follower) => follower,
            Err(refusal) => return Err(self.unknown(refusal)),
        };
        let expiry = follower.next_expiry();
        let advice = match follower.advice(&mut self.solver, &mut random) {
            Ok(advice) => advice,
            Err(refusal) => return Err(self.unknown(&refusal)),
        };
        let share = Rational::integer(i64::try_from(random(3)).unwrap_or(0) + 1);
        Ok(match (advice, expiry) {
            (Advice::Wait, _) | (Advice::SendAt(_), None) => Decided::Wait,
            (Advice::SendAt(message), Some(at)) => Decided::Send(at, action(&message)),
            (Advice::Send(message), expiry) => {
                let at = self.between(expiry, share);
                match at.map_err(|overflow| self.unknown(&Refusal::from(overflow)))? {
                    Some(at) => Decided::Send(at, action(&message)),
                    None => Decided::Wait,
                }
            }
        })
    }

    /// A moment to send at: before the next expiration, at a quarter, a half or three quarters of the way, or
    /// after as much of a time unit; at a point of the grid, if there is one.
    fn between(
        &self,
        expiry: Option<Rational>,
        share: Rational,
    ) -> Result<Option<Rational>, Overflow> {
        let gap = match expiry {
            Some(at) => at.sub(self.now)?.min(Rational::integer(4)),
            None => Rational::integer(2),
        };
        if gap <= Rational::ZERO {
            return Ok(None);
        }
        let mut at = self.now.add(gap.mul(share)?.div(Rational::integer(4))?)?;
        if let Some(step) = self.grid {
            at = Rational::integer(at.div(step)?.ceil()).mul(step)?;
        }
        Ok(Some(at).filter(|at| expiry.is_none_or(|expiry| *at < expiry)))
    }

    fn observe(
        &mut self,
        at: Moment,
        follow: impl FnOnce(
            &mut ScriptFollower<'s>,
            Moment,
            &mut Exact,
        ) -> Result<Option<Judged>, Refusal>,
    ) -> Option<Conclusion> {
        self.now = self.now.max(at.latest());
        self.decided = None;
        let follower = match &mut self.follower {
            Ok(follower) => follower,
            Err(refusal) => {
                let refusal = refusal.clone();
                return Some(self.unknown(&refusal));
            }
        };
        match follow(follower, at, &mut self.solver) {
            Ok(judged) => judged.map(|judged| self.over(judged)),
            Err(refusal) => Some(self.unknown(&refusal)),
        }
    }

    /// A moment of the system: scheduling delay may have made it later.
    fn earlier(&self, at: Moment) -> Moment {
        let earliest = at.earliest().sub(self.delay).unwrap_or(at.earliest());
        Moment::between(earliest.max(Rational::ZERO), at.latest()).unwrap_or(at)
    }
}

impl Tester for SymbolicTester<'_> {
    fn scheduling_delay(&mut self, delay: SchedulingDelay) -> Result<(), Error> {
        self.delay = self.delay.max(delay.length);
        Ok(())
    }

    fn plan(&mut self) -> Result<Plan, Error> {
        if let Some(judged) = self.follower.as_ref().ok().and_then(ScriptFollower::verdict) {
            return Ok(Plan::Stop(self.over(judged)));
        }
        let decided = match self.decided.clone() {
            Some(decided) => decided,
            None => match self.decide() {
                Ok(decided) => decided,
                Err(conclusion) => return Ok(Plan::Stop(conclusion)),
            },
        };
        self.decided = Some(decided.clone());
        let expiry = self.follower.as_ref().ok().and_then(ScriptFollower::next_expiry);
        let until = match (decided, expiry) {
            (Decided::Send(at, action), _) if at <= self.now => return Ok(Plan::Send(action)),
            (Decided::Send(at, _), _) => at,
            (Decided::Wait, Some(at)) if at <= self.now => self.now.add(tick())?,
            (Decided::Wait, Some(at)) => at,
            (Decided::Wait, None) => {
                let until = self.since.add(self.patience)?;
                if until <= self.now {
                    let patience = self.times.exact(self.patience);
                    let reason = format!("nothing came for {patience}");
                    let verdict = Verdict::Inconclusive;
                    return Ok(Plan::Stop(Conclusion { verdict, reason, at: self.now }));
                }
                until
            }
        };
        Ok(Plan::Wait { until, awaited: Vec::new() })
    }

    fn sent(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        let message = message(action);
        self.delay = Rational::ZERO;
        let over = self.observe(at, |follower, at, solver| match &message {
            Some(message) => follower.sent(at, message, solver),
            None => Err(Refusal::Broken("the tester sends what is no number")),
        });
        self.since = self.now;
        Ok(over)
    }

    fn heard(&mut self, action: &Action, at: Moment) -> Result<Option<Conclusion>, Error> {
        let message = message(action);
        let at = self.earlier(at);
        self.delay = Rational::ZERO;
        let over = self.observe(at, |follower, at, solver| match &message {
            Some(message) => follower.heard(at, message, solver),
            None => {
                let reason = format!("{action} came, which carries something else than numbers");
                Ok(Some((tioga_setexp::Verdict::Fail, reason)))
            }
        });
        self.since = self.now;
        Ok(over)
    }

    fn quiet(&mut self, now: Moment) -> Result<Option<Conclusion>, Error> {
        // What is to be sent at this instant is sent before its expirations are followed.
        let sends = match &self.decided {
            Some(Decided::Send(at, _)) => *at <= now.latest(),
            _ => false,
        };
        let expiry = self.follower.as_ref().ok().and_then(ScriptFollower::next_expiry);
        if sends || expiry.is_none_or(|expiry| now.earliest() < expiry) {
            self.now = self.now.max(now.latest());
            return Ok(None);
        }
        let now = self.earlier(now);
        let over = self.observe(now, |follower, at, solver| follower.quiet(at, solver));
        // An expiration is something that happened.
        if let Some(expiry) = expiry {
            self.since = self.since.max(expiry);
        }
        Ok(over)
    }
}

/// Where nothing bounds a wait, it is as long as the largest number that a clock is to reach.
fn usual_patience(script: &Script) -> Rational {
    let sets = script.steps.iter().flat_map(|step| &step.sets).chain(&script.start);
    let thresholds = sets.flat_map(|set| &set.thresholds);
    let largest = thresholds.filter_map(|(_, delay)| delay.as_number()).max();
    largest.unwrap_or(Rational::ONE).max(Rational::ONE)
}

fn action(message: &Message) -> Action {
    Action::new(message.action.clone(), &message.values)
}

/// A message of a run; nothing if it carries other values than numbers and truth values.
pub(super) fn message(action: &Action) -> Option<Message> {
    let value = |text: &String| match text.as_str() {
        "true" => Some(Rational::ONE),
        "false" => Some(Rational::ZERO),
        text => text.parse().ok(),
    };
    let values = action.values.iter().map(value).collect::<Option<_>>()?;
    Some(Message { action: action.channel.clone(), values })
}
