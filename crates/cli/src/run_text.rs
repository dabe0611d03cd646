//! Runs as text for people: a table of times, actions and edges.

use serde_json::Value;
use tioga_base::{Overflow, Rational};
use tioga_concrete::{
    EdgeRecord, Interval, Intervals, Record, StepRecord, Trace, TraceEvent, step_record,
};
use tioga_model::{Model, Step};
use tioga_symbolic::TimedStep;

/// What an event is called in a table: `touch?`, `dim!`, `a?/b!`, `(load)`.
pub fn action(event: &TraceEvent) -> String {
    match event {
        TraceEvent::Input(name, values) => format!("{}?", call(name, values)),
        TraceEvent::Output(name, values) => format!("{}!", call(name, values)),
        TraceEvent::Exchange(input, values, output, reply) => {
            format!("{}?/{}!", call(input, values), call(output, reply))
        }
        TraceEvent::Internal(Some(name)) => format!("({name})"),
        TraceEvent::Internal(None) => "(internal)".to_owned(),
    }
}

fn call(name: &str, values: &[Rational]) -> String {
    if values.is_empty() {
        return name.to_owned();
    }
    let values: Vec<String> = values.iter().copied().map(number).collect();
    format!("{name}({})", values.join(", "))
}

/// The edges a move takes: `Train(0): Away -> Near, Gate: Free -> Occupied`.
pub fn edges(edges: &[EdgeRecord]) -> String {
    let edge = |edge: &EdgeRecord| format!("{}: {} -> {}", edge.process, edge.source, edge.target);
    edges.iter().map(edge).collect::<Vec<_>>().join(", ")
}

/// Delays and moves as records; delays of zero are left out.
pub fn timed_records<'s>(
    model: &Model,
    steps: impl IntoIterator<Item = (Rational, Option<&'s Step>)>,
) -> Vec<Record> {
    let mut records = Vec::new();
    for (delay, step) in steps {
        if !delay.is_zero() {
            records.push(Record::Delay(delay));
        }
        records.extend(step.map(|step| Record::Move(step_record(model, step))));
    }
    records
}

/// The records of a run as a table: the time and the delay before each move, what it shows and
/// which edges it takes. A delay at the end has a row of its own.
pub fn table(records: &[Record]) -> Result<String, Overflow> {
    let mut rows = vec![["time", "delay", "action", "edges"].map(str::to_owned)];
    let (mut time, mut delay) = (Rational::ZERO, Rational::ZERO);
    for record in records {
        match record {
            Record::Delay(more) => {
                delay = delay.add(*more)?;
                time = time.add(*more)?;
            }
            Record::Move(StepRecord { event, edges: taken }) => {
                let taken = taken.as_deref().map_or_else(String::new, edges);
                rows.push([number(time), waited(delay), action(event), taken]);
                delay = Rational::ZERO;
            }
        }
    }
    if !delay.is_zero() {
        rows.push([number(time), waited(delay), "(wait)".to_owned(), String::new()]);
    }
    Ok(align(&rows, &[0, 1]))
}

fn waited(delay: Rational) -> String {
    if delay.is_zero() { String::new() } else { format!("+{}", number(delay)) }
}

/// A run with exact delays as a trace that names every edge.
pub fn trace(model: &Model, steps: &[TimedStep]) -> Trace {
    let records = timed_records(model, steps.iter().map(|one| (one.delay, one.step.as_ref())));
    Trace { model: model.name.clone(), seed: None, records }
}

