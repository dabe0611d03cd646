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
            "inputs that a mutant does not take are refused when it is compared, as the model cannot ignore any, either; \
             as a system it ignores them, and may be killed for that\n"
        }
        (false, false) => {
            "mutants are judged as they are: the model itself stops time and cannot ignore inputs\n"
        }
    }
}

/// How many rows are aligned with each other; more are printed as they come.
const TOGETHER: usize = 1000;

/// The mutants as a table, and how many there are of what. What is kept does not grow with their number.
pub struct Table {
    model: String,
    judged: bool,
    rows: Vec<[String; 3]>,
    /// Whether the table does not fit into one part, so that the first was printed before all is known.
    long: bool,
    /// How many there are, and how many of each status.
    pub count: usize,
    non_conforming: usize,
    equivalent: usize,
    pub unknown: usize,
}

impl Table {
    /// An empty one, for mutants that are judged or only listed.
    pub fn new(model: &Model, judged: bool) -> Self {
        let (model, rows) = (model.name.clone(), Vec::new());
        let (count, non_conforming, equivalent, unknown) = (0, 0, 0, 0);
        Self { model, judged, rows, long: false, count, non_conforming, equivalent, unknown }
    }

    /// Adds a mutant. Returns what is to be printed now, if anything.
    pub fn add(&mut self, one: &Listed) -> Option<String> {
        self.count += 1;
        match &one.status {
            Some(Status::NonConforming { .. }) => self.non_conforming += 1,
            Some(Status::Equivalent) => self.equivalent += 1,
            Some(Status::Unknown(_)) => self.unknown += 1,
            None => {}
        }
        let status = one.status.as_ref().map_or_else(String::new, status_text);
        self.rows.push([one.mutant.id.clone(), one.mutant.description.clone(), status]);
        if self.rows.len() < TOGETHER {
            return None;
        }
        let head = if self.long { String::new() } else { format!("{}:\n", self.model) };
        let text = head + &self.part();
        self.long = true;
        Some(text)
    }

    /// The rows that were not printed yet.
    fn part(&mut self) -> String {
        let head =
            if self.judged { ["mutant", "change", "status"] } else { ["mutant", "change", ""] };
        if !self.long {
            self.rows.insert(0, head.map(str::to_owned));
        }
        let text = align(&self.rows, &[]);
        self.rows.clear();
        text
    }

    /// The rest, given how many changes were left out.
    pub fn finish(mut self, skipped: usize) -> String {
        let mut number = format!("{}: {}", self.model, count(self.count, "mutant"));
        if skipped > 0 {
            let changes = count(skipped, "change");
            number.push_str(&format!(", and {changes} left out that make no sense"));
        }
        number.push('\n');
        if self.count == 0 {
            return number;
        }
        let mut text = if self.long { String::new() } else { number.clone() };
        if !self.rows.is_empty() {
            text.push_str(&self.part());
        }
        if self.long {
            text.push_str(&number);
        }
        if self.judged {
            text.push_str(&format!(
                "{} non-conforming, {} equivalent, {} unknown\n",
                self.non_conforming, self.equivalent, self.unknown,
            ));
        }
        text
    }
}

/// A mutant as JSON.
pub fn to_json(model: &Model, one: &Listed) -> Value {
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
}

/// The list of mutants as JSON, without the mutants.
pub fn frame(model: &Model, completion: Completion, skipped: usize) -> Value {
    json!({
        "format": "tioga-mutants",
        "version": 1,
        "model": model.name,
        "skipped": skipped,
        "completed": { "inputs": completion.inputs, "time": completion.time },
        "mutants": [],
    })
}
