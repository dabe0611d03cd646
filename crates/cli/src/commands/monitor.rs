//! `tioga monitor`: whether a log conforms to a model; if not, what was seen where, and what was
//! expected instead.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde_json::{Value, json};
use tioga::in_units;
use tioga::log_lines::LogLines;
use tioga::monitor::{Decided, LogTimes, Monitor, MonitorOptions, MonitoredLog};
use tioga_base::{Diagnostic, Sources};
use tioga_observe::{Estimated, Logged};
use tioga_report::finding::states;

use crate::args::MonitorArgs;
use crate::exit::{Exit, Stop};
use crate::output::Session;
use crate::text::monitor as told;

/// Runs the command.
pub fn run(args: &MonitorArgs, session: &mut Session) -> Result<Exit, Stop> {
    let from_input = args.log == Path::new("-");
    if from_input && args.model.model == "-" {
        let message = "the model and the log cannot both come from standard input";
        let diagnostic = Diagnostic::global("two-readers", message);
        return Err(diagnostic.help("put the model into a file").into());
    }
    let model = session.read(&args.model)?.model;
    let times = LogTimes {
        written: args.time.map(Into::into),
        scale: args.scale,
        from_first: args.from_first,
        resolution: in_units(args.resolution, model.time_unit)?,
    };
    let options = MonitorOptions {
        latencies: args.latency.latencies().in_units(model.time_unit)?,
        times,
        form: args.form(),
        keep_going: args.keep_going,
    };
    let monitor = Monitor::new(&model, options)?;
    let mut followed = Vec::new();
    let monitored = if from_input {
        let lines = LogLines::new(io::stdin().lock(), "standard input");
        read(args, session, monitor, lines, &mut followed)?
    } else {
        let name = args.log.display().to_string();
        let file = File::open(&args.log).map_err(|error| {
            let message = match error.kind() {
                io::ErrorKind::NotFound => format!("there is no file `{name}`"),
                _ => format!("cannot read `{name}`: {error}"),
            };
            Diagnostic::global("cannot-read", message)
        })?;
        read(args, session, monitor, LogLines::new(BufReader::new(file), name), &mut followed)?
    };
    session.print(&told::text(&model, &monitored))?;
    let mut result = told::json(&model, &monitored);
    if args.follow_states {
        result["followed"] = Value::Array(followed);
    }
    session.set_result(result);
    let findings = || monitored.sessions.iter().flat_map(|session| &session.findings);
    Ok(match findings().next() {
        None => Exit::Success,
        Some(_) if findings().all(Decided::is_inconclusive) => Exit::Inconclusive,
        Some(_) => Exit::Negative,
    })
}

/// Reads a log, and tells the states after each line if that is wanted.
fn read(
    args: &MonitorArgs,
    session: &mut Session,
    monitor: Monitor<'_>,
    lines: LogLines<impl BufRead>,
    followed: &mut Vec<Value>,
) -> Result<MonitoredLog, Stop> {
    let mut texts: Sources = std::mem::take(&mut session.texts);
    let shown = monitor.shown();
    let mut stopped = None;
    let mut follow = |name: Option<&str>, line: usize, logged: &Logged, now: &[Estimated]| {
        let of = name.map(|name| format!(" of session {name}")).unwrap_or_default();
        let seen = told::seen(logged, shown);
        let text = format!("line {line}{of}: {seen}\n{}", states(now, shown, "  "));
        let mut one = json!({ "line": line, "states": now });
        if let Some(name) = name {
            one["session"] = name.into();
        }
        followed.push(one);
        stopped = session.print(&text).err();
        stopped.is_none()
    };
    let monitored = match args.follow_states {
        true => monitor.read(lines, &mut texts, Some(&mut follow)),
        false => monitor.read(lines, &mut texts, None),
    };
    session.texts = texts;
    match stopped {
        Some(stop) => Err(stop),
        None => Ok(monitored?),
    }
}
