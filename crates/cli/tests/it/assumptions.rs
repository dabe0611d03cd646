//! What `tioga check` says about the assumptions of testing, for the examples and for a model that
//! violates them all.

use crate::binary::{Folder, Json};
use serde_json::Value;
use tioga_testkit::root;

const NAMES: [&str; 5] =
    ["non-blocking", "repeatedly-observable", "non-zeno", "non-zeno-without-inputs", "restartable"];

/// For each example the verdicts in order: yes, no, unknown or not applicable.
const EXAMPLES: [(&str, &str); 17] = [
    // Both branches end.
    ("bjsk/bjsk", "+-++."),
    ("car-alarm/car-alarm", "++++."),
    // Nothing leaves the goal l6; `v!` can be repeated in l0 without waiting.
    ("complex/complex", "+---."),
    ("conveyor-game/conveyor-game", "+---."),
    // A package may go round in no time; from everywhere a restart can be reached.
    ("conveyor/conveyor", "++--+"),
    // Inputs may follow each other at once, and nothing happens without them.
    ("fsm-28/m", "++-+."),
    ("fsm-29/fsm-29", "++-+."),
    ("fsm-chain/m3", "++-+."),
    // An input carries any integer, and a variable counts it up: nothing is explored.
    ("khoumsi/fig5", "?"),
    // Data grows without bound, but what fails fails early.
    ("multimedia/multimedia", "--??."),
    ("problematic-light/problematic-light", "++-+."),
    // Whoever is called has to answer at once, and nothing leaves Served.
    ("service-desk/service-desk", "--++."),
    ("smart-light/smart-light", "++-+."),
    // Invariants expire unless the tester presses a button.
    ("switch/sw5", "-+-+."),
    // After 16 units without an input nothing is specified.
    ("tefsm/tefsm", "+--+."),
    ("train-gate/train-gate", "++++."),
    ("two-clock-switch/off5", "-+-+."),
];

fn verdicts(result: &Value) -> String {
    if result["assumptions"].is_null() {
        let reason = result["reachability"]["reason"].as_str().unwrap();
        assert!(reason.contains("too many classes"), "{reason}");
        return "?".to_owned();
    }
    let list = result["assumptions"].as_array().unwrap();
    let names: Vec<&str> = list.iter().map(|one| one["assumption"].as_str().unwrap()).collect();
    assert_eq!(names, NAMES);
    let sign = |one: &Value| match one["verdict"].as_str().unwrap() {
        "yes" => '+',
        "no" => '-',
        "unknown" => '?',
        "not applicable" => '.',
        other => panic!("{other}"),
    };
    list.iter().map(sign).collect()
}

#[test]
fn the_examples_have_the_assumptions_their_texts_suggest() {
    let folder = Folder::new("assumptions-of-examples");
    for (name, expected) in EXAMPLES {
        let path = root().join(format!("examples/{name}.tioga"));
        let run = folder.tioga(&["--format", "json", "check", path.to_str().unwrap()], "");
        assert_eq!(verdicts(&run.json()["result"]), expected, "{name}");
    }
}

const PUMP: &str = "\
model pump;
input start, reset;
output done;
internal spin;
automaton Pump {
  clock x;
  init location Idle;
  location Stuck invariant x <= 5;
  location Dead;
  Idle -> Stuck : start? do x = 0;
  Stuck -> Dead : start?;
  Dead -> Dead : spin;
}
purpose Done {
  init location Wait;
  accept location Good;
  Wait -> Good : done!;
  otherwise self;
  restart reset?;
}
";

#[test]
fn the_run_behind_each_no_can_be_replayed() {
    let folder = Folder::new("runs-of-assumptions");
    folder.write("pump.tioga", PUMP);
    let run = folder.tioga(&["--format", "json", "check", "pump.tioga", "--runs", "runs"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let result = &run.json()["result"];
    assert_eq!(verdicts(result), "-----");
    for name in NAMES.into_iter().chain(["no-timelock"]) {
        let trace = format!("runs/{name}.trace");
        assert!(!folder.read(&trace).is_empty());
        let replay = folder.tioga(&["replay", "pump.tioga", &trace], "");
        assert_eq!(replay.code, 0, "{name}: {}", replay.out);
    }
    let list = result["assumptions"].as_array().unwrap();
    assert_eq!(list[0]["end"]["locations"]["Pump"], "Stuck");
    assert_eq!(list[2]["turn"].as_array().unwrap().len(), 1);
    assert_eq!(list[4]["trace"].as_array().unwrap().len(), 0);
}

#[test]
fn without_exploration_nothing_is_assumed() {
    let folder = Folder::new("no-assumptions");
    folder.write("pump.tioga", PUMP);
    let run = folder.tioga(&["--format", "json", "check", "pump.tioga", "--explore", "0"], "");
    assert_eq!(run.json()["result"]["assumptions"], Value::Null);
}
