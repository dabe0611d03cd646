//! A campaign from its settings to its results: everything is checked before the first run, and each
//! model is read once.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::Duration;

use tioga_adapters::{
    AdapterLimits, Fault, ModelSystem, Policy, Protocol, System, SystemRef, TimeBase,
    WithoutOwnMoves,
};
use tioga_base::{Cancel, Diagnostic, Diagnostics, GivenTime, Moment, Rational, Sources, TimeUnit};
use tioga_estimate::Latencies;
use tioga_execute::{
    Campaign, Error, Event, Journal, Online, OnlineOptions, OnlineTester, Reporter, RunRecord,
    Settings, Tally, Tester,
};
use tioga_model::Model;
use tioga_setexp::Script;
use tioga_testcase::{Goal, Suite, TestCase};

use super::second_opinion::SecondOpinion;
use super::systems::{Source, not_a_system};
use super::testers::OnlineGoal;
use super::undeclared::{self, FirstFailure};
use super::walk::online_walk;
use crate::given::{GivenLatencies, in_run_units};
use crate::suite::instances;
use crate::symbolic_testing::{SymbolicTester, scripts};
use crate::{Effort, Failure, GivenPurpose, Loaded, cores, read_of_suite};

/// How many choices of values a test case over data is run with, unless told.
pub const SAMPLES: u64 = 4;

/// How the runs of a campaign are made. The default is one run of each test case with virtual time.
#[derive(Clone, PartialEq, Debug)]
pub struct RunOptions {
    /// How to talk to a system that is not a model; JSON lines by default.
    pub protocol: Option<Protocol>,
    /// Whether the clock of the machine runs; otherwise the tester tells the system how much time
    /// passes.
    pub real_time: bool,
    /// How long a written time unit takes with real time, which this implies; by default as the
    /// model declares.
    pub unit: Option<Duration>,
    /// How a model resolves its choices.
    pub policy: Option<Policy>,
    /// How long messages may be under way.
    pub latencies: GivenLatencies,
    /// Limits of the system that differ from the default ones.
    pub limits: TimeLimits,
    /// How often each test case is run; as the suite says, or once, if nothing is given.
    pub repeat: Option<u64>,
    /// How many choices of values a test case over data is run with at most.
    pub samples: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// How long to wait if the model does not bound the wait.
    pub patience: Option<GivenTime>,
    /// The tester acts only at multiples of this time; by default at any time.
    pub grid: Option<GivenTime>,
    /// Whether each run gets a new process or connection.
    pub fresh: bool,
    /// Whether the campaign continues after a run that failed or was an error.
    pub keep_going: bool,
    /// The wall-clock limit of a run.
    pub timeout: Option<Duration>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            protocol: None,
            real_time: false,
            unit: None,
            policy: None,
            latencies: GivenLatencies::default(),
            limits: TimeLimits::default(),
            repeat: None,
            samples: SAMPLES,
            seed: 0,
            patience: None,
            grid: None,
            fresh: false,
            keep_going: false,
            timeout: None,
        }
    }
}

/// Limits of an external system; limits that are not given stay unchanged.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimeLimits {
    /// How long an answer may take.
    pub answer: Option<Duration>,
    /// How long the first answer may take.
    pub start: Option<Duration>,
    /// How long the system may take to end after goodbye.
    pub exit: Option<Duration>,
    /// How many bytes a line of the system may have.
    pub line: Option<usize>,
    /// How many messages the system may send without a pause.
    pub burst: Option<u64>,
}

impl TimeLimits {
    /// Sets the given limits, unless the system is a model, which has none.
    pub fn apply(&self, settings: &mut Settings) -> Result<(), Failure> {
        if *self != Self::default() && settings.system.is_model() {
            let message = "a model answers at once, and has no limits";
            let help = "leave out the limits of the system, such as `--answer-timeout`";
            return Err(Diagnostic::global("no-limits", message).help(help).into());
        }
        settings.limits = self.over(&settings.limits);
        Ok(())
    }

