//! The runs of a journal: a line for each, all events by position, coverage, and single runs with their diagrams and
//! explanations.

use std::path::Path;

use serde_json::{Value, json};
use tioga_base::{Sources, Times};
use tioga_execute::{Event, JournalReader, Outcome, RunRecord, Settings};
use tioga_model::Model;
use tioga_report::{Report, RunLine, Sequence, Specification, finding, picture, sequence};

use tioga::{
    Failure, Loaded, Recorded, explained, read_of_suite, unclosed_journal, unreadable_journal,
};

/// How many of the last steps of a run are explained.
const EXPLAINED: usize = 30;

/// A journal that was read.
#[derive(Debug)]
pub struct ReadJournal {
    settings: Settings,
    records: Vec<RunRecord>,
    /// Where the events of each run begin among all events.
    starts: Vec<usize>,
    /// What there is to say about its end, or about what could not be read.
    note: Option<String>,
}

impl ReadJournal {
    /// Reads a journal, which may still be written. What comes after damage is left out, and said.
    ///
    /// # Errors
    /// If it is no journal.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let reader = JournalReader::open(path).map_err(|error| unreadable_journal(path, &error))?;
        let settings = reader.settings().clone();
        let (mut records, mut note) = (Vec::new(), None);
        for record in reader.runs() {
            match record {
                Ok(record) => records.push(record),
                Err(error) => {
                    note = Some(unreadable_journal(path, &error).to_string());
                    break;
                }
            }
        }
        let note = note.or_else(|| {
            let open = unclosed_journal(path)?;
            Some(
                std::iter::once(&open.message)
                    .chain(&open.notes)
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(": "),
            )
        });
        let mut count = 0;
        let mut start = |record: &RunRecord| {
            let start = count;
            count += record.events.len();
            start
        };
        let starts = records.iter().map(&mut start).collect();
        Ok(Self { settings, records, starts, note })
    }

    /// How many events there are.
    fn len(&self) -> usize {
        match (self.starts.last(), self.records.last()) {
            (Some(start), Some(last)) => start + last.events.len(),
            _ => 0,
        }
    }

    /// The campaign and a line for each run.
    pub fn overview(&self) -> Value {
        let times = self.settings.times();
        let lines: Vec<Value> = self
            .records
            .iter()
            .zip(&self.starts)
            .map(|(record, start)| {
                let line = RunLine::new(&self.settings, record);
                json!([
                    line.run,
                    line.name,
                    line.verdict(),
                    line.reason,
                    line.at.map(|at| times.moment(at)),
                    line.actions,
                    start,
                ])
            })
            .collect();
        let cases: Vec<&str> =
            self.settings.suite.cases.iter().map(|one| one.name.as_str()).collect();
        let count = |wanted: Option<Outcome>| {
            let own = |one: &&RunRecord| one.outcome().map(|(outcome, _)| outcome) == wanted;
            self.records.iter().filter(own).count()
        };
        json!({
            "system": self.settings.system_name(),
            "model": self.settings.model().map(|model| model.name.clone()),
            "seed": self.settings.seed,
            "planned": self.settings.runs(),
            "online": self.settings.online.is_some(),
            "cases": cases,
            "columns": ["run", "case", "outcome", "reason", "at", "actions", "start"],
            "runs": lines,
            "events": self.len(),
            "counts": {
                "runs": self.records.len(),
                "pass": count(Some(Outcome::Pass)),
                "inconclusive": count(Some(Outcome::Inconclusive)),
                "fail": count(Some(Outcome::Fail)),
                "error": count(Some(Outcome::Error)),
                "interrupted": count(None),
            },
            "note": self.note,
        })
    }

    /// Some events of all runs, by position.
    pub fn events(&self, from: usize, count: usize) -> Value {
        let mut rows = Vec::new();
        let times = self.settings.times();
        let first = self.starts.partition_point(|start| *start <= from).saturating_sub(1);
        for (record, start) in self.records.iter().zip(&self.starts).skip(first) {
            for (index, event) in record.events.iter().enumerate() {
                let position = start + index;
                if position >= from && rows.len() < count {
                    rows.push(event_json(record.run, event, times));
                }
            }
            if rows.len() >= count {
                break;
            }
        }
        json!({ "from": from, "total": self.len(), "events": rows })
    }

    fn record(&self, run: u64) -> Result<&RunRecord, Failure> {
        let found = self.records.iter().find(|record| record.run == run);
        found.ok_or_else(|| {
            let message = format!("there is no run {run} in the journal");
            tioga_base::Diagnostic::global("no-such-run", message).into()
        })
    }

    fn model(&self) -> Result<Option<Loaded>, Failure> {
        let Some(source) = self.settings.model() else { return Ok(None) };
        let mut texts = Sources::new();
        read_of_suite(&self.settings.suite, source.clone(), &[], &mut texts).map(Some)
    }

    /// One run: its diagram, its explanation as `tioga explain --format json` prints it, and that in words.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn run(&self, run: u64) -> Result<Value, Failure> {
        let record = self.record(run)?;
        let times = self.settings.times();
        let drawn = Sequence::new(record, sequence::STEPS, times);
        let recorded = Recorded { settings: self.settings.clone(), record: record.clone() };
        let loaded = self.model()?;
        let model: Option<&Model> = loaded.as_ref().map(|loaded| &loaded.model);
        let line = RunLine::new(&self.settings, record);
        let mut result = json!({
            "run": run,
            "case": line.name,
            "outcome": line.verdict(),
            "reason": line.reason,
            "seed": line.seed,
            "svg": sequence::element(&drawn),
            "text": sequence::text(&drawn),
            "purpose": recorded.case().ok().map(|case| case.summary.purpose.clone()),
        });
        match explained(&recorded, model, EXPLAINED) {
            Ok(all) => {
                let found = all.conclusion.finding.as_ref().or_else(|| {
                    all.conclusion.model.as_ref().and_then(|model| model.finding.as_ref())
                });
                result["message"] = finding::conclusion(&all.conclusion, times).into();
                result["expected"] =
                    found.map_or_else(Vec::new, |one| finding::expectations(one, times)).into();
                result["steps"] = json!(all.steps);
                result["left_out"] = all.left_out.into();
                result["conclusion"] = json!(all.conclusion);
            }
            Err(failure) => result["message"] = failure.to_string().into(),
        }
        Ok(result)
    }

    /// The model with how often each location was entered by these runs; nothing if that is not known.
    ///
    /// # Errors
    /// If the model of the journal cannot be read.
    pub fn coverage(&self) -> Result<Value, Failure> {
        let loaded = self.model()?;
        let specification =
            loaded.as_ref().map(|one| Specification { document: &one.document, model: &one.model });
        let keep = tioga_report::Keep { sequences: 0, steps: 0 };
        let mut report = Report::keeping(&self.settings, specification, keep);
        self.records.iter().for_each(|record| {
            report.add(record);
        });
        let graphs = specification.and_then(|one| report.coverage.model(&self.settings.suite, one));
        let cases = report.cases().map(|(position, case)| {
            let coverage = &report.coverage.cases[position];
            let (places, edges) = (coverage.place_share(), coverage.edge_share());
            json!({
                "name": case.name,
                "places": [places.visited, places.all],
                "edges": [edges.visited, edges.all],
            })
        });
        Ok(json!({
            "svg": graphs.map(|graphs| picture::element(&graphs)),
            "cases": cases.collect::<Vec<_>>(),
        }))
    }

    /// The events of two runs, each as text, and the first at which they differ, if they do.
    ///
    /// # Errors
    /// If one of them is not there.
    pub fn compared(&self, run: u64, other: &Self, other_run: u64) -> Result<Value, Failure> {
        let rows = |journal: &Self, run: u64| -> Result<Vec<String>, Failure> {
            let times = journal.settings.times();
            Ok(journal.record(run)?.events.iter().map(|event| told(event, times)).collect())
        };
        let (left, right) = (rows(self, run)?, rows(other, other_run)?);
        // Runs of different seeds begin differently without being different.
        let differ =
            (1..left.len().max(right.len())).find(|index| left.get(*index) != right.get(*index));
        Ok(json!({ "left": left, "right": right, "differ": differ }))
    }
}

