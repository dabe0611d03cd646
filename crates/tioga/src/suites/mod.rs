//! Suites: test cases that together cover a model by several criteria and kill its mutants, without redundant
//! tests.
//!
//! What there is to cover is looked at from the far end of the model to its start: a test case that gets far covers
//! much on its way ([`cover`]). Each is run against the model ([`mod@evidence`]); what it covers in every run that passes
//! needs no test case of its own. In the end the cheapest of them that suffice are kept ([`reduce`]), those without control
//! loss are joined where that saves a reset ([`chain`]), and mutants that survive get tests that lead to where they
//! differ from the model ([`killing`]), or are found by random walks ([`walks`]).

mod built;
mod chain;
mod cover;
mod evidence;
mod field;
mod killing;
mod online;
mod order;
mod out_of_reach;
mod reduce;
mod score;
mod walks;

use tioga_base::{Cancel, Sources, StopReason};
use tioga_explore::map_each;
use tioga_testcase::TestCase;

pub use built::{BuiltSuite, Criterion, Proof, Standing, SuiteOptions, SuiteTarget, SuiteTest};
pub use online::online_mutants;
pub use score::Killing;

use crate::effort::is_over;
use crate::games::{Observation, observation_limits, observed};
use crate::synthesis::{FEWEST_PLAYS, SynthesisOptions, WhyMissed};
use crate::{Cause, Effort, Failure, Loaded};
use chain::chained;
use cover::{Covering, covered_by};
use field::{Candidate, Field};
use killing::kill;

/// The percentage of the time that goes into coverage of the model if mutants are to be killed, too.
const COVERING: u32 = 40;

/// Makes a suite. Given test cases always belong to it.
///
/// A limit is no failure: the test cases made so far are kept.
pub fn build_suite(
    loaded: &Loaded,
    given: Vec<TestCase>,
    options: &SuiteOptions,
    effort: &mut Effort<'_>,
    texts: &mut Sources,
) -> Result<BuiltSuite, Failure> {
    let model = &loaded.model;
    // Test cases that are checked as they are made do not know how many others there will be.
    let all_plays = &options.synthesis;
    let synthesis = SynthesisOptions { plays: FEWEST_PLAYS, ..options.synthesis.clone() };
    let options = &SuiteOptions { synthesis, ..options.clone() };
    let seen = observed(model, observation_limits(effort, None));
    let clear = matches!(seen, Ok(Observation::Clear));
    let hidden = matches!(seen, Ok(Observation::Hidden(_) | Observation::Ambiguous(_)));
    let field = Field::new(loaded, options, clear);
    let (cancel, threads) = (effort.cancel.clone(), effort.threads);
    let shown = |case: &TestCase| field.shown(loaded, case, None, (&cancel, threads));
    let mut kept = Vec::new();
    for case in given {
        let evidence = shown(&case)?.unwrap_or_default();
        kept.push(Candidate::given(case, evidence));
    }
    let fixed = kept.len();
    let kills = options.criteria.contains(&Criterion::Mutants);
    let until = if kills { effort.part_of_time(COVERING) } else { None };
    let mut covering = Covering::new(loaded, &field, options, kept);
    covering.run(until, effort)?;
    let Covering { mut kept, mut standing, waiting, refused, limited, .. } = covering;
    let cut = !waiting.is_empty() && is_over(until);
    let looked_at_all = waiting.is_empty() && !cancel.is_cancelled();
    // Where nothing at all can be made, the reason is the answer. Random walks may follow the model all the same.
    if kept.is_empty()
        && !kills
        && let Some(failure) = refused
    {
        return Err(failure);
    }
    let made = kept.len();
    let explored = kept.iter().map(|one| one.explored).sum();
    kept = field.sufficient(kept, fixed);
    let mut joined = 0;
    if !cancel.is_cancelled() {
        (kept, joined) = chained(loaded, &field, options, kept, (fixed, explored), effort)?;
        // What was joined later may cover what an earlier one was for.
        kept = field.sufficient(kept, fixed);
    }
    // What comes now is done in any case, unless mutants are to be killed.
    let cut_off = cancel.reason();
    let could_be_shorter = looked_at_all && !kills && cut_off == Some(StopReason::Time);
    let left_out = made - kept.len() - joined;
    let complete = kept.len();
    let plays = all_plays.plays_of_each(kept.len());
    let kept = checked(kept, plays, effort)?;
    let lost = match kept.len() == complete {
        true => Standing::Open,
        false => Standing::Missed(WhyMissed::Unfollowable),
    };
    settle(&mut standing, &field, &kept, &lost);
    let tests = kept.into_iter().map(|one| SuiteTest {
        covers: covered_targets(&field, &one),
        case: one.case,
        fair: one.evidence.fair,
        duration: one.evidence.duration,
        may_try_nothing: one.evidence.silent > 0,
    });
    let targets = field.targets.iter().zip(standing).map(|((criterion, target, _), standing)| {
        let (name, text) = (target.name(&loaded.model), target.text.clone());
        SuiteTarget { criterion: *criterion, name, text, standing }
    });
    let mut built = BuiltSuite {
        source: loaded.source.clone(),
        tests: tests.collect(),
        targets: targets.collect(),
        left_out,
        joined,
        killing: None,
        clear,
        hidden,
        stopped: cut.then_some(StopReason::Time),
        could_be_shorter,
        limited,
    };
    if kills && !cancel.is_cancelled() {
        kill(loaded, &mut built, options, effort, texts)?;
        for test in built.tests.iter_mut().filter(|test| test.fair.0 == 0) {
            let Some(evidence) = shown(&test.case)? else { break };
            let one = Candidate::given(test.case.clone(), evidence);
            test.covers = covered_targets(&field, &one);
            (test.fair, test.duration) = (one.evidence.fair, one.evidence.duration);
        }
    }
    if built.tests.is_empty()
        && let Some(failure) = refused
    {
        return Err(failure);
    }
    if !could_be_shorter {
        built.stopped = if kills { cancel.reason() } else { cut_off }.or(built.stopped);
    }
    Ok(built)
}

