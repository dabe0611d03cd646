//! Symbolic test cases (KHO): a test graph over registers, in which guards are conditions and time is events.
//!
//! A node is the knowledge of the tester. A step is an input, an output, the expiration of clocks, or an
//! action at the instant of expirations; it may program expirations for the future. Conditions and terms are
//! written twice: for people, and in SMT-LIB, which counts. Observations that no step of a node allows fail:
//! an output, and an expiration after which the system is late. Expirations, unlike clocks, are events:
//! setting a clock determines when each of its thresholds is reached.
//!
//! Choices give the decision of the tester in a node, in order: the first of those whose `reached` may hold of
//! registers and constants, and among them the first whose `when` has a solution, which gives the values of the
//! input.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Side, Verdict};

/// A test graph with what to do in it. Positions count from 0.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "symbolic")]
pub struct SymbolicCase {
    /// The symbols of conditions and terms.
    pub symbols: Vec<CaseSymbol>,
    /// The initial condition on constants and registers.
    pub initially: CaseCondition,
    /// The clocks.
    pub clocks: Vec<String>,
    /// The inputs and outputs.
    pub messages: Vec<CaseMessage>,
    /// The expirations programmed at the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<CaseProgram>,
    /// The nodes; a test starts in the first.
    #[schemars(length(min = 1))]
    pub nodes: Vec<CaseNode>,
    /// Whether the choices are those of the whole game, so that none relies on the system less.
    pub complete: bool,
    /// Whether the model may compare a clock with zero, so that an output at the instant of another message cannot
    /// be judged.
    pub instants: bool,
}

/// A symbol.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "symbol")]
pub struct CaseSymbol {
    /// Its name, unique among the symbols.
    pub name: String,
    /// Its role.
    pub role: SymbolRole,
    /// Whether it is a rational; otherwise it is an integer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rational: bool,
    /// The least value, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<i64>,
    /// The greatest value, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<i64>,
}

/// The role of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "symbol_role")]
pub enum SymbolRole {
    /// A constant of the model, fixed before the run and perhaps unknown to the tester.
    Constant,
    /// A variable that the tester computes from its observations.
    Register,
    /// A value that a message carries.
    Parameter,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "condition")]
pub struct CaseCondition {
    /// For people.
    pub text: String,
    /// As an SMT-LIB term of sort Bool.
    pub smt: String,
}

/// A term.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "term")]
pub struct CaseTerm {
    /// For people.
    pub text: String,
    /// As an SMT-LIB term of sort Int or Real.
    pub smt: String,
}

/// An input or output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "message")]
pub struct CaseMessage {
    /// Its name.
    pub name: String,
    /// The side that sends it.
    pub by: Side,
    /// The positions of the symbols of its values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carries: Vec<u32>,
}

/// A clock is set: its expirations are cancelled, and these are programmed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "program")]
pub struct CaseProgram {
    /// The position of the clock.
    pub clock: u32,
    /// The thresholds to reach.
    pub thresholds: Vec<CaseThreshold>,
}

/// A threshold of a clock.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "threshold")]
pub struct CaseThreshold {
    /// The threshold as the model writes it, which names the expiration.
    pub name: CaseTerm,
    /// After which delay it is reached, over registers, constants and the values of the message.
    pub delay: CaseTerm,
}

/// A clock reaches a threshold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "expiration")]
pub struct CaseExpiration {
    /// The position of the clock.
    pub clock: u32,
    /// The threshold as the model writes it.
    pub threshold: CaseTerm,
}

/// What the tester knows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "node")]
pub struct CaseNode {
    /// Its name: the possible locations of the model.
    pub name: String,
    /// The verdict, if the test ends here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Verdict")]
    pub verdict: Option<Verdict>,
    /// Whether the tester waits only for an output without deadline, so only a timeout ends silence.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub timeout: bool,
    /// The possible steps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<CaseStep>,
    /// What to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<CaseChoice>,
}

/// A possible step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "step")]
pub struct CaseStep {
    /// The expirations, all at the same instant, in order of clocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expires: Vec<CaseExpiration>,
    /// The position of the input or output at that instant, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub message: Option<u32>,
    /// When, over registers, constants and the values of the message.
    pub guard: CaseCondition,
    /// The programmed expirations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sets: Vec<CaseProgram>,
    /// New values of registers, all from the old ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub updates: Vec<CaseUpdate>,
    /// The position of the node it leads to.
    pub target: u32,
}

/// A register gets a value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "update")]
pub struct CaseUpdate {
    /// The position of the symbol.
    pub register: u32,
    /// Its new value.
    pub value: CaseTerm,
}

/// Advice for a node.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "choice")]
pub struct CaseChoice {
    /// How many control losses there are at most on the way to Pass.
    pub losses: u32,
    /// The condition for that, over registers and constants.
    pub reached: CaseCondition,
    /// What to do.
    #[serde(rename = "do")]
    #[schemars(rename = "do")]
    pub act: ChoiceAct,
    /// The position of the step to take; missing if the tester waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    pub step: Option<u32>,
    /// The condition on the values of the input.
    pub when: CaseCondition,
}

/// One of the three options of KHO 6.5.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "choice_act")]
pub enum ChoiceAct {
    /// Send the input of the step.
    Send,
    /// Wait for any output or expiration.
    Wait,
    /// Wait in order to send the input of the step at the instant of its expirations.
    SendAt,
}
