//! Results as one page of HTML that needs nothing else: no network, no scripts; styles and pictures are
//! inside.
//!
//! Every run has a line in a table. Timed sequence diagrams are shown of runs that did not pass and of
//! the first run of each test case that passed, as far as the report kept them; the page says so.

mod case;
mod markup;
mod style;

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, html};
use tioga_adapters::AdapterLimits;
use tioga_execute::{Outcome, Settings};

use crate::junit::time_text;
use crate::text::counted;
use crate::{Counts, Report, RunLine, picture};
use markup::{Cell, HOLE, Line, around, facts, put};

/// Writes the page.
///
/// # Errors
/// If it cannot be written.
pub fn html(report: &Report<'_>, writer: &mut dyn Write) -> io::Result<()> {
    around(page(report.settings), writer, |writer| {
        put(summary(report), writer)?;
        put(environment(report.settings), writer)?;
        coverage(report, writer)?;
        for (position, case) in report.cases() {
            case::section(report, position, case, writer)?;
        }
        let strangers: Vec<&RunLine> = report.strangers().collect();
        if strangers.is_empty() {
            return Ok(());
        }
        let section = html! {
            section { h2 { "Runs of test cases that are not in the suite" } (HOLE) }
        };
        around(section, writer, |writer| {
            case::runs(&strangers, |run| html! { " of " (Line(&run.name)) }, writer)
        })
    })
}

/// The frame of the page.
fn page(settings: &Settings) -> Markup {
    let model = settings.suite.cases.first().map(|case| case.summary.model.as_str());
    let title = format!("Test report: {}", model.unwrap_or("no test cases"));
    let styles = [style::STYLE, crate::sequence::STYLE, crate::timing::STYLE, picture::STYLE];
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (Line(&title)) }
                style { @for style in styles { "\n" (PreEscaped(style)) } "\n" }
            }
            body { h1 { (Line(&title)) } (HOLE) }
        }
    }
}

fn summary(report: &Report<'_>) -> Markup {
    let totals = report.totals();
    // Online there are no test cases to visit.
    let visited = report.settings.online.is_none();
    html! {
        (banner(&totals))
        section {
            h2 { "Summary" }
            div.wide tabindex="0" {
                table {
                    thead {
                        tr {
                            @for name in ["test case", "purpose"] { th { (name) } }
                            @for name in [
                                "runs", "pass", "inconclusive", "fail", "error", "interrupted",
                            ] {
                                th.number { (name) }
                            }
                            @if visited { th.number { "places" } th.number { "edges" } }
                        }
                    }
                    tbody {
                        @for (position, case) in report.cases() {
                            @let coverage = &report.coverage.cases[position];
                            "\n"
                            tr {
                                td { a href={ "#case-" (position) } { (Cell(&case.name)) } }
                                td { (Cell(&case.summary.goal.to_string())) }
                                (cells(&report.counts[position]))
                                @if visited && !case.is_online() {
                                    td.number { (coverage.place_share()) }
                                    td.number { (coverage.edge_share()) }
                                } @else if visited {
                                    td {} td {}
                                }
                            }
                        }
                    }
                    tfoot {
                        tr { th { "all" } td {} (cells(&totals)) @if visited { td {} td {} } }
                    }
                }
            }
            @if totals.repeated > 0 {
                p.note {
                    (counted(totals.repeated, "run")) " began again because of a scheduling delay, "
                    (counted(totals.repetitions, "time")) " in all; only the last attempt counts."
                }
            }
            p.note {
                "Every run has a line in the table of its test case. Diagrams are shown of runs that did \
                 not pass, and of the first run of each test case that did."
                @if visited {
                    " Places and edges are those of the test case that some run visited."
                } @else {
                    " The tests are online: inputs were chosen on the fly from the model."
                }
            }
        }
    }
}

/// The worst that happened.
fn banner(totals: &Counts) -> Markup {
    let words = [
        (totals.error, "error", "Something was wrong with the system or the connection to it."),
        (totals.fail, "fail", "The system does not conform to its specification."),
        (totals.interrupted, "inconclusive", "Some runs were interrupted."),
        (totals.inconclusive, "inconclusive", "No failures; some purposes not reached."),
        (totals.pass, "pass", "Every run passed."),
    ];
    // A failure weighs more than an error: it is about the system, whatever else went wrong.
    let worst = words.into_iter().filter(|(count, ..)| *count > 0);
    let worst = worst.min_by_key(|(_, class, _)| *class != "fail");
    html! {
        @if let Some((_, class, words)) = worst { p class={ "banner " (class) } { (words) } }
    }
}

