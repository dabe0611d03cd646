//! What `tioga check` finds in a model: what will hurt testing, properties, and assumptions, with the runs that refute
//! them.

use serde_json::{Map, Value, json};
use tioga::{Checked, Effort, Explored, Failure, check, read};
use tioga_base::Sources;
use tioga_model::Model;
use tioga_testcase::ModelSource;

use crate::results::{assumption, obstacle, property, survey};

/// How many states are explored at most.
const STATES: u64 = 200_000;

/// What was found, as `tioga check --format json` prints it: `obstacles`, `properties`, `reachability` and
/// `assumptions`.
pub fn findings(model: &Model, checked: &Checked, texts: &Sources) -> Map<String, Value> {
    let explored: Option<&Explored> = match &checked.explored {
        Some(Ok(explored)) => Some(explored),
        Some(Err(_)) | None => None,
    };
    let obstacles =
        explored.map(|explored| obstacle::json(model, &explored.obstacles(model), texts));
    let reachability = match &checked.explored {
        Some(Ok(explored)) => survey::json(model, &explored.survey, texts),
        None => Value::Null,
        Some(Err(error)) => json!({ "complete": false, "reason": error.to_string() }),
    };
    let assumptions = explored.map(|one| assumption::json(model, &one.assumptions));
    let all = [
        ("obstacles", obstacles.unwrap_or(Value::Null)),
        ("properties", property::json(&checked.properties, texts)),
        ("reachability", reachability),
        ("assumptions", assumptions.unwrap_or(Value::Null)),
    ];
    all.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Checks a model.
///
/// # Errors
/// If the model is wrong.
pub fn checked(source: ModelSource, effort: &mut Effort<'_>) -> Result<Value, Failure> {
    let mut texts = Sources::new();
    let loaded = read(source, &[], &mut texts)?;
    let found = check(&loaded.model, STATES, effort);
    Ok(Value::Object(findings(&loaded.model, &found, &texts)))
}
