//! The results of a suite against mutants.

use crate::mutation::Score;

/// What a suite does to the mutants of its model.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Killing {
    /// Numbers of mutants by status.
    pub score: Score,
    /// How often each test case was run against each mutant at most.
    pub repeat: u64,
    /// How many test cases were made to kill.
    pub made: usize,
    /// How many more were made, and not run against all mutants any more.
    pub unmeasured: usize,
    /// The mutants that survived although a test can distinguish them from the model, with their
    /// change.
    pub missed: Vec<(String, String)>,
    /// Whether everything was run and compared.
    pub complete: bool,
}

impl Killing {
    /// Whether this percentage of the distinguishable mutants is killed.
    pub fn reaches(&self, percent: u32) -> bool {
        let Score { killed, missed, unknown, .. } = self.score;
        self.complete && killed * 100 >= (killed + missed + unknown) * percent as usize
    }
}
