//! What a test run means, and who makes a move in it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a test run means.
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
    /// Something was observed that the specification does not allow.
    Fail,
    /// Everything conformed, but the purpose cannot be reached any more.
    Inconclusive,
}

/// Who makes a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "side")]
pub enum Side {
    /// The tester, by an input of the system.
    Tester,
    /// The system, by an output.
    System,
}
