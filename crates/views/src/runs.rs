//! The runs of a journal: a line for each, all events by position, coverage, and single runs with their diagrams and
//! explanations.

use std::path::Path;

use serde_json::{Value, json};
use tioga_base::{Sources, Times};
use tioga_execute::{Event, JournalReader, Outcome, RunRecord, Settings};
use tioga_model::Model;
use tioga_report::{
    Report, RunLine, Sequence, Specification, Timing, finding, picture, sequence, timing,
};

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
        let table: Vec<Value> = cases
            .iter()
            .map(|case| {
                let own = self.records.iter().filter(|one| one.case() == Some(*case));
                json!({ "name": case, "counts": counts(own) })
            })
            .collect();
        json!({
            "system": self.settings.system_name(),
            "model": self.settings.model().map(|model| model.name.clone()),
            "seed": self.settings.seed,
            "planned": self.settings.runs(),
            "online": self.settings.online.is_some(),
            "cases": cases,
            "table": table,
            "columns": ["run", "case", "outcome", "reason", "at", "actions", "start"],
            "runs": lines,
            "events": self.len(),
            "shrinks": self.settings.system.is_model(),
            "counts": counts(self.records.iter()),
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

    /// A run with everything that is needed to make it again.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn recorded(&self, run: u64) -> Result<Recorded, Failure> {
        Ok(Recorded { settings: self.settings.clone(), record: self.record(run)?.clone() })
    }

    /// One run: its diagrams, its explanation as `tioga explain --format json` prints it, and that in words.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn run(&self, run: u64) -> Result<Value, Failure> {
        self.shown(self.record(run)?)
    }

    /// A run of this campaign, which need not be in the journal.
    ///
    /// # Errors
    /// If the model of the journal cannot be read.
    pub fn shown(&self, record: &RunRecord) -> Result<Value, Failure> {
        let times = self.settings.times();
        let drawn = Sequence::new(record, sequence::STEPS, times);
        let recorded = Recorded { settings: self.settings.clone(), record: record.clone() };
        let loaded = self.model()?;
        let model: Option<&Model> = loaded.as_ref().map(|loaded| &loaded.model);
        let line = RunLine::new(&self.settings, record);
        let mut result = json!({
            "run": record.run,
            "case": line.name,
            "outcome": line.verdict(),
            "reason": line.reason,
            "seed": line.seed,
            "svg": sequence::element(&drawn),
            "timing": timing::element(&self.timing(loaded.as_ref(), record)),
            "text": sequence::text(&drawn),
            "purpose": recorded.case().ok().map(|case| case.summary.goal.to_string()),
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

    fn timing(&self, loaded: Option<&Loaded>, record: &RunRecord) -> Timing {
        let specification =
            loaded.map(|one| Specification { document: &one.document, model: &one.model });
        Timing::new(&self.settings, specification, record, timing::STEPS)
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
        let covered = report.coverage.of_model.as_ref();
        let shares = covered.map(|covered| {
            let all = [
                ("locations", covered.location_share()),
                ("edges", covered.edge_share()),
                ("window ends", covered.window_share()),
                ("data ends", covered.data_share()),
            ];
            let share = |(what, share): (&str, tioga_report::Share)| {
                (share.all > 0).then(|| json!([what, share.visited, share.all]))
            };
            all.into_iter().filter_map(share).collect::<Vec<_>>()
        });
        Ok(json!({
            "shares": shares,
            "missing": covered.map(|covered| covered.missing()),
            "svg": graphs.map(|graphs| picture::element(&graphs)),
            "cases": cases.collect::<Vec<_>>(),
        }))
    }

    /// Two runs: the events of each as text, the first at which they differ, if they do, and their timing diagrams.
    ///
    /// # Errors
    /// If one of them is not there.
    pub fn compared(&self, run: u64, other: &Self, other_run: u64) -> Result<Value, Failure> {
        let seen = |journal: &Self, run: u64| -> Result<(Vec<String>, String), Failure> {
            let (times, record) = (journal.settings.times(), journal.record(run)?);
            let rows = record.events.iter().map(|event| told(event, times)).collect();
            let drawn = journal.timing(journal.model()?.as_ref(), record);
            Ok((rows, timing::element(&drawn)))
        };
        let ((left, left_timing), (right, right_timing)) =
            (seen(self, run)?, seen(other, other_run)?);
        // Runs of different seeds begin differently without being different.
        let differ =
            (1..left.len().max(right.len())).find(|index| left.get(*index) != right.get(*index));
        Ok(json!({
            "left": left,
            "right": right,
            "differ": differ,
            "timings": [left_timing, right_timing],
        }))
    }
}

/// How many runs there are, and how they ended.
fn counts<'r>(records: impl Iterator<Item = &'r RunRecord>) -> Value {
    let (mut runs, mut ended) = (0, [0; 5]);
    for record in records {
        runs += 1;
        ended[match record.outcome() {
            Some((Outcome::Pass, _)) => 0,
            Some((Outcome::Inconclusive, _)) => 1,
            Some((Outcome::Fail, _)) => 2,
            Some((Outcome::Error, _)) => 3,
            None => 4,
        }] += 1;
    }
    let [pass, inconclusive, fail, error, interrupted] = ended;
    json!({
        "runs": runs,
        "pass": pass,
        "inconclusive": inconclusive,
        "fail": fail,
        "error": error,
        "interrupted": interrupted,
    })
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
