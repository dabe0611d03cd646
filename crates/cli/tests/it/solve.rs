//! `tioga solve` through the real binary: the ranks and strategies that papers print, and bad input.

use crate::binary::{Folder, Json};

/// The standings of states of an example, asked in one go.
fn at(folder: &Folder, example: &str, states: &[(&str, &str)]) {
    let model = format!("@{example}");
    for method in ["on-the-fly", "backward"] {
        let mut args = vec!["solve", &model, "--method", method];
        states.iter().for_each(|(state, _)| args.extend(["--at", state]));
        let run = folder.tioga(&args, "");
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        let expected: String = states.iter().map(|(_, rank)| format!("{rank}\n")).collect();
        assert_eq!(run.out, expected, "{example}");
    }
}

#[test]
fn ranks_of_the_worked_examples() {
    let folder = Folder::new("solve-at");
    at(
        &folder,
        "conveyor-game",
        &[
            ("D2A", "0 0"),
            ("D2A; x=9; y=1/3", "0 0"),
            ("St; x=0; y=0", "1 0"),
            ("St; x=5/2; y=1", "1 0"),
            ("Belt.St; Belt.x=5; Belt.y=5", "1 0"),
            ("St; x=51/10; y=51/10", "1 1"),
            ("St; x=6; y=6", "1 1"),
            ("Wa", "1 1"),
            ("D1St; x=100; y=100", "1 1"),
            ("D2St; x=0; y=7", "1 1"),
            ("St; x=5; y=11/2", "1 2"),
            ("St; x=61/10; y=0", "fail"),
        ],
    );
    at(
        &folder,
        "complex",
        &[
            ("l6", "0 0"),
            ("l5", "0 1"),
            ("l4; x=41/10", "0 2"),
            ("l4; x=4", "1 0"),
            ("l3; x=5", "1 0"),
            ("l2; x=29/10", "1 1"),
            ("l2; x=3", "1 2"),
            ("l0; x=3", "2 0"),
            ("l1; x=17", "2 0"),
            ("l0; x=31/10", "2 1"),
        ],
    );
    at(&folder, "smart-light", &[("Off", "0 4"), ("Bright; x=3", "0 0")]);
    at(&folder, "problematic-light", &[("Off", "1 1"), ("Bright", "0 0"), ("L1; Tp=3", "fail")]);
}

#[test]
fn the_strategy_of_the_manual_for_its_running_example() {
    let folder = Folder::new("solve-concur05");
    let args = ["solve", "@concur05", "-q", "control: A<> Main.goal", "--strategy", "goal.txt"];
    assert_eq!(folder.tioga(&args, "").code, 0);
    // The system's edges are silent here, so they are awaited without a name.
    let expected = "\
State: ( Main.L0 )
When you are in (x == 1), take (internal) { Main: L0 -> L1 }. [(0, 2)]
While you are in (x < 1), wait for (internal). [(0, 4)]

State: ( Main.L1 )
When you are in (x >= 2), take (internal) { Main: L1 -> goal }. [(0, 1)]
While you are in (x >= 1 && x < 2), wait. [(0, 1)]
While you are in (x < 1), wait for (internal). [(0, 4)]

State: ( Main.L2 )
When you are in (x <= 1), take (internal) { Main: L2 -> L3 }. [(0, 3)]

State: ( Main.goal )
In (always), the objective is reached.

State: ( Main.L3 )
When you are in (x == 1), take (internal) { Main: L3 -> L1 }. [(0, 2)]
While you are in (x < 1), wait. [(0, 2)]
";
    assert_eq!(folder.read("goal.txt").trim(), expected.trim());
}

#[test]
fn answers_say_where_luck_is_needed() {
    let folder = Folder::new("solve-luck");
    let run = folder.tioga(&["solve", "@conveyor-game", "-q", "control: A<> Belt.D2A"], "");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("does not hold\n  rank (1, 0): 1 control loss\n"), "{}", run.out);
    let luck = "at St, y <= 5: needs the system not to answer waste! or past! first\n";
    assert!(run.out.contains(luck), "{}", run.out);
    let args = ["--format", "json", "solve", "@conveyor-game", "--ranks"];
    let value = folder.tioga(&args, "").json();
    let result = &value["result"]["queries"][1];
    assert_eq!(result["holds"], true);
    assert_eq!(result["losses"], 1);
    assert_eq!(result["rank_exact"], true);
    assert_eq!(result["luck"][0]["feared"][0], "waste!");
    assert_eq!(result["stats"]["states"], 5);
}

