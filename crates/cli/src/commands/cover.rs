//! `tioga synth --cover`: a suite by criteria.

use std::time::Duration;

use serde_json::json;
use tioga::{Aim, BuiltSuite, Loaded, build_suite, synthesize};
use tioga_base::Diagnostic;
use tioga_testcase::{Suite, TestCase};

use crate::args::{SynthArgs, WantedArgs};
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::Session;
use crate::text::suite;

/// What is said about a suite that was not asked for by name.
pub const DEFAULT_SUITE: &str = "suite: purposes of the model; edges, ends of windows, definitions and uses without cooperation; tests against mutants\n";

/// How long the default suite may take to make.
const DEFAULT_BUDGET: Duration = Duration::from_secs(60);

/// The test cases for the purposes of the model, or for its control queries, as far as there are some.
pub fn own_cases(
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
pub fn built(
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
