//! Why a question has no answer, and the limit on steps.

use crate::{Formula, Names, Symbols};

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown(pub String);

impl std::fmt::Display for Unknown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unknown {}

/// Why the work on a question ended without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// A number does not fit in 128 bits, or a value not in 64.
    Overflow,
    /// The limit on steps.
    Steps(u64),
    /// More choices wait for their other members than this.
    Depth(usize),
    /// This operation is not linear.
    Nonlinear(String),
    /// This term, which is divided, may be no integer.
    NoInteger(String),
    /// An integer lies between rationals, which no condition without it can say.
    Mixed,
    /// Something is wrong in this procedure.
    Internal,
}

/// Counts steps: rows made or looked at.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    limit: u64,
    used: u64,
}

impl Steps {
    pub(super) fn new(limit: u64) -> Self {
        Self { limit, used: 0 }
    }

    pub(super) fn take(&mut self, steps: u64) -> Result<(), Stop> {
        self.used = self.used.saturating_add(steps);
        if self.used > self.limit { Err(Stop::Steps(self.limit)) } else { Ok(()) }
    }
}

impl Stop {
    /// In words, about a formula.
    pub(super) fn explain(self, symbols: &Symbols, formula: &Formula) -> Unknown {
        let about = shortened(&Names(symbols, formula).to_string());
        Unknown(match self {
            Self::Overflow => format!("a number left the range of exact numbers: {about}"),
            Self::Steps(limit) => format!("the limit of {limit} steps was reached: {about}"),
            Self::Depth(limit) => {
                format!("more than {limit} choices depend on each other: {about}")
            }
            Self::Nonlinear(term) => format!("an operation is not linear: {term}"),
            Self::NoInteger(term) => format!("divisibility of a term that is no integer: {term}"),
            Self::Mixed => format!("an integer between rationals cannot be eliminated: {about}"),
            Self::Internal => format!("the exact procedure contradicts itself: {about}"),
        })
    }
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(['…']).collect()
}
