//! Suites by criteria, for `tioga synth --cover` and `tioga test`.

use std::num::NonZeroU64;
use std::time::Duration;

use clap::ValueEnum;
use serde_json::{Value, json};
use tioga::{
    Aim, BuiltSuite, Criterion, Failure, Loaded, OnlineCases, Reason, build_suite, online_cover,
    online_mutants, synthesize, system, wall_clock,
};
use tioga_base::{Diagnostic, Rational, Sources, Times};
use tioga_execute::{LeftOut, OnlineCoverage};
use tioga_testcase::{Suite, TestCase};

use crate::args::{DEFAULT_KILLED, SynthArgs, TestArgs, WantedArgs, run_options};
use crate::exit::{Exit, Stop};

use crate::output::Session;
use crate::suite_out::SuiteOut;
use crate::text::cover::warning as missed_targets;
use crate::text::offer::{Offer, offered};
use crate::text::suite::{self, LINES};

/// What is said about a suite that was not asked for by name.
const DEFAULT_SUITE: &str = "suite: purposes of the model; edges, boundary values, definitions and uses without cooperation; random walks and tests against mutants\n";

/// How long the default suite may take to make.
const DEFAULT_BUDGET: Duration = Duration::from_secs(60);

/// How many seconds random walks may take by the wall clock; in virtual time they take as long as they take.
const WALK_SECONDS: i64 = 600;

/// The test cases for the purposes of the model, or for its control queries, as far as there are some.
fn own_cases(
    args: &WantedArgs,
    loaded: &Loaded,
    session: &mut Session,
) -> Result<Vec<TestCase>, Stop> {
    let mut effort = args.effort(session, Some(args.budget.unwrap_or(DEFAULT_BUDGET)));
    let made = synthesize(loaded, &Aim::Model, &args.options(), &mut effort);
    drop(effort);
    match made {
        Ok(made) => {
            for one in &made.missed {
                let message = format!("no test case for {}: {}", one.purpose, one.why);
                session.warn(Diagnostic::global("no-test-case", message));
            }
            Ok(made.cases)
        }
        // A model need not have purposes.
        Err(failure) if failure.reason == Some(Reason::NoQuery) => Ok(Vec::new()),
        Err(failure) => Err(failure.into()),
    }
}

/// Makes the suite that is wanted, to be run so often; test cases that are given belong to it in any case.
fn built(
    args: &WantedArgs,
    online: &Offer,
    loaded: &Loaded,
    given: Vec<TestCase>,
    (repeat, walk_time): (u64, Option<Rational>),
    session: &mut Session,
) -> Result<BuiltSuite, Stop> {
    let default = args.cover.is_empty().then_some(DEFAULT_BUDGET);
    let mut effort = args.effort(session, args.budget.or(args.synth_timeout).or(default));
    let options = args.suite_options(repeat, walk_time);
    let built = build_suite(loaded, given, &options, &mut effort, &mut session.texts);
    Ok(built.map_err(|failure| offered(failure, online))?)
}

/// What to cover online instead: the same, or what the default covers.
fn criteria(wanted: &WantedArgs) -> String {
    let names: Vec<String> = wanted
        .cover
        .iter()
        .filter_map(|one| Some(one.to_possible_value()?.get_name().to_owned()))
        .collect();
    if names.is_empty() { "edges,boundaries,mutants".to_owned() } else { names.join(",") }
}

/// Runs `tioga synth` where a suite is made as a whole.
pub fn run(args: &SynthArgs, loaded: &Loaded, session: &mut Session) -> Result<Exit, Stop> {
    let wanted = &args.wanted;
    let online = Offer::of(wanted, None, &criteria(wanted));
    let built = built(wanted, &online, loaded, Vec::new(), (args.kill_runs, None), session)?;
    let times = loaded.model.time_unit;
    let mut text = suite::text(&built, times);
    // What was measured against mutants is what `tioga run` repeats.
    let repeat = built.killing.as_ref().map(|killing| killing.repeat).filter(|runs| *runs > 1);
    let repeat = repeat.and_then(NonZeroU64::new);
    let empty = Suite { repeat, ..Suite::of_model(built.source.clone(), Vec::new()) };
    let mut out = SuiteOut::begin(args, &empty, session)?;
    built.tests.iter().try_for_each(|test| out.add(&test.case))?;
    let (frame, values) = out.finish(&mut text, session)?;
    session.print(&text)?;
    let mut result = suite::to_json(&built, times);
    result["suite"] = frame;
    session.set_result_with(result, values);
    suite::warnings(&built, &online).into_iter().for_each(|warning| session.warn(warning));
    Ok(match built.stopped.is_some() || built.limited.is_some() {
        true => Exit::Unknown,
        false if built.tests.is_empty() => Exit::Negative,
        false => Exit::Success,
    })
}

