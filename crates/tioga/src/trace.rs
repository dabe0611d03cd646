//! Runs as traces that name every edge, and traces from texts.

use tioga_base::{FileId, Rational, Sources, Span};
use tioga_concrete::{Record, Semantics, State, Trace, step_record};
use tioga_model::{Model, Step};
use tioga_symbolic::TimedStep;

use crate::Failure;

/// Delays and steps as records; delays of zero are left out.
pub fn timed_records<'s>(
    model: &Model,
    steps: impl IntoIterator<Item = (Rational, Option<&'s Step>)>,
) -> Vec<Record> {
    let mut records = Vec::new();
    for (delay, step) in steps {
        if !delay.is_zero() {
            records.push(Record::Delay(delay));
        }
        records.extend(step.map(|step| Record::Step(step_record(model, step))));
    }
    records
}

/// A run with exact delays as a trace.
pub fn trace(model: &Model, steps: &[TimedStep]) -> Trace {
    let records = timed_records(model, steps.iter().map(|one| (one.delay, one.step.as_ref())));
    Trace { model: model.name.clone(), seed: None, records }
}

/// Where a run with exact delays ends, on the reference semantics; none if it is no run.
pub fn run_end(model: &Model, steps: &[TimedStep]) -> Option<State> {
    let mut semantics = Semantics::new(model);
    let mut state = semantics.initial().ok()?;
    for TimedStep { delay, step } in steps {
        state = semantics.delay(&state, *delay).ok()?.ok()?;
        if let Some(step) = step {
            state = semantics.step(&state, step).ok()?;
        }
    }
    Some(state)
}

/// The run of a model that takes the same edges as a run of a variant with further processes. `None` if there is none.
pub(crate) fn with_same_edges(model: &Model, steps: &[TimedStep]) -> Option<Vec<TimedStep>> {
    let mut semantics = Semantics::new(model);
    let mut state = semantics.initial().ok()?;
    let mut run = Vec::new();
    for TimedStep { delay, step } in steps {
        state = semantics.delay(&state, *delay).ok()?.ok()?;
        let mut taken = None;
        if let Some(step) = step {
            let options = semantics.options(&state).ok()?;
            let same = |one: &&Step| {
                (&one.participants, &one.arguments) == (&step.participants, &step.arguments)
            };
            let own = options.now().find(same)?.clone();
            state = semantics.step(&state, &own).ok()?;
            taken = Some(own);
        }
        run.push(TimedStep { delay: *delay, step: taken });
    }
    Some(run)
}

/// Reads a trace in either form: JSON starts with a brace.
pub fn parse_trace(texts: &Sources, file: FileId) -> Result<Trace, Failure> {
    let text = texts.get(file).map_or("", |source| source.text.as_str());
    let trace = if text.trim_start().starts_with('{') {
        Trace::from_jsonl(text, file)
    } else {
        Trace::from_text(text, file)
    };
    trace.map_err(Failure::from)
}

/// The line of a record. In both forms a record is a line; headers, comments and blank lines are
/// not records.
pub fn record_span(texts: &Sources, file: FileId, record: usize) -> Span {
    let text = texts.get(file).map_or("", |source| source.text.as_str());
    let header = |line: &str| {
        ["tioga-trace", "model ", "seed "].iter().any(|word| line.starts_with(word))
            || line.contains("\"tioga_trace\"")
    };
    let mut start = 0;
    let mut records = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        let from = start + line.len() - line.trim_start().len();
        start += line.len();
        if content.is_empty() || content.starts_with("//") || (records == 0 && header(content)) {
            continue;
        }
        if records == record {
            return Span::new(file, from, from + content.len());
        }
        records += 1;
    }
    Span::new(file, text.len(), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_in_both_forms() {
        let slice = |text: &str, record| {
            let mut texts = Sources::new();
            let file = texts.add("trace", text);
            texts.slice(record_span(&texts, file, record)).to_owned()
        };
        let text = "tioga-trace 1\nmodel m\n\n// first\ndelay 1\n  input a // now\ninternal\n";
        assert_eq!(slice(text, 0), "delay 1");
        assert_eq!(slice(text, 1), "input a // now");
        let lines = "{\"tioga_trace\":1,\"model\":\"m\"}\n{\"delay\":1}\n{\"internal\":{}}\n";
        assert_eq!(slice(lines, 1), "{\"internal\":{}}");
        assert_eq!(slice(lines, 7), "");
    }
}
