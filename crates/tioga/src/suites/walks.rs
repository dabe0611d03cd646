//! Random walks against mutants: any inputs at any moments for a time, so that every system that conforms passes. Only where
//! the tester has to wait for the system first, and it says nothing, a walk is inconclusive.
//!
//! What needs the cooperation of the system has no test that passes for certain, but a walk may come across it. One walk
//! in a suite is run as often as it takes until enough mutants are killed.

use tioga_base::Rational;
use tioga_model::Model;
use tioga_testcase::TestCase;

use super::built::{BuiltSuite, SuiteOptions, SuiteTest};
use super::evidence::{Evidence, Watched, evidence};
use super::killing::{Campaign, told};
use crate::mutation::{Matrix, MutationRecord, unfit};
use crate::runs::walk_case;
use crate::{Aim, Cause, Effort, Failure, GivenPurpose, Loaded, SAMPLES, instances, synthesize};

/// How long a walk is, compared with the longest wait that the model tells from others.
const LENGTH: i64 = 20;

/// How often a walk is run: as often as it takes.
const RUNS: [u32; 5] = [4, 16, 64, 256, 1024];

/// How often a walk is run at most, if the suite is repeated.
const MOST_RUNS: u32 = 1024;

impl Campaign<'_> {
    /// Adds a walk, run so often that enough mutants are killed, or as often as more are.
    pub fn walk(
        &mut self,
        loaded: &Loaded,
        built: &mut BuiltSuite,
        options: &SuiteOptions,
        effort: &mut Effort<'_>,
    ) -> Result<(), Failure> {
        let Some(test) = walk(loaded, built, options, effort)? else { return Ok(()) };
        let position = built.tests.len();
        built.tests.push(test);
        let most =
            options.walk_time.map_or(u32::MAX, |time| most_runs(&built.tests[position], time));
        let most = most.min(MOST_RUNS / u32::try_from(self.how.repeat.max(1)).unwrap_or(u32::MAX));
        let (mut best, mut in_vain) = (0, false);
        for runs in RUNS.map(|runs| runs.min(most)) {
            if runs <= best || effort.cancel.is_cancelled() {
                break;
            }
            let before = self.known.clone();
            repeat(&mut built.tests[position], runs);
            match self.measure(loaded, built, effort) {
                Ok(()) => {}
                // The model itself, as a system, may fail what it does not ignore everywhere.
                Err(failure) if failure.cause != Cause::Internal => self.known = before.clone(),
                Err(failure) => return Err(failure),
            }
            let more = self.known.score.killed > before.score.killed;
            if !self.known.complete || !more {
                let cut_off = !self.known.complete;
                self.known = before;
                // By chance, some more runs may be in vain.
                if cut_off || std::mem::replace(&mut in_vain, true) {
                    break;
                }
                continue;
            }
            (best, in_vain) = (runs, false);
            if self.known.reaches(options.killed) {
                break;
            }
        }
        match best {
            0 => drop(built.tests.remove(position)),
            runs => repeat(&mut built.tests[position], runs),
        }
        Ok(())
    }

    /// Runs the suite against all mutants, without test cases that the model itself fails because it is no system.
    pub fn measure_fit(
        &mut self,
        loaded: &Loaded,
        built: &mut BuiltSuite,
        effort: &mut Effort<'_>,
    ) -> Result<(), Failure> {
        loop {
            let failure = match self.measure(loaded, built, effort) {
                Err(failure) if failure.cause != Cause::Internal => failure,
                measured => return measured,
            };
            let cases: Vec<TestCase> = built.tests.iter().map(|test| test.case.clone()).collect();
            match unfit(&loaded.model, &cases, self.how, effort)? {
                Some(position) => built.leave_out(position),
                None => return Err(failure),
            }
        }
    }

    /// Runs the suite as it is against all mutants. What is known about mutants themselves is not computed again.
    pub fn measure(
        &mut self,
        loaded: &Loaded,
        built: &BuiltSuite,
        effort: &mut Effort<'_>,
    ) -> Result<(), Failure> {
        let cases: Vec<TestCase> = built.tests.iter().map(|test| test.case.clone()).collect();
        let record = self.matrix.as_ref().map_or_else(MutationRecord::default, |matrix| {
            let known = matrix.tried.iter();
            let known = known.filter_map(|one| Some((one.mutant.id.clone(), one.status.clone()?)));
            MutationRecord::knowing(matrix.judge.clone(), known.collect())
        });
        let matrix: Matrix =
            crate::mutation::mutation(&loaded.model, cases, true, self.how, record, effort)?;
        self.known = told(&matrix, self.how.repeat, self.made);
        self.matrix = Some(matrix);
        Ok(())
    }
}

