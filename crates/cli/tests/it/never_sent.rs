//! What an online test never sent is said wherever its results are, through the real binary.

use crate::binary::{Folder, Json, Run};
use serde_json::{Value, json};

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

/// A machine whose lid can be opened only after tea, of which the system makes none.
const MACHINE: &str = "
input press, set(int[0, 9] v), mix(int[0, 1] a, int[0, 3] b), lid;
output tea;
automaton Machine {
  init location Idle;
  location Done;
  Idle -> self : press?;
  Idle -> self : set(v)? when v != 4;
  Idle -> self : mix(a, b)? when b < 2;
  Idle -> Done : tea!;
  Done -> self : lid?;
}
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("machine.tioga", MACHINE);
    folder.write("lazy.tioga", MACHINE.replace("  Idle -> Done : tea!;\n", ""));
    let line = "test machine.tioga --online --actions 300 --sut model:lazy.tioga";
    let run = tioga(&folder, &format!("{line} --junit m.xml --html m.html"));
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let said = "\nnever sent: `set` with 4, `mix` with 2 to 3 as value 2, `lid`\n";
    assert!(run.out.contains(said), "{}", run.out);
    folder
}

/// The same for programs.
fn expected() -> Value {
    json!([
        { "input": "set", "values": [{ "parameter": 0, "from": 4, "to": 4 }] },
        { "input": "mix", "values": [{ "parameter": 1, "from": 2, "to": 3 }] },
        { "input": "lid", "values": [] },
    ])
}

#[test]
fn results_and_reports_say_what_was_never_sent() {
    let folder = folder("never-sent-reports");
    let line = "--format json test machine.tioga --online --actions 300 --sut model:lazy.tioga";
    let run = tioga(&folder, &format!("{line} --no-journal"));
    assert_eq!(run.json()["result"]["cases"][0]["never_sent"], expected());
    let said = "`set` with 4, `mix` with 2 to 3 as value 2, `lid`";
    let property = format!("<property name=\"tioga.never-sent\" value=\"{said}\"/>");
    assert!(folder.read("m.xml").contains(&property), "{}", folder.read("m.xml"));
    assert!(folder.read("m.html").contains(&format!("Never sent: {said}")));
    // The journal alone says the same later.
    let line = "report machine.journal --junit later.xml --json later.json --html later.html";
    let run = tioga(&folder, line);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(folder.read("later.xml").contains(&property));
    assert!(folder.read("later.html").contains(&format!("Never sent: {said}")));
    let report: Value = serde_json::from_str(&folder.read("later.json")).unwrap();
    assert_eq!(report["cases"][0]["never_sent"], expected());
}

#[test]
fn explanations_say_what_a_run_never_sent() {
    let folder = folder("never-sent-explained");
    let run = tioga(&folder, "explain machine.journal --last 1");
    let said = "\n  not sent  `set` with 4, `mix` with 2 to 3 as value 2, `lid`\n";
    assert!(run.out.contains(said), "{}", run.out);
    let run = tioga(&folder, "--format json explain machine.journal --last 1");
    assert_eq!(run.json()["result"]["never_sent"], expected());
}

#[test]
fn what_is_resumed_counts_all_runs_and_test_cases_say_nothing() {
    let folder = Folder::new("never-sent-resumed");
    let line = "test @smart-light --online --actions 1 --repeat 5 --sut model:@smart-light";
    let run = tioga(&folder, &format!("{line} --stop-after 1ms"));
    assert!(matches!(run.code, 0 | 3 | 5), "{}", run.out);
    let resumed = tioga(&folder, "--format json resume smart-light.journal --keep-going");
    assert_eq!(resumed.json()["result"]["cases"][0]["never_sent"], json!([]), "{}", resumed.out);
    let run = tioga(&folder, "test @smart-light --purposes-only");
    assert!(!run.out.contains("never sent"), "{}", run.out);
}
