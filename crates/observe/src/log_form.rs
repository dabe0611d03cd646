//! How the lines of an existing log are read: which fields say what, how times are written, and what is
//! passed over.
//!
//! A line is plain (`3/2 touch?`), a JSON object, or a record of CSV. Fields of objects and columns of
//! records are named by a [`FieldMap`]. Nothing passes through floating point.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use tioga_adapters::Alphabet;
use tioga_testcase::Side;

use crate::csv::{Field, fields};
use crate::log::{FIELDS, LogError, Logged, object, of_object, part_of, plain, seen, value};
use crate::log_time::{LoggedTime, split_time};

/// Which fields say what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldMap {
    /// When it was.
    pub time: String,
    /// What it was, as in a plain line: `touch`, `touch?`, `level(3)!`, `end`.
    pub action: Option<String>,
    /// The name of an input, where there is one.
    pub input: Option<String>,
    /// The name of an output, where there is one.
    pub output: Option<String>,
    /// Whether it was an input or an output.
    pub direction: Option<String>,
    /// The values, in order.
    pub values: Vec<String>,
}

impl FieldMap {
    /// The fields it names.
    fn names(&self) -> impl Iterator<Item = &String> {
        let Self { time, action, input, output, direction, values } = self;
        let named = [action, input, output, direction].into_iter().flatten();
        named.chain([time]).chain(values)
    }
}

/// What lines look like.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum LogKind {
    /// Plain lines and JSON objects, as they come.
    #[default]
    Lines,
    /// Records of CSV, whose columns are named by the first.
    Csv {
        /// What is between two fields.
        separator: char,
        /// The names of the columns, once they are known; without a header their numbers from 1.
        header: bool,
    },
}

/// How a log is read.
#[derive(Clone, Debug, Default)]
pub struct LogForm {
    /// What lines look like.
    pub kind: LogKind,
    /// Which fields say what; by default those that this program writes.
    pub map: Option<FieldMap>,
    /// The field that says to which session a line belongs.
    pub session: Option<String>,
    /// Whether fields that say nothing are passed over.
    pub ignore_extra: bool,
    /// Whether actions that the alphabet does not have are passed over.
    pub ignore_unknown: bool,
}

/// What a line says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogLine {
    /// Nothing: it is empty, a comment or a header.
    Nothing,
    /// An action that the alphabet does not have.
    Unknown,
    /// Something was seen.
    Seen {
        /// What. Its moment is in the time of the log.
        logged: Logged,
        /// How the time is written.
        time: LoggedTime,
        /// To which session it belongs, if there are sessions.
        session: Option<String>,
    },
}

/// Reads the lines of a log, one after the other.
#[derive(Clone, Debug)]
pub struct LogReader {
    form: LogForm,
    /// The columns, once they are known.
    columns: Option<Columns>,
}

impl LogReader {
    /// At the first line.
    pub fn new(form: LogForm) -> Self {
        Self { form, columns: None }
    }

    /// Reads a line.
    pub fn read(&mut self, line: &str, alphabet: &Alphabet) -> Result<LogLine, LogError> {
        let content = line.trim();
        if content.is_empty() {
            return Ok(LogLine::Nothing);
        }
        match self.form.kind {
            LogKind::Csv { separator, header } => self.record(line, separator, header, alphabet),
            LogKind::Lines if content.starts_with('#') => Ok(LogLine::Nothing),
            LogKind::Lines if content.starts_with('{') => self.object(line, content, alphabet),
            LogKind::Lines => self.plain(line, content, alphabet),
        }
    }

    fn plain(&self, line: &str, content: &str, alphabet: &Alphabet) -> Result<LogLine, LogError> {
        if self.form.session.is_some() {
            let error = LogError::new(line, content, "a plain line has no field for the session");
            return Err(error.help("sessions are told apart in JSON lines and in CSV"));
        }
        let content = content.split('#').next().unwrap_or_default().trim_end();
        let Some((moment, what)) = split_time(content) else {
            let error = LogError::new(line, content, "a line is a moment and what was seen");
            return Err(error.help("write for example `3/2 touch?`"));
        };
        let (at, time) =
            LoggedTime::read(moment).map_err(|why| LogError::new(line, moment, why))?;
        let logged = seen(line, what.trim(), at, None, Vec::new(), alphabet);
        self.told(logged, time, None)
    }

    /// What was read, or that it is passed over.
    fn told(
        &self,
        logged: Result<Logged, LogError>,
        time: LoggedTime,
        session: Option<String>,
    ) -> Result<LogLine, LogError> {
        match logged {
            Ok(logged) => Ok(LogLine::Seen { logged, time, session }),
            Err(error) if error.unknown && self.form.ignore_unknown => Ok(LogLine::Unknown),
            Err(error) => Err(error),
        }
    }