fn repeat(test: &mut SuiteTest, runs: u32) {
    if let Some(walk) = &mut test.case.walk {
        walk.runs = runs;
    }
}

/// How many walks fit in a time.
fn most_runs(test: &SuiteTest, time: Rational) -> u32 {
    let own = test.duration.filter(|own| *own > Rational::ZERO);
    let runs = own.and_then(|own| time.div(own).ok()).map_or(0, Rational::floor);
    u32::try_from(runs.max(0)).unwrap_or(u32::MAX)
}

/// A walk through a model that the model itself passes; nothing if there is none. Where no test case follows the model for
/// certain, a tester that knows it does.
fn walk(
    loaded: &Loaded,
    built: &BuiltSuite,
    options: &SuiteOptions,
    effort: &mut Effort<'_>,
) -> Result<Option<SuiteTest>, Failure> {
    let model = &loaded.model;
    let wait = Rational::integer(model.largest_constant().floor() + 1);
    let Ok(time) = wait.mul(Rational::integer(LENGTH)) else { return Ok(None) };
    let aim = Aim::Purposes(vec![GivenPurpose::Walk(time)]);
    let mut walks = Vec::new();
    if !built.hidden {
        match synthesize(loaded, &aim, &options.synthesis, effort) {
            Ok(made) => walks.extend(made.cases),
            Err(failure) if failure.cause != Cause::Internal => {}
            Err(failure) => return Err(failure),
        }
    }
    if !built.clear {
        walks.push(walk_case(model, time));
    }
    for case in walks {
        // Test cases of a suite count in one unit.
        let case = match built.tests.first() {
            Some(other) => case.counting_in(other.case.scale),
            None => Some(case),
        };
        let Some(case) = case else { continue };
        let certain = options.certain || !built.clear && !case.is_online();
        if let Some(test) = passing(model, case, options.seed, certain, effort)? {
            return Ok(Some(test));
        }
    }
    Ok(None)
}

/// A walk that the model itself passes, in every run if that must be certain; nothing if it does not.
fn passing(
    model: &Model,
    case: TestCase,
    seed: u64,
    must_be_certain: bool,
    effort: &Effort<'_>,
) -> Result<Option<SuiteTest>, Failure> {
    let cases = instances(vec![case.clone()], SAMPLES, seed)?;
    let watched = Watched::new(model, std::iter::empty());
    let shared = (&effort.cancel, effort.threads);
    let Some(shown) = evidence(model, &watched, &cases, seed, None, shared) else {
        return Ok(None);
    };
    // In a view of a model with hidden steps, it may be in doubt whether a walk is over. A system that never lets time
    // pass does not end it, and with one that says nothing, there may be nothing to try.
    let Evidence { open, endless, silent, fair, duration, failed, .. } = shown;
    let certain = open == endless + silent && !case.summary.may_be_uncertain;
    let passes = failed.is_none() && fair.1 > 0 && (certain || !must_be_certain);
    let may_try_nothing = silent > 0;
    Ok(passes.then_some(SuiteTest { case, fair, duration, covers: 0, may_try_nothing }))
}
