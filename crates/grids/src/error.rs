//! What makes a grid impossible, or its words.

use thiserror::Error;
use tioga_base::{LimitReached, Overflow, Rational, Span};

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Error {
    /// The model uses something that grids do not know.
    #[error("{message}")]
    Unsupported {
        /// What it is.
        message: String,
        /// Where it was written.
        span: Span,
    },
    /// An update or a value subtracts, or multiplies with something other than a non-negative integer.
    #[error("{message}")]
    NotLinear {
        /// What it is.
        message: String,
        /// Where it was written.
        span: Span,
    },
    /// The invariant of the initial location does not hold at the start.
    #[error("the invariant of the initial location `{0}` does not hold when all clocks are 0")]
    NoStart(String),
    /// A bound is not above the constants.
    #[error(
        "the bound {bound} of `{name}` is not above every constant; the greatest constant of `{name}` is \
         {greatest}"
    )]
    LowBound {
        /// The clock or variable.
        name: String,
        /// Its bound.
        bound: Rational,
        /// The greatest constant it is compared with or set to.
        greatest: Rational,
    },
    /// A bound is no positive integer.
    #[error("the bound {bound} of `{name}` is not a positive integer")]
    BrokenBound {
        /// The clock or variable.
        name: String,
        /// Its bound.
        bound: Rational,
    },
    /// A variable whose value goes into another one has a lower bound.
    #[error(
        "the bound {bound} of `{source_name}` hides values that `{target}` with the bound {needed} tells apart"
    )]
    HidingBound {
        /// The variable or parameter that is read.
        source_name: String,
        /// Its bound.
        bound: i64,
        /// The variable that is set.
        target: String,
        /// The bound of that variable.
        needed: i64,
    },
    /// A bound is given for something that does not exist.
    #[error("there is no clock or variable `{0}`")]
    Unknown(String),
    /// A constant is not a multiple of the granularity.
    #[error(
        "the constant {constant} of `{name}` is not a multiple of the granularity 1/{per_unit}"
    )]
    Coarse {
        /// The clock or variable.
        name: String,
        /// The constant.
        constant: Rational,
        /// The parts of a unit that were asked for.
        per_unit: i64,
        /// A multiple of these parts that fits all constants.
        fitting: i64,
        /// The fewest parts that fit all constants.
        fewest: i64,
        /// Whether it is about clocks, not about context.
        clocks: bool,
    },
    /// A purpose has a cycle.
    #[error("the purpose `{purpose}` has a cycle through `{location}`")]
    Cyclic {
        /// The purpose.
        purpose: String,
        /// A location of the cycle.
        location: String,
    },
    /// A location is both an end where a fault is confirmed and a desired one.
    #[error("the location `{location}` of the purpose `{purpose}` is both `fail` and `desired`")]
    Overlap {
        /// The purpose.
        purpose: String,
        /// The location.
        location: String,
    },
    /// A purpose has no end to aim at.
    #[error("the purpose `{0}` has no location marked `fail` or `desired`")]
    NoEnd(String),
    /// Model and purpose share a clock or a variable.
    #[error("the model and the purpose both have `{0}`")]
    Shared(String),
    /// An action is an input of one and an output of the other.
    #[error("`{0}` is an input on one side and an output on the other")]
    Directions(String),
    /// There are more possible states than can be numbered.
    #[error("the bounds allow more than 2^127 states")]
    TooManyStates,
    /// A number is too large.
    #[error("{}", Overflow)]
    Overflow,
    /// The limit of work was reached.
    #[error(transparent)]
    Limit(#[from] LimitReached),
    /// A word says something that the automaton does not know.
    #[error("{0}")]
    Word(String),
}

impl From<Overflow> for Error {
    fn from(Overflow: Overflow) -> Self {
        Self::Overflow
    }
}

impl Error {
    /// A way out, where there is one. `bound`, `granularity` and `context_granularity` are what the caller
    /// calls the settings.
    pub fn help(
        &self,
        bound: &str,
        granularity: &str,
        context_granularity: &str,
    ) -> Option<String> {
        match self {
            Self::LowBound { name, greatest, .. } => {
                Some(format!("`{bound} {name}={}` is the least bound", greatest.floor() + 1))
            }
            Self::BrokenBound { name, bound: given } => {
                Some(format!("`{bound} {name}={}` is near it", given.floor().max(0) + 1))
            }
            Self::HidingBound { source_name, needed, .. } => {
                Some(format!("`{bound} {source_name}={needed}` is enough"))
            }
            Self::Coarse { fitting, fewest, clocks, .. } => {
                let option = if *clocks { granularity } else { context_granularity };
                let or = match fitting == fewest {
                    true => String::new(),
                    false => format!(", and so is `{option} 1/{fitting}`"),
                };
                Some(format!("`{option} 1/{fewest}` is fine enough{or}"))
            }
            Self::NotLinear { .. } => Some(
                "in updates and outputs, variables are added and multiplied with non-negative integers only"
                    .to_owned(),
            ),
            Self::Cyclic { .. } => Some("a purpose with `fail` or `desired` is acyclic".to_owned()),
            Self::Overlap { .. } => Some("remove one of the two marks".to_owned()),
            _ => None,
        }
    }
}
