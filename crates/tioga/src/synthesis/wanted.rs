//! The aim of test synthesis, and its result.

use tioga_base::{Diagnostic, GivenTime};
use tioga_testcase::{Cover, Shape, TestCase};

use crate::given_purpose::GivenPurpose;

/// How many discrete states are explored for a test case by default.
pub const DEFAULT_MAX_STATES: usize = 1_000_000;

/// The aim of test synthesis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Every purpose of the model that accepts something, or else its control queries.
    Model,
    /// These purposes. Their queries ([`GivenPurpose::queries`]) were added when the model was
    /// read.
    Purposes(Vec<GivenPurpose>),
    /// The coverage items of some criteria in the processes of the system.
    Cover {
        /// The criteria.
        what: Vec<Cover>,
        /// Whether a test continues after its coverage item until its process gives one more output, or
        /// stays silent for longer than every bound of the model.
        then: bool,
    },
}

/// How test cases are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SynthesisOptions {
    /// How much the test cases decide.
    pub shape: Shape,
    /// Avoid answers that could make the test inconclusive, even if that takes more cooperation.
    pub safety_first: bool,
    /// How long a tree waits for an optional output; by default one more than the largest constant of
    /// the model.
    pub window: Option<GivenTime>,
    /// How many discrete states may be explored for one test case.
    pub max_states: usize,
    /// How many random plays the independent checker samples where there are too many regions to look at all of them:
    /// those of all test cases that are made together, but at least 20 of each.
    pub plays: u32,
}

/// How many random plays the independent checker samples of each test case at least.
pub(crate) const FEWEST_PLAYS: u32 = 20;

impl SynthesisOptions {
    /// How many random plays are sampled of each of so many test cases.
    pub fn plays_of_each(&self, cases: usize) -> u32 {
        let cases = u32::try_from(cases.max(1)).unwrap_or(u32::MAX);
        (self.plays / cases).max(FEWEST_PLAYS)
    }
}

impl Default for SynthesisOptions {
    fn default() -> Self {
        Self {
            shape: Shape::Strategy,
            safety_first: false,
            window: None,
            max_states: DEFAULT_MAX_STATES,
            plays: 200,
        }
    }
}

/// The result of test synthesis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Synthesis {
    /// The test cases.
    pub cases: Vec<TestCase>,
    /// The goals without a test case.
    pub missed: Vec<Missed>,
    /// Why synthesis stopped early, if it did: a limit, or it was cancelled.
    pub stopped: Option<Diagnostic>,
    /// Whether it was interrupted, and not stopped by a limit.
    pub interrupted: bool,
}

/// A goal without a test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// The goal.
    pub purpose: String,
    /// Why there is none.
    pub why: WhyMissed,
}

/// Why there is no test case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyMissed {
    /// Unreachable even with cooperation.
    Unreachable,
    /// No test reaches it in the deterministic view, which is approximate: it leaves out inputs that
    /// the system may refuse.
    OutOfView,
    /// No observation shows that it happened.
    Unobservable,
    /// No timed input separates a configuration from a suspicious one.
    Equivalent,
    /// A condition on data could not be decided.
    Undecided,
    /// A limit ended the search.
    Limit,
    /// No test case can follow the model.
    Unfollowable,
    /// No test case can follow its data.
    Data,
    /// It needs cooperation of the system.
    Cooperation,
    /// It takes an edge that needs cooperation of the system. Whether it is possible then is not known.
    EdgeCooperation,
    /// The model itself fails the test case: as a system, it does not conform to itself.
    FailsModel,
}

impl WhyMissed {
    /// Whether it is certain that no test case exists, and not only that none was found.
    pub fn is_proof(self) -> bool {
        match self {
            Self::Unreachable | Self::Equivalent => true,
            Self::OutOfView | Self::Unobservable | Self::Undecided | Self::Limit => false,
            Self::Unfollowable | Self::Data | Self::FailsModel => false,
            Self::Cooperation | Self::EdgeCooperation => false,
        }
    }

    /// Whether a tester that follows the model online, without a test case, may cover it.
    pub fn is_seen_online(self) -> bool {
        match self {
            Self::OutOfView | Self::Unobservable | Self::Undecided | Self::Limit => true,
            Self::Unfollowable | Self::Data | Self::FailsModel => true,
            Self::Unreachable | Self::Equivalent => false,
            Self::Cooperation | Self::EdgeCooperation => false,
        }
    }
}

impl std::fmt::Display for WhyMissed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Unreachable => "unreachable even with cooperation",
            Self::OutOfView => "unreachable in the deterministic view, which is approximate",
            Self::Unobservable => "a test case does not see it",
            Self::Equivalent => "no timed input tells them apart",
            Self::Undecided => "a condition on data could not be decided",
            Self::Limit => "a limit ended the search",
            Self::Cooperation => "only with cooperation of the system",
            Self::EdgeCooperation => "only with cooperation of the system, if at all",
            Self::FailsModel => "the model itself, run as a system, fails the test case",
            Self::Data => "its data cannot be followed",
            Self::Unfollowable => "what is observed does not tell where the model is",
        })
    }
}
