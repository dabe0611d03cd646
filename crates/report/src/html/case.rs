//! The section of one test case: what it is, what it covered, its runs, and diagrams of some.

use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};
use tioga_execute::Outcome;
use tioga_testcase::TestCase;

use super::markup::{Cell, HOLE, Line, around, put};
use crate::text::counted;
use crate::{Report, RunLine, finding, picture, sequence, timing};

/// How many places a test case may have to be drawn.
const DRAWN: usize = 60;

pub(super) fn section(
    report: &Report<'_>,
    position: usize,
    case: &TestCase,
    writer: &mut dyn Write,
) -> io::Result<()> {
    let frame = html! {
        section id={ "case-" (position) } { h2 { (Line(&case.name)) } (HOLE) }
    };
    around(frame, writer, |writer| {
        let online = report.settings.is_online(case);
        put(if online { online_facts(case) } else { facts(case) }, writer)?;
        let never_sent = report.never_sent(position);
        if !never_sent.is_empty() {
            let inputs = finding::never_sent(&never_sent);
            put(html! { p.note { "Never sent: " (Line(&inputs)) } }, writer)?;
        }
        // A test case without test steps has nothing to cover; the model has.
        if !online {
            put(coverage(report, position, case), writer)?;
        }
        let runs: Vec<&RunLine> = report.runs_of(position).collect();
        let missing = runs
            .iter()
            .filter(|run| run.sequence.is_none() && run.outcome != Some(Outcome::Pass))
            .count();
        if runs.iter().any(|run| run.sequence.is_some()) {
            put(html! { h3 { "Diagrams" } }, writer)?;
        }
        if missing > 0 {
            let missing = counted(u64::try_from(missing).unwrap_or(u64::MAX), "more run");
            put(html! { p.note { (missing) " did not pass and have no diagram." } }, writer)?;
        }
        for run in &runs {
            if let Some(sequence) = &run.sequence {
                put(diagram(run, sequence), writer)?;
            }
        }
        self::runs(&runs, |_| Markup::default(), writer)
    })
}

/// What is known about runs without a test case.
fn online_facts(case: &TestCase) -> Markup {
    super::markup::facts(&[
        ("purpose", case.summary.goal.to_string()),
        ("inputs", "chosen on the fly from the model".to_owned()),
        ("verdicts", "exact: a run fails if the model does not explain it".to_owned()),
        ("inconclusive runs", "possible".to_owned()),
    ])
}

fn facts(case: &TestCase) -> Markup {
    let summary = &case.summary;
    let [risks, losses, steps] = summary.rank;
    let rank = if risks > 0 {
        format!("({risks}, {losses}, {steps}): risks, control losses, steps")
    } else {
        format!("({losses}, {steps}): control losses, steps")
    };
    let verdicts = if summary.exact {
        "exact: every wrong answer fails"
    } else {
        "approximate: some wrong answers may not fail"
    };
    let end = match (summary.may_be_inconclusive, summary.restarts) {
        (false, _) => "never",
        (true, true) => "possible; the purpose declares a restart",
        (true, false) => "possible",
    };
    let mut rows = vec![
        ("purpose", summary.goal.to_string()),
        ("shape", format!("{:?}", case.shape).to_lowercase()),
        ("verdicts", verdicts.to_owned()),
        ("rank", rank),
        ("inconclusive runs", end.to_owned()),
    ];
    if summary.may_be_uncertain {
        let doubt = "possible: some explanations of what happened reach the purpose, others do not";
        rows.push(("uncertain passes", doubt.to_owned()));
    }
    rows.extend(summary.approximated.iter().map(|why| ("approximated", why.clone())));
    rows.extend(
        summary.luck.iter().map(|place| ("luck", format!("at {}", place.text(summary.times())))),
    );
    super::markup::facts(&rows)
}

fn coverage(report: &Report<'_>, position: usize, case: &TestCase) -> Markup {
    let coverage = &report.coverage.cases[position];
    let body = match report.coverage.case(&report.settings.suite, position) {
        Some(graph) if case.places.len() <= DRAWN => {
            let picture = picture::drawing(&[graph], "");
            html! { div class="wide picture" tabindex="0" { "\n" (PreEscaped(picture)) } }
        }
        _ => {
            let places = case.places.iter().zip(&coverage.places).enumerate();
            let missed = places.filter(|(_, (_, count))| **count == 0);
            html! {
                p { "Places that no run visited:" }
                ul {
                    @for (number, (place, _)) in missed {
                        "\n" li { (number) " " (Line(&place.name)) }
                    }
                }
            }
        }
    };
    html! {
        details {
            summary {
                "Coverage of the test case: " (coverage.place_share()) " places, "
                (coverage.edge_share()) " edges"
            }
            (body)
        }
    }
}

fn diagram(run: &RunLine, sequence: &sequence::Sequence) -> Markup {
    // What went wrong is open, what was expected to go well is folded.
    let bad = matches!(run.outcome, Some(Outcome::Fail | Outcome::Error));
    html! {
        details open[bad] {
            summary {
                "Run " (run.run) ": " span class=(class(run)) { (run.verdict()) } ": "
                (Line(&run.reason))
            }
            @if let Some(explanation) = &run.explanation { p { (Line(explanation)) "." } }
            @if !run.expected.is_empty() {
                p { "Expected here: " (Line(&run.expected.join(", or "))) "." }
            }
            @if let Some(timing) = &run.timing {
                div.wide tabindex="0" { "\n" (PreEscaped(timing::drawing(timing, ""))) }
                details {
                    summary { "Sequence diagram" }
                    div.wide tabindex="0" { "\n" (PreEscaped(sequence::drawing(sequence, ""))) }
                }
            } @else {
                div.wide tabindex="0" { "\n" (PreEscaped(sequence::drawing(sequence, ""))) }
            }
        }
    }
}

/// The table of runs. `name` says more about each.
pub(super) fn runs(
    runs: &[&RunLine],
    name: impl Fn(&RunLine) -> Markup,
    writer: &mut dyn Write,
) -> io::Result<()> {
    let count = counted(u64::try_from(runs.len()).unwrap_or(u64::MAX), "run");
    let columns = [
        "run",
        "repetition",
        "seed",
        "verdict",
        "reason",
        "end",
        "actions",
        "scheduling delay",
        "begun again",
    ];
    let frame = html! {
        details {
            summary { (count) }
            div.wide tabindex="0" {
                table {
                    thead { tr { @for column in columns { th { (column) } } } }
                    tbody { (HOLE) }
                }
            }
        }
    };
    around(frame, writer, |writer| {
        // One row at a time: there may be millions of runs.
        runs.iter().try_for_each(|run| put(row(run, &name(run)), writer))
    })
}

fn row(run: &RunLine, name: &Markup) -> Markup {
    html! {
        tr {
            td.number { (run.run) }
            td.number { (run.repetition) (name) }
            td.number { @if let Some(seed) = run.seed { (seed) } }
            td class=(class(run)) { (run.verdict()) }
            td { (Cell(&run.reason)) }
            td { @if let Some(at) = run.at { (run.times.moment(at)) } }
            td.number { (run.actions) }
            td.number { (run.times.at_most(run.lateness)) }
            td.number { (run.repeated) }
        }
    }
}

fn class(run: &RunLine) -> String {
    run.outcome.unwrap_or(Outcome::Inconclusive).to_string()
}
