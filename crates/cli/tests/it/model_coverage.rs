//! `tioga report` on the model with the real binary: what was covered in words, in JSON and on the picture, of test cases and
//! online runs, and runs over time.

use crate::binary::Folder;

/// A folder with the journal of the test cases of the car alarm, run against the model itself.
fn alarm(name: &str) -> Folder {
    let folder = Folder::new(name);
    let ran =
        folder.tioga(&["test", "@car-alarm", "--purposes-only", "--journal", "alarm.journal"], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    folder
}

#[test]
fn what_is_not_covered_is_listed_and_counted_in_json() {
    let folder = alarm("covered");
    let brief = folder.tioga(&["report", "alarm.journal"], "");
    let line = brief.out.lines().last().unwrap().to_owned();
    assert!(line.starts_with("model: ") && line.contains(" window ends"), "{line}");
    let listed = folder.tioga(&["report", "alarm.journal", "--coverage"], "");
    assert!(listed.out.contains(&line), "{}", listed.out);
    // Nothing in the purposes of the example locks the car before it is closed.
    let missing = listed.out.lines().find(|line| line.contains("OpenUnlocked -> OpenLocked"));
    let words: Vec<&str> = missing.unwrap().split_whitespace().collect();
    assert_eq!(words, ["not", "taken", "Guard:", "OpenUnlocked", "->", "OpenLocked", "lock?"]);
    let told = folder.tioga(&["--format", "json", "report", "alarm.journal"], "");
    let told: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let model = &told["result"]["model"];
    let locations = model["locations"].as_array().unwrap();
    let entered = locations.iter().filter(|one| one["entered"].as_u64().unwrap() > 0).count();
    assert!(line.contains(&format!("{entered}/{} locations", locations.len())), "{line}");
    // Committed locations count.
    let raise = locations.iter().find(|one| one["location"] == "Raise").unwrap();
    assert!(raise["entered"].as_u64().unwrap() > 0, "{raise}");
    let made = folder.tioga(&["report", "alarm.journal", "--json", "results.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    let results: serde_json::Value = serde_json::from_str(&folder.read("results.json")).unwrap();
    assert_eq!(&results["model"], model);
}

/// The last step of some test cases leads to a committed location, which is left at once. That is counted when the
/// suite is made and when it was run.
#[test]
fn steps_that_come_at_once_after_the_last_one_are_covered() {
    let folder = Folder::new("covered-at-once");
    let made = folder.tioga(&["synth", "@car-alarm", "--cover", "edges", "-o", "edges.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(made.out.contains("\n32 of 32 edges covered\n"), "{}", made.out);
    let line = ["run", "edges.json", "--sut", "model:@car-alarm", "--policy", "fair"];
    let ran = folder.tioga(&[&line[..], &["--journal", "edges.journal"]].concat(), "");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let report = folder.tioga(&["report", "edges.journal", "--coverage"], "");
    // The environment has four edges more.
    assert!(report.out.contains(" 36/36 edges,"), "{}", report.out);
}

#[test]
fn coverage_and_a_run_over_time_are_drawn() {
    let folder = alarm("drawn");
    let asked =
        ["report", "alarm.journal", "--timing", "run.svg", "--run", "0", "--coverage", "model.svg"];
    let made = folder.tioga(&asked, "");
    assert_eq!(made.code, 0, "{}", made.err);
    let timing = folder.read("run.svg");
    assert!(timing.contains("class=\"timing\"") && timing.contains(">Tripped</text>"), "{timing}");
    let model = folder.read("model.svg");
    assert!(model.contains("not taken</text>") && model.contains("not visited</text>"), "{model}");
    // A journal is not overwritten.
    let refused = folder.tioga(&["report", "alarm.journal", "--timing", "alarm.journal"], "");
    assert_eq!(refused.code, 2, "{}", refused.err);
}

#[test]
fn online_runs_cover_the_model_as_others_do() {
    let folder = Folder::new("online-covered");
    let options =
        ["test", "@smart-light", "--online", "--seed", "3", "--journal", "online.journal"];
    let ran = folder.tioga(&options, "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let made = folder.tioga(&["report", "online.journal"], "");
    assert!(made.out.contains("\nmodel: "), "{}", made.out);
    let told = folder.tioga(&["--format", "json", "report", "online.journal"], "");
    let told: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    let model = &told["result"]["model"];
    assert_eq!((&model["lost"], &model["runs"]), (&0.into(), &1.into()), "{model}");
    let taken = model["edges"].as_array().unwrap().iter().filter(|one| one["taken"] != 0).count();
    assert!(taken > 5, "{model}");
}

#[test]
fn a_machine_is_drawn() {
    let folder = Folder::new("machine-drawn");
    let text = "digraph m { __start0 -> s0; s0 -> s1 [label=\"coin/beep\"]; s1 -> s0 [label=\"button/coffee\"]; }";
    folder.write("m.dot", text);
    let made = folder.tioga(&["machine", "convert", "m.dot", "-o", "m.svg"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    assert!(folder.read("m.svg").contains("coin / beep"), "{}", folder.read("m.svg"));
    let refused = folder.tioga(&["machine", "info", "m.svg"], "");
    assert_eq!(refused.code, 2, "{}", refused.err);
}
