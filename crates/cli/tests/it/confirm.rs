//! `tioga synth --method confirm`: timed inputs that tell configurations apart, as test cases as all others.

use crate::binary::{Folder, Json};
use serde_json::Value;

const AT: &str = "s1, w = 2";
const FAR: &str = "s1, x = 4, y = 2, w = 5";
const NEAR: &str = "s1, x = 4, y = 2, w = 4";

fn synth<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["synth", "@tefsm", "--method", "confirm"], more].concat()
}

/// Two suspicious configurations make two test cases (BON09, chapter 4, section 6).
#[test]
fn each_suspicious_configuration_gets_a_test_case() {
    let folder = Folder::new("confirm-two");
    let more = ["--at", AT, "--suspicious", FAR, "--suspicious", NEAR, "-o", "suite.json"];
    let run = folder.tioga(&synth(&more), "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let titles: Vec<&str> = run.out.lines().filter(|line| line.starts_with("test case")).collect();
    let purpose = "tree for confirm s1, x = 0, y = 0, w = 2 against s1, x = 4, y = 2";
    assert_eq!(titles[0], format!("test case confirm-1: {purpose}, w = 5: a a | a"));
    assert_eq!(titles[1], format!("test case confirm-2: {purpose}, w = 4: a a | 1 a"));
    assert_eq!(titles.len(), 2);
    let certified = folder.tioga(&["certify", "@tefsm", "suite.json"], "");
    assert_eq!(certified.code, 0, "{}", certified.out);
    let run = folder.tioga(&["run", "suite.json", "--sut", "model:@tefsm"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    // A system that stops answering at w = 2 is not in that configuration.
    let wrong = tioga_testkit::example_text("tefsm").replace("w <= 4", "w <= 1");
    folder.write("wrong.tioga", wrong);
    let run =
        folder.tioga(&["run", "suite.json", "--sut", "model:wrong.tioga", "--keep-going"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let explained = folder.tioga(&["explain", "suite.journal"], "");
    assert_eq!(explained.code, 0, "{}", explained.err);
    assert!(explained.out.contains("something was due by 0: `c` at 0"), "{}", explained.out);
}

#[test]
fn corrupted_test_cases_are_rejected() {
    let folder = Folder::new("confirm-corrupt");
    let run = folder.tioga(&synth(&["--at", AT, "--suspicious", NEAR, "-o", "s.json"]), "");
    assert_eq!(run.code, 0, "{}", run.err);
    let suite: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    let rejected = |change: fn(&mut Value), why: &str| {
        let mut changed = suite.clone();
        change(&mut changed["cases"][0]);
        assert_ne!(changed, suite);
        folder.write("c.json", changed.to_string());
        let run = folder.tioga(&["certify", "@tefsm", "c.json"], "");
        assert_eq!(run.code, 1, "{why}: {}", run.out);
        assert!(run.out.contains(why), "{why}: {}", run.out);
    };
    // The last input may come at once: then both configurations answer alike.
    rejected(
        |case| {
            case["places"][4]["rules"][0]["zones"] = serde_json::json!([[]]);
            case["places"][4]["edges"][0]["guard"] = serde_json::json!([[]]);
        },
        "the suspicious configuration answers in the same way",
    );
    rejected(
        |case| {
            let goal = &mut case["summary"]["goal"]["confirm"];
            goal["at"] = goal["at"].as_str().unwrap().replacen("w = 2", "w = 3", 1).into();
        },
        "the inputs do not lead to the configuration",
    );
    rejected(
        |case| case["places"][1]["edges"][0]["action"]["channel"] = "d".into(),
        "the model allows `c!`, but the test case does not expect it",
    );
    rejected(
        |case| case["places"][1]["urgent"] = serde_json::json!([]),
        "an answer is due at once",
    );
    rejected(|case| case["summary"]["goal"] = "confirm s1".into(), "no purpose, query or edge");
    rejected(|case| case["summary"]["goal"]["confirm"]["at"] = "s9".into(), "s9");
}

#[test]
fn what_no_input_tells_apart_is_said() {
    let folder = Folder::new("confirm-equal");
    let more = ["--at", "s1, x = 5, y = 17", "--suspicious", "s1, x = 6, y = 20, w = 3"];
    let run = folder.tioga(&synth(&more), "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let told = "no test case for `s1, x = 5, y = 17, w = 0`: unreachable even with cooperation\n";
    assert_eq!(run.out, told);
    let more = ["--at", "s1, x = 17, y = 17", "--suspicious", "s1, x = 18, y = 20, w = 3"];
    let run = folder.tioga(&synth(&more), "");
    let told = "no test case for `s1, x = 17, y = 17, w = 0` against `s1, x = 18, y = 20, w = 3`: \
                no timed input tells them apart\n";
    assert_eq!((run.code, run.out.as_str()), (1, told));
    let json = [&["--format", "json"], &synth(&more)[..]].concat();
    let result = folder.tioga(&json, "").json();
    assert_eq!(result["result"]["suite"]["cases"].as_array().unwrap().len(), 0);
    assert_eq!(result["result"]["impossible"].as_array().unwrap().len(), 1);
}

#[test]
fn the_product_as_printed_is_there_for_comparison() {
    let folder = Folder::new("confirm-printed");
    folder.write(
        "m.tioga",
        "input a; output c, d;
         automaton M { clock x; init location s;
           s -> self : a? / c! when x < 1;
           s -> self : a? / d! when x >= 1 do x = 0; }",
    );
    let line = ["synth", "m.tioga", "--method", "confirm", "--at", "s", "--suspicious", "s"];
    let sound = folder.tioga(&line, "");
    assert_eq!(sound.code, 1, "{}", sound.out);
    assert!(sound.out.contains("no timed input tells them apart"), "{}", sound.out);
    let printed = folder.tioga(&[&line[..], &["--as-printed"]].concat(), "");
    assert_eq!(printed.code, 0, "{}", printed.out);
    assert!(printed.out.contains("as printed, that differs from `s, x = 0`"), "{}", printed.out);
}

#[test]
fn by_default_every_location_is_confirmed_against_the_others() {
    let folder = Folder::new("confirm-default");
    let run = folder.tioga(&synth(&[]), "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("confirm s3, x = 0, y = 0, w = 0 against s1"), "{}", run.out);
    let last = "no test case for `s2`: unreachable even with cooperation\n";
    assert!(run.out.ends_with(last), "{}", run.out);
}

#[test]
fn what_does_not_fit_is_refused_with_a_way_out() {
    let folder = Folder::new("confirm-bad");
    let refused = |line: &[&str], part: &str| {
        let run = folder.tioga(line, "");
        assert_eq!(run.code, 2, "{line:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(part), "{line:?}: {}", run.err);
    };
    refused(&synth(&["--at", "s9"]), "the model has no location `s9`");
    refused(&synth(&["--at", "s1, z = 3"]), "the model has no clock or variable `z`");
    refused(&synth(&["--at", "s1, x = -1"]), "the clock `x` is never negative");
    refused(&synth(&["--at", "s1, x"]), "`x` is no value of a clock or variable");
    refused(&synth(&["--at", "s1, w = 1/2"]), "`w` cannot be 1/2");
    refused(&synth(&["--at", "s1, x = fast"]), "`fast` is no number");
    refused(&synth(&["--words", "3"]), "--words is not about `--method confirm`");
    refused(&synth(&["--extra-states", "1"]), "--extra-states is about complete suites");
    refused(&["synth", "@tefsm", "--at", "s1"], "--method");
    refused(&["synth", "@fsm-29", "--method", "w", "--at", "s1"], "--at is about");
    let grid = ["synth", "@switch-purpose/sw5", "--method", "grid", "--at", "q0"];
    refused(&grid, "--at is not about `--method grid`");
    refused(&["synth", "@smart-light", "--method", "confirm"], "as in `a? / b!`");
    refused(&["synth", "@train-gate", "--method", "confirm"], "a single process");
    folder.write(
        "two.tioga",
        "input a; output c, d;
         automaton M { clock x; init location s; location t;
           s -> t : a? / c! when x <= 2; s -> t : a? / d! when x >= 2; t -> s : a? / c!; }",
    );
    refused(&["synth", "two.tioga", "--method", "confirm"], "the model is not deterministic");
    folder.write(
        "late.tioga",
        "input a; output c;
         automaton M { clock x; init location s invariant x <= 2; s -> self : a? / c!; }",
    );
    let line = ["synth", "late.tioga", "--method", "confirm", "--suspicious", "s, x = 3"];
    refused(&line, "in s, x = 3 the invariant does not hold");
}

/// The machine as a process with real time: it answers at once.
const PROGRAM: &str = r#"
import json, sys, time
unit, x, y, w, at = 1.0, 0, 0, 0, "s1"
def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        unit = message["hello"]["unit_ns"] / 1e9
        say({"hello": {}})
    elif "reset" in message:
        say({"ready": True})
        x = y = time.monotonic()
        w, at = 0, "s1"
    elif "input" in message:
        now, name = time.monotonic(), message["input"]
        if at == "s1" and name == "a" and (now - x) / unit <= 4.5 and w <= LIMIT:
            x, w = now, w + 1
            say({"output": "c"})
        elif at == "s1" and name == "b":
            x, y, at = now, now, "s3"
            say({"output": "e", "values": [str(w)]})
        elif at == "s3":
            x, y, at = now, now, "s1"
            say({"output": "d"})
    elif "bye" in message:
        sys.exit(0)
"#;

#[test]
fn test_cases_run_in_real_time() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let folder = Folder::new("confirm-real-time");
    let more = ["--at", AT, "--suspicious", FAR, "--suspicious", NEAR, "-o", "suite.json"];
    assert_eq!(folder.tioga(&synth(&more), "").code, 0);
    let run = |unit: &str, limit: &str| {
        folder.write("machine.py", PROGRAM.replace("LIMIT", limit));
        let line = [
            "run",
            "suite.json",
            "--sut=python3 machine.py",
            "--in-latency=0..1/4",
            "--out-latency=0..1/4",
            "--jitter=1/2",
            "--keep-going",
            unit,
        ];
        folder.tioga(&line, "")
    };
    // How busy the host is decides whether runs are conclusive, but not whether the right machine fails.
    let right = run("--unit=200ms", "4");
    assert!([0, 5].contains(&right.code), "{}{}", right.out, right.err);
    // One that stops answering too early is found as soon as the host is on time.
    let found = ["--unit=200ms", "--unit=800ms", "--unit=3200ms"].into_iter().any(|unit| {
        let wrong = run(unit, "1");
        assert!([1, 5].contains(&wrong.code), "{}{}", wrong.out, wrong.err);
        wrong.code == 1
    });
    assert!(found, "the fault is not found");
}

/// A search that reaches its limit says how far it was, and the other pairs get their test cases.
#[test]
fn a_limit_says_up_to_how_many_inputs_nothing_was_found() {
    let folder = Folder::new("confirm-limit");
    folder.write(
        "sum.tioga",
        "input add(integer v), end; output ok, over;
automaton M {
  integer w;
  init location s;
  s -> self : add(v)? / ok! when 0 <= v && v <= 3 do w = w + v;
  s -> self : end? / ok! when w >= 600;
  s -> self : end? / over! when w < 600;
}",
    );
    let pairs = ["--at", "s, w = 0", "--suspicious", "s, w = 1", "--suspicious", "s, w = 700"];
    let command = ["synth", "sum.tioga", "--method", "confirm", "--max-states", "50"];
    let arguments = [&command[..], &pairs[..]].concat();
    let run = folder.tioga(&arguments, "");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    let open = "no test case for `s, w = 0` against `s, w = 1`: a limit ended the search";
    assert!(run.out.contains(open), "{}", run.out);
    assert!(run.out.contains("test case confirm-1: tree for confirm s, w = 0 against s, w = 700:"));
    let known = run.err.split("no timed input with at most ").nth(1);
    let inputs = known.and_then(|rest| rest.split(' ').next()).and_then(|text| text.parse().ok());
    assert!(inputs.is_some_and(|inputs: u32| (10..201).contains(&inputs)), "{}", run.err);
}
