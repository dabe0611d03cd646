//! How a campaign is set up: what its journal begins with.

use serde::{Deserialize, Serialize};
use tioga_adapters::{AdapterLimits, Policy, Protocol, SystemRef, TimeBase};
use tioga_base::{Rational, Times};
use tioga_estimate::Latencies;
use tioga_testcase::{ModelSource, Suite, TestCase, Walk};

use super::coverage::OnlineCoverage;

/// Everything a campaign needs to begin, to go on after an interruption, and to be explained later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The test cases, with the model they were made from.
    pub suite: Suite,
    /// How to test without test cases; the suite then only says what the interface is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub online: Option<Online>,
    /// The system under test.
    pub system: SystemRef,
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
    /// How long to wait where nothing bounds the wait; by default the test case decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub patience: Option<Rational>,
    /// The multiples of this are the times at which the tester acts; by default any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Rational>,
    /// How a model resolves its choices, if the system is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<Policy>,
    /// Whether each run gets a new process or connection.
    #[serde(default)]
    pub fresh: bool,
    /// Whether the campaign goes on after a run that failed or was an error.
    #[serde(default)]
    pub keep_going: bool,
    /// The wall-clock limit of a run, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
}

impl Settings {
    /// The model the test cases were made from, if it is known; explanations use it.
    pub fn model(&self) -> Option<&ModelSource> {
        self.suite.model.as_ref()
    }

    /// What the system is called: a model tested against itself has the name of the model.
    pub fn system_name(&self) -> String {
        match (&self.system, self.model()) {
            (SystemRef::Itself, Some(source)) => format!("model:{}", source.name),
            (system, _) => system.to_string(),
        }
    }

    /// How times are shown: all test cases are of one model.
    pub fn times(&self) -> Times {
        self.suite.cases.first().map(|case| case.summary.times()).unwrap_or_default()
    }

    /// How many runs the campaign has.
    pub fn runs(&self) -> u64 {
        self.repeat.saturating_mul(Walk::runs_of(&self.suite.cases))
    }

    /// The test case of a run. Pre: there are test cases.
    pub fn case_of(&self, run: u64) -> usize {
        Walk::scheduled(&self.suite.cases, run)
    }
}

/// How to test online: the model says what may be sent and what may come.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Online {
    /// The condition to reach, as text, in journals of earlier versions. It is the purpose of their only test case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Whether the purpose of each test case says what its runs aim at; without one everything that conforms
    /// passes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cover: bool,
    /// What the runs are to cover, if that is their aim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<OnlineCoverage>,
    /// How many inputs and outputs a run may have.
    pub actions: u64,
    /// How long the tester waits at most between two inputs.
    pub longest_wait: Rational,
}

impl Settings {
    /// Whether the model says what may be sent and what may come in runs of this test case.
    pub fn is_online(&self, case: &TestCase) -> bool {
        self.online.is_some() || case.is_online()
    }
}

impl Online {
    /// Whether the runs aim at the purposes of their test cases.
    pub fn aims(&self) -> bool {
        self.cover || self.goal.is_some()
    }
}
