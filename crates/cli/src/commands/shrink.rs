//! `tioga shrink`: the shortest way to a recorded failure, found by running shorter and shorter ones.

use std::path::Path;

use tioga::{Recorded, create_journal, journal_failure, prepare, recorded, shrunk};
use tioga_adapters::TimeBase;
use tioga_base::Diagnostic;
use tioga_execute::{Outcome, RunRecord, Settings, ShrinkOptions};
use tioga_testcase::Suite;

use crate::args::ShrinkArgs;
use crate::exit::{Exit, Stop};
use crate::measure::WorkLimits;
use crate::output::Session;
use crate::text::campaign::verb;
use crate::text::shrink::{not_again, result, shorter};

/// Runs the command.
pub fn run(args: &ShrinkArgs, session: &mut Session) -> Result<Exit, Stop> {
    let mut recorded = recorded(&args.journal, args.run)?;
    if let Some(name) = &args.model {
        let source = session.open(name, &args.load)?;
        recorded.settings.suite.model = Some(source);
    }
    if let Some(name) = &args.sut {
        recorded.against(name, &mut session.texts)?;
    }
    args.limits.limits().apply(&mut recorded.settings)?;
    failed(&recorded)?;
    let mut effort = session.effort(WorkLimits::default());
    let settings = recorded.settings.clone();
    let prepared = prepare(settings, None, &mut session.texts, &mut effort)?;
    let real = recorded.settings.time != TimeBase::Virtual;
    let options = ShrinkOptions {
        model: prepared.specification.as_ref().map(|loaded| &loaded.model),
        attempts: args.attempts.unwrap_or(if real { 200 } else { 2000 }),
        confirm: args.confirm.unwrap_or(if real { 3 } else { 1 }),
        tries: args.tries,
        again: if real { 5 } else { 10 },
        any: args.any_failure,
    };
    let shrunk = shrunk(&prepared, &recorded.record, &options, &mut effort)?;
    drop(effort);
    if shrunk.failure.is_none() {
        session.set_result(result(&recorded, &shrunk, None));
        if shrunk.cancelled {
            session.print("interrupted before the failure was seen again\n")?;
            return Ok(Exit::Unknown);
        }
        session.print(&not_again(&recorded, &shrunk))?;
        return Ok(Exit::Inconclusive);
    }
    let path = args.out();
    write(&path, &recorded, &shrunk.record)?;
    session.print(&shorter(&recorded, &shrunk, &path))?;
    session.set_result(result(&recorded, &shrunk, Some(path.display().to_string())));
    Ok(if shrunk.cancelled { Exit::Unknown } else { Exit::Success })
}

/// Only what went wrong can be shrunk.
fn failed(recorded: &Recorded) -> Result<(), Stop> {
    let outcome = recorded.record.outcome().map(|(outcome, _)| outcome);
    if matches!(outcome, Some(Outcome::Fail | Outcome::Error)) {
        return Ok(());
    }
    let what = outcome.map_or("was interrupted", verb);
    let message = format!("run {} {what}, so there is no failure to shrink", recorded.record.run);
    let help = "choose a run that failed or was an error with `--run`, if there is one";
    Err(Diagnostic::global("no-failure", message).help(help).into())
}

/// Writes the recorded run as run 0 and the shrunk one as run 1.
fn write(path: &Path, recorded: &Recorded, shrunk: &RunRecord) -> Result<(), Stop> {
    let Recorded { settings, record } = recorded;
    let case = settings.suite.cases[settings.case_of(record.run)].clone();
    let suite = Suite { cases: vec![case], complete: None, ..settings.suite.clone() };
    let settings = Settings { suite, repeat: 2, keep_going: true, ..settings.clone() };
    let mut journal = create_journal(path, &settings)?;
    let mut written = Ok(());
    for (number, record) in [(0, record), (1, shrunk)] {
        for event in &record.events {
            written = written.and_then(|()| journal.append(number, event));
        }
    }
    let written = written.and_then(|()| journal.close());
    Ok(written.map_err(|error| journal_failure(path, &error.into()))?)
}
