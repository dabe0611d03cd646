//! The session server as a real process, tested through the real binary with test cases over data: its suite
//! finds every fault in time and in data, and names the values.
#![cfg(unix)]

use std::process::Command;

use crate::binary::{Folder, Json, Run};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/session");

/// Each fault of the server, and the least number of samples with which the suite over edges finds it.
const FAULTS: [(&str, u64); 6] = [
    ("early-expiry", 1),
    ("short-lockout", 1),
    ("slow-data", 1),
    // The greatest user is a negative number; some input takes it first.
    ("signed-user", 1),
    // The least wrong code is far from the right one; the next is one less.
    ("loose-code", 2),
    // Both users are at the same end of their range first, then at the other; the third time they differ.
    ("taken-over", 3),
];

/// A folder with a suite of the session server; nothing without Python, which need not be there.
fn folder(name: &str, wanted: &[&str]) -> Option<Folder> {
    if Command::new("python3").arg("--version").output().is_err() {
        return None;
    }
    let folder = Folder::new(name);
    let arguments = ["synth", "@session", "-o", "session.json"];
    let arguments: Vec<&str> = arguments.into_iter().chain(wanted.iter().copied()).collect();
    let run = folder.tioga(&arguments, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    Some(folder)
}

fn edges(name: &str) -> Option<Folder> {
    folder(name, &["--cover", "edges", "--each", "--then"])
}

fn run(folder: &Folder, fault: &str, more: &str) -> Run {
    let server = match fault {
        "" => format!("python3 {EXAMPLE}/server.py"),
        fault => format!("python3 {EXAMPLE}/server.py --fault {fault}"),
    };
    let fixed = ["--format", "json", "run", "session.json", "--sut"];
    let more = more.split_whitespace();
    let arguments: Vec<&str> = fixed.into_iter().chain([server.as_str()]).chain(more).collect();
    folder.tioga(&arguments, "")
}

/// How many runs there were, and how many of them ended so.
fn counts(run: &Run, outcome: &str) -> (u64, u64) {
    let results = run.json();
    let cases = results["result"]["cases"].as_array().unwrap();
    let sum = |field: &str| cases.iter().map(|case| case[field].as_u64().unwrap()).sum();
    (sum("runs"), sum(outcome))
}

#[test]
fn the_right_server_passes_every_run() {
    let Some(folder) = edges("session-right") else { return };
    let right = run(&folder, "", "--samples 6 --keep-going --no-journal");
    assert_eq!(right.code, 0, "{}", right.out);
    assert_eq!(counts(&right, "pass"), (174, 174));
    let seeded = run(&folder, "", "--samples 6 --seed 100 --keep-going --no-journal");
    assert_eq!(seeded.code, 0, "{}", seeded.out);
}

#[test]
fn every_fault_is_found_with_six_samples_and_not_with_fewer_than_said() {
    let Some(folder) = edges("session-faults") else { return };
    for (fault, least) in FAULTS {
        let found = run(&folder, fault, "--samples 6 --no-journal");
        assert_eq!(found.code, 1, "{fault}: {}", found.out);
        assert_eq!(counts(&found, "fail").1, 1, "{fault}: {}", found.out);
        let just = run(&folder, fault, &format!("--samples {least} --no-journal"));
        assert_eq!(just.code, 1, "{fault}: {}", just.out);
        if least > 1 {
            let fewer = run(&folder, fault, &format!("--samples {} --no-journal", least - 1));
            assert_eq!(fewer.code, 0, "{fault}: {}", fewer.out);
        }
    }
}

#[test]
fn the_explanation_names_the_values() {
    let Some(folder) = edges("session-explained") else { return };
    let found = run(&folder, "signed-user", "--journal runs.jsonl");
    assert_eq!(found.code, 1, "{}", found.out);
    let explained = folder.tioga(&["explain", "runs.jsonl"], "");
    for part in [
        "sent login(65535, 953056)",
        "heard welcome(-1)",
        "has other values than expected: `welcome(65535)` from 0 s to 1 s",
        "Server.user = 65535",
    ] {
        assert!(explained.out.contains(part), "{part}: {}", explained.out);
    }
}

#[test]
fn purposes_over_data_are_reached_and_ask_for_another_user() {
    let purposes = ["-p", "Lockout", "-p", "SecondUser", "-p", "Intruder"];
    let Some(folder) = folder("session-purposes", &purposes) else { return };
    let right = run(&folder, "", "--samples 6 --repeat 3 --no-journal");
    assert_eq!(right.code, 0, "{}", right.out);
    assert_eq!(counts(&right, "pass"), (54, 54));
    let intruder = run(&folder, "taken-over", "--samples 1 --no-journal --keep-going");
    assert_eq!((intruder.code, counts(&intruder, "fail")), (1, (3, 1)), "{}", intruder.out);
}

#[test]
fn with_real_time_the_right_server_never_fails() {
    let Some(folder) = folder("session-real", &["-p", "Lockout", "-p", "SecondUser"]) else {
        return;
    };
    let real = "--unit 5ms --in-latency 0..1/2 --out-latency 0..1/2 --jitter 1/8 --samples 2 --no-journal \
                --keep-going";
    let right = run(&folder, "", real);
    // The machine decides whether runs are conclusive, but not whether they fail.
    assert!(matches!(right.code, 0 | 5), "{}", right.out);
    // The lockout is shorter by 15 s, which is 75 ms here.
    let units = ["5ms", "20ms", "80ms", "320ms"];
    let found = units.iter().any(|unit| {
        let wrong = run(&folder, "short-lockout", &real.replace("5ms", unit));
        assert!(matches!(wrong.code, 0 | 1 | 5), "{}", wrong.out);
        wrong.code == 1
    });
    assert!(found, "a lockout that is too short is not found");
}

#[test]
fn an_unknown_fault_is_refused() {
    let Some(folder) = folder("session-unknown", &["-p", "Lockout"]) else { return };
    let unknown = run(&folder, "no-such-fault", "--no-journal");
    assert_eq!(unknown.code, 6, "{}", unknown.out);
}

#[test]
fn logs_with_many_values_are_followed() {
    let folder = Folder::new("session-logs");
    let log = "0 login(40000, 621101)?\n0.5 welcome(40000)!\n20 login(7, 101192)?\n30.5 expired(40000)!\n";
    let right = folder.tioga(&["monitor", "@session"], log);
    assert_eq!(right.code, 0, "{}", right.out);
    let wrong =
        folder.tioga(&["monitor", "@session"], &log.replace("expired(40000)", "expired(7)"));
    assert_eq!(wrong.code, 1, "{}", wrong.out);
    let part = "`expired(7)` at 30.5 s has other values than expected: `expired(40000)`";
    assert!(wrong.out.contains(part), "{}", wrong.out);
}
