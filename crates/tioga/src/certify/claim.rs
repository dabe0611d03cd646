//! Reading certificates.

use std::path::Path;

use serde_json::Value;
use tioga_base::Sources;
use tioga_testcase::Suite;

use super::unreadable;
use crate::Failure;
use crate::suite::parse_suite;
use crate::texts::read_file;

/// A certificate.
#[derive(Clone, PartialEq, Debug)]
pub enum Certificate {
    /// Test cases.
    Suite(Box<Suite>),
    /// A strategy, as `tioga solve --strategy x.json` writes it.
    Strategy(Value),
    /// Ranks of queries, as `tioga --format json solve` prints them.
    Ranks(Vec<Value>),
}

/// Reads a suite, a strategy or ranks from a file.
///
/// A suite with a malformed test case is read nevertheless: the checker reports its flaw.
pub fn read_certificate(texts: &mut Sources, path: &Path) -> Result<Certificate, Failure> {
    let text = read_file(texts, path)?;
    let value: Value = match serde_json::from_str(&text) {
        Ok(value) => value,
        Err(error) => return Err(unreadable(path, &error.to_string())),
    };
    if value["format"] == "tioga-suite" {
        return parse_suite(texts, path, &text).map(|suite| Certificate::Suite(suite.into()));
    }
    if value["format"] == "tioga-strategy" {
        if value["version"] != 1 {
            return Err(unreadable(path, "it is a strategy of another version than 1"));
        }
        return Ok(Certificate::Strategy(value));
    }
    match value["result"]["queries"].as_array() {
        Some(queries) if value["command"] == "solve" && !queries.is_empty() => {
            Ok(Certificate::Ranks(queries.clone()))
        }
        _ => Err(unreadable(path, "it does not say what it is")),
    }
}
