//! A failing run made shorter, as JSON.

use serde_json::{Value, json};
use tioga::Recorded;
use tioga_execute::{RunFailure, Shrunk};

/// The result as JSON.
pub fn result(recorded: &Recorded, shrunk: &Shrunk, journal: Option<String>) -> Value {
    let failure = shrunk.failure.as_ref().map(|failure| match failure {
        RunFailure::Output(channel) => json!({ "kind": "output", "channel": channel }),
        RunFailure::Silence => json!({ "kind": "silence" }),
        RunFailure::Fault(kind) => json!({ "kind": "fault", "fault": kind }),
    });
    json!({
        "run": recorded.record.run,
        "case": recorded.case_name(),
        "seed": recorded.record.seed(),
        "system": recorded.settings.system_name(),
        "failure": failure,
        "inputs_before": shrunk.before,
        "inputs": shrunk.after,
        "attempts": shrunk.attempts,
        "complete": shrunk.complete,
        "again": { "tries": shrunk.again.tries, "failed": shrunk.again.failed },
        "judge": if shrunk.by_model { "model" } else { "test case" },
        "events": shrunk.record.events,
        "journal": journal,
    })
}
