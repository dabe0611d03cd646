//! `tioga symbolic`: stages as text, pictures and JSON, and what is refused, with the reason.

use crate::binary::{Folder, Json, Run};

fn tioga(folder: &Folder, line: &[&str]) -> Run {
    folder.tioga(line, "")
}

const FIGURE_5: [&str; 4] = ["symbolic", "@khoumsi/fig5", "-p", "FirstRho"];

/// KHO Fig. 10 and section 6.5.
#[test]
fn the_test_graph_of_khoumsi_comes_out() {
    let folder = Folder::new("symbolic");
    let run = tioga(&folder, &FIGURE_5);
    assert_eq!(run.code, 0, "{}", run.err);
    for line in [
        "complete test graph of Spec with FirstRho: 6 nodes, 5 steps",
        "n0 -> n1 : phi(m)? [-; x = m]",
        "n1 -> n2 : <sigma?, Set(c1, 2, 3)>",
        "n2 -> n3 : Exp(c1, 2)",
        "n3 -> n4 : Exp(c1, 3)",
        "n4 -> n5 : rho! [x <= p; x = x + 1]",
        "n4 -> timeout : δ!",
    ] {
        assert!(run.out.lines().any(|shown| shown.trim() == line), "{line}\n{}", run.out);
    }
    let mut line = FIGURE_5.to_vec();
    line.extend(["--stage", "subgraphs"]);
    let run = tioga(&folder, &line);
    assert!(run.out.starts_with("controllable subgraph 1 of 1: 6 nodes, 5 steps"), "{}", run.out);
    assert!(run.out.contains("without control losses"), "{}", run.out);
}

#[test]
fn stages_have_pictures_and_json() {
    let folder = Folder::new("symbolic");
    for stage in ["product", "setexp", "projection", "deterministic", "graph", "subgraphs"] {
        let mut line = FIGURE_5.to_vec();
        line.extend(["--stage", stage, "-o", "stage.dot"]);
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 0, "{}", run.err);
        let picture = folder.read("stage.dot");
        assert!(picture.starts_with("digraph stage {"), "{picture}");
        let mut line = vec!["--format", "json"];
        line.extend(FIGURE_5);
        line.extend(["--stage", stage]);
        let json = tioga(&folder, &line).json();
        let views = json["result"]["views"].as_array().unwrap();
        let (nodes, edges) = (&views[0]["nodes"], &views[0]["edges"]);
        assert!(!nodes.as_array().unwrap().is_empty());
        for edge in edges.as_array().unwrap() {
            let known = |name: &serde_json::Value| {
                let name = name.as_str().unwrap();
                ["fail", "timeout"].contains(&name)
                    || nodes.as_array().unwrap().iter().any(|node| node["id"] == name)
            };
            assert!(known(&edge["source"]) && known(&edge["target"]), "{edge}");
        }
    }
}

/// A model with one edge of the system after an input, and a purpose.
fn model(declared: &str, edges: &str) -> String {
    format!(
        "input a(integer m);\noutput b(integer n);\ninternal hidden;\n{declared}\n\
         automaton S {{\n  clock c;\n  integer x;\n  init location l0;\n  location l1, l2;\n{edges}\n}}\n\
         purpose P {{\n  init location s;\n  accept location A;\n  s -> A : b(n)!;\n}}\n"
    )
}

fn refused(edges: &str, options: &[&str]) -> Run {
    let folder = Folder::new("symbolic");
    folder.write("m.tioga", model("", edges));
    let mut line = vec!["symbolic", "m.tioga"];
    line.extend(options);
    let run = tioga(&folder, &line);
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    run
}

