//! Options of `tioga monitor`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use tioga::monitor::WrittenTime;
use tioga_base::{GivenTime, Rational, WallUnit};
use tioga_observe::{FieldMap, LogForm, LogKind};

use super::help::paragraphs;
use super::values::time;
use super::{LatencyArgs, ModelArgs};

/// Options of `tioga monitor`.
#[derive(Args, Debug)]
#[command(after_help = paragraphs(AFTER_HELP))]
pub struct MonitorArgs {
    /// The model
    #[command(flatten)]
    pub model: ModelArgs,

    /// The log, one observation per line: a file, or `-` for standard input
    #[arg(value_name = "LOG", default_value = "-")]
    pub log: PathBuf,

    /// How long messages are under way
    #[command(flatten)]
    pub latency: LatencyArgs,

    /// How times are written: timestamps of ISO 8601, or numbers of this unit, also since 1970 [default:
    /// numbers in time units of the model, unless the first time can only be a timestamp or since 1970]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Times")]
    pub time: Option<TimeArg>,

    /// Multiply the times of the log by this, such as 1/1000 for milliseconds in a model of seconds
    /// [default: 1, or what the time unit of the model says of --time]
    #[arg(long, value_name = "FACTOR", value_parser = factor, help_heading = "Times")]
    pub scale: Option<Rational>,

    /// Subtract the first time of the log, or of the session, from all
    #[arg(long, help_heading = "Times")]
    pub from_first: bool,

    /// Coarsest rounding of times, in time units of the model, where exact ones do not fit; 0 allows none
    #[arg(long, value_name = "TIME", default_value = "1/1000", help_heading = "Times")]
    pub resolution: GivenTime,

    /// The log is CSV; the first record has the names of the columns
    #[arg(long, help_heading = "Fields")]
    pub csv: bool,

    /// What is between two fields of CSV: one character, or `tab`
    #[arg(long, value_name = "CHARACTER", value_parser = separator, default_value = ",", requires = "csv")]
    #[arg(help_heading = "Fields")]
    pub separator: char,

    /// The first record of CSV is one as any other; columns are named by their numbers, from 1
    #[arg(long, requires = "csv", help_heading = "Fields")]
    pub no_header: bool,

    /// Which fields say what, such as time=ts,action=event,values=level: of `time`, `action`, `input`,
    /// `output`, `direction` and `values`; several fields of values are joined by `+`
    #[arg(long, value_name = "WHAT=FIELD,...", value_parser = field_map, help_heading = "Fields")]
    pub map: Option<FieldMap>,

    /// Pass over fields of JSON that say nothing
    #[arg(long, help_heading = "Fields")]
    pub ignore_extra: bool,

    /// Pass over actions that the model does not have
    #[arg(long, help_heading = "Fields")]
    pub ignore_unknown: bool,

    /// Monitor what has the same value in this field as a session of its own
    #[arg(long, value_name = "FIELD", help_heading = "Fields")]
    pub session: Option<String>,

    /// Go on after what does not conform, from any state of the model
    #[arg(long)]
    pub keep_going: bool,

    /// Show the states that explain the log after each observation
    #[arg(long)]
    pub follow_states: bool,
}

/// How times are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TimeArg {
    /// Timestamps of ISO 8601
    Iso,
    /// Seconds
    S,
    /// Milliseconds
    Ms,
    /// Microseconds
    Us,
    /// Nanoseconds
    Ns,
}

impl From<TimeArg> for WrittenTime {
    fn from(time: TimeArg) -> Self {
        match time {
            TimeArg::Iso => Self::Timestamps,
            TimeArg::S => Self::Numbers(WallUnit::Second),
            TimeArg::Ms => Self::Numbers(WallUnit::Millisecond),
            TimeArg::Us => Self::Numbers(WallUnit::Microsecond),
            TimeArg::Ns => Self::Numbers(WallUnit::Nanosecond),
        }
    }
}

