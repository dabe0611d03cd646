//! The results of a campaign: a table, the runs worth looking at, and the same as JSON.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use tioga::words::{count, number};
use tioga_adapters::TimeBase;
use tioga_base::{Rational, Times, one_line};
use tioga_execute::{CaseTally, Event, NeverSent, Outcome, RunRecord, RunSummary, Settings, Tally};
use tioga_model::Model;
use tioga_report::finding::{self, called};
use tioga_report::tally_table;
use tioga_testcase::TestCase;

use super::online;

/// All results for people.
pub fn text(
    settings: &Settings,
    model: Option<&Model>,
    tally: &Tally,
    journal: Option<&Path>,
) -> String {
    let mut text = tally_table(settings, tally).text(|_, text| text.to_owned());
    // What is not covered is listed with the reason of its run.
    let covers = online::coverage(settings).is_some();
    for (case, test) in tally.cases.iter().zip(&settings.suite.cases) {
        if let Some(problem) = &case.problem {
            text.push('\n');
            text.push_str(&problem_text(problem, &test.name, journal, settings.times()));
        } else if let Some(doubt) = case.doubt.as_ref().filter(|_| !covers) {
            let _ = writeln!(
                text,
                "\nrun {} of {} was inconclusive at {}: {}",
                doubt.run,
                test.name,
                settings.times().moment(doubt.at),
                one_line(&doubt.reason)
            );
        }
    }
    text.push('\n');
    text.push_str(&online::text(settings, tally));
    let never_sent = online::never_sent(settings, model, tally);
    if !never_sent.is_empty() {
        let _ = writeln!(text, "never sent: {}", finding::never_sent(&never_sent));
    }
    text.push_str(&lateness(settings, tally));
    text.push_str(&ending(tally, journal));
    text
}

/// The inputs that were never sent in an online test; test cases say what they send.
fn never_sent(
    settings: &Settings,
    case: &CaseTally,
    test: &TestCase,
    model: Option<&Model>,
) -> Vec<NeverSent> {
    match settings.is_online(test) {
        true => case.sent.never_sent(test, model),
        false => Vec::new(),
    }
}

/// How late the machine was at worst, with real time.
fn lateness(settings: &Settings, tally: &Tally) -> String {
    let TimeBase::Real { unit_ns } = settings.time else { return String::new() };
    let worst = tally.cases.iter().map(|case| case.longest_delay).max().unwrap_or(Rational::ZERO);
    let unit = Rational::new(i64::try_from(unit_ns).unwrap_or(i64::MAX), 1_000_000);
    let milliseconds = unit.and_then(|unit| worst.mul(unit));
    let milliseconds = milliseconds.map_or_else(|_| "?".to_owned(), rounded_up);
    let units = rounded_up(worst);
    let mut text = format!("scheduling delay up to {units} time units ({milliseconds} ms)");
    let repeated = tally.cases.iter().map(|case| case.repeated);
    let (runs, times) = repeated.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    if runs > 0 {
        let runs = count(usize::try_from(runs).unwrap_or(usize::MAX), "run");
        let times = count(usize::try_from(times).unwrap_or(usize::MAX), "time");
        let _ = write!(text, "; {runs} began again for that, {times} in all");
    }
    text.push('\n');
    text
}

/// A number that is not below this one, with at most three decimals.
fn rounded_up(value: Rational) -> String {
    let thousandths = value.mul(Rational::integer(1000)).map(Rational::ceil);
    let rounded = thousandths.and_then(|thousandths| Rational::new(thousandths, 1000));
    number(rounded.unwrap_or(value))
}

fn problem_text(problem: &RunSummary, case: &str, journal: Option<&Path>, times: Times) -> String {
    let verb = verb(problem.outcome);
    let RunSummary { run, seed, reason, .. } = problem;
    let mut text = format!("run {run} of {case} {verb}: {}\n", one_line(reason.trim_end()));
    let _ = writeln!(text, "  seed {seed}");
    let shown = problem.last.iter().filter(|event| !matches!(event, Event::Fault { .. })).count();
    let left_out = problem.actions.saturating_sub(shown as u64);
    if left_out > 0 {
        let _ = writeln!(text, "  ... {left_out} before");
    }
    for event in &problem.last {
        if let Some(line) = event_text(event, times) {
            let _ = writeln!(text, "  {line}");
        }
    }
    let _ = writeln!(text, "  {} as of {}", problem.outcome, times.moment(problem.at));
    if let Some(path) = journal {
        let _ = writeln!(text, "  tioga explain {} --run {run}", path.display());
    }
    text
}

