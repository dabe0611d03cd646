//! `tioga explain`: what happened in a run of a campaign, what was expected when, and why the run means
//! what it means.

use std::path::Path;

use serde_json::json;
use tioga_base::{Diagnostic, Severity};
use tioga_execute::{Event, Explanation, JournalReader, Outcome, RunRecord, Settings};
use tioga_model::Model;
use tioga_report::{Sequence, finding, sequence};

use crate::args::{ExplainArgs, LoadArgs};
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::{diagram_file, explain_text, journal_file, load};

/// How many steps are explained unless more are asked for.
const STEPS: usize = 20;

/// Runs the command.
pub fn run(args: &ExplainArgs, session: &mut Session) -> Result<Exit, Stop> {
    let (settings, record) = chosen(session, &args.journal, args.run)?;
    let name = record.case();
    let case = settings.suite.cases.iter().find(|case| Some(case.name.as_str()) == name);
    let Some(case) = case else {
        let message = format!("run {} has a test case that is not in the suite", record.run);
        return Err(session.stop(Diagnostic::global("unknown-case", message)));
    };
    let model = model(session, args, &settings)?;
    let last = args.last.unwrap_or(STEPS);
    let explained = match &model {
        Some(model) if settings.online.is_some() => {
            Explanation::of_online_run(model, &settings.latencies, &record, last)
        }
        _ => Explanation::of_run(case, &settings.latencies, model.as_ref(), &record, last),
    };
    let explained = explained.map_err(|error| {
        let message = format!("run {} cannot be explained: {error}", record.run);
        session.stop(Diagnostic::global("cannot-explain", message))
    })?;
    let drawn = Sequence::new(&record, sequence::STEPS);
    if let Some(path) = &args.diagram {
        diagram::write(session, &drawn, path)?;
    }
    let seed = record.events.iter().find_map(|event| match event {
        Event::Begin { seed, .. } => Some(*seed),
        _ => None,
    });
    let about = explain::About { run: record.run, case, settings: &settings, seed };
    session.print(&explain::text(&about, &sequence::text(&drawn), &explained))?;
    session.set_result(json!({
        "run": record.run,
        "case": case.name,
        "purpose": case.summary.purpose,
        "seed": seed,
        "system": settings.system,
        "steps": explained.steps,
        "left_out": explained.left_out,
        "conclusion": explained.conclusion,
        "message": finding::conclusion(&explained.conclusion),
        "diagram": args.diagram.as_ref().map(|path| path.display().to_string()),
    }));
    Ok(Exit::Success)
}

/// Reads the run that is asked for, or the one that most needs an explanation.
fn chosen(
    session: &mut Session,
    path: &Path,
    wanted: Option<u64>,
) -> Result<(Settings, RunRecord), Stop> {
    let reader = JournalReader::open(path)
        .map_err(|error| journal_file::unreadable(session, path, &error))?;
    let settings = reader.settings().clone();
    let mut best: Option<RunRecord> = None;
    for run in reader.runs() {
        let run = run.map_err(|error| journal_file::unreadable(session, path, &error))?;
        match wanted {
            Some(number) if run.run == number => {
                best = Some(run);
                break;
            }
            Some(_) => {}
            None if best.as_ref().is_none_or(|best| need(&run) < need(best)) => best = Some(run),
            None => {}
        }
    }
    let Some(record) = best else {
        let message = match wanted {
            Some(number) => format!("there is no run {number} in the journal"),
            None => "the journal has no runs".to_owned(),
        };
        let runs = format!("the campaign has {} runs, from 0", settings.runs());
        return Err(session.stop(Diagnostic::global("no-such-run", message).note(runs)));
    };
    Ok((settings, record))
}

/// How much a run needs an explanation; less is more. Runs of equal need go by their numbers.
fn need(run: &RunRecord) -> (u8, u64) {
    let class = match run.outcome().map(|(outcome, _)| outcome) {
        Some(Outcome::Fail) => 0,
        Some(Outcome::Error) => 1,
        Some(Outcome::Inconclusive) => 2,
        Some(Outcome::Pass) => 3,
        None => 4,
    };
    (class, run.run)
}

/// The model that is named, or the one in the journal as far as it can be read without options.
fn model(
    session: &mut Session,
    args: &ExplainArgs,
    settings: &Settings,
) -> Result<Option<Model>, Stop> {
    if let Some(name) = &args.model {
        return Ok(Some(load::named(session, name, &LoadArgs::default())?.model));
    }
    let Some(text) = &settings.model else { return Ok(None) };
    let model = load::kept(&mut Session::default(), text, &LoadArgs::default(), &[])
        .ok()
        .map(|loaded| loaded.model);
    if model.is_none() {
        let message = "the model in the journal cannot be read by itself";
        let mut warning = Diagnostic::global("no-model", message)
            .help("add `--model FILE` to see where the model was");
        warning.severity = Severity::Warning;
        session.diagnostics.push(warning);
    }
    Ok(model)
}
