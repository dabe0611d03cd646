//! What is kept of a campaign while its runs go by: a line for each run, counts and coverage for each
//! test case, and whole sequences of few runs only.

use tioga_adapters::TimeBase;
use tioga_base::{Moment, Rational, Times};
use tioga_estimate::{ModelRun, RunFinder};
use tioga_execute::{
    CaseTally, Event, Explanation, NeverSent, Outcome, RunConclusion, RunRecord, SentInputs,
    Settings,
};
use tioga_model::Model;
use tioga_testcase::{TestCase, Walk};

use crate::coverage::{Coverage, ModelCoverage};
use crate::observed::model_run;
use crate::replay::passage;
use crate::sequence::{STEPS, Sequence};
use crate::text::one_line;
use crate::timing::{self, Timing};
use crate::{Specification, finding};

/// Of how many runs of a test case that did not pass the timing is kept.
const TIMINGS: usize = 20;

/// Whose sequences are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keep {
    /// How many runs of a test case that did not pass are kept in full, besides the first that
    /// passed.
    pub sequences: usize,
    /// How many steps of a run are kept.
    pub steps: usize,
}

impl Default for Keep {
    fn default() -> Self {
        Self { sequences: 100, steps: STEPS }
    }
}

/// The results of a campaign.
#[derive(Clone, Debug)]
pub struct Report<'s> {
    /// How the campaign was set up.
    pub settings: &'s Settings,
    /// The runs, in the order in which they were added.
    pub runs: Vec<RunLine>,
    /// For each test case, how its runs ended.
    pub counts: Vec<Counts>,
    /// What was visited.
    pub coverage: Coverage,
    keep: Keep,
    /// The model that the test cases were made from, if it is known.
    pub specification: Option<Specification<'s>>,
    /// For each test case, how many sequences of runs that did not pass are kept, and whether one of
    /// a run that passed is.
    kept: Vec<(usize, bool)>,
    /// Finds runs of the model, if it is known and can be followed.
    finder: Option<RunFinder<'s>>,
    /// For each test case the inputs that were sent, if the tests were online.
    sent: Vec<SentInputs>,
}

/// One run in short.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunLine {
    /// Its number in the campaign.
    pub run: u64,
    /// The position of its test case in the suite, if it is there.
    pub case: Option<usize>,
    /// The name of its test case.
    pub name: String,
    /// Which repetition of the test case it is, from 1.
    pub repetition: u64,
    /// The seed of its choices.
    pub seed: Option<u64>,
    /// What it means; nothing if it was interrupted.
    pub outcome: Option<Outcome>,
    /// Why.
    pub reason: String,
    /// When it ended.
    pub at: Option<Moment>,
    /// How long tester or system had to wait for the machine at worst.
    pub lateness: Rational,
    /// How often it began again because of that.
    pub repeated: u64,
    /// How many inputs and outputs there were.
    pub actions: u64,
    /// What the run means, if it failed, as `tioga explain` says it: with latencies accounted for.
    pub explanation: Option<String>,
    /// What would have been right instead, if it failed: outputs with when, and silence.
    pub expected: Vec<String>,
    /// What happened, if it is kept.
    pub sequence: Option<Sequence>,
    /// The same over time, for the first runs that did not pass and the first that did.
    pub timing: Option<Timing>,
    /// How its times are shown.
    pub times: Times,
}

/// How runs ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Those that passed.
    pub pass: u64,
    /// Those without a verdict.
    pub inconclusive: u64,
    /// Those that failed.
    pub fail: u64,
    /// Those with something wrong.
    pub error: u64,
    /// Those without an end.
    pub interrupted: u64,
    /// Those that began again because the machine was late.
    pub repeated: u64,
    /// How often they did.
    pub repetitions: u64,
}

impl Counts {
    /// All runs.
    pub fn runs(&self) -> u64 {
        self.pass + self.inconclusive + self.fail + self.error + self.interrupted
    }

    /// How many ended so.
    pub fn of(&self, outcome: Option<Outcome>) -> u64 {
        match outcome {
            Some(Outcome::Pass) => self.pass,
            Some(Outcome::Inconclusive) => self.inconclusive,
            Some(Outcome::Fail) => self.fail,
            Some(Outcome::Error) => self.error,
            None => self.interrupted,
        }
    }

    /// The worst outcome there is.
    pub fn worst(&self) -> Option<Outcome> {
        Outcome::worst_of(Outcome::ALL.into_iter().filter(|outcome| self.of(Some(*outcome)) > 0))
    }

