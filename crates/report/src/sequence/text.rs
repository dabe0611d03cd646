//! A timed sequence diagram as text: a column for the time, and two lanes with arrows between them.

use std::fmt::Write;

use super::{Drawn, Sequence, moment};
use crate::text::counted;

/// The least distance between the lanes.
const LANES: usize = 30;

/// The diagram, with a line break at the end of every line.
pub fn text(sequence: &Sequence) -> String {
    let times: Vec<String> =
        sequence.steps.iter().map(|step| moment(step, sequence.times)).collect();
    let end = sequence.end.as_ref().map_or_else(String::new, |end| sequence.times.moment(end.at));
    let longest = times.iter().chain([&end]).map(|time| time.chars().count()).max().unwrap_or(0);
    let column = longest.max("time".len());
    let labels = sequence.steps.iter().map(|step| match step {
        Drawn::Input { what, .. } | Drawn::Output { what, .. } => what.chars().count() + 8,
        _ => 0,
    });
    let lanes = labels.max().unwrap_or(0).clamp(LANES, 100);
    let mut text = format!("{}\n{:>column$}  tester", sequence.title(), "time");
    let _ = writeln!(text, "{:>width$}", "system", width = lanes - 4);
    for (step, time) in sequence.steps.iter().zip(&times) {
        let between = match step {
            Drawn::Input { what, at } => {
                let doubt = if at.is_none() { " (not confirmed)" } else { "" };
                format!("|-{}>|{doubt}", filled(what, lanes - 2, '-'))
            }
            Drawn::Output { what, .. } => format!("|<{}-|", filled(what, lanes - 2, '-')),
            Drawn::Quiet { .. } => format!("|{}|", filled("quiet", lanes, ' ')),
            Drawn::Fault { what, .. } => format!("|{}X {what}", " ".repeat(lanes)),
            Drawn::LeftOut { steps } => {
                let steps = u64::try_from(*steps).unwrap_or(u64::MAX);
                format!("|{}|", filled(&format!("{} left out", counted(steps, "step")), lanes, ' '))
            }
        };
        let _ = writeln!(text, "{time:>column$}  {between}");
    }
    let _ = writeln!(text, "{end:>column$}  {}", sequence.verdict());
    text
}

/// The label in the middle of a line of this width.
fn filled(label: &str, width: usize, line: char) -> String {
    let label = format!(" {label} ");
    let room = width.saturating_sub(label.chars().count());
    let left = room / 2;
    let fill = |count: usize| std::iter::repeat_n(line, count).collect::<String>();
    format!("{}{label}{}", fill(left), fill(room - left))
}
