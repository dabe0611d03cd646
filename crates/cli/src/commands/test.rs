//! `tioga test`: makes test cases and runs them, or tests online without any.

use tioga::{
    GivenPurpose, Loaded, RunOptions, given_unit, in_run_units, online_case, settings, system,
    timelock,
};
use tioga_adapters::SystemRef;
use tioga_base::Diagnostic;
use tioga_execute::{Online, Settings};
use tioga_testcase::Suite;

use super::run::{begin, expect_outputs};
use super::{cover, synth};
use crate::args::{TestArgs, run_options};
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::Session;
use crate::text::obstacle::timelock as told;

/// Runs the command.
pub fn run(args: &TestArgs, session: &mut Session) -> Result<Exit, Stop> {
    expect_outputs(&args.runs, session)?;
    let options = run_options(&args.runs, &args.reach);
    let mut cut_short = false;
    let (loaded, settings, missing) = if args.online {
        let (loaded, settings) = online(args, &options, session)?;
        (loaded, settings, false)
    } else if args.takes_suite() {
        let (loaded, suite, stopped) = cover::whole_suite(args, session)?;
        cut_short = stopped;
        if suite.cases.is_empty() {
            session.print("there is nothing to run\n")?;
            return Ok(Exit::Negative);
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
        if made.cases.is_empty() {
            session.print("there is nothing to run\n")?;
            return Ok(Exit::Negative);
        }
        // What was made is worth a run, unless everything was to end.
        cut_short = made.stopped.is_some();
        if let Some(why) = made.stopped {
            session.warn(why);
            if made.interrupted {
                return Ok(Exit::Unknown);
            }
        }
        let suite = Suite::of_model(loaded.source.clone(), made.cases);
        let system = tested(args, &loaded, session)?;
        let settings = settings(suite, None, system, &options, Some(&loaded.model))?;
        (loaded, settings, purposes && !made.missed.is_empty())
    };
    warn_of_timelock(&loaded, session);
    if args.sut.is_none() {
        session.print("no --sut: the model is tested against itself\n")?;
    }
    let exit = begin(settings, Some(loaded), args.journal(), &args.runs, &args.pace, session)?;
    Ok(match exit {
        Exit::Success if missing => Exit::Negative,
        Exit::Success if cut_short => Exit::Unknown,
        exit => exit,
    })
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

/// What is tested online: the interface, and how.
fn online(
    args: &TestArgs,
    options: &RunOptions,
    session: &mut Session,
) -> Result<(Loaded, Settings), Stop> {
    let purposes = &args.wanted.purpose;
    let goal = match &purposes[..] {
        [] => None,
        [GivenPurpose::Reach { condition, within: None }] => Some(condition.clone()),
        _ => {
            let message = "online there is one purpose at most, of the form `reach CONDITION`";
            return Err(Diagnostic::global("unsupported", message).into());
        }
    };
    let loaded = session.read_asking(&args.wanted.model, &GivenPurpose::queries(purposes))?;
    let (case, wait) = online_case(&loaded.model, args.actions, goal.as_deref());
    let cover = !args.wanted.cover.is_empty();
    let (loaded, cases) = match cover {
        true => cover::online_targets(&args.wanted, loaded, session)?,
        false => (loaded, vec![case]),
    };
    let suite = Suite::of_model(loaded.source.clone(), cases);
    let unit = given_unit(&suite, options, Some(&loaded.model));
    let longest_wait = args.longest_wait.map_or(Ok(wait), |given| in_run_units(given, unit))?;
    let online = Online { goal, cover, actions: args.actions, longest_wait };
    let system = tested(args, &loaded, session)?;
    let settings = settings(suite, Some(online), system, options, Some(&loaded.model))?;
    Ok((loaded, settings))
}
