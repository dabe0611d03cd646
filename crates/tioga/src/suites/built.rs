//! What a suite is made by, and what comes of it.

use tioga_base::{Rational, StopReason};
use tioga_testcase::{ModelSource, TestCase};

use super::score::Killing;
use crate::synthesis::{Cover, SynthesisOptions, WhyMissed};

/// What a suite is made by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Criterion {
    /// Something in the model is covered.
    Cover(Cover),
    /// Mutants of the model are killed.
    Mutants,
}

/// How a suite is made.
#[derive(Clone, PartialEq, Debug)]
pub struct SuiteOptions {
    /// By what.
    pub criteria: Vec<Criterion>,
    /// Enough is covered with so many percent of what can be.
    pub until: u32,
    /// Enough mutants are killed with so many percent of those that can be told from the model.
    pub killed: u32,
    /// Whether tests go on after what they cover, so that they see what it leads to; by some criteria they always
    /// do.
    pub then: bool,
    /// Whether all test cases get to their ends without cooperation of the system: then every system that conforms
    /// passes.
    pub certain: bool,
    /// How often each test case is run against a mutant at most.
    pub repeat: u64,
    /// What decides all random choices.
    pub seed: u64,
    /// How test cases are made.
    pub synthesis: SynthesisOptions,
}

/// A test case of a suite.
#[derive(Clone, PartialEq, Debug)]
pub struct SuiteTest {
    /// The test case.
    pub case: TestCase,
    /// Of so many runs against a fair model, so many passed.
    pub fair: (u64, u64),
    /// The longest of them, in time units.
    pub duration: Option<Rational>,
    /// How many targets it covers in every run that passes.
    pub covers: usize,
}

impl SuiteTest {
    /// Whether the system has to cooperate.
    pub fn needs_luck(&self) -> bool {
        let [risks, losses, _] = self.case.summary.rank;
        risks > 0 || losses > 0
    }

    /// How many runs it takes on average until one passes, with a fair system; nothing if none did.
    pub fn repetitions(&self) -> Option<Rational> {
        let (runs, passed) = self.fair;
        Rational::new(i64::try_from(runs).ok()?, i64::try_from(passed).ok()?).ok()
    }
}

/// What became of something to cover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The test case of this name covers it; it may have been made for something else.
    Covered(String),
    /// There is no test case for this reason.
    Missed(WhyMissed),
    /// It was not looked at: enough is covered, or the time was over.
    Open,
}

/// Something to cover.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteTarget {
    /// By which criterion.
    pub criterion: Cover,
    /// What it is called.
    pub name: String,
    /// In words.
    pub text: String,
    /// What became of it.
    pub standing: Standing,
}

/// A suite, and what is known about it.
#[derive(Clone, PartialEq, Debug)]
pub struct BuiltSuite {
    /// The model, with the purposes that were added.
    pub source: ModelSource,
    /// The test cases.
    pub tests: Vec<SuiteTest>,
    /// What there was to cover.
    pub targets: Vec<SuiteTarget>,
    /// How many test cases were made that others made superfluous.
    pub left_out: usize,
    /// How many test cases were joined into others.
    pub joined: usize,
    /// What the suite does to mutants, if it was made for that.
    pub killing: Option<Killing>,
    /// Why it ended before everything was looked at, if it did.
    pub stopped: Option<StopReason>,
}

impl BuiltSuite {
    /// How many targets there are that are not known to be impossible to cover, and how many of them are covered.
    pub fn coverage(&self) -> (usize, usize) {
        let covered = |target: &&SuiteTarget| matches!(target.standing, Standing::Covered(_));
        let coverable = |target: &&SuiteTarget| !matches!(target.standing, Standing::Missed(why) if why.is_proof());
        let all = self.targets.iter();
        (all.clone().filter(coverable).count(), all.filter(covered).count())
    }
}
