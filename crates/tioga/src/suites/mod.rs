//! Suites: test cases that together cover a model by several criteria and kill its mutants, without redundant
//! tests.
//!
//! What there is to cover is looked at from the far end of the model to its start: a test case that gets far covers
//! much on its way. Test cases are made several at a time, always the same ones together, so the result does not depend
//! on the number of threads. Each is run against the model ([`mod@evidence`]); what it covers in every run that passes needs
//! no test case of its own. In the end the cheapest of them that suffice are kept ([`reduce`]), those without control
//! loss are joined where that saves a reset ([`chain`]), and mutants that survive get tests that lead to where they
//! differ from the model ([`killing`]), or are found by random walks ([`walks`]).

mod built;
mod chain;
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
use tioga_testcase::TestCase;

pub use built::{BuiltSuite, Criterion, Standing, SuiteOptions, SuiteTarget, SuiteTest};
pub use online::online_mutants;
pub use score::Killing;

use crate::effort::is_over;
use crate::games::{Observation, observation_limits, observed};
use crate::side_by_side::side_by_side;
use crate::synthesis::{
    Cover, CoverOptions, CoveringCase, FEWEST_PLAYS, SynthesisOptions, WhyMissed, cover_target,
};
use crate::{Cause, Effort, Failure, Loaded};
use chain::Joining;
use evidence::Evidence;
use field::{Candidate, Field, TOGETHER};
use killing::kill;
use order::far_first;
use out_of_reach::OutOfReach;

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
        let evidence = shown(&case)?;
        kept.push(Candidate { case, aim: None, evidence, explored: 0, unchecked: None });
    }
    let fixed = kept.len();
    let mut standing: Vec<Standing> = field.targets.iter().map(|_| Standing::Open).collect();
    let (mut refused, mut limited) = (None, None);
    let mut waiting = far_first(model, &field.targets);
    if options.certain {
        // Few edges are taken without cooperation, and what needs another edge is not even looked at.
        waiting.sort_by_key(|target| field.targets[*target].0 == Cover::Edges);
    }
    let mut out_of_reach = OutOfReach::default();
    let kills = options.criteria.contains(&Criterion::Mutants);
    let until = if kills { effort.part_of_time(COVERING) } else { None };
    while !waiting.is_empty()
        && !enough(&standing, options.until)
        && !cancel.is_cancelled()
        && !is_over(until)
    {
        effort.part(field.targets.len() - waiting.len(), field.targets.len(), "targets looked at");
        effort.stop_if_too_large();
        // What other test cases cover as well as is possible needs no own one.
        let open = |target: usize, kept: &[Candidate]| {
            !kept.iter().any(|one| field.covers(one, target, 0))
        };
        // The first test cases cover much, so few are made before the next targets are chosen.
        let looked = field.targets.len() - waiting.len();
        let together = TOGETHER.min(2 + looked / 2);
        let mut batch = Vec::new();
        while batch.len() < together {
            let Some(target) = waiting.pop() else { break };
            let (_, _, ways) = &field.targets[target];
            if !open(target, &kept) {
                standing[target] = covered_by(&field, &kept, target, 0);
            } else if let Some(why) = out_of_reach.why(model, ways) {
                standing[target] = Standing::Missed(why);
            } else {
                batch.push(target);
            }
        }
        let how = CoverOptions {
            certain: options.certain,
            names_own_moves: kept.iter().any(|one| !one.case.own_moves.is_empty()),
            clear,
            checks_later: clear,
            synthesis: &options.synthesis,
        };
        for (target, made) in made_together(loaded, &field, &batch, how, effort) {
            match made {
                Ok(Ok((CoveringCase { way, case, explored, unchecked }, evidence))) => {
                    let known = kept.iter().any(|one| field.covers(one, target, way));
                    if !known {
                        if evidence.failed.is_some() {
                            standing[target] = Standing::Missed(WhyMissed::FailsModel);
                            continue;
                        }
                        // Ranks count on answers that a system may leave out for ever.
                        if options.certain && evidence.open > 0 {
                            standing[target] = Standing::Missed(WhyMissed::Cooperation);
                            continue;
                        }
                        // Where the tester sees where the model is, a run that passes has covered the target.
                        debug_assert!(
                            evidence.fair.1 == 0
                                || !clear
                                || evidence.covered.contains(field.first[target] + way),
                            "{} passes without covering its target",
                            case.name
                        );
                        let aim = Some((target, way));
                        kept.push(Candidate { case, aim, evidence, explored, unchecked });
                    }
                    standing[target] = covered_by(&field, &kept, target, way);
                }
                Ok(Err(why)) => {
                    out_of_reach.note(&field.targets[target].2, why);
                    standing[target] = Standing::Missed(why);
                }
                Err(failure) if failure.cause == Cause::Limit => {
                    if cancel.is_cancelled() {
                        continue;
                    }
                    standing[target] = Standing::Missed(WhyMissed::Limit);
                    limited = limited.or(failure.diagnostics.iter().next().cloned());
                }
                Err(failure) if failure.cause == Cause::Internal => return Err(failure),
                Err(failure) => {
                    let data = failure.diagnostics.iter().any(|one| one.code == "data");
                    let why = if data { WhyMissed::Data } else { WhyMissed::Unfollowable };
                    standing[target] = Standing::Missed(why);
                    refused.get_or_insert(failure);
                }
            }
        }
    }
    let cut = !waiting.is_empty() && is_over(until);
    // Where nothing at all can be made, the reason is the answer.
    if kept.is_empty()
        && let Some(failure) = refused
    {
        return Err(failure);
    }
    let made = kept.len();
    let explored = kept.iter().map(|one| one.explored).sum();
    kept = field.sufficient(kept, fixed);
    let mut joined = 0;
    if !cancel.is_cancelled() {
        let mut joining = Joining { loaded, field: &field, options, explored, clear };
        (kept, joined) = joining.chained(kept, fixed, effort)?;
        // What was joined later may cover what an earlier one was for.
        kept = field.sufficient(kept, fixed);
    }
    let left_out = made - kept.len() - joined;
    let complete = kept.len();
    let plays = all_plays.plays_of_each(kept.len());
    let kept = checked(kept, plays, effort)?;
    let lost = match kept.len() == complete {
        true => Standing::Open,
        false => Standing::Missed(WhyMissed::Unfollowable),
    };
    for (target, standing) in standing.iter_mut().enumerate() {
        let ways = field.targets[target].2.len();
        let mut all = (0..ways).map(|way| covered_by(&field, &kept, target, way));
        let first = all.clone().find(|one| *one != Standing::Open);
        let covered = all.find(|one| matches!(one, Standing::Covered(_)));
        match standing {
            Standing::Covered(_) | Standing::Possible(_) => {
                *standing = covered.or(first).unwrap_or_else(|| lost.clone());
            }
            // What has no test case of its own may be covered by another.
            Standing::Missed(_) | Standing::Open => {
                debug_assert!(
                    covered.is_none()
                        || !matches!(standing, Standing::Missed(why) if why.is_proof()),
                    "{} is impossible, and {covered:?}",
                    field.targets[target].1.text
                );
                *standing = covered.unwrap_or_else(|| standing.clone());
            }
        }
    }
    let tests = kept.into_iter().map(|one| SuiteTest {
        covers: covered_targets(&field, &one),
        case: one.case,
        fair: one.evidence.fair,
        duration: one.evidence.duration,
    });
    let targets = field.targets.iter().zip(standing).map(|((criterion, target, _), standing)| {
        let (name, text) = (target.name.clone(), target.text.clone());
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
        limited,
    };
    if kills && !cancel.is_cancelled() {
        kill(loaded, &mut built, options, effort, texts)?;
        for test in built.tests.iter_mut().filter(|test| test.fair.0 == 0) {
            if cancel.is_cancelled() {
                break;
            }
            let case = test.case.clone();
            let (aim, explored, unchecked, evidence) = (None, 0, None, shown(&case)?);
            let one = Candidate { case, aim, evidence, explored, unchecked };
            test.covers = covered_targets(&field, &one);
            (test.fair, test.duration) = (one.evidence.fair, one.evidence.duration);
        }
    }
    built.stopped = cancel.reason().or(built.stopped);
    Ok(built)
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
    let results = side_by_side(&kept, effort.threads, check);
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

fn covered_by(field: &Field, kept: &[Candidate], target: usize, way: usize) -> Standing {
    let name = |one: &Candidate| one.case.name.clone();
    let certainly = kept.iter().find(|one| field.certainly_covers(one, target, way));
    let perhaps = || kept.iter().find(|one| field.covers(one, target, way));
    match certainly {
        Some(one) => Standing::Covered(name(one)),
        None => perhaps().map_or(Standing::Open, |one| Standing::Possible(name(one))),
    }
}

/// Whether so many percent are covered of what is not known to be impossible.
fn enough(standing: &[Standing], until: u32) -> bool {
    let covered = standing.iter().filter(|one| matches!(one, Standing::Covered(_))).count();
    let impossible = standing
        .iter()
        .filter(|one| matches!(one, Standing::Missed(why) if why.is_proof()))
        .count();
    let coverable = standing.len() - impossible;
    until < 100 && covered * 100 >= coverable * until as usize
}

type Made = Result<Result<(CoveringCase, Evidence), WhyMissed>, Failure>;

/// Makes test cases for some targets, side by side, and runs each against the model.
fn made_together(
    loaded: &Loaded,
    field: &Field,
    batch: &[usize],
    how: CoverOptions<'_>,
    effort: &Effort<'_>,
) -> Vec<(usize, Made)> {
    let (cancel, memory) = (effort.cancel.clone(), effort.memory);
    let make = |target: &usize| -> Made {
        let (_, aim, ways) = &field.targets[*target];
        let mut own = Effort { cancel: cancel.clone(), threads: 1, memory, ..Effort::default() };
        let made = cover_target(loaded, aim, ways, how, &mut |_| Ok(true), &mut own)?;
        let shown = |one: CoveringCase| {
            let evidence = field.shown(loaded, &one.case, None, (&cancel, 1))?;
            Ok((one, evidence))
        };
        made.map_or_else(|why| Ok(Err(why)), |one| shown(one).map(Ok))
    };
    let made = side_by_side(batch, effort.threads, make);
    batch.iter().copied().zip(made).collect()
}
