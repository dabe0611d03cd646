//! Mutants with what is known about them, in words and as JSON.

use serde_json::{Value, json};
use tioga::words::{action, count, number};
use tioga::{Judge, Status};
use tioga_concrete::{Record, StepRecord, Trace};
use tioga_model::Model;
use tioga_mutate::{Completion, Mutant};

use crate::text::run::align;

/// A mutant with what is known about it.
pub struct Listed {
    /// The mutant.
    pub mutant: Mutant,
    /// Nothing if it was not asked for.
    pub status: Option<Status>,
    /// The file it was written to, or why it was not.
    pub written: Option<Result<String, String>>,
}

/// Adds what is known to the JSON object of a mutant.
pub fn add_status(status: &Status, value: &mut Value) {
    match status {
        Status::Equivalent => value["status"] = json!("equivalent"),
        Status::NonConforming { run, kind } => {
            value["status"] = json!("non-conforming");
            value["violation"] = json!({ "kind": kind, "trace": run.record_values() });
        }
        Status::Unknown(reason) => {
            value["status"] = json!("unknown");
            value["reason"] = json!(reason);
        }
    }
}

/// What is known in words.
pub fn status_text(status: &Status) -> String {
    match status {
        Status::Equivalent => "equivalent".to_owned(),
        Status::NonConforming { run, .. } => format!("non-conforming: {}", in_line(run)),
        Status::Unknown(reason) => format!("unknown: {reason}"),
    }
}

/// A run in one line: delays and actions, such as `+20 touch? bright!`.
fn in_line(run: &Trace) -> String {
    let record = |record: &Record| match record {
        Record::Delay(delay) => format!("+{}", number(*delay)),
        Record::Step(StepRecord { event, .. }) => action(event),
    };
    run.records.iter().map(record).collect::<Vec<_>>().join(" ")
}

/// What is said about a completion that is not the full one.
pub fn caution(judge: &Judge) -> &'static str {
    match (judge.completion.inputs, judge.completion.time) {
        _ if judge.as_is => "",
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

/// The table, and how many there are of what.
pub fn shown(model: &Model, judged: &[Listed], skipped: usize) -> String {
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
        let status = one.status.as_ref().map_or_else(String::new, status_text);
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

/// The mutants as JSON.
pub fn to_json(model: &Model, judged: &[Listed], completion: Completion, skipped: usize) -> Value {
    let one = |one: &Listed| {
        let mut value = json!({
            "id": one.mutant.id,
            "operator": one.mutant.operator.name(),
            "process": model.processes[one.mutant.process].name,
            "description": one.mutant.description,
        });
        if let Some(status) = &one.status {
            add_status(status, &mut value);
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
