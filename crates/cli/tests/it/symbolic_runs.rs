//! Symbolic test cases written by `tioga symbolic`, run by `tioga run` and explained by `tioga explain`: KHO's
//! example against a correct system and against faults in time, in data and in both.

use crate::binary::{Folder, Json, Run};

fn figure_5() -> String {
    tioga_testkit::example_text("khoumsi/fig5")
}

/// Writes the test cases of KHO's example, with p = 5 known to the tester.
fn suite(which: &str) -> Folder {
    let folder = Folder::new("symbolic_runs");
    folder.write("spec.tioga", figure_5());
    let run = folder.tioga(
        &[
            "symbolic",
            "spec.tioga",
            "-p",
            "FirstRho",
            "--set",
            "p=5",
            "--which",
            which,
            "-o",
            "suite.json",
        ],
        "",
    );
    assert_eq!(run.code, 0, "{}", run.err);
    folder
}

/// Runs a suite against a variant of the specification.
fn tested(folder: &Folder, change: &[(&str, &str)]) -> Run {
    let mut text = figure_5();
    for (from, to) in change {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    folder.write("system.tioga", text);
    folder.tioga(
        &[
            "--format",
            "json",
            "run",
            "suite.json",
            "--sut",
            "model:system.tioga",
            "--policy",
            "eager",
            "--repeat",
            "20",
            "--keep-going",
            "--patience",
            "10",
        ],
        "",
    )
}

/// How many runs passed and failed.
fn counts(run: &Run) -> (u64, u64) {
    let json = run.json();
    let cases = json["result"]["cases"].as_array().unwrap().clone();
    let sum = |name: &str| cases.iter().map(|case| case[name].as_u64().unwrap()).sum();
    (sum("pass"), sum("fail"))
}

/// The game sends values below p, and the tester needs no cooperation: every run passes.
#[test]
fn a_correct_system_passes_the_game() {
    let folder = suite("game");
    let (passed, failed) = counts(&tested(&folder, &[]));
    assert_eq!((passed, failed), (20, 0));
}

/// A controllable subgraph sends any value, and above p no answer comes: that is no failure.
#[test]
fn a_correct_system_never_fails_a_subgraph() {
    let folder = suite("all");
    let (passed, failed) = counts(&tested(&folder, &[]));
    assert!(passed > 0 && passed < 20, "{passed}");
    assert_eq!(failed, 0);
}

const EARLY: &[(&str, &str)] =
    &[("c1 > 2 && x <= p", "c1 > 0 && x <= p"), ("rho! when c1 > 3", "rho! when c1 > 1")];
const ANY_VALUE: &[(&str, &str)] =
    &[("c1 > 2 && x <= p", "c1 > 2"), ("c1 < 3 && x >= p", "c1 < 0")];

#[test]
fn a_fault_in_time_is_found() {
    let folder = suite("game");
    let run = tested(&folder, EARLY);
    assert_eq!(run.code, 1);
    assert_eq!(counts(&run), (0, 20));
    let run = folder.tioga(&["explain", "suite.journal"], "");
    assert!(run.out.contains("rho came at"), "{}", run.out);
    assert!(run.out.contains("no output was allowed"), "{}", run.out);
    assert!(run.out.contains("test was in     l2/Running {c1: 2, 3}, x = "), "{}", run.out);
}

#[test]
fn a_fault_in_data_is_found() {
    // Where the test keeps to values below p, the fault does not show.
    let folder = suite("game");
    assert_eq!(counts(&tested(&folder, ANY_VALUE)), (20, 0));
    let folder = suite("all");
    let run = tested(&folder, ANY_VALUE);
    let (passed, failed) = counts(&run);
    assert!(passed > 0 && failed > 0, "{passed} {failed}");
    let run = folder.tioga(&["explain", "suite.journal"], "");
    assert!(run.out.contains("rho with x <= 5, where x = "), "{}", run.out);
}

#[test]
fn a_fault_in_time_and_data_is_found() {
    let folder = suite("all");
    let both = [("c1 > 2 && x <= p", "c1 > 0"), ("rho! when c1 > 3", "rho!")];
    let run = tested(&folder, &both);
    assert_eq!(run.code, 1);
    assert!(counts(&run).1 > 0);
}

const ECHO: &str = "time unit 1 s;
param integer least;
input req(integer m);
output ack(integer v);
automaton Echo {
  clock c;
  integer last;
  init location Idle;
  location Busy invariant c <= 5;
  Idle -> Busy : req(m)? when m >= least do last = m, c = 0;
  Busy -> Idle : ack(last)! when c >= 2;
}
purpose Twice {
  init location Start;
  location One, Between, Two;
  accept location A;
  Start -> One : req(m)?;
  One -> Between : ack(v)!;
  Between -> Two : req(m)?;
  Two -> A : ack(v)!;
  otherwise self;
}
";

fn echo(system: &str) -> (Folder, Run) {
    let folder = Folder::new("symbolic_echo");
    folder.write("echo.tioga", ECHO);
    folder.write("system.tioga", system);
    let line = ["symbolic", "echo.tioga", "-p", "Twice", "--set", "least=1", "-o", "suite.json"];
    let run = folder.tioga(&line, "");
    assert_eq!(run.code, 0, "{}", run.err);
    let run = folder.tioga(
        &[
            "--format",
            "json",
            "run",
            "suite.json",
            "--sut",
            "model:system.tioga",
            "--repeat",
            "20",
            "--keep-going",
        ],
        "",
    );
    (folder, run)
}

#[test]
fn outputs_with_data_pass_and_fail() {
    let (_, run) = echo(ECHO);
    assert_eq!(counts(&run), (20, 0), "{}", run.out);
    let (folder, run) = echo(&ECHO.replace("ack(last)!", "ack(last + 1)!"));
    assert_eq!(counts(&run).1, 20);
    let explained = folder.tioga(&["explain", "suite.journal"], "").out;
    assert!(explained.contains("ack(v) with last == v, where last = "), "{explained}");
    let (folder, run) = echo(&ECHO.replace("invariant c <= 5", "invariant c <= 9"));
    assert!(counts(&run).1 > 0, "{}", run.out);
    let explained = folder.tioga(&["explain", "suite.journal"], "").out;
    assert!(
        explained.contains("no output came until Exp(c, 5)") || explained.contains("came at"),
        "{explained}"
    );
    // Every moment from 2 to 5 is right, also the ends.
    let (_, run) = echo(&ECHO.replace("when c >= 2", "when c >= 5"));
    assert_eq!(counts(&run), (20, 0));
}

/// Answers requests after some time units with a value that may be off, with virtual and with real time.
const PROCESS: &str = r#"
import json, select, sys, time
delay, off = float(sys.argv[1]), int(sys.argv[2])
unit, start, now, due = 0, 0, 0.0, None
lines = open(0, "rb", buffering=0)
def say(**message):
    print(json.dumps(message), flush=True)
while True:
    if unit and due:
        wait = start + due[0] * unit - time.monotonic()
        if wait <= 0:
            say(output="ack", values=[due[1]])
            due = None
        elif not select.select([lines], [], [], wait)[0]:
            continue
    message = json.loads(lines.readline() or b'{"bye": true}')
    if "hello" in message:
        unit = message["hello"].get("unit_ns", 0) / 1e9
        say(hello={})
    elif "reset" in message:
        now, due, start = 0.0, None, time.monotonic()
        say(ready=True)
    elif "input" in message:
        if unit:
            now = (time.monotonic() - start) / unit
        due = (now + delay, message["values"][0] + off)
    elif "advance" in message:
        amount = message["advance"]
        above, _, below = str(amount).partition("/")
        until = now + float(above) / float(below or 1)
        if due and due[0] <= until:
            say(output="ack", values=[due[1]], after=str(due[0] - now))
            now, due = due[0], None
        else:
            now = until
            say(advanced=amount)
    elif "bye" in message:
        break
"#;

/// The same test case against a process. The numbers of the process are exact in binary.
#[test]
fn processes_are_tested_with_virtual_and_real_time() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let (folder, _) = echo(ECHO);
    folder.write("echo.py", PROCESS);
    let tested = |delay: &str, off: &str, more: &[&str]| {
        let sut = format!("python3 echo.py {delay} {off}");
        let line = ["--format", "json", "run", "suite.json", "--no-journal", "--sut", &sut];
        folder.tioga(&[&line[..], more].concat(), "")
    };
    for (delay, off, code) in
        [("2", "0", 0), ("5", "0", 0), ("3.5", "1", 1), ("1.5", "0", 1), ("6", "0", 1)]
    {
        let run = tested(delay, off, &["--repeat", "5"]);
        assert_eq!(run.code, code, "{delay} {off}: {}{}", run.out, run.err);
    }
    // A time unit of 100 ms leaves 150 ms to each side of what is expected. A run on a machine that is later than that
    // is inconclusive.
    for (off, code) in [("0", 0), ("1", 1)] {
        let decided = ["100ms", "400ms", "1600ms", "6400ms"].into_iter().any(|unit| {
            let run = tested("3.5", off, &["--unit", unit]);
            assert!([5, code].contains(&run.code), "{off}: {}{}", run.out, run.err);
            run.code == code
        });
        assert!(decided, "{off}: never {code}");
    }
}

