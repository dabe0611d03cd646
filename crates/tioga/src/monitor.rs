//! Whether a log conforms to a model; if not, what was seen where, and what was expected instead. The
//! log is read line by line, and only the states that explain it are kept.

use std::io::BufRead;
use std::ops::Range;

use tioga_base::{Diagnostic, Moment, Rational, Sources, Span, Times};
use tioga_concrete::{Record, StepRecord, Trace, TraceEvent};
use tioga_execute::{
    Alphabet, Error, Estimated, Finding, Latencies, LatencyBounds, Logged, ModelWatcher,
};
use tioga_model::Model;
use tioga_testcase::{Action, Side};

use crate::Failure;
use crate::log_lines::LogLines;
use crate::texts::text;
use crate::trace::{parse_trace, record_span};

/// Follows a log on a model.
pub struct Monitor<'m> {
    alphabet: Alphabet,
    watcher: ModelWatcher<'m>,
    times: LogTimes,
    /// How times are shown.
    shown: Times,
    /// What is subtracted from the times of the log, once that is known.
    first: Option<Rational>,
    /// The moment of the last observation.
    last: Moment,
    observations: usize,
    /// The number of the line that was taken last.
    line: usize,
}

/// How the times of a log become those of the model.
#[derive(Clone, Copy, Debug)]
pub struct LogTimes {
    /// What they are multiplied by.
    pub scale: Rational,
    /// Whether the first one is subtracted from all.
    pub from_first: bool,
    /// The coarsest rounding, in the time of the model, with which a log is still followed where exact
    /// times do not fit.
    pub resolution: Rational,
}

/// What a log means.
#[derive(Debug)]
pub struct Monitored {
    /// What decided it; nothing if the whole log conforms.
    pub decided: Option<Decided>,
    /// How many inputs and outputs conform.
    pub observations: usize,
    /// The moment of the last observation that conforms.
    pub last: Moment,
    /// The number of the last line that conforms, or 0.
    pub line: usize,
    /// The states that explain what conforms.
    pub states: Vec<Estimated>,
    /// The latencies that explain it, if there are any.
    pub latencies: Option<LatencyBounds>,
    /// Within what times were rounded in favour of the system; nothing if all was exact.
    pub rounding: Option<Rational>,
}

/// The observation that decided what a log means.
#[derive(Debug)]
pub struct Decided {
    /// The number of its line.
    pub line: usize,
    /// What was seen.
    pub logged: Logged,
    /// What is wrong with it.
    pub finding: Finding,
}

impl Decided {
    /// Whether the model says nothing about what was seen, so that nothing follows from it.
    pub fn is_inconclusive(&self) -> bool {
        matches!(self.finding, Finding::Unspecified { .. })
    }
}

/// Hears of each line that conforms, with the states that explain the log up to there; says whether to
/// go on.
pub type Follow<'f> = dyn FnMut(usize, &Logged, &[Estimated]) -> bool + 'f;

impl<'m> Monitor<'m> {
    /// At the start of a log.
    pub fn new(model: &'m Model, latencies: &Latencies, times: LogTimes) -> Result<Self, Failure> {
        let watcher =
            ModelWatcher::of_model(model, latencies).map_err(|error| failed(&error, None))?;
        let alphabet = Alphabet::of_model(model);
        let first = (!times.from_first).then_some(Rational::ZERO);
        let (last, observations, line) = (Moment::START, 0, 0);
        let shown = Times::of(model.time_unit);
        Ok(Self { alphabet, watcher, times, shown, first, last, observations, line })
    }

    /// How times are shown.
    pub fn shown(&self) -> Times {
        self.shown
    }

    /// Takes a log to its end, or to the first line that decides.
    pub fn read(
        mut self,
        mut lines: LogLines<impl BufRead>,
        texts: &mut Sources,
        mut follow: Option<&mut Follow<'_>>,
    ) -> Result<Monitored, Failure> {
        let mut begun = false;
        loop {
            let line = match lines.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return self.ended(None),
                Err(error) => return Err(lines.diagnostic(texts, &error).into()),
            };
            if !begun && is_trace(line) {
                let name = lines.name().to_owned();
                let text = text(texts, &name, lines.rest())?;
                return self.read_trace(&name, text, texts, follow);
            }
            begun |= !line.trim().is_empty();
            let logged = match Logged::parse(line, &self.alphabet) {
                Ok(None) => continue,
                Ok(Some(logged)) => logged,
                Err(error) => {
                    let span = lines.place(texts, error.span);
                    let mut diagnostic = Diagnostic::error("bad-line", span, error.message);
                    diagnostic.help = error.help;
                    return Err(diagnostic.into());
                }
            };
            let place = moment_place(line);
            let logged = self.scaled(logged).map_err(|message| {
                let span = lines.place(texts, place.clone());
                Diagnostic::error("bad-time", span, message)
            })?;
            let number = lines.number();
            let taken = self.take(number, logged, follow.as_deref_mut());
            match taken.map_err(|error| failed(&error, Some(lines.place(texts, 0..0))))? {
                Taken::On => {}
                Taken::Decided(decided) => return self.ended(Some(*decided)),
                Taken::Stopped => return self.ended(None),
                Taken::Coarse(rounding) => {
                    return Err(self.too_coarse(lines.place(texts, place), rounding));
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
    ) -> Result<Monitored, Failure> {
        let file = texts.add(name, text);
        let trace: Trace = parse_trace(texts, file)?;
        let mut time = Rational::ZERO;
        let records = trace.records.len();
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
                if let Some(name) = self.stranger(&logged) {
                    let message = format!("there is no input or output `{name}`");
                    return Err(Diagnostic::error("unknown-channel", span, message).into());
                }
                let logged = self
                    .scaled(logged)
                    .map_err(|message| Diagnostic::error("bad-time", span, message))?;
                let taken = self.take(number, logged, follow.as_deref_mut());
                match taken.map_err(|error| failed(&error, Some(span)))? {
                    Taken::On => {}
                    Taken::Decided(decided) => return self.ended(Some(*decided)),
                    Taken::Stopped => return self.ended(None),
                    Taken::Coarse(rounding) => return Err(self.too_coarse(span, rounding)),
                }
            }
        }
        self.ended(None)
    }

