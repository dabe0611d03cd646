//! `tioga test`: makes test cases and runs them, or tests online without any.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::json;
use tioga::words::count;
use tioga::{
    GivenPurpose, Loaded, Missed, OnlineCases, OnlineGoal, RunOptions, WhyMissed, given_unit,
    in_run_units, online_case, online_purposes, settings, system, timelock,
};
use tioga_adapters::SystemRef;
use tioga_base::Diagnostic;
use tioga_execute::{Online, Settings};
use tioga_testcase::Suite;

use super::cover::WholeSuite;
use super::run::{begin, expect_outputs};
use super::{cover, synth};
use crate::args::{PaceArgs, TestArgs, run_options};
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::Session;
use crate::text::obstacle::timelock as told;

/// How many inputs and outputs an online run has at most.
const ACTIONS: u64 = 100;

/// The same for a random walk, which ends after its time.
const WALK_ACTIONS: u64 = 10_000;

/// Runs the command.
pub fn run(args: &TestArgs, session: &mut Session) -> Result<Exit, Stop> {
    let started = Instant::now();
    expect_outputs(&args.runs, session)?;
    let options = run_options(&args.runs, &args.reach);
    let mut known = BTreeMap::new();
    let cut_short;
    let mut made_suite = None;
    let (loaded, settings, missing) = if args.online {
        let made = match online(args, &options, session)? {
            Ok(made) => made,
            Err(exit) => return Ok(exit),
        };
        (cut_short, known) = (made.cut_short, made.goals);
        (made.loaded, made.settings, made.missing)
    } else if args.takes_suite() {
        let WholeSuite { loaded, suite, stopped, told } = cover::whole_suite(args, session)?;
        cut_short = stopped;
        made_suite = Some(told);
        if suite.cases.is_empty() {
            session.warn(nothing_to_run(stopped));
            session.set_result(json!({ "runs": 0, "suite": made_suite }));
            return Ok(untested(stopped));
        }
        let system = tested(args, &loaded, session)?;
        let settings = settings(suite, None, system, &options, Some(&loaded.model))?;
        (loaded, settings, false)
    } else {
        let (loaded, made) = synth::made(&args.wanted, args.sut.as_deref(), session)?;
        let purposes = args.wanted.cover.is_empty();
        for one in made.missed.iter().filter(|_| purposes) {
            let message = format!("no test case for {}: {}", one.purpose, one.why);
            session.warn(Diagnostic::global("no-test-case", message));
        }
        // What was made is worth a run, unless everything was to end.
        cut_short = made.stopped.is_some();
        if let Some(why) = made.stopped {
            session.warn(why);
            if made.interrupted && !made.cases.is_empty() {
                return Ok(Exit::Unknown);
            }
        }
        if made.cases.is_empty() {
            session.warn(nothing_to_run(cut_short));
            return Ok(untested(cut_short));
        }
        let suite = Suite::of_model(loaded.source.clone(), made.cases);
        let system = tested(args, &loaded, session)?;
        let settings = settings(suite, None, system, &options, Some(&loaded.model))?;
        (loaded, settings, purposes && !made.missed.is_empty())
    };
    warn_of_timelock(&loaded, session);
    if loaded.model.forces_no_output() {
        let message = "no output ever has to come, so a system that stays silent never fails";
        let help = "an invariant, such as `invariant x <= 5`, says until when an output must come";
        session.warn_first(Diagnostic::global("silence-passes", message).help(help));
    }
    if args.sut.is_none() {
        session.print("no --sut: the model is tested against itself\n")?;
    }
    let pace = pace(args, started);
    let exit = begin((settings, known), Some(loaded), args.journal(), &args.runs, &pace, session)?;
    if let Some(made) = made_suite {
        session.add_to_result("suite", made);
    }
    Ok(match exit {
        Exit::Success if missing || cut_short => untested(cut_short),
        exit => exit,
    })
}

/// How a test ends in which nothing failed, and not everything was tried: because a limit or a signal ended the search,
/// or because it cannot be tried. Only a system that fails makes a test negative.
fn untested(cut_short: bool) -> Exit {
    if cut_short { Exit::Unknown } else { Exit::Inconclusive }
}

/// Why no run begins: a limit or a signal ended the search first, or there is no test case.
fn nothing_to_run(cut_short: bool) -> Diagnostic {
    let why = match cut_short {
        true => "no test case was found in time",
        false => "no test case can be made that drives the system",
    };
    let diagnostic =
        Diagnostic::global("nothing-to-run", format!("there is nothing to run: {why}"));
    diagnostic.note("nothing was tested, so this says nothing about the system")
}

