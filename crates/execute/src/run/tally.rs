//! The results of a campaign: counts for each test case, and the first runs worth looking at.
//!
//! Runs are counted in the order of their numbers, whatever the order in which they end, and without
//! `keep_going` only up to the first that failed or was an error. So the result does not depend on
//! how many runs there were at the same time, nor on interruptions.

use std::collections::{BTreeMap, VecDeque};

use tioga_adapters::Ignored;
use tioga_base::{Moment, Rational};

use crate::journal::coverage::OnlineCoverage;
use crate::journal::event::{Event, Outcome};
use crate::journal::record::RunRecord;
use crate::journal::sent::SentInputs;
use crate::journal::settings::Settings;

/// How many inputs and outputs of a run are kept to be shown.
const SHOWN: usize = 20;

/// A run in brief.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunSummary {
    /// Its number.
    pub run: u64,
    /// The position of its test case in the suite.
    pub case: usize,
    /// The seed of its choices.
    pub seed: u64,
    /// What it means.
    pub outcome: Outcome,
    /// Why.
    pub reason: String,
    /// When it ended.
    pub at: Moment,
    /// How many inputs and outputs there were.
    pub actions: u64,
    /// The longest scheduling delay of tester or system.
    pub longest_delay: Rational,
    /// How often it began again because of that.
    pub repeated: u64,
    /// The first input that the system ignored, if it is a model that did.
    pub ignored: Option<Ignored>,
    /// When the system stopped time, if it is a model that did.
    pub stopped: Option<Moment>,
    /// The last inputs, outputs and faults, in order.
    pub last: Vec<Event>,
    /// The inputs that were sent, if the test was online.
    pub sent: SentInputs,
}

impl RunSummary {
    /// The summary of a run that has ended; nothing for others.
    pub fn of(settings: &Settings, record: &RunRecord) -> Option<Self> {
        let mut brief = Brief::new(settings, record.run);
        record.events.iter().find_map(|event| brief.add(event))
    }
}

/// A run in brief, while it lasts.
#[derive(Debug)]
pub(crate) struct Brief {
    run: u64,
    case: usize,
    /// The seed of the campaign.
    campaign: u64,
    seed: u64,
    actions: u64,
    last: VecDeque<Event>,
    /// What was sent, if the test is online.
    sent: Option<SentInputs>,
}

impl Brief {
    pub(crate) fn new(settings: &Settings, run: u64) -> Self {
        let (case, campaign) = (settings.case_of(run), settings.seed);
        let online = settings.is_online(&settings.suite.cases[case]);
        let sent = online.then(SentInputs::default);
        Self { run, case, campaign, seed: 0, actions: 0, last: VecDeque::new(), sent }
    }

    /// Takes note of an event; the last one completes the summary.
    pub(crate) fn add(&mut self, event: &Event) -> Option<RunSummary> {
        if let Some(sent) = &mut self.sent {
            sent.add(event);
        }
        match event {
            Event::Begin { seed, .. } => {
                // What came before the last beginning does not count.
                (self.seed, self.actions) = (*seed, 0);
                self.last.clear();
            }
            Event::Sending { .. } | Event::Quiet { .. } => {}
            Event::Sent { .. } | Event::Heard { .. } | Event::Fault { .. } => {
                self.actions += u64::from(!matches!(event, Event::Fault { .. }));
                if self.last.len() == SHOWN {
                    self.last.pop_front();
                }
                self.last.push_back(event.clone());
            }
            Event::End { outcome, reason, at, longest_delay, ignored, stopped, .. } => {
                return Some(RunSummary {
                    run: self.run,
                    case: self.case,
                    seed: self.seed,
                    outcome: *outcome,
                    reason: reason.clone(),
                    at: *at,
                    actions: self.actions,
                    longest_delay: *longest_delay,
                    repeated: Settings::attempt_of(self.campaign, self.run, self.seed),
                    ignored: ignored.clone(),
                    stopped: *stopped,
                    last: std::mem::take(&mut self.last).into(),
                    sent: self.sent.take().unwrap_or_default(),
                });
            }
        }
        None
    }
}

/// The results of a test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CaseTally {
    counts: BTreeMap<Outcome, u64>,
    /// How long the longest run took, in time units of the model.
    pub longest: Rational,
    /// The longest scheduling delay of tester or system.
    pub longest_delay: Rational,
    /// How many runs began again because of that, and how often that was.
    pub repeated: (u64, u64),
    /// The first run that failed or was an error.
    pub problem: Option<RunSummary>,
    /// The first inconclusive run.
    pub doubt: Option<RunSummary>,
    /// The inputs that were sent, if the tests were online.
    pub sent: SentInputs,
}

