//! Answers to questions about reachable states and runs, in words and as JSON.

use serde_json::{Value, json};
use tioga::words::{clocks, count, discrete_state, times};
use tioga::{ReachQuestion, Reached, peak_bytes};
use tioga_base::Rational;
use tioga_concrete::{State, Trace};
use tioga_explore::Statistics;
use tioga_games::conjunctions;
use tioga_model::Model;
use tioga_symbolic::{Goes, MaximalRun, ReachAnswer, symbolic_run};

use super::run::table;
use super::{extent, seconds, state};

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

/// How a maximal run goes on at its end.
fn onwards(model: &Model, reached: &Reached) -> Option<String> {
    let MaximalRun { stem, turn, goes } = reached.maximal.as_ref()?;
    let since = stem.iter().try_fold(Rational::ZERO, |sum, one| sum.add(one.delay));
    let since = since.map_or_else(|overflow| overflow.to_string(), |sum| times(model).exact(sum));
    let repeated = match turn.is_empty() {
        true => "from there it goes on for ever; what is repeated was not found".to_owned(),
        false => format!("from {since} on this is repeated for ever, with suitable delays"),
    };
    Some(match goes {
        Goes::Diverges => format!("{repeated}; time diverges"),
        Goes::Zeno => {
            format!("{repeated}, in bounded time (Zeno); on no such run does time diverge")
        }
        Goes::Waits => "from there time passes for ever".to_owned(),
        Goes::Ends => "there neither a step nor a delay is possible".to_owned(),
        Goes::Approaches => "from there time passes towards a bound it never reaches".to_owned(),
    })
}

fn goes_word(goes: Goes) -> &'static str {
    match goes {
        Goes::Diverges => "diverges",
        Goes::Waits => "waits",
        Goes::Zeno => "zeno",
        Goes::Ends => "ends",
        Goes::Approaches => "approaches",
    }
}

/// An answer in words.
pub fn described(
    model: &Model,
    reached: &Reached,
    verdict: Option<bool>,
    run: Option<&(Trace, Option<State>)>,
) -> String {
    let mut text = String::from("\n");
    let supported = reached.question.as_ref().is_none_or(ReachQuestion::is_supported);
    let word = match verdict {
        Some(true) if reached.values.is_some() => "measured",
        Some(true) => "holds",
        Some(false) => "does not hold",
        None if !supported => "not supported",
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
    for line in extent::lines(model, reached) {
        text.push_str(&format!("  {line}\n"));
    }
    if let Some((trace, end)) = run {
        let rows = table(&trace.records, times(model));
        let rows = rows.unwrap_or_else(|overflow| format!("  {overflow}\n"));
        text.push_str(&rows);
        text.push_str(
            &onwards(model, reached).map_or_else(String::new, |how| format!("  {how}\n")),
        );
        if let Some(state) = end {
            text.push_str(&state::block(model, state, "  "));
        }
        for (index, zone) in zones(model, &reached.answer).unwrap_or_default().iter().enumerate() {
            let title = if index == 0 { "zones" } else { "" };
            text.push_str(&format!("  {title:9}  {zone}\n"));
        }
    }
    if !supported {
        return text;
    }
    let Statistics { visited, stored, covered, transitions, .. } = reached.statistics;
    let states = count(usize::try_from(visited).unwrap_or(usize::MAX), "state");
    let classes = reached.classes.map(|classes| format!(", data in {}", count(classes, "class")));
    let symmetry = if reached.reduced { ", up to symmetry" } else { "" };
    let without = match &reached.left_out[..] {
        [] => String::new(),
        processes => format!(", without {}", processes.join(", ")),
    };
    text.push_str(&format!(
        "  {states} visited, {stored} stored, {covered} of {transitions} steps covered{}{symmetry}{without}, {} s\n",
        classes.unwrap_or_default(),
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
        "symmetry": reached.reduced,
        "left_out": reached.left_out,
        "abstraction": format!("{:?}", reached.abstraction),
        "values": extent::json(model, reached),
        "trace": run.map(|(trace, _)| trace.record_values()),
        "turn": reached.maximal.as_ref().map(|run| tioga::trace::trace(model, &run.turn).record_values()),
        "goes": reached.maximal.as_ref().map(|run| goes_word(run.goes)),
        "zones": zones(model, &reached.answer),
        "end": run.and_then(|(_, end)| end.as_ref()).map(|state| state::json(model, state)),
        "stats": {
            "visited": statistics.visited,
            "stored": statistics.stored,
            "covered": statistics.covered,
            "transitions": statistics.transitions,
            "classes": reached.classes,
            "waiting": statistics.waiting,
            "seconds": exact,
            "peak_bytes": peak_bytes().unwrap_or(statistics.peak_bytes),
        },
    })
}
