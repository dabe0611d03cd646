//! The command itself: what it prints, and how it ends.

use std::process::{Command, Output};

fn run(line: &str) -> Output {
    let words = line.split(' ').filter(|word| !word.is_empty());
    Command::new(env!("CARGO_BIN_EXE_tioga-families")).args(words).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn a_member_is_printed_in_the_wanted_language() {
    let output = run("fischer 2 3 --format tck");
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("\nsystem:fischer_2_3\n"));
    let output = run("--format tioga fischer 2 3");
    assert!(text(&output.stdout).contains("\nmodel fischer;\n"));
    assert_eq!(run("fischer 2 3").stdout, output.stdout);
}

#[test]
fn help_lists_every_family() {
    let output = run("--help");
    assert_eq!(output.status.code(), Some(0));
    let families = [
        "fischer",
        "csmacd",
        "fddi",
        "train_gate",
        "critical-region",
        "leader-election",
        "job-shop",
        "lep",
        "jobs",
        "train-game",
        "production-cell",
    ];
    for family in families {
        let listed = text(&output.stdout).lines().any(|line| line.trim().starts_with(family));
        assert!(listed, "{family} is not listed");
        let help = run(&format!("{family} --help"));
        assert_eq!(help.status.code(), Some(0), "{family}");
        assert!(text(&help.stdout).contains("Arguments:"), "{family}");
    }
}

#[test]
fn a_wrong_command_line_ends_with_two_and_a_reason() {
    for (line, reason) in [
        ("", "Usage"),
        ("fisher 3", "fischer"),
        ("fischer", "<N>"),
        ("fischer 0", "0 is not in 1..=1000"),
        ("fischer many", "invalid digit"),
        ("fischer 3 --format xml", "tck, tioga"),
        ("leader-election 1", "1 is not in 2..=1000"),
        ("critical-region 2 0", "0 is not in 1..=1000000"),
        ("train_gate 3 4", "unexpected argument"),
        ("job-shop 2 2 3", "<MAKESPAN>"),
        ("lep 2", "2 is not in 3..=100"),
        ("lep 101", "101 is not in 3..=100"),
        ("lep 3 0", "0 is not in 1..=100"),
        ("lep 3 --format tck", "this family is a game"),
        ("jobs 0", "0 is not in 1..=1000"),
        ("jobs 3 -1000001", "-1000001 is not in"),
        ("train-game 1", "1 is not in 2..=1000"),
        ("train-game 2 39", "39 is not in 40..=1000000"),
        ("production-cell 0", "0 is not in 1..=1000"),
    ] {
        let output = run(line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty(), "{line}");
        assert!(text(&output.stderr).contains(reason), "{line}: {}", text(&output.stderr));
    }
}

#[test]
fn the_largest_parameters_are_no_problem() {
    for line in ["csmacd 1000 1000000 1000000", "fddi 1000", "job-shop 50 1000 32768 1000000"] {
        for format in ["tck", "tioga"] {
            let output = run(&format!("{line} --format {format}"));
            assert_eq!(output.status.code(), Some(0), "{line} {format}");
        }
    }
    for line in ["lep 100 100 100", "jobs 1000 -1000000", "train-game 1000 1000000"] {
        assert_eq!(run(line).status.code(), Some(0), "{line}");
    }
}
