//! `tioga monitor` with the real binary: logs that conform, violations of every kind, and bad lines.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::binary::{Folder, Json, Run, TIOGA};
use tioga_testkit::wait_for;

/// A level is set, and told after 1 to 2 time units; nobody may set it before that.
const LEVEL: &str = "\
model level;
input set(int[0,3] v);
output level(int[0,3] v), alarm;
automaton A {
  clock x;
  int[0,3] n = 0;
  rational half = 1/2;
  init location Idle;
  location Busy invariant x <= 2;
  Idle -> Busy : set(v)? do x = 0, n = v;
  Busy -> Idle : level(n)! when x >= 1;
}
";

/// Monitors a log of the model above.
fn level(name: &str, log: &str, options: &[&str]) -> Run {
    let folder = Folder::new(&format!("monitor_{name}"));
    folder.write("level.tioga", LEVEL);
    folder.tioga(&[&["monitor", "level.tioga"], options].concat(), log)
}

fn first_line(run: &Run) -> &str {
    run.out.lines().next().unwrap_or_default()
}

#[test]
fn a_log_that_conforms_is_counted_and_ends_in_a_state() {
    let log = "# a log\n0 set(2)?\n3/2 level(2)!\n\n5 set(1)  # unmarked\n5.5 end\n";
    let run = level("conforms", log, &[]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert_eq!(first_line(&run), "conforms: 3 observations in 5.5 time units");
    assert!(run.out.contains("  Busy, A.n = 1, A.half = 1/2: A.x = 0.5\n"), "{}", run.out);
    let empty = level("empty", "", &[]);
    assert_eq!((empty.code, first_line(&empty)), (0, "conforms: 0 observations in 0 time units"));
}

#[test]
fn every_kind_of_violation_says_what_was_expected_when() {
    let start = "0 set(2)?\n1 level(2)!\n10 set(3)?\n";
    let kinds = [
        ("14 level(3)", "line 4: `level(3)` at 14 came 2 too late: it was expected from 11 to 12"),
        ("14..15 level(3)", "`level(3)` at 14..15 came 2..3 too late: it was expected from 11"),
        ("10..21/2 level(3)", "at 10..10.5 came 0.5..1 too early: it was expected from 11 to 12"),
        ("11 level(2)", "`level(2)` at 11 has other values than expected: `level(3)` from 11"),
        ("11 alarm", "`alarm` at 11 was not expected here; expected: `level(3)` from 11 to 12"),
        ("13 end", "silent until 13, but something was due by 12: `level(3)` from 11 to 12"),
        ("13 set(1)", "silent until 13, but something was due by 12"),
        ("900000 level(3)", "came 899988 too late: it was expected from 11 to 12"),
    ];
    for (index, (line, message)) in kinds.into_iter().enumerate() {
        // What follows is not read any more.
        let run = level(&format!("kind_{index}"), &format!("{start}{line}\nnonsense\n"), &[]);
        assert_eq!(run.code, 1, "{line}: {}{}", run.out, run.err);
        assert!(first_line(&run).starts_with("violation at line 4: "), "{}", run.out);
        assert!(first_line(&run).contains(message), "{line}: {}", run.out);
        assert!(run.out.contains("before it, 3 observations up to 10"), "{}", run.out);
        assert!(run.out.contains("  Busy, A.n = 3, A.half = 1/2: A.x = 0\n"), "{}", run.out);
    }
    let run = level("nothing", "3 level(0)\n", &[]);
    assert!(first_line(&run).ends_with("and neither was any other output"), "{}", run.out);
}

#[test]
fn what_was_expected_long_ago_is_not_forgotten() {
    let folder = Folder::new("monitor_long_ago");
    // Nothing forces the answer, but it comes in time or not at all.
    let optional = LEVEL.replace(" invariant x <= 2", "").replace("x >= 1", "x >= 1 && x <= 2");
    folder.write("optional.tioga", optional);
    for (time, late) in [("40", "38"), ("100", "98"), ("90000000", "89999998")] {
        let log = format!("0 set(2)\n{time} level(2)\n");
        let run = folder.tioga(&["monitor", "optional.tioga"], &log);
        let words = format!("came {late} too late: it was expected from 1 to 2");
        assert!(run.code == 1 && first_line(&run).ends_with(&words), "{}", run.out);
    }
}

#[test]
fn an_input_that_is_not_specified_is_inconclusive() {
    let run = level("unspecified", "0 set(2)?\n1/2 set(1)?\n1 alarm\n", &[]);
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    let first =
        "inconclusive at line 2: `set(1)` at 0.5 is not specified, so from here on anything";
    assert!(first_line(&run).starts_with(first), "{}", run.out);
    // With latencies it becomes clear later only, and which input it was is not.
    let log = "0 set(2)?\n1/2 set(1)?\n1 end\n5 end\n";
    let run = level("unspecified_late", log, &["--in-latency", "0..1/8"]);
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    assert!(first_line(&run).contains("an input that was under way"), "{}", run.out);
}

#[test]
fn hidden_moves_and_choices_are_explained_by_several_states() {
    let folder = Folder::new("monitor_hidden");
    // Nobody sees when a package is loaded and passes the sorting point.
    let run = folder.tioga(&["monitor", "@conveyor", "--follow-states"], "4 past!\n5 end\n");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.starts_with("line 1: past! at 4\n  Start: "), "{}", run.out);
    assert!(
        run.out.contains("conforms: 1 observation in 5 time units\nthe states that explain it:")
    );
    for location in ["Start", "Sort", "Boarding"] {
        assert!(run.out.contains(&format!("  {location}: Belt.x = 1\n")), "{}", run.out);
    }
    let run = folder.tioga(&["monitor", "@conveyor"], "4 past!\n21/2 past!\n");
    assert_eq!(run.code, 1, "{}", run.out);
    let late = "`past` at 10.5 came 0.5 too late: it was expected from 4 to 10";
    assert!(first_line(&run).contains(late), "{}", run.out);
    assert!(run.out.contains("expected then: `past` from 4 to 10, `waste` from 4 to 9"));
    // The problematic light may answer as it likes, the smart one may not.
    let log = "0 touch\n1 dim\n2 touch\n3 off\n";
    assert_eq!(folder.tioga(&["monitor", "@problematic-light"], log).code, 0);
    assert_eq!(folder.tioga(&["monitor", "@smart-light"], log).code, 1);
}

