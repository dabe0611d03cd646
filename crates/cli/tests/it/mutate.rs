//! `tioga mutate` through the real binary.

use crate::binary::Folder;
use serde_json::Value;

const DOOR: &str = "model door;
input knock;
output open, creak;
automaton Door {
  clock x;
  int[0, 2] times;
  init location Shut;
  location Asked invariant x <= 2;
  Shut -> Asked : knock? when times < 2 do x = 0, times = times + 1;
  Asked -> Shut : open! when x >= 1;
}
";

/// The JSON result of a run.
fn json(folder: &Folder, args: &[&str]) -> Value {
    let run = folder.tioga(&[&["--format", "json", "mutate"], args].concat(), "");
    let value: Value = serde_json::from_str(&run.out).unwrap();
    value["result"].clone()
}

fn status<'v>(result: &'v Value, id: &str) -> &'v Value {
    let mut mutants = result["mutants"].as_array().unwrap().iter();
    mutants.find(|one| one["id"] == id).unwrap_or_else(|| panic!("no {id}"))
}

#[test]
fn mutants_are_judged_with_the_shortest_run() {
    let folder = Folder::new("mutate-door");
    folder.write("door.tioga", DOOR);
    let result = json(&folder, &["door.tioga"]);
    let late = status(&result, "invariant-plus-1@Door.Asked#0");
    assert_eq!(late["status"], "non-conforming");
    assert_eq!(late["description"], "invariant of Asked: x <= 2 becomes x <= 3");
    assert_eq!(late["violation"]["kind"], "delay");
    assert_eq!(late["violation"]["trace"].as_array().unwrap().len(), 2);
    let early = status(&result, "invariant-minus-1@Door.Asked#0");
    assert_eq!(early["status"], "equivalent");
    // A system that lost its only answer does not stop time; it is late.
    assert_eq!(status(&result, "output-missing@Door.edge1#0")["violation"]["kind"], "delay");
    // One that lost its input ignores it, and does not answer.
    assert_eq!(status(&result, "input-missing@Door.edge0#0")["violation"]["kind"], "delay");
    assert_eq!(status(&result, "action@Door.edge1#0")["violation"]["kind"], "output");
    assert_eq!(status(&result, "sink@Door.edge1#0")["status"], "non-conforming");
    let as_is = json(&folder, &["door.tioga", "--as-is"]);
    // As it is, it stops time, which says nothing about a system.
    assert_eq!(status(&as_is, "output-missing@Door.edge1#0")["status"], "unknown");
    assert_eq!(status(&as_is, "input-missing@Door.edge0#0")["status"], "equivalent");
}