    fn object(&self, line: &str, content: &str, alphabet: &Alphabet) -> Result<LogLine, LogError> {
        let object = object(line, content)?;
        if !self.form.ignore_extra
            && let Some(key) = object.keys().find(|key| !self.names(key))
        {
            let part = part_of(content, key);
            let error = LogError::new(line, part, format!("`{key}` is not known"));
            return Err(error.help(match &self.form.map {
                None => format!(
                    "a line has {}; pass over others with `--ignore-extra`",
                    FIELDS.join(", ")
                ),
                Some(_) => "name it in `--map`, or pass over it with `--ignore-extra`".to_owned(),
            }));
        }
        let (time, logged) = match &self.form.map {
            None => of_object(line, content, &object, alphabet)?,
            Some(map) => {
                let get = |name: &str| at_path(&object, name).and_then(|raw| plain(&raw));
                let list = |name: &str| at_path(&object, name).map_or_else(Vec::new, listed);
                let read = mapped(line, content, map, &get, &list, alphabet);
                let place = |error: LogError| match error.field.as_deref().and_then(get) {
                    Some(text) => LogError {
                        span: LogError::new(line, part_of(content, &text), "").span,
                        ..error
                    },
                    None => error,
                };
                let (time, logged) = read.map_err(place)?;
                (time, logged.map_err(place))
            }
        };
        let session = match &self.form.session {
            None => None,
            Some(name) => {
                Some(at_path(&object, name).and_then(|raw| plain(&raw)).ok_or_else(|| {
                    LogError::new(
                        line,
                        content,
                        format!("there is no field `{name}` for the session"),
                    )
                })?)
            }
        };
        self.told(logged, time, session)
    }

    /// Whether a field of an object, or something in it, says something.
    fn names(&self, key: &str) -> bool {
        let is = |name: &String| name == key || name.split('.').next() == Some(key);
        self.form.session.as_ref().is_some_and(is)
            || match &self.form.map {
                None => FIELDS.contains(&key),
                Some(map) => map.names().any(is),
            }
    }

