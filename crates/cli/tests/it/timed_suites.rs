//! `tioga synth --method` of models with clocks: complete suites in units of time; and limits of all complete suites.

use crate::binary::{Folder, Json};

fn tioga(folder: &Folder, line: &str) -> tioga_testkit::Run {
    let words: Vec<&str> = line.split_whitespace().collect();
    folder.tioga(&words, "")
}

#[test]
fn a_timed_model_gets_a_complete_suite_and_the_domain_is_said() {
    let folder = Folder::new("timed-suites");
    for method in ["w", "wp", "hsi", "h", "spy", "spyh", "s"] {
        let line = format!("synth @stairs-light --method {method} --extra-states 1 -o a.json");
        let run = tioga(&folder, &line);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{method}");
        let domain = "complete for systems that, in units of 1, are machines with at most 4 states: at most one input \
                      comes in each unit, at its beginning and after the outputs of that instant; outputs come at \
                      multiples of 1, and which and when follows from the inputs and their times\n";
        assert!(run.out.contains(domain), "{}", run.out);
        let certified = tioga(&folder, "certify @stairs-light a.json");
        assert_eq!(certified.code, 0, "{method}: {}", certified.out);
        let run = tioga(&folder, "run a.json --sut model:@stairs-light --no-journal");
        assert_eq!(run.code, 0, "{method}: {}{}", run.out, run.err);
    }
    let line = "--format json synth @stairs-light --method h --granularity 1/2";
    let result = tioga(&folder, line).json();
    let complete = &result["result"]["complete"];
    assert_eq!((&complete["granularity"], &complete["states"]), (&"1/2".into(), &6.into()));
    assert!(complete["domain"].as_str().unwrap().contains("in units of 1/2"), "{complete}");
    let g = ["synth", "@stairs-light", "--method", "g", "--word", "press", "--word", "1"];
    let g = folder.tioga(&[&g[..], &["--classes", "2", "--extra-states", "0"]].concat(), "");
    assert_eq!(g.code, 0, "{}", g.err);
    assert!(g.out.contains("tree for inputs in units of 1: "), "{}", g.out);
}

#[test]
fn corrupted_test_cases_of_timed_suites_are_rejected() {
    let folder = Folder::new("timed-corrupt");
    assert_eq!(tioga(&folder, "synth @stairs-light --method h -o a.json").code, 0);
    let text = folder.read("a.json");
    for (from, to) in [("\"on\"", "\"off\""), ("\"unit\": \"1\"", "\"unit\": \"1/2\"")] {
        folder.write("b.json", text.replace(from, to));
        assert_ne!(folder.read("b.json"), text);
        let run = tioga(&folder, "certify @stairs-light b.json");
        assert_eq!(run.code, 1, "{from}: {}{}", run.out, run.err);
    }
}

#[test]
fn what_does_not_fit_is_refused_with_a_way_out() {
    let folder = Folder::new("timed-bad");
    let refused = |line: &str, parts: &[&str]| {
        let run = tioga(&folder, line);
        assert_eq!(run.code, 2, "{line}: {}{}", run.out, run.err);
        for part in parts {
            assert!(run.err.contains(part), "{line}: {}", run.err);
        }
    };
    let follow =
        "a complete suite needs a model whose outputs and their times follow from the inputs";
    refused("synth @smart-light --method h", &["may come in `L1; Light.x=0, Light.Tp=0`", follow]);
    refused("synth @switch/sw5 --method w", &["has no transition for input"]);
    refused("synth @switch/sw5 --method h", &["cannot be told apart"]);
    refused(
        "synth @fsm-29 --method h --granularity 1/2",
        &["--granularity is about models with clocks"],
    );
    refused("synth @fsm-29 --method h --words 2", &["--words is about"]);
    refused("synth @stairs-light --method h --granularity 2/3", &["write 1/k"]);
    refused("synth @train-gate --method h", &["a grid has one"]);
    folder.write(
        "thirds.tioga",
        "input a; output b; automaton M { clock x; init location p; location q invariant x <= 2/3;
           p -> q : a? do x = 0; q -> p : b! when x >= 2/3; q -> self : a?; }",
    );
    let fine = "`--granularity 1/3` is fine enough";
    refused("synth thirds.tioga --method h --granularity 1/2", &[fine]);
    assert_eq!(tioga(&folder, "synth thirds.tioga --method h").code, 0);
}