/// Gives each item its status from the test cases that are kept. What was covered and is not any more is `lost`.
fn settle(standing: &mut [Standing], field: &Field, kept: &[Candidate], lost: &Standing) {
    for (target, standing) in standing.iter_mut().enumerate() {
        let ways = field.targets[target].2.len();
        let mut all = (0..ways).map(|way| covered_by(field, kept, target, way));
        let first = all.clone().find(|one| *one != Standing::Open);
        let covered = all.find(|one| matches!(one, Standing::Covered(_)));
        match standing {
            Standing::Covered(_) | Standing::Possible(_) => {
                *standing = covered.or(first).unwrap_or_else(|| lost.clone());
            }
            // What has no test case of its own may be covered by another.
            Standing::Impossible(_) | Standing::Missed(_) | Standing::Open => {
                debug_assert!(
                    covered.is_none() || !standing.is_impossible(),
                    "{} is impossible, and {covered:?}",
                    field.targets[target].1.text
                );
                *standing = covered.unwrap_or_else(|| standing.clone());
            }
        }
    }
}

/// Lets the independent checker look at the test cases that are kept and were not checked when they were made. What it
/// cannot follow is left out.
fn checked(
    kept: Vec<Candidate>,
    plays: u32,
    effort: &Effort<'_>,
) -> Result<Vec<Candidate>, Failure> {
    // Also if the time is over: it takes little, and what is kept must have been looked at.
    let check = |one: &Candidate| match &one.unchecked {
        Some(unchecked) => unchecked.check(&one.case, plays, &Cancel::new()),
        None => Ok(()),
    };
    let results = map_each(effort.threads, &kept, check);
    let mut checked = Vec::new();
    for (one, result) in kept.into_iter().zip(results) {
        match result {
            Ok(()) => checked.push(one),
            Err(failure) if failure.cause == Cause::Internal => return Err(failure),
            Err(_) => {}
        }
    }
    Ok(checked)
}

/// How many targets a test case covers in every run that passes.
fn covered_targets(field: &Field, one: &Candidate) -> usize {
    let covers = |target: &usize| {
        (0..field.targets[*target].2.len()).any(|way| field.certainly_covers(one, *target, way))
    };
    (0..field.targets.len()).filter(covers).count()
}
