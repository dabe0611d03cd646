//! Random walks.
//!
//! A random walk leaves every input and every moment open until a time has passed. It aims at nothing, so every system
//! that conforms and lets time pass comes to its end; what a wrong system does on the way is found by chance. So it is
//! run more often than other test cases.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a random walk is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "walk")]
pub struct Walk {
    /// How often it is run in each repetition of the suite.
    #[schemars(range(min = 1))]
    pub runs: u32,
    /// The longest wait where nothing else bounds it, in units of `1 / scale`.
    #[schemars(range(min = 1))]
    pub longest_wait: i64,
    /// Whether the tester follows the model of the suite. The test case has no test steps then: its only place says what
    /// the interface is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub online: bool,
}