/// How fast and how long the runs go on: online, a budget is for them, too.
fn pace(args: &TestArgs, started: Instant) -> PaceArgs {
    let PaceArgs { jobs, stop_after } = args.pace;
    let budget = args.wanted.budget.filter(|_| args.online);
    let left = budget.map(|budget| budget.saturating_sub(started.elapsed()));
    PaceArgs { jobs, stop_after: left.into_iter().chain(stop_after).min() }
}

/// Names a timelock before anything runs.
fn warn_of_timelock(loaded: &Loaded, session: &mut Session) {
    let model = &loaded.model;
    let Some(run) = timelock(model, &mut session.effort(WorkLimits::default())) else { return };
    let message = format!("the model has a timelock: {}", told(model, &run));
    let note = "if the tester does not send in time, no system can behave as the model says";
    let help = "`tioga check` shows the run that leads there";
    session.warn_first(Diagnostic::global("timelock", message).note(note).help(help));
}

/// What is tested: the system that is named, or the model itself.
fn tested(args: &TestArgs, loaded: &Loaded, session: &mut Session) -> Result<SystemRef, Stop> {
    match &args.sut {
        None => Ok(SystemRef::Itself),
        Some(name) => Ok(system(name, Some(&loaded.source), &mut session.texts)?),
    }
}

/// What is tested online, and how.
struct OnlineTest {
    loaded: Loaded,
    settings: Settings,
    goals: BTreeMap<String, OnlineGoal>,
    /// Whether some purpose cannot be reached.
    missing: bool,
    /// Whether a limit ended the search for ways to purposes.
    cut_short: bool,
}

/// What is tested online: the interface, and how; or what it means that there is nothing to run.
fn online(
    args: &TestArgs,
    options: &RunOptions,
    session: &mut Session,
) -> Result<Result<OnlineTest, Exit>, Stop> {
    let wanted = &args.wanted;
    let (loaded, aim) = synth::read(wanted, session)?;
    let walks = |one: &GivenPurpose| matches!(one, GivenPurpose::Walk(_));
    let only_walks = !wanted.purpose.is_empty() && wanted.purpose.iter().all(walks);
    let actions = args.actions.unwrap_or(if only_walks { WALK_ACTIONS } else { ACTIONS });
    let (case, wait) = online_case(&loaded.model, actions);
    let (covers, aims) = (!wanted.cover.is_empty(), args.aims_online());
    // The other half of a budget is for the runs.
    let time = wanted.budget.map(|budget| budget / 2).or(wanted.synth_timeout);
    let (loaded, made) = if covers {
        cover::online_targets(wanted, loaded, time, session)?
    } else if aims {
        let mut effort = wanted.effort(session, time);
        let made = online_purposes(&loaded, &aim, &mut effort)?;
        drop(effort);
        for one in &made.missed {
            let message = format!("no run for {}: {}", one.purpose, one.why);
            session.warn(Diagnostic::global("no-test-case", message));
        }
        (loaded, made)
    } else {
        (loaded, OnlineCases { cases: vec![case], ..OnlineCases::default() })
    };
    let OnlineCases { cases, goals, missed, coverage } = made;
    let is_limit = |one: &Missed| one.why == WhyMissed::Limit;
    let ended = missed.iter().filter(|one| is_limit(one)).count();
    if ended > 0 {
        let message = format!("a limit ended the search for a way to {}", count(ended, "purpose"));
        let help = "more time or memory allows more";
        session.warn(Diagnostic::global("limit", message).help(help));
    }
    if cases.is_empty() {
        let stopped = missed.iter().any(is_limit);
        session.warn(nothing_to_run(stopped));
        return Ok(Err(untested(stopped)));
    }
    let (missing, cut_short) = (aims && !missed.is_empty(), missed.iter().any(is_limit));
    let suite = Suite::of_model(loaded.source.clone(), cases);
    let unit = given_unit(&suite, options, Some(&loaded.model));
    let longest_wait = args.longest_wait.map_or(Ok(wait), |given| in_run_units(given, unit))?;
    let online = Online { goal: None, cover: covers || aims, coverage, actions, longest_wait };
    let system = tested(args, &loaded, session)?;
    let settings = settings(suite, Some(online), system, options, Some(&loaded.model))?;
    Ok(Ok(OnlineTest { loaded, settings, goals, missing, cut_short }))
}