/// What happened, as in `at 1.5 sent touch`; nothing for what is not worth a line.
fn event_text(event: &Event, times: Times) -> Option<String> {
    match event {
        Event::Sent { at, action } => {
            Some(format!("at {} sent {}", times.moment(*at), called(action)))
        }
        Event::Heard { at, action } => {
            Some(format!("at {} heard {}", times.moment(*at), called(action)))
        }
        Event::Fault { .. }
        | Event::Begin { .. }
        | Event::Sending { .. }
        | Event::Quiet { .. }
        | Event::End { .. } => None,
    }
}

/// A run, one line for each input and output, and one for its end.
pub fn events_text(record: &RunRecord, times: Times) -> String {
    let mut text = String::new();
    for event in &record.events {
        if let Some(line) = event_text(event, times) {
            let _ = writeln!(text, "  {line}");
        }
        if let Event::End { outcome, reason, at, .. } = event {
            let reason = one_line(reason.trim_end());
            let _ = writeln!(text, "  {outcome} as of {}: {reason}", times.moment(*at));
        }
    }
    text
}

/// What became of a run, as in `run 3 failed`.
pub fn verb(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "passed",
        Outcome::Inconclusive => "was inconclusive",
        Outcome::Fail => "failed",
        Outcome::Error => "was an error",
    }
}

/// How the campaign ended, and how to go on.
fn ending(tally: &Tally, journal: Option<&Path>) -> String {
    let runs = count(usize::try_from(tally.counted()).unwrap_or(usize::MAX), "run");
    let total = tally.total();
    let resume = journal.map(|path| format!("tioga resume {}", path.display()));
    let (what, hint) = if !tally.is_over() {
        let hint = resume.map(|resume| format!("`{resume}` goes on"));
        (format!("interrupted after {runs} of {total}"), hint)
    } else if tally.is_cut_short() {
        let hint = resume.map(|resume| format!("`{resume} --keep-going` goes on"));
        (format!("stopped at the first problem, after {runs} of {total}"), hint)
    } else {
        let hint = journal.map(|path| format!("journal written to {}", path.display()));
        let enough = tally.is_enough();
        (if enough { format!("{runs} of {total}: enough is covered") } else { runs }, hint)
    };
    match hint {
        Some(hint) => format!("{what}; {hint}\n"),
        None => format!("{what}\n"),
    }
}

/// All results for programs.
pub fn json(
    settings: &Settings,
    model: Option<&Model>,
    tally: &Tally,
    journal: Option<&Path>,
    runs: &[Value],
) -> Value {
    let cases = tally.cases.iter().zip(&settings.suite.cases).map(|(case, test)| {
        json!({
            "never_sent": never_sent(settings, case, test, model),
            "name": test.name,
            "purpose": test.summary.goal.to_string(),
            "runs": case.runs(),
            "pass": case.count(Outcome::Pass),
            "fail": case.count(Outcome::Fail),
            "inconclusive": case.count(Outcome::Inconclusive),
            "error": case.count(Outcome::Error),
            "worst": case.worst(),
            "longest": case.longest.to_string(),
            "lateness": case.longest_delay.to_string(),
            "repeated": case.repeated.0,
            "repetitions": case.repeated.1,
            "first_problem": first(case, |case| &case.problem),
            "first_inconclusive": first(case, |case| &case.doubt),
        })
    });
    let (coverage, mutants) = online::to_json(settings, tally).unwrap_or_default();
    let never_sent = online::never_sent(settings, model, tally);
    let mut all = json!({
        "system": settings.system_name(),
        "seed": settings.seed,
        "repeat": settings.repeat,
        "total": tally.total(),
        "counted": tally.counted(),
        "interrupted": !tally.is_over(),
        "worst": tally.worst(),
        "cases": cases.collect::<Vec<_>>(),
        "runs": runs,
        "journal": journal.map(|path| path.display().to_string()),
    });
    if settings.online.is_some() {
        all["never_sent"] = json!(never_sent);
    }
    if online::coverage(settings).is_some() {
        (all["coverage"], all["mutants"]) = (coverage, mutants);
    }
    all
}

fn first(case: &CaseTally, which: fn(&CaseTally) -> &Option<RunSummary>) -> Option<Value> {
    let summary = which(case).as_ref()?;
    let mut value = run_json(summary);
    value["events"] = json!(summary.last);
    Some(value)
}

/// A run for programs.
pub fn run_json(summary: &RunSummary) -> Value {
    json!({
        "run": summary.run,
        "case": summary.case,
        "seed": summary.seed,
        "outcome": summary.outcome,
        "reason": summary.reason,
        "at": summary.at.to_string(),
        "actions": summary.actions,
        "lateness": summary.longest_delay.to_string(),
        "repeated": summary.repeated,
        "ignored": summary.ignored,
        "stopped": summary.stopped,
    })
}