fn cells(counts: &Counts) -> Markup {
    let class = |outcome: Option<Outcome>| match (counts.of(outcome), outcome) {
        (0, _) => "none".to_owned(),
        (_, None) => "inconclusive".to_owned(),
        (_, Some(outcome)) => outcome.to_string(),
    };
    html! {
        td.number { (counts.runs()) }
        @for outcome in Outcome::ALL.into_iter().map(Some).chain([None]) {
            td class={ "number " (class(outcome)) } { (counts.of(outcome)) }
        }
    }
}

fn environment(settings: &Settings) -> Markup {
    let (latencies, times) = (&settings.latencies, settings.times());
    let latencies = if latencies.is_none() {
        "none".to_owned()
    } else {
        let (input, output) = (times.moment(latencies.input), times.moment(latencies.output));
        let jitter = times.exact(latencies.jitter);
        format!("input {input}, output {output}, jitter {jitter}")
    };
    let mut rows = vec![
        ("system", settings.system_name()),
        ("protocol", format!("{:?}", settings.protocol).to_lowercase()),
        ("time", time_text(settings.time)),
        ("latencies", latencies),
        ("repetitions", settings.repeat.to_string()),
        ("seed", settings.seed.to_string()),
        ("start of runs", if settings.fresh { "afresh" } else { "reset" }.to_owned()),
    ];
    rows.extend(settings.model().map(|model| ("model", model.name.clone())));
    rows.extend(settings.patience.map(|patience| ("patience", times.exact(patience))));
    rows.extend(settings.policy.map(|policy| ("choices of the model", policy.name().to_owned())));
    rows.extend(settings.timeout_ms.map(|limit| ("time limit of a run", format!("{limit} ms"))));
    rows.extend((!settings.limits.is_usual()).then(|| ("limits", limits(&settings.limits))));
    html! { section { h2 { "Environment" } (facts(&rows)) } }
}

/// How much patience there was with the system.
fn limits(limits: &AdapterLimits) -> String {
    let AdapterLimits { answer, start, exit, line, burst, cancel: _ } = limits;
    format!(
        "{answer:?} for an answer, {start:?} for the first, {exit:?} to end, {line} bytes in a line, \
         {burst} messages without a pause"
    )
}

/// How many lines of what is not covered are shown at once.
const MISSING: usize = 12;

fn coverage(report: &Report<'_>, writer: &mut dyn Write) -> io::Result<()> {
    let (Some(specification), Some(covered)) = (report.specification, &report.coverage.of_model)
    else {
        return Ok(());
    };
    let graphs = report.coverage.model(&report.settings.suite, specification).unwrap_or_default();
    let picture = picture::drawing(&graphs, "");
    let missing = covered.missing();
    let rows = |rows: &[(&str, String)]| {
        html! {
            div.wide tabindex="0" {
                table {
                    @for (what, name) in rows { "\n" tr { th { (what) } td { (Cell(name)) } } }
                }
            }
        }
    };
    let shares = [
        ("locations", covered.location_share()),
        ("edges", covered.edge_share()),
        ("window ends", covered.window_share()),
        ("data ends", covered.data_share()),
    ];
    let values = |one: &crate::DataCoverage| {
        let values: Vec<String> = one.values.iter().take(16).map(ToString::to_string).collect();
        let more = one.values.len().saturating_sub(16);
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        values.join(", ") + &more
    };
    let body = html! {
        ul.shares {
            @for (what, share) in shares.iter().filter(|(_, share)| share.all > 0) {
                "\n" li { span.share { (share) } " " (what) }
            }
        }
        p.note {
            "Numbers on the picture say how often a location was entered and an edge was taken in all runs. The \
             window of an edge is covered at its early end and at its late end."
            @if covered.ambiguous > 0 {
                " " (counted(covered.ambiguous, "run")) " can be explained by several runs of the model; only what \
                 all of them have in common is counted."
            }
            @if covered.lost > 0 {
                " " (counted(covered.lost, "run")) " could not be followed on the model: "
                (Line(covered.lost_because.as_deref().unwrap_or(""))) "."
            }
        }
        div class="wide picture" tabindex="0" { "\n" (PreEscaped(picture)) }
        @if !missing.is_empty() {
            h3 { "Not covered" }
            (rows(&missing[..missing.len().min(MISSING)]))
            @if missing.len() > MISSING {
                details {
                    summary { (missing.len() - MISSING) " more" }
                    (rows(&missing[MISSING..]))
                }
            }
        }
        @if !covered.data.is_empty() {
            details {
                summary { "Values of data" }
                div.wide tabindex="0" {
                    table {
                        thead { tr { @for name in ["data", "range", "values"] { th { (name) } } } }
                        tbody {
                            @for one in &covered.data {
                                "\n"
                                tr {
                                    td { (Cell(&one.name)) }
                                    td { @if let Some((min, max)) = one.range { (min) ".." (max) } }
                                    td { (values(one)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    put(html! { section { h2 { "Coverage of the model" } (body) } }, writer)
}
