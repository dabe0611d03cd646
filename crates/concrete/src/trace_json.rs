//! The JSON Lines form of traces: one JSON object per line. `docs/formats.md` describes it.

use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use tioga_base::{Diagnostic, Diagnostics, FileId, Rational, Span};

use crate::trace::{EdgeRecord, Record, StepRecord, TRACE_VERSION, Trace, TraceEvent};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderLine {
    tioga_trace: u32,
    model: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

/// One record. Exactly one of `delay`, `input`, `output` and `internal` is there, or both `input`
/// and `output` for an exchange.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RecordLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    delay: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<ActionLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<ActionLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    internal: Option<InternalLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<Vec<EdgeLine>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActionLine {
    channel: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<Value>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InternalLine {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EdgeLine {
    process: String,
    source: String,
    target: String,
    edge: u32,
}

impl Trace {
    /// The JSON Lines form. [`Trace::from_jsonl`] reads it back to the same trace.
    pub fn to_jsonl(&self) -> String {
        let header =
            HeaderLine { tioga_trace: TRACE_VERSION, model: self.model.clone(), seed: self.seed };
        let mut text = json(&header);
        for record in &self.records {
            text.push('\n');
            text.push_str(&json(&record_line(record)));
        }
        text.push('\n');
        text
    }

    /// The records as JSON, the same objects as in the JSON Lines form.
    pub fn record_values(&self) -> Vec<Value> {
        let value = |record| {
            serde_json::to_value(record_line(record))
                .expect("a record is made of texts and numbers")
        };
        self.records.iter().map(value).collect()
    }

    /// Reads the JSON Lines form. Blank lines are ignored.
    pub fn from_jsonl(text: &str, file: FileId) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let mut trace: Option<Self> = None;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let span = Span::new(file, start, start + line.trim_end().len());
            let line_start = start;
            start += line.len();
            if line.trim().is_empty() {
                continue;
            }
            let error = match &mut trace {
                None => match header(line, span, line_start) {
                    Ok(empty) => {
                        trace = Some(empty);
                        continue;
                    }
                    Err(error) => {
                        // Without a header, the rest cannot be trusted to be a trace.
                        diagnostics.push(*error);
                        return Err(diagnostics);
                    }
                },
                Some(trace) => match record(line, span, line_start) {
                    Ok(record) => {
                        trace.records.push(record);
                        continue;
                    }
                    Err(error) => error,
                },
            };
            diagnostics.push(*error);
        }
        if trace.is_none() {
            let span = Span::new(file, text.len(), text.len());
            diagnostics.push(Diagnostic::error("trace-header", span, "the trace is empty").help(
                format!(
                    "a trace starts with `{{\"tioga_trace\":{TRACE_VERSION},\"model\":\"…\"}}`"
                ),
            ));
        }
        match trace {
            Some(trace) if diagnostics.is_empty() => Ok(trace),
            _ => Err(diagnostics),
        }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings, numbers and lists always have a JSON form")
}

fn record_line(record: &Record) -> RecordLine {
    let action = |name: &String, values: &[Rational]| {
        let values = values.iter().copied().map(to_json).collect();
        Some(ActionLine { channel: name.clone(), values })
    };
    let mut line = RecordLine::default();
    let taken = match record {
        Record::Delay(delay) => return RecordLine { delay: Some(to_json(*delay)), ..line },
        Record::Step(taken) => taken,
    };
    match &taken.event {
        TraceEvent::Input(name, values) => line.input = action(name, values),
        TraceEvent::Output(name, values) => line.output = action(name, values),
        TraceEvent::Exchange(input, values, output, reply) => {
            line.input = action(input, values);
            line.output = action(output, reply);
        }
        TraceEvent::Internal(name) => line.internal = Some(InternalLine { name: name.clone() }),
    }
    line.edges = taken.edges.as_ref().map(|edges| {
        let line = |edge: &EdgeRecord| EdgeLine {
            process: edge.process.clone(),
            source: edge.source.clone(),
            target: edge.target.clone(),
            edge: edge.edge,
        };
        edges.iter().map(line).collect()
    });
    line
}

type Result2<T> = Result<T, Box<Diagnostic>>;

fn header(line: &str, span: Span, start: usize) -> Result2<Trace> {
    let header: HeaderLine = parse(line, span, start).map_err(|error| {
        Box::new(error.help(format!(
            "a trace starts with `{{\"tioga_trace\":{TRACE_VERSION},\"model\":\"…\"}}`"
        )))
    })?;
    if header.tioga_trace != TRACE_VERSION {
        let message = format!("unknown version {} of the trace form", header.tioga_trace);
        return Err(Box::new(
            Diagnostic::error("trace-header", span, message)
                .note(format!("this program reads version {TRACE_VERSION}")),
        ));
    }
    Ok(Trace { model: header.model, seed: header.seed, records: Vec::new() })
}

fn record(line: &str, span: Span, start: usize) -> Result2<Record> {
    let line: RecordLine = parse(line, span, start)?;
    let wrong = |message: &str| Box::new(Diagnostic::error("trace-record", span, message));
    if let Some(delay) = &line.delay {
        if line.input.is_some()
            || line.output.is_some()
            || line.internal.is_some()
            || line.edges.is_some()
        {
            return Err(wrong("a delay stands alone in its record"));
        }
        let delay = number(delay, span)?;
        if delay.is_negative() {
            return Err(wrong("a delay cannot be negative"));
        }
        return Ok(Record::Delay(delay));
    }
    let values = |action: &ActionLine| -> Result2<Vec<Rational>> {
        action.values.iter().map(|value| number(value, span)).collect()
    };
    let event = match (&line.input, &line.output, &line.internal) {
        (Some(input), None, None) => TraceEvent::Input(input.channel.clone(), values(input)?),
        (None, Some(output), None) => TraceEvent::Output(output.channel.clone(), values(output)?),
        (Some(input), Some(output), None) => TraceEvent::Exchange(
            input.channel.clone(),
            values(input)?,
            output.channel.clone(),
            values(output)?,
        ),
        (None, None, Some(internal)) => TraceEvent::Internal(internal.name.clone()),
        _ => {
            return Err(wrong(
                "a record has one of `delay`, `input`, `output` and `internal`, or both `input` \
                 and `output`",
            ));
        }
    };
    let edge = |edge: EdgeLine| EdgeRecord {
        process: edge.process,
        source: edge.source,
        target: edge.target,
        edge: edge.edge,
    };
    let edges = line.edges.map(|edges| edges.into_iter().map(edge).collect());
    Ok(Record::Step(StepRecord { event, edges }))
}

fn parse<'a, T: Deserialize<'a>>(line: &'a str, span: Span, start: usize) -> Result2<T> {
    serde_json::from_str(line).map_err(|error| {
        // The reader says where in the line it stopped; columns count bytes from 1.
        let at = start + error.column().saturating_sub(1);
        let end = (span.end as usize).max(at);
        let message = error.to_string();
        let message = message.split(" at line").next().unwrap_or(&message).to_owned();
        Box::new(Diagnostic::error("trace-syntax", Span::new(span.file, at.min(end), end), message))
    })
}

/// Integers are JSON numbers, other rationals strings such as `"7/2"`, so nothing is rounded.
fn to_json(value: Rational) -> Value {
    match value.to_integer() {
        Some(integer) => Value::Number(Number::from(integer)),
        None => Value::String(value.to_string()),
    }
}

fn number(value: &Value, span: Span) -> Result2<Rational> {
    let read = match value {
        Value::Number(number) => number.as_i64().map(Rational::integer),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    read.ok_or_else(|| {
        Box::new(
            Diagnostic::error("trace-number", span, format!("`{value}` is not an exact number"))
                .help("write an integer, or a string such as \"7/2\" or \"0.25\""),
        )
    })
}
