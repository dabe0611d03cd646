//! Why there is no test case.

use thiserror::Error;

/// Why there is no test case.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// The purpose is unreachable even with cooperation.
    #[error("the purpose is unreachable even with cooperation")]
    Unreachable,
    /// A tester cannot follow the model: it has internal steps or steps with two actions at once.
    #[error("a tester cannot follow the model: it does not see {0}")]
    NotObservable(String),
    /// The tree has too many places.
    #[error("the tree has more than {0} places")]
    TooLarge(usize),
    /// The game was not solved to its end.
    #[error("a limit was reached before the game was solved")]
    Incomplete,
}
