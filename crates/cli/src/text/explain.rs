//! An explanation in words: what the run was, what happened, what was expected before each step, and
//! what that means.

use std::fmt::Write;

use tioga::words::count;
use tioga_base::{Times, one_line};
use tioga_execute::{Event, ExplainedStep, Explanation, NeverSent, Settings};
use tioga_report::finding::{by, called, latencies, state, states, windows};
use tioga_testcase::TestCase;

/// Which run is explained.
pub struct About<'a> {
    /// Its number.
    pub run: u64,
    /// Its test case.
    pub case: &'a TestCase,
    /// Its campaign.
    pub settings: &'a Settings,
    /// The seed of its choices.
    pub seed: Option<u64>,
    /// The inputs that were never sent in it, if it was online.
    pub never_sent: &'a [NeverSent],
}

/// Everything, with the diagram in the middle.
pub fn text(about: &About<'_>, diagram: &str, explained: &Explanation) -> String {
    let Explanation { steps, left_out, conclusion } = explained;
    let times = about.settings.times();
    let mut text = format!("run {} of {}\n", about.run, about.case.name);
    let verdict = match (conclusion.outcome, conclusion.at) {
        (Some(outcome), Some(at)) => format!("{outcome} as of {}", times.moment(at)),
        (Some(outcome), None) => outcome.to_string(),
        (None, _) => "interrupted".to_owned(),
    };
    let seed = about.seed.map_or_else(|| "not known".to_owned(), |seed| seed.to_string());
    let reason = one_line(conclusion.reason.trim_end());
    for (title, value) in [
        ("purpose", &about.case.summary.goal.to_string()),
        ("system", &about.settings.system_name()),
        ("seed", &seed),
        ("verdict", &verdict),
        ("reason", &reason),
    ] {
        let _ = writeln!(text, "  {title:8}  {value}");
    }
    if !about.never_sent.is_empty() {
        let inputs = tioga_report::finding::never_sent(about.never_sent);
        let _ = writeln!(text, "  not sent  {inputs}");
    }
    let _ = write!(text, "\n{diagram}\n");
    if *left_out > 0 {
        let shown = format!("the last {}", steps.len());
        let _ = writeln!(
            text,
            "{} before {shown} left out; `--last` shows more",
            count(*left_out, "step")
        );
    }
    for step in steps {
        text.push_str(&step_text(step, times));
    }
    let _ = writeln!(text, "\n{}", tioga_report::finding::conclusion(conclusion, times));
    if let Some(model) = &conclusion.model {
        let when = if conclusion.finding.is_some() { "before that" } else { "at the end" };
        let _ = writeln!(text, "{when} the model may have been in:");
        text.push_str(&states(&model.states, times, "  "));
    }
    if let Some(bounds) = &conclusion.latencies {
        let bounds = latencies(bounds, times);
        let _ = writeln!(text, "latencies that explain the run so far: {bounds}");
    }
    if let Some(trouble) = &conclusion.trouble {
        let _ = writeln!(text, "not everything could be followed: {}", one_line(trouble));
    }
    text
}

fn step_text(step: &ExplainedStep, times: Times) -> String {
    let mut text = format!("step {}: {}\n", step.number, event_text(&step.event, times));
    let Some(before) = &step.before else { return text };
    let mut row = |title: &str, value: &str| {
        let _ = writeln!(text, "  {title:14}  {value}");
    };
    for (index, one) in before.states.iter().enumerate() {
        row(if index == 0 { "test was in" } else { "or in" }, &state(one, times));
    }
    for (index, one) in step.model.iter().flatten().enumerate() {
        row(if index == 0 { "model was in" } else { "or in" }, &state(one, times));
    }
    let expected = match (before.expected.is_empty(), before.deadline) {
        (true, _) => "nothing".to_owned(),
        (false, None) => format!("{}, or nothing", windows(&before.expected, times)),
        (false, Some(deadline)) => {
            format!("{}; something {}", windows(&before.expected, times), by(deadline, times))
        }
    };
    row("expected", &expected);
    if !before.inputs.is_empty() {
        row("could be sent", &windows(&before.inputs, times));
    }
    text
}

fn event_text(event: &Event, times: Times) -> String {
    match event {
        Event::Sent { at, action } => {
            format!("at {} sent {}", times.moment(*at), called(action))
        }
        Event::Sending { action } => format!("began to send {}", called(action)),
        Event::Heard { at, action } => {
            format!("at {} heard {}", times.moment(*at), called(action))
        }
        Event::Quiet { now } => format!("nothing until {}", times.moment(*now)),
        Event::Fault { at, fault } => format!("at {} {}", times.moment(*at), fault.kind),
        Event::Begin { case, .. } => format!("{case} began"),
        Event::End { outcome, .. } => outcome.to_string(),
    }
}
