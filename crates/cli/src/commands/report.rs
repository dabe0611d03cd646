//! `tioga report`: the results of a campaign, from its journal.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde_json::json;
use tioga::{Loaded, Prepared, read, recorded, unreadable_journal};
use tioga_base::Diagnostic;
use tioga_execute::{JournalReader, Settings};
use tioga_report::{
    Error, Inconclusive, Outputs, Report, Sequence, Specification, picture, sequence, table,
    write_reports,
};

use crate::args::{InconclusiveArg, ReportArgs, RunsArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::diagram;

/// The files to write, in the order of [`Outputs`]: JUnit XML, TAP, HTML, JSON and TTCN-3.
type Paths<'p> = [&'p Option<PathBuf>; 5];

/// Runs the command.
pub fn run(args: &ReportArgs, session: &mut Session) -> Result<Exit, Stop> {
    let reader = open(&args.journal)?;
    let ReportArgs { junit, tap, html, json, ttcn, coverage, diagram, .. } = args;
    let paths = [junit, tap, html, json, ttcn];
    session.expect_files(paths.into_iter().chain([coverage, diagram]).flatten())?;
    let settings = reader.settings().clone();
    let loaded = match settings.model() {
        Some(source) => Some(read(source.clone(), &[], &mut session.texts)?),
        None => None,
    };
    let specification = loaded.as_ref().map(specification);
    let inconclusive = args.inconclusive;
    let (report, mut written) =
        written(&settings, specification, reader, paths, inconclusive, &args.journal, session)?;
    if let Some(path) = &args.coverage {
        draw_coverage(session, &report, path)?;
        written.push(path.display().to_string());
    }
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

/// Writes the files that are wanted of a campaign that is over, and prints nothing.
pub fn files(
    prepared: &Prepared,
    journal: &Path,
    args: &RunsArgs,
    session: &mut Session,
) -> Result<(), Stop> {
    let paths = [&args.junit, &args.tap, &args.html, &None, &None];
    if paths.iter().all(|path| path.is_none()) {
        return Ok(());
    }
    let specification = prepared.specification.as_ref().map(specification);
    let reader = open(journal)?;
    let inconclusive = args.inconclusive;
    written(&prepared.settings, specification, reader, paths, inconclusive, journal, session)
        .map(|_| ())
}

fn specification(loaded: &Loaded) -> Specification<'_> {
    Specification { document: &loaded.document, model: &loaded.model }
}

type Journal = JournalReader<io::BufReader<std::fs::File>>;

fn open(path: &Path) -> Result<Journal, Stop> {
    Ok(JournalReader::open(path).map_err(|error| unreadable_journal(path, &error))?)
}

fn written<'s>(
    settings: &'s Settings,
    specification: Option<Specification<'s>>,
    reader: Journal,
    paths: Paths<'_>,
    inconclusive: InconclusiveArg,
    journal: &Path,
    session: &mut Session,
) -> Result<(Report<'s>, Vec<String>), Stop> {
    let unwritable = |path: &Path, error: &io::Error| {
        let message = format!("cannot write `{}`: {error}", path.display());
        Diagnostic::global("cannot-write", message)
    };
    let mut files = Vec::new();
    for path in paths {
        files.push(match path {
            Some(path) => Some(session.new_file(path).map_err(|error| unwritable(path, &error))?),
            None => None,
        });
    }
    let mut sinks = files.iter_mut().map(|file| file.as_mut().map(|file| file as &mut dyn Write));
    let mut next = || sinks.next().flatten();
    let outputs = Outputs {
        junit: next(),
        tap: next(),
        html: next(),
        json: next(),
        ttcn: next(),
        inconclusive: match inconclusive {
            InconclusiveArg::Skipped => Inconclusive::Skipped,
            InconclusiveArg::Error => Inconclusive::Error,
        },
    };
    let report = write_reports(settings, specification, reader.runs(), outputs);
    let report = report.map_err(|error| match error {
        Error::Runs(error) => unreadable_journal(journal, &error),
        Error::Output(error) => {
            let message = format!("cannot write the reports: {error}");
            Diagnostic::global("cannot-write", message).into()
        }
    })?;
    let mut written = Vec::new();
    for (file, path) in files.into_iter().zip(paths) {
        if let (Some(file), Some(path)) = (file, path) {
            file.finish().map_err(|error| unwritable(path, &error))?;
            written.push(path.display().to_string());
        }
    }
    Ok((report, written))
}

/// Draws the model with what was visited.
fn draw_coverage(session: &mut Session, report: &Report<'_>, path: &Path) -> Result<(), Stop> {
    let Some(specification) = report.specification else {
        let message = "the journal does not say what model the test cases were made from";
        return Err(Diagnostic::global("no-model", message).into());
    };
    let Some(graphs) = report.coverage.model(&report.settings.suite, specification) else {
        let message = "no place of the test cases stands for one location of the model for certain";
        let help = "`--html` shows the coverage of each test case";
        return Err(Diagnostic::global("no-coverage", message).help(help).into());
    };
    session.write_file(path, picture::draw(&graphs).as_bytes())
}

/// Shows or draws one run. The journal is read again, because not every run was kept.
fn one_run(args: &ReportArgs, session: &mut Session, number: u64) -> Result<Option<String>, Stop> {
    let recorded = recorded(&args.journal, Some(number))?;
    let times = recorded.settings.times();
    let sequence = Sequence::new(&recorded.record, sequence::STEPS, times);
    let Some(path) = &args.diagram else {
        session.print(&sequence::text(&sequence))?;
        return Ok(None);
    };
    diagram::write(session, &sequence, path)?;
    Ok(Some(path.display().to_string()))
}