    /// These limits, and others where they are not given.
    pub(super) fn over(&self, limits: &AdapterLimits) -> AdapterLimits {
        AdapterLimits {
            answer: self.answer.unwrap_or(limits.answer),
            start: self.start.unwrap_or(limits.start),
            exit: self.exit.unwrap_or(limits.exit),
            line: self.line.unwrap_or(limits.line),
            burst: self.burst.unwrap_or(limits.burst),
            cancel: limits.cancel.clone(),
        }
    }
}

/// The settings of a campaign.
pub fn settings(
    suite: Suite,
    online: Option<Online>,
    system: SystemRef,
    options: &RunOptions,
    specification: Option<&Model>,
) -> Result<Settings, Failure> {
    if system.is_model() && options.protocol.is_some() {
        let message = "a model needs no protocol";
        let help = "leave out `--protocol`";
        return Err(Diagnostic::global("no-protocol", message).help(help).into());
    }
    let cases = instances(suite.cases, options.samples, options.seed)?;
    let repeat = options.repeat.or(suite.repeat.map(NonZeroU64::get)).unwrap_or(1);
    let suite = Suite { cases, ..suite };
    let time = time_base(options, specification)?;
    let unit = given_unit(&suite, options, specification);
    // Rounded up, so that a short time does not become none.
    let milliseconds = |time: Duration| time.as_nanos().div_ceil(1_000_000);
    let timeout = options.timeout.map(milliseconds);
    let mut settings = Settings {
        suite,
        online,
        system,
        protocol: options.protocol.unwrap_or_default(),
        time,
        limits: AdapterLimits::default(),
        latencies: options.latencies.in_run_units(unit)?,
        repeat,
        seed: options.seed,
        patience: options.patience.map(|given| in_run_units(given, unit)).transpose()?,
        grid: grid(options.grid, unit)?,
        policy: options.policy,
        fresh: options.fresh,
        keep_going: options.keep_going,
        timeout_ms: timeout.map(|time| u64::try_from(time).unwrap_or(u64::MAX)),
    };
    options.limits.apply(&mut settings)?;
    without_latencies(&settings)?;
    possible_latencies(&settings)?;
    Ok(settings)
}

/// Messages between a tester and a model take no time, so a model would fail where the least latency is longer.
fn possible_latencies(settings: &Settings) -> Result<(), Failure> {
    let Latencies { input, output, .. } = settings.latencies;
    let at_once = |way: Moment| way.earliest().is_zero();
    if !settings.system.is_model() || (at_once(input) && at_once(output)) {
        return Ok(());
    }
    let message = "messages between the tester and a model take no time, but the declared latencies begin above 0";
    let help = "let them begin at 0: `--in-latency 0..TIME`, `--out-latency 0..TIME`";
    Err(Diagnostic::global("impossible-latencies", message).help(help).into())
}

/// Symbolic test cases are run as if messages took no time.
fn without_latencies(settings: &Settings) -> Result<(), Failure> {
    let symbolic = settings.suite.cases.iter().find(|case| case.symbolic.is_some());
    let Some(case) = symbolic.filter(|_| !settings.latencies.is_none()) else { return Ok(()) };
    let message = format!("the symbolic test case `{}` does not know latencies", case.name);
    let help = "leave out `--in-latency`, `--out-latency` and `--jitter`; `tioga test --online` takes them";
    Err(Diagnostic::global("no-latencies", message).help(help).into())
}

/// A step of a grid, which is above zero.
fn grid(given: Option<GivenTime>, unit: Option<TimeUnit>) -> Result<Option<Rational>, Failure> {
    let Some(given) = given else { return Ok(None) };
    let step = in_run_units(given, unit)?;
    if step.is_zero() {
        let message = "the multiples of zero are no grid";
        let help = "give the time between two points, such as `1/50` or `20ms`";
        return Err(Diagnostic::global("bad-time", message).help(help).into());
    }
    Ok(Some(step))
}

