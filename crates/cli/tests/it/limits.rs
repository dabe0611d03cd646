//! How much patience there is with a system is for the user to say, and journals remember it.

use std::time::Duration;

use crate::binary::{Folder, Run};
use tioga_adapters::AdapterLimits;
use tioga_execute::JournalReader;

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    let made = folder.tioga(&["synth", "@smart-light", "-o", "light.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    folder
}

fn tioga(folder: &Folder, line: &str) -> Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

#[test]
fn a_system_that_never_answers_is_given_up_after_what_was_asked_for() {
    let folder = folder("limits_journal");
    folder.write("asleep", "#!/bin/sh\nexec sleep 60\n");
    let run = folder.tioga(
        &["run", "light.json", "--sut=sh asleep", "--repeat=2", "--start-timeout=200ms"],
        "",
    );
    assert_eq!(run.code, 6, "{}{}", run.out, run.err);
    assert!(run.out.contains("200ms"), "{}", run.out);
    let kept =
        |name: &str| JournalReader::open(&folder.0.join(name)).unwrap().settings().limits.clone();
    // The other limits are those with which all programs under test are run here.
    let patience = Duration::from_secs(600);
    let (start, answer, exit) = (Duration::from_millis(200), patience, patience);
    let limits = AdapterLimits { start, answer, exit, ..AdapterLimits::default() };
    assert_eq!(kept("light.journal"), limits);
    // Who goes on waits as long, and so does who makes a run again, unless they say otherwise.
    let run = tioga(&folder, "resume light.journal --keep-going");
    assert!(run.code == 6 && run.out.contains("200ms"), "{}{}", run.out, run.err);
    let run = tioga(&folder, "replay light.journal");
    assert!(run.code == 6 && run.out.contains("200ms"), "{}{}", run.out, run.err);
    let run = tioga(&folder, "replay light.journal --start-timeout 100ms");
    assert!(run.code == 6 && run.out.contains("100ms"), "{}{}", run.out, run.err);
}

#[test]
fn a_line_may_be_as_long_as_was_asked_for() {
    let folder = folder("limits_line");
    folder.write("wordy", format!("echo '{}'\ncat >/dev/null\n", "x".repeat(500)));
    let run = |limit: &str| {
        folder.tioga(&["run", "light.json", "--sut=sh wordy", "--start-timeout=120s", limit], "")
    };
    let short = run("--line-limit=100");
    assert!(short.out.contains("a line of more than 100 bytes"), "{}{}", short.out, short.err);
    // A longer line is no message either, but not because of its length.
    let long = run("--line-limit=1000");
    assert!(long.code == 6 && !long.out.contains("a line of more than"), "{}", long.out);
}

#[test]
fn where_there_is_no_system_outside_there_are_no_limits() {
    let folder = folder("limits_model");
    let run = tioga(&folder, "run light.json --sut model:@smart-light --answer-timeout 1s");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("a model answers at once"), "{}", run.err);
    let run = tioga(&folder, "replay @smart-light run.trace --answer-timeout 1s");
    assert!(run.code == 2 && run.err.contains("cannot be used with"), "{}", run.err);
    let run = tioga(&folder, "run light.json --sut true --burst-limit 0");
    assert!(run.code == 2 && run.err.contains("--burst-limit"), "{}", run.err);
}

#[test]
fn what_a_tester_can_observe_is_searched_within_the_limits() {
    let folder = Folder::new("limits-observed");
    // Two processes may say `b`, so the text leaves open whether a tester can tell where the model is.
    let text = "input a; output b; int[0,1000000] n = 0;
        automaton A { init location L; L -> self : a? when n < 1000000 do n = n + 1; L -> self : b! when n == 1 do n = 2; }
        automaton B { init location M; location N; M -> N : b! when n == 1000000; }";
    folder.write("wide.tioga", text);
    for command in ["solve", "synth"] {
        let (asked, condition) = match command {
            "solve" => ("-q", "control: A<> B.N"),
            _ => ("-p", "reach B.N"),
        };
        let mut line = vec!["--format", "json", command, "wide.tioga", asked, condition];
        line.extend(["--max-states", "500"]);
        if command == "solve" {
            line.push("--ranks");
        }
        let run = folder.tioga(&line, "");
        assert_eq!(run.code, 3, "{line:?}: {}", run.out);
        let why = match command {
            "solve" => "more than 500 states",
            _ => "too much work to make the model deterministic",
        };
        assert!(run.out.contains(why), "{line:?}: {}", run.out);
    }
}