#[test]
fn latencies_explain_what_exact_time_does_not() {
    let log = "0 set(2)?\n9/4 level(2)!\n";
    assert_eq!(level("exact", log, &[]).code, 1);
    let options = ["--in-latency", "0..1/8", "--out-latency=0..1/8"];
    let run = level("latencies", log, &options);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(
        run.out.ends_with("latencies that explain it: input 0.125, output 0.125\n"),
        "{}",
        run.out
    );
    let run = level("latencies_late", "0 set(2)?\n5/2 level(2)!\n", &options);
    assert_eq!(run.code, 1);
    assert!(first_line(&run).contains("came 0.25 too late: it was expected from 1 to 2.25"));
    assert!(run.out.contains("latencies that explain it so far: input 0..0.125, output 0..0.125"));
    let long = ["--in-latency=5", "--out-latency=5", "--jitter=5"];
    let run = level("latencies_early", "0 set(2)?\n1/2 level(2)!\n", &long);
    let early = "came 10.5 too early: it was expected from 11 to 22";
    assert!(first_line(&run).contains(early), "{}", run.out);
    let jitter = [&options[..], &["--jitter", "1/8"]].concat();
    assert_eq!(level("jitter", "0 set(2)?\n5/2 level(2)!\n", &jitter).code, 0);
}

