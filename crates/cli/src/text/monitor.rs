//! What a log means, in words and as JSON.

use serde_json::{Value, json};
use tioga::monitor::{Decided, Monitored};
use tioga::words::{count, times};
use tioga_base::Times;
use tioga_execute::{Deviation, Finding, Logged};
use tioga_model::Model;
use tioga_report::finding::{called, latencies, sentence, states, windows};
use tioga_testcase::Side;

/// What a log means, for people.
pub fn text(model: &Model, monitored: &Monitored) -> String {
    let times = times(model);
    let mut text = match &monitored.decided {
        Some(decided) => decided_text(monitored, decided, times),
        None => conforms_text(monitored, times),
    };
    if let Some(bounds) = &monitored.latencies {
        let so_far = if monitored.decided.is_some() { " so far" } else { "" };
        let bounds = latencies(bounds, times);
        text.push_str(&format!("latencies that explain it{so_far}: {bounds}\n"));
    }
    if let Some(rounding) = monitored.rounding {
        let rounding = times.exact(rounding);
        text.push_str(&format!("not exact: times were rounded by less than {rounding}\n"));
    }
    text
}

fn decided_text(monitored: &Monitored, decided: &Decided, times: Times) -> String {
    let (verdict, line) = (verdict(monitored), decided.line);
    let mut text = format!("{verdict} at line {line}: {}\n", sentence(&decided.finding, times));
    if monitored.line == 0 {
        text.push_str("before it, the model was at its start:\n");
    } else {
        let covered = times.moment(monitored.last);
        let observations = count(monitored.observations, "observation");
        text.push_str(&format!("before it, {observations} up to {covered} left the model in:\n"));
    }
    text.push_str(&states(&monitored.states, "  "));
    if let Finding::Output { action, expected, deviation, .. } = &decided.finding
        && *deviation != Deviation::Never
        && expected.iter().any(|window| window.action.channel != action.channel)
    {
        text.push_str(&format!("expected then: {}\n", windows(expected, times)));
    }
    text
}

fn conforms_text(monitored: &Monitored, times: Times) -> String {
    let observations = count(monitored.observations, "observation");
    let last = monitored.last;
    let covered = match last.is_exact() {
        true => times.amount(last.latest()),
        false => times.moment(last),
    };
    let mut text = format!("conforms: {observations} in {covered}\n");
    text.push_str(match monitored.states.len() {
        1 => "the state that explains it:\n",
        _ => "the states that explain it:\n",
    });
    text.push_str(&states(&monitored.states, "  "));
    text
}

/// What a log means, in one word.
fn verdict(monitored: &Monitored) -> &'static str {
    match &monitored.decided {
        None => "conforms",
        Some(decided) if decided.is_inconclusive() => "inconclusive",
        Some(_) => "violation",
    }
}

/// What a log means, as JSON.
pub fn json(model: &Model, monitored: &Monitored) -> Value {
    let mut result = json!({
        "verdict": verdict(monitored),
        "observations": monitored.observations,
        "until": monitored.last.to_string(),
        "states": monitored.states,
        "latencies": monitored.latencies,
        "exact": monitored.rounding.is_none(),
        "rounding": monitored.rounding.map(|rounding| rounding.to_string()),
    });
    if let Some(decided) = &monitored.decided {
        result["line"] = decided.line.into();
        result["seen"] = seen(&decided.logged, times(model)).into();
        result["finding"] = json!(decided.finding);
        result["message"] = sentence(&decided.finding, times(model)).into();
    }
    result
}

/// A line in other words: `touch? at 1.5`.
pub fn seen(logged: &Logged, times: Times) -> String {
    match logged {
        Logged::Action { at, by, action } => {
            let mark = if *by == Side::Tester { '?' } else { '!' };
            format!("{}{mark} at {}", called(action), times.moment(*at))
        }
        Logged::End { at } => format!("nothing up to {}", times.moment(*at)),
    }
}
