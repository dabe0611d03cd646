//! Measuring latencies between tester and system: round trips of resets, and runs of a model, which
//! need latencies of a certain size to be explained.

use std::time::Duration;

use tioga_adapters::{AdapterLimits, Alphabet, Fault, Protocol, SystemRef, TimeBase};
use tioga_base::{
    Cancel, Diagnostic, GivenBounds, GivenTime, Moment, Overflow, Rational, Sources, TimeUnit,
    WallUnit,
};
use tioga_estimate::Latencies;
use tioga_execute::{Event, Explanation, Online, Outcome, RunRecord, round_trips};
use tioga_observe::Finding;
use tioga_testcase::Suite;

use super::campaign::{RunOptions, TimeLimits, prepare, settings};
use super::interface::online_case;
use crate::given::GivenLatencies;
use crate::{Effort, Failure, Loaded};

/// How latencies are measured.
#[derive(Clone, Debug)]
pub struct CalibrateOptions {
    /// How to talk to the system.
    pub protocol: Option<Protocol>,
    /// How long a time unit takes; by default as the model declares.
    pub unit: Option<Duration>,
    /// Limits of the system that differ from the default ones.
    pub limits: TimeLimits,
    /// How many resets are timed.
    pub resets: usize,
    /// How many runs of the model are made.
    pub runs: u64,
    /// How many inputs and outputs a run may have.
    pub actions: u64,
    /// The wall-clock limit of a run.
    pub timeout: Duration,
    /// The seed of the choice of inputs.
    pub seed: u64,
}

/// The measurements.
#[derive(Debug)]
pub struct Calibration {
    /// Round trips of resets; nothing if the protocol has no reset.
    pub resets: Option<Distribution>,
    /// The results of runs of the model; nothing without a model.
    pub answers: Option<Answers>,
    /// Latencies to declare; nothing if no latencies explain what the system does.
    pub suggested: Option<Suggested>,
}

/// Times in order.
#[derive(Clone, Debug)]
pub struct Distribution(Vec<Duration>);

impl Distribution {
    /// Of these times; nothing of none.
    pub fn of(mut times: Vec<Duration>) -> Option<Self> {
        times.sort();
        (!times.is_empty()).then_some(Self(times))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// A time that this share of the times, in per cent, does not exceed: 0 for the least, 100 for the
    /// most.
    pub fn quantile(&self, percent: usize) -> Duration {
        let last = self.0.len() - 1;
        self.0[(last * percent).div_ceil(100).min(last)]
    }
}

/// The results of runs of the model.
#[derive(Debug)]
pub struct Answers {
    /// How many runs were made with the latencies that are suggested.
    pub runs: usize,
    /// How many inputs they had.
    pub inputs: usize,
    /// How many outputs they had.
    pub outputs: usize,
    /// How often larger latencies had to be tried.
    pub raised: usize,
    /// The latencies of each direction by which all these runs are explained, in units of the model.
    pub explained: Option<(Moment, Moment)>,
    /// How long a unit of the model took.
    pub unit: TimeUnit,
    /// Why a run failed that no latency explains.
    pub unexplained: Option<String>,
}

/// Latencies to declare, in nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suggested {
    /// How long an input may be under way.
    pub input: i64,
    /// How long an output may be under way.
    pub output: i64,
    /// Additional time of each message.
    pub jitter: i64,
}

impl Calibration {
    /// Whether runs needed much larger latencies than resets take: the system may be wrong instead.
    pub fn is_doubtful(&self) -> bool {
        let (Some(resets), Some(suggested)) = (&self.resets, &self.suggested) else { return false };
        let most = nanoseconds(resets.quantile(100));
        suggested.jitter > round(most).saturating_mul(DOUBTFUL)
    }
}

/// How much larger is much larger.
const DOUBTFUL: i64 = 5;

/// Latencies that are tried first if there are no resets.
const FIRST: Suggested = Suggested { input: 100_000, output: 100_000, jitter: 100_000 };
/// Larger latencies are not tried.
const MOST: i64 = 1_000_000_000;

/// A time that is not below this one, and easy to read: 1, 2 or 5 of a power of ten.
fn round(nanoseconds: i64) -> i64 {
    if nanoseconds <= 0 {
        return 0;
    }
    let powers = (0..18).map(|power| 10i64.pow(power));
    let mut all = powers.flat_map(|power| [power, 2 * power, 5 * power]);
    all.find(|round| *round >= nanoseconds).unwrap_or(nanoseconds)
}

