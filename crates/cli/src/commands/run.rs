//! `tioga run` and what it shares with `tioga resume`: a campaign, told while it runs and after.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use tioga_base::{Cancel, Diagnostic, Severity};
use tioga_execute::{
    AdapterLimits, Campaign, Event, Journal, ModelText, Online, Outcome, Protocol, Reporter,
    RunSummary, Settings, Tally, TimeBase,
};
use tioga_report::Standing;
use tioga_testcase::Suite;

use super::report;
use crate::args::{
    InconclusiveArg, LoadArgs, PaceArgs, PolicyArg, ReportArgs, RunArgs, RunsArgs, SystemArgs,
};
use crate::exit::{Exit, Stop};
use crate::measure::{cancel_after, cancel_flag};
use crate::output::{OutputFormat, Session};
use crate::progress::Progress;
use crate::systems::{Source, limit, not_a_system};
use crate::testers::Testers;
use crate::{campaign_text, examples, journal_file, load, suite_file};

/// Runs the command.
pub fn run(args: &RunArgs, session: &mut Session) -> Result<Exit, Stop> {
    expect_outputs(&args.runs, session)?;
    let mut suite = suite_file::read(session, &args.suite)?;
    suite_file::choose(session, &mut suite, &args.cases)?;
    let model = args.model.as_deref().map(|name| model_text(session, name)).transpose()?;
    let matter = Matter { suite, model, online: None, system: args.sut.clone() };
    let settings = settings(matter, &args.runs, &args.reach, session)?;
    let source = Source::open(session, &settings)?;
    begin(settings, source, &args.suite, &args.runs, &args.pace, session)
}

/// Complains before a campaign of files that could not be written after it.
pub fn expect_outputs(args: &RunsArgs, session: &mut Session) -> Result<(), Stop> {
    let RunsArgs { journal, junit, tap, html, .. } = args;
    session.expect_files([journal, junit, tap, html].into_iter().flatten())
}

/// Begins a campaign and makes its runs. The journal is named after a file.
pub fn begin(
    settings: Settings,
    source: Source,
    name: &Path,
    args: &RunsArgs,
    pace: &PaceArgs,
    session: &mut Session,
) -> Result<Exit, Stop> {
    let testers = Testers::open(session, &settings)?;
    let path = if args.no_journal { None } else { Some(journal_path(args, name)) };
    let journal = match &path {
        None => None,
        Some(path) => Some(journal_file::create(session, path, &settings)?),
    };
    let tally = Tally::new(&settings);
    let teller = Teller::new(session, &tally);
    let journal_path = path.clone();
    let begun = Begun { settings, source, testers, path, journal, tally, teller };
    let exit = begun.finish(pace, session)?;
    let wanted = [&args.junit, &args.tap, &args.html].into_iter().any(Option::is_some);
    if let Some(journal) = journal_path.filter(|_| wanted) {
        let RunsArgs { junit, tap, html, inconclusive, .. } = args;
        let (junit, tap, html) = (junit.clone(), tap.clone(), html.clone());
        let inconclusive = *inconclusive;
        let wanted = ReportArgs { junit, tap, html, inconclusive, ..of(journal) };
        match report::files(&wanted, session) {
            // That the system failed matters more; the diagnostic tells of the files.
            Err(Stop::Diagnosed) if exit == Exit::Negative => {}
            other => other?,
        }
    }
    Ok(exit)
}

/// No reports of a journal.
fn of(journal: PathBuf) -> ReportArgs {
    ReportArgs {
        journal,
        junit: None,
        tap: None,
        html: None,
        json: None,
        ttcn: None,
        coverage: None,
        inconclusive: InconclusiveArg::default(),
        run: None,
        diagram: None,
    }
}

/// What a campaign is about.
pub struct Matter {
    /// The test cases.
    pub suite: Suite,
    /// The model they were made from.
    pub model: Option<ModelText>,
    /// How to test without test cases.
    pub online: Option<Online>,
    /// What to test.
    pub system: String,
}

/// A campaign that is about to make runs.
pub struct Begun {
    /// How it is set up.
    pub settings: Settings,
    /// What it tests.
    pub source: Source,
    /// Who tests.
    pub testers: Testers,
    /// Where its journal is.
    pub path: Option<PathBuf>,
    /// Its journal.
    pub journal: Option<Journal>,
    /// What was done before.
    pub tally: Tally,
    /// Who tells of it.
    pub teller: Teller,
}

impl Begun {
    /// Makes the runs that are left, and prints the results of all.
    pub fn finish(self, pace: &PaceArgs, session: &mut Session) -> Result<Exit, Stop> {
        let Self { settings, source, testers, path, journal, tally, mut teller } = self;
        let cancel: Cancel = cancel_flag(None);
        if let Some(time) = pace.stop_after {
            cancel_after(&cancel, time);
        }
        let systems = || source.make();
        let jobs = usize::from(pace.jobs);
        let testers = |case, seed| testers.make(&settings, case, seed);
        let campaign =
            Campaign { settings: &settings, systems: &systems, testers: &testers, jobs, cancel };
        let results = campaign.run(journal, tally, &mut teller);
        teller.progress.clear();
        let results = results.map_err(|error| {
            let diagnostic = Diagnostic::global("campaign-stopped", error.to_string());
            let help = "when this is mended, `tioga resume` goes on; no run that ended is lost";
            session.stop(diagnostic.help(help))
        })?;
        if let Some(fault) = &results.farewell {
            let mut warning =
                Diagnostic::global("bad-farewell", format!("after its runs, {fault}"));
            warning.severity = Severity::Warning;
            session.diagnostics.push(warning);
        }
        if let Some(warning) = not_a_system(&results.tally) {
            session.diagnostics.push(warning);
        }
        let path = path.as_deref();
        session.print(&campaign::text(&settings, &results.tally, path))?;
        let runs = teller.runs.unwrap_or_default();
        session.set_result(campaign::json(&settings, &results.tally, path, &runs));
        Ok(exit(&results.tally))
    }
}

