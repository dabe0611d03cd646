//! `tioga test` through the real binary.

use crate::binary::{Folder, Json, TIOGA};
use serde_json::Value;
use tioga_execute::JournalReader;
use tioga_testkit::wait_for;

#[test]
fn a_model_is_tested_against_itself_and_that_is_said() {
    let folder = Folder::new("test-itself");
    let args = [
        "test",
        "@smart-light",
        "--purposes-only",
        "--repeat",
        "5",
        "--journal",
        "smart-light.journal",
    ];
    let run = folder.tioga(&args, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("no --sut: the model is tested against itself\n"), "{}", run.out);
    assert!(
        run.out.contains("smart_light-1  control: A<> Light.Bright     5     5 "),
        "{}",
        run.out
    );
    // The journal keeps the model, so that runs can be explained and gone on with.
    assert!(folder.read("smart-light.journal").contains("automaton Light"));
    assert_eq!(folder.tioga(&["resume", "smart-light.journal"], "").code, 0);
}

#[test]
fn a_faulty_system_fails_and_reports_are_written() {
    let folder = Folder::new("test-faulty");
    let light = folder.tioga(&["examples", "smart-light"], "").out;
    folder.write("late.tioga", light.replace("Tp <= 2", "Tp <= 3"));
    let args = "test @smart-light --cover edges --each --shape automaton --sut model:late.tioga \
                --repeat 5 --keep-going --junit r.xml --tap r.tap --html r.html --policy lazy";
    let run = folder.tioga(&args.split_whitespace().collect::<Vec<_>>(), "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("the system stayed silent for too long"), "{}", run.out);
    // It takes every input, so that is not why.
    assert_eq!(run.err, "");
    assert!(folder.read("r.xml").contains("<failure"));
    assert!(folder.read("r.tap").contains("not ok"));
    assert!(folder.read("r.html").contains("</html>"));
}

#[test]
fn a_model_that_fails_because_it_ignored_an_input_is_told_so() {
    let folder = Folder::new("test-ignored");
    let args = "test @bjsk --cover edges --each --shape automaton --repeat 20 --keep-going --journal bjsk.journal";
    let run = folder.tioga(&args.split_whitespace().collect::<Vec<_>>(), "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let warnings: Vec<&str> =
        run.err.lines().filter(|line| line.starts_with("warning[not-a-system]")).collect();
    let [warning] = warnings[..] else { panic!("{}", run.err) };
    // What it says is what the journal says of this run, which failed.
    let words: Vec<&str> = warning.split_whitespace().collect();
    let at = words.last().unwrap();
    let number = words[2];
    assert!(warning.ends_with(&format!("ignored `a` at {at}")), "{warning}");
    let journal = folder.read("bjsk.journal");
    let own = format!("{{\"run\":{number},\"event\":");
    let told = |what: &str| journal.lines().any(|l| l.starts_with(&own) && l.contains(what));
    assert!(told("\"outcome\":\"fail\""), "{warning}");
    let ignored = format!("\"ignored\":{{\"at\":\"{at}\",\"action\":{{\"channel\":\"a\"");
    assert!(told(&ignored), "{warning}");
    // Whoever goes on is told as well, though there is nothing left to do.
    let run = folder.tioga(&["resume", "bjsk.journal"], "");
    assert!(run.err.contains(warning), "{}{}", run.out, run.err);
    // Runs that do not fail may ignore inputs as they like.
    let args = "synth @bjsk --cover edges --each --shape automaton -o bjsk.json";
    folder.tioga(&args.split_whitespace().collect::<Vec<_>>(), "");
    let case = |name: &str, journal: &str| {
        let args = ["run", "bjsk.json", "--sut", "model:@bjsk", "--case", name, "--repeat", "40"];
        let run = folder.tioga(&[&args[..], &["--journal", journal]].concat(), "");
        assert!(folder.read(journal).contains("\"ignored\":"), "{}", run.out);
        (run.code, run.err.contains("not-a-system"))
    };
    assert_eq!(case("bjsk-A.edge4", "4.journal"), (5, false));
    assert_eq!(case("bjsk-A.edge6", "6.journal"), (1, true));
}

/// After a puff it may be idle, or jammed, where time stops until it is pushed. A tester cannot tell.
const PUMP: &str = "\
model pump;
input push;
output hum, puff;
automaton Pump {
  clock x;
  init location Idle invariant x <= 5;
  location Busy invariant x <= 2;
  urgent location Jammed;
  Idle -> self : hum!;
  Idle -> Jammed : puff! when x >= 4 do x = 0;
  Busy -> Jammed : puff! do x = 0;
  Busy -> Idle : puff! when x >= 2 do x = 0;
  Jammed -> Busy : push?;
}
";

#[test]
fn a_model_that_fails_because_it_stopped_time_is_told_so() {
    let folder = Folder::new("test-stopped");
    folder.write("pump.tioga", PUMP);
    let tioga = |line: &str| folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "");
    assert_eq!(tioga("synth pump.tioga --cover edges --each -o pump.json").code, 0);
    let line = "--format json run pump.json --sut model:pump.tioga --repeat 40 --keep-going";
    let run = tioga(&format!("{line} --journal pump.journal"));
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let all = run.json();
    let told = "run 20 failed after the model under test stopped time at 6";
    assert_eq!(all["diagnostics"][0]["code"], "not-a-system", "{all:#}");
    assert_eq!(all["diagnostics"][0]["message"], told, "{all:#}");
    // What comes after an edge that a tester does not see is followed: only stopped time makes runs fail.
    for case in all["result"]["cases"].as_array().unwrap() {
        assert!(case["name"] == "pump-Pump.edge0" || case["fail"] == 0, "{case:#}");
    }
    assert!(folder.read("pump.journal").contains("\"stopped\":\"6\""));
    // It is the model that is at fault, not Tioga.
    let run = tioga("mutation pump.tioga --suite pump.json --repeat 10 --operators sink");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("error[not-a-system]"), "{}", run.err);
    assert!(run.err.contains("it stopped time at 6, where nothing was possible"), "{}", run.err);
    // A suite that is made leaves such test cases out, and claims nothing for them.
    let run = tioga("--format json synth pump.tioga --cover edges,mutants --until 1% -o own.json");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let suite: Value = serde_json::from_str(&folder.read("own.json")).unwrap();
    let names: Vec<&Value> =
        suite["cases"].as_array().unwrap().iter().map(|case| &case["name"]).collect();
    assert!(!names.is_empty());
    let result: Value = serde_json::from_str(&run.out).unwrap();
    for target in result["result"]["coverage"]["targets"].as_array().unwrap() {
        let by = &target["by"];
        assert!(by.is_null() || names.contains(&by), "{target:#}");
    }
}

