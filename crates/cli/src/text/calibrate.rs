//! Measured latencies in words and as JSON.

use std::fmt::Write;
use std::time::Duration;

use serde_json::{Value, json};
use tioga::words::count;
use tioga::{Answers, Calibration, Distribution, Suggested};
use tioga_base::{Rational, Times, one_line};

use crate::text::run::align;

/// Which quantiles are shown, in per cent, and what they are called.
const SHOWN: [(usize, &str); 5] =
    [(0, "least"), (50, "median"), (90, "90 %"), (99, "99 %"), (100, "most")];

/// What was measured, for people.
pub fn text(measured: &Calibration) -> String {
    let mut text = String::new();
    if let Some(resets) = &measured.resets {
        let _ = writeln!(text, "round trips of {}:", count(resets.count(), "reset"));
        let head = SHOWN.map(|(_, name)| name.to_owned());
        let times = SHOWN.map(|(percent, _)| milliseconds(resets.quantile(percent)));
        text.push_str(&align(&[head, times], &[0, 1, 2, 3, 4]));
        text.push('\n');
    }
    if let Some(answers) = &measured.answers {
        text.push_str(&answers_text(answers));
        text.push('\n');
    }
    text.push_str("what this cannot tell:\n");
    for line in unknown(measured) {
        let _ = writeln!(text, "  {line}");
    }
    match &measured.suggested {
        Some(suggested) => {
            let _ = writeln!(text, "\nuse: {}", suggested.options());
        }
        None => text.push_str("\nnothing to suggest: no latencies explain what the system does\n"),
    }
    text
}

fn answers_text(answers: &Answers) -> String {
    let Answers { runs, inputs, outputs, raised, explained, unit, unexplained } = answers;
    let times = Times::of(Some(*unit));
    let (inputs, outputs) = (count(*inputs, "input"), count(*outputs, "output"));
    let mut text = format!("{} with {inputs} and {outputs}", count(*runs, "run"));
    if *raised > 0 {
        let _ = write!(text, ", after latencies were raised {}", count(*raised, "time"));
    }
    text.push('\n');
    match (unexplained, explained) {
        (Some(reason), _) => {
            let _ = writeln!(text, "  no latency explains the last: {}", one_line(reason));
        }
        (None, Some((input, output))) => {
            let (input, output) = (times.moment(*input), times.moment(*output));
            let _ = writeln!(text, "  explained by latencies of input {input}, output {output}");
        }
        (None, None) => {}
    }
    text
}

/// What was not measured.
fn unknown(measured: &Calibration) -> Vec<&'static str> {
    let mut lines = vec!["how the time of a round trip divides between input and output"];
    match &measured.answers {
        None => {
            lines.push("whether inputs and outputs take as long as resets; name a model for that")
        }
        Some(_) => {
            lines.push("whether the system was late or a message: the system is taken to be right")
        }
    }
    if measured.is_doubtful() {
        lines.push("runs need much larger latencies than resets take: look first whether the system is wrong");
    }
    lines.push("what happens under more load: measure on the machine of the tests");
    lines
}

/// A time with three digits of a millisecond or more, rounded up.
fn milliseconds(time: Duration) -> String {
    let microseconds = i64::try_from(time.as_nanos().div_ceil(1000)).unwrap_or(i64::MAX);
    let exact = Rational::new(microseconds, 1000).unwrap_or(Rational::ZERO);
    format!("{} ms", tioga::words::number(exact))
}

/// What was measured, as JSON. Times are whole nanoseconds.
pub fn json(measured: &Calibration) -> Value {
    let Calibration { resets, answers, suggested } = measured;
    json!({
        "resets": resets.as_ref().map(distribution),
        "answers": answers.as_ref().map(|answers| json!({
            "runs": answers.runs,
            "inputs": answers.inputs,
            "outputs": answers.outputs,
            "raised": answers.raised,
            "explained": answers.explained.map(|(input, output)| json!({
                "input": input.to_string(),
                "output": output.to_string(),
            })),
            "unit": answers.unit.to_string(),
            "unexplained": answers.unexplained,
        })),
        "unknown": unknown(measured),
        "suggested": suggested.as_ref().map(|one| {
            let Suggested { input, output, jitter } = one;
            json!({
                "in_latency_ns": input,
                "out_latency_ns": output,
                "jitter_ns": jitter,
                "options": one.options(),
            })
        }),
    })
}

fn distribution(times: &Distribution) -> Value {
    let nanoseconds =
        |percent| u64::try_from(times.quantile(percent).as_nanos()).unwrap_or(u64::MAX);
    json!({
        "count": times.count(),
        "least_ns": nanoseconds(0),
        "median_ns": nanoseconds(50),
        "p90_ns": nanoseconds(90),
        "p99_ns": nanoseconds(99),
        "most_ns": nanoseconds(100),
    })
}
