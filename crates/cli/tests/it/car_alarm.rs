//! The car alarm as a real process, tested through the real binary: its suite finds every fault with
//! virtual time, and with real time a noisy machine never makes the right controller fail.
//!
//! `TIOGA_REAL_RUNS=200` makes the test with real time longer, and asks for every fault.
#![cfg(unix)]

use std::process::Command;

use crate::binary::{Folder, Json, Run};
use serde_json::Value;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/car-alarm");

/// Each fault of the controller, and the purposes whose test cases find it every time.
const FAULTS: [(&str, &[&str]); 6] = [
    ("early-arming", &["FullAlarm", "CancelledAlarm", "Disarmed"]),
    ("slow-siren", &["FullAlarm", "CancelledAlarm"]),
    ("no-flash", &["FullAlarm", "CancelledAlarm"]),
    ("long-siren", &["FullAlarm"]),
    ("deaf-to-unlock", &["CancelledAlarm"]),
    ("arms-when-open", &["OpenedInTime"]),
];

/// A folder with the suite of the car alarm; nothing without Python, which need not be there.
fn folder(name: &str) -> Option<Folder> {
    if Command::new("python3").arg("--version").output().is_err() {
        return None;
    }
    let folder = Folder::new(name);
    let model = format!("{EXAMPLE}/car-alarm.tioga");
    let run = folder.tioga(&["synth", &model, "-o", "alarm.json"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    Some(folder)
}

fn run(folder: &Folder, fault: &str, more: &str) -> Run {
    let controller = format!("python3 {EXAMPLE}/controller.py {fault}");
    let fixed = ["--format", "json", "run", "alarm.json", "--keep-going", "--no-journal", "--sut"];
    let more = more.split_whitespace();
    let arguments: Vec<&str> = fixed.into_iter().chain([controller.as_str()]).chain(more).collect();
    folder.tioga(&arguments, "")
}

/// The purposes of which some runs ended so.
fn purposes<'r>(results: &'r Value, outcome: &str) -> Vec<&'r str> {
    let cases = results["result"]["cases"].as_array().unwrap().iter();
    let some = cases.filter(|case| case[outcome].as_u64().unwrap() > 0);
    some.map(|case| case["purpose"].as_str().unwrap().trim_start_matches("purpose ")).collect()
}

#[test]
fn with_virtual_time_the_right_controller_passes_every_run() {
    let Some(folder) = folder("car-alarm-right") else { return };
    let run = run(&folder, "", "--repeat 20");
    assert_eq!(run.code, 0, "{}", run.out);
}

#[test]
fn with_virtual_time_every_fault_is_found_in_every_run_of_its_test_cases() {
    let Some(folder) = folder("car-alarm-faults") else { return };
    for (fault, finders) in FAULTS {
        let run = run(&folder, fault, "--repeat 3");
        assert_eq!(run.code, 1, "{fault}: {}", run.out);
        let results = run.json();
        assert_eq!(purposes(&results, "fail"), finders, "{fault}");
        let passing = purposes(&results, "pass");
        assert!(finders.iter().all(|finder| !passing.contains(finder)), "{fault}: {passing:?}");
    }
}

#[test]
fn with_virtual_time_the_smallest_excess_is_found() {
    let Some(folder) = folder("car-alarm-sizes") else { return };
    for (fault, finder) in [
        ("early-arming=319/16", "Disarmed"),
        ("slow-siren=9/16", "CancelledAlarm"),
        ("long-siren=489/16", "FullAlarm"),
    ] {
        // The controller may arm itself in time all the same, by answering later.
        let run = run(&folder, fault, "--repeat 60");
        assert_eq!(run.code, 1, "{fault}: {}", run.out);
        assert!(purposes(&run.json(), "fail").contains(&finder), "{fault}");
    }
    let right = run(&folder, "slow-siren=1/2", "--repeat 3");
    assert_eq!(right.code, 0, "{}", right.out);
    let unknown = run(&folder, "no-flash=1", "");
    assert_eq!(unknown.code, 6, "{}", unknown.out);
}

#[test]
fn with_real_time_the_right_controller_never_fails_and_gross_faults_are_found() {
    let Some(folder) = folder("car-alarm-real") else { return };
    let runs = std::env::var("TIOGA_REAL_RUNS").ok().and_then(|runs| runs.parse::<u64>().ok());
    let repeat = runs.unwrap_or(8).div_ceil(4);
    let real = "--in-latency 0..1/2 --out-latency 0..1/2 --jitter 1/8 --jobs 4";
    let right = run(&folder, "", &format!("{real} --unit 5ms --repeat {repeat}"));
    // The machine decides whether runs are conclusive, but not whether they fail.
    assert!(matches!(right.code, 0 | 5), "{}", right.out);
    let results = right.json();
    assert!(purposes(&results, "fail").is_empty() && purposes(&results, "error").is_empty());
    for (fault, _) in FAULTS {
        // Small faults show only where the machine is on time for a moment, which takes patience.
        if fault == "no-flash" || runs.is_some() {
            let repeat = if runs.is_some() { 20 } else { repeat };
            // The busier the machine is, the longer must a time unit be for it to be on time.
            let found = ["5ms", "20ms", "80ms", "320ms", "1280ms"].iter().any(|unit| {
                let wrong = run(&folder, fault, &format!("{real} --unit {unit} --repeat {repeat}"));
                assert!(matches!(wrong.code, 0 | 1 | 5), "{fault}: {}", wrong.out);
                !purposes(&wrong.json(), "fail").is_empty()
            });
            assert!(found, "{fault} is not found");
        }
    }
}
