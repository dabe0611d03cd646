//! `tioga report --ttcn` with the real binary: the skeletons of several models are compiled by Eclipse
//! Titan, where it is installed.

use std::process::Command;

use crate::binary::Folder;

/// Values of two types, and names that mean something in TTCN-3.
const WORDS: &str = "model module;
input set(int[0,2] n), port;
output receive(int[0,2] n, bool b), alt;
automaton control {
  clock x;
  int v;
  init location Idle;
  location Busy invariant x <= 2;
  location Done;
  Idle -> Busy : set(n)? do x = 0, v = n;
  Busy -> Idle : alt! when x >= 1;
  Busy -> Done : receive(v, v > 1)! when x >= 1;
  Idle -> Idle : port?;
}
";

/// Makes a suite with these arguments of `tioga synth`, exports it, and compiles the export.
fn compiled(name: &str, synth: &[&str]) {
    let folder = Folder::new(name);
    folder.write("module.tioga", WORDS);
    let mut arguments = vec!["synth"];
    arguments.extend(synth);
    arguments.extend(["-o", "suite.json"]);
    let made = folder.tioga(&arguments, "");
    assert_eq!(made.code, 0, "{}", made.err);
    let system = format!("--sut=model:{}", synth[0]);
    folder.tioga(&["run", "suite.json", &system, "--journal=suite.journal"], "");
    let written = folder.tioga(&["report", "suite.journal", "--ttcn=suite.ttcn"], "");
    assert_eq!(written.code, 0, "{}", written.err);
    let text = folder.read("suite.ttcn");
    assert!(text.contains("testcase tc_1()") && text.contains("setverdict("), "{text}");
    let compiler = Command::new("ttcn3_compiler").arg("suite.ttcn").current_dir(&folder.0).output();
    let Ok(run) = compiler else {
        eprintln!("skipped: there is no ttcn3_compiler (Eclipse Titan) to compile TTCN-3");
        return;
    };
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{said}\n{text}");
    assert!(!said.contains("suite.ttcn:"), "{said}\n{text}");
}

#[test]
fn a_strategy_compiles() {
    compiled("ttcn_light", &["@smart-light"]);
}

#[test]
fn test_cases_that_leave_the_choice_open_compile() {
    compiled("ttcn_alarm", &["@car-alarm", "--shape", "automaton"]);
}

#[test]
fn moves_that_take_no_time_compile() {
    compiled("ttcn_desk", &["@service-desk"]);
}

#[test]
fn exact_moments_compile() {
    compiled("ttcn_conveyor", &["@conveyor-game"]);
}

#[test]
fn values_and_words_of_the_language_compile() {
    compiled("ttcn_words", &["module.tioga", "-p", "reach control.Done"]);
}
