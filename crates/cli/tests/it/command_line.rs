//! The binary as a shell sees it: exit codes, where it writes, and what it does without a reader.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::binary::{Folder, TIOGA};

fn tioga(arguments: &[&str]) -> Output {
    Command::new(TIOGA)
        .args(arguments)
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn help_and_version_succeed_on_standard_output() {
    for arguments in [&["--help"][..], &["--version"], &["help", "examples"]] {
        let output = tioga(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert!(stdout(&output).contains("tioga"));
        assert_eq!(stderr(&output), "");
    }
}

#[test]
fn a_wrong_command_line_exits_with_2() {
    for arguments in [&[][..], &["no-such-command"], &["examples", "--format", "yaml"]] {
        let output = tioga(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn a_wrong_input_is_told_on_standard_error_without_colours() {
    let output = tioga(&["examples", "no-such-example"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output), "");
    let text = stderr(&output);
    assert!(text.starts_with("error[unknown-example]: there is no example"), "{text}");
    assert!(!text.contains('\u{1b}'));
    let coloured = tioga(&["--color", "always", "examples", "no-such-example"]);
    assert!(stderr(&coloured).contains('\u{1b}'));
}

#[test]
fn json_holds_the_diagnostics_and_the_exit_code() {
    let output = tioga(&["--format", "json", "examples", "no-such-example"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "");
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["command"], "examples");
    assert_eq!(value["exit"], 2);
    assert_eq!(value["diagnostics"][0]["code"], "unknown-example");
    assert_eq!(value["result"], serde_json::Value::Null);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut process = Command::new(TIOGA)
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(process.stdout.take());
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

#[test]
fn there_is_a_completion_script_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = tioga(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains("tioga"));
    }
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = Folder::new("manual").0;
    let output = tioga(&["man", folder.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    for line in stdout(&output).lines() {
        let page = fs::read_to_string(line).unwrap();
        assert!(page.contains(".TH"), "{line}");
    }
    let commands = stdout(&tioga(&["--help"]));
    for command in ["examples", "completions", "man"] {
        assert!(commands.contains(command));
        assert!(folder.join(format!("tioga-{command}.1")).is_file());
    }
}

#[test]
fn examples_are_listed_printed_and_written() {
    let folder = Folder::new("examples").0;
    let listed = stdout(&tioga(&["examples"]));
    let written = tioga(&["examples", "--write", folder.to_str().unwrap()]);
    assert_eq!(written.status.code(), Some(0));
    assert_eq!(listed.lines().count(), stdout(&written).lines().count());
    for (line, path) in listed.lines().zip(stdout(&written).lines()) {
        let name = line.split_whitespace().next().unwrap();
        assert_eq!(stdout(&tioga(&["examples", name])), fs::read_to_string(path).unwrap());
    }
}