#[test]
fn latencies_and_replays_are_refused_by_name() {
    let folder = suite("game");
    let sut = ["run", "suite.json", "--sut", "model:spec.tioga", "--policy", "eager"];
    let run = folder.tioga(&[&sut[..], &["--in-latency", "0..1"]].concat(), "");
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("symbolic test case `FirstRho` does not know latencies"),
        "{}",
        run.err
    );
    assert_eq!(folder.tioga(&sut, "").code, 0);
    let run = folder.tioga(&["replay", "suite.journal"], "");
    assert_eq!(run.code, 2);
    let said = "runs of the symbolic test case `FirstRho` are not replayed";
    assert!(run.err.contains(said), "{}", run.err);
    assert_eq!(tested(&folder, EARLY).code, 1);
    let run = folder.tioga(&["shrink", "suite.journal"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains(said), "{}", run.err);
}

/// Suites come from anywhere: whatever is wrong with a test graph is said before anything runs.
#[test]
fn damaged_test_graphs_are_refused() {
    let folder = suite("game");
    let good = folder.read("suite.json");
    for (from, to, said) in [
        ("\"(<= |x| 5)\"", "\"(<= |y| 5)\"", "nothing is called `y`"),
        ("\"(<= |x| 5)\"", "\"(<= |x| 5\"", "without `)`"),
        ("\"target\": 1", "\"target\": 77", "which does not exist"),
        ("\"do\": \"send\"", "\"do\": \"send-at\"", "a choice does not fit its step"),
    ] {
        assert!(good.contains(from), "{from}");
        folder.write("bad.json", good.replacen(from, to, 1));
        let run = folder.tioga(&["run", "bad.json", "--sut", "model:spec.tioga"], "");
        assert_eq!(run.code, 2, "{said}");
        assert!(run.err.contains(said), "{said}: {}", run.err);
    }
}