    /// The observation in the time of the model; otherwise what is wrong with its time.
    fn scaled(&mut self, mut logged: Logged) -> Result<Logged, String> {
        let (Logged::Action { at, .. } | Logged::End { at }) = &mut logged;
        let first = *self.first.get_or_insert(at.earliest());
        let scaled = |time: Rational| time.sub(first)?.mul(self.times.scale);
        let (Ok(earliest), Ok(latest)) = (scaled(at.earliest()), scaled(at.latest())) else {
            return Err("this moment is too large to be exact".to_owned());
        };
        if earliest.is_negative() {
            return Err(match self.times.from_first {
                true => "this was before the first observation, at which the run begins".to_owned(),
                false => "a run begins at 0, and nothing was before".to_owned(),
            });
        }
        let moment = Moment::between(earliest, latest).expect("scaling keeps the order");
        if latest < self.last.earliest() {
            let [now, last] = [moment, self.last].map(|at| self.shown.moment(at));
            return Err(format!("time goes back: this was at {now}, after something at {last}"));
        }
        *at = moment;
        Ok(logged)
    }

    /// Takes an observation.
    fn take(
        &mut self,
        line: usize,
        logged: Logged,
        follow: Option<&mut Follow<'_>>,
    ) -> Result<Taken, Error> {
        if let Some(finding) = self.watcher.logged(&logged)? {
            return Ok(Taken::Decided(Box::new(Decided { line, logged, finding })));
        }
        let rounding = self.watcher.rounding().filter(|rounding| *rounding > self.times.resolution);
        if let Some(rounding) = rounding {
            return Ok(Taken::Coarse(rounding));
        }
        (self.last, self.line) = (logged.at(), line);
        self.observations += usize::from(matches!(logged, Logged::Action { .. }));
        if let Some(follow) = follow
            && !follow(line, &logged, &self.watcher.states()?)
        {
            return Ok(Taken::Stopped);
        }
        Ok(Taken::On)
    }

    fn ended(mut self, decided: Option<Decided>) -> Result<Monitored, Failure> {
        let states = self.watcher.states().map_err(|error| failed(&error, None))?;
        let latencies = self.watcher.latencies().map_err(|error| failed(&error, None))?;
        let rounding = self.watcher.rounding();
        let Self { last, observations, line, .. } = self;
        Ok(Monitored { decided, observations, last, line, states, latencies, rounding })
    }

    /// That a log cannot be followed as exactly as is wanted.
    fn too_coarse(&self, span: Span, rounding: Rational) -> Failure {
        let rounding = self.shown.amount(rounding);
        let message = format!("this moment would have to be rounded to a multiple of {rounding}");
        let wanted = self.shown.amount(self.times.resolution);
        Diagnostic::error("too-coarse", span, message)
            .note("the largest constant of the model leaves no room for finer units")
            .note(format!("a rounding of up to {wanted} is allowed"))
            .help("use smaller constants, or allow more with `--resolution`")
            .into()
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

/// What became of an observation.
enum Taken {
    /// It conforms.
    On,
    /// It decides.
    Decided(Box<Decided>),
    /// It conforms, and no more is wanted.
    Stopped,
    /// It may conform, but times were rounded more than is allowed.
    Coarse(Rational),
}

/// Why a log cannot be followed.
fn failed(error: &Error, span: Option<Span>) -> Failure {
    let code = if error.is_limit() { "too-many-states" } else { "cannot-follow" };
    let diagnostic = match span {
        Some(span) => Diagnostic::error(code, span, error.to_string()),
        None => Diagnostic::global(code, error.to_string()),
    };
    if error.is_limit() { Failure::limit(diagnostic) } else { diagnostic.into() }
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
