//! How much a suite covers, in words and as JSON.

use serde_json::{Value, json};
use tioga::words::count;
use tioga::{Cover, Missed};
use tioga_base::Diagnostic;
use tioga_testcase::TestCase;

use crate::text::run::align;
use crate::text::suite::LINES;

/// The test cases as a table, and how much they cover.
pub fn text(cover: &[Cover], cases: &[[String; 4]], uncovered: &[Missed]) -> String {
    let (what, head) = match cover {
        [Cover::Edges] => ("edge", "edge taken"),
        [Cover::Locations] => ("location", "location entered"),
        _ => (noun(cover), "covers"),
    };
    let mut rows = vec![["test case", head, "rank", "verdicts"].map(str::to_owned)];
    rows.extend_from_slice(cases);
    let mut text = if cases.is_empty() { String::new() } else { align(&rows, &[]) };
    let all = cases.len() + uncovered.len();
    // Whether a run that passes has covered it for certain is not looked at.
    let made = cases.len();
    text.push_str(&format!("a test case for {made} of {}\n", count(all, what)));
    for one in uncovered {
        text.push_str(&format!("not covered: {}: {}\n", one.purpose, one.why));
    }
    text
}

/// What one thing to cover is called.
fn noun(cover: &[Cover]) -> &'static str {
    match cover {
        [one] => one.noun(),
        _ => "target",
    }
}

/// A test case in the table.
pub fn row(case: &TestCase) -> [String; 4] {
    let summary = &case.summary;
    let rank = summary.rank_text();
    let exact = if summary.exact { "exact" } else { "approximate" };
    let end = if summary.may_be_inconclusive { ", may be inconclusive" } else { "" };
    [case.name.clone(), summary.goal.to_string(), rank, format!("{exact}{end}")]
}

/// What is said where results are not: that something is not covered.
pub fn warning(cover: &[Cover], uncovered: &[Missed]) -> Option<Diagnostic> {
    let message = format!("there is no test case for {}", count(uncovered.len(), noun(cover)));
    let mut diagnostic = Diagnostic::global("not-covered", message);
    let shown = uncovered.iter().take(LINES);
    diagnostic.notes = shown.map(|one| format!("{}: {}", one.purpose, one.why)).collect();
    if let Some(more) = uncovered.len().checked_sub(LINES).filter(|more| *more > 0) {
        diagnostic.notes.push(format!("and {more} more"));
    }
    (!uncovered.is_empty()).then_some(diagnostic)
}

/// Says that test cases pass before anything is sent or heard: their purposes hold in the initial state.
pub fn nothing_to_do<'c>(idle: impl Iterator<Item = &'c TestCase>) -> Option<Diagnostic> {
    let names: Vec<String> = idle.map(|case| format!("`{}`", case.name)).collect();
    let message = match &names[..] {
        [] => return None,
        [one] => format!("the test case {one} passes before anything is sent or heard"),
        all => format!("{} pass before anything is sent or heard", count(all.len(), "test case")),
    };
    let mut diagnostic = Diagnostic::global("nothing-to-do", message)
        .note("the purpose holds in the initial state, so a pass says nothing about the system");
    if names.len() > 1 {
        diagnostic = diagnostic.note(names.join(", "));
    }
    Some(diagnostic)
}

/// How much is covered, as JSON.
pub fn to_json(cover: &[Cover], cases: usize, uncovered: &[Missed]) -> Value {
    let what: Vec<&str> = cover.iter().map(|cover| cover.name()).collect();
    let what = what.join(",");
    let uncovered: Vec<Value> = uncovered
        .iter()
        .map(|one| json!({ "purpose": one.purpose, "why": one.why.to_string() }))
        .collect();
    json!({ "of": what, "covered": cases, "uncovered": uncovered })
}
