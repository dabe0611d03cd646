//! The messages of the JSON-lines protocol, as bytes and back. Numbers are read from their text, so
//! nothing passes through floating point.
//!
//! What the tester writes is always spelled the same way, without spaces, so that a system can
//! recognize it without a JSON library. What the system writes may be any JSON that says the same.

use std::borrow::Cow;
use std::io::Write;

use serde::Deserialize;
use serde_json::value::RawValue;
use tioga_base::Rational;
use tioga_testcase::Action;

use crate::alphabet::Alphabet;
use crate::protocol::TimeBase;

/// The version of the protocol.
const VERSION: u64 = 1;

/// What a system can say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Message {
    Hello { inputs: Option<Vec<String>>, outputs: Option<Vec<String>> },
    Ready,
    Advanced(Rational),
    Output { action: Action, after: Option<Rational> },
    Error(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields<'l> {
    #[serde(default, borrow)]
    output: Option<Cow<'l, str>>,
    #[serde(default, borrow)]
    values: Option<Vec<&'l RawValue>>,
    #[serde(default, borrow)]
    after: Option<&'l RawValue>,
    #[serde(default, borrow)]
    advanced: Option<&'l RawValue>,
    #[serde(default)]
    hello: Option<Interface>,
    #[serde(default)]
    ready: Option<bool>,
    #[serde(default)]
    error: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Interface {
    #[serde(default)]
    inputs: Option<Vec<String>>,
    #[serde(default)]
    outputs: Option<Vec<String>>,
}

/// Reads a line, or says why it is no message.
pub(super) fn parse(line: &[u8]) -> Result<Message, String> {
    let text = std::str::from_utf8(line).map_err(|_| "a line is not UTF-8".to_owned())?;
    let fields: Fields<'_> = serde_json::from_str(text).map_err(|error| {
        // The position says the line of the text, which is always the first.
        let why = error.to_string();
        let why = why.split(" at line 1 column").next().unwrap_or_default();
        format!("a line is no message ({why})")
    })?;
    let kinds = [
        fields.output.is_some(),
        fields.advanced.is_some(),
        fields.hello.is_some(),
        fields.ready.is_some(),
        fields.error.is_some(),
    ];
    if kinds.iter().filter(|kind| **kind).count() != 1 {
        return Err(
            "a message has exactly one of `hello`, `ready`, `advanced`, `output` and `error`"
                .to_owned(),
        );
    }
    if let Some(channel) = fields.output {
        let values = fields.values.unwrap_or_default().into_iter().map(value);
        let values = values.collect::<Result<_, _>>()?;
        let after = fields.after.map(number).transpose()?;
        return Ok(Message::Output { action: Action { channel: channel.into(), values }, after });
    }
    if fields.values.is_some() || fields.after.is_some() {
        return Err("`values` and `after` belong to an `output`".to_owned());
    }
    if let Some(time) = fields.advanced {
        return Ok(Message::Advanced(number(time)?));
    }
    if let Some(Interface { inputs, outputs }) = fields.hello {
        return Ok(Message::Hello { inputs, outputs });
    }
    match (fields.ready, fields.error) {
        (Some(true), _) => Ok(Message::Ready),
        (_, Some(text)) => Ok(Message::Error(text)),
        _ => Err("`ready` can only be true".to_owned()),
    }
}

/// A number, written as one or as text.
fn number(raw: &RawValue) -> Result<Rational, String> {
    let raw = raw.get();
    let unquoted = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"'));
    let text = unquoted.unwrap_or(raw);
    Rational::with_exponent(text)
        .ok_or_else(|| format!("{raw} is no number of 64 bits like 3, \"3/2\" or 0.25"))
}

fn value(raw: &RawValue) -> Result<String, String> {
    number(raw).map(|number| number.to_string())
}

/// `{"hello":…}`: what the test needs, and whose time it is.
pub(super) fn hello(alphabet: &Alphabet, time: TimeBase) -> Vec<u8> {
    let mut line = Vec::new();
    put(&mut line, format_args!("{{\"hello\":{{\"version\":{VERSION},\"inputs\":"));
    put_names(&mut line, &alphabet.inputs);
    line.extend_from_slice(b",\"outputs\":");
    put_names(&mut line, &alphabet.outputs);
    match time {
        TimeBase::Virtual => line.extend_from_slice(b",\"time\":\"virtual\"}}\n"),
        TimeBase::Real { unit_ns } => {
            put(&mut line, format_args!(",\"time\":\"real\",\"unit_ns\":{unit_ns}}}}}\n"));
        }
    }
    line
}

/// `{"reset":{"seed":7}}`.
pub(super) fn put_reset(line: &mut Vec<u8>, seed: u64) {
    put(line, format_args!("{{\"reset\":{{\"seed\":{seed}}}}}\n"));
}

/// `{"input":"touch"}` or `{"input":"set","values":[1,"3/2"]}`.
pub(super) fn put_input(line: &mut Vec<u8>, input: &Action) {
    line.extend_from_slice(b"{\"input\":");
    put_text(line, &input.channel);
    if !input.values.is_empty() {
        line.extend_from_slice(b",\"values\":[");
        for (position, value) in input.values.iter().enumerate() {
            if position > 0 {
                line.push(b',');
            }
            match value.parse::<Rational>().ok().and_then(Rational::to_integer) {
                Some(integer) => put(line, format_args!("{integer}")),
                None => put_text(line, value),
            }
        }
        line.push(b']');
    }
    line.extend_from_slice(b"}\n");
}

