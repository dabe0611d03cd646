//! Why there is no test case.

use std::fmt;

/// Why there is no test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The purpose cannot be reached, whoever helps.
    Unreachable,
    /// A tester cannot follow the model: it has internal moves or steps with two actions at once.
    NotObservable(String),
    /// The tree has too many places.
    TooLarge(usize),
    /// The game was not solved to its end.
    Incomplete,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable => f.write_str("the purpose cannot be reached, whoever helps"),
            Self::NotObservable(step) => {
                write!(f, "a tester cannot follow the model: it does not see {step}")
            }
            Self::TooLarge(limit) => write!(f, "the tree has more than {limit} places"),
            Self::Incomplete => f.write_str("a limit was reached before the game was solved"),
        }
    }
}

impl std::error::Error for Error {}
