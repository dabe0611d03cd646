//! `tioga monitor`: whether a log conforms to a model; if not, what was seen where, and what was
//! expected instead. The log is read line by line, and only the states that explain it are kept.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::Path;

use serde_json::{Value, json};
use tioga_base::{Diagnostic, FileId, Moment, Rational, Span};
use tioga_concrete::{Record, StepRecord, TraceEvent};
use tioga_execute::{Alphabet, Deviation, Error, Finding, Logged, ModelWatcher, readable};
use tioga_model::Model;
use tioga_report::finding::{called, latencies, sentence, states, windows};
use tioga_testcase::{Action, Side};

use super::replay;
use crate::args::MonitorArgs;
use crate::exit::{Exit, Stop};
use crate::load;
use crate::log_lines::LogLines;
use crate::output::{OutputFormat, Session};
use crate::run_text::{amount, count};

/// Runs the command.
pub fn run(args: &MonitorArgs, session: &mut Session) -> Result<Exit, Stop> {
    let from_input = args.log == Path::new("-");
    if from_input && args.model.model == "-" {
        let message = "the model and the log cannot both come from standard input";
        let diagnostic = Diagnostic::global("two-readers", message);
        return Err(session.stop(diagnostic.help("put the model into a file")));
    }
    let model = load::model(session, &args.model)?.model;
    let watcher = ModelWatcher::of_model(&model, &args.latency.latencies())
        .map_err(|error| failed(session, &error, None))?;
    let monitor = Monitor {
        alphabet: Alphabet::of_model(&model),
        model: &model,
        watcher,
        scale: args.scale,
        last: Moment::START,
        observations: 0,
        lines: 0,
        follows: args.follow_states,
        followed: Vec::new(),
    };
    if from_input {
        return monitor.read(session, LogLines::new(io::stdin().lock(), "standard input"));
    }
    let name = args.log.display().to_string();
    match File::open(&args.log) {
        Ok(file) => monitor.read(session, LogLines::new(BufReader::new(file), name)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let message = format!("there is no file `{name}`");
            Err(session.stop(Diagnostic::global("cannot-read", message)))
        }
        Err(error) => {
            let message = format!("cannot read `{name}`: {error}");
            Err(session.stop(Diagnostic::global("cannot-read", message)))
        }
    }
}

/// Says why a log cannot be followed.
fn failed(session: &mut Session, error: &Error, span: Option<Span>) -> Stop {
    let limit = matches!(error, Error::Estimate(tioga_execute::EstimateError::TooMany(_)));
    let code = if limit { "too-many-states" } else { "cannot-follow" };
    let diagnostic = match span {
        Some(span) => Diagnostic::error(code, span, error.to_string()),
        None => Diagnostic::global(code, error.to_string()),
    };
    let stop = session.stop(diagnostic);
    if limit { Stop::Limit } else { stop }
}

struct Monitor<'m> {
    model: &'m Model,
    alphabet: Alphabet,
    watcher: ModelWatcher<'m>,
    /// What times of the log are multiplied by.
    scale: Rational,
    /// The moment of the last observation.
    last: Moment,
    observations: usize,
    /// The number of the line that was taken last.
    lines: usize,
    follows: bool,
    /// What was followed, for `--format json`.
    followed: Vec<Value>,
}