/// `{"advance":"3/2"}`.
pub(super) fn put_advance(line: &mut Vec<u8>, delay: Rational) {
    put(line, format_args!("{{\"advance\":\"{delay}\"}}\n"));
}

/// `{"bye":true}`.
pub(super) fn put_bye(line: &mut Vec<u8>) {
    line.extend_from_slice(b"{\"bye\":true}\n");
}

fn put(line: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    line.write_fmt(text).expect("writing to memory does not fail");
}

fn put_text(line: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(line, text).expect("a text has a JSON form");
}

fn put_names(line: &mut Vec<u8>, names: &[String]) {
    serde_json::to_writer(line, names).expect("names have a JSON form");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn output(line: &str) -> (Action, Option<Rational>) {
        match parse(line.as_bytes()) {
            Ok(Message::Output { action, after }) => (action, after),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn numbers_are_read_exactly_however_they_are_written() {
        let cases = [
            ("3", "3"),
            ("\"3/2\"", "3/2"),
            ("0.25", "1/4"),
            ("\"0.1\"", "1/10"),
            ("1.0", "1"),
            ("1e-07", "1/10000000"),
            ("2.5E3", "2500"),
        ];
        for (written, meant) in cases {
            let line = format!("{{\"output\":\"a\",\"after\":{written},\"values\":[{written}]}}");
            let (action, after) = output(&line);
            assert_eq!(after.unwrap().to_string(), meant);
            assert_eq!(action.values, [meant]);
        }
    }

    #[test]
    fn messages_may_have_any_spacing_and_escapes() {
        let (action, after) = output(" { \"after\" : 1 , \"output\" : \"d\\u0069m\" } ");
        assert_eq!((action.channel.as_str(), after), ("dim", Some(Rational::ONE)));
        assert_eq!(parse(b"{\"ready\": true}"), Ok(Message::Ready));
        assert_eq!(parse(b"{\"error\":\"no\"}"), Ok(Message::Error("no".to_owned())));
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_reason() {
        for line in [
            "",
            "dim",
            "[]",
            "{}",
            "{\"ready\":false}",
            "{\"ready\":1}",
            "{\"ready\":true,\"advanced\":1}",
            "{\"advanced\":\"soon\"}",
            "{\"advanced\":1,\"after\":1}",
            "{\"advanced\":1e99}",
            "{\"output\":7}",
            "{\"output\":\"a\",\"values\":[\"x\"]}",
            "{\"output\":\"a\",\"values\":[true]}",
            "{\"output\":\"a\",\"at\":1}",
            "{\"output\":\"a\"} {}",
            "{\"hello\":{\"input\":[]}}",
            "{\"output\":\"a\",\"output\":\"b\"}",
        ] {
            assert!(parse(line.as_bytes()).is_err(), "{line}");
        }
        assert_eq!(parse(b"\xff").unwrap_err(), "a line is not UTF-8");
    }

    #[test]
    fn what_the_tester_writes_is_spelled_one_way() {
        let mut line = Vec::new();
        put_reset(&mut line, 7);
        let action = |values: &[&str]| Action {
            channel: "set".to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        };
        put_input(&mut line, &action(&[]));
        put_input(&mut line, &action(&["-1", "3/2"]));
        put_advance(&mut line, Rational::new(3, 2).unwrap());
        put_bye(&mut line);
        let expected = "{\"reset\":{\"seed\":7}}\n{\"input\":\"set\"}\n\
            {\"input\":\"set\",\"values\":[-1,\"3/2\"]}\n{\"advance\":\"3/2\"}\n{\"bye\":true}\n";
        assert_eq!(String::from_utf8(line).unwrap(), expected);
    }

    #[test]
    fn hello_says_the_alphabet_and_the_time() {
        let alphabet = Alphabet {
            inputs: vec!["a".to_owned()],
            outputs: vec!["b".to_owned(), "c".to_owned()],
            ..Alphabet::default()
        };
        let exact = String::from_utf8(hello(&alphabet, TimeBase::Virtual)).unwrap();
        let expected =
            "{\"hello\":{\"version\":1,\"inputs\":[\"a\"],\"outputs\":[\"b\",\"c\"],\"time\":";
        assert_eq!(exact, format!("{expected}\"virtual\"}}}}\n"));
        let real = hello(&alphabet, TimeBase::Real { unit_ns: 5 });
        let real = String::from_utf8(real).unwrap();
        assert_eq!(real, format!("{expected}\"real\",\"unit_ns\":5}}}}\n"));
    }

    proptest! {
        #[test]
        fn no_line_disturbs_the_reader(line in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = parse(&line);
        }

        #[test]
        fn times_are_read_as_they_are_written(numerator in any::<i32>(), denominator in 1i32..) {
            let time = Rational::new(numerator.into(), denominator.into()).unwrap();
            let line = format!("{{\"advanced\":\"{time}\"}}");
            prop_assert_eq!(parse(line.as_bytes()), Ok(Message::Advanced(time)));
        }
    }
}
