//! What a suite does to mutants.

use crate::mutation::Score;

/// What a suite does to the mutants of its model.
#[derive(Clone, PartialEq, Debug)]
pub struct Killing {
    /// How many mutants there are of what.
    pub score: Score,
    /// How often each test case was run against each mutant at most.
    pub repeat: u64,
    /// How many test cases were made to kill.
    pub made: usize,
    /// The mutants that survived although they can be told from the model, with what was changed.
    pub missed: Vec<(String, String)>,
    /// Whether everything was run and compared.
    pub complete: bool,
}

impl Killing {
    /// Whether so many percent of what can be told from the model is killed.
    pub fn reaches(&self, percent: u32) -> bool {
        let Score { killed, missed, unknown, .. } = self.score;
        self.complete && killed * 100 >= (killed + missed + unknown) * percent as usize
    }
}