/// A time that is not below this one, with two digits.
fn two_digits(nanoseconds: i64) -> i64 {
    let power = 10i64.pow(nanoseconds.max(1).ilog10().saturating_sub(1));
    (nanoseconds / power + i64::from(nanoseconds % power != 0)).saturating_mul(power)
}

fn nanoseconds(time: Duration) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

impl Suggested {
    /// The latencies from round trips. Input and output together take at least as long as one
    /// direction, so the least round trip bounds each latency; the excess of others is jitter.
    pub fn of(trips: &Distribution) -> Self {
        let [least, most] = [0, 100].map(|percent| nanoseconds(trips.quantile(percent)));
        let latency = two_digits(least);
        Self { input: latency, output: latency, jitter: round(most - least) }
    }

    /// The options that declare it: `--in-latency 0..1ms --out-latency 0..1ms --jitter 2ms`.
    pub fn options(&self) -> String {
        let given = self.given();
        let shown = |bounds: Option<GivenBounds>| bounds.map_or(wall(0), |bounds| bounds.until);
        let jitter = given.jitter.unwrap_or(wall(0));
        let (input, output) = (shown(given.input), shown(given.output));
        format!("--in-latency 0..{input} --out-latency 0..{output} --jitter {jitter}")
    }

    fn given(&self) -> GivenLatencies {
        let bounds = |most| GivenBounds { from: wall(0), until: wall(most) };
        let (input, output) = (bounds(self.input), bounds(self.output));
        GivenLatencies { input: Some(input), output: Some(output), jitter: Some(wall(self.jitter)) }
    }

    /// The same, but at least so much everywhere.
    fn at_least(&self, most: i64) -> Self {
        let Self { input, output, jitter } = *self;
        Self { input: input.max(most), output: output.max(most), jitter: jitter.max(most) }
    }

    fn latencies(&self, unit: TimeUnit) -> Result<Latencies, Failure> {
        self.given().in_units(Some(unit))
    }
}

/// So many nanoseconds in a unit that is easy to read.
fn wall(nanoseconds: i64) -> GivenTime {
    let units = WallUnit::ALL.iter().rev().map(|(unit, _)| *unit).skip(2);
    let fits = |unit: &WallUnit| nanoseconds >= unit.nanoseconds();
    let unit = units.into_iter().find(fits).unwrap_or(WallUnit::Nanosecond);
    let amount = Rational::new(nanoseconds, unit.nanoseconds()).unwrap_or(Rational::ZERO);
    GivenTime::Wall { amount, unit }
}

/// Measures the latencies of a system and its adapter. The model determines when outputs come.
pub fn calibrate(
    system: &SystemRef,
    model: Option<&Loaded>,
    options: &CalibrateOptions,
    texts: &mut Sources,
    effort: &mut Effort<'_>,
) -> Result<Calibration, Failure> {
    if system.is_model() {
        let message = "a model answers at once: it has no latencies to measure";
        let help = "name a command or a connection with `--sut`";
        return Err(Diagnostic::global("no-latencies", message).help(help).into());
    }
    let protocol = options.protocol.unwrap_or_default();
    if model.is_none() && protocol != Protocol::Json {
        let message = "this protocol has no reset to be timed";
        let help = "name a model: its runs tell how long messages take";
        return Err(Diagnostic::global("no-reset", message).help(help).into());
    }
    let unit = unit(options, model)?;
    let cancel = effort.cancel.clone();
    let resets = match protocol {
        Protocol::Json => resets(system, model, unit, options, &cancel)?,
        _ => None,
    };
    let suggested = resets.as_ref().map(Suggested::of);
    let Some(loaded) = model else {
        return Ok(Calibration { resets, answers: None, suggested });
    };
    let mut first = suggested.unwrap_or(FIRST);
    let mut raised = 0;
    loop {
        let tried = Tried::new(system, loaded, unit, options, first, (texts, effort))?;
        let next = tried.next();
        let decided = match next {
            // Latencies that are as long as a run explain silence, and nothing is learnt from it.
            Next::Enough if raised > 0 && tried.is_silent() => {
                Some((None, Some("the system never answered".to_owned())))
            }
            Next::Enough => Some((Some(first), None)),
            Next::Unexplained(reason) => Some((None, Some(reason))),
            Next::More(_) if cancel.is_cancelled() => Some((Some(first), None)),
            Next::More(more) => {
                first = more;
                raised += 1;
                None
            }
        };
        if let Some((suggested, unexplained)) = decided {
            let answers = Some(tried.answers(raised, unexplained));
            return Ok(Calibration { resets, answers, suggested });
        }
    }
}

