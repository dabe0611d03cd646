//! What purposes may say, and what becomes of it in test cases, through the real binary.

use crate::binary::{Folder, Json};

/// Differences of clocks are as far apart as they are compared with, and one further.
const APART: &str = "
input a;
output u, v;
internal tau;
automaton A {
  clock x;
  init location L0;
  location L1, L2, L3;
  L0 -> L2 : u! when x <= 2;
  L0 -> L3 : v!;
  L1 -> L0 : a?;
  L1 -> L0 : u! when x >= 1;
  L3 -> L1 : tau do x = 0;
}
purpose Q {
  clock y;
  init location S0;
  location S1, S2;
  accept location Acc;
  S0 -> S1 : v! do y = 0;
  S1 -> S2 : tau;
  S2 -> Acc : tau;
  otherwise self;
}
";

#[test]
fn the_checker_does_not_refute_test_cases_over_differences_of_clocks() {
    let folder = Folder::new("purposes-apart");
    folder.write("apart.tioga", APART);
    for shape in ["automaton", "strategy", "tree"] {
        let run = folder.tioga(&["synth", "apart.tioga", "--shape", shape], "");
        assert_eq!(run.code, 0, "{shape}: {}{}", run.out, run.err);
    }
}

#[test]
fn purposes_that_would_constrain_the_specification_are_refused() {
    let folder = Folder::new("purposes-constrain");
    let system = "output u; automaton A { clock x; init location L; L -> L : u! when x >= 1; }\n";
    for (location, what) in [
        ("urgent location S;", "an observer has no urgent locations"),
        ("committed location S;", "an observer has no committed locations"),
        ("location S invariant y <= 3;", "an observer has no invariants"),
    ] {
        let purpose = format!(
            "purpose Q {{ clock y; init location R; {location} accept location D; \
             R -> S : u!; S -> D : u!; otherwise self; }}"
        );
        folder.write("m.tioga", format!("{system}{purpose}"));
        for command in ["synth", "solve"] {
            let run = folder.tioga(&[command, "m.tioga", "--purpose", "Q"], "");
            assert_eq!(run.code, 2, "{command} {location}: {}{}", run.out, run.err);
            assert!(run.err.contains(what), "{command}: {}", run.err);
            assert!(run.err.contains("m.tioga:2:"), "{command}: {}", run.err);
            assert!(run.err.contains("must not constrain it"), "{command}: {}", run.err);
        }
    }
}

#[test]
fn nondeterministic_purposes_are_determinized() {
    let folder = Folder::new("purposes-choice");
    folder.write(
        "m.tioga",
        "input a; output u;
         automaton A {
           clock x;
           init location L0;
           location L1;
           L0 -> L1 : a? do x = 0;
           L1 -> L0 : u!;
         }
         purpose Q {
           init location S;
           location T;
           accept location Acc;
           S -> T : u!;
           S -> Acc : u! when A.x >= 2;
           otherwise self;
         }",
    );
    for shape in ["automaton", "strategy", "tree"] {
        let run = folder.tioga(&["synth", "m.tioga", "--shape", shape], "");
        assert_eq!(run.code, 0, "{shape}: {}{}", run.out, run.err);
        assert!(run.out.contains("exact verdicts"), "{shape}: {}", run.out);
    }
    let run = folder.tioga(&["solve", "m.tioga", "--purpose", "Q", "--ranks"], "");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("ranks need a deterministic model"), "{}", run.err);
}

