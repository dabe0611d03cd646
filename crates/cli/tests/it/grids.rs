//! `tioga grid` and `tioga synth --method grid`: sizes, words, test cases that are run, runs that are judged.

use crate::binary::{Folder, Json};

fn tioga(folder: &Folder, line: &str) -> tioga_testkit::Run {
    folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "")
}

#[test]
fn a_grid_is_measured_against_its_bound() {
    let folder = Folder::new("grids-info");
    let run = tioga(&folder, "grid info @two-clock-switch/off5 --granularity 1/2 --bound 6");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(
        run.out.contains("106 states, 211 transitions; the bound is 392 states"),
        "{}",
        run.out
    );
    assert!(run.out.contains("classical granularity: 1/4, at most 1568 states"), "{}", run.out);
    let line =
        "--format json grid info @switch-purpose/sw5 -p OnOnOff --granularity 1/3 --bound 11";
    let result = tioga(&folder, line).json()["result"].clone();
    assert_eq!((&result["states"], &result["transitions"]), (&934.into(), &1836.into()));
    assert_eq!((&result["bound"], &result["fail_states"]), (&"7776".into(), &432.into()));
    let media = "--format json grid info @multimedia --bound 4 --context-bound 3 --granularity 1";
    let result = tioga(&folder, media).json()["result"].clone();
    assert_eq!((&result["states"], &result["transitions"]), (&123.into(), &219.into()));
    assert_eq!(result["bound"], "1600");
}

#[test]
fn words_are_counted_and_listed_one_by_one() {
    let folder = Folder::new("grids-words");
    let count = |rest: &str| {
        let run = tioga(&folder, &format!("grid count @switch-purpose/{rest}"));
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{rest}");
        run.out.trim().to_owned()
    };
    assert_eq!(count("swle5 --granularity 1/3"), "25729893467");
    assert_eq!(count("sw5 --granularity 1/3"), "130935");
    assert_eq!(count("sw5 --granularity 1/3 --actions on,on,off"), "115");
    // As many lines as were asked for, of 25 billion.
    let listed = tioga(&folder, "grid words @switch-purpose/swle5 --granularity 1/3 --limit 50");
    assert_eq!((listed.code, listed.out.lines().count()), (0, 50), "{}", listed.err);
    let shared =
        tioga(&folder, "grid words @switch-purpose/swle5 --granularity 1/3 --limit 50 --shared");
    assert!(shared.out.len() * 3 < listed.out.len(), "{}", shared.out);
    let few =
        tioga(&folder, "grid words @switch-purpose/sw5 --granularity 1/3 --actions on,on,off");
    let words: Vec<&str> = few.out.lines().collect();
    assert_eq!(words.len(), 115);
    assert!(words.contains(&"2/3 on 4/3 on 5 off") && words.contains(&"8/3 on 7/3 on 5 off"));
    let inputs = tioga(
        &folder,
        "grid words @switch-purpose/sw5 --granularity 1/3 --actions on,on,off --inputs",
    );
    assert!(inputs.out.lines().any(|line| line == "2/3 on 4/3 on 5"), "{}", inputs.out);
    for (criterion, least) in
        [("--cover states", 5), ("--cover transitions", 5), ("--per-end 2", 5)]
    {
        let run = tioga(&folder, &format!("grid words @switch-purpose/sw5 {criterion}"));
        assert!(run.code == 0 && run.out.lines().count() >= least, "{criterion}: {}", run.out);
    }
    let short = tioga(&folder, "grid words @switch-purpose/sw5 --shortest 3");
    assert_eq!(short.out.lines().count(), 3, "{}", short.out);
    let json = tioga(&folder, "--format json grid words @switch-purpose/sw5 --length 12").json();
    assert_eq!(json["result"]["complete"], true);
    // What cannot be counted in so many steps is given up.
    let run = tioga(&folder, "grid count @multimedia --context-bound 2 --length 30 --max-steps 10");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(run.err.contains("`--max-steps` allows more"), "{}", run.err);
}

