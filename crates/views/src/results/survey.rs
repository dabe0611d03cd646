//! What is reachable, in words: locations and edges that never occur, runs to where time stops and
//! to where one observation leads to different states.

use serde_json::{Value, json};
use tioga_base::{Sources, Span};
use tioga_model::Model;
use tioga_symbolic::{Survey, TimedStep, missing};

use crate::results::run::align;
use crate::results::state;
use tioga::words::{amount, count};

/// How many names are listed in a text.
const SHOWN: usize = 8;

/// The survey as a few aligned lines.
pub fn text(model: &Model, survey: &Survey, sources: &Sources) -> String {
    let states = count(usize::try_from(survey.statistics.visited).unwrap_or(usize::MAX), "state");
    let mut text = match &survey.incomplete {
        None => format!("reachability, in {states}:\n"),
        Some(reason) => format!("reachability, in {states} and no further: {reason}\n"),
    };
    let (locations, edges) = unreached(model, survey, sources);
    let complete = survey.incomplete.is_none();
    let verdict = |names: &[String], all: &str, none: &str| match (names, complete) {
        ([], _) => ["yes".to_owned(), all.to_owned()],
        (names, true) => ["no".to_owned(), format!("{none}: {}", listed(names))],
        (names, false) => ["?".to_owned(), format!("{none} so far: {}", listed(names))],
    };
    let found = |run: Option<String>| match (run, complete) {
        (Some(run), _) => ["no".to_owned(), run],
        (None, true) => ["yes".to_owned(), String::new()],
        (None, false) => ["?".to_owned(), "nothing found so far".to_owned()],
    };
    let timelock = survey.timelock.as_deref().map(|run| {
        format!("time stops and nothing happens without an input {}", reached(model, run))
    });
    let nondeterminism = survey.nondeterminism.as_ref().map(|(run, moves)| {
        let name = |step: &tioga_model::Step| {
            let one = &step.participants[0];
            let process = &model.processes[one.process];
            place(sources, process.edges[one.edge].span)
        };
        let (left, right) = (name(&moves[0]), name(&moves[1]));
        format!("one observation, two steps ({left} and {right}) {}", reached(model, run))
    });
    let rows = [
        ("locations-reached", verdict(&locations, "", "never reached")),
        ("edges-taken", verdict(&edges, "", "never taken")),
        ("no-timelock", found(timelock)),
        ("deterministic-runs", found(nondeterminism)),
    ];
    let rows: Vec<[String; 3]> =
        rows.into_iter().map(|(name, [verdict, why])| [name.to_owned(), verdict, why]).collect();
    text.push_str(&align(&rows, &[]));
    text
}

/// The survey as JSON.
pub fn json(model: &Model, survey: &Survey, sources: &Sources) -> Value {
    let (locations, edges) = unreached(model, survey, sources);
    let end = |run: &[TimedStep]| {
        tioga::trace::run_end(model, run).map(|state| state::json(model, &state))
    };
    json!({
        "complete": survey.incomplete.is_none(),
        "reason": survey.incomplete,
        "visited": survey.statistics.visited,
        "unreached_locations": locations,
        "untaken_edges": edges,
        "timelock": survey.timelock.as_deref().map(end),
        "nondeterminism": survey.nondeterminism.as_ref().map(|(run, _)| end(run)),
    })
}

/// The runs that refute something, each with the name of what it refutes.
pub fn runs(survey: &Survey) -> Vec<(String, Vec<TimedStep>)> {
    let nondeterminism = survey.nondeterminism.as_ref().map(|(run, _)| run);
    let named = [("no-timelock", survey.timelock.as_ref()), ("deterministic-runs", nondeterminism)];
    let found = named.into_iter().filter_map(|(name, run)| Some((name.to_owned(), run?.clone())));
    found.collect()
}

fn unreached(model: &Model, survey: &Survey, sources: &Sources) -> (Vec<String>, Vec<String>) {
    let (mut locations, mut edges) = (Vec::new(), Vec::new());
    for (id, process) in model.processes.iter_ids() {
        let (unreached, untaken) = missing(survey, model, id);
        for location in unreached {
            locations.push(format!("{}.{}", process.name, process.locations[location].name));
        }
        for edge in untaken {
            let edge = &process.edges[edge];
            let end = |location| &process.locations[location].name;
            let (from, to) = (end(edge.source), end(edge.target));
            let name = format!("{}: {from} -> {to} ({})", process.name, place(sources, edge.span));
            // Edges unrolled from one written edge read the same.
            if !edges.contains(&name) {
                edges.push(name);
            }
        }
    }
    (locations, edges)
}

fn listed(names: &[String]) -> String {
    let mut text = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

/// The line of a place in a text.
pub(super) fn place(sources: &Sources, span: Span) -> String {
    let line = sources.get(span.file).map_or(0, |source| source.line_column(span.range().start).0);
    format!("line {line}")
}

/// Where a run leads and how long it takes.
pub(super) fn reached(model: &Model, run: &[TimedStep]) -> String {
    let time = run.iter().try_fold(tioga_base::Rational::ZERO, |time, step| time.add(step.delay));
    let state = tioga::trace::run_end(model, run).map(|state| state::line(model, &state));
    match (time, state) {
        (Ok(time), Some(state)) => format!("after {} in {state}", amount(model, time)),
        _ => String::new(),
    }
}