/// A limit ends the work with exit code 3, and what was written stays.
#[test]
fn limits_end_complete_suites_and_what_is_written_stays() {
    let folder = Folder::new("complete-limits");
    // More tests than can be written in any of these times; a busy machine may have none after the first.
    let some = ["0.5", "4", "32"].iter().any(|limit| {
        let line =
            format!("synth @fsm-29 --method w --extra-states 40 --synth-timeout {limit} -o w.json");
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 3, "{}{}", run.out, run.err);
        assert!(run.err.contains("synthesis stopped early"), "{}", run.err);
        assert!(run.out.contains("not complete"), "{}", run.out);
        let suite: serde_json::Value = serde_json::from_str(&folder.read("w.json")).unwrap();
        !suite["cases"].as_array().unwrap().is_empty()
    });
    assert!(some, "nothing is made");
    // These choose words before there are tests.
    for method in ["h", "spy", "spyh", "s"] {
        let line = format!("synth @fsm-29 --method {method} --extra-states 40 --synth-timeout 0.3");
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 3, "{method}: {}{}", run.out, run.err);
        assert!(run.err.contains("synthesis stopped early"), "{method}: {}", run.err);
    }
    let run = tioga(&folder, "synth @fsm-29 --method h --extra-states 40 --memory 100M");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(run.err.contains("memory"), "{}", run.err);
    let run = tioga(&folder, "synth @stairs-light --method h --granularity 1/100 --max-states 50");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    let line = "synth @switch-purpose/swle5 --method grid --granularity 1/3 --words 100000 \
                --synth-timeout 1.5 -o grid.json";
    let run = tioga(&folder, line);
    assert_eq!(run.code, 3, "{}", run.err);
    let suite: serde_json::Value = serde_json::from_str(&folder.read("grid.json")).unwrap();
    assert!(suite["cases"].is_array());
    let run = tioga(&folder, "synth @tefsm --method confirm --max-states 1");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(run.err.contains("`--max-states` allows more"), "{}", run.err);
}

/// The light as a process with real time.
const LIGHT: &str = r#"
import json, select, sys, time
unit, due, lit, rest = 1.0, None, 0, b""
def say(name):
    sys.stdout.write(json.dumps({"output": name}) + "\n")
    sys.stdout.flush()
while True:
    left = None if due is None else max(0, due - time.monotonic())
    if not select.select([0], [], [], left)[0]:
        due = None
        say("off")
        continue
    read = sys.stdin.buffer.raw.read(65536)
    if not read:
        break
    *lines, rest = (rest + read).split(b"\n")
    for message in map(json.loads, lines):
        now = time.monotonic()
        if "hello" in message:
            unit = message["hello"]["unit_ns"] / 1e9
            sys.stdout.write(json.dumps({"hello": {}}) + "\n")
            sys.stdout.flush()
        elif "reset" in message:
            due = None
            sys.stdout.write(json.dumps({"ready": True}) + "\n")
            sys.stdout.flush()
        elif "input" in message:
            if due is None:
                due, lit = now + WAIT * unit, now
                say("on")
            elif now - lit >= 1.9 * unit:
                due, lit = now + WAIT * unit, now
                say("more")
        elif "bye" in message:
            sys.exit(0)
"#;

#[test]
fn test_cases_of_timed_suites_run_in_real_time() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let folder = Folder::new("timed-real-time");
    assert_eq!(tioga(&folder, "synth @stairs-light --method s -o suite.json").code, 0);
    let run = |unit: &str, wait: &str| {
        folder.write("light.py", LIGHT.replace("WAIT", wait));
        let line = [
            "run",
            "suite.json",
            "--sut=python3 light.py",
            "--in-latency=0..1/4",
            "--out-latency=0..1/4",
            "--jitter=1/2",
            "--keep-going",
            unit,
        ];
        folder.tioga(&line, "")
    };
    // How busy the host is decides whether runs are conclusive, but not whether the right light fails.
    let right = run("--unit=200ms", "3");
    assert!([0, 5].contains(&right.code), "{}{}", right.out, right.err);
    // One that goes out much too early is found as soon as the host is on time.
    let found = ["--unit=200ms", "--unit=800ms", "--unit=3200ms"].into_iter().any(|unit| {
        let wrong = run(unit, "1");
        assert!([1, 5].contains(&wrong.code), "{}{}", wrong.out, wrong.err);
        wrong.code == 1
    });
    assert!(found, "the fault is not found");
}
