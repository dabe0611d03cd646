//! Existing logs: one observation per line.
//!
//! A line is a moment and what was seen: `3/2 touch?`, `2 dim!`, `2..5/2 level(3)`, `10 end`. A moment
//! is exact or lies between two bounds. `?` marks an input and `!` an output; without a mark the
//! alphabet decides. `end` says that nothing else was seen up to then. `#` begins a comment. The same
//! as JSON: `{"at": "2..5/2", "output": "level", "values": [3]}`, with `input`, `output` or `end`. Numbers
//! are read from their text, so nothing passes through floating point.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;
use thiserror::Error;
use tioga_base::{Moment, ParseRationalError, Rational};
use tioga_testcase::{Action, Side};

use crate::adapters::alphabet::Alphabet;
use crate::text::exact;

/// One line of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Logged {
    /// An input or an output.
    Action {
        /// When.
        at: Moment,
        /// Whether the tester or the system did it.
        by: Side,
        /// What.
        action: Action,
    },
    /// Nothing else was seen up to here.
    End {
        /// When.
        at: Moment,
    },
}

impl Logged {
    /// When it was.
    pub fn at(&self) -> Moment {
        match self {
            Self::Action { at, .. } | Self::End { at } => *at,
        }
    }

    /// Reads a line; nothing if it is empty or a comment.
    pub fn parse(line: &str, alphabet: &Alphabet) -> Result<Option<Self>, LogError> {
        let content = line.trim();
        if content.is_empty() || content.starts_with('#') {
            return Ok(None);
        }
        let read = if content.starts_with('{') { json } else { text };
        read(line, content, alphabet).map(Some)
    }
}

/// What is wrong with a line, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct LogError {
    /// The bytes of the line that are wrong.
    pub span: Range<usize>,
    /// What is wrong with them.
    pub message: String,
    /// What would be right, if that is known.
    pub help: Option<String>,
}