#[test]
fn the_table_shows_id_change_and_status() {
    let folder = Folder::new("mutate-table");
    folder.write("door.tioga", DOOR);
    let run = folder.tioga(&["mutate", "door.tioga", "--operators", "invariant"], "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let expected = "door: 4 mutants
  mutant                          change                                    status
  invariant-plus-1@Door.Asked#0   invariant of Asked: x <= 2 becomes x <= 3  non-conforming: knock? +2.5
";
    assert_eq!(collapsed(&run.out).lines().next(), collapsed(expected).lines().next());
    for line in collapsed(expected).lines() {
        assert!(collapsed(&run.out).contains(line), "{line}: {}", run.out);
    }
    assert!(run.out.ends_with("2 non-conforming, 2 equivalent, 0 unknown\n"), "{}", run.out);
    let run = folder
        .tioga(&["mutate", "door.tioga", "--operators", "invariant", "--only-nonconforming"], "");
    assert!(run.out.starts_with("door: 2 mutants\n"), "{}", run.out);
}

/// Lines with single spaces.
fn collapsed(text: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn written_mutants_are_judged_as_they_were_listed() {
    let folder = Folder::new("mutate-written");
    folder.write("door.tioga", DOOR);
    let run = folder.tioga(&["mutate", "door.tioga", "-o", "out"], "");
    // Some compute values outside their ranges, of which nothing is known.
    assert_eq!((run.code, run.err.as_str()), (3, ""));
    let list: Value = serde_json::from_str(&folder.read("out/mutants.json")).unwrap();
    let mutants = list["mutants"].as_array().unwrap();
    assert!(mutants.len() > 20);
    for one in mutants {
        let file = format!("out/{}", one["file"].as_str().unwrap());
        let run = folder.tioga(&["conform", &file, "door.tioga"], "");
        let expected = if one["status"] == "non-conforming" { 1 } else { 0 };
        assert_eq!(run.code, expected, "{file}: {} {}", run.out, run.err);
        let text = folder.read(&file);
        let comment = one["description"].as_str().unwrap();
        assert!(text.contains(&format!("// {comment}\n")), "{text}");
    }
}

#[test]
fn processes_of_a_shared_template_get_one_of_their_own() {
    let folder = Folder::new("mutate-template");
    let run = folder.tioga(
        &[
            "mutate",
            "@car-alarm",
            "--operators",
            "guard-plus-1,reset-missing",
            "--list",
            "-o",
            "out",
        ],
        "",
    );
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let text = folder.read("out/guard-plus-1@Siren.edge2#0.tioga");
    assert!(text.contains("Siren = Signal_of_Siren(sound_on, sound_off, 30);"), "{text}");
    assert!(text.contains("Lights = Signal(flash_on, flash_off, 300);"), "{text}");
    assert!(text.contains("Active -> Silent : off! when t >= 31;"), "{text}");
    assert!(text.contains("Active -> Silent : off! when t >= duration;"), "{text}");
    let run = folder.tioga(&["check", "out/guard-plus-1@Siren.edge2#0.tioga"], "");
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn mutants_that_cannot_be_judged_are_listed_all_the_same() {
    let folder = Folder::new("mutate-closed");
    let args = ["mutate", "@concur05", "--operators", "sink"];
    let run = folder.tioga(&args, "");
    assert_eq!(run.code, 3);
    assert!(run.out.contains("unknown: the model has no inputs and no outputs"), "{}", run.out);
    let run = folder.tioga(&[&args[..], &["--list"]].concat(), "");
    assert_eq!(run.code, 0);
    assert!(!run.out.contains("unknown"), "{}", run.out);
}

/// The trains make steps that nothing shows, and take only outputs that they expect. A tester that plays them knows
/// the first and hears every output.
#[test]
fn mutants_in_an_environment_are_judged_as_a_tester_finds_them() {
    let folder = Folder::new("mutate-trains");
    let result = json(&folder, &["@train-gate"]);
    for one in result["mutants"].as_array().unwrap() {
        assert_ne!(one["status"], "unknown", "{one:#}");
    }
    // With an empty queue, no train waits for `go`.
    let run = folder.tioga(&["mutate", "@train-gate", "--operators", "guard-strict"], "");
    assert!(
        run.out.contains("length > 0 becomes length >= 0  non-conforming: go[0]!"),
        "{}",
        run.out
    );
    let args = ["mutation", "@train-gate", "--repeat", "4", "--judge-all", "--format", "json"];
    let run = folder.tioga(&args, "");
    assert_eq!(run.code, 0, "{}", run.err);
    let value: Value = serde_json::from_str(&run.out).unwrap();
    for one in value["result"]["mutants"].as_array().unwrap() {
        assert_eq!(one["result"] == "killed", one["status"] == "non-conforming", "{one:#}");
    }
}

#[test]
fn models_of_other_languages_become_mutants_in_ours() {
    let folder = Folder::new("mutate-xml");
    let run = folder.tioga(&["convert", "@smart-light", "-o", "light.xml"], "");
    assert_eq!(run.code, 0);
    let args = ["mutate", "light.xml", "--operators", "action,invariant-drop", "-o", "out"];
    let run = folder.tioga(&args, "");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let text = folder.read("out/invariant-drop@Light.L3#0.tioga");
    assert!(text.contains("  location L3;\n"), "{text}");
    assert_eq!(folder.tioga(&["check", "out/action@Light.edge12#1.tioga"], "").code, 0);
}

#[test]
fn waiting_for_the_tester_does_not_condemn_a_mutant() {
    let folder = Folder::new("mutate-stops");
    let run = folder.tioga(&["mutate", "@switch/sw5", "--operators", "guard-plus-1"], "");
    assert_eq!(run.code, 0);
    // At 6 the switch waits for nobody but the tester; at 5 it has to go off by itself.
    assert!(run.out.contains("c <= 6 becomes c <= 7   equivalent"), "{}", run.out);
    assert!(run.out.contains("non-conforming: on? +5 (internal) +0.5"), "{}", run.out);
    let late = ["mutate", "@switch/sw5", "--operators", "invariant-drop", "--as-is"];
    let run = folder.tioga(&late, "");
    assert!(run.out.contains("1 non-conforming, 1 equivalent"), "{}", run.out);
}

#[test]
fn wrong_options_are_explained() {
    let folder = Folder::new("mutate-wrong");
    let run = folder.tioga(&["mutate", "@smart-light", "--operators", "guard-pluss-1"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no operator `guard-pluss-1`"), "{}", run.err);
    assert!(run.err.contains("did you mean `guard-plus-1`?"), "{}", run.err);
    let run = folder.tioga(&["mutate", "@fsm-29", "--operators", "reset-missing"], "");
    assert_eq!((run.code, run.out.as_str()), (1, "fsm_29: 0 mutants\n"));
}

#[test]
fn output_is_the_same_every_time() {
    let folder = Folder::new("mutate-same");
    let args = ["--format", "json", "mutate", "@conveyor-game", "--operators", "guard,sink"];
    let one = folder.tioga(&args, "").out;
    assert_eq!(one, folder.tioga(&[&args[..], &["--threads", "1"]].concat(), "").out);
}

#[test]
fn the_help_names_every_operator() {
    let folder = Folder::new("mutate-help");
    let help = folder.tioga(&["mutate", "--help"], "").out;
    for model in ["@smart-light", "@train-gate", "@tefsm"] {
        let result = json(&folder, &[model, "--list"]);
        for one in result["mutants"].as_array().unwrap() {
            let operator = one["operator"].as_str().unwrap();
            assert!(help.contains(operator), "{operator} is not in the help");
        }
    }
}

#[test]
fn a_mutant_that_leaves_a_range_is_not_called_equivalent() {
    let folder = Folder::new("mutate-range");
    let model = "input go; output say(int[1, 3] v);
automaton P { clock x; int[0, 3] n;
  init location L; location B invariant x <= 2;
  L -> B : go? do x = 0, n = n + 1;
  B -> L : say(n)! do n = 0;
}";
    folder.write("m.tioga", model);
    // Adding 0 leaves nothing that could be said, and adding 2 says something else.
    let run =
        folder.tioga(&["mutate", "m.tioga", "--operators", "update-plus-1,update-minus-1"], "");
    assert_eq!(run.code, 3, "{}{}", run.out, run.err);
    assert!(
        run.out.contains("unknown: the mutant computes a value outside its range"),
        "{}",
        run.out
    );
    let run = folder.tioga(&["campaign", "m.tioga", "--operators", "update", "--judge-all"], "");
    assert_ne!(run.code, 4, "{}{}", run.out, run.err);
}

/// A lamp that is lit through a second process, which has to take the request at once.
const RELAY: &str = "model relay;
input go;
output on;
chan hop;
automaton Head {
  init location Idle;
  urgent location Passing;
  Idle -> Passing : go?;
  Passing -> Idle : hop!;
}
automaton Lamp {
  clock r;
  init location Dark;
  location Asked invariant r <= 1;
  Dark -> Asked : hop? do r = 0;
  Asked -> Dark : on!;
  Asked -> self : hop?;
}
system Head, Lamp;
";

/// Without the reset, the request cannot be taken, and no time passes. As a system, it stays silent.
#[test]
fn a_mutant_that_stops_time_is_not_called_equivalent() {
    let folder = Folder::new("mutate-relay");
    folder.write("relay.tioga", RELAY);
    let result = json(&folder, &["relay.tioga", "--operators", "reset-missing"]);
    let own = status(&result, "reset-missing@Lamp.edge0#0");
    assert_eq!(own["status"], "unknown", "{own:#}");
    let args = ["mutation", "relay.tioga", "--operators", "reset-missing", "--judge-all"];
    let run = folder.tioga(&[&args[..], &["--repeat", "20"]].concat(), "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("killed 1 of 1"), "{}", run.out);
}

/// The model stops time itself, so its mutants are judged as they are.
const VALVE: &str = "\
model valve;
input turn;
output hiss;
automaton Valve {
  clock x;
  init location Open invariant x <= 6;
  location Shut;
  urgent location Stuck;
  Open -> Shut : hiss! when x <= 3 do x = 0;
  Shut -> Open : turn? when x == 4 do x = 0;
  Shut -> self : turn?;
  Stuck -> Open : turn? do x = 0;
}
";

/// Time goes on for a mutant that is run where it stops time, so a test may kill it although it conforms.
#[test]
fn a_mutant_that_stops_time_like_the_model_elsewhere_is_not_called_equivalent() {
    let folder = Folder::new("mutate-valve");
    folder.write("valve.tioga", VALVE);
    let result = json(&folder, &["valve.tioga", "--operators", "target"]);
    let own = status(&result, "target@Valve.edge1#1");
    assert_eq!(own["status"], "unknown", "{own:#}");
    assert!(own["reason"].as_str().is_some_and(|why| why.contains("stops time")), "{own:#}");
    assert_eq!(status(&result, "target@Valve.edge1#0")["status"], "equivalent");
}