impl Monitor<'_> {
    /// Takes a log to its end, or to the first line that decides.
    fn read(
        mut self,
        session: &mut Session,
        mut lines: LogLines<impl BufRead>,
    ) -> Result<Exit, Stop> {
        let mut begun = false;
        loop {
            let line = match lines.next() {
                Ok(Some(line)) => line,
                Ok(None) => return self.conforms(session),
                Err(error) => {
                    let diagnostic = lines.diagnostic(session, &error);
                    return Err(session.stop(diagnostic));
                }
            };
            if !begun && is_trace(line) {
                return self.read_trace(session, lines);
            }
            begun |= !line.trim().is_empty();
            let logged = match Logged::parse(line, &self.alphabet) {
                Ok(None) => continue,
                Ok(Some(logged)) => logged,
                Err(error) => {
                    let span = lines.place(session, error.place);
                    let mut diagnostic = Diagnostic::error("bad-line", span, error.message);
                    diagnostic.help = error.help;
                    return Err(session.stop(diagnostic));
                }
            };
            let logged = match self.scaled(logged) {
                Ok(logged) => logged,
                Err(message) => {
                    let span = moment_place(line);
                    let span = lines.place(session, span);
                    return Err(session.stop(Diagnostic::error("bad-time", span, message)));
                }
            };
            let number = lines.number();
            match self.take(session, number, &logged) {
                Ok(None) => {}
                Ok(Some(exit)) => return Ok(exit),
                Err(Trouble::Stop(stop)) => return Err(stop),
                Err(Trouble::Error(error)) => {
                    let span = lines.place(session, 0..0);
                    return Err(failed(session, &error, Some(span)));
                }
            }
        }
    }

    /// The observation in the time of the model; otherwise what is wrong with its time.
    fn scaled(&self, mut logged: Logged) -> Result<Logged, String> {
        let (Logged::Action { at, .. } | Logged::End { at }) = &mut logged;
        let times = (at.earliest().mul(self.scale), at.latest().mul(self.scale));
        let (Ok(earliest), Ok(latest)) = times else {
            return Err("this moment is too large to be exact".to_owned());
        };
        if earliest.is_negative() {
            return Err("a run begins at 0, and nothing was before".to_owned());
        }
        let moment = Moment::between(earliest, latest).expect("scaling keeps the order");
        if latest < self.last.earliest() {
            let (now, last) = (readable(moment), readable(self.last));
            return Err(format!("time goes back: this was at {now}, after something at {last}"));
        }
        *at = moment;
        Ok(logged)
    }

    /// Takes an observation; if it decides, how the command ends.
    fn take(
        &mut self,
        session: &mut Session,
        number: usize,
        logged: &Logged,
    ) -> Result<Option<Exit>, Trouble> {
        let found = self.watcher.logged(logged)?;
        if let Some(finding) = found {
            return Ok(Some(self.decided(session, number, logged, &finding)?));
        }
        (self.last, self.lines) = (logged.at(), number);
        self.observations += usize::from(matches!(logged, Logged::Action { .. }));
        if self.follows {
            let now = self.watcher.states()?;
            session.print(&format!("line {number}: {}\n{}", seen(logged), states(&now, "  ")))?;
            if session.format == OutputFormat::Json {
                self.followed.push(json!({ "line": number, "states": now }));
            }
        }
        Ok(None)
    }

    /// The log does not conform, or nothing can be said any more.
    fn decided(
        &mut self,
        session: &mut Session,
        number: usize,
        logged: &Logged,
        finding: &Finding,
    ) -> Result<Exit, Trouble> {
        let (verdict, exit) = match finding {
            Finding::Unspecified { .. } => ("inconclusive", Exit::Inconclusive),
            _ => ("violation", Exit::Negative),
        };
        let mut text = format!("{verdict} at line {number}: {}\n", sentence(finding));
        let before = self.watcher.states()?;
        if self.lines == 0 {
            text.push_str("before it, the model was at its start:\n");
        } else {
            let covered = readable(self.last);
            let observations = count(self.observations, "observation");
            text.push_str(&format!(
                "before it, {observations} up to {covered} left the model in:\n"
            ));
        }
        text.push_str(&states(&before, "  "));
        if let Finding::Output { action, expected, deviation, .. } = finding
            && *deviation != Deviation::Never
            && expected.iter().any(|window| window.action.channel != action.channel)
        {
            text.push_str(&format!("expected then: {}\n", windows(expected)));
        }
        let bounds = self.watcher.latencies()?;
        if let Some(bounds) = &bounds {
            text.push_str(&format!("latencies that explain it so far: {}\n", latencies(bounds)));
        }
        session.print(&text)?;
        let mut result = self.result(verdict, before, bounds);
        result["line"] = number.into();
        result["seen"] = seen(logged).into();
        result["finding"] = json!(finding);
        result["message"] = sentence(finding).into();
        session.set_result(result);
        Ok(exit)
    }

    /// The whole log is explained.
    fn conforms(mut self, session: &mut Session) -> Result<Exit, Stop> {
        let last =
            |monitor: &mut Self| Ok((monitor.watcher.states()?, monitor.watcher.latencies()?));
        let (now, bounds) = last(&mut self).map_err(|error| failed(session, &error, None))?;
        let observations = count(self.observations, "observation");
        let covered = match self.last.is_exact() && self.last.latest().denominator() <= 1000 {
            true => amount(self.model, self.last.latest()),
            false => readable(self.last),
        };
        let mut text = format!("conforms: {observations} in {covered}\n");
        text.push_str(match now.len() {
            1 => "the state that explains it:\n",
            _ => "the states that explain it:\n",
        });
        text.push_str(&states(&now, "  "));
        if let Some(bounds) = &bounds {
            text.push_str(&format!("latencies that explain it: {}\n", latencies(bounds)));
        }
        session.print(&text)?;
        let result = self.result("conforms", now, bounds);
        session.set_result(result);
        Ok(Exit::Success)
    }

    fn result(
        &mut self,
        verdict: &str,
        states: Vec<tioga_execute::Estimated>,
        bounds: Option<tioga_execute::LatencyBounds>,
    ) -> Value {
        let mut result = json!({
            "verdict": verdict,
            "observations": self.observations,
            "until": self.last.to_string(),
            "states": states,
            "latencies": bounds,
        });
        if self.follows {
            result["followed"] = Value::Array(std::mem::take(&mut self.followed));
        }
        result
    }

    /// Takes a trace instead of a log. Traces are made by this program, and not endless.
    fn read_trace(
        mut self,
        session: &mut Session,
        lines: LogLines<impl BufRead>,
    ) -> Result<Exit, Stop> {
        let (file, trace) = replay::rest(session, lines)?;
        let mut time = Rational::ZERO;
        let records = trace.records.len();
        for (index, record) in trace.records.iter().enumerate() {
            let mut steps = observed(record, Moment::exactly(time));
            if let Record::Delay(delay) = record {
                time =
                    time.add(*delay).map_err(|overflow| failed(session, &overflow.into(), None))?;
                // Nothing more is known after the last record.
                let end = Logged::End { at: Moment::exactly(time) };
                steps.extend((index + 1 == records).then_some(end));
            }
            let (span, number) = place(session, file, index);
            for logged in steps {
                if let Some(name) = self.stranger(&logged) {
                    let message = format!("there is no input or output `{name}`");
                    return Err(session.stop(Diagnostic::error("unknown-channel", span, message)));
                }
                let taken = match self.scaled(logged) {
                    Ok(logged) => self.take(session, number, &logged),
                    Err(message) => {
                        return Err(session.stop(Diagnostic::error("bad-time", span, message)));
                    }
                };
                match taken {
                    Ok(None) => {}
                    Ok(Some(exit)) => return Ok(exit),
                    Err(Trouble::Stop(stop)) => return Err(stop),
                    Err(Trouble::Error(error)) => return Err(failed(session, &error, Some(span))),
                }
            }
        }
        self.conforms(session)
    }

    /// The name of an action that the model does not have.
    fn stranger(&self, logged: &Logged) -> Option<String> {
        let Logged::Action { by, action, .. } = logged else { return None };
        let own = match by {
            Side::Tester => &self.alphabet.inputs,
            Side::System => &self.alphabet.outputs,
        };
        (!own.contains(&action.channel)).then(|| action.channel.clone())
    }
}

