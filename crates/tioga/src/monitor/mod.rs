//! Whether a log conforms to a model; if not, the observation, its place, and the expected
//! alternatives. The log is read line by line, and only the states that explain it are kept, for each
//! session.

mod misfit;
mod session;
mod times;

use std::collections::BTreeMap;
use std::io::BufRead;
use std::ops::Range;

use tioga_adapters::Alphabet;
use tioga_base::{Diagnostic, Moment, Rational, Sources, Times};
use tioga_concrete::{Record, StepRecord, Trace, TraceEvent};
use tioga_estimate::Latencies;
use tioga_model::Model;
use tioga_observe::{LogForm, LogKind, LogLine, LogReader, Logged, LoggedTime};
use tioga_testcase::{Action, Side};

pub use session::{Decided, Follow, Monitored};
pub use times::{LogTimes, WrittenTime};

use crate::Failure;
use crate::log_lines::LogLines;
use crate::texts::text;
use crate::trace::{parse_trace, record_span};
use session::{Anywhere, Session, Taken, failed};

/// How a log is monitored.
#[derive(Clone, Debug)]
pub struct MonitorOptions {
    /// How long messages are under way.
    pub latencies: Latencies,
    /// How the times of the log become those of the model.
    pub times: LogTimes,
    /// How its lines are read.
    pub form: LogForm,
    /// Whether monitoring continues after a violation.
    pub keep_going: bool,
}

/// The result for a log.
#[derive(Debug)]
pub struct MonitoredLog {
    /// Its sessions in the order in which they begin; a log without sessions is one.
    pub sessions: Vec<Monitored>,
    /// The number of skipped actions that the model does not have.
    pub unknown: usize,
}

/// Follows a log on a model.
pub struct Monitor<'m> {
    model: &'m Model,
    options: MonitorOptions,
    alphabet: Alphabet,
    anywhere: Anywhere,
    sessions: Vec<Session<'m>>,
    /// The positions of sessions by their names.
    named: BTreeMap<String, usize>,
    unknown: usize,
}

impl<'m> Monitor<'m> {
    /// At the start of a log.
    pub fn new(model: &'m Model, options: MonitorOptions) -> Result<Self, Failure> {
        let mut monitor = Self {
            model,
            options,
            alphabet: Alphabet::of_model(model),
            anywhere: Anywhere::default(),
            sessions: Vec::new(),
            named: BTreeMap::new(),
            unknown: 0,
        };
        if monitor.options.form.session.is_none() {
            monitor.begin(None)?;
        }
        Ok(monitor)
    }

    /// How times are shown.
    pub fn shown(&self) -> Times {
        Times::of(self.model.time_unit)
    }

    /// Begins a session, and says where it is.
    fn begin(&mut self, name: Option<String>) -> Result<usize, Failure> {
        let MonitorOptions { latencies, times, keep_going, .. } = &self.options;
        let session = Session::new(self.model, latencies, *times, *keep_going, name)?;
        self.sessions.push(session);
        Ok(self.sessions.len() - 1)
    }

    /// The position of the session of a line.
    fn session(&mut self, name: Option<String>) -> Result<usize, Failure> {
        let Some(name) = name else { return Ok(0) };
        if let Some(position) = self.named.get(&name) {
            return Ok(*position);
        }
        let position = self.begin(Some(name.clone()))?;
        self.named.insert(name, position);
        Ok(position)
    }