#[test]
fn test_cases_of_words_are_run_explained_and_certified() {
    let folder = Folder::new("grids-suite");
    let line = "synth @switch-purpose/sw5 -p OnOnOff --method grid --granularity 1/2 --words 4 -o suite.json";
    let made = tioga(&folder, line);
    assert_eq!((made.code, made.err.as_str()), (0, ""), "{}", made.out);
    let certified = tioga(&folder, "certify @switch-purpose/sw5 suite.json");
    assert_eq!(certified.code, 0, "{}{}", certified.out, certified.err);
    let run = tioga(&folder, "run suite.json --sut model:@switch-purpose/sw5");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("4     4     0             0      0  pass"), "{}", run.out);
    let explained = tioga(&folder, "explain suite.journal --run 1");
    assert!(explained.out.contains("the fault of the purpose is confirmed"), "{}", explained.out);
    // An implementation that turns off too early fails, and the run says why.
    let text = tioga_testkit::example_text("switch-purpose/sw5");
    let early = text
        .replace("off! when c == 5", "off! when c == 4")
        .replace("q1 invariant c <= 5", "q1 invariant c <= 4");
    folder.write("early.tioga", early);
    let run = tioga(&folder, "run suite.json --sut model:early.tioga --journal early.journal");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    // One that may turn off at any time sometimes goes another way than the word, which is no failure if the
    // specification allows it.
    let line = "synth @switch-purpose/swle5 --method grid --words 3 -o le.json";
    assert_eq!(tioga(&folder, line).code, 0);
    let run = tioga(&folder, "run le.json --sut model:@switch-purpose/swle5 --repeat 10");
    assert!([0, 5].contains(&run.code), "{}{}", run.out, run.err);
    let run = tioga(&folder, "run le.json --sut model:@switch-purpose/sw5 --journal le5.journal");
    assert!([0, 5].contains(&run.code), "{}{}", run.out, run.err);
    // A suite that was changed is refused.
    let changed = folder.read("suite.json").replacen("\"bound\": 10", "\"bound\": 8", 1);
    assert_ne!(changed, folder.read("suite.json"));
    folder.write("changed.json", changed);
    let certified = tioga(&folder, "certify @switch-purpose/sw5 changed.json");
    assert_eq!(certified.code, 1, "{}{}", certified.out, certified.err);
}