/// What stops a monitor.
enum Trouble {
    Error(Error),
    Stop(Stop),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<Stop> for Trouble {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// Whether a first line says that a trace follows.
fn is_trace(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("tioga-trace") || (line.starts_with('{') && line.contains("\"tioga_trace\""))
}

/// Where the moment of a line is; in JSON it is somewhere in the line.
fn moment_place(line: &str) -> Range<usize> {
    let content = line.trim_start();
    let start = line.len() - content.len();
    let end = if content.starts_with('{') { None } else { content.find(char::is_whitespace) };
    start..start + end.unwrap_or(content.trim_end().len())
}

/// Where a record of a trace is, and in which line.
fn place(session: &Session, file: FileId, record: usize) -> (Span, usize) {
    let Some(source) = session.sources.get(file) else { return (Span::new(file, 0, 0), 0) };
    let span = replay::record_span(&source.text, file, record);
    (span, source.line_column(span.start as usize).0)
}

/// What is seen of a record.
fn observed(record: &Record, at: Moment) -> Vec<Logged> {
    let Record::Move(StepRecord { event, .. }) = record else { return Vec::new() };
    let logged = |by, name: &str, values: &[Rational]| Logged::Action {
        at,
        by,
        action: Action::new(name, values),
    };
    match event {
        TraceEvent::Input(name, values) => vec![logged(Side::Tester, name, values)],
        TraceEvent::Output(name, values) => vec![logged(Side::System, name, values)],
        TraceEvent::Exchange(input, taken, output, given) => {
            vec![logged(Side::Tester, input, taken), logged(Side::System, output, given)]
        }
        TraceEvent::Internal(_) => Vec::new(),
    }
}

/// A line in other words: `touch? at 3/2`.
fn seen(logged: &Logged) -> String {
    match logged {
        Logged::Action { at, by, action } => {
            let mark = if *by == Side::Tester { '?' } else { '!' };
            format!("{}{mark} at {}", called(action), readable(*at))
        }
        Logged::End { at } => format!("nothing up to {}", readable(*at)),
    }
}
