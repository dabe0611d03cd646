//! Logs of runs that somebody else made: one observation per line.
//!
//! A line is a moment and what was seen: `3/2 touch?`, `2 dim!`, `2..5/2 level(3)`, `10 end`. A moment
//! is exact or lies between two bounds. `?` marks an input and `!` an output; without a mark the
//! alphabet decides. `end` says that nothing else was seen up to then. `#` begins a comment. The same
//! as JSON: `{"at": "2..5/2", "output": "level", "values": [3]}`, with `input`, `output` or `end`.

use serde_json::Value;
use tioga_base::Moment;
use tioga_testcase::{Action, Side};

use crate::{Alphabet, parse_moment};

/// One line of a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Logged {
    /// Somebody did something.
    Action {
        /// When.
        at: Moment,
        /// Who.
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

    /// Reads a line; nothing if it is empty or a comment. The error says what is wrong with it.
    pub fn parse(line: &str, alphabet: &Alphabet) -> Result<Option<Self>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        if line.starts_with('{') { json(line, alphabet) } else { text(line, alphabet) }.map(Some)
    }
}

fn text(line: &str, alphabet: &Alphabet) -> Result<Logged, String> {
    let line = line.split('#').next().unwrap_or_default().trim_end();
    let Some((moment, what)) = line.split_once(char::is_whitespace) else {
        return Err("a line is a moment and what was seen, such as `3/2 touch?`".to_owned());
    };
    let at = moment_of(moment)?;
    let what = what.trim();
    if what == "end" {
        return Ok(Logged::End { at });
    }
    let (what, marked) = match (what.strip_suffix('?'), what.strip_suffix('!')) {
        (Some(what), _) => (what, Some(Side::Tester)),
        (None, Some(what)) => (what, Some(Side::System)),
        (None, None) => (what, None),
    };
    let (channel, values) = match what.strip_suffix(')').and_then(|what| what.split_once('(')) {
        None => (what.trim(), Vec::new()),
        Some((channel, values)) => {
            (channel.trim(), values.split(',').map(|value| value.trim().to_owned()).collect())
        }
    };
    known(at, marked, Action { channel: channel.to_owned(), values }, alphabet)
}

fn json(line: &str, alphabet: &Alphabet) -> Result<Logged, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let object = value.as_object().ok_or("a line is one object")?;
    let allowed = ["at", "input", "output", "end", "values"];
    if let Some(key) = object.keys().find(|key| !allowed.contains(&key.as_str())) {
        return Err(format!("`{key}` is not known; a line has {}", allowed.join(", ")));
    }
    let at = match object.get("at") {
        Some(Value::String(text)) => moment_of(text)?,
        Some(Value::Number(number)) => moment_of(&number.to_string())?,
        _ => return Err("`at` must say when it was".to_owned()),
    };
    let name = |key: &str| object.get(key).and_then(Value::as_str);
    let (by, channel) = match (name("input"), name("output"), object.get("end")) {
        (Some(channel), None, None) => (Side::Tester, channel),
        (None, Some(channel), None) => (Side::System, channel),
        (None, None, Some(Value::Bool(true))) => return Ok(Logged::End { at }),
        _ => return Err("a line has one of `input`, `output` and `end: true`".to_owned()),
    };
    let values = match object.get("values") {
        None => Vec::new(),
        Some(Value::Array(values)) => values
            .iter()
            .map(|value| match value {
                Value::String(text) => Ok(text.clone()),
                Value::Number(number) => Ok(number.to_string()),
                Value::Bool(truth) => Ok(i64::from(*truth).to_string()),
                _ => Err("values are numbers".to_owned()),
            })
            .collect::<Result<_, _>>()?,
        Some(_) => return Err("`values` is a list".to_owned()),
    };
    known(at, Some(by), Action { channel: channel.to_owned(), values }, alphabet)
}

fn moment_of(text: &str) -> Result<Moment, String> {
    parse_moment(text).ok_or_else(|| format!("`{text}` is no moment such as `3/2` or `3..4`"))
}

/// Checks the name, and finds out who did it.
fn known(
    at: Moment,
    marked: Option<Side>,
    action: Action,
    alphabet: &Alphabet,
) -> Result<Logged, String> {
    let input = alphabet.inputs.contains(&action.channel);
    let output = alphabet.outputs.contains(&action.channel);
    let by = match (marked, input, output) {
        (Some(Side::Tester), true, _) | (None, true, false) => Side::Tester,
        (Some(Side::System), _, true) | (None, false, true) => Side::System,
        (None, true, true) => {
            return Err(format!("`{}` goes both ways: mark it with ? or !", action.channel));
        }
        (Some(_), ..) if input || output => {
            return Err(format!("`{}` goes the other way", action.channel));
        }
        _ => {
            let names = alphabet.inputs.iter().chain(&alphabet.outputs).map(String::as_str);
            let hint = tioga_base::closest(&action.channel, names);
            let hint = hint.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            return Err(format!("there is no `{}` in the model{hint}", action.channel));
        }
    };
    Ok(Logged::Action { at, by, action })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alphabet() -> Alphabet {
        Alphabet { inputs: vec!["touch".into()], outputs: vec!["dim".into(), "level".into()] }
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
        ];
        for (text, json) in pairs {
            let read = Logged::parse(text, &alphabet());
            assert!(matches!(read, Ok(Some(_))), "{text}: {read:?}");
            assert_eq!(read, Logged::parse(json, &alphabet()));
        }
        assert_eq!(Logged::parse("  # nothing", &alphabet()), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = [
            ("touch", "a line is a moment"),
            ("soon touch", "`soon` is no moment"),
            ("5..4 touch", "is no moment"),
            ("1 touch!", "goes the other way"),
            ("1 tuch", "did you mean `touch`?"),
            (r#"{"at": 1}"#, "one of `input`"),
            (r#"{"at": 1, "output": "dim", "colour": 3}"#, "`colour` is not known"),
        ];
        for (line, message) in wrong {
            let error = Logged::parse(line, &alphabet()).unwrap_err();
            assert!(error.contains(message), "{line}: {error}");
        }
    }
}