/// A suite to be run.
pub struct WholeSuite {
    pub loaded: Loaded,
    pub suite: Suite,
    /// Whether a limit ended it.
    pub stopped: bool,
    /// What it took and what it reaches, as JSON.
    pub told: Value,
}

/// A suite by criteria: those that are given, or the default. Says what it took and what it reaches.
pub fn whole_suite(args: &TestArgs, session: &mut Session) -> Result<WholeSuite, Stop> {
    let wanted = &args.wanted;
    let loaded = session.read(&wanted.model)?;
    // A system that is not there is told before the suite is made.
    args.sut
        .as_ref()
        .map(|sut| system(sut, Some(&loaded.source), &mut session.texts))
        .transpose()?;
    let own =
        if wanted.cover.is_empty() { own_cases(wanted, &loaded, session)? } else { Vec::new() };
    let options = run_options(&args.runs, &args.reach);
    let repeat = args.runs.repeat.unwrap_or(1);
    let walk_time = wall_clock(WALK_SECONDS, &options, &loaded.model)?;
    let online = Offer::of(wanted, args.sut.as_deref(), &criteria(wanted));
    let built = built(wanted, &online, &loaded, own, (repeat, walk_time), session)?;
    if wanted.cover.is_empty() {
        session.print(DEFAULT_SUITE)?;
    }
    session.print(&suite::summary(&built, Times::of(loaded.model.time_unit)))?;
    if let Some(advice) = suite::advice(&built, DEFAULT_KILLED, &online)
        && wanted.cover.is_empty()
    {
        session.print(&advice)?;
    }
    suite::warnings(&built, &online).into_iter().for_each(|warning| session.warn(warning));
    let stopped = built.stopped.is_some() || built.limited.is_some();
    let stopped = stopped && !wanted.cover.is_empty();
    let mut told = suite::to_json(&built, loaded.model.time_unit);
    told["criteria"] = match wanted.cover.is_empty() {
        true => json!("default"),
        false => json!(criteria(wanted)),
    };
    let cases = built.tests.into_iter().map(|test| test.case).collect();
    // Purposes against mutants are part of the model then.
    let same = built.source == loaded.source;
    let loaded = if same { loaded } else { session.read_source(built.source)? };
    let suite = Suite::of_model(loaded.source.clone(), cases);
    Ok(WholeSuite { loaded, suite, stopped, told })
}

/// What to cover online, a test case without test steps for each, and the model that says how: it has purposes against
/// mutants if these are to be found.
pub fn online_targets(
    wanted: &WantedArgs,
    loaded: Loaded,
    time: Option<Duration>,
    session: &mut Session,
) -> Result<(Loaded, OnlineCases), Stop> {
    let mut effort = wanted.effort(session, time);
    let mut made = online_cover(&loaded, &wanted.covers(), &mut effort)?;
    let mut loaded = loaded;
    if wanted.criteria().contains(&Criterion::Mutants) {
        let mut texts = Sources::new();
        loaded = online_mutants(&loaded, &mut made, &mut effort, &mut texts)?;
    }
    drop(effort);
    if let Some(coverage) = &mut made.coverage {
        coverage.until = Some(wanted.until).filter(|until| *until < 100);
    }
    if !made.cases.is_empty() {
        return Ok((loaded, made));
    }
    if let Some(warning) = missed_targets(&wanted.covers(), &made.missed) {
        session.warn(warning);
    }
    let open = made.coverage.as_ref().is_some_and(OnlineCoverage::is_open);
    let message = "there is nothing to cover that can be reached";
    let diagnostic = Diagnostic::global("no-test-case", message);
    if !open {
        return Err(diagnostic.into());
    }
    let message = "nothing was found to cover before a limit, or for lack of a decision";
    let mut diagnostic = Diagnostic { message: message.to_owned(), ..diagnostic };
    let mutants = made.coverage.and_then(|coverage| coverage.mutants).unwrap_or_default();
    let undecided = mutants.undecided.iter().take(LINES);
    let note = |one: &LeftOut| format!("{}: {}", one.purpose, one.why);
    diagnostic.notes = undecided.map(note).collect();
    Err(Failure::limit(diagnostic).into())
}