#[test]
fn networks_in_which_two_processes_may_take_an_input_are_determinized() {
    let folder = Folder::new("purposes-shared");
    folder.write(
        "m.tioga",
        "input a; output u, v;
         automaton A { init location L0; location L1; L0 -> L1 : a?; L1 -> L0 : u!; }
         automaton B { init location L0; location L1; L0 -> L1 : a?; L1 -> L0 : v!; }
         query control: A<> A.L1;
         purpose Q { init location S; accept location Acc; S -> Acc : u!; otherwise self; }",
    );
    let run = folder.tioga(&["synth", "m.tioga", "-p", "Q"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("exact verdicts"), "{}", run.out);
    let run = folder.tioga(&["solve", "m.tioga", "--ranks"], "");
    assert_eq!(run.code, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("after `a?` the tester cannot tell"), "{}", run.err);
    // Whether it was A that took the input is not seen before its output, unless both took one.
    let run = folder.tioga(&["synth", "m.tioga", "-p", "reach A.L1"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("2 L1_L1\n    PASS: the purpose is reached"), "{}", run.out);
    assert!(!run.out.contains("PASS, UNCERTAIN"), "{}", run.out);
}

/// What an observer sees of this is only approximated: when the next `tau` comes is open.
const HIDDEN: &str = "
output u, v;
internal tau;
automaton A {
  clock x;
  init location L1;
  location L2;
  L1 -> L2 : tau when x >= 1 do x = 0;
  L2 -> L1 : u! when x == 2;
}
";

#[test]
fn a_purpose_is_reached_where_every_explanation_accepts() {
    let folder = Folder::new("purposes-every");
    let purpose =
        "purpose Q { init location S0; accept location Acc; S0 -> Acc : u!; otherwise self; }";
    folder.write("m.tioga", format!("{HIDDEN}{purpose}"));
    for shape in ["automaton", "strategy", "tree"] {
        let run = folder.tioga(&["synth", "m.tioga", "--shape", shape, "-o", "s.json"], "");
        assert_eq!(run.code, 0, "{shape}: {}{}", run.out, run.err);
        assert!(run.out.contains("PASS: the purpose is reached"), "{shape}: {}", run.out);
        assert!(!run.out.contains("UNCERTAIN"), "{shape}: {}", run.out);
        let run = folder.tioga(&["run", "s.json", "--sut", "model:m.tioga", "--repeat", "5"], "");
        assert!(!run.out.contains("FAIL"), "{shape}: {}{}", run.out, run.err);
        assert_ne!(run.code, 1, "{shape}: {}{}", run.out, run.err);
    }
}

/// Where `u!` comes at 3 or 4, every explanation accepts; elsewhere only some do.
const DOUBT: &str = "
output u, v;
internal tau;
automaton A {
  clock x;
  init location L1 invariant x <= 4;
  location L2 invariant x <= 2;
  L1 -> L2 : tau when x >= 1 do x = 0;
  L2 -> L1 : u! when x == 2;
}
purpose Q {
  clock y;
  init location S0;
  location S1;
  accept location Acc;
  S0 -> S1 : tau do y = 0;
  S1 -> Acc : u! when y == 2 && A.x == 2;
  S1 -> S1 : tau do y = 0;
  S1 -> S0 : u!;
  otherwise self;
}
";

#[test]
fn a_pass_is_uncertain_where_some_explanations_accept() {
    let folder = Folder::new("purposes-some");
    folder.write("m.tioga", DOUBT);
    let synth = |shape: &str| {
        let args = ["--format", "json", "synth", "m.tioga", "--shape", shape, "-o", "s.json"];
        folder.tioga(&args, "")
    };
    for shape in ["automaton", "strategy", "tree"] {
        let run = synth(shape);
        assert_eq!(run.code, 0, "{shape}: {}{}", run.out, run.err);
        let suite: serde_json::Value = serde_json::from_str(&folder.read("s.json")).unwrap();
        let case = &suite["cases"][0];
        assert_eq!(case["summary"]["may_be_uncertain"], true, "{shape}: {case}");
        let places = case["places"].as_array().unwrap().iter();
        let verdicts = places.flat_map(|place| place["verdicts"].as_array().unwrap());
        let names: Vec<&str> = verdicts.map(|one| one["verdict"].as_str().unwrap()).collect();
        assert!(names.contains(&"uncertain"), "{shape}: {names:?}");
        // A run does not claim what is not certain.
        let line = "run s.json --sut model:m.tioga --repeat 60 --keep-going --journal s.journal";
        let run = folder.tioga(&line.split(' ').collect::<Vec<_>>(), "");
        assert!([0, 5].contains(&run.code), "{shape}: {}{}", run.out, run.err);
        let counted = folder.read("s.journal").contains("pass, uncertain") || shape == "tree";
        assert!(counted, "{shape}: {}{}", run.out, run.err);
    }
    let run = folder.tioga(&["synth", "m.tioga"], "");
    assert!(run.out.contains("a pass may be uncertain"), "{}", run.out);
    assert!(run.out.contains("PASS, UNCERTAIN"), "{}", run.out);
}

/// A door with two purposes, a query that has a name, and others.
const DOOR: &str = "
model door;
input open, close;
output beep;
automaton Door {
  clock x;
  init location Closed;
  location Open;
  location Alarm invariant x <= 3;
  Closed -> Open : open? do x = 0;
  Open -> Closed : close?;
  Open -> Alarm : open? do x = 0;
  Alarm -> Closed : beep!;
}
purpose OpenedTwice {
  init location Zero;
  accept location Done;
  Zero -> Done : beep!;
  otherwise self;
}
purpose Closing {
  init location Zero;
  accept location Done;
  Zero -> Done : close?;
  otherwise self;
}
query \"Warned\" control: A<> Door.Alarm;
query \"the door can be opened\" control: A<> Door.Open;
query control: A<> Door.Open;
";

#[test]
fn test_cases_have_the_names_of_their_purposes() {
    let folder = Folder::new("purposes-names");
    folder.write("door.tioga", DOOR);
    let names = |args: &[&str]| -> Vec<String> {
        let run = folder.tioga(&[&["--format", "json"], args].concat(), "");
        let result = run.json()["result"].take();
        let cases = if result["suite"].is_null() { &result } else { &result["suite"] };
        let cases = cases["cases"].as_array().unwrap_or_else(|| panic!("{}", run.out));
        cases.iter().map(|case| case["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&["synth", "door.tioga"]), ["OpenedTwice", "Closing"]);
    assert_eq!(names(&["synth", "door.tioga", "-p", "Closing"]), ["Closing"]);
    let twice = ["synth", "door.tioga", "-p", "Closing", "-p", "Closing"];
    assert_eq!(names(&twice), ["Closing", "Closing-2"]);
    let mixed = ["synth", "door.tioga", "-p", "reach Door.Open", "-p", "Closing"];
    assert_eq!(names(&mixed), ["door-1", "Closing"]);
    assert_eq!(names(&["test", "door.tioga", "--purposes-only"]), ["OpenedTwice", "Closing"]);
    let covered = names(&["synth", "door.tioga", "--cover", "locations", "--each"]);
    assert_eq!(covered[0], "door-Door.Closed");
    // Queries have names if they are words.
    let without = DOOR.split("purpose").next().unwrap().to_owned();
    let queries = DOOR.split_once("query").unwrap().1;
    folder.write("asked.tioga", format!("{without}query{queries}"));
    assert_eq!(names(&["synth", "asked.tioga"]), ["Warned", "door-2", "door-3"]);

    // The name is what journals, explanations and reports say, and what `--case` takes.
    assert_eq!(folder.tioga(&["synth", "door.tioga", "-o", "door.json"], "").code, 0);
    let line = ["run", "door.json", "--sut", "model:door.tioga", "--case", "Closing"];
    let run = folder.tioga(&[&line[..], &["--junit", "door.xml"]].concat(), "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("Closing  purpose Closing "), "{}", run.out);
    assert!(folder.read("door.journal").contains("\"event\":\"begin\",\"case\":\"Closing\""));
    assert!(folder.read("door.xml").contains("name=\"Closing"), "{}", folder.read("door.xml"));
    let run = folder.tioga(&["explain", "door.journal"], "");
    assert!(run.out.starts_with("run 0 of Closing\n"), "{}", run.out);
    // A purpose names its test case also where the test case is called otherwise.
    let other = folder.read("door.json").replace("\"name\": \"Closing\"", "\"name\": \"c1\"");
    folder.write("door.json", other);
    for name in ["Closing", "purpose Closing", "c1"] {
        let line = ["run", "door.json", "--sut", "model:door.tioga", "--case", name];
        let run = folder.tioga(&line, "");
        assert!(run.out.contains("  c1    purpose Closing "), "{name}: {}{}", run.out, run.err);
    }
}

/// Two purposes with variables of their own, and one without.
const OWN_VARIABLES: &str = "
model counter;
input a;
output b(int[0, 3] v);
automaton S {
  clock x;
  int[0, 3] n;
  init location I;
  location J invariant x <= 1;
  I -> J : a? do x = 0, n = (n + 1) % 4;
  J -> I : b(n)!;
}
purpose One {
  init location S;
  accept location T;
  S -> T : b(v)! when v == 1;
  otherwise self;
}
purpose Two {
  int[0, 3] first, seen[2];
  int[0, 3] last[2];
  void keep() { last = seen; }
  init location S;
  location U;
  accept location T;
  S -> U : b(v)! do first = v, seen[v % 2] = v, keep();
  U -> T : b(v)! when v != first;
  otherwise self;
}
purpose Three {
  int[0, 3] total;
  init location S;
  accept location T;
  S -> self : b(v)! when total + v < 3 do total = total + v;
  S -> T : b(v)! when total + v == 3;
  otherwise self;
}
";

#[test]
fn variables_of_a_purpose_do_not_disturb_other_purposes_and_coverage() {
    let folder = Folder::new("purposes-own-variables");
    folder.write("counter.tioga", OWN_VARIABLES);
    for wanted in [
        ["-p", "One"],
        ["-p", "Two"],
        ["-p", "Three"],
        ["--cover=edges", "--each"],
        ["--cover=locations", "--each"],
        ["-p", "reach S.n == 3 within 9"],
    ] {
        let arguments: Vec<&str> = ["test", "counter.tioga"].into_iter().chain(wanted).collect();
        let run = folder.tioga(&arguments, "");
        assert_eq!(run.code, 0, "{wanted:?}: {}{}", run.out, run.err);
    }
}

/// A place of a purpose that a restart can leave is no end (HJM22: a restart is possible from everywhere).
#[test]
fn a_restart_leaves_what_was_refused() {
    let folder = Folder::new("purposes-restart");
    let text = "input go, restart; output good, bad;
automaton S {
  init location Idle; location Busy; location Ended;
  Idle -> Busy : go?;
  Busy -> Ended : good!;
  Busy -> Ended : bad!;
  Ended -> Idle : restart?;
}
purpose Good {
  init location Wait; accept location Seen; refuse location Gone;
  Wait -> Seen : good!;
  Wait -> Gone : bad!;
  otherwise self;
  restart restart?;
}
";
    folder.write("m.tioga", text);
    folder.write("once.tioga", text.replace("  Ended -> Idle : restart?;\n", ""));
    let results = |file: &str| {
        let args = ["--format", "json", "test", file, "-p", "Good", "--policy", "fair"];
        let more = ["--repeat", "40", "--keep-going", "--no-journal"];
        let run = folder.tioga(&[&args[..], &more].concat(), "");
        let value: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        let one = &value["result"]["cases"][0];
        (one["pass"].as_u64(), one["inconclusive"].as_u64())
    };
    assert_eq!(results("m.tioga"), (Some(40), Some(0)));
    let (pass, inconclusive) = results("once.tioga");
    assert!(pass > Some(0) && inconclusive > Some(0), "{pass:?} {inconclusive:?}");
}
