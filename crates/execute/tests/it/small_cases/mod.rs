//! Test cases and settings for tests, small enough to be understood at a glance.

use std::path::PathBuf;

use serde_json::json;
use tioga_adapters::{Protocol, TimeBase};
use tioga_estimate::Latencies;
use tioga_execute::Settings;
use tioga_testcase::{Suite, TestCase};

/// A test case that sends `go` at once and wants `done` within `limit`.
pub fn case(name: &str, limit: i64) -> TestCase {
    let go = json!({ "channel": "go" });
    let done = json!({ "channel": "done" });
    let case = json!({
        "name": name,
        "shape": "strategy",
        "summary": {
            "model": "m", "purpose": "reach Done", "exact": true, "rank": [0, 0, 2],
            "may_be_inconclusive": false, "restarts": false,
        },
        "scale": 1,
        "clocks": ["x"],
        "inputs": [go],
        "outputs": [done],
        "places": [
            {
                "name": "Idle", "invariant": [[]], "verdicts": [],
                "edges": [{
                    "by": "tester", "action": go, "guard": [[]],
                    "sets": [{ "clock": 0, "value": 0 }], "target": 1,
                }],
                "rules": [{ "rank": [0, 0, 2], "zones": [[]], "play": 0 }],
            },
            {
                "name": "Busy", "invariant": [[{ "left": 0, "bound": limit }]], "verdicts": [],
                "edges": [{
                    "by": "system", "action": done, "guard": [[]], "sets": [], "target": 2,
                }],
                "rules": [{ "rank": [0, 0, 1], "zones": [[]], "awaited": [0] }],
            },
            {
                "name": "Done", "invariant": [[]],
                "verdicts": [{ "verdict": "pass", "zones": [[]], "reason": "it is done" }],
                "edges": [],
            },
        ],
    });
    serde_json::from_value(case).unwrap()
}

/// How to run these test cases.
pub fn settings(cases: Vec<TestCase>, repeat: u64) -> Settings {
    Settings {
        suite: Suite::new(cases),
        online: None,
        system: "none".into(),
        protocol: Protocol::Json,
        time: TimeBase::Virtual,
        limits: tioga_adapters::AdapterLimits::default(),
        latencies: Latencies::default(),
        repeat,
        seed: 7,
        patience: None,
        grid: None,
        policy: None,
        fresh: false,
        keep_going: false,
        timeout_ms: None,
    }
}

/// A path for a file that is not there.
pub fn path(name: &str) -> PathBuf {
    tioga_testkit::folder(name).join(name)
}
