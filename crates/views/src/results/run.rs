//! Runs as text for people: a table of times, actions and edges.

use tioga::words::{action, edges};
use tioga_base::{Overflow, Rational, Times};
use tioga_concrete::{Record, StepRecord};

/// The records of a run as a table: the time and the delay before each move, what it shows and
/// which edges it takes. A delay at the end has a row of its own.
pub fn table(records: &[Record], times: Times) -> Result<String, Overflow> {
    let mut rows = vec![["time", "delay", "action", "edges"].map(str::to_owned)];
    let (mut time, mut delay) = (Rational::ZERO, Rational::ZERO);
    for record in records {
        match record {
            Record::Delay(more) => {
                delay = delay.add(*more)?;
                time = time.add(*more)?;
            }
            Record::Step(StepRecord { event, edges: taken }) => {
                let taken = taken.as_deref().map_or_else(String::new, edges);
                rows.push([times.exact(time), waited(delay, times), action(event), taken]);
                delay = Rational::ZERO;
            }
        }
    }
    if !delay.is_zero() {
        rows.push([times.exact(time), waited(delay, times), "(wait)".to_owned(), String::new()]);
    }
    Ok(align(&rows, &[0, 1]))
}

fn waited(delay: Rational, times: Times) -> String {
    if delay.is_zero() { String::new() } else { format!("+{}", times.exact(delay)) }
}

/// Rows in columns, those listed flush right, each line indented.
pub fn align<const N: usize>(rows: &[[String; N]], right: &[usize]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(widths).enumerate() {
            let padding = " ".repeat(width - cell.chars().count());
            line.push_str("  ");
            line.push_str(&if right.contains(&column) {
                padding + cell
            } else {
                cell.clone() + &padding
            });
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use tioga_concrete::{EdgeRecord, TraceEvent};

    #[test]
    fn a_table_shows_when_and_after_how_long() {
        let edge = |source: &str, target: &str| {
            let (process, source, target) = ("P".to_owned(), source.to_owned(), target.to_owned());
            Some(vec![EdgeRecord { process, source, target, edge: 0 }])
        };
        let records = [
            Record::Delay("3/2".parse().unwrap()),
            Record::Step(StepRecord {
                event: TraceEvent::Input("a".to_owned(), vec![Rational::ONE]),
                edges: edge("l", "m"),
            }),
            Record::Step(StepRecord { event: TraceEvent::Internal(None), edges: edge("m", "m") }),
            Record::Delay(Rational::integer(10)),
        ];
        let expected = "  \
  time  delay  action      edges
   1.5   +1.5  a(1)?       P: l -> m
   1.5         (internal)  P: m -> m
  11.5    +10  (wait)
";
        assert_eq!(table(&records, Times::default()).unwrap(), expected);
    }
}
