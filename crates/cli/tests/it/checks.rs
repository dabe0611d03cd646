//! What `tioga check` says first: what will hurt testing, in words and with the run that leads there; and
//! that its searches obey their limits.

use crate::binary::{Folder, Json, Run};

/// Checks a model and what is said about it.
fn check(name: &str, model: &str, options: &[&str]) -> Run {
    let folder = Folder::new(name);
    folder.write("model.tioga", model);
    let mut arguments = vec!["check", "model.tioga"];
    arguments.extend(options);
    folder.tioga(&arguments, "")
}

/// The names of what will hurt testing.
fn obstacles(name: &str, model: &str) -> Vec<String> {
    let folder = Folder::new(name);
    folder.write("model.tioga", model);
    let run = folder.tioga(&["--format", "json", "check", "model.tioga"], "");
    let found = run.json()["result"]["obstacles"].as_array().expect("it was explored").clone();
    found.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

const TIMELOCK: &str = "input go; output done;
automaton Pump {
  clock x;
  init location Idle;
  location Busy invariant x <= 3;
  Idle -> Busy : go? do x = 0;
  Busy -> Idle : done! when x >= 1 && x <= 2;
}";

#[test]
fn a_timelock_comes_first_with_its_run_and_only_strict_makes_it_an_exit_code() {
    let run = check("checks-timelock", TIMELOCK, &[]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "model: well-formed");
    assert!(lines[1].starts_with("1 thing will hurt testing"), "{}", run.out);
    assert!(
        lines[3].starts_with("1. timelock: nothing can happen before time runs out, unless the tester sends, after 2.5 time units in Pump.Busy"),
        "{}",
        run.out
    );
    assert_eq!(lines[4], "   run: go? at 0");
    let strict = check("checks-timelock-strict", TIMELOCK, &["--strict"]);
    assert_eq!(strict.code, 1, "{}{}", strict.out, strict.err);
    let fine = TIMELOCK.replace("&& x <= 2", "");
    let strict = check("checks-no-timelock-strict", &fine, &["--strict"]);
    assert_eq!(strict.code, 0, "{}{}", strict.out, strict.err);
    assert!(strict.out.contains("nothing found that will hurt testing"), "{}", strict.out);
}

#[test]
fn the_long_table_is_shown_on_request_and_json_is_complete() {
    let run = check("checks-short", TIMELOCK, &[]);
    assert!(!run.out.contains("properties, decided on the text"), "{}", run.out);
    let run = check("checks-long", TIMELOCK, &["--properties"]);
    for title in ["properties, decided", "reachability, in", "assumptions of testing"] {
        assert!(run.out.contains(title), "{}", run.out);
    }
    let folder = Folder::new("checks-json");
    folder.write("model.tioga", TIMELOCK);
    let run = folder.tioga(&["--format", "json", "check", "model.tioga"], "");
    let result = &run.json()["result"];
    for key in ["obstacles", "properties", "reachability", "assumptions"] {
        assert!(!result[key].is_null(), "{key}");
    }
    assert!(result["obstacles"][0]["trace"].is_array());
}

#[test]
fn an_update_out_of_range_is_named_with_its_move_and_its_run() {
    let model = "input go;
automaton Count {
  int[0, 2] n;
  init location A;
  A -> A : go? do n = n + 1;
}";
    let run = check("checks-range", model, &["--strict"]);
    assert_eq!(run.code, 1);
    assert!(
        run.out.contains("cannot-evaluate: the update of `Count: A -> A` cannot be evaluated"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("n = 2") && run.out.contains("run: go? at 0, go? at 0"),
        "{}",
        run.out
    );
    let model = model.replace("go? do", "go? when n < 2 do");
    let run = check("checks-in-range", &model, &[]);
    assert!(!run.out.contains("cannot-evaluate"), "{}", run.out);
}

#[test]
fn each_obstacle_is_found() {
    let dead = "input go; output done;
automaton A { init location S; location E; S -> E : go?; }";
    assert_eq!(obstacles("checks-dead", dead), ["deadlock", "never-sent"]);
    let silent = "input go; internal spin;
automaton A { clock x; init location S; location E invariant x <= 1; S -> E : go? do x = 0; E -> E : spin when x >= 1 do x = 0; }";
    assert_eq!(obstacles("checks-silent", silent), ["unobservable", "hidden-move"]);
    let ambiguous = "input go; output a, b;
automaton A { init location S; location L; location R; S -> L : go?; S -> R : go?; L -> S : a!; R -> S : b!; }";
    assert_eq!(obstacles("checks-ambiguous", ambiguous), ["nondeterministic", "silence-passes"]);
    let flood = "output a; automaton A { init location S; S -> S : a!; }";
    assert_eq!(obstacles("checks-flood", flood), ["flood", "silence-passes"]);
    let unreached = "input go, stop; automaton A { int[0, 1] n; init location S; location L; S -> S : go?; S -> L : go? when n == 1; L -> S : stop?; }";
    let found = ["never-accepted", "unreachable", "never-taken"];
    assert_eq!(obstacles("checks-unreached", unreached), found);
}

fn restarting(edge: &str) -> String {
    format!(
        "input go, again; output done;
automaton A {{
  clock x, unread;
  init location S invariant x <= 9;
  location B invariant x <= 9;
  S -> B : go?;
  B -> B : done! when x >= 1 do x = 0;
  S -> S : done! when x >= 1 do x = 0;
  S -> S : again? do x = 0;
  B -> {edge};
}}
purpose P {{ init location W; accept location G; W -> G : done!; otherwise self; restart again?; }}"
    )
}

#[test]
fn a_restart_leads_to_the_start_with_its_clocks_at_zero() {
    let word = |name: &str, model: &str| {
        let run = check(name, model, &["--properties"]);
        let row = run.out.lines().find(|line| line.trim_start().starts_with("restartable"));
        row.unwrap_or_else(|| panic!("{}{}", run.out, run.err))
            .split_whitespace()
            .nth(1)
            .unwrap()
            .to_owned()
    };
    // A clock that nothing reads need not be reset.
    let good = restarting("S : again? do x = 0");
    assert_eq!(word("checks-restart-good", &good), "yes");
    assert!(obstacles("checks-restart-fine", &good).is_empty());
    for (name, edge) in [("elsewhere", "B : again? do x = 0"), ("clock", "S : again?")] {
        let model = restarting(edge);
        assert_eq!(word(&format!("checks-restart-{name}"), &model), "no");
        let found = obstacles(&format!("checks-restart-{name}-found"), &model);
        assert_eq!(found, ["restart-elsewhere"], "{name}");
    }
    let none = restarting("B : go?");
    assert_eq!(obstacles("checks-restart-none", &none), ["no-restart"]);
}

/// Deciding where this model is stuck takes exponentially many pieces if all are made: each pair of clocks
/// multiplies them by four.
fn pairs(count: usize) -> String {
    let clocks: Vec<String> = (0..2 * count).map(|clock| format!("x{clock}")).collect();
    let mut text = format!(
        "input go; output done;\nautomaton Work {{\n  clock {}, z;\n  init location A invariant z <= 4;\n",
        clocks.join(", ")
    );
    for pair in 0..count {
        let (x, y) = (&clocks[2 * pair], &clocks[2 * pair + 1]);
        text.push_str(&format!(
            "  A -> A : done! when {x} >= 1 && {x} <= 2 && {y} >= 1 && {y} <= 2 do {x} = 0, z = 0;\n"
        ));
    }
    text.push_str("  A -> A : done! when z >= 3 && x0 <= 5 do x0 = 0, z = 0;\n");
    text.push_str("  A -> A : done! when z >= 3 && x0 > 5 do z = 0;\n}\n");
    text
}

#[test]
fn where_a_model_is_stuck_is_decided_without_making_all_pieces() {
    // With all pieces made, ten pairs of clocks take hours and all memory.
    let run = check("checks-pairs", &pairs(10), &["--max-states", "30"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("30 states and no further"), "{}", run.out);
    let folder = Folder::new("checks-pairs-reach");
    folder.write("model.tioga", pairs(10));
    let run =
        folder.tioga(&["reach", "model.tioga", "-q", "A[] !deadlock", "--max-states", "30"], "");
    assert!(run.out.contains("the limit of 30 visited states"), "{}{}", run.out, run.err);
}

/// The same with moves that are urgent where the clocks allow them.
fn urgent_pairs(count: usize) -> String {
    let urgent = pairs(count)
        .replace("invariant z <= 4", "")
        .replace("output done;", "output done; urgent chan hurry;")
        .replace("done! when x", "hurry! when x");
    format!("{urgent}automaton Any {{ init location S; S -> S : hurry?; }}\nsystem Work, Any;\n")
}

#[test]
fn urgent_moves_do_not_make_it_harder_to_say_where_a_model_is_stuck() {
    let run = check("checks-urgent", &urgent_pairs(6), &["--max-states", "30", "--properties"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("30 states and no further"), "{}", run.out);
    let stuck = urgent_pairs(2).replace("A -> A : done! when z >= 3 && x0 > 5 do z = 0;", "");
    let run = check("checks-urgent-stuck", &stuck, &[]);
    assert!(run.out.contains("deadlock: nothing can happen any more"), "{}", run.out);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_search_and_what_is_known_is_said() {
    use std::process::{Command, Stdio};
    let folder = Folder::new("checks-signal");
    folder.write("model.tioga", pairs(12));
    let child = Command::new(crate::binary::TIOGA)
        .args(["check", "model.tioga", "--max-states", "100000000"])
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Signals are handled when the search has taken some time of the processor.
    let stat = format!("/proc/{}/stat", child.id());
    tioga_testkit::wait_for("the search", || {
        let stat = std::fs::read_to_string(&stat).ok()?;
        let spent = stat.rsplit_once(") ")?.1.split(' ').nth(11)?.parse::<u64>().ok()?;
        (spent > 20).then_some(())
    });
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(3));
    let out = String::from_utf8(ended.stdout).unwrap();
    assert!(out.contains("and no further: interrupted"), "{out}");
}

#[test]
fn a_limit_ends_the_search_and_what_is_known_is_said() {
    let model = pairs(12);
    for (option, value, reason) in [
        ("--timeout", "1", "the time limit was reached"),
        ("--max-memory", "1", "the memory limit was reached"),
        ("--memory", "1M", "the memory limit was reached"),
    ] {
        let name = format!("checks-limit{option}");
        let options = [option, value, "--max-states", "1000000", "--properties"];
        let run = check(&name, &model, &options);
        assert_eq!(run.code, 3, "{}{}", run.out, run.err);
        assert!(run.out.contains(&format!("and no further: {reason}")), "{}", run.out);
        let row = run.out.lines().find(|line| line.contains("non-blocking")).unwrap();
        assert!(row.contains('?') && row.contains(reason), "{row}");
    }
}

#[test]
fn a_timelock_is_named_before_a_test_runs() {
    let folder = Folder::new("checks-test");
    folder.write("model.tioga", TIMELOCK);
    for options in [&["--online", "--actions", "3"][..], &["-p", "reach Pump.Busy"]] {
        let mut arguments = vec!["test", "model.tioga"];
        arguments.extend(options);
        let run = folder.tioga(&arguments, "");
        assert!(run.err.contains("the model has a timelock"), "{}{}", run.out, run.err);
        assert!(run.err.contains("after 2.5 time units in Pump.Busy"), "{}", run.err);
    }
    folder.write("fine.tioga", TIMELOCK.replace("&& x <= 2", ""));
    let run = folder.tioga(&["test", "fine.tioga", "-p", "reach Pump.Busy"], "");
    assert!(!run.err.contains("timelock"), "{}", run.err);
}

#[test]
fn channels_that_no_edge_uses_and_invariants_without_an_end_are_named() {
    let model = "input go, unheard; output done, unsaid;
automaton A {
  clock x;
  init location S;
  location B invariant x >= 5;
  S -> B : go?;
  B -> S : done! do x = 0;
}";
    let run = check("checks-warnings", model, &["--strict"]);
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    let text = "an invariant says how long a location may last, and this one gives no end";
    assert!(run.err.contains(text), "{}", run.err);
    let names = [
        "no run sends the output `unsaid` (line 1)",
        "no run accepts the input `unheard` (line 1)",
    ];
    for text in names {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    // What no edge mentions is known without a search to the end.
    let run = check("checks-unused-early", model, &["--max-states", "1"]);
    assert!(run.out.contains("and no further"), "{}", run.out);
    for text in names {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    let fine = model.replace(", unheard", "").replace(", unsaid", "");
    let run = check("checks-no-warnings", &fine.replace("x >= 5", "x >= 5 && x <= 9"), &[]);
    assert!(run.err.is_empty(), "{}", run.err);
}
