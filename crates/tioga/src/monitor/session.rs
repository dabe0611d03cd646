//! One session of a log, followed on a model.

use std::rc::Rc;

use tioga_adapters::Alphabet;
use tioga_base::{Diagnostic, Moment, Rational, Span, Times};
use tioga_estimate::{Error, Latencies, LatencyBounds, ModelState};
use tioga_model::Model;
use tioga_observe::{Estimated, Finding, Logged, LoggedTime, ModelWatcher};
use tioga_testcase::Side;

use super::misfit::misfit;
use super::times::{Conversion, LogTimes};
use crate::Failure;

/// The result for a log, or a session of it.
#[derive(Debug)]
pub struct Monitored {
    /// The session, if the log has sessions.
    pub session: Option<String>,
    /// Violations and unspecified inputs, in order; at most one if monitoring does not continue.
    pub findings: Vec<Decided>,
    /// How many inputs and outputs conform.
    pub observations: usize,
    /// How many were not judged, because the state of the model was unknown.
    pub skipped: usize,
    /// Whether the rest was not judged, because the model has too many discrete states.
    pub stopped: bool,
    /// The moment of the last observation that conforms.
    pub last: Moment,
    /// The number of the last line that conforms, or 0.
    pub line: usize,
    /// The states that explain the conforming part.
    pub states: Vec<Estimated>,
    /// The latencies that explain it, if there are any.
    pub latencies: Option<LatencyBounds>,
    /// The rounding of times in favour of the system; nothing if all was exact.
    pub rounding: Option<Rational>,
}

/// An observation that does not conform, or an unspecified input.
#[derive(Debug)]
pub struct Decided {
    /// The number of its line.
    pub line: usize,
    /// The observation.
    pub logged: Logged,
    /// The finding.
    pub finding: Finding,
    /// Mistakes in its values in every state of the model: their number, a type or a range.
    pub misfit: Option<String>,
}

impl Monitored {
    /// Whether something was judged after a finding.
    pub fn is_later(&self) -> bool {
        self.findings.first().is_some_and(|first| first.line <= self.line)
    }
}

impl Decided {
    /// The verdict, in one word.
    pub fn verdict(&self) -> &'static str {
        if self.is_inconclusive() { "inconclusive" } else { "violation" }
    }

    /// Whether the model does not specify the observation, so nothing follows from it.
    pub fn is_inconclusive(&self) -> bool {
        matches!(self.finding, Finding::Unspecified { .. })
    }
}

/// Listens to each conforming line, with its session and the states that explain the session up to
/// there; returns whether to continue.
pub type Follow<'f> = dyn FnMut(Option<&str>, usize, &Logged, &[Estimated]) -> bool + 'f;

/// The possible states of the model at any time, computed when first needed.
#[derive(Default)]
pub(super) struct Anywhere(Option<Option<Rc<Vec<ModelState>>>>);

impl Anywhere {
    fn states(&mut self, model: &Model) -> Result<Option<Rc<Vec<ModelState>>>, Error> {
        if self.0.is_none() {
            self.0 = Some(ModelWatcher::anywhere(model)?.map(Rc::new));
        }
        Ok(self.0.clone().flatten())
    }
}

/// Follows a session on a model.
pub(super) struct Session<'m> {
    model: &'m Model,
    pub alphabet: Alphabet,
    watcher: ModelWatcher<'m>,
    latencies: Latencies,
    times: LogTimes,
    keep_going: bool,
    conversion: Option<Conversion>,
    /// What is subtracted from the times of the log, once that is known.
    first: Option<Rational>,
    /// The moment of the last line, whether it conforms or not.
    reached: Moment,
    /// Whether the state of the model is unknown.
    lost: bool,
    result: Monitored,
}

/// The result of an observation.
pub(super) enum Taken {
    /// It conforms, or monitoring continues anyway.
    On,
    /// It decides.
    Decided,
    /// It conforms, and no more is wanted.
    Stopped,
    /// It may conform, but times were rounded more than is allowed.
    Coarse(Rational),
}

impl<'m> Session<'m> {
    /// At the start of a session.
    pub fn new(
        model: &'m Model,
        latencies: &Latencies,
        times: LogTimes,
        keep_going: bool,
        session: Option<String>,
    ) -> Result<Self, Failure> {
        let watcher =
            ModelWatcher::of_model(model, latencies).map_err(|error| failed(&error, None))?;
        let result = Monitored {
            session,
            findings: Vec::new(),
            observations: 0,
            skipped: 0,
            stopped: false,
            last: Moment::START,
            line: 0,
            states: Vec::new(),
            latencies: None,
            rounding: None,
        };
        Ok(Self {
            model,
            alphabet: Alphabet::of_model(model),
            watcher,
            latencies: *latencies,
            times,
            keep_going,
            conversion: None,
            first: None,
            reached: Moment::START,
            lost: false,
            result,
        })
    }

    fn shown(&self) -> Times {
        Times::of(self.model.time_unit)
    }

    /// Whether nothing that follows is judged.
    pub fn is_over(&self) -> bool {
        self.result.stopped || (!self.keep_going && !self.result.findings.is_empty())
    }