#[test]
fn what_does_not_fit_is_refused_with_the_reason() {
    let good = "l0 -> l1 : a(m)? do x = m, c = 0; l1 -> l0 : b(x)! when c < 3;";
    let run = refused(good, &[]);
    assert!(run.err.contains("a test graph needs a purpose"), "{}", run.err);
    assert!(run.err.contains("`--purpose`: P"), "{}", run.err);
    let run = refused(good, &["-p", "P", "--solver", "no-such-solver"]);
    assert!(run.err.contains("the solver `no-such-solver` does not answer"), "{}", run.err);
    let run = refused(good, &["-p", "Q"]);
    assert!(run.err.contains("there is no purpose `Q`"), "{}", run.err);
    let square = "l0 -> l1 : a(m)? when m * m * m > 7; l1 -> l0 : b(x)!;";
    let run = refused(square, &["-p", "P"]);
    assert!(run.err.contains("not linear") && run.err.contains("m * m"), "{}", run.err);
    let reset = "l0 -> l1 : hidden do c = 0; l1 -> l0 : b(x)! when c < 3;";
    let run = refused(reset, &["-p", "P"]);
    assert!(run.err.contains("the internal action hidden resets c"), "{}", run.err);
    let two =
        "l0 -> l1 : a(m)?; l1 -> l0 : b(x)! when c <= 3; l1 -> l2 : hidden; l2 -> l0 : a(m)?;";
    let run = refused(two, &["-p", "P", "--complete"]);
    assert!(run.err.contains("the inputs of S cannot be completed"), "{}", run.err);
    let changed =
        "l0 -> l1 : a(m)? do x = m, c = 0; l1 -> l2 : a(m)? do x = m; l2 -> l0 : b(x)! when c < x;";
    let run = refused(changed, &["-p", "P"]);
    assert!(run.err.contains("changes x while the clock runs"), "{}", run.err);
    let never = "l0 -> l1 : a(m)?; l1 -> l0 : a(m)?;";
    let run = refused(never, &["-p", "P"]);
    assert!(run.err.contains("no accepting location can be reached"), "{}", run.err);
    let urgent = "urgent location u; l0 -> u : a(m)?; u -> l0 : b(x)!;";
    let run = refused(urgent, &["-p", "P"]);
    assert!(run.err.contains("is urgent"), "{}", run.err);
}

