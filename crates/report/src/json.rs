//! Results as one JSON object, complete and versioned; `docs/reports.md` describes it.
//!
//! It is written while the runs go by: first what is known at the beginning, then each run with all
//! its events, and at last counts and coverage.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::json;
use tioga_base::Moment;
use tioga_execute::{Event, NeverSent, RunRecord, Settings};
use tioga_testcase::{Action, Shape, Side, Summary};

use crate::{Counts, Report, RunLine};

/// The version of the form.
const RESULTS_VERSION: u32 = 1;

/// Writes JSON while the runs go by.
#[derive(Debug)]
pub struct Json<W> {
    writer: W,
    first: bool,
}

#[derive(Serialize)]
struct Run<'r> {
    run: u64,
    case: &'r str,
    repetition: u64,
    seed: Option<u64>,
    outcome: String,
    reason: &'r str,
    at: Option<String>,
    lateness: String,
    repeated: u64,
    actions: u64,
    explanation: Option<&'r str>,
    expected: &'r [String],
    events: &'r [Event],
}

#[derive(Serialize)]
struct Case<'r> {
    name: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<Shape>,
    summary: &'r Summary,
    counts: serde_json::Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    never_sent: Vec<NeverSent>,
    places: Vec<Place<'r>>,
}

#[derive(Serialize)]
struct Place<'r> {
    name: &'r str,
    entered: u64,
    edges: Vec<Edge<'r>>,
}

#[derive(Serialize)]
struct Edge<'r> {
    by: Side,
    action: &'r Action,
    target: u32,
    taken: u64,
}

impl<W: Write> Json<W> {
    /// Begins.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut writer: W, settings: &Settings) -> io::Result<Self> {
        // The settings, with the names of models only; the test cases follow with their results.
        let mut campaign = serde_json::to_value(settings).map_err(io::Error::other)?;
        if let Some(fields) = campaign.as_object_mut() {
            fields.remove("suite");
            fields.insert("system".to_owned(), settings.system_name().into());
            if let Some(model) = settings.model() {
                fields.insert("model".to_owned(), model.name.clone().into());
            }
        }
        write!(writer, "{{\"format\":\"tioga-results\",\"version\":{RESULTS_VERSION},")?;
        write!(writer, "\n\"campaign\":{campaign},\n\"runs\":[")?;
        Ok(Self { writer, first: true })
    }

    /// Writes a run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, line: &RunLine, record: &RunRecord) -> io::Result<()> {
        let comma = if std::mem::replace(&mut self.first, false) { "" } else { "," };
        let reason = record.outcome().map_or("the run was interrupted", |(_, reason)| reason);
        let run = Run {
            run: line.run,
            case: record.case().unwrap_or_default(),
            repetition: line.repetition,
            seed: line.seed,
            outcome: line.verdict(),
            reason,
            at: line.at.as_ref().map(Moment::to_string),
            lateness: line.lateness.to_string(),
            repeated: line.repeated,
            actions: line.actions,
            explanation: line.explanation.as_deref(),
            expected: &line.expected,
            events: &record.events,
        };
        write!(self.writer, "{comma}\n{}", text(&run)?)
    }

    /// Writes counts and coverage, and gives back the writer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, report: &Report<'_>) -> io::Result<W> {
        write!(self.writer, "],\n\"cases\":[")?;
        for (position, case) in report.cases() {
            let coverage = &report.coverage.cases[position];
            let places = case.places.iter().zip(coverage.places.iter().zip(&coverage.edges));
            let places = places.map(|(place, (entered, taken))| {
                let edges = place.edges.iter().zip(taken).map(|(edge, taken)| Edge {
                    by: edge.by,
                    action: &edge.action,
                    target: edge.target,
                    taken: *taken,
                });
                Place { name: &place.name, entered: *entered, edges: edges.collect() }
            });
            let online = report.settings.is_online(case);
            let case = Case {
                name: &case.name,
                shape: (!online).then_some(case.shape),
                summary: &case.summary,
                counts: counts(&report.counts[position]),
                never_sent: report.never_sent(position),
                places: places.filter(|_| !online).collect(),
            };
            let comma = if position == 0 { "" } else { "," };
            write!(self.writer, "{comma}\n{}", text(&case)?)?;
        }
        writeln!(self.writer, "],")?;
        if let Some(model) = &report.coverage.of_model {
            writeln!(self.writer, "\"model\":{},", text(model)?)?;
        }
        writeln!(self.writer, "\"totals\":{}}}", counts(&report.totals()))?;
        Ok(self.writer)
    }
}

fn text(value: &impl Serialize) -> io::Result<String> {
    serde_json::to_string(value).map_err(io::Error::other)
}

fn counts(counts: &Counts) -> serde_json::Value {
    json!({
        "runs": counts.runs(),
        "pass": counts.pass,
        "inconclusive": counts.inconclusive,
        "fail": counts.fail,
        "error": counts.error,
        "interrupted": counts.interrupted,
        "repeated": counts.repeated,
        "repetitions": counts.repetitions,
    })
}
