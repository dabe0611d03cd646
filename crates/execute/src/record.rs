//! What is kept of a campaign: how it was set up, and what happened in each of its runs.

use serde::{Deserialize, Serialize};
use tioga_base::{Moment, Rational};
use tioga_testcase::Suite;

use crate::{AdapterLimits, Event, Outcome, text};

/// Everything a campaign needs to begin, to go on after an interruption, and to be explained later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The test cases.
    pub suite: Suite,
    /// The model they were made from, if it is known; explanations use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelText>,
    /// How to test without test cases; the suite then only says what the interface is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub online: Option<Online>,
    /// The system, as the user named it: a command, `tcp:HOST:PORT`, `unix:PATH` or `model:FILE`.
    pub system: String,
    /// How to talk to it.
    pub protocol: Protocol,
    /// Where time comes from.
    pub time: TimeBase,
    /// How much patience there is with the system.
    #[serde(default, skip_serializing_if = "AdapterLimits::is_usual")]
    pub limits: AdapterLimits,
    /// How long messages may be under way.
    #[serde(default)]
    pub latencies: Latencies,
    /// How often each test case is run.
    pub repeat: u64,
    /// What decides all random choices.
    pub seed: u64,
    /// How long to wait where nothing bounds the wait, as text; by default the test case decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<String>,
    /// How a model resolves its choices, if the system is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// Whether each run gets a new process or connection.
    #[serde(default)]
    pub fresh: bool,
    /// Whether the campaign goes on after a run that failed or was an error.
    #[serde(default)]
    pub keep_going: bool,
    /// How long a run may take by the clock on the wall, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

impl Settings {
    /// How many runs the campaign has.
    pub fn runs(&self) -> u64 {
        let cases = u64::try_from(self.suite.cases.len()).unwrap_or(u64::MAX);
        self.repeat.saturating_mul(cases)
    }

    /// The test case of a run. Pre: there are test cases.
    pub fn case_of(&self, run: u64) -> usize {
        let cases = self.suite.cases.len() as u64;
        usize::try_from(run % cases).expect("a position in a list fits")
    }
}

/// How to test on line: the model says what may be sent and what may come.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Online {
    /// The condition to reach, as text; without one everything that conforms passes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// How many inputs and outputs a run may have.
    pub actions: u64,
    /// How long the tester waits at most between two inputs.
    #[serde(with = "text::time")]
    pub longest_wait: Rational,
}

/// A model as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelText {
    /// The name of the file, whose ending says the language.
    pub name: String,
    /// What is in it.
    pub contents: String,
}

/// How to talk to a system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// One JSON object per line.
    #[default]
    Json,
    /// The lines that ECDAR's test runner uses.
    Ecdar,
    /// The lines that TorX and JTorX use.
    Torx,
    /// The binary protocol of UPPAAL TRON's socket adapter.
    Tron,
}

/// Where time comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeBase {
    /// The system moves when it is told to.
    #[default]
    Virtual,
    /// The clock of the machine.
    Real {
        /// How many nanoseconds a written time unit has.
        unit_ns: u64,
    },
}

/// How long messages are under way, in written time units. Within these bounds the latency of each
/// direction is unknown but does not change in a run; each message may take up to `jitter` longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latencies {
    /// From the tester to the system.
    #[serde(with = "text::moment")]
    pub input: Moment,
    /// From the system to the tester.
    #[serde(with = "text::moment")]
    pub output: Moment,
    /// What each message may take in addition.
    #[serde(with = "text::time")]
    pub jitter: Rational,
}

impl Default for Latencies {
    fn default() -> Self {
        Self { input: Moment::START, output: Moment::START, jitter: Rational::ZERO }
    }
}

impl Latencies {
    /// The same for an estimator.
    pub fn latency(&self) -> tioga_estimate::Latency {
        let Self { input, output, jitter } = *self;
        tioga_estimate::Latency { input, output, jitter }
    }

    /// Whether nothing takes any time.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What happened in one run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunRecord {
    /// Its number in the campaign, from 0: repetition `run / cases` of case `run % cases`.
    pub run: u64,
    /// The events, from `Begin` to `End`; without `End` the run was interrupted.
    pub events: Vec<Event>,
}

impl RunRecord {
    /// The name of the test case.
    pub fn case(&self) -> Option<&str> {
        self.events.iter().find_map(|event| match event {
            Event::Begin { case, .. } => Some(case.as_str()),
            _ => None,
        })
    }

    /// The seed of its choices.
    pub fn seed(&self) -> Option<u64> {
        self.events.iter().find_map(|event| match event {
            Event::Begin { seed, .. } => Some(*seed),
            _ => None,
        })
    }

    /// How often it began again because the lateness of the machine spoiled it, in a campaign with
    /// this seed.
    pub fn repeated(&self, campaign: u64) -> u64 {
        self.seed().map_or(0, |seed| attempt_of(campaign, self.run, seed))
    }

    /// What it means and why; nothing if it was interrupted.
    pub fn outcome(&self) -> Option<(Outcome, &str)> {
        self.events.iter().rev().find_map(|event| match event {
            Event::End { outcome, reason, .. } => Some((*outcome, reason.as_str())),
            _ => None,
        })
    }
}

/// The seed of a run, whatever the order in which runs are made (the mixing function of SplitMix64).
pub fn run_seed(campaign: u64, run: u64) -> u64 {
    let mut mixed = campaign.wrapping_add(run.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// How often a run begins again at most because the lateness of the machine spoiled it.
pub const REPETITIONS: u64 = 5;

/// The seed of a run when it begins, and when it begins again for the first, second, … time. So the
/// last beginning says how often there was one.
pub fn attempt_seed(campaign: u64, run: u64, attempt: u64) -> u64 {
    let seed = run_seed(campaign, run);
    if attempt == 0 { seed } else { run_seed(seed, attempt) }
}

/// Which attempt has this seed; a seed that none has is taken for the first one's.
pub(crate) fn attempt_of(campaign: u64, run: u64, seed: u64) -> u64 {
    (0..=REPETITIONS).find(|attempt| attempt_seed(campaign, run, *attempt) == seed).unwrap_or(0)
}