/// What the results mean to a shell.
fn exit(tally: &Tally) -> Exit {
    match tally.worst() {
        Some(worst @ (Outcome::Fail | Outcome::Error)) => exit_of(worst),
        _ if !tally.is_over() => Exit::Unknown,
        worst => worst.map_or(Exit::Success, exit_of),
    }
}

/// What the outcome of a run means to a shell.
pub fn exit_of(outcome: Outcome) -> Exit {
    match outcome {
        Outcome::Fail => Exit::Negative,
        Outcome::Error => Exit::Faulty,
        Outcome::Inconclusive => Exit::Inconclusive,
        Outcome::Pass => Exit::Success,
    }
}

/// Shows how far a campaign is, and remembers its runs for `--format json`.
pub struct Teller {
    progress: Progress,
    standing: Standing,
    /// The names of the test cases of runs under way.
    under_way: BTreeMap<u64, String>,
    /// When it began, and how many runs had ended then.
    begun: (Instant, u64),
    runs: Option<Vec<Value>>,
}

impl Teller {
    /// Nothing to tell but what was done before.
    pub fn new(session: &Session, tally: &Tally) -> Self {
        let mut standing = Standing::default();
        standing.count(tally);
        Self {
            progress: Progress::new(session.format),
            begun: (Instant::now(), standing.counts.runs()),
            standing,
            under_way: BTreeMap::new(),
            runs: (session.format == OutputFormat::Json).then(Vec::new),
        }
    }

    /// Remembers a run.
    pub fn remember(&mut self, summary: &RunSummary) {
        if let Some(runs) = &mut self.runs {
            runs.push(campaign::run_json(summary));
        }
    }
}

impl Reporter for Teller {
    fn event(&mut self, run: u64, event: &Event) {
        match event {
            Event::Begin { case, .. } => {
                self.under_way.insert(run, case.clone());
            }
            Event::End { .. } => {
                self.under_way.remove(&run);
            }
            _ => {}
        }
        let Self { progress, standing, under_way, begun: (begun, before), .. } = self;
        progress.say(|| {
            standing.under_way = under_way.values().cloned().collect();
            let made = standing.counts.runs().saturating_sub(*before);
            standing.estimate(made, begun.elapsed());
            standing.to_string()
        });
    }

    fn counted(&mut self, summary: &RunSummary, tally: &Tally) {
        self.remember(summary);
        self.standing.count(tally);
    }
}

/// The settings that the options say.
pub fn settings(
    matter: Matter,
    args: &RunsArgs,
    reach: &SystemArgs,
    session: &mut Session,
) -> Result<Settings, Stop> {
    let Matter { suite, model, online, system } = matter;
    if system.starts_with("model:") && reach.protocol.is_some() {
        let message = "a model needs no protocol";
        let help = "leave out `--protocol`";
        return Err(session.stop(Diagnostic::global("no-protocol", message).help(help)));
    }
    let time = match reach.unit {
        None => TimeBase::Virtual,
        Some(unit) => {
            TimeBase::Real { unit_ns: u64::try_from(unit.as_nanos()).unwrap_or(u64::MAX) }
        }
    };
    // Rounded up, so that a short time does not become none.
    let milliseconds = |time: Duration| time.as_nanos().div_ceil(1_000_000);
    let timeout = args.timeout.map(milliseconds);
    let mut settings = Settings {
        suite,
        model,
        online,
        system,
        protocol: reach.protocol.map_or_else(Protocol::default, Protocol::from),
        time,
        limits: AdapterLimits::default(),
        latencies: reach.latency.latencies(),
        repeat: args.repeat,
        seed: args.seed,
        patience: args.patience.map(|time| time.to_string()),
        policy: reach.policy.map(|policy| PolicyArg::name(policy).to_owned()),
        fresh: args.fresh,
        keep_going: args.keep_going,
        timeout_ms: timeout.map(|time| u64::try_from(time).unwrap_or(u64::MAX)),
    };
    limit(session, &mut settings, &reach.limits)?;
    Ok(settings)
}

/// The model the suite was made from, as it was written.
pub fn model_text(session: &mut Session, argument: &str) -> Result<ModelText, Stop> {
    let document = load::named(session, argument, &LoadArgs::default())?.document;
    let (name, contents) = match argument.strip_prefix('@') {
        Some(name) => {
            let example = examples::find(session, name)?;
            (example.file, example.text.to_owned())
        }
        None => {
            let source =
                document.items.first().and_then(|item| session.sources.get(item.span().file));
            (argument, source.map_or_else(String::new, |source| source.text.clone()))
        }
    };
    let name = Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(ModelText { name: name.unwrap_or_else(|| argument.to_owned()), contents })
}

/// Where the journal is written.
fn journal_path(args: &RunsArgs, file: &Path) -> PathBuf {
    args.journal.clone().unwrap_or_else(|| {
        let mut name = file.file_stem().unwrap_or("suite".as_ref()).to_owned();
        name.push(".journal");
        name.into()
    })
}
