//! `tioga shrink`: the shortest way to a recorded failure, found by running shorter and shorter ones.

use std::path::{Path, PathBuf};

use serde_json::json;
use tioga_base::Diagnostic;
use tioga_execute::{
    Failure, Outcome, RunRecord, Settings, ShrinkOptions, Shrunk, Stand, TimeBase,
};
use tioga_testcase::Suite;

use super::run::model_text;
use crate::args::ShrinkArgs;
use crate::text::campaign::{events_text, verb};
use crate::exit::{Exit, Stop};
use crate::measure::cancel_flag;
use crate::output::Session;
use crate::progress::Progress;
use crate::recorded::Recorded;
use tioga::words::count;
use crate::systems::{Source, limit};
use crate::{journal_file, load};

/// Runs the command.
pub fn run(args: &ShrinkArgs, session: &mut Session) -> Result<Exit, Stop> {
    let sut = args.sut.as_deref();
    let mut recorded = Recorded::read(session, &args.journal, args.run, sut)?;
    limit(session, &mut recorded.settings, &args.limits)?;
    let model = match &args.model {
        Some(name) => {
            recorded.settings.model = Some(model_text(session, name)?);
            Some(load::named(session, name, &args.load)?.model)
        }
        None => recorded.model(session, &args.load)?,
    };
    failed(session, &recorded)?;
    let source = Source::open(session, &recorded.settings)?;
    let real = recorded.settings.time != TimeBase::Virtual;
    let options = ShrinkOptions {
        model: model.as_ref(),
        attempts: args.attempts.unwrap_or(if real { 100 } else { 500 }),
        confirm: args.confirm.unwrap_or(if real { 3 } else { 1 }),
        any: args.any_failure,
    };
    let mut progress = Progress::new(session.format);
    let systems = || source.make();
    let mut stand = Stand::new(&recorded.settings, &systems, cancel_flag(None));
    let shrunk = stand.shrink(&recorded.record, &options, &mut |attempt, inputs| {
        progress.say(|| format!("attempt {attempt}, {} left", count(inputs, "input")));
    });
    // Whatever the system says at the end, the runs are over.
    let _ = stand.finish();
    progress.clear();
    let shrunk = shrunk.map_err(|error| {
        session.stop(Diagnostic::global("shrinking-stopped", error.to_string()))
    })?;
    if shrunk.failure.is_none() {
        return not_again(session, &recorded, &shrunk);
    }
    let path = args.out.clone().unwrap_or_else(|| default_path(&args.journal));
    write(session, &path, &recorded, &shrunk.record)?;
    tell(session, &recorded, &shrunk, &path)
}

/// Only what went wrong can be shrunk.
fn failed(session: &mut Session, recorded: &Recorded) -> Result<(), Stop> {
    let outcome = recorded.record.outcome().map(|(outcome, _)| outcome);
    if matches!(outcome, Some(Outcome::Fail | Outcome::Error)) {
        return Ok(());
    }
    let what = outcome.map_or("was interrupted", verb);
    let message = format!("run {} {what}, so there is no failure to shrink", recorded.record.run);
    let help = "choose a run that failed or was an error with `--run`, if there is one";
    Err(session.stop(Diagnostic::global("no-failure", message).help(help)))
}

fn default_path(journal: &Path) -> PathBuf {
    let mut name = journal.file_stem().unwrap_or("run".as_ref()).to_owned();
    name.push(".shrunk.journal");
    name.into()
}

/// Writes the recorded run as run 0 and the shrunk one as run 1.
fn write(
    session: &mut Session,
    path: &Path,
    recorded: &Recorded,
    shrunk: &RunRecord,
) -> Result<(), Stop> {
    let Recorded { settings, record } = recorded;
    let case = settings.suite.cases[settings.case_of(record.run)].clone();
    let suite = Suite::new(vec![case]);
    let settings = Settings { suite, repeat: 2, keep_going: true, ..settings.clone() };
    let mut journal = journal_file::create(session, path, &settings)?;
    let mut written = Ok(());
    for (number, record) in [(0, record), (1, shrunk)] {
        for event in &record.events {
            written = written.and_then(|()| journal.append(number, event));
        }
    }
    let written = written.and_then(|()| journal.sync());
    written.map_err(|error| journal_file::refused(session, path, &error.into()))
}

fn tell(
    session: &mut Session,
    recorded: &Recorded,
    shrunk: &Shrunk,
    path: &Path,
) -> Result<Exit, Stop> {
    let (outcome, reason) = recorded.record.outcome().unwrap_or((Outcome::Fail, ""));
    let number = recorded.record.run;
    let mut text = format!(
        "run {number} of {} {}: {}\nfrom {} to {} in {}\n\n",
        recorded.case(),
        verb(outcome),
        reason.trim_end(),
        shrunk.before,
        count(shrunk.after, "input"),
        count(usize::try_from(shrunk.attempts).unwrap_or(usize::MAX), "attempt"),
    );
    text.push_str(&events_text(&shrunk.record));
    text.push('\n');
    if !shrunk.by_model {
        // A model that is known was asked, but did not see the failure.
        let known = recorded.settings.model.is_some();
        let hint = if known { "" } else { "; `--model` allows shorter ones" };
        text.push_str(&format!("only runs within the test case were tried{hint}\n"));
    }
    if shrunk.cancelled {
        text.push_str("interrupted; there may be a shorter run\n");
    } else if !shrunk.complete {
        text.push_str("there may be a shorter run; `--attempts` allows more\n");
    }
    let path = path.display();
    text.push_str(&format!("written to {path} as run 1\n  tioga explain {path} --run 1\n"));
    session.print(&text)?;
    result(session, recorded, shrunk, Some(path.to_string()));
    Ok(if shrunk.cancelled { Exit::Unknown } else { Exit::Success })
}

/// Says that the failure was not seen again.
fn not_again(session: &mut Session, recorded: &Recorded, shrunk: &Shrunk) -> Result<Exit, Stop> {
    result(session, recorded, shrunk, None);
    if shrunk.cancelled {
        session.print("interrupted before the failure was seen again\n")?;
        return Ok(Exit::Unknown);
    }
    let number = recorded.record.run;
    let mut text = format!("run {number} of {} did not fail so again:\n", recorded.case());
    text.push_str(&events_text(&shrunk.record));
    text.push_str("\nwhat the system does may depend on chance, or on what it did before\n");
    session.print(&text)?;
    Ok(Exit::Inconclusive)
}

fn result(session: &mut Session, recorded: &Recorded, shrunk: &Shrunk, journal: Option<String>) {
    let failure = shrunk.failure.as_ref().map(|failure| match failure {
        Failure::Output(channel) => json!({ "kind": "output", "channel": channel }),
        Failure::Silence => json!({ "kind": "silence" }),
        Failure::Fault(kind) => json!({ "kind": "fault", "fault": kind }),
    });
    session.set_result(json!({
        "run": recorded.record.run,
        "case": recorded.case(),
        "seed": recorded.record.seed(),
        "system": recorded.settings.system,
        "failure": failure,
        "inputs_before": shrunk.before,
        "inputs": shrunk.after,
        "attempts": shrunk.attempts,
        "complete": shrunk.complete,
        "judge": if shrunk.by_model { "model" } else { "test case" },
        "events": shrunk.record.events,
        "journal": journal,
    }));
}