#[test]
fn the_initial_condition_counts() {
    let folder = Folder::new("symbolic");
    let with = |conditions: &[&str]| {
        let mut line = FIGURE_5.to_vec();
        for condition in conditions {
            line.extend(["--where", condition]);
        }
        line.extend(["--stage", "product"]);
        tioga(&folder, &line)
    };
    let run = with(&["p > 0"]);
    assert!(run.out.contains("initially: p >= 1 && x == 0"), "{}{}", run.out, run.err);
    let run = with(&["p > 0", "p < 0"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("the initial condition of Spec cannot hold"), "{}", run.err);
    let run = with(&["nothing > 0"]);
    assert_eq!(run.code, 2, "{}", run.out);
}

#[test]
fn limits_end_the_computation() {
    let folder = Folder::new("symbolic");
    let mut line = FIGURE_5.to_vec();
    line.extend(["--max-states", "3"]);
    let run = tioga(&folder, &line);
    assert_eq!(run.code, 3, "{}", run.err);
    assert!(run.err.contains("`--max-states` allows more"), "{}", run.err);
}

/// A model with an initial condition on its constants, and an output whose value the system chooses.
const CHOSEN: &str = "
param int p, q where p >= 1 && p <= 100 && q == 2 * p;
input a(integer m);
output b(integer n);
automaton S {
  integer x;
  init location l0;
  location l1;
  l0 -> l1 : a(m)? do x = m;
  l1 -> l0 : b(w)! for w : integer when w >= p + x;
}
purpose P {
  init location s;
  location t;
  accept location A;
  s -> t : a(m)?;
  t -> A : b(n)! when n > 3;
  otherwise self;
}
";

#[test]
fn constants_have_initial_conditions_and_outputs_chosen_values() {
    let folder = Folder::new("symbolic_chosen");
    folder.write("m.tioga", CHOSEN);
    let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P", "--stage", "product"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("initially: "), "{}", run.out);
    assert!(run.out.contains("2 * p"), "{}", run.out);
    let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P"]);
    assert!(run.out.contains("b(n)! [p + x <= n"), "{}", run.out);
    // Formatting keeps what is written.
    assert_eq!(tioga(&folder, &["fmt", "m.tioga"]).code, 0);
    let kept = "param int p, q where p >= 1 && p <= 100 && q == 2 * p;";
    assert!(folder.read("m.tioga").contains(kept), "{}", folder.read("m.tioga"));
}

#[test]
fn initial_conditions_need_values_that_satisfy_them() {
    let folder = Folder::new("symbolic_values");
    let bounded = CHOSEN.replace("for w : integer when w >= p + x", "for w : int[0, 9]");
    folder.write("m.tioga", &bounded);
    let run = tioga(&folder, &["check", "m.tioga"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("the symbolic constant `p` has no value"), "{}", run.err);
    assert!(run.err.contains("`--set p=VALUE`"), "{}", run.err);
    let run = tioga(&folder, &["check", "m.tioga", "--set", "p=4", "--set", "q=9"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("contradict their initial condition"), "{}", run.err);
    let run = tioga(&folder, &["check", "m.tioga", "--set", "p=4", "--set", "q=8"]);
    assert_eq!(run.code, 0, "{}", run.err);
    // No values at all.
    folder.write("m.tioga", CHOSEN.replace("p <= 100", "p < 1"));
    let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("the initial condition of S cannot hold"), "{}", run.err);
    folder.write("m.tioga", CHOSEN);
    let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P", "--set", "p=4", "--set", "q=9"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("the initial condition of S cannot hold"), "{}", run.err);
}

/// The checker follows some of the values that the system chooses, with a tester that knows the constants and one that
/// does not.
#[test]
fn test_cases_for_chosen_values_are_certified() {
    let folder = Folder::new("symbolic_certified");
    folder.write("m.tioga", CHOSEN);
    assert_eq!(tioga(&folder, &["symbolic", "m.tioga", "-p", "P", "-o", "s.json"]).code, 0);
    let certify = |file: &str| tioga(&folder, &["certify", "m.tioga", file, "--plays", "600"]);
    let right = certify("s.json");
    assert_eq!(right.code, 0, "{}", right.out);
    assert!(right.out.starts_with("P (purpose P): right"), "{}", right.out);
    let suite = folder.read("s.json");
    let old = "(<= (+ |p| |x|) |n|)";
    assert!(suite.contains(old), "{suite}");
    for new in ["(< (+ |p| |x|) |n|)", "(<= |x| |n|)"] {
        folder.write("wrong.json", suite.replace(old, new));
        let wrong = certify("wrong.json");
        assert_eq!(wrong.code, 1, "{new}: {}", wrong.out);
    }
}

/// Other commands enumerate choices, and say where such a value is followed.
#[test]
fn a_chosen_value_without_end_is_refused_elsewhere() {
    let folder = Folder::new("symbolic_endless");
    folder.write("m.tioga", CHOSEN);
    for command in ["synth", "monitor", "check", "test"] {
        let mut line = vec![command, "m.tioga", "--set", "p=4", "--set", "q=8"];
        match command {
            "monitor" => line.push("log.txt"),
            "test" => line.extend(["--online", "--sut", "true"]),
            _ => {}
        }
        let run = tioga(&folder, &line);
        assert_eq!(run.code, 2, "{command}: {}", run.out);
        let said = "`tioga symbolic` follows such values of outputs";
        assert!(run.err.contains(said), "{command}: {}", run.err);
    }
}

/// The value that the system chose is remembered and judged when the test runs.
#[test]
fn chosen_values_are_judged_in_runs() {
    let folder = Folder::new("symbolic_judged");
    folder.write("m.tioga", CHOSEN);
    let line = ["symbolic", "m.tioga", "-p", "P", "--set", "p=4", "--set", "q=8", "-o", "s.json"];
    let run = tioga(&folder, &line);
    assert_eq!(run.code, 0, "{}", run.err);
    for (answer, code) in [("m + 4", 0), ("m + 9", 0), ("m + 3", 1)] {
        let system = format!(
            "input a(integer m); output b(integer n);\nautomaton S {{ integer x; clock c; init location l0; \
             location l1 invariant c <= 1; l0 -> l1 : a(m)? do x = {answer}, c = 0; l1 -> l0 : b(x)!; }}\n"
        );
        folder.write("system.tioga", system);
        let line =
            ["run", "s.json", "--sut", "model:system.tioga", "--repeat", "5", "--no-journal"];
        let run = tioga(&folder, &line);
        // Where the purpose wants more than 3, a small answer is allowed and not enough.
        let wanted = if code == 0 { run.code == 0 || run.code == 5 } else { run.code == 1 };
        assert!(wanted, "{answer}: {}{}", run.out, run.err);
    }
}

/// A purpose speaks of the messages of the model: as many values, of their types.
#[test]
fn a_purpose_for_other_messages_is_refused() {
    let folder = Folder::new("symbolic_purpose");
    let with = |observed: &str| {
        let text = model("", "l0 -> l1 : a(m)? do x = m; l1 -> l0 : b(x)!;");
        folder.write("m.tioga", text.replace("s -> A : b(n)!;", observed));
        let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P"]);
        assert_eq!(run.code, 2, "{observed}: {}", run.out);
        run.err
    };
    let arity = with("s -> A : b(n, k)!;");
    assert!(arity.contains("`b` carries 1 values, 2 are given"), "{arity}");
    let ty = with("s -> A : b(1/2)!;");
    assert!(ty.contains("rational cannot be stored in integer"), "{ty}");
    let unknown = with("s -> A : d!;");
    assert!(unknown.contains("unknown action `d`"), "{unknown}");
}

const SQUARE: &str = "l0 -> l1 : a(m)? when m * m * m > 7 do x = m; l1 -> l0 : b(x)!;";

/// A solver that answers once and dies with the next question leaves the question open.
#[cfg(unix)]
#[test]
fn a_solver_that_dies_is_never_guessed_for() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("symbolic_killed");
    folder.write("m.tioga", model("", SQUARE));
    let script = "#!/bin/sh\n\
         while read -r line; do case \"$line\" in\n\
         *check-sat*) if [ -e asked ]; then kill -9 $$; fi; touch asked; echo sat;;\n\
         *get-value*) echo '((|s0| 1))';;\n\
         *echo*) echo \"$line\" | sed 's/.*\"\\(.*\\)\".*/\\1/';; esac; done\n";
    folder.write("solver.sh", script);
    let path = folder.0.join("solver.sh");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P", "--solver", "./solver.sh"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("undecided"), "{}", run.err);
    assert!(run.err.contains("the solver ended"), "{}", run.err);
}

/// An SMT solver decides what is not linear; the game stays incomplete, and says so.
#[test]
fn a_solver_decides_what_is_not_linear() {
    if std::process::Command::new("z3").arg("--version").output().is_err() {
        return;
    }
    let folder = Folder::new("symbolic_z3");
    folder.write("m.tioga", model("", SQUARE));
    let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P", "--solver", "z3"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("a(m)? ["), "{}", run.out);
}

/// Conditions that keep growing end the game; what it says is right, but there may be more.
#[test]
fn an_incomplete_game_is_said() {
    let folder = Folder::new("symbolic_growing");
    let count = "l0 -> l0 : a(m)? do x = x + 1; l0 -> l1 : b(x)! when x >= 1000;";
    folder.write("m.tioga", model("", count));
    let line = ["symbolic", "m.tioga", "-p", "P", "--stage", "subgraphs", "--which", "game"];
    let run = tioga(&folder, &line);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("The game was not solved completely"), "{}", run.out);
    let run = tioga(&folder, &[&["--format", "json"], &line[..]].concat());
    assert_eq!(run.json()["result"]["complete"], false);
}

/// Two automata that meet on a channel: what the first gets, the second answers.
const NETWORK: &str = "
clock c;
input req(int[0, 9] m);
output ack(int[0, 20] v);
chan pass(int[0, 20] k);
automaton Front {
  int[0, 9] x;
  init location F0;
  location F1;
  F0 -> F1 : req(m)? do x = m, c = 0;
  F1 -> F0 : pass(x + 1)! when c > 1 do x = 0;
}
automaton Back {
  int[0, 20] y;
  init location B0;
  location B1;
  B0 -> B1 : pass(k)? when k > 2 && k <= 10 do y = k + k;
  B1 -> B0 : ack(y)! when c < 4;
}
purpose P {
  init location s;
  location t;
  accept location A;
  s -> t : req(m)?;
  t -> A : ack(v)! when v > 7;
  otherwise self;
}
";

/// The automaton of both is judged by the explicit semantics of the network.
#[test]
fn automata_that_meet_are_one() {
    let folder = Folder::new("symbolic_network");
    folder.write("m.tioga", NETWORK);
    let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P", "--stage", "product"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("F1,B0/t -> F0,B1/t : pass ["), "{}", run.out);
    assert!(run.out.contains("= 2 * x + 2"), "{}", run.out);
    let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P", "-o", "s.json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let run = tioga(&folder, &["certify", "m.tioga", "s.json"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let line = ["run", "s.json", "--sut", "model:m.tioga", "--policy", "eager", "--repeat", "5"];
    let run = tioga(&folder, &line);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
}

#[test]
fn networks_that_do_not_fit_are_refused_by_name() {
    let folder = Folder::new("symbolic_networks");
    for (from, to, said) in [
        ("chan pass", "broadcast chan pass", "pass is a broadcast channel"),
        ("chan pass", "urgent chan pass", "pass is urgent"),
        ("do x = 0;", "do x = 0, c = 0;", "the internal action pass resets c"),
    ] {
        assert!(NETWORK.contains(from));
        folder.write("m.tioga", NETWORK.replace(from, to));
        let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P"]);
        assert_eq!(run.code, 2, "{said}: {}", run.out);
        assert!(run.err.contains(said), "{said}: {}", run.err);
    }
    let closed = "input a; automaton S { init location s; s -> s : a?; } automaton E { init location e; e -> e : a!; }
        purpose P { init location s; accept location A; s -> A : a?; }";
    folder.write("m.tioga", closed);
    let run = tioga(&folder, &["symbolic", "m.tioga", "-p", "P", "--environment", "E"]);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("E is part of the environment"), "{}", run.err);
}

/// The size of a payload does not decide what synthesis costs: it is the same work for 4 and for 65536 values.
#[test]
fn a_large_payload_costs_no_more_than_a_small_one() {
    let folder = Folder::new("payload");
    let places = |most: &str| {
        let text = "input set(int[0, MOST] v), get;
output ok, value(int[0, MOST] w);
automaton Store {
  clock c;
  int[0, MOST] last;
  init location Idle;
  location Busy invariant c <= 2;
  location Asked invariant c <= 3;
  Idle -> Busy : set(v)? do last = v, c = 0;
  Busy -> Idle : ok! when c >= 1;
  Idle -> Asked : get? do c = 0;
  Asked -> Idle : value(last)!;
}
purpose Read {
  init location s;
  location t;
  accept location A;
  s -> t : set(v)? when v > 1;
  t -> A : value(w)! when w > 1;
  otherwise self;
}
";
        folder.write("m.tioga", text.replace("MOST", most));
        let run = tioga(&folder, &["synth", "m.tioga", "-p", "Read", "-o", "s.json"]);
        assert_eq!(run.code, 0, "{}", run.err);
        let suite: serde_json::Value = serde_json::from_str(&folder.read("s.json")).unwrap();
        suite["cases"][0]["places"].as_array().unwrap().len()
    };
    let (small, large) = (places("3"), places("65535"));
    assert!(large <= 2 * small, "{large} places after {small}");
}