/// The records of a trace as JSON, the same objects as in its JSON Lines form.
pub fn records(trace: &Trace) -> Vec<Value> {
    let lines = trace.to_jsonl();
    let record = |line| serde_json::from_str(line).expect("the JSON Lines form is made of JSON");
    lines.lines().skip(1).map(record).collect()
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

/// A number for people: exact decimals where a few digits suffice, otherwise a fraction.
pub fn number(value: Rational) -> String {
    const DIGITS: u32 = 6;
    let power = 10i64.pow(DIGITS);
    let scaled = value.mul(Rational::integer(power)).ok().and_then(Rational::to_integer);
    let Some(scaled) = scaled else { return value.to_string() };
    let sign = if scaled < 0 { "-" } else { "" };
    let scaled = scaled.unsigned_abs();
    let (whole, rest) = (scaled / power.unsigned_abs(), scaled % power.unsigned_abs());
    let decimals = format!("{rest:06}");
    let text = format!("{sign}{whole}.{decimals}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A set of delays for people: `[0,2.5) or {4}`.
pub fn windows(windows: &Intervals) -> String {
    let parts: Vec<String> = windows.parts().iter().map(window).collect();
    if parts.is_empty() { "never".to_owned() } else { parts.join(" or ") }
}

/// An interval of delays for people: `[0,2.5)`.
pub fn window(interval: &Interval) -> String {
    let (lower, excluded) = interval.lower();
    let open = if excluded { '(' } else { '[' };
    match interval.upper() {
        None => format!("{open}{},inf)", number(lower)),
        Some((upper, _)) if upper == lower => format!("{{{}}}", number(lower)),
        Some((upper, excluded)) => {
            let close = if excluded { ')' } else { ']' };
            format!("{open}{},{}{close}", number(lower), number(upper))
        }
    }
}

/// An amount of model time, with the unit if the model has one: `3.5 s` or `3.5 time units`.
pub fn amount(model: &Model, time: Rational) -> String {
    let shown = number(time);
    match model.time_unit {
        Some(unit) if unit.amount == Rational::ONE => format!("{shown} {}", unit.unit.name()),
        Some(unit) => format!("{shown} x {} {}", number(unit.amount), unit.unit.name()),
        None if time == Rational::ONE => "1 time unit".to_owned(),
        None => format!("{shown} time units"),
    }
}

/// `1 move`, `2 moves`.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_shows_when_and_after_how_long() {
        let edge = |source: &str, target: &str| {
            let (process, source, target) = ("P".to_owned(), source.to_owned(), target.to_owned());
            Some(vec![EdgeRecord { process, source, target, edge: 0 }])
        };
        let records = [
            Record::Delay("3/2".parse().unwrap()),
            Record::Move(StepRecord {
                event: TraceEvent::Input("a".to_owned(), vec![Rational::ONE]),
                edges: edge("l", "m"),
            }),
            Record::Move(StepRecord { event: TraceEvent::Internal(None), edges: edge("m", "m") }),
            Record::Delay(Rational::integer(10)),
        ];
        let expected = "  \
  time  delay  action      edges
   1.5   +1.5  a(1)?       P: l -> m
   1.5         (internal)  P: m -> m
  11.5    +10  (wait)
";
        assert_eq!(table(&records).unwrap(), expected);
    }

    #[test]
    fn numbers_are_decimals_where_that_is_exact_and_short() {
        let shown = |text: &str| number(text.parse().unwrap());
        assert_eq!(shown("0"), "0");
        assert_eq!(shown("100"), "100");
        assert_eq!(shown("-5/2"), "-2.5");
        assert_eq!(shown("1/1000000"), "0.000001");
        assert_eq!(shown("1/3"), "1/3");
        assert_eq!(shown("1/128000000"), "1/128000000");
        assert_eq!(shown("9223372036854775807"), "9223372036854775807");
    }

    #[test]
    fn windows_show_their_ends() {
        let interval = Interval::closed(Rational::ZERO, "5/2".parse().unwrap()).unwrap();
        assert_eq!(window(&interval), "[0,2.5]");
        assert_eq!(windows(&Intervals::from(interval).complement()), "(2.5,inf)");
        assert_eq!(windows(&Intervals::none()), "never");
        assert_eq!(window(&Interval::point(Rational::ONE).unwrap()), "{1}");
    }
}