#[test]
fn test_cases_with_values_are_run_with_the_values_of_the_model() {
    let folder = Folder::new("grids-values");
    let line = "grid words @multimedia --context-bound 2 --cover states -o media.json --limit 30";
    let made = tioga(&folder, line);
    assert_eq!(made.code, 0, "{}{}", made.out, made.err);
    let run = tioga(&folder, "run media.json --sut model:@multimedia");
    assert!([0, 5].contains(&run.code), "{}{}", run.out, run.err);
    let certified = tioga(&folder, "certify @multimedia media.json");
    assert_eq!(certified.code, 0, "{}{}", certified.out, certified.err);
    // The grid bounds the values of outputs, the test case does not.
    folder.write(
        "counter.tioga",
        "input a; output b(rational z);
         automaton M { clock x; rational w; init location p; location q invariant x <= 1;
           p -> q : a? do w = w + 1, x = 0; q -> p : b(w)! when x == 1; }
         purpose Four { init location s0; location s1, s2, s3; desired location s4;
           s0 -> s1 : b(z)!; s1 -> s2 : b(z)!; s2 -> s3 : b(z)!; s3 -> s4 : b(z)!; }",
    );
    let listed = tioga(&folder, "grid words counter.tioga --shortest 1");
    assert_eq!((listed.code, listed.out.as_str()), (0, "a 1 b(1) a 1 b(2) a 1 b(2) a 1 b(2)\n"));
    assert_eq!(tioga(&folder, "grid words counter.tioga --shortest 1 -o four.json").code, 0);
    assert!(folder.read("four.json").contains("b(3) a 1 b(4)"), "values beyond the bound");
    let run = tioga(&folder, "run four.json --sut model:counter.tioga --repeat 5");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

/// The switch as a process with real time.
const SWITCH: &str = r#"
import json, select, sys, time
unit, due, rest = 1.0, None, b""
def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()
while True:
    left = None if due is None else max(0, due - time.monotonic())
    if not select.select([0], [], [], left)[0]:
        due = None
        say({"output": "off"})
        continue
    read = sys.stdin.buffer.raw.read(65536)
    if not read:
        break
    *lines, rest = (rest + read).split(b"\n")
    for message in map(json.loads, lines):
        if "hello" in message:
            unit = message["hello"]["unit_ns"] / 1e9
            say({"hello": {}})
        elif "reset" in message:
            due = None
            say({"ready": True})
        elif "input" in message:
            due = time.monotonic() + WAIT * unit
        elif "bye" in message:
            sys.exit(0)
"#;

#[test]
fn test_cases_of_words_run_in_real_time() {
    let python = std::process::Command::new("python3").arg("--version").output();
    if python.is_err() {
        return;
    }
    let folder = Folder::new("grids-real-time");
    let line = "synth @switch-purpose/sw5 --method grid --words 3 --granularity 1/2 -o suite.json";
    assert_eq!(tioga(&folder, line).code, 0);
    let run = |unit: &str, wait: &str| {
        folder.write("switch.py", SWITCH.replace("WAIT", wait));
        let line = [
            "run",
            "suite.json",
            "--sut=python3 switch.py",
            "--in-latency=0..1/4",
            "--out-latency=0..1/4",
            "--keep-going",
            unit,
        ];
        folder.tioga(&line, "")
    };
    // How busy the machine is decides whether runs are conclusive, but not whether the right switch fails.
    let right = run("--unit=40ms", "5");
    assert!([0, 5].contains(&right.code), "{}{}", right.out, right.err);
    // One that turns off much too early is found as soon as the machine is on time.
    let found =
        ["--unit=40ms", "--unit=160ms", "--unit=640ms", "--unit=2560ms"].into_iter().any(|unit| {
            let wrong = run(unit, "2");
            assert!([1, 5].contains(&wrong.code), "{}{}", wrong.out, wrong.err);
            wrong.code == 1
        });
    assert!(found, "the fault is not found");
}

#[test]
fn runs_are_judged_with_the_purpose_and_flagged_against_the_model() {
    let folder = Folder::new("grids-replay");
    let text = tioga_testkit::example_text("switch-purpose/sw5");
    let observed = folder.tioga(
        &["grid", "observe", "@switch-purpose/sw5", "8/3 on 7/3 on 5", "--within-delays", "--cut"],
        "",
    );
    assert!(observed.out.contains("8/3 on 7/3 on 5 off\n"), "{}", observed.out);
    folder.write("runs.txt", observed.out);
    let run = tioga(&folder, "grid replay @switch-purpose/sw5 runs.txt");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("positive: a run reaches a fail location"), "{}", run.out);
    folder.write("silent.tioga", text.replace("q1 -> q0 : off! when c == 5 do c = 0;", ""));
    let silent = folder.tioga(
        &["grid", "observe", "silent.tioga", "8/3 on 7/3 on 5", "--within-delays", "--cut"],
        "",
    );
    folder.write("silent.txt", silent.out);
    let run = tioga(&folder, "grid replay @switch-purpose/sw5 silent.txt");
    assert_eq!(run.code, 5, "{}{}", run.out, run.err);
    assert!(run.out.contains("inconclusive: no run reaches a fail location"), "{}", run.out);
    folder.write("late.txt", "8/3 on 7/3 on 17/3 off\n");
    let run = tioga(&folder, "grid replay @switch-purpose/sw5 late.txt");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(
        run.out.contains("does not conform: after `8/3 on 7/3 on`, `17/3` is not possible"),
        "{}",
        run.out
    );
    // The same on the grid, which knows multiples of its granularity only.
    let on_grid =
        tioga(&folder, "grid replay @switch-purpose/sw5 runs.txt --on-grid --granularity 1/3");
    assert_eq!(on_grid.code, 0, "{}{}", on_grid.out, on_grid.err);
    let coarse =
        tioga(&folder, "grid replay @switch-purpose/sw5 runs.txt --on-grid --granularity 1/2");
    assert_eq!(coarse.code, 2);
    assert!(
        coarse.err.contains("the delay 8/3 is no multiple of the granularity 1/2"),
        "{}",
        coarse.err
    );
    let json = folder.tioga(
        &["--format", "json", "grid", "replay", "@multimedia", "-"],
        "img snd ack(1,1)\n# a comment\n\nimg 2 err\n",
    );
    let result = json.json()["result"].clone();
    assert_eq!((&result["desired"], &result["conforms"]), (&"inconclusive".into(), &true.into()));
    assert_eq!(json.code, 5);
}

