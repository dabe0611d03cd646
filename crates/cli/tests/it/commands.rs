//! The commands through the real binary, on files and on embedded examples.

use crate::binary::{Folder, Json};
use tioga_testkit::root;

const LAMP: &str = "\
// A lamp.
input press;
output dim;

automaton Lamp {
  clock x;
  int[0, 2] n;

  init location Off;
  location On invariant x <= 2.5;

  Off -> On : press? do x = 0;
  On -> Off : dim! when x >= 1 do n = n + 1;
}
";

#[test]
fn check_describes_a_model_and_strict_counts_warnings() {
    let folder = Folder::new("check");
    folder.write("lamp.tioga", LAMP);
    let run = folder.tioga(&["check", "lamp.tioga"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("lamp: well-formed\n"), "{}", run.out);
    let value = folder.tioga(&["--format", "json", "check", "lamp.tioga"], "").json();
    let result = &value["result"];
    assert_eq!(result["parts"][0]["locations"], 2);
    assert_eq!(result["scale"], 2);
    assert_eq!(result["channels"][0]["direction"], "input");
    assert_eq!(result["properties"][0]["property"], "deterministic");
    assert_eq!(result["properties"][0]["verdict"], "yes");
    folder.write("one-sided.tioga", LAMP.replace("output dim", "chan dim"));
    assert_eq!(folder.tioga(&["check", "one-sided.tioga"], "").code, 0);
    let strict = folder.tioga(&["check", "--strict", "one-sided.tioga"], "");
    assert_eq!(strict.code, 1);
    assert!(strict.err.contains("warning[one-sided]"), "{}", strict.err);
}

#[test]
fn fmt_changes_files_in_place_once_and_check_only_lists_them() {
    let folder = Folder::new("fmt");
    let sloppy = LAMP.replace("  clock x;", "clock   x ;");
    folder.write("lamp.tioga", &sloppy);
    folder.write("good.tioga", LAMP);
    let run = folder.tioga(&["fmt", "--check", "lamp.tioga", "good.tioga"], "");
    assert_eq!((run.code, run.out.as_str()), (1, "lamp.tioga\n"));
    assert_eq!(folder.read("lamp.tioga"), sloppy);
    let run = folder.tioga(&["fmt", "lamp.tioga", "good.tioga"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "lamp.tioga\n"));
    assert_eq!(folder.read("lamp.tioga"), LAMP);
    assert_eq!(folder.tioga(&["fmt", "--check", "lamp.tioga"], "").code, 0);
    let run = folder.tioga(&["fmt", "--stdin"], &sloppy);
    assert_eq!((run.code, run.out.as_str()), (0, LAMP));
}

#[test]
fn fmt_leaves_a_file_with_mistakes_alone_and_goes_on() {
    let folder = Folder::new("fmt_mistakes");
    folder.write("bad.tioga", "automaton {");
    folder.write("lamp.tioga", LAMP.replace("  clock x;", "clock x;"));
    let run = folder.tioga(&["fmt", "bad.tioga", "lamp.tioga"], "");
    assert_eq!((run.code, run.out.as_str()), (2, "lamp.tioga\n"));
    assert_eq!(folder.read("bad.tioga"), "automaton {");
    assert_eq!(folder.read("lamp.tioga"), LAMP);
    folder.write("model.xml", "<nta/>");
    assert_eq!(folder.tioga(&["fmt", "model.xml"], "").code, 2);
    assert_eq!(folder.read("model.xml"), "<nta/>");
}

#[test]
fn the_same_seed_gives_the_same_run_and_another_seed_another() {
    let folder = Folder::new("seeds");
    let run = |seed: &str| folder.tioga(&["simulate", "--json", "--seed", seed], "").out;
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1"), run("2"));
    assert!(run("1").starts_with("{\"tioga_trace\":1,\"model\":\"smart_light\",\"seed\":1}\n"));
}

#[test]
fn a_simulated_trace_replays_in_both_forms() {
    let folder = Folder::new("replay");
    for (file, seed) in [("run.trace", "5"), ("run.jsonl", "6")] {
        let arguments = ["simulate", "@train-gate", "--steps", "30", "--seed", seed, "-o", file];
        assert_eq!(folder.tioga(&arguments, "").code, 0);
        let run = folder.tioga(&["replay", "@train-gate", file], "");
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        assert!(run.out.starts_with("possible: 30 steps in "), "{}", run.out);
    }
    assert!(folder.read("run.jsonl").starts_with('{'));
    assert!(folder.read("run.trace").starts_with("tioga-trace 1\n"));
}

#[test]
fn an_impossible_trace_is_told_with_what_was_possible_instead() {
    let folder = Folder::new("impossible");
    folder.write("lamp.tioga", LAMP);
    let trace = "tioga-trace 1\nmodel lamp\ndelay 1\ninput press\ndelay 1/2\noutput dim\n";
    folder.write("run.trace", trace);
    let run = folder.tioga(&["replay", "lamp.tioga", "run.trace"], "");
    assert_eq!(run.code, 1);
    let out = "\
impossible: step 4 of the trace
before it:
  locations  Lamp.On
  data       Lamp.n = 0
  clocks     Lamp.x = 0.5
possible instead:
  wait for [0,2]
  dim!  after [0.5,2]  Lamp: On -> Off
";
    assert_eq!(run.out, out);
    let err = "\
error[impossible-step]: `dim!` is not possible here
 --> run.trace:6:1
  |
6 | output dim
  | ^^^^^^^^^^ step 4 of the trace

";
    assert_eq!(run.err, err);
    let value = folder.tioga(&["--format", "json", "replay", "lamp.tioga", "run.trace"], "").json();
    assert_eq!(value["exit"], 1);
    assert_eq!(value["result"]["possible"], false);
    assert_eq!(value["result"]["offers"][0]["windows"], "[1/2,2]");
    folder.write("run.trace", trace.replace("press", "pres"));
    let run = folder.tioga(&["replay", "lamp.tioga", "run.trace"], "");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("did you mean `press`?"), "{}", run.err);
}

