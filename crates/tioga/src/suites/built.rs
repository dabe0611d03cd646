//! The criteria of a suite, and its result.

use tioga_base::{Diagnostic, Rational, StopReason};
use tioga_testcase::{Cover, ModelSource, TestCase};

use super::score::Killing;
use crate::synthesis::{SynthesisOptions, WhyMissed};
use crate::words::count;

/// A criterion of a suite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Criterion {
    /// Coverage of the model.
    Cover(Cover),
    /// Mutants of the model are killed.
    Mutants,
}

/// How a suite is made.
#[derive(Clone, PartialEq, Debug)]
pub struct SuiteOptions {
    /// The criteria.
    pub criteria: Vec<Criterion>,
    /// The percentage of reachable coverage items that is enough.
    pub until: u32,
    /// The percentage of distinguishable mutants that is enough.
    pub killed: u32,
    /// Whether tests continue after their coverage item, so that they see its effect; by some criteria they
    /// always do.
    pub then: bool,
    /// Whether all test cases reach their ends without cooperation of the system: then every system that conforms
    /// passes.
    pub certain: bool,
    /// How long all random walks may take together, in time units; any time if there is no bound.
    pub walk_time: Option<Rational>,
    /// How often each test case is run against a mutant at most.
    pub repeat: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// How test cases are made.
    pub synthesis: SynthesisOptions,
}

/// A test case of a suite.
#[derive(Clone, PartialEq, Debug)]
pub struct SuiteTest {
    /// The test case.
    pub case: TestCase,
    /// The number of runs against a fair model, and how many of them passed.
    pub fair: (u64, u64),
    /// The longest of them, in time units.
    pub duration: Option<Rational>,
    /// How many targets it covers in every run that passes.
    pub covers: usize,
    /// Whether it is inconclusive with a system that says nothing, because there is nothing to send before.
    pub may_try_nothing: bool,
}

impl SuiteTest {
    /// Whether the system has to cooperate. A random walk only needs it to let time pass.
    pub fn needs_luck(&self) -> bool {
        let [risks, losses, _] = self.case.summary.rank;
        self.case.walk.is_none() && (risks > 0 || losses > 0)
    }

    /// How often it is run in each repetition of the suite.
    pub fn runs(&self) -> u32 {
        self.case.runs_in_turn()
    }

    /// How many runs it takes on average until one passes, with a fair system; nothing if none did.
    pub fn repetitions(&self) -> Option<Rational> {
        let (runs, passed) = self.fair;
        Rational::new(i64::try_from(runs).ok()?, i64::try_from(passed).ok()?).ok()
    }
}

/// The status of a coverage item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The test case of this name covers it; it may have been made for something else.
    Covered(String),
    /// The test case of this name may cover it. What is observed in a run that passes has other explanations, too.
    Possible(String),
    /// No run covers it, for this proof.
    Impossible(Proof),
    /// There is no test case for this reason.
    Missed(WhyMissed),
    /// It was not examined: enough is covered, or the time was over.
    Open,
}

impl Standing {
    /// Whether it is known that no run covers the item.
    pub fn is_impossible(&self) -> bool {
        matches!(self, Self::Impossible(_))
    }
}

/// Why it is known that no run covers a coverage item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proof {
    /// A search through all reachable states, of which the discrete parts are counted, found none.
    Searched(usize),
    /// It needs another coverage item, given in words, that no run covers.
    Needs(String),
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Searched(states) => {
                write!(f, "searched all {}", count(*states, "discrete state"))
            }
            Self::Needs(other) => write!(f, "needs {other}"),
        }
    }
}

/// A coverage item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteTarget {
    /// Its criterion.
    pub criterion: Cover,
    /// Its name.
    pub name: String,
    /// In words.
    pub text: String,
    /// Its status.
    pub standing: Standing,
}

/// A suite with its statistics.
#[derive(Clone, PartialEq, Debug)]
pub struct BuiltSuite {
    /// The model, with the purposes that were added.
    pub source: ModelSource,
    /// The test cases.
    pub tests: Vec<SuiteTest>,
    /// The coverage items.
    pub targets: Vec<SuiteTarget>,
    /// How many test cases became redundant.
    pub left_out: usize,
    /// How many test cases were joined into others.
    pub joined: usize,
    /// The results against mutants, if it was made for them.
    pub killing: Option<Killing>,
    /// Whether it is known that a tester can tell where the model is; otherwise test cases come from deterministic
    /// views.
    pub clear: bool,
    /// Whether it is known that a tester cannot.
    pub hidden: bool,
    /// Why it ended before everything was looked at, if it did.
    pub stopped: Option<StopReason>,
    /// Whether time was over when test cases were joined: everything was looked at, but the suite could be shorter.
    pub could_be_shorter: bool,
    /// The limit that the first coverage item was given up at, if one was.
    pub limited: Option<Diagnostic>,
}

impl BuiltSuite {
    /// Leaves out a test case that the model itself fails, and what it covers.
    pub(super) fn leave_out(&mut self, position: usize) {
        let SuiteTest { case, .. } = self.tests.remove(position);
        for target in &mut self.targets {
            if let Standing::Covered(by) | Standing::Possible(by) = &target.standing
                && *by == case.name
            {
                target.standing = Standing::Missed(WhyMissed::FailsModel);
            }
        }
    }

    /// How many targets are not known to be unreachable, and how many of them are covered.
    pub fn coverage(&self) -> (usize, usize) {
        let covered = |target: &&SuiteTarget| matches!(target.standing, Standing::Covered(_));
        let coverable = |target: &&SuiteTarget| !target.standing.is_impossible();
        let all = self.targets.iter();
        (all.clone().filter(coverable).count(), all.filter(covered).count())
    }
}
