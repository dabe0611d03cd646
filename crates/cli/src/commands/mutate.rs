//! `tioga mutate`: the mutants of a model, which of them can be told from it, and how.

use std::path::Path;

use serde_json::{Value, json};
use tioga_base::{Diagnostic, closest};
use tioga_concrete::{MoveRecord, Record, Trace};
use tioga_conform::{Answer, Observed, Relation, decide, mismatches};
use tioga_explore::{Limits, SearchOptions};
use tioga_model::{Model, Network};
use tioga_mutate::{Completion, Mutant, Mutants, Operator, Options, complete, mutants};
use tioga_parse::syntax::Document;

use super::conform::exact_view;
use crate::args::MutateArgs;
use crate::exit::{Exit, Stop};
use crate::load::{self, Loaded};
use crate::measure::{cancel_flag, threads};
use crate::mutant_document;
use crate::output::Session;
use crate::progress::Progress;
use crate::run_text::{action, align, count, number, records, trace};

/// How many states the comparison with a mutant may visit.
const MOST_STATES: u64 = 10_000;

/// What is known about a mutant.
enum Status {
    /// It behaves as the model allows.
    Equivalent,
    /// This run shows that it does not.
    NonConforming { run: Trace, kind: &'static str },
    /// It was not decided, for this reason.
    Unknown(String),
    /// Nobody asked.
    Listed,
}

/// A mutant with what is known about it.
struct Judged {
    mutant: Mutant,
    status: Status,
    /// The file it was written to, or why it was not.
    written: Option<Result<String, String>>,
}

/// Runs the command.
pub fn run(args: &MutateArgs, session: &mut Session) -> Result<Exit, Stop> {
    let operators = operators(args, session)?;
    let Loaded { document, model } = load::model(session, &args.model)?;
    let (document, model) = match &args.out {
        // What is written is text of our own language, so the mutants are those of that text.
        Some(_) => mutant_document::own_text(session, &document, &model, &args.model)?,
        None => (document, model),
    };
    let options = Options { operators, environment: args.all };
    let Mutants { list, skipped } = mutants(&model, &options);
    let (completion, judged) = judged(args, session, &model, list);
    let mut judged: Vec<Judged> = judged
        .into_iter()
        .filter(|one| {
            !args.only_nonconforming || matches!(one.status, Status::NonConforming { .. })
        })
        .collect();
    if let Some(folder) = &args.out {
        write_all(session, (&document, &model), completion, folder, &mut judged)?;
    }
    let value = to_json(&model, &judged, completion, skipped);
    let mut text = shown(&model, &judged, skipped);
    if !args.as_is && !args.list {
        text.push_str(caution(completion));
    }
    if let Some(folder) = &args.out {
        session.write_file(&folder.join("mutants.json"), format!("{value:#}\n").as_bytes())?;
        let written = judged.iter().filter(|one| matches!(one.written, Some(Ok(_)))).count();
        let written = count(written, "mutant");
        text.push_str(&format!("{written} written to {}\n", folder.display()));
    }
    session.print(&text)?;
    session.set_result(value);
    let unknown = judged.iter().any(|one| matches!(one.status, Status::Unknown(_)));
    Ok(match (judged.is_empty(), unknown) {
        (true, _) => Exit::Negative,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Success,
    })
}

/// The operators the options ask for.
fn operators(args: &MutateArgs, session: &mut Session) -> Result<Vec<Operator>, Stop> {
    if args.operators.is_empty() {
        return Ok(Operator::ALL.to_vec());
    }
    let mut all = Vec::new();
    for word in &args.operators {
        let found = Operator::named(word.trim());
        if found.is_empty() {
            let message = format!("there is no operator `{word}`");
            let mut diagnostic = Diagnostic::global("unknown-operator", message)
                .note("`tioga mutate --help` lists the operators");
            if let Some(near) = closest(word, Operator::ALL.map(Operator::name)) {
                diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
            }
            return Err(session.stop(diagnostic));
        }
        all.extend(found);
    }
    Ok(all)
}

/// The mutant as it is judged and written.
fn completed(model: &Model, mutant: &Mutant, completion: Completion) -> Network {
    let mut network = mutant.network(model);
    complete(&mut network, completion);
    network
}

/// Which completion leaves the model as it is, so that only the change of a mutant is judged:
/// the first with which `condemned` does not find the model guilty itself.
fn completion(
    args: &MutateArgs,
    model: &Model,
    mut condemned: impl FnMut(Network) -> bool,
) -> Completion {
    let [.., none] = Completion::ALL;
    if args.as_is {
        return none;
    }
    let fits = |completion: &Completion| {
        let mut network: Network = (**model).clone();
        complete(&mut network, *completion);
        *completion == none || !condemned(network)
    };
    Completion::ALL.into_iter().find(fits).unwrap_or(none)
}

/// What is said about a completion that is not the full one.
fn caution(completion: Completion) -> &'static str {
    match (completion.inputs, completion.time) {
        (true, true) => "",
        (true, false) => "the model itself stops time, so mutants may do so, too\n",
        (false, true) => {
            "inputs that a mutant does not take are refused: the model cannot ignore any, either\n"
        }
        (false, false) => {
            "mutants are judged as they are: the model itself stops time and cannot ignore inputs\n"
        }
    }
}