#[test]
fn a_small_grid_is_drawn_and_a_large_one_is_not() {
    let folder = Folder::new("grids-build");
    let run = tioga(&folder, "grid build @switch/sw5 -o switch.dot");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let text = folder.read("switch.dot");
    assert_eq!(text.matches(" -> ").count(), 26, "25 transitions and the start");
    assert!(text.contains("label=\"off!\"") && text.contains("style=dotted"));
    let ends = "grid build @switch-purpose/sw5 -p OnOnOff --final-ends --bound 11";
    let json =
        tioga(&folder, &format!("--format json {ends} -o ends.dot")).json()["result"].clone();
    let length = |name: &str| json[name].as_array().map(Vec::len);
    assert_eq!((length("states"), length("transitions")), (Some(80), Some(138)));
    let run = tioga(&folder, "grid build @switch-purpose/sw5 -p OnOnOff --granularity 1/40");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("too many for a graph"), "{}", run.err);
    let run = tioga(&folder, "grid info @switch-purpose/sw5 --granularity 1/40 --max-states 10");
    assert_eq!(run.code, 3);
    assert!(run.err.contains("`--max-states` allows more"), "{}", run.err);
}

#[test]
fn what_does_not_fit_is_said_with_a_way_out() {
    let folder = Folder::new("grids-bad");
    let complaint = |line: &str, parts: &[&str]| {
        let run = tioga(&folder, line);
        assert_eq!(run.code, 2, "{line}: {}{}", run.out, run.err);
        for part in parts {
            assert!(run.err.contains(part), "{line}: {}", run.err);
        }
    };
    complaint("grid info @switch/sw5 --bound 5", &["is not above every constant", "Switch.c=7"]);
    complaint("grid info @switch/sw5 --bound 13/2", &["is not a positive integer"]);
    complaint("grid info @switch/sw5 --bound d=7", &["there is no clock or variable `d`"]);
    complaint("grid info @switch/sw5 --granularity 2/3", &["write 1/k"]);
    folder.write(
        "thirds.tioga",
        "input a; automaton M { clock x; init location p; p -> self : a? when x <= 2/3; }",
    );
    complaint("grid info thirds.tioga --granularity 1/2", &["`--granularity 1/3` is fine enough"]);
    folder.write(
        "minus.tioga",
        "input a; automaton M { rational v, w; init location p; p -> self : a? do v = 10 - w; }",
    );
    complaint("grid info minus.tioga", &["the coefficient -1 is negative", "minus.tioga:1"]);
    let purposes = |text: &str| {
        let switch = tioga_testkit::example_text("switch/sw5");
        folder.write("purpose.tioga", format!("{switch}\n{text}"));
    };
    purposes("purpose P { init location s; fail location t; s -> t : on?; t -> s : off!; }");
    complaint("grid words purpose.tioga", &["can be taken again and again", "is acyclic"]);
    purposes("purpose P { init location s; fail desired location t; s -> t : on?; }");
    complaint("grid words purpose.tioga", &["is both `fail` and `desired`", "remove one"]);
    purposes("purpose P { init location s; accept location t; s -> t : on?; otherwise self; }");
    complaint("grid words purpose.tioga", &["the model has no purpose for a grid"]);
    complaint("grid words purpose.tioga -p P", &["the purpose `P` observes"]);
    complaint("grid words purpose.tioga -p Q", &["there is no purpose `Q`"]);
    complaint("synth purpose.tioga --method grid", &["the model has no purpose for a grid"]);
    complaint("grid info @train-gate", &["a grid has one"]);
    complaint("grid info @fsm-29", &["is an input or an output, not both"]);
    complaint("grid words @switch-purpose/sw5 --actions on,of", &["there is no action `of`"]);
    complaint("grid observe @switch/sw5 off", &["is an output"]);
    let run = folder.tioga(&["grid", "replay", "@switch-purpose/sw5", "-"], "1 of\n");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no action `of`"), "{}", run.err);
    let run = folder.tioga(&["grid", "replay", "@switch-purpose/sw5", "-"], "1 on(\n");
    assert!(run.code == 2 && run.err.contains("line 1:"), "{}", run.err);
}

#[test]
fn hidden_behaviour_is_warned_of() {
    let folder = Folder::new("grids-hidden");
    folder.write(
        "between.tioga",
        "input a, b; automaton M { clock x; init location p; location q;
           p -> q : a? when x > 0 && x < 1; p -> q : b? when x >= 1; }",
    );
    let run = tioga(&folder, "grid info between.tioga");
    assert_eq!(run.code, 0, "{}", run.out);
    assert!(run.err.contains("the granularity 1/1 hides the edge `p -> q : a?`"), "{}", run.err);
    assert!(run.err.contains("a finer `--granularity` may show it"), "{}", run.err);
    let run = tioga(&folder, "grid info between.tioga --granularity 1/2");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}