impl LogError {
    /// `part` must be a part of `line`; otherwise the whole line is meant.
    fn new(line: &str, part: &str, message: impl Into<String>) -> Self {
        let start = (part.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
        let inside = start <= line.len() && part.len() <= line.len() - start;
        let span = if inside { start..start + part.len() } else { 0..line.len() };
        Self { span, message: message.into(), help: None }
    }

    fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

fn text(line: &str, content: &str, alphabet: &Alphabet) -> Result<Logged, LogError> {
    let content = content.split('#').next().unwrap_or_default().trim_end();
    let Some((moment, what)) = content.split_once(char::is_whitespace) else {
        let error = LogError::new(line, content, "a line is a moment and what was seen");
        return Err(error.help("write for example `3/2 touch?`"));
    };
    let at = moment_of(moment).map_err(|message| LogError::new(line, moment, message))?;
    let what = what.trim();
    if what == "end" {
        return Ok(Logged::End { at });
    }
    let (called, marked) = match (what.strip_suffix('?'), what.strip_suffix('!')) {
        (Some(called), _) => (called, Some(Side::Tester)),
        (None, Some(called)) => (called, Some(Side::System)),
        (None, None) => (what, None),
    };
    let mut values = Vec::new();
    let channel = match called.strip_suffix(')').and_then(|called| called.split_once('(')) {
        None => called.trim(),
        Some((channel, list)) => {
            for part in list.split(',').map(str::trim).filter(|_| !list.trim().is_empty()) {
                values.push(value(part).map_err(|message| LogError::new(line, part, message))?);
            }
            channel.trim()
        }
    };
    let action = Action { channel: channel.to_owned(), values };
    known(at, marked, action, alphabet)
        .map_err(|(message, help)| LogError { help, ..LogError::new(line, channel, message) })
}

fn json(line: &str, content: &str, alphabet: &Alphabet) -> Result<Logged, LogError> {
    let wrong = |message: String| LogError::new(line, content, message);
    let read: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_str(content);
    let object = read.map_err(|error| {
        let text = error.to_string();
        let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
        // Columns count bytes from 1; zero is before the first.
        let at = error.column().saturating_sub(1).min(content.len().saturating_sub(1));
        let part = content.get(at..).and_then(|rest| rest.get(..rest.chars().next()?.len_utf8()));
        LogError::new(line, part.unwrap_or(content), reason)
    })?;
    // Names and moments stand in the line as they are, unless they need escapes.
    let part = |text: &str| {
        content.match_indices(text).map(|(start, _)| &content[start..start + text.len()]).last()
    };
    let at_part =
        |text: &str, message: String| LogError::new(line, part(text).unwrap_or(content), message);
    let allowed = ["at", "input", "output", "end", "values"];
    if let Some(key) = object.keys().find(|key| !allowed.contains(&key.as_str())) {
        let error = at_part(key, format!("`{key}` is not known"));
        return Err(error.help(format!("a line has {}", allowed.join(", "))));
    }
    let at = match object.get("at").and_then(|raw| plain(raw)) {
        Some(moment) => moment_of(&moment).map_err(|message| at_part(&moment, message))?,
        None => return Err(wrong("`at` must say when it was".to_owned())),
    };
    let name = |key: &str| object.get(key).and_then(|raw| quoted(raw));
    let (by, channel) = match (name("input"), name("output"), object.get("end")) {
        (Some(channel), None, None) => (Side::Tester, channel),
        (None, Some(channel), None) => (Side::System, channel),
        (None, None, Some(end)) if end.get() == "true" => return Ok(Logged::End { at }),
        _ => return Err(wrong("a line has one of `input`, `output` and `end: true`".to_owned())),
    };
    let values = match object.get("values") {
        None => Vec::new(),
        Some(list) => {
            let values: Vec<&RawValue> = serde_json::from_str(list.get())
                .map_err(|_| wrong("`values` is a list".to_owned()))?;
            let values = values.into_iter().map(|raw| match plain(raw) {
                Some(text) => value(&text),
                None => Err("values are numbers".to_owned()),
            });
            values.collect::<Result<_, _>>().map_err(wrong)?
        }
    };
    let action = Action { channel: channel.clone(), values };
    known(at, Some(by), action, alphabet)
        .map_err(|(message, help)| LogError { help, ..at_part(&channel, message) })
}

/// A text, a number or a truth value, as it is written.
fn plain(raw: &RawValue) -> Option<String> {
    let text = raw.get();
    match text.as_bytes().first()? {
        b'"' => quoted(raw),
        b'[' | b'{' | b'n' => None,
        _ => Some(text.to_owned()),
    }
}

fn quoted(raw: &RawValue) -> Option<String> {
    serde_json::from_str(raw.get()).ok()
}

fn moment_of(text: &str) -> Result<Moment, String> {
    let moment = exact(text).map(Moment::exactly).or_else(|| text.parse().ok());
    moment.ok_or_else(|| match text.parse::<Rational>() {
        Err(ParseRationalError::Unrepresentable) => {
            format!("`{text}` is too large or too fine to be exact in 64 bits")
        }
        _ => format!("`{text}` is no moment such as `3/2` or `3..4`"),
    })
}

/// A value as actions carry it: a number without a choice of how to write it.
fn value(text: &str) -> Result<String, String> {
    match text {
        "true" => Ok("1".to_owned()),
        "false" => Ok("0".to_owned()),
        number => match exact(number) {
            Some(number) => Ok(number.to_string()),
            None => Err(format!("`{number}` is no value such as `3`, `1/2` or `true`")),
        },
    }
}

/// Checks the name, and finds out who did it. If that fails, why, and what may have been meant.
fn known(
    at: Moment,
    marked: Option<Side>,
    action: Action,
    alphabet: &Alphabet,
) -> Result<Logged, (String, Option<String>)> {
    let input = alphabet.inputs.contains(&action.channel);
    let output = alphabet.outputs.contains(&action.channel);
    let channel = &action.channel;
    let by = match (marked, input, output) {
        (Some(Side::Tester), true, _) | (None, true, false) => Side::Tester,
        (Some(Side::System), _, true) | (None, false, true) => Side::System,
        (None, true, true) => {
            let help = format!("write `{channel}?` for the input and `{channel}!` for the output");
            return Err((format!("`{channel}` goes both ways"), Some(help)));
        }
        (Some(marked), ..) if input || output => {
            let (side, other) = if marked == Side::Tester { ('?', '!') } else { ('!', '?') };
            let help = format!("write `{channel}{other}` instead of `{channel}{side}`");
            return Err((format!("`{channel}` goes the other way"), Some(help)));
        }
        _ => {
            let names = alphabet.inputs.iter().chain(&alphabet.outputs).map(String::as_str);
            let all: Vec<&str> = names.clone().collect();
            let help = match (tioga_base::closest(channel, names), &all[..]) {
                (Some(near), _) => Some(format!("did you mean `{near}`?")),
                (None, []) => None,
                (None, all) => Some(format!("it has {}", all.join(", "))),
            };
            return Err((format!("there is no input or output `{channel}`"), help));
        }
    };
    Ok(Logged::Action { at, by, action })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn alphabet() -> Alphabet {
        Alphabet {
            inputs: vec!["touch".into()],
            outputs: vec!["dim".into(), "level".into()],
            ..Alphabet::default()
        }
    }

    #[test]
    fn a_line_says_the_same_in_both_forms() {
        let pairs = [
            ("3/2 touch?", r#"{"at": "3/2", "input": "touch"}"#),
            ("2 dim", r#"{"at": 2, "output": "dim"}"#),
            (
                "2..5/2 level(3, 1/2)! # bright",
                r#"{"at":"2..5/2","output":"level","values":[3,"1/2"]}"#,
            ),
            ("10.5 end", r#"{"at": 10.5, "end": true}"#),
            ("1700000000.123456789 dim", r#"{"at": 1700000000.123456789, "output": "dim"}"#),
            (
                "9007199254740993 level(0.30000000000000004)",
                r#"{"at": 9007199254740993, "output": "level", "values": [0.30000000000000004]}"#,
            ),
            ("1.5e3 dim", r#"{"at": 1.5e3, "output": "dim"}"#),
        ];
        for (text, json) in pairs {
            let read = Logged::parse(text, &alphabet());
            assert!(matches!(read, Ok(Some(_))), "{text}: {read:?}");
            assert_eq!(read, Logged::parse(json, &alphabet()));
        }
        assert_eq!(Logged::parse("  # nothing", &alphabet()), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_said_and_pointed_at() {
        let wrong = [
            ("touch", "a line is a moment", "touch"),
            ("  soon touch", "`soon` is no moment", "soon"),
            ("5..4 touch", "is no moment", "5..4"),
            ("1 touch!", "goes the other way", "touch"),
            ("1  tuch ?", "there is no input or output `tuch`", "tuch"),
            ("1 level(1, high)", "`high` is no value", "high"),
            (r#"{"at": 1}"#, "one of `input`", r#"{"at": 1}"#),
            (r#"{"at": 1, "output": "dim", "colour": 3}"#, "`colour` is not known", "colour"),
            (r#"{"at": "soon", "output": "dim"}"#, "is no moment", "soon"),
            (r#"{"at": 1, "output": "dum"}"#, "`dum`", "dum"),
            (r#"{"at": 1, "output" "dim"}"#, "expected `:`", "\""),
        ];
        for (line, message, part) in wrong {
            let error = Logged::parse(line, &alphabet()).unwrap_err();
            assert!(error.message.contains(message), "{line}: {error:?}");
            assert_eq!(&line[error.span], part, "{line}");
        }
        let meant = Logged::parse("1 tuch", &alphabet()).unwrap_err().help;
        assert_eq!(meant.as_deref(), Some("did you mean `touch`?"));
    }

    #[test]
    fn values_are_the_same_however_they_are_written() {
        let read = |line: &str| Logged::parse(line, &alphabet()).unwrap();
        assert_eq!(read("1 level(0.5, true)"), read("1 level( 2/4 ,1 )!"));
        assert_eq!(read("1 dim()"), read("1 dim"));
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_pointed_at(line in ".{0,40}") {
            if let Err(error) = Logged::parse(&line, &alphabet()) {
                prop_assert!(line.get(error.span).is_some());
            }
        }
    }
}
