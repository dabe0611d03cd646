//! `tioga report`: the results of a campaign, from its journal.

mod written;

use std::path::Path;

use serde_json::json;
use tioga::{Loaded, Prepared, picture_text, read_of_suite, recorded};
use tioga_base::Diagnostic;
use tioga_report::{Report, Sequence, Specification, Timing, sequence, table, timing};

use crate::args::{ReportArgs, RunsArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::diagram;
use written::{open, written};

/// Runs the command.
pub fn run(args: &ReportArgs, session: &mut Session) -> Result<Exit, Stop> {
    let reader = open(&args.journal)?;
    let ReportArgs { junit, tap, html, json, ttcn, diagram, timing, .. } = args;
    let picture = args.coverage.clone().flatten();
    let paths = [junit, tap, html, json, ttcn];
    session.expect_files(paths.into_iter().chain([&picture, diagram, timing]).flatten())?;
    let settings = reader.settings().clone();
    let loaded = match settings.model() {
        Some(source) => {
            Some(read_of_suite(&settings.suite, source.clone(), &[], &mut session.texts)?)
        }
        None => None,
    };
    let specification = loaded.as_ref().map(specification);
    let inconclusive = args.inconclusive;
    let (report, mut written) =
        written(&settings, specification, reader, paths, inconclusive, &args.journal, session)?;
    if let Some(path) = &picture {
        draw_coverage(session, &report, path)?;
        written.push(path.display().to_string());
    }
    if let Some(path) = timing {
        draw_timing(args, session, specification, path)?;
        written.push(path.display().to_string());
    }
    match args.run {
        Some(number) => written.extend(one_run(args, session, number)?),
        None => {
            let listed = if args.coverage == Some(None) { usize::MAX } else { 0 };
            let covered = report.coverage.of_model.as_ref().map(|model| model.text(listed));
            let results = table(&report).text(|_, text| text.to_owned());
            session.print(&(results + &covered.unwrap_or_default()))?;
        }
    }
    let totals = report.totals();
    session.set_result(json!({
        "runs": totals.runs(),
        "pass": totals.pass,
        "inconclusive": totals.inconclusive,
        "fail": totals.fail,
        "error": totals.error,
        "interrupted": totals.interrupted,
        "model": report.coverage.of_model,
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

/// Draws the model with what was visited.
fn draw_coverage(session: &mut Session, report: &Report<'_>, path: &Path) -> Result<(), Stop> {
    let Some(specification) = report.specification else {
        let message = "the journal does not say what model the test cases were made from";
        return Err(Diagnostic::global("no-model", message).into());
    };
    let graphs = report.coverage.model(&report.settings.suite, specification).unwrap_or_default();
    session.write_file(path, picture_text(&graphs)?.as_bytes())
}

/// Draws a run over time. The journal is read again, because not every run was kept.
fn draw_timing(
    args: &ReportArgs,
    session: &mut Session,
    specification: Option<Specification<'_>>,
    path: &Path,
) -> Result<(), Stop> {
    let recorded = recorded(&args.journal, args.run)?;
    let drawn = Timing::new(&recorded.settings, specification, &recorded.record, timing::STEPS);
    session.write_file(path, timing::svg(&drawn).as_bytes())
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