    /// The observation in the time of the model; otherwise what is wrong with its time.
    pub fn converted(&mut self, mut logged: Logged, written: LoggedTime) -> Result<Logged, String> {
        let conversion = match self.conversion {
            Some(conversion) => conversion,
            None => self.times.conversion(written, logged.at(), self.model.time_unit)?,
        };
        if conversion.written != written {
            return Err("the times of a log are all numbers or all timestamps".to_owned());
        }
        self.conversion = Some(conversion);
        let (Logged::Action { at, .. } | Logged::End { at }) = &mut logged;
        let first = if conversion.from_first { at.earliest() } else { Rational::ZERO };
        let first = *self.first.get_or_insert(first);
        let scaled = |time: Rational| time.sub(first)?.mul(conversion.factor);
        let (Ok(earliest), Ok(latest)) = (scaled(at.earliest()), scaled(at.latest())) else {
            return Err("this moment is too large to be exact".to_owned());
        };
        if earliest.is_negative() {
            return Err(match conversion.from_first {
                true => "this was before the first observation, at which the run begins".to_owned(),
                false => "a run begins at 0, and nothing was before".to_owned(),
            });
        }
        let moment = Moment::between(earliest, latest).expect("scaling keeps the order");
        if latest < self.reached.earliest() {
            let [now, last] = [moment, self.reached].map(|at| self.shown().moment(at));
            return Err(format!("time goes back: this was at {now}, after something at {last}"));
        }
        *at = moment;
        Ok(logged)
    }

    /// Takes an observation.
    pub fn take(
        &mut self,
        line: usize,
        logged: Logged,
        anywhere: &mut Anywhere,
        follow: Option<&mut Follow<'_>>,
    ) -> Result<Taken, Error> {
        let at = logged.at();
        if self.lost && !self.found_again(at, anywhere)? {
            self.reached = at;
            return Ok(Taken::On);
        }
        if let Some(finding) = self.watcher.logged(&logged)? {
            let misfit = misfit(self.model, &logged);
            self.result.findings.push(Decided { line, logged, finding, misfit });
            (self.reached, self.lost) = (at, true);
            return Ok(if self.keep_going { Taken::On } else { Taken::Decided });
        }
        let rounding = self.watcher.rounding().filter(|rounding| *rounding > self.times.resolution);
        if let Some(rounding) = rounding {
            return Ok(Taken::Coarse(rounding));
        }
        self.reached = at;
        (self.result.last, self.result.line) = (at, line);
        self.result.observations += usize::from(matches!(logged, Logged::Action { .. }));
        if let Some(follow) = follow {
            let states = self.watcher.states()?;
            if !follow(self.result.session.as_deref(), line, &logged, &states) {
                return Ok(Taken::Stopped);
            }
        }
        Ok(Taken::On)
    }

    /// After a finding: whether an observation at this moment can be judged again. It can if every
    /// message before it has arrived; the model may be anywhere then.
    fn found_again(&mut self, at: Moment, anywhere: &mut Anywhere) -> Result<bool, Error> {
        let taken = self.latencies.all_taken(self.reached.latest(), at.earliest())?;
        let Some(taken) = taken.filter(|_| !self.result.stopped) else {
            self.result.skipped += 1;
            return Ok(false);
        };
        let Some(states) = anywhere.states(self.model)? else {
            (self.result.stopped, self.result.skipped) = (true, self.result.skipped + 1);
            return Ok(false);
        };
        self.watcher.start_anywhere(&states, taken)?;
        self.lost = false;
        Ok(true)
    }

    /// The result of the session.
    pub fn ended(mut self) -> Result<Monitored, Failure> {
        let told = |error: Error| failed(&error, None);
        self.result.states = self.watcher.states().map_err(told)?;
        self.result.latencies = self.watcher.latencies().map_err(told)?;
        self.result.rounding = self.watcher.rounding();
        Ok(self.result)
    }

    /// That a log cannot be followed as exactly as is wanted.
    pub fn too_coarse(&self, span: Span, rounding: Rational) -> Failure {
        too_coarse(span, self.shown(), rounding, self.times.resolution)
    }

    /// The name of an action that the model does not have.
    pub fn stranger(&self, logged: &Logged) -> Option<String> {
        let Logged::Action { by, action, .. } = logged else { return None };
        let own = match by {
            Side::Tester => &self.alphabet.inputs,
            Side::System => &self.alphabet.outputs,
        };
        (!own.contains(&action.channel)).then(|| action.channel.clone())
    }
}

/// That a log cannot be followed as exactly as is wanted.
fn too_coarse(span: Span, shown: Times, rounding: Rational, wanted: Rational) -> Failure {
    let (rounding, wanted) = (shown.amount(rounding), shown.amount(wanted));
    let message = format!("this moment would have to be rounded to a multiple of {rounding}");
    Diagnostic::error("too-coarse", span, message)
        .note("the largest constant of the model leaves no room for finer units")
        .note(format!("a rounding of up to {wanted} is allowed"))
        .help("use smaller constants, or allow more with `--resolution`")
        .into()
}

/// Why a log cannot be followed.
pub(super) fn failed(error: &Error, span: Option<Span>) -> Failure {
    let code = if error.is_limit() { "too-many-states" } else { "cannot-follow" };
    let diagnostic = match span {
        Some(span) => Diagnostic::error(code, span, error.to_string()),
        None => Diagnostic::global(code, error.to_string()),
    };
    if error.is_limit() { Failure::limit(diagnostic) } else { diagnostic.into() }
}