#[test]
fn nondeterministic_models_are_tested_on_line() {
    let folder = Folder::new("test-online");
    for (model, purpose) in [
        ("@conveyor", None),
        ("@bjsk", None),
        ("@problematic-light", Some("reach Light.Bright")),
        ("@conveyor", Some("reach Belt.Dest2")),
        ("@car-alarm", Some("reach Siren.Active")),
        ("@train-gate", None),
        ("@train-gate", Some("reach Train(0).Crossing && Train(1).Halted")),
        ("@tefsm", None),
    ] {
        let mut args = vec!["--format", "json", "test", model, "--online", "--repeat", "20"];
        if let Some(purpose) = purpose {
            args.extend(["-p", purpose]);
        }
        let run = folder.tioga(&args, "");
        let value: Value = serde_json::from_str(&run.out).unwrap();
        assert!([0, 5].contains(&run.code), "{model} {purpose:?}: {} {}", run.out, run.err);
        let passed = run.out.matches("\"outcome\": \"pass\"").count();
        assert!(passed >= 5, "{model} {purpose:?}: {passed} of 20 pass: {value}");
    }
}

#[test]
fn a_tester_on_line_finds_what_does_not_conform() {
    let folder = Folder::new("test-online-faulty");
    let belt = folder.tioga(&["examples", "conveyor"], "").out;
    let faulty = belt.replace("Sort -> Waste : waste!", "Sort -> Waste : end1!");
    assert_ne!(belt, faulty);
    folder.write("faulty.tioga", faulty);
    let args = ["test", "@conveyor", "--online", "--sut", "model:faulty.tioga", "--repeat", "20"];
    let run = folder.tioga(&args, "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("the system answered `end1` at "), "{}", run.out);
    assert!(run.out.contains(", which the model does not explain"), "{}", run.out);
    // Where it was interrupted, it goes on as it began.
    let run = folder.tioga(&["resume", "conveyor.journal", "--keep-going"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("\n20 runs;"), "{}", run.out);
}

#[test]
fn a_run_on_line_has_as_many_actions_as_were_asked_for() {
    let folder = Folder::new("test-online-long");
    let args = ["test", "@smart-light", "--online", "--actions", "11000", "--no-journal"];
    let run = folder.tioga(&args, "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

/// A limit that leaves no time for any test case says nothing about the system.
#[test]
fn a_limit_before_the_first_test_case_is_no_failure() {
    let folder = Folder::new("test-no-time");
    let cases = [
        ("--cover edges --budget 1us", "there is nothing to run: no test case was found in time"),
        ("--budget 1us", "synthesis stopped early: the time limit was reached"),
        ("-p CancelledAlarm --synth-timeout 1us", "the time limit was reached"),
    ];
    for (aim, told) in cases {
        let line = format!("test @car-alarm --no-journal {aim}");
        let run = folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "");
        assert_eq!(run.code, 3, "{aim}: {}{}", run.out, run.err);
        assert!(run.err.contains(told), "{aim}: {}{}", run.out, run.err);
    }
}

#[test]
fn what_cannot_be_tested_is_said() {
    let folder = Folder::new("test-wrong");
    let says = |args: &str, code: i32, message: &str| {
        let run = folder.tioga(&args.split('~').collect::<Vec<_>>(), "");
        assert_eq!(run.code, code, "{args}: {}{}", run.out, run.err);
        assert!(
            format!("{}{}", run.out, run.err).contains(message),
            "{args}: {}{}",
            run.out,
            run.err
        );
    };
    says("test~@smart-light~-p~reach Light.L1 && Light.L2", 5, "there is nothing to run");
    says("test~@smart-light~--online~-p~reach Light.L1 && Light.L2", 5, "unreachable even with");
    says("test~@smart-light~--online~-p~Named", 2, "there is no purpose `Named`");
    // The environment writes what the system reads, at moments that nobody sees.
    let shared = "input a; output b; int n;
        automaton S { init location I; I -> self : a? when n > 0; I -> self : b!; }
        automaton E { init location J; J -> self : a!; J -> self : b?; J -c-> self : do n = 1; }
        system S environment E;";
    folder.write("shared.tioga", shared);
    let message =
        "cannot be run without its environment: the environment changes `n`, which `S` uses";
    says("test~shared.tioga~--online", 2, message);
    says("test~@smart-light~--actions~5", 2, "--online");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_the_runs_after_the_synthesis_too() {
    let folder = Folder::new("test-interrupted");
    let args = [
        "test",
        "@smart-light",
        "--purposes-only",
        "--repeat",
        "1000000000",
        "--journal",
        "endless.journal",
    ];
    let mut process = std::process::Command::new(TIOGA)
        .args(args)
        .current_dir(&folder.0)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    // The synthesis is over when runs are in the journal.
    let journal = folder.0.join("endless.journal");
    wait_for("the first run", || JournalReader::open(&journal).ok()?.next()).unwrap();
    let interrupt = format!("kill -INT {}", process.id());
    assert!(std::process::Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
    let status = wait_for("the end after Ctrl-C", || process.try_wait().unwrap());
    assert_eq!(status.code(), Some(3));
}

/// A system that may say `extra` at any time, and an environment that takes it late and has to ask in time.
const REFUSING: &str = "
input ask; output answer, extra;
automaton Node {
  init location Idle; location Asked;
  Idle -> Asked : ask?; Idle -> self : extra!; Asked -> Idle : answer!;
}
automaton Other {
  clock x;
  init location Thinking invariant x <= 3; location Done;
  Thinking -> Done : ask! when x >= 1; Thinking -> self : extra? when x >= 2;
  Done -> self : answer?; Done -> self : extra?;
}
system Node environment Other;
query E<> control: A<> Node.Idle && Other.Done;
";

#[test]
fn what_only_the_environment_refuses_is_no_fault_of_the_system() {
    let folder = Folder::new("test-environment");
    folder.write("model.tioga", REFUSING);
    folder.write("wrong.tioga", REFUSING.replace("Idle : answer!", "Idle : extra!"));
    for shape in ["automaton", "strategy", "tree"] {
        let mut found = 0;
        for policy in ["lazy", "eager", "random", "hostile"] {
            let fixed = ["--shape", shape, "--policy", policy, "--repeat", "20", "--keep-going"];
            let mut arguments = vec!["--format", "json", "test", "model.tioga", "--purposes-only"];
            arguments.extend(fixed);
            let run = folder.tioga(&arguments, "").json();
            assert_eq!(run["result"]["cases"][0]["fail"], 0, "{shape} {policy}: {run:#}");
            arguments.extend(["--sut", "model:wrong.tioga"]);
            let run = folder.tioga(&arguments, "").json();
            found += run["result"]["cases"][0]["fail"].as_u64().unwrap();
        }
        assert!(found > 0, "{shape}: a wrong answer is a fault all the same");
    }
    let run = folder.tioga(&["mutation", "model.tioga", "--repeat", "5"], "");
    assert!(run.out.contains("runs against the model itself, none of which failed"), "{run:?}");
}

#[test]
fn what_only_an_entangled_environment_refuses_is_no_fault_of_the_system() {
    let folder = Folder::new("test-entangled");
    // The environment sets what the system reads, so the system cannot be had alone.
    let shared = REFUSING
        .replace("output answer, extra;", "output answer, extra; int n;")
        .replace("ask! when x >= 1", "ask! when x >= 1 do n = 1")
        .replace("Idle : answer!", "Idle : answer! when n == 1");
    folder.write("model.tioga", &shared);
    // The same system where nothing is refused and nothing ends time.
    let meek = shared.replace(" invariant x <= 3", "").replace("extra? when x >= 2", "extra?");
    folder.write("meek.tioga", &meek);
    folder.write("wrong.tioga", meek.replace("Idle : answer!", "Idle : extra!"));
    let mut refused = 0;
    for how in ["automaton", "strategy", "tree", "online"] {
        let mut found = 0;
        for policy in ["lazy", "eager", "random", "hostile"] {
            let mut arguments = vec!["--format", "json", "test", "model.tioga", "--policy", policy];
            arguments.extend(["--repeat", "20", "--keep-going"]);
            match how {
                "online" => arguments.push("--online"),
                shape => arguments.extend(["--shape", shape]),
            }
            let run = folder.tioga(&[&arguments[..], &["--sut", "model:meek.tioga"]].concat(), "");
            assert_eq!(run.json()["result"]["cases"][0]["fail"], 0, "{how} {policy}: {}", run.out);
            refused += u32::from(run.out.contains("the environment of the model does not allow"));
            let run = folder.tioga(&[&arguments[..], &["--sut", "model:wrong.tioga"]].concat(), "");
            found += run.json()["result"]["cases"][0]["fail"].as_u64().unwrap();
        }
        assert!(found > 0, "{how}: a wrong answer is a fault all the same");
    }
    assert!(refused > 0, "the environment refuses something");
}