/// How long a time unit is told to be.
fn unit(options: &CalibrateOptions, model: Option<&Loaded>) -> Result<TimeUnit, Failure> {
    let declared = model.and_then(|loaded| loaded.model.time_unit);
    match (options.unit, declared, model) {
        (Some(unit), _, _) => Ok(TimeUnit::of_nanoseconds(nanoseconds(unit))),
        (None, Some(unit), _) => Ok(unit),
        // No message depends on it.
        (None, None, None) => Ok(TimeUnit { amount: Rational::ONE, unit: WallUnit::Second }),
        (None, None, Some(_)) => {
            let message = "the model does not say how long a time unit takes";
            let help = "say it with `--unit`, or in the model with `time unit 10 ms;`";
            Err(Diagnostic::global("no-time-unit", message).help(help).into())
        }
    }
}

/// Times resets.
fn resets(
    system: &SystemRef,
    model: Option<&Loaded>,
    unit: TimeUnit,
    options: &CalibrateOptions,
    cancel: &Cancel,
) -> Result<Option<Distribution>, Failure> {
    let alphabet = match model {
        Some(loaded) => Alphabet::of_model(&loaded.model),
        None => Alphabet { any_output: true, ..Alphabet::default() },
    };
    let unit_ns = unit.nanoseconds().ok().and_then(Rational::to_integer);
    let unit_ns = u64::try_from(unit_ns.unwrap_or(0)).unwrap_or(0);
    let usual = AdapterLimits { cancel: cancel.clone(), ..AdapterLimits::default() };
    let limits = options.limits.over(&usual);
    let trips = || -> Result<Vec<Duration>, Fault> {
        let time = TimeBase::Real { unit_ns };
        let mut system = Protocol::Json.connect(system, time, &alphabet, &limits)?;
        let trips = round_trips(&mut *system, options.resets, cancel)?;
        system.finish()?;
        Ok(trips)
    };
    let trips = trips().map_err(|fault| {
        let message = format!("the system cannot be measured: {fault}");
        Failure::from(Diagnostic::global("cannot-measure", message))
    })?;
    Ok(Distribution::of(trips))
}

/// Runs that were made with some latencies declared.
struct Tried<'l> {
    loaded: &'l Loaded,
    unit: TimeUnit,
    declared: Suggested,
    records: Vec<RunRecord>,
}

/// What follows from runs.
enum Next {
    /// They are explained.
    Enough,
    /// One fails, and no latency explains it.
    Unexplained(String),
    /// One fails, which these latencies may explain.
    More(Suggested),
}

