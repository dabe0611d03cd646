//! Minimising a failing run: delta debugging of the inputs of a run.
//!
//! Each candidate is run on the system again, and counts if it fails in the same way ([`RunFailure`]) as
//! often as is asked for. Its inputs are sent at the times of the run that it was made from, and, where
//! that might matter, at a pace that follows what is observed ([`Pace`]): answers that come at other times
//! would otherwise leave inputs without their place. Where chance matters, a candidate is tried with
//! several seeds. First inputs are left out: everything after a prefix, then smaller and smaller chunks
//! until none can go alone (ddmin, ZH02), then pairs, such as an input and the one that undoes it.
//! Then waits become shorter and rounder. Both are repeated until nothing helps, so that in the result
//! no input can be left out.
//!
//! What a shorter script may send is not decided by the test case, which it usually leaves, but by the
//! model if that is known.

use std::collections::BTreeSet;

use tioga_adapters::TimeBase;
use tioga_base::Rational;
use tioga_model::Model;

use super::difference::first_difference;
use super::script::{Pace, Script};
use super::script_tester::{RunFailure, ScriptTester};
use super::stand::Stand;
use crate::error::Error;
use crate::journal::event::Event;
use crate::journal::record::RunRecord;
use crate::journal::settings::Settings;
use crate::testers::choice::oracle_for;

/// How much effort to make.
#[derive(Clone, Debug)]
pub struct ShrinkOptions<'m> {
    /// The model that says what may be sent and what the answers mean; without it the test case does.
    pub model: Option<&'m Model>,
    /// How many runs may be made.
    pub attempts: u64,
    /// How often a candidate must fail.
    pub confirm: u64,
    /// How often a candidate is run at most for that; by default more than once if the system does not
    /// repeat what it did.
    pub tries: Option<u64>,
    /// How often the result is run again at the end, to see how often it fails.
    pub again: u64,
    /// Whether a candidate may also fail in another way than the recorded run.
    pub any: bool,
}

/// What became of a failure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shrunk {
    /// How it fails; nothing if it did not fail again.
    pub failure: Option<RunFailure>,
    /// The shortest run that fails so; if there is no failure, the run that should have failed.
    pub record: RunRecord,
    /// How many inputs the recorded run had.
    pub before: usize,
    /// How many inputs the shortest run has.
    pub after: usize,
    /// How many runs were made to find it.
    pub attempts: u64,
    /// How often the shortest run was made again, and how often of these it failed.
    pub again: Again,
    /// Whether the model was the judge.
    pub by_model: bool,
    /// Whether nothing simpler was found; otherwise the attempts ran out, or it was cancelled.
    pub complete: bool,
    /// Whether it was cancelled.
    pub cancelled: bool,
}

/// How often something failed that was tried again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Again {
    /// How often it was tried.
    pub tries: u64,
    /// How often it failed.
    pub failed: u64,
}

/// How often a candidate is tried by default if the system does not repeat itself.
const TRIES: u64 = 5;

impl Stand<'_, '_> {
    /// Minimises a recorded run that failed or was an error. `progress` is told of each
    /// attempt: how many there were, and how many inputs the shortest failing run has so far.
    pub fn shrink(
        &mut self,
        recorded: &RunRecord,
        options: &ShrinkOptions<'_>,
        progress: &mut dyn FnMut(u64, usize),
    ) -> Result<Shrunk, Error> {
        let script = Script::of(recorded);
        let before = script.inputs.len();
        let mut shrinking = Shrinking {
            stand: self,
            recorded,
            options,
            progress,
            judge: None,
            best: script.clone(),
            record: recorded.clone(),
            failure: None,
            seed: recorded.seed().unwrap_or(0),
            tries: options.tries.unwrap_or(TRIES),
            reproduced: false,
            tried: BTreeSet::new(),
            attempts: 0,
            exhausted: false,
            cancelled: false,
        };
        // The test case is asked if the model does not see the failure.
        for judge in options.model.map(Some).into_iter().chain([None]) {
            shrinking.judge = judge;
            let own = shrinking.stand.case_of(recorded);
            let script = judge.map_or(script.clone(), |_| script.without_own_moves(own));
            shrinking.begin(&script)?;
            if shrinking.failure.is_some() {
                shrinking.until_nothing_helps()?;
                break;
            }
        }
        let again = shrinking.again()?;
        Ok(Shrunk {
            again,
            complete: !shrinking.exhausted && !shrinking.cancelled,
            cancelled: shrinking.cancelled,
            by_model: shrinking.judge.is_some(),
            attempts: shrinking.attempts,
            failure: shrinking.failure,
            after: Script::of(&shrinking.record).inputs.len(),
            record: shrinking.record,
            before,
        })
    }
}