/// Compares every mutant with the model.
fn judged(
    args: &MutateArgs,
    session: &Session,
    model: &Model,
    list: Vec<Mutant>,
) -> (Completion, Vec<Judged>) {
    let judge = |mutant, status| Judged { mutant, status, written: None };
    let incomparable = incomparable(model);
    if args.list || incomparable.is_some() {
        // Where nothing is compared, the model must not have to be completed at all in time.
        let locations = |network: &Network| -> usize {
            network.processes.iter().map(|process| process.locations.len()).sum()
        };
        let before = locations(model);
        let completion = completion(args, model, |network| locations(&network) != before);
        let status = || match &incomparable {
            Some(reason) if !args.list => Status::Unknown(reason.clone()),
            _ => Status::Listed,
        };
        return (completion, list.into_iter().map(|mutant| judge(mutant, status())).collect());
    }
    let options = SearchOptions {
        threads: threads(args.search.threads),
        limits: Limits {
            visited: Some(args.search.max_states.unwrap_or(MOST_STATES)),
            bytes: args.search.max_memory.map(|mib| mib << 20),
            cancel: cancel_flag(args.search.timeout),
        },
        ..SearchOptions::default()
    };
    let mut progress = Progress::new(session.format);
    // A deterministic view of the model is looked for once, and only if it is needed.
    let mut view: Option<Option<Model>> = None;
    let completion = completion(args, model, |network| {
        let changed = network.validate();
        changed.is_ok_and(|changed| {
            matches!(status(&changed, model, &mut view, &options), Status::NonConforming { .. })
        })
    });
    let mut all = Vec::new();
    let total = list.len();
    for mutant in list {
        progress.say(|| format!("{} of {total} mutants judged, now {}", all.len(), mutant.id));
        let status = match completed(model, &mutant, completion).validate() {
            Ok(changed) => status(&changed, model, &mut view, &options),
            Err(_) => Status::Unknown("the completed mutant is no valid model".to_owned()),
        };
        all.push(judge(mutant, status));
    }
    progress.clear();
    (completion, all)
}

/// Why no mutant of a model can be compared with it.
fn incomparable(model: &Model) -> Option<String> {
    let diagnostics = mismatches(model, model);
    let first = diagnostics.iter().next()?;
    Some(first.message.replace("the implementation", "the model"))
}

fn status(
    changed: &Model,
    model: &Model,
    view: &mut Option<Option<Model>>,
    options: &SearchOptions,
) -> Status {
    let decided = |specification: &Model| {
        decide(changed, specification, Relation::Conforms, options, &mut |_| {})
    };
    let mut answer = match decided(model) {
        Ok(decided) => decided.answer,
        Err(diagnostics) => {
            let reason = diagnostics.iter().next().map(|first| first.message.clone());
            return Status::Unknown(reason.unwrap_or_default());
        }
    };
    if let Answer::Unknown(_) = answer
        && !options.limits.cancel.is_cancelled()
        && let Some(view) = view.get_or_insert_with(|| exact_view(model, options))
        && let Ok(again) = decided(view)
    {
        answer = again.answer;
    }
    match answer {
        Answer::Holds => Status::Equivalent,
        Answer::Unknown(reason) => Status::Unknown(reason),
        Answer::Violated(violation) => Status::NonConforming {
            run: trace(changed, &violation.run),
            kind: match violation.observed {
                Observed::Output(_) => "output",
                Observed::Delay => "delay",
                Observed::Refusal(_) => "refusal",
            },
        },
    }
}

/// Writes every mutant to a file of its own.
fn write_all(
    session: &mut Session,
    (document, model): (&Document, &Model),
    completion: Completion,
    folder: &Path,
    judged: &mut [Judged],
) -> Result<(), Stop> {
    session.create_directory(folder)?;
    let mut failed = None;
    for one in judged.iter_mut() {
        let network = completed(model, &one.mutant, completion);
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
    let listed = judged.iter().all(|one| matches!(one.status, Status::Listed));
    let head = if listed { ["mutant", "change", ""] } else { ["mutant", "change", "status"] };
    let mut rows = vec![head.map(str::to_owned)];
    for one in judged {
        let status = match &one.status {
            Status::Equivalent => "equivalent".to_owned(),
            Status::NonConforming { run, .. } => format!("non-conforming: {}", in_line(run)),
            Status::Unknown(reason) => format!("unknown: {reason}"),
            Status::Listed => String::new(),
        };
        rows.push([one.mutant.id.clone(), one.mutant.description.clone(), status]);
    }
    text.push_str(&align(&rows, &[]));
    if !listed {
        let of = |test: fn(&Status) -> bool| judged.iter().filter(|one| test(&one.status)).count();
        text.push_str(&format!(
            "{} non-conforming, {} equivalent, {} unknown\n",
            of(|status| matches!(status, Status::NonConforming { .. })),
            of(|status| matches!(status, Status::Equivalent)),
            of(|status| matches!(status, Status::Unknown(_))),
        ));
    }
    text
}

/// A run in one line: delays and actions, such as `+20 touch? bright!`.
fn in_line(run: &Trace) -> String {
    let record = |record: &Record| match record {
        Record::Delay(delay) => format!("+{}", number(*delay)),
        Record::Move(MoveRecord { event, .. }) => action(event),
    };
    run.records.iter().map(record).collect::<Vec<_>>().join(" ")
}

fn to_json(model: &Model, judged: &[Judged], completion: Completion, skipped: usize) -> Value {
    let one = |one: &Judged| {
        let mut value = json!({
            "id": one.mutant.id,
            "operator": one.mutant.operator.name(),
            "process": model.processes[one.mutant.process].name,
            "description": one.mutant.description,
        });
        match &one.status {
            Status::Listed => {}
            Status::Equivalent => value["status"] = json!("equivalent"),
            Status::NonConforming { run, kind } => {
                value["status"] = json!("non-conforming");
                value["violation"] = json!({ "kind": kind, "trace": records(run) });
            }
            Status::Unknown(reason) => {
                value["status"] = json!("unknown");
                value["reason"] = json!(reason);
            }
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