fn event_json(run: u64, event: &Event, times: Times) -> Value {
    let kind = match event {
        Event::Begin { .. } => "begin",
        Event::Sending { .. } | Event::Sent { .. } => "sent",
        Event::Heard { .. } => "heard",
        Event::Quiet { .. } => "quiet",
        Event::Fault { .. } => "fault",
        Event::End { outcome, .. } => match outcome {
            Outcome::Pass => "pass",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Fail => "fail",
            Outcome::Error => "error",
        },
    };
    json!([run, kind, event.at().map(|at| times.moment(at)), what(event)])
}

fn told(event: &Event, times: Times) -> String {
    let at = event.at().map_or_else(String::new, |at| format!("{}  ", times.moment(at)));
    format!("{at}{}", what(event))
}

fn what(event: &Event) -> String {
    match event {
        Event::Begin { case, seed } => format!("{case} begins, seed {seed}"),
        Event::Sending { action } => format!("{}? about to be sent", finding::called(action)),
        Event::Sent { action, .. } => format!("{}? sent", finding::called(action)),
        Event::Heard { action, .. } => format!("{}! heard", finding::called(action)),
        Event::Quiet { .. } => "nothing came".to_owned(),
        Event::Fault { fault, .. } => fault.to_string(),
        Event::End { outcome, reason, .. } => format!("{outcome}: {reason}"),
    }
}