    /// Takes a log to its end, or to the first line that decides.
    pub fn read(
        mut self,
        mut lines: LogLines<impl BufRead>,
        texts: &mut Sources,
        mut follow: Option<&mut Follow<'_>>,
    ) -> Result<MonitoredLog, Failure> {
        let mut begun = false;
        let mut reader = LogReader::new(self.options.form.clone());
        let plain = self.options.form.kind == LogKind::Lines;
        loop {
            let line = match lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return self.ended(),
                Err(error) => return Err(lines.diagnostic(texts, &error).into()),
            };
            if !begun && plain && is_trace(line) {
                let name = lines.name().to_owned();
                let text = text(texts, &name, lines.rest())?;
                return self.read_trace(&name, text, texts, follow);
            }
            begun |= !line.trim().is_empty();
            let (logged, time, name) = match reader.read(line, &self.alphabet) {
                Ok(LogLine::Nothing) => continue,
                Ok(LogLine::Unknown) => {
                    self.unknown += 1;
                    continue;
                }
                Ok(LogLine::Seen { logged, time, session }) => (logged, time, session),
                Err(error) => {
                    let span = lines.place(texts, error.span);
                    let mut diagnostic = Diagnostic::error("bad-line", span, error.message);
                    diagnostic.help = error.help;
                    return Err(diagnostic.into());
                }
            };
            let place = moment_place(line, plain);
            let position = self.session(name)?;
            let session = &mut self.sessions[position];
            if session.is_over() {
                continue;
            }
            let logged = session.converted(logged, time).map_err(|message| {
                let span = lines.place(texts, place.clone());
                Diagnostic::error("bad-time", span, message)
            })?;
            let number = lines.number();
            let taken = session.take(number, logged, &mut self.anywhere, follow.as_deref_mut());
            match taken.map_err(|error| failed(&error, Some(lines.place(texts, 0..0))))? {
                Taken::On => {}
                Taken::Decided if self.options.form.session.is_some() => {}
                Taken::Decided | Taken::Stopped => return self.ended(),
                Taken::Coarse(rounding) => {
                    return Err(session.too_coarse(lines.place(texts, place), rounding));
                }
            }
        }
    }

    /// Takes a trace instead of a log. Traces are made by this program, and not endless.
    fn read_trace(
        mut self,
        name: &str,
        text: String,
        texts: &mut Sources,
        mut follow: Option<&mut Follow<'_>>,
    ) -> Result<MonitoredLog, Failure> {
        let file = texts.add(name, text);
        let trace: Trace = parse_trace(texts, file)?;
        let mut time = Rational::ZERO;
        let records = trace.records.len();
        let position = if self.sessions.is_empty() { self.begin(None)? } else { 0 };
        let session = &mut self.sessions[position];
        for (index, record) in trace.records.iter().enumerate() {
            let mut steps = observed(record, Moment::exactly(time));
            if let Record::Delay(delay) = record {
                time = time.add(*delay).map_err(|overflow| failed(&overflow.into(), None))?;
                // Nothing more is known after the last record.
                let end = Logged::End { at: Moment::exactly(time) };
                steps.extend((index + 1 == records).then_some(end));
            }
            let span = record_span(texts, file, index);
            let number =
                texts.get(file).map_or(0, |source| source.line_column(span.start as usize).0);
            for logged in steps {
                if let Some(name) = session.stranger(&logged) {
                    let message = format!("there is no input or output `{name}`");
                    return Err(Diagnostic::error("unknown-channel", span, message).into());
                }
                let logged = session
                    .converted(logged, LoggedTime::Number)
                    .map_err(|message| Diagnostic::error("bad-time", span, message))?;
                let taken = session.take(number, logged, &mut self.anywhere, follow.as_deref_mut());
                match taken.map_err(|error| failed(&error, Some(span)))? {
                    Taken::On => {}
                    Taken::Decided | Taken::Stopped => return self.ended(),
                    Taken::Coarse(rounding) => return Err(session.too_coarse(span, rounding)),
                }
            }
        }
        self.ended()
    }

    fn ended(self) -> Result<MonitoredLog, Failure> {
        let sessions: Result<Vec<Monitored>, Failure> =
            self.sessions.into_iter().map(Session::ended).collect();
        Ok(MonitoredLog { sessions: sessions?, unknown: self.unknown })
    }
}

/// Whether a first line says that a trace follows.
fn is_trace(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("tioga-trace") || (line.starts_with('{') && line.contains("\"tioga_trace\""))
}

/// Where the moment of a line is; in JSON and in CSV it is somewhere in the line.
fn moment_place(line: &str, plain: bool) -> Range<usize> {
    let content = line.trim_start();
    let start = line.len() - content.len();
    let somewhere = !plain || content.starts_with('{');
    let end = if somewhere { None } else { content.find(char::is_whitespace) };
    start..start + end.unwrap_or(content.trim_end().len())
}

/// What is seen of a record.
fn observed(record: &Record, at: Moment) -> Vec<Logged> {
    let Record::Step(StepRecord { event, .. }) = record else { return Vec::new() };
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