#[test]
fn answers_do_not_depend_on_threads_or_method() {
    let folder = Folder::new("solve-threads");
    for (model, query) in [
        ("@car-alarm", "control: A<> Siren.Active"),
        ("@train-gate", "control: A<> Gate.length == 2 && Gate.Occupied"),
        ("@concur05", "control: A[ !Main.L4 W Main.goal ]"),
    ] {
        let solve = |options: &[&str]| {
            let args = ["--format", "json", "solve", model, "-q", query, "--strategy", "s.json"];
            let args: Vec<&str> = args.into_iter().chain(options.iter().copied()).collect();
            let value = folder.tioga(&args, "").json();
            (value["result"]["holds"].clone(), folder.read("s.json"))
        };
        let one = solve(&["--threads", "1"]);
        assert_eq!(one, solve(&["--threads", "2"]), "{model}");
        assert_eq!(one, solve(&["--threads", "7"]), "{model}");
        assert_eq!(one.0, solve(&["--method", "backward"]).0, "{model}");
        let strategy: serde_json::Value = serde_json::from_str(&one.1).unwrap();
        assert_eq!(strategy["format"], "tioga-strategy");
        assert!(strategy["states"].as_array().is_some_and(|states| !states.is_empty()));
    }
}

#[test]
fn an_objective_within_a_time() {
    let folder = Folder::new("solve-within");
    let solve = |time: &str| folder.tioga(&["solve", "@smart-light", "--within", time], "").code;
    // The light may take two time units for each of its two answers.
    assert_eq!(solve("4"), 0);
    assert_eq!(solve("3"), 1);
    let run = folder.tioga(&["solve", "@smart-light", "--within", "1/3"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("not a multiple"), "{}", run.err);
}

/// A package that may fall from the belt for good.
const FRAGILE: &str = "
model fragile;
input take, wait;
output drop, ready;
automaton Belt {
  clock x;
  init location Moving invariant x <= 4;
  location Near invariant x <= 4;
  location Lost;
  accept location Taken;
  Moving -> Near : ready! when x >= 1;
  Moving -> Lost : drop! when x >= 3;
  Near -> Taken : take?;
}
query E<> control: A<> Belt.Taken;
";

#[test]
fn safety_first_counts_risks() {
    let folder = Folder::new("solve-safety");
    folder.write("fragile.tioga", FRAGILE);
    let states = ["--at", "Moving", "--at", "Near", "--at", "Lost", "--at", "Taken"];
    let solve = |mode: &str| {
        let args: Vec<&str> = ["solve", "fragile.tioga", mode].into_iter().chain(states).collect();
        folder.tioga(&args, "").out
    };
    assert_eq!(solve("--ranks"), "1 0\n0 1\nnone\n0 0\n");
    // `ready!` may come at 1 before `drop!` is possible: hoping for it is no risk yet.
    assert_eq!(solve("--safety-first"), "0 1 0\n0 0 1\nnone\n0 0 0\n");
    folder.write("fragile.tioga", FRAGILE.replace("x >= 3", "x >= 1"));
    assert_eq!(solve("--safety-first"), "1 0 0\n0 0 1\nnone\n0 0 0\n");
}

#[test]
fn limits_give_unknown_and_unsatisfiable_objectives_say_so() {
    let folder = Folder::new("solve-limits");
    let query = "control: A<> Gate.length == 2 && Gate.Occupied";
    let run = folder.tioga(&["solve", "@train-gate", "-q", query, "--max-states", "1"], "");
    assert_eq!(run.code, 3, "{}", run.out);
    assert!(run.out.contains("unknown\n  a limit was reached first\n"), "{}", run.out);
    let run =
        folder.tioga(&["solve", "@smart-light", "-q", "control: A<> Light.Off && Light.L1"], "");
    assert_eq!(run.code, 1);
    assert!(run.out.contains("unreachable even with cooperation"), "{}", run.out);
}

#[test]
fn bad_input_is_explained() {
    let folder = Folder::new("solve-bad");
    let complaint = |args: &[&str], words: &str| {
        let run = folder.tioga(args, "");
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    };
    let light = "@smart-light";
    complaint(&["solve", light, "-q", "control: A<> Light.Brigt"], "Brigt");
    complaint(&["solve", light, "-q", "E<> Light.Bright"], "`control: …`");
    complaint(&["solve", light, "--at", "Brigt"], "did you mean `Bright`?");
    complaint(&["solve", light, "--at", "Off; y=1"], "no clock or variable `y`");
    complaint(&["solve", light, "--at", "Off; x=-1"], "never negative");
    complaint(&["solve", "@fsm-29"], "no objective");
    // The conveyor as it is has internal steps: a tester cannot tell where it is.
    let query = ["-q", "control: A<> Belt.Dest2", "--ranks"];
    let ranks: Vec<&str> = ["solve", "@conveyor"].into_iter().chain(query).collect();
    complaint(&ranks, "without internal steps");
    let all_seeing: Vec<&str> = ranks.iter().copied().chain(["--full-information"]).collect();
    assert_eq!(folder.tioga(&all_seeing, "").code, 1);
}

#[test]
fn a_nondeterministic_model_has_no_ranks() {
    let folder = Folder::new("solve-choice");
    folder.write(
        "choice.tioga",
        "model choice; input a; output b;
         automaton P { init location A; location B, C; A -> B : a?; A -> C : a?; C -> B : b!; }
         query control: A<> P.B;",
    );
    let run = folder.tioga(&["solve", "choice.tioga", "--ranks"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("the tester cannot tell"), "{}", run.err);
    assert_eq!(folder.tioga(&["solve", "choice.tioga"], "").code, 0);
}

#[test]
fn forced_outputs_are_told_apart_from_unforced_ones() {
    let folder = Folder::new("solve-forced");
    // The model, and whether the tester wins strictly, wins fairly, and wins if it is helped.
    for (name, strict, fair, helped) in [
        ("choice", true, true, true),
        ("unforced", false, true, true),
        ("forced", true, true, true),
        ("open-bound", true, true, true),
        ("too-early", false, true, true),
        ("two-outputs", false, false, true),
        ("in-time", true, true, true),
        ("race", false, false, true),
        ("own-move", true, true, true),
        ("other-process", true, true, true),
    ] {
        let model = &format!("@forced-outputs/{name}");
        let holds = |query: &str, mode: &str| {
            let args = ["solve", model, "-q", query, mode, "--full-information"];
            folder.tioga(&args, "").code == 0
        };
        assert_eq!(holds("control: A<> P.Goal", "--strict-only"), strict, "{name}, strict");
        assert_eq!(holds("control: A<> P.Goal", "--ranks"), fair, "{name}, fair");
        assert_eq!(holds("E<> control: A<> P.Goal", "--strict-only"), helped, "{name}, helped");
    }
}

#[test]
fn a_limit_leaves_the_best_strategy_so_far_and_no_false_no() {
    let folder = Folder::new("solve-partly");
    // The way that needs luck is short, the one that needs none is long.
    let mut text = String::from(
        "model ways; input a, b; output u, v;
         automaton P { clock x; init location L0; location Goal, Bad;
           L0 -> Short : a?; location Short; Short -> Goal : u!; Short -> Bad : v!;\n",
    );
    for index in 0..40 {
        let next = if index == 39 { "Goal".to_owned() } else { format!("L{}", index + 1) };
        if index > 0 {
            text.push_str(&format!("location L{index};\n"));
        }
        text.push_str(&format!("L{index} -> {next} : b?;\n"));
    }
    text.push_str("} query control: A<> P.Goal; query E<> control: A<> P.Goal;");
    folder.write("ways.tioga", text);
    let ranks = |options: &[&str]| {
        let args: Vec<&str> =
            ["solve", "ways.tioga", "--ranks"].into_iter().chain(options.iter().copied()).collect();
        folder.tioga(&args, "")
    };
    let run = ranks(&[]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("rank (0, 40): 0 control losses"), "{}", run.out);
    let run = ranks(&["--max-states", "12"]);
    assert!(run.out.contains("control: A<> P.Goal: unknown"), "{}", run.out);
    assert!(run.out.contains("rank at most (1, 1): 1 control loss"), "{}", run.out);
    assert_eq!(run.code, 3);
}

#[test]
fn reach_answers_with_a_symbolic_run_too() {
    let folder = Folder::new("reach-zones");
    let args = ["--format", "json", "reach", "@smart-light", "-q", "E<> Light.Bright"];
    let value = folder.tioga(&args, "").json();
    let zones = value["result"]["queries"][0]["zones"].clone();
    let expected = serde_json::json!([
        "Light.Off: Tp == x",
        "Light.L5: Tp <= 2 && Tp - x <= -20",
        "Light.Bright: x <= Tp && Tp - x <= 2"
    ]);
    assert_eq!(zones, expected);
}