    fn add(&mut self, run: &RunLine) {
        self.repeated += u64::from(run.repeated > 0);
        self.repetitions += run.repeated;
        *match run.outcome {
            Some(Outcome::Pass) => &mut self.pass,
            Some(Outcome::Inconclusive) => &mut self.inconclusive,
            Some(Outcome::Fail) => &mut self.fail,
            Some(Outcome::Error) => &mut self.error,
            None => &mut self.interrupted,
        } += 1;
    }

    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            pass: self.pass + other.pass,
            inconclusive: self.inconclusive + other.inconclusive,
            fail: self.fail + other.fail,
            error: self.error + other.error,
            interrupted: self.interrupted + other.interrupted,
            repeated: self.repeated + other.repeated,
            repetitions: self.repetitions + other.repetitions,
        }
    }
}

impl From<&CaseTally> for Counts {
    fn from(tally: &CaseTally) -> Self {
        Self {
            pass: tally.count(Outcome::Pass),
            inconclusive: tally.count(Outcome::Inconclusive),
            fail: tally.count(Outcome::Fail),
            error: tally.count(Outcome::Error),
            interrupted: 0,
            repeated: tally.repeated.0,
            repetitions: tally.repeated.1,
        }
    }
}

impl RunLine {
    /// A run in short, without its sequence.
    pub fn new(settings: &Settings, record: &RunRecord) -> Self {
        let name = record.case().unwrap_or("?");
        let cases = settings.suite.cases.len();
        let count = Walk::runs_of(&settings.suite.cases).max(1);
        let own = (cases > 0).then(|| settings.case_of(record.run));
        let named = |position: &usize| settings.suite.cases[*position].name == name;
        let case = own.filter(named);
        let case = case.or_else(|| (0..cases).find(named));
        let mut line = Self {
            run: record.run,
            case,
            name: one_line(name),
            repetition: record.run / count + 1,
            seed: None,
            outcome: None,
            reason: "the run was interrupted".to_owned(),
            at: None,
            lateness: Rational::ZERO,
            repeated: record.repeated(settings.seed),
            actions: 0,
            explanation: None,
            expected: Vec::new(),
            sequence: None,
            timing: None,
            times: settings.times(),
        };
        for event in &record.events {
            match event {
                Event::Begin { seed, .. } => line.seed = Some(*seed),
                Event::Sent { .. } | Event::Heard { .. } => line.actions += 1,
                Event::End { outcome, reason, at, longest_delay, .. } => {
                    line.outcome = Some(*outcome);
                    line.reason = one_line(reason);
                    line.at = Some(*at);
                    line.lateness = *longest_delay;
                }
                Event::Sending { .. } | Event::Quiet { .. } | Event::Fault { .. } => {}
            }
        }
        line
    }

    /// Takes over what the run means. Names and values in it may be anything.
    fn explain(&mut self, concluded: &RunConclusion) {
        self.explanation = Some(one_line(&finding::conclusion(concluded, self.times)));
        let by_model = || concluded.model.as_ref().and_then(|model| model.finding.as_ref());
        if let Some(found) = concluded.finding.as_ref().or_else(by_model) {
            let expected = finding::expectations(found, self.times);
            self.expected = expected.iter().map(|one| one_line(one)).collect();
        }
    }

    /// What the run means as a word.
    pub fn verdict(&self) -> String {
        self.outcome.map_or_else(|| "interrupted".to_owned(), |outcome| outcome.to_string())
    }

    /// How long the run took in nanoseconds, if its time is that of the world.
    pub fn nanoseconds(&self, time: TimeBase) -> Option<u64> {
        let TimeBase::Real { unit_ns } = time else { return None };
        let at = self.at?.latest();
        let scaled = i128::from(at.numerator()) * i128::from(unit_ns);
        u64::try_from(scaled / i128::from(at.denominator())).ok()
    }
}

impl<'s> Report<'s> {
    /// Results of a campaign that has no runs yet.
    pub fn new(settings: &'s Settings, specification: Option<Specification<'s>>) -> Self {
        Self::keeping(settings, specification, Keep::default())
    }

    /// The same, where these sequences are kept.
    pub fn keeping(
        settings: &'s Settings,
        specification: Option<Specification<'s>>,
        keep: Keep,
    ) -> Self {
        let cases = settings.suite.cases.len();
        let model = specification.map(|specification| specification.model);
        let mut coverage = Coverage::new(&settings.suite);
        coverage.of_model = model.map(ModelCoverage::new);
        Self {
            settings,
            runs: Vec::new(),
            counts: vec![Counts::default(); cases],
            coverage,
            finder: model.and_then(|model| RunFinder::new(model).ok()),
            keep,
            specification,
            kept: vec![(0, false); cases],
            sent: vec![SentInputs::default(); cases],
        }
    }

