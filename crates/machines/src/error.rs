//! What is wrong with a machine or a question about it.

use crate::machine::Word;

/// Why there is no machine or no suite.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The work was stopped.
    #[error("stopped")]
    Stopped,
    /// A line or place of a text cannot be read.
    #[error("line {line}: {message}")]
    Syntax {
        /// Where, counted from one.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A text is a graph, but no machine.
    #[error("this is not a Mealy machine: {0}")]
    NotAMachine(String),
    /// There are no transitions.
    #[error("the machine has no transitions")]
    NoTransitions,
    /// The initial state is not known.
    #[error("the machine has no initial state")]
    NoInitial,
    /// One input, two transitions.
    #[error("state `{state}` has two transitions for input `{input}`")]
    Nondeterministic {
        /// Where.
        state: String,
        /// For which input.
        input: String,
    },
    /// There are more states, inputs or transitions than numbers for them.
    #[error("the machine is too large")]
    TooLarge,
    /// Some input is not taken.
    #[error(
        "state `{state}` has no transition for input `{input}`, and {method} needs a complete machine"
    )]
    Partial {
        /// Where.
        state: String,
        /// Which.
        input: String,
        /// For what.
        method: String,
    },
    /// States that cannot be reached.
    #[error("{} cannot be reached", states(.0))]
    Unreachable(Vec<String>),
    /// States that no input word tells apart.
    #[error("{} cannot be told apart by any inputs", states(.0))]
    Equivalent(Vec<String>),
    /// There is nothing to identify states by.
    #[error("a set of words to tell states apart must not be empty")]
    NoWords,
    /// The lower bound on classes exceeds the upper bound on states.
    #[error("at least {classes} classes cannot be in at most {states} states")]
    Bounds {
        /// The lower bound.
        classes: usize,
        /// The upper bound.
        states: usize,
    },
    /// A word is not possible.
    #[error("the word {0:?} is not possible in the machine")]
    Impossible(Word),
}

/// Whether to go on, as a function says.
pub(crate) fn check(going: &dyn Fn() -> bool) -> Result<(), Error> {
    if going() { Ok(()) } else { Err(Error::Stopped) }
}

fn states(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match &quoted[..] {
        [one] => format!("state {one}"),
        _ => format!("states {}", quoted.join(", ")),
    }
}
