//! Nothing that a system or a file says reaches a terminal raw.

use crate::binary::{Folder, Json, Run};

/// What would clear the screen, turn the direction of writing, and begin a line of its own.
const EVIL: &str = "\u{1b}[2J\u{202e}\u{9b}1m\0\nrun 9 of x passed";

fn harmless(what: &str, run: &Run) {
    for text in [&run.out, &run.err] {
        let wrong = |character: &char| {
            (character.is_control() && !matches!(character, '\n' | '\t'))
                || matches!(character, '\u{202e}' | '\u{9b}')
        };
        let found = text.chars().find(wrong);
        assert_eq!(found, None, "{what}: {text}");
        let faked = text.lines().any(|line| line.trim_start().starts_with("run 9 of x"));
        assert!(!faked, "{what}: {text}");
    }
}

/// A system that says an error with everything in it.
fn campaign(name: &str) -> Folder {
    let folder = Folder::new(name);
    assert_eq!(folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "").code, 0);
    let error = serde_json::json!({ "error": EVIL }).to_string();
    folder.write("message", format!("{error}\n"));
    folder
}

#[test]
fn an_error_of_a_system_is_shown_escaped_by_every_command() {
    let folder = campaign("error");
    let run = folder.tioga(&["run", "light.json", "--sut", "cat message; sleep 1"], "");
    assert_eq!(run.code, 6, "{}{}", run.out, run.err);
    assert!(run.out.contains("\\u{1b}[2J\\u{202e}"), "{}", run.out);
    harmless("run", &run);
    for arguments in [
        &["explain", "light.journal"][..],
        &["explain", "light.journal", "--format", "json"],
        &["report", "light.journal"],
        &["report", "light.journal", "--run", "0"],
        &["report", "light.journal", "--format", "json"],
        &["replay", "light.journal"],
        &["resume", "light.journal"],
        &["resume", "light.journal", "--format", "json"],
        &["shrink", "light.journal"],
    ] {
        harmless(&arguments.join(" "), &folder.tioga(arguments, ""));
    }
    let told = folder.tioga(&["resume", "light.journal", "--format", "json"], "").json();
    assert!(told.to_string().contains("run 9 of x passed"), "JSON has the text itself");
}

#[test]
fn a_log_and_a_name_are_shown_escaped() {
    let folder = Folder::new("log");
    let evil = EVIL.replace('\n', " ");
    for log in [format!("0 {evil}?\n"), format!("0 touch?\n{evil} dim!\n"), format!("{{\"{evil}")] {
        let run = folder.tioga(&["monitor", "@smart-light"], &log);
        assert_eq!(run.code, 2);
        harmless("monitor", &run);
    }
    harmless("file", &folder.tioga(&["check", "a\u{1b}[2J\u{202e}\nrun 9 of x"], ""));
    harmless("sut", &folder.tioga(&["monitor", "@smart-light", "\u{1b}[2J\nrun 9 of x"], ""));
}