/// The length of the time unit of options: by the clock of the machine if that runs at another
/// speed, otherwise as the model declares.
pub fn given_unit(
    suite: &Suite,
    options: &RunOptions,
    specification: Option<&Model>,
) -> Option<TimeUnit> {
    let own = options.unit.and_then(|unit| i64::try_from(unit.as_nanos()).ok());
    let own = own.map(TimeUnit::of_nanoseconds);
    let declared = specification.and_then(|model| model.time_unit);
    own.or(declared).or_else(|| suite.cases.first().and_then(|case| case.summary.unit))
}

/// So many seconds of the wall clock in time units of the runs; nothing in virtual time.
pub fn wall_clock(
    seconds: i64,
    options: &RunOptions,
    specification: &Model,
) -> Result<Option<Rational>, Failure> {
    let TimeBase::Real { unit_ns } = time_base(options, Some(specification))? else {
        return Ok(None);
    };
    let nanoseconds = seconds.saturating_mul(1_000_000_000);
    Ok(Rational::new(nanoseconds, i64::try_from(unit_ns).unwrap_or(i64::MAX)).ok())
}

/// Where time comes from.
fn time_base(options: &RunOptions, specification: Option<&Model>) -> Result<TimeBase, Failure> {
    if let Some(unit) = options.unit {
        let unit_ns = u64::try_from(unit.as_nanos()).unwrap_or(u64::MAX);
        return Ok(TimeBase::Real { unit_ns });
    }
    if !options.real_time {
        return Ok(TimeBase::Virtual);
    }
    let Some(unit) = specification.and_then(|model| model.time_unit) else {
        let message = "the model does not say how long a time unit takes";
        let help = "say it with `--unit`, or in the model with `time unit 10 ms;`";
        return Err(Diagnostic::global("no-time-unit", message).help(help).into());
    };
    let unit_ns = unit
        .nanoseconds()
        .ok()
        .and_then(Rational::to_integer)
        .and_then(|ns| u64::try_from(ns).ok());
    match unit_ns {
        Some(unit_ns) if unit_ns > 0 => Ok(TimeBase::Real { unit_ns }),
        _ => {
            let message = "the time unit of the model is not a whole number of nanoseconds";
            Err(Diagnostic::global("bad-time-unit", message).into())
        }
    }
}

/// A checked campaign that is ready to run.
#[derive(Debug)]
pub struct Prepared {
    /// How it is set up.
    pub settings: Settings,
    /// The model the test cases were made from, if it is known.
    pub specification: Option<Loaded>,
    /// The warnings.
    pub warnings: Diagnostics,
    source: Source,
    /// What online runs of each test case aim at, by their names.
    goals: BTreeMap<String, OnlineGoal>,
    /// The scripts of symbolic test cases, by their names.
    scripts: BTreeMap<String, Script>,
}

/// Checks the settings of a campaign. The specification is read from the settings, unless it was
/// read already.
pub fn prepare(
    settings: Settings,
    specification: Option<Loaded>,
    texts: &mut Sources,
    effort: &mut Effort<'_>,
) -> Result<Prepared, Failure> {
    prepare_aimed(settings, specification, BTreeMap::new(), texts, effort)
}

/// The same with goals of online testing that are known already, by the names of the test cases.
pub fn prepare_aimed(
    settings: Settings,
    specification: Option<Loaded>,
    mut goals: BTreeMap<String, OnlineGoal>,
    texts: &mut Sources,
    effort: &mut Effort<'_>,
) -> Result<Prepared, Failure> {
    let mut warnings = Diagnostics::new();
    let specification = match (specification, settings.model()) {
        (Some(loaded), _) => Some(loaded),
        (None, Some(source)) => {
            let queries = conditions(&settings);
            Some(read_of_suite(&settings.suite, source.clone(), &queries, texts)?)
        }
        (None, None) => None,
    };
    let source = Source::open(&settings, specification.as_ref(), texts, &mut warnings)?;
    let follows = settings.suite.cases.iter().any(|case| settings.is_online(case));
    if follows && specification.is_none() {
        let message = "neither the suite nor the journal keeps the model that the tester follows";
        return Err(Diagnostic::global("no-model", message).into());
    }
    let aims = settings.online.as_ref().is_some_and(Online::aims);
    if let Some(loaded) = &specification {
        for case in settings.suite.cases.iter().filter(|case| aims || case.is_online()) {
            if !goals.contains_key(&case.name) {
                let own = OnlineGoal::of(loaded, &case.summary.goal, effort)?;
                goals.insert(case.name.clone(), own);
            }
        }
    }
    let scripts = scripts(&settings.suite)?;
    Ok(Prepared { settings, specification, warnings, source, goals, scripts })
}

