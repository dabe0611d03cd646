//! What a test case is for. Its sentence is made by `Display`, and never read back.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tioga_base::Rational;

use crate::cover::Cover;

/// What a test case is for.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "goal")]
pub enum Goal {
    /// Nothing: every behaviour that conforms will do.
    #[default]
    Anything,
    /// So many inputs and outputs that conform.
    Actions(u64),
    /// A purpose automaton of the model, by its name.
    Purpose(String),
    /// A query of the model, or one that was added to it.
    Query {
        /// The query.
        query: String,
        /// The time within which it holds, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        within: Option<Rational>,
    },
    /// A condition that an online run is to reach.
    Reach {
        /// The condition, as in a query.
        condition: String,
        /// The time within which it is reached, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        within: Option<Rational>,
    },
    /// Any inputs at any moments until this time has passed.
    Walk(#[schemars(with = "String")] Rational),
    /// Coverage items, one after the other.
    Cover(Vec<CoverItem>),
    /// A word of the grid of the model with a purpose.
    GridWord {
        /// The purpose.
        purpose: String,
        /// The word: delays and actions.
        word: String,
    },
    /// Inputs of a finite machine.
    Inputs {
        /// The time of an input, if the machine is that of a model with clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<String>")]
        unit: Option<Rational>,
        /// The inputs, as a line of tests.
        inputs: String,
    },
    /// That the system is in a configuration, and not in a suspicious one.
    Confirm {
        /// The configuration.
        at: String,
        /// The suspicious one.
        against: String,
        /// The word that leads there.
        way: String,
        /// The word that tells both apart.
        sequence: String,
    },
    /// A sentence of an older suite: a query, or what to cover. The model decides which ([`Self::sentence`]).
    Sentence(String),
}

/// A coverage item in a way of covering it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "cover_item")]
pub struct CoverItem {
    /// The criterion.
    pub criterion: Cover,
    /// The element of the model: process, edge or location, and what is particular, as in `Door.edge2-x-at-3`.
    pub element: String,
    /// The same in words.
    pub words: String,
    /// What a clock shows before it is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
    /// What comes next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
}

/// What a clock shows before it is set, so that setting it is noticed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "before")]
pub enum Before {
    /// More than all constants that it is compared with.
    BeyondBounds,
    /// Not 0.
    NotZero,
}

/// What comes after an item, so that its effect is seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "next")]
pub enum Next {
    /// An output of its process.
    Output,
    /// Silence for longer than every bound of the model.
    Silence,
}

impl Goal {
    /// A query, perhaps within a time.
    pub fn query(query: impl Into<String>) -> Self {
        Self::Query { query: query.into(), within: None }
    }

    /// The sentence of an older suite, if nothing else is known.
    pub fn sentence(&self) -> Option<&str> {
        match self {
            Self::Sentence(sentence) => Some(sentence),
            _ => None,
        }
    }

    /// Whether a user may call it so: by its sentence, or by the name of its purpose.
    pub fn is_called(&self, name: &str) -> bool {
        matches!(self, Self::Purpose(own) if own == name) || self.to_string() == name
    }
}

impl Before {
    fn words(self) -> &'static str {
        match self {
            Self::BeyondBounds => ", beyond all its bounds before",
            Self::NotZero => ", not 0 before",
        }
    }
}

impl Next {
    fn words(self) -> &'static str {
        match self {
            Self::Output => ", then an output",
            Self::Silence => ", then silence",
        }
    }
}

impl fmt::Display for CoverItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words)?;
        f.write_str(self.before.map_or("", Before::words))?;
        f.write_str(self.next.map_or("", Next::words))
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let within = |f: &mut fmt::Formatter<'_>, time: &Option<Rational>| match time {
            Some(time) => write!(f, " within {time}"),
            None => Ok(()),
        };
        match self {
            Self::Anything => Ok(()),
            Self::Actions(count) => write!(f, "{count} actions that conform"),
            Self::Purpose(name) => write!(f, "purpose {name}"),
            Self::Query { query, within: time } => {
                f.write_str(query)?;
                within(f, time)
            }
            Self::Reach { condition, within: time } => {
                write!(f, "reach {condition}")?;
                within(f, time)
            }
            Self::Walk(time) => write!(f, "walk {time}"),
            Self::Cover(items) => {
                for (position, item) in items.iter().enumerate() {
                    let separator = if position == 0 { "" } else { "; and then " };
                    write!(f, "{separator}{item}")?;
                }
                Ok(())
            }
            Self::GridWord { purpose, word } => write!(f, "grid word of {purpose}: {word}"),
            Self::Inputs { unit: Some(unit), inputs } => {
                write!(f, "inputs in units of {unit}: {inputs}")
            }
            Self::Inputs { unit: None, inputs } => write!(f, "inputs {inputs}"),
            Self::Confirm { at, against, way, sequence } => {
                write!(f, "confirm {at} against {against}: {way} | {sequence}")
            }
            Self::Sentence(sentence) => f.write_str(sentence),
        }
    }
}
