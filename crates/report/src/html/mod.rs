//! Results as one page of HTML that needs nothing else: no network, no scripts; styles and pictures are
//! inside.
//!
//! Every run has a line in a table. Timed sequence diagrams are shown of runs that did not pass and of
//! the first run of each test case that passed, as far as the report kept them; the page says so.

mod case;
mod style;

use std::io::{self, Write};

use tioga_execute::{AdapterLimits, Outcome, Settings};

use crate::junit::time_text;
use crate::text::{counted, escape};
use crate::{Counts, Report, RunLine, picture};

/// Writes the page.
///
/// # Errors
/// If it cannot be written.
pub fn html(report: &Report<'_>, writer: &mut dyn Write) -> io::Result<()> {
    let title = title(report.settings);
    write!(
        writer,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <style>\n{}\n{}\n{}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        style::STYLE,
        crate::sequence::STYLE,
        picture::STYLE
    )?;
    summary(report, writer)?;
    environment(report.settings, writer)?;
    coverage(report, writer)?;
    for (position, case) in report.cases() {
        case::section(report, position, case, writer)?;
    }
    let strangers: Vec<&RunLine> = report.strangers().collect();
    if !strangers.is_empty() {
        writeln!(writer, "<section>\n<h2>Runs of test cases that are not in the suite</h2>")?;
        case::runs(&strangers, |run| format!(" of {}", escape(&run.name)), writer)?;
        writeln!(writer, "</section>")?;
    }
    writeln!(writer, "</body>\n</html>")
}

fn title(settings: &Settings) -> String {
    let model = settings.suite.cases.first().map(|case| case.summary.model.as_str());
    escape(&format!("Test report: {}", model.unwrap_or("no test cases")))
}

fn summary(report: &Report<'_>, writer: &mut dyn Write) -> io::Result<()> {
    let totals = report.totals();
    let words = [
        (totals.error, "error", "Something was wrong with the system or the connection to it."),
        (totals.fail, "fail", "The system does not conform to its specification."),
        (totals.interrupted, "inconclusive", "Some runs were interrupted."),
        (
            totals.inconclusive,
            "inconclusive",
            "Nothing wrong was seen, but not all that was to be.",
        ),
        (totals.pass, "pass", "Every run passed."),
    ];
    // A failure weighs more than an error: it is about the system, whatever else went wrong.
    let worst = words.iter().filter(|(count, ..)| *count > 0);
    let worst = worst.min_by_key(|(_, class, _)| *class != "fail");
    if let Some((_, class, words)) = worst {
        writeln!(writer, "<p class=\"banner {class}\">{words}</p>")?;
    }
    writeln!(writer, "<section>\n<h2>Summary</h2>\n<div class=\"wide\"><table>")?;
    writeln!(
        writer,
        "<thead><tr><th>test case</th><th>purpose</th><th>runs</th><th>pass</th>\
         <th>inconclusive</th><th>fail</th><th>error</th><th>interrupted</th><th>places</th>\
         <th>edges</th></tr></thead>\n<tbody>"
    )?;
    for (position, case) in report.cases() {
        let coverage = &report.coverage.cases[position];
        writeln!(
            writer,
            "<tr><td><a href=\"#case-{position}\">{}</a></td><td>{}</td>{}<td>{}</td><td>{}</td></tr>",
            escape(&case.name),
            escape(&case.summary.purpose),
            cells(&report.counts[position]),
            coverage.place_share(),
            coverage.edge_share()
        )?;
    }
    writeln!(
        writer,
        "</tbody>\n<tfoot><tr><th>all</th><td></td>{}<td></td><td></td></tr></tfoot>\n\
         </table></div>",
        cells(&totals)
    )?;
    if totals.repeated > 0 {
        writeln!(
            writer,
            "<p class=\"note\">{} began again because the machine was late, {} in all; only the last \
             attempt counts.</p>",
            counted(totals.repeated, "run"),
            counted(totals.repetitions, "time")
        )?;
    }
    writeln!(
        writer,
        "<p class=\"note\">Every run has a line in the table of its test case. Diagrams are shown \
         of runs that did not pass, and of the first run of each test case that did. Places and \
         edges are those of the test case that some run visited.</p>\n</section>"
    )
}

fn cells(counts: &Counts) -> String {
    let cell = |outcome: Option<Outcome>| {
        let count = counts.of(outcome);
        let class = outcome.map_or_else(|| "inconclusive".to_owned(), |one| one.to_string());
        let class = if count == 0 { "none".to_owned() } else { class };
        format!("<td class=\"number {class}\">{count}</td>")
    };
    let all: String = Outcome::ALL.into_iter().map(Some).chain([None]).map(cell).collect();
    format!("<td class=\"number\">{}</td>{all}", counts.runs())
}

fn environment(settings: &Settings, writer: &mut dyn Write) -> io::Result<()> {
    let latencies = &settings.latencies;
    let latencies = if latencies.is_none() {
        "none".to_owned()
    } else {
        let (input, output, jitter) = (latencies.input, latencies.output, latencies.jitter);
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
    rows.extend(settings.patience.map(|patience| ("patience", patience.to_string())));
    rows.extend(settings.policy.map(|policy| ("choices of the model", policy.name().to_owned())));
    rows.extend(settings.timeout_ms.map(|limit| ("time limit of a run", format!("{limit} ms"))));
    rows.extend((!settings.limits.is_usual()).then(|| ("limits", limits(&settings.limits))));
    writeln!(writer, "<section>\n<h2>Environment</h2>\n<table class=\"facts\">")?;
    for (name, value) in rows {
        writeln!(writer, "<tr><th>{name}</th><td>{}</td></tr>", escape(&value))?;
    }
    writeln!(writer, "</table>\n</section>")
}

/// How much patience there was with the system.
fn limits(limits: &AdapterLimits) -> String {
    let AdapterLimits { answer, start, exit, line, burst } = limits;
    format!(
        "{answer:?} for an answer, {start:?} for the first, {exit:?} to end, {line} bytes in a line, \
         {burst} messages without a pause"
    )
}

fn coverage(report: &Report<'_>, writer: &mut dyn Write) -> io::Result<()> {
    let Some(specification) = report.specification else { return Ok(()) };
    writeln!(writer, "<section>\n<h2>Coverage of the model</h2>")?;
    match report.coverage.model(&report.settings.suite, specification) {
        None => writeln!(
            writer,
            "<p>No place of the test cases stands for one location of the model for certain. Each \
             test case shows its own coverage.</p>"
        )?,
        Some(graphs) => {
            let locations = graphs.iter().flat_map(|graph| &graph.nodes);
            let visited = locations.clone().filter(|node| node.visits.unwrap_or(0) > 0).count();
            let all = u64::try_from(locations.count()).unwrap_or(u64::MAX);
            writeln!(
                writer,
                "<p>{visited} of {} visited; the numbers say how often they were entered in all \
                 runs.</p>\n<div class=\"wide picture\">\n{}</div>",
                counted(all, "location"),
                picture::drawing(&graphs, "arrow-model", "")
            )?;
        }
    }
    writeln!(writer, "</section>")
}
