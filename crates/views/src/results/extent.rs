//! The ends of values, in words and as JSON.

use serde_json::{Value, json};
use tioga::Reached;
use tioga::words::{number, times};
use tioga_base::Rational;
use tioga_model::Model;
use tioga_symbolic::{End, ExtentAnswer, Range};

use super::state::number_json;

/// The answer in words: a line for each expression that is measured.
pub fn lines(model: &Model, reached: &Reached) -> Vec<String> {
    match &reached.values {
        None | Some(ExtentAnswer::Unknown(_)) => Vec::new(),
        Some(ExtentAnswer::NoState) => vec!["no such state is reachable".to_owned()],
        Some(ExtentAnswer::Found(ranges)) => measured(reached)
            .zip(ranges)
            .map(|((text, time), range)| line(model, text, time, *range))
            .collect(),
    }
}

fn measured(reached: &Reached) -> impl Iterator<Item = (&str, bool)> {
    let measured = reached.question.iter().flat_map(|question| &question.measured);
    measured.map(|(text, time)| (text.as_str(), *time))
}

fn line(model: &Model, text: &str, time: bool, Range { lower, upper }: Range) -> String {
    let shown = |value: i64| match (time, Rational::new(value, model.scale)) {
        (true, Ok(value)) => times(model).exact(value),
        (true, Err(overflow)) => overflow.to_string(),
        (false, _) => number(Rational::integer(value)),
    };
    let sign = |strict: bool| if strict { "<" } else { "<=" };
    match (lower, upper) {
        (Some(End::At { value, strict }), Some(End::At { value: most, strict: below })) => {
            format!("{} {} {text} {} {}", shown(value), sign(strict), sign(below), shown(most))
        }
        (Some(End::At { value, strict }), Some(End::Unbounded)) => {
            let sign = if strict { ">" } else { ">=" };
            format!("{text} {sign} {}, unbounded above", shown(value))
        }
        (Some(End::Unbounded), Some(End::At { value, strict })) => {
            format!("{text} {} {}, unbounded below", sign(strict), shown(value))
        }
        (Some(End::At { value, strict }), None) => {
            format!("{text} {} {}", if strict { ">" } else { ">=" }, shown(value))
        }
        (None, Some(End::At { value, strict })) => {
            format!("{text} {} {}", sign(strict), shown(value))
        }
        (Some(End::Unbounded), Some(End::Unbounded)) => format!("{text} is unbounded"),
        (_, Some(End::Unbounded)) => format!("{text} is unbounded above"),
        (Some(End::Unbounded), None) => format!("{text} is unbounded below"),
        (None, None) => format!("{text} is not measured"),
    }
}

/// The answer as JSON: the values in written units, or no list if no state counts.
pub fn json(model: &Model, reached: &Reached) -> Value {
    let Some(ExtentAnswer::Found(ranges)) = &reached.values else { return Value::Null };
    let value = |time: bool, value: i64| {
        let exact = Rational::new(value, if time { model.scale } else { 1 });
        exact.map_or(Value::Null, number_json)
    };
    let end = |time: bool, end: Option<End>| match end {
        None => Value::Null,
        Some(End::Unbounded) => json!({ "unbounded": true }),
        Some(End::At { value: at, strict }) => {
            json!({ "value": value(time, at), "strict": strict })
        }
    };
    measured(reached)
        .zip(ranges)
        .map(|((text, time), range)| {
            json!({
                "expression": text,
                "lower": end(time, range.lower),
                "upper": end(time, range.upper),
            })
        })
        .collect()
}
