//! The section of one test case: what it is, what it covered, its runs, and diagrams of some.

use std::io::{self, Write};

use tioga_execute::Outcome;
use tioga_testcase::TestCase;

use crate::text::{counted, escape};
use crate::{Report, RunLine, picture, sequence};

/// How many places a test case may have to be drawn.
const DRAWN: usize = 60;

pub(super) fn section(
    report: &Report<'_>,
    position: usize,
    case: &TestCase,
    writer: &mut dyn Write,
) -> io::Result<()> {
    writeln!(writer, "<section id=\"case-{position}\">\n<h2>{}</h2>", escape(&case.name))?;
    facts(case, writer)?;
    coverage(report, position, case, writer)?;
    let runs: Vec<&RunLine> = report.runs_of(position).collect();
    let shown: Vec<&&RunLine> = runs.iter().filter(|run| run.sequence.is_some()).collect();
    let missing = runs
        .iter()
        .filter(|run| run.sequence.is_none() && run.outcome != Some(Outcome::Pass))
        .count();
    if !shown.is_empty() {
        writeln!(writer, "<h3>Diagrams</h3>")?;
    }
    if missing > 0 {
        let missing = counted(u64::try_from(missing).unwrap_or(u64::MAX), "more run");
        writeln!(writer, "<p class=\"note\">{missing} did not pass and have no diagram.</p>")?;
    }
    for run in shown {
        diagram(run, writer)?;
    }
    self::runs(&runs, |_| String::new(), writer)?;
    writeln!(writer, "</section>")
}

fn facts(case: &TestCase, writer: &mut dyn Write) -> io::Result<()> {
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
    let rows = [
        ("purpose", summary.purpose.clone()),
        ("shape", format!("{:?}", case.shape).to_lowercase()),
        ("verdicts", verdicts.to_owned()),
        ("rank", rank),
        ("inconclusive runs", end.to_owned()),
    ];
    writeln!(writer, "<table class=\"facts\">")?;
    for (name, value) in rows {
        writeln!(writer, "<tr><th>{name}</th><td>{}</td></tr>", escape(&value))?;
    }
    let approximated = summary.approximated.iter().map(|one| ("approximated", one.clone()));
    let luck = summary.luck.iter().map(|one| ("luck", format!("at {one}")));
    for (name, value) in approximated.chain(luck) {
        writeln!(writer, "<tr><th>{name}</th><td>{}</td></tr>", escape(&value))?;
    }
    writeln!(writer, "</table>")
}

fn coverage(
    report: &Report<'_>,
    position: usize,
    case: &TestCase,
    writer: &mut dyn Write,
) -> io::Result<()> {
    let coverage = &report.coverage.cases[position];
    let (places, edges) = (coverage.place_share(), coverage.edge_share());
    writeln!(
        writer,
        "<details>\n<summary>Coverage of the test case: {places} places, {edges} edges</summary>"
    )?;
    match report.coverage.case(&report.settings.suite, position) {
        Some(graph) if case.places.len() <= DRAWN => {
            let marker = format!("arrow-{position}");
            let picture = picture::drawing(&[graph], &marker, "");
            writeln!(writer, "<div class=\"wide picture\">\n{picture}</div>")?;
        }
        _ => {
            writeln!(writer, "<p>Places that no run visited:</p>\n<ul>")?;
            let counts = case.places.iter().zip(&coverage.places).enumerate();
            for (number, (place, _)) in counts.filter(|(_, (_, count))| **count == 0) {
                writeln!(writer, "<li>{number} {}</li>", escape(&place.name))?;
            }
            writeln!(writer, "</ul>")?;
        }
    }
    writeln!(writer, "</details>")
}

fn diagram(run: &RunLine, writer: &mut dyn Write) -> io::Result<()> {
    let Some(sequence) = &run.sequence else { return Ok(()) };
    // What went wrong is open, what was expected to go well is folded.
    let bad = matches!(run.outcome, Some(Outcome::Fail | Outcome::Error));
    let (open, verdict) = (if bad { " open" } else { "" }, class(run));
    writeln!(
        writer,
        "<details{open}>\n<summary>Run {}: <span class=\"{verdict}\">{}</span>: {}</summary>",
        run.run,
        run.verdict(),
        escape(&run.reason)
    )?;
    if let Some(explanation) = &run.explanation {
        writeln!(writer, "<p>{}.</p>", escape(explanation))?;
    }
    if !run.expected.is_empty() {
        let expected: Vec<String> = run.expected.iter().map(|one| escape(one)).collect();
        writeln!(writer, "<p>Expected here: {}.</p>", expected.join(", or "))?;
    }
    writeln!(writer, "<div class=\"wide\">\n{}</div>", sequence::drawing(sequence, ""))?;
    writeln!(writer, "</details>")
}

/// The table of runs. `name` says more about each, in HTML.
pub(super) fn runs(
    runs: &[&RunLine],
    name: impl Fn(&RunLine) -> String,
    writer: &mut dyn Write,
) -> io::Result<()> {
    let count = counted(u64::try_from(runs.len()).unwrap_or(u64::MAX), "run");
    writeln!(
        writer,
        "<details>\n<summary>{count}</summary>\n<div class=\"wide\"><table>\n<thead><tr>\
         <th>run</th><th>repetition</th><th>seed</th><th>verdict</th><th>reason</th><th>end</th>\
         <th>actions</th><th>lateness</th><th>begun again</th></tr></thead>\n<tbody>"
    )?;
    for run in runs {
        writeln!(
            writer,
            "<tr><td class=\"number\">{}</td><td class=\"number\">{}{}</td>\
             <td class=\"number\">{}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td></tr>",
            run.run,
            run.repetition,
            name(run),
            run.seed.map(|seed| seed.to_string()).unwrap_or_default(),
            class(run),
            run.verdict(),
            escape(&run.reason),
            run.at.map(|at| at.readable()).unwrap_or_default(),
            run.actions,
            run.lateness.rounded_up(),
            run.repeated
        )?;
    }
    writeln!(writer, "</tbody>\n</table></div>\n</details>")
}

fn class(run: &RunLine) -> String {
    run.outcome.unwrap_or(Outcome::Inconclusive).to_string()
}