#[test]
fn a_fault_is_a_warning_with_its_place_and_ends_a_run_that_has_nothing_else() {
    let folder = Folder::new("fault");
    let text = LAMP.replace("On invariant x <= 2.5", "On").replace("n + 1", "n + 2");
    folder.write("lamp.tioga", text);
    let run = folder.tioga(&["simulate", "lamp.tioga"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("no step is left that can be evaluated"), "{}", run.out);
    assert!(
        run.err.starts_with("warning[evaluation-fault]: the value 4 lies outside"),
        "{}",
        run.err
    );
    assert!(run.err.contains("--> lamp.tioga:13:"), "{}", run.err);
}

#[test]
fn time_limits_and_settings_are_obeyed() {
    let folder = Folder::new("limits");
    let arguments = ["--format", "json", "simulate", "--steps", "1000", "--max-time", "7/2"];
    let value = folder.tioga(&arguments, "").json();
    assert_eq!(value["result"]["stop"], "time");
    assert_eq!(value["result"]["time"], "7/2");
    let arguments =
        ["--format", "json", "simulate", "@khoumsi/fig1", "--set", "p=5", "--steps", "0"];
    let value = folder.tioga(&arguments, "").json();
    assert_eq!(value["result"]["end"]["data"]["p"], 5);
}

#[test]
fn an_interactive_run_obeys_undoes_saves_and_complains() {
    let folder = Folder::new("interactive");
    let commands = "1 3/2\n2 3\n9\nfly\nd 1/2\nd 9\nu\ns run.trace\n2 1\nq\n";
    let run = folder.tioga(&["simulate", "-i", "-o", "end.jsonl"], commands);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for line in [
        "  1  touch?  after [0,20)    Light: Off -> L1",
        "  2  touch?  after [20,inf)  Light: Off -> L5",
        "step 2 is possible after [0,2]",
        "there is no step 9",
        "`fly` is no command; ? shows them",
        "time 2",
        "one may wait for [0,1.5] only",
        "trace written to run.trace",
        "2 steps in 2.5 time units",
    ] {
        assert!(run.out.lines().any(|shown| shown == line), "`{line}` is not in\n{}", run.out);
    }
    let saved = "tioga-trace 1\nmodel smart_light\ndelay 3/2\ninput touch by Light: Off -> L1 #0\n";
    assert_eq!(folder.read("run.trace"), saved);
    assert_eq!(folder.tioga(&["replay", "@smart-light", "end.jsonl"], "").code, 0);
}

#[test]
fn an_interactive_run_takes_values_and_ends_with_its_input() {
    let folder = Folder::new("interactive_values");
    let run = folder.tioga(&["simulate", "@khoumsi/fig1", "-i"], "1\n1 (7) 1\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("`phi` carries values"), "{}", run.out);
    assert!(run.out.contains("Spec.x = 7"), "{}", run.out);
    assert!(run.out.ends_with("1 step in 1 time unit\n"), "{}", run.out);
}

#[test]
fn pictures_are_made_in_both_forms() {
    let folder = Folder::new("pictures");
    let dot = folder.tioga(&["convert", "@smart-light", "--to", "dot"], "");
    assert_eq!(dot.code, 0);
    assert!(
        dot.out.contains("n0_0 -> n0_3 [label=\"touch?\\n[x < 20]\\n{ Tp = 0 }\"];"),
        "{}",
        dot.out
    );
    assert_eq!(folder.tioga(&["convert", "@smart-light", "-o", "light.svg"], "").code, 0);
    assert!(folder.read("light.svg").trim_end().ends_with("</svg>"));
}

#[test]
fn what_a_language_cannot_say_is_refused_and_nothing_is_written() {
    let folder = Folder::new("inexpressible");
    let run = folder.tioga(&["convert", "@fsm-29", "-o", "fsm.tck"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot be written as .tck"), "{}", run.err);
    assert!(!folder.0.join("fsm.tck").exists());
    let run = folder.tioga(&["convert", "@fsm-29", "-o", "fsm.png"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("does not say what to write"), "{}", run.err);
}

#[test]
fn the_interface_of_a_foreign_model_survives_in_its_translation() {
    let folder = Folder::new("interface");
    let model = "chan press, dim;
process Lamp() { state Off, On; init Off; trans Off -> On { sync press?; }, On -> Off { sync dim!; }; }
process User() { state U; init U; trans U -> U { sync press!; }; }
system User, Lamp;
";
    folder.write("lamp.xta", model);
    folder.write("lamp.interface.toml", "environment = [\"User\"]\n");
    let run = folder.tioga(&["convert", "lamp.xta", "--to", "tioga"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    for line in ["input press;", "output dim;", "system Lamp environment User;"] {
        assert!(run.out.contains(line), "`{line}` is not in\n{}", run.out);
    }
}

/// The run of a model from a seed: everything but the name of the model.
fn run_of(folder: &Folder, model: &str) -> String {
    let run = folder.tioga(&["simulate", model, "--steps", "60", "--seed", "11"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    run.out.split_once('\n').unwrap().1.to_owned()
}

#[test]
fn a_converted_train_gate_runs_as_the_original() {
    let folder = Folder::new("train_gate");
    let original = run_of(&folder, "@train-gate");
    assert!(original.contains("stop["), "{original}");
    for name in ["gate.xml", "gate.xta", "gate.tioga"] {
        assert_eq!(folder.tioga(&["convert", "@train-gate", "-o", name], "").code, 0);
        assert_eq!(run_of(&folder, name), original, "{name}");
    }
    let shared = root().join("../shared/models/uppaal/train-gate.xml");
    if !shared.is_file() {
        return; // The models of others are not always there.
    }
    let shared = shared.to_str().unwrap();
    let original = run_of(&folder, shared);
    for name in ["theirs.tioga", "theirs.xml", "theirs.xta"] {
        assert_eq!(folder.tioga(&["convert", shared, "-o", name], "").code, 0);
        assert_eq!(run_of(&folder, name), original, "{name}");
    }
}

#[test]
fn queries_come_from_a_file_beside_the_model_or_from_an_option() {
    let folder = Folder::new("queries");
    folder.write("m.xta", "process P() { state A, B; init A; trans A -> B { }; } system P;");
    folder.write("m.q", "/*\nB can be reached\n*/\nE<> P.B\n\nE<> P.C\n");
    let run = folder.tioga(&["convert", "m.xta", "--to", "tioga"], "");
    assert_eq!(run.code, 0);
    assert!(run.out.ends_with("query \"B can be reached\" E<> P.B;\n"), "{}", run.out);
    assert!(run.err.contains("m.q:6:7"), "{}", run.err);
    folder.write("other.q", "A[] not deadlock\n");
    let run = folder.tioga(&["convert", "m.xta", "--to", "tioga", "--queries", "other.q"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.ends_with("query A[] !deadlock;\n"), "{}", run.out);
    let run = folder.tioga(&["check", "m.xta", "--queries", "missing.q"], "");
    assert_eq!(run.code, 2);
}

#[test]
fn reach_answers_queries_with_runs_that_replay() {
    let folder = Folder::new("reach");
    folder.write("lamp.tioga", LAMP);
    let ask = ["reach", "lamp.tioga", "-q", "E<> Lamp.n == 1 && Lamp.x > 2", "-o", "run.jsonl"];
    let run = folder.tioga(&ask, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    assert!(run.out.contains("E<> Lamp.n == 1 && Lamp.x > 2: holds"), "{}", run.out);
    assert_eq!(folder.tioga(&["replay", "lamp.tioga", "run.jsonl"], "").code, 0);
    let run = folder.tioga(&["reach", "lamp.tioga", "-q", "A[] Lamp.On imply Lamp.x < 5/2"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    let run = folder.tioga(&["reach", "lamp.tioga", "-q", "A[] !deadlock"], "");
    assert_eq!(run.code, 1, "n overflows after two rounds: {}", run.out);
    let run = folder.tioga(&["reach", "lamp.tioga", "-q", "E<> Lamp.Broken"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("query:1:10"), "{}", run.err);
    let run = folder.tioga(&["reach", "lamp.tioga", "-q", "A<> Lamp.On"], "");
    assert_eq!(run.code, 1, "the lamp may stay off: {}", run.out);
}

#[test]
fn reach_decides_urgent_guards_and_invariants_with_alternatives() {
    let folder = Folder::new("reach-urgent");
    let model = "\
urgent chan hurry;
automaton Boiler {
  clock x;
  init location Cold invariant x < 3 || x >= 4;
  location Hot invariant x <= 5 || x >= 6;
  location Late;
  Cold -> Hot : hurry! when x >= 2;
  Cold -> Late : when x > 2;
  Hot -> Late : when x == 6;
}
automaton Cook {
  init location Any;
  Any -> self : hurry?;
}
system Boiler, Cook;
";
    folder.write("boiler.tioga", model);
    let ask = |query: &str, code: i32| {
        let run = folder.tioga(&["reach", "boiler.tioga", "-q", query, "-o", "run.jsonl"], "");
        assert_eq!((run.code, run.err.as_str()), (code, ""), "{}", run.out);
    };
    ask("E<> Boiler.Hot && Boiler.x == 5", 0);
    assert_eq!(folder.tioga(&["replay", "boiler.tioga", "run.jsonl"], "").code, 0);
    // Nothing waits past the urgent guard, and nothing leaps over the gap of an invariant.
    ask("E<> Boiler.Late", 1);
    ask("A[] Boiler.Cold imply Boiler.x <= 2", 0);
    ask("A[] !deadlock", 1);
}

#[test]
fn no_query_is_skipped_in_silence() {
    let folder = Folder::new("reach-unanswered");
    let model = "input a; output b;
automaton P { init location M; location N; M -> N : a?; N -> M : b!; }
query A<> P.N;
query E<> P.N;
query P.M --> P.N;
query E[] P.M;
query control: A<> P.N;
";
    folder.write("m.tioga", model);
    let run = folder.tioga(&["reach", "m.tioga"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    for answer in ["A<> P.N: does not hold", "P.M --> P.N: does not hold", "E[] P.M: holds"] {
        assert!(run.out.contains(answer), "{}", run.out);
    }
    assert!(run.out.contains("from there time passes for ever"), "{}", run.out);
    assert!(run.out.contains("E<> P.N: holds\n"), "{}", run.out);
    let run = folder.tioga(&["reach", "m.tioga", "-q", "control: A<> P.N"], "");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("`tioga solve` answers it"), "{}", run.err);
}

#[test]
fn deadlock_is_part_of_conditions_and_processes_are_named_by_constant_expressions() {
    let folder = Folder::new("reach-conditions");
    let model = "const int N = 2; clock z;
process P(int[0, N - 1] i) { state A, B, C; init A;
  trans A -> B { guard z >= 2; }, A -> C { }, C -> C { guard z < 5; }; }
system P;
";
    folder.write("m.xta", model);
    let ask = |query: &str| {
        let run = folder.tioga(&["reach", "m.xta", "-q", query], "");
        assert_eq!(run.err, "", "{query}");
        run.code
    };
    assert_eq!(ask("E<> P(N-1).B"), 0);
    assert_eq!(ask("E<> P(N - 2).C && P(2 * N - 3).B"), 0);
    assert_eq!(ask("E<> deadlock && P(0).B && P(1).B"), 0);
    assert_eq!(ask("E<> deadlock && P(0).A"), 1);
    // The loop in C ends at 5, and nothing else is left then.
    assert_eq!(ask("E<> deadlock && P(0).C && z < 5"), 1);
    assert_eq!(ask("E<> deadlock && P(0).C && z >= 5"), 0);
    assert_eq!(ask("A[] deadlock imply !P(0).A"), 0);
    assert_eq!(ask("A[] (deadlock && P(0).B) imply z >= 5"), 1);
    assert_eq!(ask("P(0).C && P(1).C --> deadlock || z < 5"), 0);
    assert_eq!(ask("E[] !deadlock || P(0).B"), 0);
}

#[test]
fn runs_that_repeat_themselves_are_shown_and_replayed() {
    let folder = Folder::new("reach-liveness");
    let model = "output tick, tock;
automaton P {
  clock x;
  init location A invariant x <= 2;
  location B;
  A -> A : tick! when x >= 1 do x = 0;
  A -> B : tock! when x >= 2;
}
";
    folder.write("m.tioga", model);
    let ask = |query: &str, more: &[&str]| {
        let mut arguments = vec!["--format", "json", "reach", "m.tioga", "-q", query];
        arguments.extend(more);
        let run = folder.tioga(&arguments, "");
        let result = run.json()["result"]["queries"][0].clone();
        (run.code, result)
    };
    let (code, found) = ask("A<> P.B", &["-o", "turning.jsonl"]);
    assert_eq!((code, &found["goes"]), (1, &serde_json::json!("diverges")), "{found}");
    let (all, turn) = (found["trace"].as_array().unwrap(), found["turn"].as_array().unwrap());
    assert!(!turn.is_empty() && all.ends_with(turn), "{found}");
    assert_eq!(folder.tioga(&["replay", "m.tioga", "turning.jsonl"], "").code, 0);
    let text = folder.tioga(&["reach", "m.tioga", "-q", "A<> P.B"], "");
    assert!(
        text.out.contains(" on this is repeated for ever, with suitable delays; time diverges")
    );
    // Where the clock is bounded, time is too.
    assert_eq!(ask("E[] P.A && P.x <= 1", &[]).0, 0);
    assert_eq!(ask("E[] P.A && P.x < 1", &[]).0, 1);
    assert_eq!(ask("P.A && P.x > 1 --> P.x <= 1 || P.B", &[]).0, 0);

    let zeno =
        "internal go; automaton P { clock y; init location A invariant y <= 3; A -> A : go; }";
    folder.write("m.tioga", zeno);
    let (code, found) = ask("E[] P.y < 2", &[]);
    assert_eq!((code, &found["goes"]), (0, &serde_json::json!("zeno")), "{found}");
    assert_eq!(ask("E[] P.y < 2", &["--non-zeno"]).0, 1);
    assert_eq!(ask("A<> P.y >= 2", &["--non-zeno"]).0, 0);
}

#[test]
fn reach_says_when_a_limit_ends_it_and_keeps_what_it_knows() {
    let folder = Folder::new("reach-limits");
    let limited = ["--format", "json", "reach", "@train-gate", "--all", "--max-states", "10"];
    let run = folder.tioga(&limited, "");
    assert_eq!(run.code, 3);
    let value = run.json();
    let result = &value["result"]["queries"][0];
    assert_eq!(result["stats"]["visited"], 10);
    assert_eq!(result["holds"], serde_json::Value::Null);
    let mut counts = Vec::new();
    for threads in ["1", "2", "3"] {
        let all = ["--format", "json", "reach", "@train-gate", "--all", "--threads", threads];
        let value = folder.tioga(&all, "").json();
        let stats = &value["result"]["queries"][0]["stats"];
        counts.push((stats["visited"].clone(), stats["stored"].clone(), stats["covered"].clone()));
    }
    assert!(counts.windows(2).all(|pair| pair[0] == pair[1]), "{counts:?}");
}