struct Shrinking<'a, 'c, 's> {
    stand: &'a mut Stand<'c, 's>,
    recorded: &'a RunRecord,
    options: &'a ShrinkOptions<'a>,
    progress: &'a mut dyn FnMut(u64, usize),
    judge: Option<&'a Model>,
    /// The shortest script that fails, and its run.
    best: Script,
    record: RunRecord,
    failure: Option<RunFailure>,
    /// The seed of that run, and how often a candidate is tried.
    seed: u64,
    tries: u64,
    /// Whether everything happened again as it was recorded, and did not fail.
    reproduced: bool,
    /// What was tried, with the seed that was tried first.
    tried: BTreeSet<(u64, Script)>,
    attempts: u64,
    exhausted: bool,
    cancelled: bool,
}

/// A run of a script.
struct Made {
    record: RunRecord,
    failure: Option<RunFailure>,
    /// Whether something else might have happened at the other pace.
    depends_on_pace: bool,
}

impl Shrinking<'_, '_, '_> {
    /// Makes the recorded run again: how it fails now is what to look for.
    fn begin(&mut self, script: &Script) -> Result<(), Error> {
        for attempt in 0..self.tries {
            for pace in [Pace::Fixed, Pace::Following] {
                let (script, seed) = (script.clone().at_pace(pace), self.seed_of(attempt));
                let Some(made) = self.run(&script, seed)? else { return Ok(()) };
                let failure = made.failure.filter(|failure| self.is_like_recorded(failure));
                if let Some(failure) = failure {
                    self.failure = Some(failure);
                    let repeats = self.repeats(&script, &made.record)?;
                    self.accept(script, made.record);
                    if !repeats {
                        // What follows the run does not depend on answers at the right moments.
                        self.best = self.best.clone().at_pace(Pace::Following);
                    } else if self.options.tries.is_none() {
                        self.tries = 1;
                    }
                    return Ok(());
                }
                let same = first_difference(&self.recorded.events, &made.record.events).is_none();
                let broken =
                    made.record.events.iter().any(|one| matches!(one, Event::Fault { .. }));
                self.record = made.record;
                self.reproduced |= same;
                // What is exactly as it was recorded, or does not run at all, will not fail later.
                if self.reproduced || broken {
                    return Ok(());
                }
                if !made.depends_on_pace {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether a script makes the same run with another seed.
    fn repeats(&mut self, script: &Script, record: &RunRecord) -> Result<bool, Error> {
        if script.inputs.is_empty() {
            return Ok(true);
        }
        let other = self.seed_of(1);
        let Some(made) = self.run(script, other)? else { return Ok(true) };
        Ok(first_difference(&record.events, &made.record.events).is_none())
    }

    /// The seed of a try: first that of the shortest run so far.
    fn seed_of(&self, attempt: u64) -> u64 {
        if attempt == 0 { self.seed } else { Settings::run_seed(self.seed, attempt) }
    }

    /// Makes the shortest run again, to see how often it fails.
    fn again(&mut self) -> Result<Again, Error> {
        let mut again = Again::default();
        let script = self.best.clone();
        let tries = match &self.failure {
            None => 0,
            // A system that does not begin is not started again and again: that may take its time.
            Some(RunFailure::Fault(_)) if script.inputs.is_empty() => 0,
            Some(_) => self.options.again,
        };
        while again.tries < tries {
            let seed = self.seed_of(again.tries);
            let Some(made) = self.make(&script, seed)? else { break };
            again.tries += 1;
            again.failed += u64::from(self.counts(made.failure.as_ref()));
        }
        Ok(again)
    }

    /// Whether a candidate that ended so failed as it should.
    fn counts(&self, failure: Option<&RunFailure>) -> bool {
        match failure {
            Some(failure) if self.options.any => self.is_like_recorded(failure),
            failure => failure == self.failure.as_ref(),
        }
    }

    /// Whether a failure may be the recorded one: a fault of the same kind, or no fault either.
    fn is_like_recorded(&self, failure: &RunFailure) -> bool {
        let fault = self.recorded.events.iter().find_map(|event| match event {
            Event::Fault { fault, .. } => Some(RunFailure::Fault(fault.kind)),
            _ => None,
        });
        match fault {
            Some(fault) => *failure == fault,
            None => !matches!(failure, RunFailure::Fault(_)),
        }
    }

    /// One run of a script; nothing if there may be no more.
    fn run(&mut self, script: &Script, seed: u64) -> Result<Option<Made>, Error> {
        if self.cancelled || self.attempts >= self.options.attempts {
            self.exhausted = true;
            return Ok(None);
        }
        self.attempts += 1;
        (self.progress)(self.attempts, self.best.inputs.len());
        self.make(script, seed)
    }

    /// One run of a script; nothing if it was cancelled.
    fn make(&mut self, script: &Script, seed: u64) -> Result<Option<Made>, Error> {
        let (settings, case) = (self.stand.settings(), self.stand.case_of(self.recorded));
        let judge = self.judge;
        let made = self.stand.run_with(self.recorded, seed, || {
            let oracle = oracle_for(settings, case, judge, (None, None), seed)?;
            ScriptTester::new(oracle, script.clone(), Vec::new()).paced_by(settings)
        });
        let (record, ending, tester) = match made {
            Err(Error::Cancelled) => {
                self.cancelled = true;
                return Ok(None);
            }
            other => other?,
        };
        let failure = match ending.fault {
            Some(fault) => Some(RunFailure::Fault(fault.kind)),
            None => tester.failure().cloned(),
        };
        Ok(Some(Made { record, failure, depends_on_pace: tester.depends_on_pace() }))
    }

    /// Whether a script fails as the recorded run does, at one pace or the other; if so it is the
    /// shortest so far. The pace that helped last is tried first.
    fn fails(&mut self, script: Script) -> Result<bool, Error> {
        let script = script.at_pace(self.best.pace);
        if script == self.best {
            return Ok(false);
        }
        let other = script.clone().at_pace(script.pace.other());
        let (failed, depends_on_pace) = self.fails_so(script)?;
        if failed || !depends_on_pace {
            return Ok(failed);
        }
        Ok(self.fails_so(other)?.0)
    }

    /// Whether a script fails at its pace, and whether the other one might matter.
    fn fails_so(&mut self, script: Script) -> Result<(bool, bool), Error> {
        if !self.tried.insert((self.seed, script.clone())) {
            return Ok((false, false));
        }
        let confirm = self.options.confirm.max(1);
        let tries = self.tries.max(confirm);
        let (mut failed, mut depends_on_pace, mut last) = (0, false, None);
        for attempt in 0..tries {
            // What cannot fail often enough any more is not tried any more.
            if failed + (tries - attempt) < confirm {
                break;
            }
            let Some(made) = self.run(&script, self.seed_of(attempt))? else {
                return Ok((false, false));
            };
            depends_on_pace |= made.depends_on_pace;
            if self.counts(made.failure.as_ref()) {
                failed += 1;
                last = Some(made);
            }
            if failed == confirm {
                break;
            }
        }
        match last {
            Some(made) if failed == confirm => {
                self.failure = made.failure;
                self.accept(script, made.record);
                Ok((true, depends_on_pace))
            }
            _ => Ok((false, depends_on_pace)),
        }
    }

    /// Takes a run that failed; inputs that were not sent before its end are not part of it.
    fn accept(&mut self, mut script: Script, record: RunRecord) {
        let made = Script::of(&record);
        self.seed = record.seed().unwrap_or(self.seed);
        if self.stand.settings().time == TimeBase::Virtual {
            script.inputs = made.inputs;
            if script.pace == Pace::Following {
                // Times are those of this run.
                script.end = made.end;
            }
        } else {
            // The clock shows a little more than was meant, each time.
            script.inputs.truncate(made.inputs.len());
            for (meant, made) in script.inputs.iter_mut().zip(made.inputs) {
                if meant.after != made.after {
                    (meant.after, meant.since) = (made.after, made.since);
                }
            }
        }
        (self.best, self.record) = (script, record);
    }

    fn until_nothing_helps(&mut self) -> Result<(), Error> {
        self.shortest_prefix()?;
        loop {
            while self.fewer_chunks()? || self.fewer_pairs()? {}
            if !self.simpler_waits()? {
                return Ok(());
            }
        }
    }

    /// Leaves out everything after some input, as early as doubling and halving finds one.
    fn shortest_prefix(&mut self) -> Result<(), Error> {
        let whole = self.best.clone();
        let mut prefix = |length: usize| self.fails(whole.without(|position| position >= length));
        let (mut fails_not, mut length) = (0, 1);
        if whole.inputs.is_empty() || prefix(0)? {
            return Ok(());
        }
        while length < whole.inputs.len() && !prefix(length)? {
            (fails_not, length) = (length, length * 2);
        }
        let mut fails = length.min(whole.inputs.len());
        while fails_not + 1 < fails {
            let middle = fails_not.midpoint(fails);
            if prefix(middle)? {
                fails = middle;
            } else {
                fails_not = middle;
            }
        }
        Ok(())
    }

    /// Leaves out chunks, from halves to single inputs, until no single one can go.
    fn fewer_chunks(&mut self) -> Result<bool, Error> {
        let mut helped = false;
        let mut chunks = 2;
        loop {
            let count = self.best.inputs.len();
            if count == 0 {
                return Ok(helped);
            }
            chunks = chunks.min(count);
            let whole = self.best.clone();
            let mut found = false;
            // What comes late is most likely to be in vain.
            for chunk in (0..chunks).rev() {
                let (from, until) = (count * chunk / chunks, count * (chunk + 1) / chunks);
                if self.fails(whole.without(|one| (from..until).contains(&one)))? {
                    found = true;
                    break;
                }
            }
            helped |= found;
            if found {
                chunks = (chunks - 1).max(2);
            } else if chunks == count {
                return Ok(helped);
            } else {
                chunks *= 2;
            }
        }
    }

    /// Leaves out two inputs that can only go together.
    fn fewer_pairs(&mut self) -> Result<bool, Error> {
        let whole = self.best.clone();
        let count = whole.inputs.len();
        for distance in 1..count {
            for first in (0..count - distance).rev() {
                let pair = [first, first + distance];
                if self.fails(whole.without(|one| pair.contains(&one)))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Makes every wait as short as a whole number of units can be, or as round as possible.
    fn simpler_waits(&mut self) -> Result<bool, Error> {
        let before = self.best.clone();
        let mut position = 0;
        while position < self.best.inputs.len() {
            self.shorter_wait(position)?;
            position += 1;
        }
        Ok(self.best != before)
    }

    fn shorter_wait(&mut self, position: usize) -> Result<(), Error> {
        let delay = self.best.delay(position)?;
        if delay.is_zero() {
            return Ok(());
        }
        let whole = self.best.clone();
        let mut with = |delay| Ok::<_, Error>(self.fails_so(whole.with_delay(position, delay)?)?.0);
        if with(Rational::ZERO)? {
            return Ok(());
        }
        // The shortest whole wait, if longer ones do as well.
        let (mut fails_not, mut fails) = (0, delay.floor());
        let rounds =
            fails > 0 && (delay == Rational::integer(fails) || with(Rational::integer(fails))?);
        if rounds {
            while fails_not + 1 < fails {
                let middle = fails_not.midpoint(fails);
                if with(Rational::integer(middle))? {
                    fails = middle;
                } else {
                    fails_not = middle;
                }
            }
            return Ok(());
        }
        let twice = delay.mul(Rational::integer(2))?;
        if twice.to_integer().is_some() {
            return Ok(());
        }
        for round in [
            Rational::new(twice.floor(), 2)?,
            Rational::integer(delay.ceil()),
            Rational::new(twice.ceil(), 2)?,
        ] {
            if !round.is_zero() && with(round)? {
                return Ok(());
            }
        }
        Ok(())
    }
}
