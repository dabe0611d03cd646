//! `tioga report`: the results of a campaign, from its journal.

use std::io::{self, BufRead, Write};
use std::path::Path;

use serde_json::json;
use tioga_base::Diagnostic;
use tioga_execute::{JournalReader, RunRecord, Settings};
use tioga_report::{
    Error, Inconclusive, Outputs, Report, Sequence, picture, sequence, table, write_reports,
};

use crate::args::{InconclusiveArg, ReportArgs};
use crate::text::diagram;
use crate::exit::{Exit, Stop};
use crate::journal_file;
use crate::new_file::NewFile;
use crate::output::Session;

/// Runs the command.
pub fn run(args: &ReportArgs, session: &mut Session) -> Result<Exit, Stop> {
    let reader = open(args, session)?;
    let ReportArgs { junit, tap, html, json, ttcn, coverage, diagram, .. } = args;
    let outputs = [junit, tap, html, json, ttcn, coverage, diagram];
    session.expect_files(outputs.into_iter().flatten())?;
    let settings = reader.settings().clone();
    let (report, mut written) = written(args, session, &settings, reader)?;
    match args.run {
        Some(number) => written.extend(one_run(args, session, number)?),
        None => session.print(&table(&report).text(|_, text| text.to_owned()))?,
    }
    let totals = report.totals();
    session.set_result(json!({
        "runs": totals.runs(),
        "pass": totals.pass,
        "inconclusive": totals.inconclusive,
        "fail": totals.fail,
        "error": totals.error,
        "interrupted": totals.interrupted,
        "written": written,
    }));
    Ok(Exit::Success)
}

/// Writes the files that are wanted, and prints nothing.
pub fn files(args: &ReportArgs, session: &mut Session) -> Result<(), Stop> {
    let reader = open(args, session)?;
    let settings = reader.settings().clone();
    written(args, session, &settings, reader).map(|_| ())
}

fn written<'s>(
    args: &ReportArgs,
    session: &mut Session,
    settings: &'s Settings,
    reader: JournalReader<impl BufRead>,
) -> Result<(Report<'s>, Vec<String>), Stop> {
    let mut files = Vec::new();
    for path in [&args.junit, &args.tap, &args.html, &args.json, &args.ttcn] {
        files.push(match path {
            Some(path) => {
                Some(NewFile::create(path).map_err(|error| unwritable(session, path, &error))?)
            }
            None => None,
        });
    }
    let report = write(args, session, settings, reader, &mut files)?;
    let paths = [&args.junit, &args.tap, &args.html, &args.json, &args.ttcn];
    let mut written = Vec::new();
    for (file, path) in files.into_iter().zip(paths) {
        if let (Some(file), Some(path)) = (file, path) {
            file.finish().map_err(|error| unwritable(session, path, &error))?;
            written.push(path.display().to_string());
        }
    }
    if let Some(path) = &args.coverage {
        coverage(session, &report, path)?;
        written.push(path.display().to_string());
    }
    Ok((report, written))
}

type Journal = JournalReader<io::BufReader<std::fs::File>>;

fn open(args: &ReportArgs, session: &mut Session) -> Result<Journal, Stop> {
    JournalReader::open(&args.journal)
        .map_err(|error| journal_file::unreadable(session, &args.journal, &error))
}

fn write<'s>(
    args: &ReportArgs,
    session: &mut Session,
    settings: &'s Settings,
    reader: JournalReader<impl BufRead>,
    files: &mut [Option<NewFile>],
) -> Result<Report<'s>, Stop> {
    let mut sinks = files.iter_mut().map(|file| file.as_mut().map(|file| file as &mut dyn Write));
    let mut next = || sinks.next().flatten();
    let outputs = Outputs {
        junit: next(),
        tap: next(),
        html: next(),
        json: next(),
        ttcn: next(),
        inconclusive: match args.inconclusive {
            InconclusiveArg::Skipped => Inconclusive::Skipped,
            InconclusiveArg::Error => Inconclusive::Error,
        },
    };
    write_reports(settings, reader.runs(), outputs).map_err(|error| match error {
        Error::Runs(error) => journal_file::unreadable(session, &args.journal, &error),
        Error::Output(error) => {
            let message = format!("cannot write the reports: {error}");
            session.stop(Diagnostic::global("cannot-write", message))
        }
    })
}

/// Draws the model with what was visited.
fn coverage(session: &mut Session, report: &Report<'_>, path: &Path) -> Result<(), Stop> {
    let Some(model) = &report.settings.model else {
        let message = "the journal does not say what model the test cases were made from";
        return Err(session.stop(Diagnostic::global("no-model", message)));
    };
    let Some(graphs) = report.coverage.model(&report.settings.suite, model) else {
        let message = "the places of the test cases are not named after locations of the model";
        let note = "test cases made from a deterministic view of a model have names of their own";
        let help = "`--html` shows the coverage of each test case";
        let diagnostic = Diagnostic::global("no-coverage", message).note(note).help(help);
        return Err(session.stop(diagnostic));
    };
    session.write_file(path, picture::draw(&graphs).as_bytes())
}

/// Shows or draws one run. The journal is read again, because not every run was kept.
fn one_run(args: &ReportArgs, session: &mut Session, number: u64) -> Result<Option<String>, Stop> {
    let mut found: Option<RunRecord> = None;
    for run in open(args, session)?.runs() {
        let run = run.map_err(|error| journal_file::unreadable(session, &args.journal, &error))?;
        if run.run == number {
            found = Some(run);
            break;
        }
    }
    let Some(run) = found else {
        let message = format!("there is no run {number} in the journal");
        return Err(session.stop(Diagnostic::global("no-such-run", message)));
    };
    let sequence = Sequence::new(&run, sequence::STEPS);
    let Some(path) = &args.diagram else {
        session.print(&sequence::text(&sequence))?;
        return Ok(None);
    };
    diagram::write(session, &sequence, path)?;
    Ok(Some(path.display().to_string()))
}

fn unwritable(session: &mut Session, path: &Path, error: &io::Error) -> Stop {
    let message = format!("cannot write `{}`: {error}", path.display());
    session.stop(Diagnostic::global("cannot-write", message))
}