#[test]
fn times_are_scaled_and_may_lie_between_bounds() {
    let log = "0 set(2)?\n1500..2500 level(2)!\n";
    assert_eq!(level("unscaled", log, &[]).code, 1);
    let run = level("scaled", log, &["--scale", "1/1000"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert_eq!(first_line(&run), "conforms: 2 observations in 1.5..2.5");
    assert_eq!(level("no_scale", log, &["--scale", "0"]).code, 2);
}

#[test]
fn json_has_everything() {
    let log = "{\"at\": 0, \"input\": \"set\", \"values\": [2]}\n\
               {\"at\": \"1..2\", \"output\": \"level\", \"values\": [3]}\n";
    let run = level("json", log, &["--format", "json"]);
    assert_eq!(run.code, 1);
    let result = &run.json()["result"];
    assert_eq!(result["verdict"], "violation");
    assert_eq!(result["line"], 2);
    assert_eq!(result["finding"]["deviation"]["kind"], "other-values");
    assert_eq!(result["finding"]["expected"][0]["until"]["at"], "2");
    assert_eq!(result["states"][0]["state"], "Busy, A.n = 2, A.half = 1/2");
    let run = level("json_good", "0 set(2)\n", &["--format=json", "--follow-states"]);
    assert_eq!(run.json()["result"]["verdict"], "conforms");
    assert_eq!(run.json()["result"]["followed"][0]["line"], 1);
}

#[test]
fn bad_lines_are_pointed_at() {
    let bad = [
        ("0 set(2)\n  1 levle(2)\n", ":2:5", "did you mean `level`?"),
        ("0 set(2)\n\n\nlater level(2)\n", ":4:1", "is no moment"),
        ("5 set(2)\n4 level(2)\n", ":2:1", "time goes back: this was at 4, after something at 5"),
        ("-1 set(2)\n", ":1:1", "a run begins at 0"),
        ("0 set!(2)\n", ":1:3", "there is no input or output"),
        ("{\"at\": 0, \"output\": \"set\"}\n", ":1:22", "goes the other way"),
        ("0 set(2)\n{\"at\": 0,\n", ":2:9", "EOF"),
        ("10000000000 set(1)\n", ":1:1", "too large"),
    ];
    for (index, (log, place, message)) in bad.into_iter().enumerate() {
        let options: &[&str] = if index == 7 { &["--scale=9223372036854775807"] } else { &[] };
        let run = level(&format!("bad_{index}"), log, options);
        assert_eq!(run.code, 2, "{log}: {}{}", run.out, run.err);
        assert!(run.err.contains(&format!("standard input{place}\n")), "{log}: {}", run.err);
        assert!(run.err.contains(message), "{log}: {}", run.err);
    }
    let folder = Folder::new("monitor_none");
    let run = folder.tioga(&["monitor", "@smart-light", "none.log"], "");
    assert!(run.code == 2 && run.err.contains("there is no file `none.log`"), "{}", run.err);
}

#[test]
fn traces_of_this_program_are_logs_too() {
    let folder = Folder::new("monitor_traces");
    for (file, name) in
        [("run.trace", "@conveyor"), ("run.jsonl", "@conveyor"), ("m.trace", "@tefsm")]
    {
        let run = folder.tioga(&["simulate", name, "--steps=12", "--seed=3", "-o", file], "");
        assert_eq!(run.code, 0, "{}", run.err);
        let run = folder.tioga(&["monitor", name, file], "");
        assert_eq!(run.code, 0, "{file}: {}{}", run.out, run.err);
        assert!(run.out.starts_with("conforms: "), "{}", run.out);
    }
    let trace = "tioga-trace 1\nmodel smart_light\ninput touch\n// late\ndelay 5/2\noutput dim\n";
    let run = folder.tioga(&["monitor", "@smart-light"], trace);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let late = "violation at line 6: `dim` at 2.5 came 0.5 too late: it was expected from 0 to 2";
    assert_eq!(first_line(&run), late);
    let quiet = "tioga-trace 1\nmodel smart_light\ninput touch\ndelay 5/2\n";
    assert_eq!(folder.tioga(&["monitor", "@smart-light"], quiet).code, 1);
    let other = "tioga-trace 1\nmodel smart_light\ninput push\n";
    let run = folder.tioga(&["monitor", "@smart-light"], other);
    assert!(run.code == 2 && run.err.contains("standard input:3:1"), "{}", run.err);
}

#[test]
fn a_verdict_comes_as_soon_as_it_is_certain() {
    let mut process = Command::new(TIOGA)
        .args(["monitor", "@smart-light"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // The log does not end: standard input stays open.
    let mut input = process.stdin.take().unwrap();
    input.write_all(b"0 touch\n3 dim\n").unwrap();
    let status = wait_for("the verdict", || process.try_wait().unwrap());
    assert_eq!(status.code(), Some(1));
    drop(input);
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_log_needs_no_more_memory_than_a_short_one() {
    let folder = Folder::new("monitor-long");
    let peak = |rounds: u64| {
        let mut log = String::new();
        for round in 0..rounds {
            // Quarters of time units, with pauses that differ.
            let time = round * 24 + round % 7;
            let (dim, touch, off) = (time + round % 8, time + 10, time + 10 + round % 5);
            let lines = format!("{time}/4 touch?\n{dim}/4 dim!\n{touch}/4 touch?\n{off}/4 off!\n");
            log.push_str(&lines);
        }
        folder.write("log", log);
        let (run, peak) = folder.allocated(&["monitor", "@problematic-light", "log"])?;
        assert_eq!(run.code, 0, "{}", run.out);
        let told = format!("conforms: {} observations in ", rounds * 4);
        assert!(run.out.starts_with(&told), "{}", run.out);
        Some(peak)
    };
    let (Some(short), Some(long)) = (peak(5_000), peak(50_000)) else { return };
    println!("{short} bytes, then {long}");
    assert!(long < short + (64 << 10), "{short} bytes, then {long}");
}

#[test]
fn deadlines_are_exact() {
    let folder = Folder::new("exact");
    let light = |log: &str, more: &[&str]| {
        folder.tioga(&[&["--format", "json", "monitor", "@smart-light"], more].concat(), log)
    };
    let json =
        "{\"at\": 0, \"input\": \"touch\"}\n{\"at\": 2.0000000000000001, \"output\": \"dim\"}\n";
    for (log, code) in [("0 touch?\n2 dim!\n", 0), ("0 touch?\n2.000001 dim!\n", 1), (json, 1)] {
        let run = light(log, &[]);
        assert_eq!(run.code, code, "{log}{}", run.out);
    }
    for (log, code) in [
        ("0.000000001 set(2)?\n2.000000001 level(2)!\n", 0),
        ("0.000000001 set(2)?\n2.000000002 level(2)!\n", 1),
        ("0.000000001 set(2)?\n1 level(2)!\n", 1),
    ] {
        let run = level("nanoseconds", log, &["--format", "json"]);
        assert_eq!(run.code, code, "{log}{}", run.out);
        assert_eq!(run.json()["result"]["exact"], true, "{log}");
    }
    let epoch = "1700000000000000000 touch?\n1700000001999999999 dim!\n";
    let options = ["--from-first", "--scale", "1/1000000000"];
    assert_eq!(light(epoch, &options).code, 0);
    let late = epoch.replace("1999999999", "2000000001");
    assert_eq!(light(&late, &options).code, 1);
    // A log may begin at any time.
    assert_eq!(light(epoch, &[]).code, 1);
    assert_eq!(light("1700000000000000000 touch?\n", &[]).code, 0);
    assert_eq!(light("5 touch?\n4 dim!\n", &["--from-first"]).code, 2);
}

/// Where two clocks are set at different times, the result says how exact it is, or there is none.
#[test]
fn what_is_not_exact_says_so_or_is_refused() {
    let model = |constant: &str| {
        format!(
            "input a; output b; automaton S {{ clock x, y; init location Idle;
            location Busy invariant x <= 2 && y <= {constant};
            Idle -> Busy : a? do x = 0; Busy -> Idle : b! when x >= 1; }}"
        )
    };
    let folder = Folder::new("rounded");
    folder.write("small.tioga", model("100"));
    folder.write("large.tioga", model("100000000"));
    let log = "0.3333333 a?\n1.5 b!\n";
    let small = folder.tioga(&["monitor", "small.tioga"], log);
    assert_eq!(small.code, 0, "{}", small.err);
    assert!(small.out.contains("not exact: times were rounded by less than 0.00"), "{}", small.out);
    let exactly = folder.tioga(&["monitor", "small.tioga", "--resolution", "0"], log);
    assert_eq!(exactly.code, 2, "{}", exactly.out);
    assert!(exactly.err.contains("too-coarse"), "{}", exactly.err);
    let large = folder.tioga(&["monitor", "large.tioga"], log);
    assert_eq!(large.code, 2, "{}", large.out);
    assert!(large.err.contains("too-coarse"), "{}", large.err);
    let allowed = folder.tioga(&["monitor", "large.tioga", "--resolution", "1"], log);
    assert_eq!(allowed.code, 0, "{}", allowed.err);
    // A violation is one, however coarse.
    let late = folder.tioga(&["monitor", "large.tioga"], "0 a?\n2.5 b!\n");
    assert_eq!(late.code, 1, "{}", late.out);
}