#[test]
fn test_makes_test_cases_of_words_and_runs_them() {
    let folder = Folder::new("grids-test");
    let run = tioga(&folder, "test @switch-purpose/sw5 --method grid --words 2");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let run = tioga(&folder, "synth @switch-purpose/sw5 --method grid --window 3");
    assert!(run.code == 2 && run.err.contains("--window"), "{}", run.err);
    let run = tioga(&folder, "synth @switch-purpose/sw5 --granularity 1/2");
    assert!(run.code == 2 && run.err.contains("--method"), "{}", run.err);
}

/// Without a purpose, runs are compared with the model alone.
#[test]
fn runs_are_replayed_without_a_purpose() {
    let folder = Folder::new("grid-replay-alone");
    folder.write("runs.txt", "on 5 off\n3 on 5 off\n");
    let run = folder.tioga(&["grid", "replay", "@switch/sw5", "runs.txt"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let expected = "on 5 off\n  conforms to the model\n  ends in q0\n3 on 5 off\n  conforms to the model\n  ends in q0\n";
    assert_eq!(run.out, expected);
    folder.write("runs.txt", "on 6 off\n");
    let run = folder.tioga(&["grid", "replay", "@switch/sw5", "runs.txt"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("does not conform: after `on`, `6` is not possible"), "{}", run.out);
}

/// An action of the interface that no edge of the model carries is not possible; another one is a mistake in the run.
#[test]
fn actions_that_no_edge_carries_are_judged() {
    let folder = Folder::new("grid-replay-unused");
    let model = "input on; output off, bang(int[0, 9] loud);
automaton Lamp {
  clock c;
  init location dark;
  location bright invariant c <= 5;
  dark -> bright : on? do c = 0;
  bright -> dark : off! when c == 5;
}
purpose Bang {
  init location s0;
  fail location s1;
  s0 -> s1 : bang(loud)!;
}
purpose Twice {
  init location t0;
  location t1;
  fail location t2;
  t0 -> t1 : on?;
  t1 -> t2 : off!;
}
";
    folder.write("lamp.tioga", model);
    folder.write("runs.txt", "on 2 bang(3)\n");
    for purpose in ["Bang", "Twice"] {
        let run = folder.tioga(&["grid", "replay", "lamp.tioga", "-p", purpose, "runs.txt"], "");
        assert_eq!(run.code, 1, "{purpose}: {}{}", run.out, run.err);
        let wrong = "does not conform: after `on 2`, `bang(3)` is not possible";
        assert!(run.out.contains(wrong), "{purpose}: {}", run.out);
        let on_grid = ["grid", "replay", "lamp.tioga", "-p", purpose, "runs.txt", "--on-grid"];
        let run = folder.tioga(&on_grid, "");
        assert_eq!(run.code, 1, "{purpose}: {}{}", run.out, run.err);
    }
    for (runs, message) in
        [("on boom\n", "there is no action `boom`"), ("bang\n", "`bang` carries 1 values, not 0")]
    {
        folder.write("runs.txt", runs);
        let run = folder.tioga(&["grid", "replay", "lamp.tioga", "-p", "Twice", "runs.txt"], "");
        assert_eq!(run.code, 2, "{}", run.out);
        assert!(run.err.contains(message), "{}", run.err);
    }
}

/// Table 1 of BON09 (chapter 3): the locations of the product with their invariants.
#[test]
fn the_product_with_a_purpose_is_printed() {
    let folder = Folder::new("grid-product");
    let run = folder.tioga(&["grid", "product", "@switch-purpose/sw5"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].ends_with(": 6 locations, 9 edges"), "{}", run.out);
    assert_eq!(lines.len(), 1 + 6 + 9);
    let invariant = |name: &str| {
        let start = format!("{name}: ");
        let found = lines.iter().find_map(|line| line.strip_prefix(&start));
        let mut parts: Vec<String> = found
            .unwrap_or_else(|| panic!("no {name} in {}", run.out))
            .split([',', '&'])
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect();
        parts.sort_unstable();
        parts
    };
    assert_eq!(invariant("(q1,s1)"), ["OnOnOff.d <= 5", "Switch.c <= 5"]);
    assert_eq!(invariant("(q1,s2)"), ["OnOnOff.d <= 10", "Switch.c <= 5"]);
    assert!(invariant("(q0,s3)").contains(&"fail".to_owned()));
    let json = ["--format", "json", "grid", "product", "@switch-purpose/sw5"];
    let result = folder.tioga(&json, "").json();
    assert_eq!(result["result"]["edges"].as_array().unwrap().len(), 9);
}
