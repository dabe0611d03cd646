//! What online runs are to cover: the coverage items of each criterion, what is left out of them and why, and the
//! share that is enough.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// What the runs of an online campaign are to cover.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnlineCoverage {
    /// The criteria, in the order of the test cases.
    pub criteria: Vec<OnlineCriterion>,
    /// The mutants that the runs aim at, if they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutants: Option<AimedMutants>,
    /// How many percent are enough of what can be covered; by default the campaign covers all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u32>,
}

/// The coverage items of a criterion: the next test cases, and what has none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OnlineCriterion {
    /// The criterion, as on the command line.
    pub of: String,
    /// How many test cases there are.
    pub cases: usize,
    /// The coverage items without a test case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// Something that no run aims at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// What it is.
    pub purpose: String,
    /// Why no run aims at it.
    pub why: String,
    /// Whether it is certain that no run can reach it.
    #[serde(default)]
    pub proved: bool,
}

/// The mutants that online runs aim at.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AimedMutants {
    /// How many there are that differ from the model.
    pub aimed: usize,
    /// How many there are that cannot be told from the model.
    pub equivalent: usize,
    /// Those that were not decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<LeftOut>,
    /// Whether a limit came before all mutants were made.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

impl OnlineCoverage {
    /// Adds a criterion with its number of test cases, and what has none.
    pub fn add(&mut self, of: &str, cases: usize, left_out: Vec<LeftOut>) {
        self.criteria.push(OnlineCriterion { of: of.to_owned(), cases, left_out });
    }

    /// The criteria with the positions of their test cases.
    pub fn ranges(&self) -> impl Iterator<Item = (&OnlineCriterion, Range<usize>)> {
        self.criteria.iter().scan(0, |first, criterion| {
            let from = *first;
            *first += criterion.cases;
            Some((criterion, from..*first))
        })
    }

    /// Whether something was left out that a run might have reached.
    pub fn is_open(&self) -> bool {
        let open = |criterion: &OnlineCriterion| criterion.left_out.iter().any(|one| !one.proved);
        let undecided = |mutants: &AimedMutants| !mutants.undecided.is_empty() || mutants.stopped;
        self.criteria.iter().any(open) || self.mutants.as_ref().is_some_and(undecided)
    }

    /// Whether enough is covered, if the test cases at these positions are.
    pub(crate) fn is_enough(&self, covered: impl Fn(usize) -> bool) -> bool {
        let Some(until) = self.until else { return false };
        self.ranges().all(|(criterion, mut range)| {
            let open = criterion.left_out.iter().filter(|one| !one.proved).count();
            let wanted = (criterion.cases + open) * until as usize;
            let covered = range.by_ref().filter(|position| covered(*position)).count();
            covered * 100 >= wanted
        })
    }
}
