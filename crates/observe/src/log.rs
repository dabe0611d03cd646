//! What a line of an existing log says: one observation.
//!
//! A plain line is a moment and what was seen: `3/2 touch?`, `2 dim!`, `2..5/2 level(3)`, `10 end`. A moment
//! is exact or lies between two bounds. `?` marks an input and `!` an output; without a mark the
//! alphabet decides. `end` says that nothing else was seen up to then. `#` begins a comment. The same
//! as JSON: `{"at": "2..5/2", "output": "level", "values": [3]}`, with `input`, `output` or `end`. Numbers
//! are read from their text, so nothing passes through floating point.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::value::RawValue;
use thiserror::Error;
use tioga_adapters::Alphabet;
use tioga_base::{Moment, Rational};
use tioga_testcase::{Action, Side};

use crate::log_time::LoggedTime;

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
    /// Whether all that is wrong is that the alphabet does not have the action.
    pub unknown: bool,
    /// The field that is wrong, where lines have fields.
    pub(crate) field: Option<String>,
}

impl LogError {
    /// `part` must be a part of `line`; otherwise the whole line is meant.
    pub(crate) fn new(line: &str, part: &str, message: impl Into<String>) -> Self {
        let start = (part.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
        let inside = start <= line.len() && part.len() <= line.len() - start;
        let span = if inside { start..start + part.len() } else { 0..line.len() };
        Self { span, message: message.into(), help: None, unknown: false, field: None }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }
}

/// What was seen at a moment: `touch`, `touch?`, `level(3)!`, `end`. A side that is known needs no mark;
/// values may also be given apart.
pub(crate) fn seen(
    line: &str,
    what: &str,
    at: Moment,
    side: Option<Side>,
    mut values: Vec<String>,
    alphabet: &Alphabet,
) -> Result<Logged, LogError> {
    if what == "end" && side.is_none() && values.is_empty() {
        return Ok(Logged::End { at });
    }
    let (called, marked) = match (what.strip_suffix('?'), what.strip_suffix('!')) {
        (Some(called), _) => (called, Some(Side::Tester)),
        (None, Some(called)) => (called, Some(Side::System)),
        (None, None) => (what, side),
    };
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
    known(at, marked, action, alphabet).map_err(|unknown| unknown.at(line, channel))
}

/// The fields of a JSON object.
pub(crate) fn object<'l>(
    line: &str,
    content: &'l str,
) -> Result<BTreeMap<String, &'l RawValue>, LogError> {
    serde_json::from_str(content).map_err(|error| {
        let text = error.to_string();
        let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
        // Columns count bytes from 1; zero is before the first.
        let at = error.column().saturating_sub(1).min(content.len().saturating_sub(1));
        let part = content.get(at..).and_then(|rest| rest.get(..rest.chars().next()?.len_utf8()));
        LogError::new(line, part.unwrap_or(content), reason)
    })
}

/// The fields of objects that this program writes.
pub(crate) const FIELDS: [&str; 5] = ["at", "input", "output", "end", "values"];

/// A part of a JSON object. Names and moments stand in the line as they are, unless they need escapes.
pub(crate) fn part_of<'l>(content: &'l str, text: &str) -> &'l str {
    let found = content.match_indices(text).map(|(at, _)| &content[at..at + text.len()]).last();
    found.unwrap_or(content)
}

/// What an object says whose fields are those that this program writes.
pub(crate) fn of_object(
    line: &str,
    content: &str,
    object: &BTreeMap<String, &RawValue>,
    alphabet: &Alphabet,
) -> Result<(LoggedTime, Result<Logged, LogError>), LogError> {
    let wrong = |message: String| LogError::new(line, content, message);
    let (at, time) = match object.get("at").and_then(|raw| plain(raw)) {
        Some(moment) => LoggedTime::read(&moment)
            .map_err(|message| LogError::new(line, part_of(content, &moment), message))?,
        None => return Err(wrong("`at` must say when it was".to_owned())),
    };
    let name = |key: &str| object.get(key).and_then(|raw| quoted(raw));
    let (by, channel) = match (name("input"), name("output"), object.get("end")) {
        (Some(channel), None, None) => (Side::Tester, channel),
        (None, Some(channel), None) => (Side::System, channel),
        (None, None, Some(end)) if end.get() == "true" => {
            return Ok((time, Ok(Logged::End { at })));
        }
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
    let logged = known(at, Some(by), action, alphabet)
        .map_err(|unknown| unknown.at(line, part_of(content, &channel)));
    Ok((time, logged))
}

/// A text, a number or a truth value, as it is written.
pub(crate) fn plain(raw: &RawValue) -> Option<String> {
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

/// A value as actions carry it: a number without a choice of how to write it.
pub(crate) fn value(text: &str) -> Result<String, String> {
    match text {
        "true" => Ok("1".to_owned()),
        "false" => Ok("0".to_owned()),
        number => match Rational::with_exponent(number) {
            Some(number) => Ok(number.to_string()),
            None => Err(format!("`{number}` is no value such as `3`, `1/2` or `true`")),
        },
    }
}

/// Why an action is not one of the alphabet, and what may have been meant.
struct Unfit {
    message: String,
    help: Option<String>,
    /// Whether the alphabet has nothing of this name.
    unknown: bool,
}

impl Unfit {
    fn at(self, line: &str, part: &str) -> LogError {
        let Self { message, help, unknown } = self;
        LogError { help, unknown, ..LogError::new(line, part, message) }
    }
}

/// Checks the name, and finds its side.
fn known(
    at: Moment,
    marked: Option<Side>,
    action: Action,
    alphabet: &Alphabet,
) -> Result<Logged, Unfit> {
    let input = alphabet.inputs.contains(&action.channel);
    let output = alphabet.outputs.contains(&action.channel);
    let channel = &action.channel;
    let by = match (marked, input, output) {
        (Some(Side::Tester), true, _) | (None, true, false) => Side::Tester,
        (Some(Side::System), _, true) | (None, false, true) => Side::System,
        (None, true, true) => {
            let help = format!("write `{channel}?` for the input and `{channel}!` for the output");
            let message = format!("`{channel}` goes both ways");
            return Err(Unfit { message, help: Some(help), unknown: false });
        }
        (Some(marked), ..) if input || output => {
            let (side, other) = if marked == Side::Tester { ('?', '!') } else { ('!', '?') };
            let help = format!("write `{channel}{other}` instead of `{channel}{side}`");
            let message = format!("`{channel}` goes the other way");
            return Err(Unfit { message, help: Some(help), unknown: false });
        }
        _ => {
            let names = alphabet.inputs.iter().chain(&alphabet.outputs).map(String::as_str);
            let all: Vec<&str> = names.clone().collect();
            let help = match (tioga_base::closest(channel, names), &all[..]) {
                (Some(near), _) => Some(format!("did you mean `{near}`?")),
                (None, []) => None,
                (None, all) => Some(format!("it has {}", all.join(", "))),
            };
            let message = format!("there is no input or output `{channel}`");
            return Err(Unfit { message, help, unknown: true });
        }
    };
    Ok(Logged::Action { at, by, action })
}