impl<'l> Tried<'l> {
    fn new(
        system: &SystemRef,
        loaded: &'l Loaded,
        unit: TimeUnit,
        options: &CalibrateOptions,
        declared: Suggested,
        (texts, effort): (&mut Sources, &mut Effort<'_>),
    ) -> Result<Self, Failure> {
        let (case, longest_wait) = online_case(&loaded.model, options.actions);
        let suite = Suite::of_model(loaded.source.clone(), vec![case]);
        let online = Online {
            goal: None,
            cover: false,
            coverage: None,
            actions: options.actions,
            longest_wait,
        };
        let own = RunOptions {
            protocol: options.protocol,
            real_time: true,
            unit: options.unit,
            latencies: declared.given(),
            limits: options.limits.clone(),
            repeat: Some(options.runs),
            seed: options.seed,
            timeout: Some(options.timeout),
            ..RunOptions::default()
        };
        let settings = settings(suite, Some(online), system.clone(), &own, Some(&loaded.model))?;
        let prepared = prepare(settings, Some(loaded.clone()), texts, effort)?;
        let records = prepared.records(effort.cancel.clone())?;
        Ok(Self { loaded, unit, declared, records })
    }

    fn explanation(&self, record: &RunRecord, declared: Suggested) -> Option<Explanation> {
        let latencies = declared.latencies(self.unit).ok()?;
        Explanation::of_online_run(&self.loaded.model, &latencies, record, 0).ok()
    }

    /// Whether there was no output in any run.
    fn is_silent(&self) -> bool {
        let mut events = self.records.iter().flat_map(|record| &record.events);
        !events.any(|event| matches!(event, Event::Heard { .. }))
    }

    fn next(&self) -> Next {
        let failed = |record: &&RunRecord| {
            record
                .outcome()
                .is_some_and(|(outcome, _)| matches!(outcome, Outcome::Fail | Outcome::Error))
        };
        let Some(record) = self.records.iter().find(failed) else { return Next::Enough };
        let (outcome, reason) = record.outcome().unwrap_or((Outcome::Fail, ""));
        if outcome == Outcome::Error {
            return Next::Unexplained(reason.to_owned());
        }
        let largest = self.declared.input.max(self.declared.output).max(self.declared.jitter);
        let mut larger = std::iter::successors(Some(round(largest.saturating_add(1))), |most| {
            Some(round(most + 1))
        })
        .take_while(|most| *most <= MOST);
        let now = self.explanation(record, self.declared);
        let silent = now.is_some_and(|explained| {
            matches!(explained.conclusion.finding, Some(Finding::Silence { .. }))
        });
        let enough = if silent {
            // The run ended before an answer came, so it does not say how late that is.
            larger.next()
        } else {
            larger.find(|most| {
                let explained = self.explanation(record, self.declared.at_least(*most));
                explained.is_some_and(|explained| explained.conclusion.finding.is_none())
            })
        };
        match enough {
            Some(most) => Next::More(self.declared.at_least(most)),
            None => Next::Unexplained(reason.to_owned()),
        }
    }

    fn answers(&self, raised: usize, unexplained: Option<String>) -> Answers {
        let count = |wanted: fn(&Event) -> bool| {
            self.records.iter().flat_map(|record| &record.events).filter(|one| wanted(one)).count()
        };
        Answers {
            runs: self.records.len(),
            inputs: count(|event| matches!(event, Event::Sent { .. })),
            outputs: count(|event| matches!(event, Event::Heard { .. })),
            raised,
            explained: self.bounds().ok().flatten(),
            unit: self.unit,
            unexplained,
        }
    }

    /// The latencies by which all runs are explained, together.
    fn bounds(&self) -> Result<Option<(Moment, Moment)>, Overflow> {
        let mut hull: Option<(Moment, Moment)> = None;
        for record in &self.records {
            let explained = self.explanation(record, self.declared);
            let Some(own) = explained.and_then(|explained| explained.conclusion.latencies) else {
                continue;
            };
            let wider = |one: Moment, other: Moment| {
                let earliest = one.earliest().min(other.earliest());
                Moment::between(earliest, one.latest().max(other.latest())).ok_or(Overflow)
            };
            hull = Some(match hull {
                Some((input, output)) => (wider(input, own.input)?, wider(output, own.output)?),
                None => (own.input, own.output),
            });
        }
        Ok(hull)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(times: &[u64]) -> Distribution {
        Distribution::of(times.iter().copied().map(Duration::from_millis).collect()).unwrap()
    }

    #[test]
    fn quantiles_are_times_that_were_measured() {
        let all = milliseconds(&[5, 1, 4, 2, 3]);
        let shown = [0, 50, 90, 100].map(|percent| all.quantile(percent).as_millis());
        assert_eq!(shown, [1, 3, 5, 5]);
        assert!(Distribution::of(Vec::new()).is_none());
        assert_eq!([0, 7, 20_451, 99_001].map(two_digits), [0, 7, 21_000, 100_000]);
    }

    #[test]
    fn what_is_suggested_covers_what_was_measured_and_is_easy_to_read() {
        let suggested = Suggested::of(&milliseconds(&[3, 4, 21]));
        assert_eq!(suggested.options(), "--in-latency 0..3ms --out-latency 0..3ms --jitter 20ms");
        let even = Suggested::of(&milliseconds(&[7]));
        assert_eq!(even.options(), "--in-latency 0..7ms --out-latency 0..7ms --jitter 0ns");
    }
}
