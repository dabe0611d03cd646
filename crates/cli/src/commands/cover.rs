//! Suites by criteria, for `tioga synth --cover` and `tioga test`.

use std::time::Duration;

use serde_json::json;
use tioga::{Aim, BuiltSuite, Criterion, Loaded, build_suite, online_cover, synthesize};
use tioga_base::{Diagnostic, Times};
use tioga_testcase::{Suite, TestCase};

use crate::args::{DEFAULT_KILLED, SynthArgs, TestArgs, WantedArgs};
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::Session;
use crate::text::cover::warning as missed_targets;
use crate::text::suite;

/// What is said about a suite that was not asked for by name.
const DEFAULT_SUITE: &str = "suite: purposes of the model; edges, ends of windows, definitions and uses without cooperation; tests against mutants\n";

/// How long the default suite may take to make.
const DEFAULT_BUDGET: Duration = Duration::from_secs(60);

/// The test cases for the purposes of the model, or for its control queries, as far as there are some.
fn own_cases(
    args: &WantedArgs,
    loaded: &Loaded,
    session: &mut Session,
) -> Result<Vec<TestCase>, Stop> {
    let limits = args.memory.limits(Some(args.budget.unwrap_or(DEFAULT_BUDGET)));
    let mut effort = session.effort(limits);
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
        Err(failure) if failure.diagnostics.iter().any(|one| one.code == "no-query") => {
            Ok(Vec::new())
        }
        Err(failure) => Err(failure.into()),
    }
}

/// Makes the suite that is wanted, to be run so often; test cases that are given belong to it in any case.
fn built(
    args: &WantedArgs,
    loaded: &Loaded,
    given: Vec<TestCase>,
    repeat: u64,
    session: &mut Session,
) -> Result<BuiltSuite, Stop> {
    let default = args.cover.is_empty().then_some(DEFAULT_BUDGET);
    let limits: WorkLimits = args.memory.limits(args.budget.or(args.synth_timeout).or(default));
    let mut effort = session.effort(limits);
    Ok(build_suite(loaded, given, &args.suite_options(repeat), &mut effort, &mut session.texts)?)
}

/// Runs `tioga synth` where a suite is made as a whole.
pub fn run(args: &SynthArgs, loaded: &Loaded, session: &mut Session) -> Result<Exit, Stop> {
    let built = built(&args.wanted, loaded, Vec::new(), args.wanted.kill_runs, session)?;
    let times = loaded.model.time_unit;
    let mut text = suite::text(&built, times);
    let cases: Vec<TestCase> = built.tests.iter().map(|test| test.case.clone()).collect();
    let whole = json!(Suite::of_model(built.source.clone(), cases.clone()));
    if let Some(path) = &args.out {
        session.write_file(path, format!("{whole:#}\n").as_bytes())?;
        text.push_str(&format!("suite written to {}\n", path.display()));
    }
    if let (Some(path), Some(case)) = (&args.tester, cases.first()) {
        let contents = tioga::tester_text(case, tioga::target_of(path)?)?;
        session.write_file(path, contents.as_bytes())?;
        text.push_str(&format!("tester written to {}\n", path.display()));
    }
    session.print(&text)?;
    let mut result = suite::to_json(&built, times);
    result["suite"] = whole;
    session.set_result(result);
    suite::warnings(&built).into_iter().for_each(|warning| session.warn(warning));
    Ok(match built.stopped {
        Some(_) => Exit::Unknown,
        None if built.tests.is_empty() => Exit::Negative,
        None => Exit::Success,
    })
}

/// A suite by criteria: those that are given, or the default. Says what it took and what it reaches, and whether a
/// limit ended it.
pub fn whole_suite(args: &TestArgs, session: &mut Session) -> Result<(Loaded, Suite, bool), Stop> {
    let wanted = &args.wanted;
    let loaded = session.read(&wanted.model)?;
    let own =
        if wanted.cover.is_empty() { own_cases(wanted, &loaded, session)? } else { Vec::new() };
    let built = built(wanted, &loaded, own, args.runs.repeat, session)?;
    if wanted.cover.is_empty() {
        session.print(DEFAULT_SUITE)?;
    }
    session.print(&suite::summary(&built, Times::of(loaded.model.time_unit)))?;
    if let Some(advice) = suite::advice(&built, DEFAULT_KILLED).filter(|_| wanted.cover.is_empty())
    {
        session.print(advice)?;
    }
    suite::warnings(&built).into_iter().for_each(|warning| session.warn(warning));
    let stopped = built.stopped.is_some() && !wanted.cover.is_empty();
    let cases = built.tests.into_iter().map(|test| test.case).collect();
    // Purposes against mutants are part of the model then.
    let same = built.source == loaded.source;
    let loaded = if same { loaded } else { session.read_source(built.source)? };
    let suite = Suite::of_model(loaded.source.clone(), cases);
    Ok((loaded, suite, stopped))
}

/// What to cover online, a test case without test steps for each.
pub fn online_targets(
    wanted: &WantedArgs,
    loaded: &Loaded,
    session: &mut Session,
) -> Result<Vec<TestCase>, Stop> {
    if wanted.criteria().contains(&Criterion::Mutants) {
        let message = "online there are no test cases that could be made against mutants";
        let help = "cover edges, boundaries or definitions-uses";
        return Err(Diagnostic::global("unsupported", message).help(help).into());
    }
    let mut effort = session.effort(wanted.memory.limits(wanted.budget.or(wanted.synth_timeout)));
    let (cases, missed) = online_cover(loaded, &wanted.covers(), &mut effort)?;
    drop(effort);
    if let Some(warning) = missed_targets(&wanted.covers(), &missed) {
        session.warn(warning);
    }
    if cases.is_empty() {
        let message = "there is nothing to cover that can be reached";
        return Err(Diagnostic::global("no-test-case", message).into());
    }
    Ok(cases)
}
