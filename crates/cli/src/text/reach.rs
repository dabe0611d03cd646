//! Answers to questions about reachable states, in words and as JSON.

use serde_json::{Value, json};
use tioga::words::{clocks, count, discrete_state, times};
use tioga::{Reached, peak_bytes};
use tioga_concrete::{State, Trace};
use tioga_explore::Statistics;
use tioga_games::conjunctions;
use tioga_model::Model;
use tioga_symbolic::{ReachAnswer, symbolic_run};

use crate::measure::seconds;
use crate::text::run::table;
use crate::text::state;

/// The symbolic run behind a concrete one: each discrete state with its clock valuations.
fn zones(model: &Model, answer: &ReachAnswer) -> Option<Vec<String>> {
    let ReachAnswer::Reachable(steps) = answer else { return None };
    let names = clocks::names(model);
    let run = symbolic_run(model, steps).ok()?;
    let shown = run.iter().map(|(state, set)| {
        let zones = conjunctions(set);
        let zones = zones.iter().map(|zone| &zone[..]);
        let zones = clocks::disjunction(model, &names, zones);
        format!("{}: {zones}", discrete_state(model, state))
    });
    Some(shown.collect())
}

/// An answer in words.
pub fn described(
    model: &Model,
    reached: &Reached,
    verdict: Option<bool>,
    run: Option<&(Trace, Option<State>)>,
) -> String {
    let mut text = String::from("\n");
    let word = match verdict {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => "unknown",
    };
    match &reached.question {
        Some(question) => {
            if let Some(comment) = &question.comment {
                let words: Vec<&str> = comment.split_whitespace().collect();
                text.push_str(&format!("{}\n", words.join(" ")));
            }
            text.push_str(&format!("{}: {word}\n", question.text));
        }
        None if verdict.is_some() => text.push_str("explored completely\n"),
        None => text.push_str("explored in part\n"),
    }
    if let ReachAnswer::Unknown(reason) = &reached.answer {
        text.push_str(&format!("  {reason}\n"));
    }
    if let Some((trace, end)) = run {
        let rows = table(&trace.records, times(model));
        let rows = rows.unwrap_or_else(|overflow| format!("  {overflow}\n"));
        text.push_str(&rows);
        if let Some(state) = end {
            text.push_str(&state::block(model, state, "  "));
        }
        for (index, zone) in zones(model, &reached.answer).unwrap_or_default().iter().enumerate() {
            let title = if index == 0 { "zones" } else { "" };
            text.push_str(&format!("  {title:9}  {zone}\n"));
        }
    }
    let Statistics { visited, stored, covered, transitions, .. } = reached.statistics;
    let states = count(usize::try_from(visited).unwrap_or(usize::MAX), "state");
    text.push_str(&format!(
        "  {states} visited, {stored} stored, {covered} of {transitions} steps covered, {} s\n",
        seconds(reached.elapsed),
    ));
    text
}

/// An answer as JSON.
pub fn result(
    model: &Model,
    reached: &Reached,
    verdict: Option<bool>,
    run: Option<&(Trace, Option<State>)>,
) -> Value {
    let statistics = &reached.statistics;
    let micros = u64::try_from(reached.elapsed.as_micros()).unwrap_or(u64::MAX);
    let exact: Value =
        serde_json::from_str(&format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000))
            .unwrap_or(Value::Null);
    json!({
        "comment": reached.question.as_ref().and_then(|question| question.comment.clone()),
        "query": reached.question.as_ref().map(|question| question.text.clone()),
        "holds": verdict,
        "reason": match &reached.answer { ReachAnswer::Unknown(reason) => Some(reason), _ => None },
        "abstraction": format!("{:?}", reached.abstraction),
        "trace": run.map(|(trace, _)| trace.record_values()),
        "zones": zones(model, &reached.answer),
        "end": run.and_then(|(_, end)| end.as_ref()).map(|state| state::json(model, state)),
        "stats": {
            "visited": statistics.visited,
            "stored": statistics.stored,
            "covered": statistics.covered,
            "transitions": statistics.transitions,
            "waiting": statistics.waiting,
            "seconds": exact,
            "peak_bytes": peak_bytes().unwrap_or(statistics.peak_bytes),
        },
    })
}