/// The queries of the conditions that online runs aim at.
fn conditions(settings: &Settings) -> Vec<String> {
    if !settings.online.as_ref().is_some_and(Online::aims) {
        return Vec::new();
    }
    let reached = settings.suite.cases.iter().filter_map(|case| match &case.summary.goal {
        Goal::Reach { condition, .. } => {
            Some(GivenPurpose::Reach { condition: condition.clone(), within: None })
        }
        _ => None,
    });
    GivenPurpose::queries(&reached.collect::<Vec<_>>())
}

impl Prepared {
    /// The model that online tests of a test case follow, and what they aim at, if that is something.
    pub(super) fn aim(&self, case: &TestCase) -> (Option<&Model>, Option<&OnlineGoal>) {
        match self.goals.get(&case.name) {
            Some(goal) => (Some(&goal.model), Some(goal)),
            None => (self.specification.as_ref().map(|own| &own.model), None),
        }
    }

    /// Makes a system; the flag ends every wait for it.
    pub fn system(&self, cancel: &Cancel) -> Result<Box<dyn System + '_>, Fault> {
        let cancel = cancel.clone();
        self.system_within(&AdapterLimits { cancel, ..self.settings.limits.clone() })
    }

    fn system_within(&self, limits: &AdapterLimits) -> Result<Box<dyn System + '_>, Fault> {
        let Settings { system, protocol, time, policy, .. } = &self.settings;
        let policy = policy.unwrap_or_default();
        let made: Box<dyn System + '_> = match (&self.source, &self.specification) {
            (Source::Itself, Some(loaded)) => Box::new(ModelSystem::new(&loaded.model, policy)),
            (Source::Model(model), _) => Box::new(ModelSystem::new(model, policy)),
            (Source::Outside(alphabet), _) => protocol.connect(system, *time, alphabet, limits)?,
            (Source::Itself, None) => unreachable!("preparing needs the model it tests"),
        };
        Ok(Box::new(WithoutOwnMoves::new(made, &self.settings.suite.cases)))
    }

    /// Makes the tester of a run of this test case, whose seed is given.
    pub fn tester<'t>(
        &'t self,
        case: &'t TestCase,
        seed: u64,
    ) -> Result<Box<dyn Tester + 't>, Error> {
        if let Some(script) = self.scripts.get(&case.name).filter(|_| case.symbolic.is_some()) {
            return Ok(Box::new(SymbolicTester::new(script, &self.settings, seed)));
        }
        let exact = self.settings.time == TimeBase::Virtual;
        let (model, goal) = self.aim(case);
        if let (Some(walk), Some(model)) = (online_walk(case, self.settings.latencies, seed), model)
        {
            let tester = OnlineTester::new(model, walk?)?.on_grid(self.settings.grid());
            return Ok(Box::new(if exact { tester.in_virtual_time() } else { tester }));
        }
        let (Some(online), Some(model)) = (&self.settings.online, model) else {
            let tester = self.settings.tester(case, seed)?;
            let Some(loaded) = &self.specification else { return Ok(tester) };
            let latencies = self.settings.latencies;
            return SecondOpinion::of(tester, case, &loaded.model, latencies, exact);
        };
        let guide = goal.and_then(|goal| goal.guide.as_ref());
        let options = OnlineOptions {
            goal: guide.map(|guide| &guide.goal),
            keep: guide.and_then(|guide| guide.keep.as_ref()),
            guide: guide.map(|guide| &guide.ranks),
            actions: online.actions,
            lasts: goal.and_then(|goal| goal.lasts),
            longest_wait: goal.map_or(online.longest_wait, |goal| goal.wait(online.longest_wait)),
            latencies: self.settings.latencies,
            // The system must not draw the same numbers.
            seed: Settings::tester_seed(seed),
        };
        let tester = OnlineTester::new(model, options)?;
        let mut tester = tester.on_grid(self.settings.grid());
        if let Some(view) = guide.and_then(|guide| guide.data.as_ref()) {
            tester = tester.over_classes(model, view.model(), view.classes());
        }
        Ok(Box::new(if exact { tester.in_virtual_time() } else { tester }))
    }

    /// Makes the runs that are missing in the tally, several at the same time if requested. Events
    /// go to the journal first and then to the reporter. Warnings come with the results.
    pub fn run(
        &self,
        jobs: usize,
        journal: Option<Journal>,
        tally: Tally,
        reporter: &mut dyn Reporter,
        cancel: Cancel,
    ) -> Result<(Tally, Diagnostics), Failure> {
        let mut limits = with_jobs(&self.settings.limits, jobs, cores());
        limits.cancel = cancel.clone();
        let systems = || self.system_within(&limits);
        let testers = |case, seed| self.tester(case, seed);
        let campaign = Campaign {
            settings: &self.settings,
            systems: &systems,
            testers: &testers,
            jobs,
            cancel,
        };
        let (results, failure) = if undeclared::matters(&self.settings) {
            let mut failures = FirstFailure::new(reporter);
            (campaign.run(journal, tally, &mut failures), failures.record)
        } else {
            (campaign.run(journal, tally, reporter), None)
        };
        let results = results.map_err(|error| {
            let diagnostic = Diagnostic::global("campaign-stopped", error.to_string());
            let help =
                "after that is repaired, `tioga resume` continues; no run that ended is lost";
            Failure::from(diagnostic.help(help))
        })?;
        let mut warnings = Diagnostics::new();
        if let Some(fault) = &results.farewell {
            // Whatever the system does wrong is an error, also after the last run.
            warnings.push(Diagnostic::global("bad-farewell", format!("after its runs, {fault}")));
        }
        if let Some(warning) = not_a_system(&results.tally, self.settings.times()) {
            warnings.push(warning);
        }
        let model = self.specification.as_ref().map(|loaded| &loaded.model);
        let undeclared =
            failure.and_then(|record| undeclared::warning(&self.settings, model, &record));
        if let Some(warning) = undeclared {
            warnings.push(warning);
        }
        Ok((results.tally, warnings))
    }

    /// Makes all runs, one after the other, and keeps their events in memory; for few short runs.
    pub fn records(&self, cancel: Cancel) -> Result<Vec<RunRecord>, Failure> {
        let mut keeper = Keeper::default();
        self.run(1, None, Tally::new(&self.settings), &mut keeper, cancel)?;
        let record = |(run, events)| RunRecord { run, events };
        Ok(keeper.0.into_iter().map(record).collect())
    }
}

