//! Two decision procedures, the second of which is asked for what the first does not know.

use tioga_terms::{Answer, Decide, Formula, Symbols};

/// Asks the first procedure, and the second only if the first does not know.
#[derive(Clone, Debug, Default)]
pub struct Either<A, B> {
    /// Asked first.
    pub first: A,
    /// Asked for the rest.
    pub second: B,
    passed_on: u64,
}

impl<A: Decide, B: Decide> Either<A, B> {
    /// One procedure before the other.
    pub fn new(first: A, second: B) -> Self {
        Self { first, second, passed_on: 0 }
    }

    /// How many questions the second procedure was asked.
    pub fn passed_on(&self) -> u64 {
        self.passed_on
    }
}

impl<A: Decide, B: Decide> Decide for Either<A, B> {
    fn decide(&mut self, symbols: &Symbols, formula: &Formula) -> Answer {
        let reason = match self.first.decide(symbols, formula) {
            Answer::Unknown(reason) => reason,
            answer => return answer,
        };
        self.passed_on += 1;
        match self.second.decide(symbols, formula) {
            Answer::Unknown(also) => Answer::Unknown(format!("{reason}; {also}")),
            answer => answer,
        }
    }
}