impl MonitorArgs {
    /// How lines of the log are read.
    pub fn form(&self) -> LogForm {
        let (separator, header) = (self.separator, !self.no_header);
        LogForm {
            kind: if self.csv { LogKind::Csv { separator, header } } else { LogKind::Lines },
            map: self.map.clone(),
            session: self.session.clone(),
            ignore_extra: self.ignore_extra,
            ignore_unknown: self.ignore_unknown,
        }
    }
}

fn separator(text: &str) -> Result<char, String> {
    let mut characters = text.chars();
    match (text, characters.next(), characters.next()) {
        ("tab", ..) => Ok('\t'),
        (_, Some(one), None) if one != '"' => Ok(one),
        _ => Err("one character is needed, other than a quote, or `tab`".to_owned()),
    }
}

/// `time=ts,action=event,values=a+b`.
fn field_map(text: &str) -> Result<FieldMap, String> {
    let mut map = FieldMap {
        time: String::new(),
        action: None,
        input: None,
        output: None,
        direction: None,
        values: Vec::new(),
    };
    for part in text.split(',') {
        let Some((what, field)) = part.split_once('=').filter(|(_, field)| !field.is_empty())
        else {
            return Err(format!("`{part}` is not of the form WHAT=FIELD"));
        };
        let field = field.to_owned();
        match what.trim() {
            "time" => map.time = field,
            "action" => map.action = Some(field),
            "input" => map.input = Some(field),
            "output" => map.output = Some(field),
            "direction" => map.direction = Some(field),
            "values" => map.values = field.split('+').map(str::to_owned).collect(),
            other => {
                let known = "time, action, input, output, direction, values";
                return Err(format!("`{other}` is not one of {known}"));
            }
        }
    }
    if map.time.is_empty() {
        return Err("`time=FIELD` must say when it was".to_owned());
    }
    if map.action.is_none() && map.input.is_none() && map.output.is_none() {
        return Err("`action=FIELD` must say what was seen, or `input=` and `output=`".to_owned());
    }
    Ok(map)
}

/// A number above zero.
fn factor(text: &str) -> Result<Rational, String> {
    let factor = time(text)?;
    if factor.is_zero() { Err("a number above zero is needed".to_owned()) } else { Ok(factor) }
}

const AFTER_HELP: &str = "\
A line of the log is a moment and what was seen: `3/2 touch?` for an input, `2..5/2 level(3)!` for an
output between two moments, `10 end` if nothing else was seen up to then. The marks may be left out; `#`
begins a comment. JSON is read as well: {\"at\": \"2..5/2\", \"output\": \"level\", \"values\": [3]}. So
are the traces that `tioga simulate` writes.

With --map the fields of JSON objects and the columns of CSV say what was seen; a dot leads into an object
inside. `action` is `touch`, `touch?`, `level(3)!` or `end`; `direction` is `in`, `out`, `?` or `!`. Without
--map, CSV has columns called `time`, `action`, `input`, `output`, `direction` and `values`, as far as needed.

Times are exact, also in JSON and in timestamps. A timestamp without an offset is in UTC. Timestamps, and
numbers that are 30 years or more, count from the first of the log or session. Where a model sets clocks at different times that are finer than can be
counted with beside its largest constant, they are rounded in favour of the system; the result says within
what, and a log that would need more than `--resolution` is refused.

With --keep-going every violation is told. After one, nothing is judged before all messages under way have
arrived; from there the model may be in any discrete state with any clock values. So what is told later is a
violation wherever the model was.

Exits with 0 if the model explains the log, with 1 if it does not, and with 5 if the log has an input
that the model does not specify, after which anything conforms.

Examples:
  tioga monitor @smart-light < light.log
  tioga monitor @conveyor conveyor.log --follow-states
  tioga monitor @car-alarm alarm.log --time iso --keep-going
  tioga monitor @car-alarm alarm.csv --csv --map time=ts,action=event --time ms --session car
  tioga monitor @smart-light epoch.log --from-first --scale 1/1000000000
  tioga monitor light.tioga light.log --scale 1/1000 --in-latency 0..1/10 --out-latency 0..1/10";