/// The limits of systems of which so many start at the same time: unless something else was asked for, each
/// may take as much longer as there are more of them than cores.
fn with_jobs(limits: &AdapterLimits, jobs: usize, cores: usize) -> AdapterLimits {
    let mut limits = limits.clone();
    if limits.start == AdapterLimits::default().start {
        let share = u32::try_from(jobs.div_ceil(cores.max(1))).unwrap_or(u32::MAX);
        limits.start = limits.start.saturating_mul(share.max(1));
    }
    limits
}

/// Keeps every event.
#[derive(Default)]
struct Keeper(BTreeMap<u64, Vec<Event>>);

impl Reporter for Keeper {
    fn event(&mut self, run: u64, event: &Event) {
        let events = self.0.entry(run).or_default();
        // A run that begins again counts from there.
        if let Event::Begin { .. } = event {
            events.clear();
        }
        events.push(event.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_systems_that_start_together_may_take_longer() {
        let usual = AdapterLimits::default();
        assert_eq!(with_jobs(&usual, 1, 2), usual);
        assert_eq!(with_jobs(&usual, 64, 2).start, usual.start * 32);
        let asked = AdapterLimits { start: Duration::from_secs(1), ..usual };
        assert_eq!(with_jobs(&asked, 64, 2), asked);
    }
}
