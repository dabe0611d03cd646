//! `tioga mutate`: the mutants of a model, which of them can be told from it, and how.

use std::path::Path;

use serde_json::{Value, json};
use tioga_base::Diagnostic;
use tioga_model::Model;
use tioga_mutate::{Completion, Mutant, MutantOptions, Mutants, mutants};
use tioga_parse::syntax::Document;

use super::judge::{self, Judge, Status, operators};
use crate::args::MutateArgs;
use crate::exit::{Exit, Stop};
use crate::load::{self, Loaded};
use crate::measure::cancel_flag;
use crate::mutant_document;
use crate::output::Session;
use crate::progress::Progress;
use crate::run_text::{align, count};

/// A mutant with what is known about it.
struct Judged {
    mutant: Mutant,
    /// Nothing if nobody asked.
    status: Option<Status>,
    /// The file it was written to, or why it was not.
    written: Option<Result<String, String>>,
}

/// Runs the command.
pub fn run(args: &MutateArgs, session: &mut Session) -> Result<Exit, Stop> {
    let operators = operators(&args.operators, session)?;
    let Loaded { document, model } = load::model(session, &args.model)?;
    let (document, model) = match &args.out {
        // What is written is text of our own language, so the mutants are those of that text.
        Some(_) => mutant_document::own_text(session, &document, &model, &args.model)?,
        None => (document, model),
    };
    let options = MutantOptions { operators, environment: args.all };
    let Mutants { list, skipped } = mutants(&model, &options);
    let (judge, judged) = judged(args, session, &model, list);
    let mut judged: Vec<Judged> = judged
        .into_iter()
        .filter(|one| {
            !args.only_nonconforming || matches!(one.status, Some(Status::NonConforming { .. }))
        })
        .collect();
    if let Some(folder) = &args.out {
        write_all(session, (&document, &model), &judge, folder, &mut judged)?;
    }
    let value = to_json(&model, &judged, judge.completion, skipped);
    let mut text = shown(&model, &judged, skipped);
    if !args.list {
        text.push_str(judge.caution());
    }
    if let Some(folder) = &args.out {
        session.write_file(&folder.join("mutants.json"), format!("{value:#}\n").as_bytes())?;
        let written = judged.iter().filter(|one| matches!(one.written, Some(Ok(_)))).count();
        let written = count(written, "mutant");
        text.push_str(&format!("{written} written to {}\n", folder.display()));
    }
    session.print(&text)?;
    session.set_result(value);
    let unknown = judged.iter().any(|one| matches!(one.status, Some(Status::Unknown(_))));
    Ok(match (judged.is_empty(), unknown) {
        (true, _) => Exit::Negative,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Success,
    })
}

/// Compares every mutant with the model.
fn judged(
    args: &MutateArgs,
    session: &Session,
    model: &Model,
    list: Vec<Mutant>,
) -> (Judge, Vec<Judged>) {
    let options = judge::options(&args.search, cancel_flag(args.search.timeout));
    let mut judge = if args.list {
        Judge::idle(model, args.as_is)
    } else {
        Judge::new(model, args.as_is, options)
    };
    let mut progress = Progress::new(session.format);
    let mut all = Vec::new();
    let total = list.len();
    for mutant in list {
        progress.say(|| format!("{} of {total} mutants judged, now {}", all.len(), mutant.id));
        let status = (!args.list).then(|| judge.status(model, &mutant));
        all.push(Judged { mutant, status, written: None });
    }
    progress.clear();
    (judge, all)
}

/// Writes every mutant to a file of its own.
fn write_all(
    session: &mut Session,
    (document, model): (&Document, &Model),
    judge: &Judge,
    folder: &Path,
    judged: &mut [Judged],
) -> Result<(), Stop> {
    session.create_directory(folder)?;
    let mut failed = None;
    for one in judged.iter_mut() {
        let network = judge.completed(model, &one.mutant);
        let text = mutant_document::text(document, model, &one.mutant, &network);
        one.written = Some(match text {
            Ok(text) => {
                let name = format!("{}.tioga", one.mutant.id.replace(['/', '\\'], "_"));
                session.write_file(&folder.join(&name), text.as_bytes())?;
                Ok(name)
            }
            Err(reason) => {
                failed.get_or_insert_with(|| (one.mutant.id.clone(), reason.clone()));
                Err(reason)
            }
        });
    }
    if let Some((id, reason)) = failed {
        let many = judged.iter().filter(|one| matches!(one.written, Some(Err(_)))).count();
        let message = format!("{} could not be written", count(many, "mutant"));
        let diagnostic = Diagnostic::global("unwritten", message).note(format!("{id}: {reason}"));
        session
            .diagnostics
            .push(Diagnostic { severity: tioga_base::Severity::Warning, ..diagnostic });
    }
    Ok(())
}

/// The table, and how many there are of what.
fn shown(model: &Model, judged: &[Judged], skipped: usize) -> String {
    let mut text = format!("{}: {}", model.name, count(judged.len(), "mutant"));
    if skipped > 0 {
        text.push_str(&format!(", and {} left out that make no sense", count(skipped, "change")));
    }
    text.push('\n');
    if judged.is_empty() {
        return text;
    }
    let listed = judged.iter().all(|one| one.status.is_none());
    let head = if listed { ["mutant", "change", ""] } else { ["mutant", "change", "status"] };
    let mut rows = vec![head.map(str::to_owned)];
    for one in judged {
        let status = one.status.as_ref().map_or_else(String::new, ToString::to_string);
        rows.push([one.mutant.id.clone(), one.mutant.description.clone(), status]);
    }
    text.push_str(&align(&rows, &[]));
    if !listed {
        let of = |test: fn(&Status) -> bool| {
            judged.iter().filter(|one| one.status.as_ref().is_some_and(test)).count()
        };
        text.push_str(&format!(
            "{} non-conforming, {} equivalent, {} unknown\n",
            of(|status| matches!(status, Status::NonConforming { .. })),
            of(|status| matches!(status, Status::Equivalent)),
            of(|status| matches!(status, Status::Unknown(_))),
        ));
    }
    text
}

fn to_json(model: &Model, judged: &[Judged], completion: Completion, skipped: usize) -> Value {
    let one = |one: &Judged| {
        let mut value = json!({
            "id": one.mutant.id,
            "operator": one.mutant.operator.name(),
            "process": model.processes[one.mutant.process].name,
            "description": one.mutant.description,
        });
        if let Some(status) = &one.status {
            status.add_to(&mut value);
        }
        match &one.written {
            None => {}
            Some(Ok(file)) => value["file"] = json!(file),
            Some(Err(reason)) => {
                value["file"] = Value::Null;
                value["unwritten"] = json!(reason);
            }
        }
        value
    };
    json!({
        "format": "tioga-mutants",
        "version": 1,
        "model": model.name,
        "skipped": skipped,
        "completed": { "inputs": completion.inputs, "time": completion.time },
        "mutants": judged.iter().map(one).collect::<Vec<_>>(),
    })
}
