//! `tioga run` and what it shares with `tioga test` and `tioga resume`: a campaign, told while it runs
//! and after.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tioga::{
    Loaded, OnlineGoal, OpenOptions, Prepared, choose, create_journal, prepare_aimed, settings,
    system,
};
use tioga_adapters::{Survivor, end_descendants};
use tioga_base::{Diagnostic, Sources};
use tioga_execute::{Journal, OnlineCoverage, Outcome, Settings, Tally};
use tioga_testcase::{ModelSource, Suite, TestCase};

use super::report;
use crate::args::{PaceArgs, RunArgs, RunsArgs, run_options};
use crate::exit::{Exit, Stop};
use crate::measure::{Limited, WorkLimits};
use crate::output::Session;
use crate::teller::Teller;
use crate::text::cover::nothing_to_do;
use crate::text::{campaign as told, online};

/// Runs the command.
pub fn run(args: &RunArgs, session: &mut Session) -> Result<Exit, Stop> {
    expect_outputs(&args.runs, session)?;
    let mut suite = session.read_suite(&args.suite)?;
    choose(&mut suite, &args.cases)?;
    match &args.model {
        Some(name) => {
            let source = session.open_as_named(name)?;
            warn_of_change(&suite, &args.suite, name, &source, session);
            suite.model = Some(source);
        }
        // The model may have changed since. Where its file is not there, the suite still has it.
        None => {
            let name = suite.model.as_ref().map(|own| own.name.clone()).unwrap_or_default();
            if let Ok(source) = tioga::open(&name, &OpenOptions::default(), &mut Sources::new()) {
                warn_of_change(&suite, &args.suite, &name, &source, session);
            }
        }
    }
    let system = system(&args.sut, suite.model.as_ref(), &mut session.texts)?;
    let specification = match suite.model.clone() {
        Some(source) => Some(session.read_of_suite(&suite, source)?),
        None => None,
    };
    let model = specification.as_ref().map(|loaded| &loaded.model);
    let settings = settings(suite, None, system, &run_options(&args.runs, &args.reach), model)?;
    let journal = journal_path(&args.runs, &args.suite);
    begin((settings, BTreeMap::new()), specification, journal, &args.runs, &args.pace, session)
}

/// Says before the first run if a suite was made from another version of a model.
pub fn warn_of_change(
    suite: &Suite,
    path: &Path,
    name: &str,
    source: &ModelSource,
    session: &mut Session,
) {
    if suite.model.as_ref().is_none_or(|own| own.text == source.text) {
        return;
    }
    let path = path.display();
    let message = format!("`{path}` was made from another version of `{name}`");
    let help = format!("`tioga certify {name} {path}` says which of its test cases still hold");
    session.warn_first(Diagnostic::global("other-model", message).help(help));
}

/// Complains before a campaign of files that could not be written after it.
pub fn expect_outputs(args: &RunsArgs, session: &mut Session) -> Result<(), Stop> {
    let RunsArgs { journal, junit, tap, html, .. } = args;
    session.expect_files([journal, junit, tap, html].into_iter().flatten())
}

/// Where the journal goes, unless none is wanted; by default it is named after a file.
pub fn journal_path(args: &RunsArgs, file: &Path) -> Option<PathBuf> {
    args.journal_beside(file)
}

/// Begins a campaign and makes its runs. What online runs aim at may be known.
pub fn begin(
    (settings, goals): (Settings, BTreeMap<String, OnlineGoal>),
    specification: Option<Loaded>,
    journal: Option<PathBuf>,
    args: &RunsArgs,
    pace: &PaceArgs,
    session: &mut Session,
) -> Result<Exit, Stop> {
    if let Some(command) = &args.build {
        tioga::build(command)?;
    }
    let at_once = |case: &&TestCase| match settings.is_online(case) {
        true => goals.get(&case.name).is_some_and(OnlineGoal::passes_at_once),
        false => case.passes_at_once(),
    };
    if let Some(warning) = nothing_to_do(settings.suite.cases.iter().filter(at_once)) {
        session.warn_first(warning);
    }
    let mut effort = session.effort(WorkLimits::default());
    let mut prepared =
        prepare_aimed(settings, specification, goals, &mut session.texts, &mut effort)?;
    drop(effort);
    session.diagnostics.append(std::mem::take(&mut prepared.warnings));
    let created = match &journal {
        Some(path) => Some((path.clone(), create_journal(path, &prepared.settings)?)),
        None => None,
    };
    let tally = Tally::new(&prepared.settings);
    let teller = Teller::new(session, &tally);
    let exit = finish(&prepared, created, tally, teller, pace, session)?;
    if let Some(journal) = journal {
        match report::files(&prepared, &journal, args, session) {
            // That the system failed matters more; the diagnostic tells of the files.
            Err(Stop::Failed(failure)) if exit == Exit::Negative => {
                session.diagnostics.append(failure.diagnostics);
            }
            other => other?,
        }
    }
    Ok(exit)
}

/// Makes the runs that are left, and prints the results of all.
pub fn finish(
    prepared: &Prepared,
    journal: Option<(PathBuf, Journal)>,
    tally: Tally,
    mut teller: Teller,
    pace: &PaceArgs,
    session: &mut Session,
) -> Result<Exit, Stop> {
    let limited = Limited::new(WorkLimits { time: pace.stop_after, memory: None });
    let (path, journal) = journal.unzip();
    let written = path.as_deref().and_then(identity);
    let results =
        prepared.run(usize::from(pace.jobs), journal, tally, &mut teller, limited.cancel.clone());
    drop(limited);
    for Survivor { process, name } in end_descendants() {
        let message = format!("the system left process {process} (`{name}`) behind");
        let note = "it could not be ended; it may belong to another user";
        session.warn(Diagnostic::global("left-behind", message).note(note));
    }
    let runs = teller.finish();
    let (tally, warnings) = results?;
    let faulty = warnings.error_count() > 0;
    session.diagnostics.append(warnings);
    if let Some(path) = path.as_deref().filter(|path| identity(path) != written) {
        let message = format!("the journal `{}` was deleted during the run", path.display());
        let note = "the results are complete here, but cannot be resumed, explained or reported";
        session.warn(Diagnostic::global("journal-deleted", message).note(note));
    }
    let (settings, path) = (&prepared.settings, path.as_deref());
    let model = prepared.specification.as_ref().map(|loaded| &loaded.model);
    session.print(&told::text(settings, model, &tally, path))?;
    session.set_result(told::json(settings, model, &tally, path, &runs));
    let open = online::coverage(settings).is_some_and(OnlineCoverage::is_open);
    Ok(match exit(&tally) {
        Exit::Success | Exit::Inconclusive if faulty => Exit::Faulty,
        // What a limit or an undecided comparison left out is not known to be right.
        Exit::Success if open => Exit::Unknown,
        exit => exit,
    })
}

/// What tells a file from others that have its name at other times.
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// What the results mean to a shell.
fn exit(tally: &Tally) -> Exit {
    match tally.worst() {
        Some(worst @ (Outcome::Fail | Outcome::Error)) => exit_of(worst),
        _ if !tally.is_over() => Exit::Unknown,
        worst => worst.map_or(Exit::Success, exit_of),
    }
}

/// What the outcome of a run means to a shell.
pub fn exit_of(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Fail => Exit::Negative,
        Outcome::Error => Exit::Faulty,
        Outcome::Inconclusive => Exit::Inconclusive,
        Outcome::Pass => Exit::Success,
    }
}
