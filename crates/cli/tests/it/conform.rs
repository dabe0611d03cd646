//! `tioga conform` and `tioga refines` through the real binary: answers, runs that replay, exit codes
//! and bad input.

use crate::binary::Folder;
use serde_json::Value;

/// A door that opens between 1 and `most` time units after a knock, and takes knocks `when`.
fn door(most: &str, when: &str) -> String {
    format!(
        "model door;
input knock;
output open;

automaton Door {{
  clock x;

  init location Shut;
  location Asked invariant x <= {most};

  Shut -> Asked : knock?{when} do x = 0;
  Asked -> Shut : open! when x >= 1;
}}
"
    )
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("door.tioga", door("2", ""));
    folder.write("slow.tioga", door("3", ""));
    folder.write("deaf.tioga", door("2", " when x >= 1"));
    folder
}

#[test]
fn a_violation_comes_with_a_run_that_replays() {
    let folder = folder("conform");
    for file in ["wrong.trace", "wrong.jsonl"] {
        let run = folder.tioga(&["conform", "slow.tioga", "door.tioga", "-o", file], "");
        assert_eq!((run.code, run.err.as_str()), (1, ""));
        assert!(run.out.starts_with("slow.tioga does not conform to door.tioga\n"), "{}", run.out);
        assert!(run.out.contains("after [1,2]\n"), "{}", run.out);
        assert_eq!(folder.tioga(&["replay", "slow.tioga", file], "").code, 0);
        assert_eq!(folder.tioga(&["replay", "door.tioga", file], "").code, 1);
    }
    let run = folder.tioga(&["conform", "door.tioga", "slow.tioga", "-o", "none.trace"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.ends_with("there is no run to write\n"), "{}", run.out);
}

#[test]
fn refinement_also_asks_for_inputs() {
    let folder = folder("refines");
    assert_eq!(folder.tioga(&["conform", "deaf.tioga", "door.tioga"], "").code, 0);
    let run = folder.tioga(&["refines", "deaf.tioga", "door.tioga", "-o", "deaf.trace"], "");
    assert_eq!((run.code, run.err.as_str()), (1, ""));
    assert!(run.out.contains("refuses knock? at once after the start\n"), "{}", run.out);
    assert_eq!(folder.tioga(&["replay", "deaf.tioga", "deaf.trace"], "").code, 0);
    assert_eq!(folder.tioga(&["refines", "door.tioga", "deaf.tioga"], "").code, 0);
}

/// A lamp that needs a second press within 3 time units, or that waits for it.
fn lamp(invariant: &str, more: &str) -> String {
    format!(
        "model lamp;
input press;
output on;

automaton Lamp {{
  clock x;

  init location Off;
  location Half{invariant};
  location Lit;

  Off -> Half : press? do x = 0;
  Half -> Lit : press?;
  {more}
}}
"
    )
}

#[test]
fn waiting_for_an_input_is_forgiven_if_the_tester_serves() {
    let folder = Folder::new("conform-served");
    folder.write("lamp.tioga", lamp(" invariant x <= 3", ""));
    folder.write("patient.tioga", lamp("", ""));
    folder.write("eager.tioga", lamp("", "Half -> Lit : on!;"));
    folder.write("answers.tioga", lamp(" invariant x <= 3", "Half -> Lit : on!;"));
    let asked = |implementation: &str, specification: &str, served: bool| {
        let mut args = vec!["--format", "json", "conform", implementation, specification];
        args.extend(served.then_some("--served"));
        let run = folder.tioga(&args, "");
        let result: Value = serde_json::from_str(&run.out).unwrap();
        let relation = if served { "tioco-when-served" } else { "tioco" };
        assert_eq!(result["result"]["relation"], relation);
        (run.code, result["result"]["violation"]["kind"].as_str().map(str::to_owned))
    };
    let late = (1, Some("delay".to_owned()));
    assert_eq!(asked("patient.tioga", "lamp.tioga", false), late);
    assert_eq!(asked("patient.tioga", "lamp.tioga", true), (0, None));
    // Where the specification can go on by itself, waiting counts.
    assert_eq!(asked("patient.tioga", "answers.tioga", true), late);
    let wrong = (1, Some("output".to_owned()));
    assert_eq!(asked("eager.tioga", "lamp.tioga", true), wrong);
    let run = folder.tioga(&["conform", "patient.tioga", "lamp.tioga", "--served"], "");
    let said = "patient.tioga conforms, when served, to lamp.tioga\n";
    assert!(run.out.starts_with(said), "{}", run.out);
    let run = folder.tioga(&["conform", "eager.tioga", "lamp.tioga", "--served"], "");
    let said = "eager.tioga does not conform, even when served, to lamp.tioga\n";
    assert!(run.out.starts_with(said), "{}", run.out);
    // Refinement knows no such thing.
    let run = folder.tioga(&["refines", "lamp.tioga", "lamp.tioga", "--served"], "");
    assert_eq!(run.code, 2, "{}", run.out);
}

#[test]
fn the_answer_is_also_json_and_the_same_for_any_number_of_threads() {
    let folder = folder("conform-json");
    let answer = |threads: &str| {
        let args =
            ["--format", "json", "conform", "slow.tioga", "door.tioga", "--threads", threads];
        let run = folder.tioga(&args, "");
        assert_eq!(run.code, 1);
        let value: Value = serde_json::from_str(&run.out).unwrap();
        value["result"].clone()
    };
    let (one, four) = (answer("1"), answer("4"));
    assert_eq!(one["holds"], false);
    assert_eq!(one["relation"], "tioco");
    assert_eq!(one["violation"]["kind"], "delay");
    assert_eq!(one["violation"]["action"], "(wait)");
    assert_eq!(one["violation"]["after"], "5/2");
    assert_eq!(one["violation"]["allowed"]["waiting"], "[0,2]");
    assert_eq!(one["violation"], four["violation"]);
}

#[test]
fn no_answer_has_a_reason() {
    let folder = folder("conform-unknown");
    // Answers only at whole moments since the start, which are never seen. The specification decides before which it gives.
    let beat = |edges: &str| {
        format!(
            "model beat; input go; output left, middle, right; internal tick, pick;
             automaton P {{ clock x; init location A invariant x <= 1;
               location L invariant x <= 1; location M invariant x <= 1; location R invariant x <= 1;
               A -> self : tick when x == 1 do x = 0; A -> self : go?;
               A -> L : pick when x == 1 do x = 0; L -> A : left! when x == 1 do x = 0;
               {edges} }}"
        )
    };
    let [middle, right] = ["middle", "right"].map(|answer| {
        let from = answer[..1].to_uppercase();
        format!("{from} -> A : {answer}! when x == 1 do x = 0;")
    });
    let pick = |to: &str| format!("A -> {to} : pick when x == 1 do x = 0;");
    let early = format!("{} {middle} {} {right}", pick("M"), pick("R"));
    folder.write("early.tioga", beat(&early));
    let late = format!("{middle} {right}").replace("M ->", "L ->").replace("R ->", "L ->");
    folder.write("late.tioga", beat(&late));
    let two = format!("{} {right}", pick("R"));
    folder.write("early-two.tioga", beat(&two));
    folder.write("late-two.tioga", beat(&right.replace("R ->", "L ->")));
    let run = folder.tioga(&["conform", "late.tioga", "early.tioga"], "");
    assert_eq!(run.code, 3, "{}", run.out);
    assert!(run.out.contains("the specification has internal steps"), "{}", run.out);
    // A run of the specification can follow each of these, or two runs at once can.
    for pair in [
        ["early.tioga", "late.tioga"],
        ["early.tioga", "early.tioga"],
        ["late-two.tioga", "early-two.tioga"],
    ] {
        let run = folder.tioga(&["conform", pair[0], pair[1]], "");
        assert_eq!(run.code, 0, "{}", run.out);
    }
    let limited = ["conform", "@smart-light", "@smart-light", "--max-states", "3"];
    let run = folder.tioga(&limited, "");
    assert_eq!(run.code, 3);
    assert!(run.out.contains("the limit of 3 visited states was reached"), "{}", run.out);
}

#[test]
fn a_specification_with_hidden_moves_is_made_deterministic_if_that_is_exact() {
    let folder = folder("conform-view");
    let run = folder.tioga(&["conform", "@conveyor", "@conveyor"], "");
    assert_eq!(run.code, 0, "{}", run.out);
    let text = folder.tioga(&["examples", "conveyor"], "").out;
    folder.write(
        "slow.tioga",
        text.replace("Boarding invariant x <= 6", "Boarding invariant x <= 7"),
    );
    let run = folder.tioga(&["conform", "slow.tioga", "@conveyor"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("wait for [0,6]"), "{}", run.out);
}

#[test]
fn models_that_cannot_be_compared_are_refused_with_the_place() {
    let folder = folder("conform-alphabets");
    folder.write("bell.tioga", door("2", "").replace("knock", "ring"));
    let run = folder.tioga(&["conform", "bell.tioga", "door.tioga"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("the specification has no input `ring`"), "{}", run.err);
    assert!(run.err.contains("bell.tioga:2:7"), "{}", run.err);
    assert!(run.err.contains("the implementation has no input `knock`"), "{}", run.err);
    assert!(run.err.contains("door.tioga:2:7"), "{}", run.err);
    let run = folder.tioga(&["conform", "-", "-"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("cannot both come from standard input"), "{}", run.err);
    let run = folder.tioga(&["conform", "-", "door.tioga", "--from", "tioga"], &door("2", ""));
    assert_eq!(run.code, 0, "{}", run.err);
}

/// The door with a guest who takes `open` only then, in a model with both.
fn guest(door: &str, takes: &str) -> String {
    let door = door.replace("output open;", "output open, jam;");
    door + &format!(
        "
automaton Guest {{
  clock z;
  init location Out;
  location Waiting invariant z <= 2;
  Out -> Waiting : knock! do z = 0;
  Waiting -> Out : open?{takes};
}}

system Door environment Guest;
"
    )
}

/// A guest hears only what it expects. The tester that plays the guest hears everything, in each command.
#[test]
fn what_the_environment_cannot_take_is_no_secret() {
    let folder = Folder::new("conform-closed");
    let right = door("2", "");
    folder.write("door.tioga", guest(&right, " when z >= 1"));
    let tioga = |line: &str| folder.tioga(&line.split_whitespace().collect::<Vec<_>>(), "");
    let run = tioga("conform door.tioga door.tioga");
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let variants = [
        ("late", door("3", ""), "lets 2.5 time units pass"),
        ("early", right.replace("x >= 1", "x >= 0"), "emits open! at once"),
        (
            "extra",
            right.replace("Asked -> Shut", "Asked -> Asked : jam!;\n  Asked -> Shut"),
            "jam!",
        ),
    ];
    for (name, text, told) in variants {
        folder.write(&format!("{name}.tioga"), guest(&text, " when z >= 1"));
        let run = tioga(&format!("conform {name}.tioga door.tioga"));
        assert_eq!(run.code, 1, "{name}: {}{}", run.out, run.err);
        assert!(run.out.contains(told), "{name}: {}", run.out);
        let run = tioga(&format!("diff door.tioga {name}.tioga"));
        assert!(run.out.contains("differ") || run.code == 1, "{name}: {}{}", run.out, run.err);
        let line = format!(
            "test door.tioga --online -p walk_60 --sut model:{name}.tioga --policy random --repeat 20 --no-journal"
        );
        let run = folder.tioga(
            &line
                .split_whitespace()
                .map(|word| if word == "walk_60" { "walk 60" } else { word })
                .collect::<Vec<_>>(),
            "",
        );
        assert_eq!(run.code, 1, "{name}: {}{}", run.out, run.err);
    }
}

/// The guest does not take an early answer, and the door may give one: the model is at fault.
#[test]
fn an_output_that_the_environment_cannot_take_is_found_by_check() {
    let folder = Folder::new("check-environment");
    folder.write("fine.tioga", guest(&door("2", ""), ""));
    folder.write("wrong.tioga", guest(&door("2", ""), " when z > 1"));
    let run = folder.tioga(&["check", "fine.tioga", "--strict"], "");
    assert!(!run.out.contains("output-not-taken"), "{}", run.out);
    let run = folder.tioga(&["check", "wrong.tioga"], "");
    let told = "output-not-taken: the environment cannot take open!, which the system may send";
    assert!(run.out.contains(told), "{}{}", run.out, run.err);
    assert!(run.out.contains("run: knock? at 0"), "{}", run.out);
    let run = folder.tioga(&["conform", "wrong.tioga", "wrong.tioga"], "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
}

/// Both relations are reflexive, also where the data and hidden steps of a model are too much for a comparison.
#[test]
fn every_model_conforms_to_itself() {
    let folder = folder("conform-itself");
    for model in ["@khoumsi/fig1", "@khoumsi/fig5", "@conveyor", "@bjsk"] {
        for command in ["conform", "refines"] {
            let run = folder.tioga(&[command, model, model], "");
            assert_eq!(run.code, 0, "{command} {model}: {}{}", run.out, run.err);
        }
    }
}

/// An answer about models with symbolic constants is about their values.
#[test]
fn the_values_of_symbolic_constants_are_said() {
    let folder = Folder::new("conform-constants");
    let line = ["conform", "@khoumsi/fig1", "@khoumsi/fig1"];
    let run = folder.tioga(&line, "");
    assert!(run.out.ends_with("  for p = 0; `--set` chooses other values\n"), "{}", run.out);
    let run = folder.tioga(&[&["--format", "json"], &line[..], &["--set", "p=5"]].concat(), "");
    let value: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(value["result"]["constants"], "p = 5", "{value}");
    let run = folder.tioga(&["conform", "@smart-light", "@smart-light"], "");
    assert!(!run.out.contains("--set"), "{}", run.out);
}