impl CaseTally {
    fn new() -> Self {
        let (longest, longest_delay) = (Rational::ZERO, Rational::ZERO);
        let (counts, repeated) = (BTreeMap::new(), (0, 0));
        let sent = SentInputs::default();
        Self { counts, longest, longest_delay, repeated, problem: None, doubt: None, sent }
    }

    /// How many runs ended so.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.counts.get(&outcome).copied().unwrap_or(0)
    }

    /// How many runs ended.
    pub fn runs(&self) -> u64 {
        self.counts.values().sum()
    }

    /// The worst outcome; nothing before the first run.
    pub fn worst(&self) -> Option<Outcome> {
        Outcome::worst_of(self.counts.keys().copied())
    }

    fn add(&mut self, summary: RunSummary) {
        *self.counts.entry(summary.outcome).or_default() += 1;
        self.longest = self.longest.max(summary.at.latest());
        self.longest_delay = self.longest_delay.max(summary.longest_delay);
        self.repeated.0 += u64::from(summary.repeated > 0);
        self.repeated.1 += summary.repeated;
        self.sent.unite(&summary.sent);
        let first = match summary.outcome {
            Outcome::Pass => return,
            Outcome::Inconclusive => &mut self.doubt,
            Outcome::Fail | Outcome::Error => &mut self.problem,
        };
        first.get_or_insert(summary);
    }
}

/// The results of a campaign so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// For each test case of the suite.
    pub cases: Vec<CaseTally>,
    /// How many runs the campaign has.
    total: u64,
    keep_going: bool,
    /// The run that is counted next.
    due: u64,
    /// Runs that ended before some run with a lower number.
    early: BTreeMap<u64, RunSummary>,
    /// Runs from this one on are not made: there are no more, there was a problem before, or enough is covered.
    end: u64,
    /// What is to be covered, if a share of it is enough.
    coverage: Option<OnlineCoverage>,
    enough: bool,
}

impl Tally {
    /// Before the first run.
    pub fn new(settings: &Settings) -> Self {
        let coverage = settings.online.as_ref().and_then(|online| online.coverage.as_ref());
        Self {
            cases: vec![CaseTally::new(); settings.suite.cases.len()],
            total: settings.runs(),
            keep_going: settings.keep_going,
            due: 0,
            early: BTreeMap::new(),
            end: settings.runs(),
            coverage: coverage.filter(|coverage| coverage.until.is_some()).cloned(),
            enough: false,
        }
    }

    /// Takes note of a run that ended, and tells those that are counted now.
    pub fn add(&mut self, summary: RunSummary, mut counted: impl FnMut(&RunSummary)) {
        if !self.keep_going && matches!(summary.outcome, Outcome::Fail | Outcome::Error) {
            self.end = self.end.min(summary.run + 1);
        }
        self.early.insert(summary.run, summary);
        while self.due < self.end
            && let Some(summary) = self.early.remove(&self.due)
        {
            self.due += 1;
            counted(&summary);
            self.cases[summary.case].add(summary);
            let covered = |position: usize| self.cases[position].count(Outcome::Pass) > 0;
            if self.coverage.as_ref().is_some_and(|coverage| coverage.is_enough(covered)) {
                (self.end, self.enough) = (self.due, true);
            }
        }
        // What was made beyond the end stays in the journal and does not count.
        self.early.split_off(&self.end);
    }

    /// How many runs are counted.
    pub fn counted(&self) -> u64 {
        self.due
    }

    /// How many runs the campaign has.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Whether nothing is left to be done.
    pub fn is_over(&self) -> bool {
        self.due >= self.end
    }

    /// Whether a problem ended the campaign before its last run.
    pub fn is_cut_short(&self) -> bool {
        self.is_over() && self.end < self.total && !self.enough
    }

    /// Whether the campaign ended because the share that was asked for is covered.
    pub fn is_enough(&self) -> bool {
        self.enough
    }

    /// The worst outcome; nothing before the first run.
    pub fn worst(&self) -> Option<Outcome> {
        Outcome::worst_of(self.cases.iter().filter_map(CaseTally::worst))
    }

    /// How many runs ended so.
    pub fn count(&self, outcome: Outcome) -> u64 {
        self.cases.iter().map(|case| case.count(outcome)).sum()
    }

    /// The first run from this one on that is still to be made.
    pub(crate) fn next_from(&self, run: u64) -> Option<u64> {
        let mut run = run.max(self.due);
        while self.early.contains_key(&run) {
            run += 1;
        }
        (run < self.end).then_some(run)
    }
}
