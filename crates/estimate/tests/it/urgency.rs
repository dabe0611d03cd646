//! Estimates on a test case in which something has to happen at once.

use crate::support::{moment, observe_all, rational};
use tioga_estimate::{CaseBoard, Estimator, Explained, Latencies};
use tioga_testcase::TestCase;

/// After `a` the answer `b` comes at once, and after 3 time units of waiting another; after that the
/// tester has to send `c` at once.
const CASE: &str = r#"{
  "name": "hasty", "shape": "automaton", "scale": 1, "clocks": ["x"],
  "summary": { "model": "m", "purpose": "p", "exact": true, "rank": [0, 0, 4],
               "may_be_inconclusive": false, "restarts": false },
  "inputs": [{ "channel": "a" }, { "channel": "c" }], "outputs": [{ "channel": "b" }],
  "places": [
    { "name": "start", "invariant": [[]], "verdicts": [], "edges": [
      { "by": "tester", "action": { "channel": "a" }, "guard": [[]], "sets": [], "target": 1 } ] },
    { "name": "asked", "invariant": [[]], "urgent": [[]], "verdicts": [], "edges": [
      { "by": "system", "action": { "channel": "b" }, "guard": [[]],
        "sets": [{ "clock": 0, "value": 0 }], "target": 2 } ] },
    { "name": "waiting", "invariant": [[]], "urgent": [[{ "right": 0, "bound": -3 }]],
      "verdicts": [], "edges": [
      { "by": "system", "action": { "channel": "b" }, "guard": [[{ "right": 0, "bound": -3 }]],
        "sets": [], "target": 3 } ] },
    { "name": "called", "invariant": [[]], "urgent": [[]], "verdicts": [], "edges": [
      { "by": "tester", "action": { "channel": "c" }, "guard": [[]], "sets": [], "target": 0 } ] }
  ]
}"#;

#[test]
fn answers_that_have_to_come_at_once_cannot_be_late() {
    let case: TestCase = serde_json::from_str(CASE).unwrap();
    let exact = Latencies::NONE;
    let slow = Latencies { input: moment("0..1"), output: moment("0..1"), jitter: rational("0") };
    for (latency, trace, expected) in [
        (exact, "a? 1, b! 1, b! 4", Explained::Yes),
        (exact, "a? 1, b! 2", Explained::NoOutput),
        (exact, "a? 1, - 11/10", Explained::Late),
        (exact, "a? 1, b! 1, - 4", Explained::Yes),
        (exact, "a? 1, b! 1, - 41/10", Explained::Late),
        (exact, "a? 1, b! 1, b! 5", Explained::NoOutput),
        // Latencies explain some lateness, but not more.
        (slow, "a? 1, b! 2, b! 5", Explained::Yes),
        (slow, "a? 1, - 3", Explained::Yes),
        (slow, "a? 1, - 31/10", Explained::Late),
        // The tester cannot be on time, and the system is not to blame for that.
        (exact, "a? 1, b! 1, b! 4, c? 5, a? 6, b! 6", Explained::Yes),
        (slow, "a? 1, b! 1, b! 4, c? 5, - 100", Explained::Yes),
    ] {
        let mut one = Estimator::new(CaseBoard::new(&case).unwrap(), latency).unwrap();
        assert_eq!(observe_all(&mut one, trace), expected, "{trace}");
    }
}