    fn record(
        &mut self,
        line: &str,
        separator: char,
        header: bool,
        alphabet: &Alphabet,
    ) -> Result<LogLine, LogError> {
        let record =
            fields(line, separator).map_err(|(part, why)| LogError::new(line, part, why))?;
        let Some(columns) = &self.columns else {
            let names: Vec<String> = match header {
                true => record.iter().map(|field| field.text.trim().to_owned()).collect(),
                false => (1..=record.len()).map(|number| number.to_string()).collect(),
            };
            self.columns = Some(self.columns(line, names)?);
            return match header {
                true => Ok(LogLine::Nothing),
                false => self.record(line, separator, header, alphabet),
            };
        };
        let field = |name: &str| -> Option<&Field<'_>> {
            record.get(columns.names.iter().position(|column| column == name)?)
        };
        let get = |name: &str| {
            field(name).map(|field| field.text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let list = |name: &str| get(name).map_or_else(Vec::new, |text| vec![Some(text)]);
        let place = |error: LogError| match error.field.as_deref().and_then(field) {
            Some(field) => LogError { span: LogError::new(line, field.part, "").span, ..error },
            None => error,
        };
        let read = mapped(line, line.trim(), &columns.map, &get, &list, alphabet);
        let (time, logged) = read.map_err(place)?;
        let logged = logged.map_err(place);
        let session = self.form.session.as_deref().map(|name| get(name).unwrap_or_default());
        self.told(logged, time, session)
    }

    /// What the columns say, if those that are named exist.
    fn columns(&self, line: &str, names: Vec<String>) -> Result<Columns, LogError> {
        let map = self.form.map.clone().unwrap_or_else(|| usual(&names));
        let mut wanted = map.names().chain(&self.form.session);
        if let Some(absent) = wanted.find(|name| !names.contains(name)) {
            let error = LogError::new(line, line.trim(), format!("there is no column `{absent}`"));
            let names = names.join(", ");
            return Err(
                error.help(format!("the columns are {names}; say with `--map` what they mean"))
            );
        }
        drop(wanted);
        Ok(Columns { names, map })
    }
}

/// The columns of a table.
#[derive(Clone, Debug)]
struct Columns {
    names: Vec<String>,
    map: FieldMap,
}

/// The map of columns that are called as the fields are.
fn usual(columns: &[String]) -> FieldMap {
    let named = |name: &str| columns.iter().find(|column| *column == name).cloned();
    let time = named("time").or_else(|| named("at")).unwrap_or_else(|| "time".to_owned());
    let (input, output) = (named("input"), named("output"));
    let action = named("action")
        .or_else(|| (input.is_none() && output.is_none()).then(|| "action".to_owned()));
    let values = named("values").into_iter().collect();
    FieldMap { time, action, input, output, direction: named("direction"), values }
}

/// A field of an object; a dot leads into an object inside.
fn at_path(object: &BTreeMap<String, &RawValue>, path: &str) -> Option<Box<RawValue>> {
    if let Some(raw) = object.get(path) {
        return Some((*raw).to_owned());
    }
    let (first, rest) = path.split_once('.')?;
    let inside: BTreeMap<String, &RawValue> =
        serde_json::from_str(object.get(first)?.get()).ok()?;
    at_path(&inside, rest)
}

/// The values of a field: all of a list, or the one. What is no plain value is nothing.
fn listed(raw: Box<RawValue>) -> Vec<Option<String>> {
    match serde_json::from_str::<Vec<&RawValue>>(raw.get()) {
        Ok(list) => list.into_iter().map(plain).collect(),
        Err(_) => vec![plain(&raw)],
    }
}

/// Reads what named fields say.
fn mapped(
    line: &str,
    content: &str,
    map: &FieldMap,
    get: &dyn Fn(&str) -> Option<String>,
    list: &dyn Fn(&str) -> Vec<Option<String>>,
    alphabet: &Alphabet,
) -> Result<(LoggedTime, Result<Logged, LogError>), LogError> {
    let wrong = |field: &str, message: String| LogError {
        field: Some(field.to_owned()),
        ..LogError::new(line, content, message)
    };
    let moment = get(&map.time)
        .ok_or_else(|| wrong(&map.time, format!("`{}` must say when it was", map.time)))?;
    let (at, time) = LoggedTime::read(&moment).map_err(|why| wrong(&map.time, why))?;
    let mut values = Vec::new();
    for name in &map.values {
        for text in list(name) {
            let text = text.ok_or_else(|| wrong(name, "values are numbers".to_owned()))?;
            values.push(value(&text).map_err(|why| wrong(name, why))?);
        }
    }
    let side = match &map.direction {
        None => None,
        Some(name) => Some(direction(get(name).as_deref()).map_err(|why| wrong(name, why))?),
    };
    let part = |name: &Option<String>| {
        name.as_ref().and_then(|name| get(name).map(|text| (name.clone(), text)))
    };
    let found = (part(&map.action), part(&map.input), part(&map.output));
    let (field, what, side) = match found {
        (Some((field, what)), None, None) => (field, what, side),
        (None, Some((field, what)), None) => (field, what, Some(Side::Tester)),
        (None, None, Some((field, what))) => (field, what, Some(Side::System)),
        _ => {
            let names = [&map.action, &map.input, &map.output].into_iter().flatten();
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            let message = format!("one of {} must say what was seen", names.join(", "));
            return Err(LogError::new(line, content, message));
        }
    };
    let logged = seen(line, &what, at, side, values, alphabet);
    let logged = logged.map_err(|error| LogError { field: Some(field), ..error });
    Ok((time, logged))
}

/// The side that acts, by the contents of a field.
fn direction(text: Option<&str>) -> Result<Side, String> {
    match text.map(str::to_ascii_lowercase).as_deref() {
        Some("?" | "in" | "input" | "i") => Ok(Side::Tester),
        Some("!" | "out" | "output" | "o") => Ok(Side::System),
        Some(other) => Err(format!("`{other}` is no direction: `in`, `out`, `?` or `!`")),
        None => Err("the direction is missing: `in`, `out`, `?` or `!`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What a line says that is read as this program writes it.
    fn parse(line: &str, alphabet: &Alphabet) -> Result<Option<Logged>, LogError> {
        let read = LogReader::new(LogForm::default()).read(line, alphabet)?;
        Ok(match read {
            LogLine::Seen { logged, .. } => Some(logged),
            LogLine::Nothing | LogLine::Unknown => None,
        })
    }

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
            let read = parse(text, &alphabet());
            assert!(matches!(read, Ok(Some(_))), "{text}: {read:?}");
            assert_eq!(read, parse(json, &alphabet()));
        }
        assert_eq!(parse("  # nothing", &alphabet()), Ok(None));
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
            let error = parse(line, &alphabet()).unwrap_err();
            assert!(error.message.contains(message), "{line}: {error:?}");
            assert_eq!(&line[error.span], part, "{line}");
        }
        let meant = parse("1 tuch", &alphabet()).unwrap_err().help;
        assert_eq!(meant.as_deref(), Some("did you mean `touch`?"));
    }

    #[test]
    fn values_are_the_same_however_they_are_written() {
        let read = |line: &str| parse(line, &alphabet()).unwrap();
        assert_eq!(read("1 level(0.5, true)"), read("1 level( 2/4 ,1 )!"));
        assert_eq!(read("1 dim()"), read("1 dim"));
    }

    proptest! {
        #[test]
        fn any_line_is_read_or_pointed_at(line in ".{0,40}") {
            if let Err(error) = parse(&line, &alphabet()) {
                prop_assert!(line.get(error.span).is_some());
            }
        }
    }
}