/// An answer at the instant of the input is too early, too.
#[test]
fn an_answer_at_once_is_too_early() {
    let folder = suite("game");
    let run = tested(&folder, &[("c1 > 2 && x <= p", "x <= p"), ("rho! when c1 > 3", "rho!")]);
    assert_eq!(counts(&run), (0, 20));
}

fn certified(folder: &Folder, suite: &str) -> Run {
    folder.tioga(&["certify", "spec.tioga", suite, "--set", "p=5"], "")
}

#[test]
fn certify_samples_words() {
    for which in ["game", "best", "all"] {
        let folder = suite(which);
        let run = certified(&folder, "suite.json");
        assert_eq!(run.code, 0, "{which}: {}{}", run.out, run.err);
        assert!(run.out.contains("timed words were sampled"), "{}", run.out);
    }
}

/// Whatever is changed so that it means something else is found.
#[test]
fn certify_rejects_corrupted_test_graphs() {
    let folder = suite("game");
    let good = folder.read("suite.json");
    let changes = [
        // Data: the answer is allowed above p, or forbidden at p.
        ("\"(<= |x| 5)\"", "\"(<= |x| 6)\""),
        ("\"(<= |x| 5)\"", "\"(<= |x| 4)\""),
        // Time: the answer is allowed after 2 time units, or only after 4.
        ("\"smt\": \"3\"", "\"smt\": \"2.5\""),
        ("\"smt\": \"3\"", "\"smt\": \"4\""),
        // The variable is not the value that was sent.
        ("\"smt\": \"|m|\"", "\"smt\": \"(+ |m| 1)\""),
        // Verdicts.
        ("\"verdict\": \"pass\"", "\"verdict\": \"fail\""),
        ("\"verdict\": \"pass\"", "\"verdict\": \"inconclusive\""),
        // The interface.
        ("\"name\": \"rho\"", "\"name\": \"rhoo\""),
        // The purpose.
        ("\"purpose\": \"FirstRho\"", "\"purpose\": \"SecondRho\""),
    ];
    for (from, to) in changes {
        assert!(good.contains(from), "{from}");
        folder.write("bad.json", good.replace(from, to));
        let run = certified(&folder, "bad.json");
        assert_eq!(run.code, 1, "{from} -> {to}: {}{}", run.out, run.err);
    }
}

/// Reports are those of any suite. The model's constant has no value, which only a model under test would need.
#[test]
fn reports_tell_the_reason_with_its_data() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return;
    }
    let folder = Folder::new("symbolic_reports");
    let text = ECHO.replace("param integer least;", "param integer least where least <= 0;");
    folder.write("echo.tioga", text.replace("when m >= least", "when m >= 0"));
    folder.write("echo.py", PROCESS);
    let run = folder.tioga(&["symbolic", "echo.tioga", "-p", "Twice", "-o", "suite.json"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    let run = folder.tioga(
        &[
            "run",
            "suite.json",
            "--sut",
            "python3 echo.py 3.5 1",
            "--html",
            "r.html",
            "--junit",
            "r.xml",
        ],
        "",
    );
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let reason = "ack(v) with last == v, where last = ";
    for file in ["r.html", "r.xml"] {
        assert!(folder.read(file).contains(reason), "{file}");
    }
    let run = folder.tioga(&["report", "suite.journal", "--tap", "r.tap"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(folder.tioga(&["explain", "suite.journal"], "").out.contains(reason));
    let run = folder.tioga(&["run", "suite.json", "--sut", "model:echo.tioga"], "");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("the symbolic constant `least` has no value"), "{}", run.err);
}
