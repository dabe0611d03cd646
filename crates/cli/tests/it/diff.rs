//! `tioga diff` through the real binary: changes, runs, suites, exit codes and bad input.

use crate::binary::{Folder, Json};

/// A project with a suite, and a version of its model in which one text is replaced.
fn changed(name: &str, old: &str, new: &str) -> Folder {
    let folder = Folder::new(name);
    assert_eq!(folder.tioga(&["new", "door"], "").code, 0);
    let folder = Folder(folder.0.join("door"));
    let text = folder.read("door.tioga");
    assert!(text.contains(old), "{text}");
    folder.write("new.tioga", text.replace(old, new));
    folder
}

#[test]
fn a_changed_guard_is_told_shown_by_a_run_and_breaks_tests() {
    let folder = changed("guard", "close! when x >= 5", "close! when x >= 4");
    let run = folder.tioga(&["diff", "door.tioga", "new.tioga", "--suite", "suite.json"], "");
    assert_eq!((run.code, run.err.as_str()), (1, ""), "{}", run.out);
    let guard = "  changed  Door: guard of Open -> Shut on `close!`: x >= 5 becomes x >= 4\n";
    assert!(run.out.starts_with(&format!("1 change:\n{guard}")), "{}", run.out);
    assert!(run.out.contains("new.tioga does not behave as door.tioga allows: 1 difference\n"));
    assert!(run.out.contains("difference 1: Door: Open -> Shut on `close!`\n"), "{}", run.out);
    assert!(run.out.contains("door.tioga does only what new.tioga allows"), "{}", run.out);
    assert!(run.out.contains("the versions behave differently\n"), "{}", run.out);
    // What passes through the open door expects `close` later than the new version allows it.
    assert!(run.out.contains("  make again  StaysOpen (purpose StaysOpen)\n"), "{}", run.out);
    assert!(run.out.contains("  holds       door-Door.edge0"), "{}", run.out);
}

#[test]
fn the_same_as_json() {
    let folder =
        changed("json", "location Open invariant x <= 6", "location Open invariant x <= 7");
    let arguments =
        ["--format", "json", "diff", "door.tioga", "new.tioga", "--suite", "suite.json"];
    let run = folder.tioga(&arguments, "");
    let value = run.json();
    assert_eq!(value["exit"], 1);
    let result = &value["result"];
    assert_eq!(result["same"], false);
    assert_eq!(result["changes"][0]["kind"], "changed");
    assert_eq!(result["changes"][0]["process"], "Door");
    assert_eq!(result["changes"][0]["what"], "invariant of Open: x <= 6 becomes x <= 7");
    let new = &result["new_follows_old"];
    assert_eq!(new["holds"], false);
    assert_eq!(new["complete"], true, "{new}");
    assert_eq!(result["old_follows_new"]["holds"], true);
    let kinds: Vec<&str> = new["differences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["kind"].as_str().unwrap())
        .collect();
    assert!(!kinds.is_empty() && kinds.iter().all(|kind| ["delay", "output"].contains(kind)));
    let suite = result["suite"].as_array().unwrap();
    assert_eq!(suite.len(), 6);
    assert!(suite.iter().any(|one| one["make_again"] == true));
    assert!(suite.iter().any(|one| one["right"] == true));
}

#[test]
fn a_change_that_nothing_shows_is_no_difference() {
    let folder = changed(
        "same",
        "Open -> Shut : close! when x >= 5;",
        "Open -> Shut : close! when x >= 5 && x <= 6;",
    );
    let run = folder.tioga(&["diff", "door.tioga", "new.tioga", "--suite", "suite.json"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.contains("1 change:\n"), "{}", run.out);
    assert!(run.out.contains("both versions behave in the same way\n"), "{}", run.out);
    assert!(run.out.contains("6 of 6 test cases still hold for the new version\n"), "{}", run.out);
    let run = folder.tioga(&["diff", "door.tioga", "door.tioga"], "");
    assert_eq!(run.code, 0);
    assert!(run.out.starts_with("no location, edge or declaration changed\n"), "{}", run.out);
}

#[test]
fn an_input_that_is_no_longer_taken_is_a_difference() {
    let folder = changed("input", "  Opening -> self : motion?;\n", "");
    let run = folder.tioga(&["diff", "door.tioga", "new.tioga"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(
        run.out.contains("  removed  Door: edge Opening -> Opening on `motion?`\n"),
        "{}",
        run.out
    );
    assert!(run.out.contains("new.tioga refuses motion?"), "{}", run.out);
    let run = folder.tioga(&["diff", "new.tioga", "door.tioga"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(
        run.out.contains("  added    Door: edge Opening -> Opening on `motion?`\n"),
        "{}",
        run.out
    );
}

#[test]
fn another_interface_is_a_difference() {
    let folder = changed("interface", "output open, close;", "output open, close, alarm;");
    let run = folder.tioga(&["diff", "door.tioga", "new.tioga"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("  added    channel `alarm`: output\n"), "{}", run.out);
    assert!(run.out.contains("\nthe interface differs:\n  "), "{}", run.out);
    assert!(!run.out.contains("specification"), "{}", run.out);
}

#[test]
fn bad_input_is_told() {
    let folder = changed("bad", "when x >= 5", "when x >= 4");
    let run = folder.tioga(&["diff", "-", "-"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot both come from standard input"), "{}", run.err);
    assert_eq!(folder.tioga(&["diff", "door.tioga", "none.tioga"], "").code, 2);
    let run = folder.tioga(&["diff", "door.tioga", "new.tioga", "--suite", "door.tioga"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("is not a suite"), "{}", run.err);
    // The suite is of the old version.
    let run = folder.tioga(&["diff", "new.tioga", "door.tioga", "--suite", "suite.json"], "");
    assert_eq!(run.code, 1);
    assert!(run.err.starts_with("warning[other-model]"), "{}", run.err);
}

/// What is the same needs no search, also where a search would have no answer.
#[test]
fn a_model_that_cannot_be_compared_is_the_same_as_itself() {
    let folder = Folder::new("itself");
    assert_eq!(folder.tioga(&["examples", "--write", "."], "").code, 0);
    let text = folder.read("train-gate/train-gate.tioga");
    folder.write("new.tioga", format!("// A comment.\n{text}"));
    let run = folder.tioga(&["diff", "@train-gate", "new.tioga"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("both versions behave in the same way"), "{}", run.out);
}

#[test]
fn a_changed_query_is_a_change_and_no_difference() {
    let folder = Folder::new("query");
    let text = tioga_testkit::example_text("smart-light");
    folder.write("new.tioga", text.replace("control: A<> Light.Bright", "control: A<> Light.Dim"));
    let run = folder.tioga(&["diff", "@smart-light", "new.tioga"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.starts_with("1 change:\n"), "{}", run.out);
}

#[test]
fn a_limit_leaves_the_answer_open() {
    let folder = Folder::new("limit");
    let text = tioga_testkit::example_text("car-alarm");
    assert!(text.contains("t <= 20 + 0.5"), "{text}");
    folder.write("new.tioga", text.replace("t <= 20 + 0.5", "t <= 20 + 0.25"));
    let run = folder.tioga(&["diff", "@car-alarm", "new.tioga", "--max-states", "3"], "");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(run.out.contains("is unknown\n"), "{}", run.out);
}
