//! The verdict of a test run, and the sides of its moves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict of a test run.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "verdict")]
pub enum Verdict {
    /// The purpose was reached, and everything conformed.
    Pass,
    /// Pass, uncertain: everything conformed, and the purpose was reached in some explanations of what
    /// was observed, but not in all.
    Uncertain,
    /// The specification does not allow an observation.
    Fail,
    /// Everything conformed, but the purpose cannot be reached any more.
    Inconclusive,
}

/// The side of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "side")]
pub enum Side {
    /// The tester, by an input of the system.
    Tester,
    /// The system, by an output.
    System,
}
