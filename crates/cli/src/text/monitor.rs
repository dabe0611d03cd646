//! What a log means, in words and as JSON.

use serde_json::{Value, json};
use tioga::monitor::{Decided, Monitored, MonitoredLog};
use tioga::words::{count, times};
use tioga_base::{Times, one_line};
use tioga_model::Model;
use tioga_observe::{Deviation, Finding, Logged};
use tioga_report::finding::{called, latencies, sentence, states, windows};
use tioga_testcase::Side;

/// What a log means, for people.
pub fn text(model: &Model, log: &MonitoredLog) -> String {
    let times = times(model);
    let mut text = String::new();
    for (index, monitored) in log.sessions.iter().enumerate() {
        if let Some(session) = &monitored.session {
            let line = if index == 0 { "" } else { "\n" };
            text.push_str(&format!("{line}session {}\n", one_line(session)));
        }
        text.push_str(&session_text(monitored, times));
    }
    if log.sessions.is_empty() {
        text.push_str("the log has no observations\n");
    }
    if log.sessions.iter().any(|one| one.session.is_some()) {
        text.push_str(&format!("\n{}\n", summary(log)));
    }
    if log.unknown > 0 {
        let unknown = count(log.unknown, "action");
        text.push_str(&format!("passed over {unknown} that the model does not have\n"));
    }
    text
}

/// How many sessions mean what.
fn summary(log: &MonitoredLog) -> String {
    let of =
        |verdict: &str| log.sessions.iter().filter(|one| self::verdict(one) == verdict).count();
    let sessions = count(log.sessions.len(), "session");
    let (conform, violate) = (of("conforms"), of("violation"));
    format!("{sessions}: {conform} conform, {violate} do not, {} inconclusive", of("inconclusive"))
}

fn session_text(monitored: &Monitored, times: Times) -> String {
    let mut text = match &monitored.findings[..] {
        [] => conforms_text(monitored, times),
        [one] if monitored.skipped == 0 && !monitored.is_later() => {
            decided_text(monitored, one, times)
        }
        several => several_text(monitored, several, times),
    };
    if let Some(bounds) = &monitored.latencies {
        let so_far = if monitored.findings.is_empty() { "" } else { " so far" };
        let bounds = latencies(bounds, times);
        text.push_str(&format!("latencies that explain it{so_far}: {bounds}\n"));
    }
    if let Some(rounding) = monitored.rounding {
        let rounding = times.exact(rounding);
        text.push_str(&format!("not exact: times were rounded by less than {rounding}\n"));
    }
    text
}

/// Findings after which monitoring went on.
fn several_text(monitored: &Monitored, findings: &[Decided], times: Times) -> String {
    let mut text = String::new();
    for one in findings {
        text.push_str(&format!("{} at line {}: ", one.verdict(), one.line));
        text.push_str(&format!("{}\n", said(one, times)));
    }
    let conform = count(monitored.observations, "observation");
    text.push_str(&format!("{}, {conform} that conform", count(findings.len(), "finding")));
    if monitored.skipped > 0 {
        text.push_str(&format!(", {} not judged", monitored.skipped));
    }
    text.push('\n');
    if monitored.stopped {
        text.push_str("the rest was not judged: the model has too many discrete states to go on\n");
    }
    text
}

/// What is wrong with an observation, in one sentence. Values that the model can never have come first.
fn said(decided: &Decided, times: Times) -> String {
    let (Some(misfit), Logged::Action { at, action, .. }) = (&decided.misfit, &decided.logged)
    else {
        return sentence(&decided.finding, times);
    };
    let came = format!("`{}` at {}", called(action), times.moment(*at));
    let rest = match &decided.finding {
        Finding::Unspecified { .. } => "; from here on anything conforms".to_owned(),
        Finding::Output { expected, .. } if !expected.is_empty() => {
            format!("; expected: {}", windows(expected, times))
        }
        _ => String::new(),
    };
    format!("{came} is no message of the model: {misfit}{rest}")
}

fn decided_text(monitored: &Monitored, decided: &Decided, times: Times) -> String {
    let (verdict, line) = (decided.verdict(), decided.line);
    let mut text = format!("{verdict} at line {line}: {}\n", said(decided, times));
    if monitored.line == 0 {
        text.push_str("before it, the model was at its start:\n");
    } else {
        let covered = times.moment(monitored.last);
        let observations = count(monitored.observations, "observation");
        text.push_str(&format!("before it, {observations} up to {covered} left the model in:\n"));
    }
    text.push_str(&states(&monitored.states, times, "  "));
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
    text.push_str(&states(&monitored.states, times, "  "));
    text
}

/// What a session means, in one word.
fn verdict(monitored: &Monitored) -> &'static str {
    match &monitored.findings[..] {
        [] => "conforms",
        all => all.iter().find(|one| !one.is_inconclusive()).unwrap_or(&all[0]).verdict(),
    }
}

/// What a log means, as JSON: one object, or one for each session.
pub fn json(model: &Model, log: &MonitoredLog) -> Value {
    let mut result = match &log.sessions[..] {
        [one] if one.session.is_none() => session_json(model, one),
        several => {
            let sessions = several.iter().map(|one| session_json(model, one));
            json!({ "sessions": sessions.collect::<Vec<_>>() })
        }
    };
    if log.unknown > 0 {
        result["unknown"] = log.unknown.into();
    }
    result
}

fn session_json(model: &Model, monitored: &Monitored) -> Value {
    let mut result = json!({
        "verdict": verdict(monitored),
        "observations": monitored.observations,
        "until": monitored.last.to_string(),
        "states": monitored.states,
        "latencies": monitored.latencies,
        "exact": monitored.rounding.is_none(),
        "rounding": monitored.rounding.map(|rounding| rounding.to_string()),
    });
    if let Some(session) = &monitored.session {
        result["session"] = session.as_str().into();
    }
    let finding = |decided: &Decided| {
        json!({
            "line": decided.line,
            "seen": seen(&decided.logged, times(model)),
            "finding": decided.finding,
            "message": said(decided, times(model)),
        })
    };
    if let Some(Value::Object(first)) = monitored.findings.first().map(finding) {
        for (name, value) in first {
            result[name] = value;
        }
        result["findings"] = monitored.findings.iter().map(finding).collect();
        result["skipped"] = monitored.skipped.into();
        result["stopped"] = monitored.stopped.into();
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