    /// Adds a run, and gives back what is kept of it.
    pub fn add(&mut self, record: &RunRecord) -> &RunLine {
        let mut line = RunLine::new(self.settings, record);
        if let Some(position) = line.case {
            let passage = passage(&self.settings.suite.cases[position], record);
            self.coverage.add(position, &passage);
            let found = self.model_run(position, record);
            if let (Some(covered), Some(known)) = (&mut self.coverage.of_model, self.specification)
            {
                match &found {
                    Ok(run) => covered.add(known.model, run),
                    Err(why) => covered.add_lost(why),
                }
            }
            if line.outcome == Some(Outcome::Fail)
                && let Some(concluded) = self.concluded(position, record)
            {
                line.explain(&concluded);
            }
            self.counts[position].add(&line);
            if self.settings.is_online(&self.settings.suite.cases[position]) {
                record.events.iter().for_each(|event| self.sent[position].add(event));
            }
            let (others, passed) = &mut self.kept[position];
            let keep = if line.outcome == Some(Outcome::Pass) {
                !std::mem::replace(passed, true)
            } else {
                *others += 1;
                *others <= self.keep.sequences
            };
            let drawn = keep && (line.outcome == Some(Outcome::Pass) || *others <= TIMINGS);
            line.sequence = keep.then(|| Sequence::new(record, self.keep.steps, line.times));
            let model = self.specification.map(|specification| specification.model);
            let case = Some(&self.settings.suite.cases[position]);
            line.timing = drawn.then(|| {
                let run = found.as_ref().map_err(String::clone);
                Timing::of(self.settings, case, model, run, record, timing::STEPS)
            });
        }
        self.runs.push(line);
        self.runs.last().expect("a run was added just now")
    }

    /// The run of the model that explains a run of the test case at this position, or why there is none.
    fn model_run(&self, position: usize, record: &RunRecord) -> Result<ModelRun, String> {
        let finder = self.finder.as_ref().ok_or("the model cannot be followed")?;
        let case = &self.settings.suite.cases[position];
        if case.symbolic.is_some() {
            return Err("the model has constants without values".to_owned());
        }
        model_run(finder, self.settings, case, record).map_err(|error| error.to_string())
    }

    /// What a run means and why. The model is asked where the test case finds nothing wrong, and first
    /// where there are no test cases.
    fn concluded(&self, position: usize, record: &RunRecord) -> Option<RunConclusion> {
        let case = &self.settings.suite.cases[position];
        let latencies = &self.settings.latencies;
        let model = self.specification.map(|specification| specification.model);
        // The reason of a symbolic test case says it all; its model may have constants without values.
        let model = model.filter(|_| case.symbolic.is_none());
        if let Some(model) = model.filter(|_| self.settings.is_online(case)) {
            return Explanation::of_online_run(model, latencies, record, 0)
                .ok()
                .map(|all| all.conclusion);
        }
        let explained = |model: Option<&Model>| {
            Explanation::of_run(case, latencies, model, record, 0).ok().map(|all| all.conclusion)
        };
        let alone = explained(None);
        if alone.as_ref().is_some_and(|concluded| concluded.finding.is_some()) {
            return alone;
        }
        match model {
            Some(model) => explained(Some(model)).or(alone),
            None => alone,
        }
    }

    /// The inputs that were never sent in an online test; none for test cases, which say what they send.
    pub fn never_sent(&self, position: usize) -> Vec<NeverSent> {
        let case = &self.settings.suite.cases[position];
        if !self.settings.is_online(case) {
            return Vec::new();
        }
        let model = self.specification.map(|specification| specification.model);
        self.sent[position].never_sent(case, model)
    }

    /// The test cases with their positions.
    pub fn cases(&self) -> impl Iterator<Item = (usize, &'s TestCase)> {
        self.settings.suite.cases.iter().enumerate()
    }

    /// The runs of a test case.
    pub fn runs_of(&self, case: usize) -> impl Iterator<Item = &RunLine> {
        self.runs.iter().filter(move |run| run.case == Some(case))
    }

    /// Runs of test cases that are not in the suite.
    pub fn strangers(&self) -> impl Iterator<Item = &RunLine> {
        self.runs.iter().filter(|run| run.case.is_none())
    }

    /// How all runs ended.
    pub fn totals(&self) -> Counts {
        let mut totals = self.counts.iter().fold(Counts::default(), |sum, one| sum.and(*one));
        for run in self.strangers() {
            totals.add(run);
        }
        totals
    }
}
