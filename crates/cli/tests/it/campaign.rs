//! `tioga campaign` through the real binary: the kill matrix, exit codes, and that neither the number
//! of jobs nor anything else changes the results.

use crate::binary::{Folder, Json};
use serde_json::Value;

const DOOR: &str = "model door;
input knock;
output open, creak;
automaton Door {
  clock x;
  init location Shut;
  location Asked invariant x <= 2;
  Shut -> Asked : knock? do x = 0;
  Asked -> Shut : open! when x >= 1;
}
";

/// How many seconds endless campaigns get, until one of them got far enough on a busy machine.
const PATIENCE: [&str; 5] = ["2", "8", "32", "128", "512"];

/// The JSON result of a campaign against the door, and its exit code.
fn door(name: &str, args: &[&str]) -> (i32, Value) {
    let folder = Folder::new(name);
    folder.write("door.tioga", DOOR);
    let all = [&["--format", "json", "campaign", "door.tioga"], args].concat();
    let run = folder.tioga(&all, "");
    let value: Value = serde_json::from_str(&run.out).unwrap();
    (run.code, value["result"].clone())
}

fn mutant<'v>(result: &'v Value, id: &str) -> &'v Value {
    let mut mutants = result["mutants"].as_array().unwrap().iter();
    mutants.find(|one| one["id"] == id).unwrap_or_else(|| panic!("no {id}"))
}

#[test]
fn every_mutant_of_the_door_is_killed_unless_it_is_equivalent() {
    let (code, result) = door("campaign-door", &["--judge-all", "--repeat", "20"]);
    assert_eq!(code, 0, "{result:#}");
    assert_eq!(result["score"]["missed"], 0);
    let early = mutant(&result, "invariant-minus-1@Door.Asked#0");
    assert_eq!((&early["result"], &early["status"]), (&"equivalent".into(), &"equivalent".into()));
    // A conforming system has all its runs, and none of them failed.
    assert_eq!((&early["runs"], &early["cells"]), (&40.into(), &"..".into()));
    for one in result["mutants"].as_array().unwrap() {
        let killed = one["result"] == "killed";
        assert_eq!(killed, one["status"] == "non-conforming", "{one:#}");
        assert_eq!(killed, one["cells"].as_str().unwrap().contains('K'), "{one:#}");
        assert_eq!(killed, one["kill"]["reason"].is_string(), "{one:#}");
    }
}

#[test]
fn a_weak_suite_misses_what_only_others_notice() {
    let folder = Folder::new("campaign-weak");
    folder.write("door.tioga", DOOR);
    let made = folder.tioga(
        &["synth", "door.tioga", "--cover", "edges", "--each", "--shape", "tree", "-o", "s.json"],
        "",
    );
    assert_eq!(made.code, 0, "{}", made.err);
    // The edge of the knock is taken as soon as it was sent; what comes then is not looked at.
    let mut suite: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    suite["cases"].as_array_mut().unwrap().truncate(1);
    folder.write("weak.json", suite.to_string());
    let args = ["campaign", "door.tioga", "--suite", "weak.json", "--operators", "sink,invariant"];
    let run = folder.tioga(&args, "");
    assert_eq!(run.code, 1, "{}{}", run.out, run.err);
    assert!(run.out.contains("SURVIVES, non-conforming: knock? +2.5\n"), "{}", run.out);
    assert!(
        run.out.ends_with(
            "killed 0 of 4 (0 %), each test case run once; 4 non-conforming and missed\n"
        ),
        "{}",
        run.out
    );
    // One more output after each edge shows the rest.
    let made = ["synth", "door.tioga", "--cover", "edges", "--each", "--then", "-o", "then.json"];
    assert_eq!(folder.tioga(&made, "").code, 0);
    let run = folder.tioga(&[&args[..4], &["--suite", "then.json"], &args[4..]].concat(), "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.out.ends_with("killed 4 of 4 (100 %), each test case run once\n"), "{}", run.out);
}

#[test]
fn survivors_that_cannot_be_judged_are_unknown() {
    let args = ["--operators", "invariant-minus-1", "--max-states", "1", "--repeat", "1"];
    let (code, result) = door("campaign-unknown", &args);
    assert_eq!(code, 3, "{result:#}");
    assert_eq!(result["score"]["unknown"], 1);
}

#[test]
fn an_interrupted_campaign_does_not_blame_the_suite() {
    let folder = Folder::new("campaign-interrupted");
    folder.write("door.tioga", DOOR);
    let made = folder.tioga(
        &["synth", "door.tioga", "--cover", "edges", "--each", "--shape", "tree", "-o", "s.json"],
        "",
    );
    assert_eq!(made.code, 0, "{}", made.err);
    let mut suite: Value = serde_json::from_str(&folder.read("s.json")).unwrap();
    suite["cases"].as_array_mut().unwrap().truncate(1);
    folder.write("weak.json", suite.to_string());
    let line = "campaign door.tioga --suite weak.json --operators sink,invariant";
    for seconds in PATIENCE {
        let endless = format!("{line} --repeat 1000000000 --timeout {seconds}");
        let run = folder.tioga(&endless.split(' ').collect::<Vec<_>>(), "");
        assert_eq!(run.code, 3, "{}{}", run.out, run.err);
        assert!(run.out.contains("\ninterrupted after "), "{}", run.out);
        let json = format!("--format json {endless}");
        let machine = folder.tioga(&json.split(' ').collect::<Vec<_>>(), "");
        assert_eq!((machine.code, &machine.json()["result"]["interrupted"]), (3, &true.into()));
        // A busy machine may not have judged all of them before the interruption.
        if run.out.ends_with("; 4 non-conforming and not killed yet\n") {
            return;
        }
    }
    panic!("never all of them were judged");
}

#[test]
fn what_was_killed_before_an_interruption_stays_dead() {
    let operators = ["--operators", "output-missing,sink"];
    let all_were_killed = PATIENCE.iter().any(|seconds| {
        let endless = ["--full", "--repeat", "1000000000", "--timeout", seconds];
        let args = [&operators[..], &endless[..]].concat();
        let (code, result) = door("campaign-interrupted-dead", &args);
        assert_eq!(&result["interrupted"], &true, "{result:#}");
        let all = result["score"]["killed"] == result["score"]["mutants"];
        assert_eq!(code, if all { 0 } else { 3 }, "{result:#}");
        all
    });
    assert!(all_were_killed, "something survives");
    let (code, result) = door("campaign-uninterrupted", &operators);
    assert_eq!((code, &result["interrupted"]), (0, &false.into()), "{result:#}");
}

#[test]
fn neither_jobs_nor_repetition_of_the_command_change_anything() {
    let folder = Folder::new("campaign-jobs");
    let run = |jobs: &str, seed: &str| {
        let operators = "guard-compare,reset-missing,output-missing";
        let args = [
            "campaign",
            "@smart-light",
            "--operators",
            operators,
            "--repeat",
            "12",
            "--jobs",
            jobs,
            "--seed",
            seed,
            "-o",
            "matrix.csv",
        ];
        let run = folder.tioga(&args, "");
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        (run.out, folder.read("matrix.csv"))
    };
    let (text, csv) = run("1", "0");
    assert_eq!((text.clone(), csv.clone()), run("3", "0"));
    assert!(text.contains("killed 30 of 30 (100 %), each test case run up to 12 times"), "{text}");
    let mut lines = csv.lines();
    assert!(
        lines.next().unwrap().starts_with("mutant,operator,result,runs,smart_light-Light.edge0,")
    );
    assert!(lines.next().unwrap().starts_with("guard-compare@Light.edge0#0,guard-compare,killed,"));
    assert_eq!(lines.count(), 31);
    assert_ne!(csv, run("1", "1").1);
}

#[test]
fn a_full_matrix_has_no_gaps() {
    let args = ["--full", "--repeat", "20", "--operators", "action,output-missing"];
    let (code, result) = door("campaign-full", &args);
    assert_eq!(code, 0);
    for one in result["mutants"].as_array().unwrap() {
        assert!(!one["cells"].as_str().unwrap().contains('-'), "{one:#}");
    }
    let kills = |case: usize| result["cases"][case]["kills"].as_u64().unwrap();
    assert_eq!(kills(1), 2, "{result:#}");
}

#[test]
fn a_suite_of_another_model_is_refused() {
    let folder = Folder::new("campaign-other");
    folder.write("door.tioga", DOOR);
    folder.write("late.tioga", DOOR.replace("x <= 2", "x <= 1"));
    let made =
        folder.tioga(&["synth", "late.tioga", "--cover", "edges", "--each", "-o", "s.json"], "");
    assert_eq!(made.code, 0, "{}", made.err);
    let run = folder.tioga(&["campaign", "door.tioga", "--suite", "s.json"], "");
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("the model itself fails the test case"), "{}", run.err);
    let run = folder.tioga(&["campaign", "@smart-light", "--suite", "s.json"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("lacks the input `knock`"), "{}", run.err);
    let run = folder.tioga(&["campaign", "door.tioga", "-o", "matrix.txt"], "");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("let it end in .json or .csv"), "{}", run.err);
}

#[test]
fn a_model_in_its_environment_is_judged() {
    let folder = Folder::new("campaign-closed");
    let args = ["campaign", "@car-alarm", "--operators", "guard-plus-1", "--repeat", "3"];
    let run = folder.tioga(&args, "");
    assert!(run.out.contains("guard-plus-1@Guard.edge8#0"), "{}{}", run.out, run.err);
    assert!(!run.out.contains("unknown:"), "{}", run.out);
}

/// Runs a campaign against an embedded example that kills everything which does not conform, and at
/// least as many mutants as said.
fn kills_everything(example: &str, operators: &str, repeat: &str, least: u64) {
    let folder = Folder::new(&format!("campaign-all-{}", example.replace('/', "-")));
    let mut args = vec!["--format", "json", "campaign", example, "--judge-all"];
    args.extend(["--repeat", repeat]);
    if !operators.is_empty() {
        args.extend(["--operators", operators]);
    }
    let run = folder.tioga(&args, "");
    let result = &run.json()["result"];
    let survivors: Vec<&Value> = result["mutants"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| !["killed", "equivalent"].contains(&one["result"].as_str().unwrap()))
        .collect();
    assert!(run.code == 0 && survivors.is_empty(), "{example}: {survivors:#?} {}", run.err);
    for one in result["mutants"].as_array().unwrap() {
        // Nobody who conforms is blamed.
        let guilty = one["status"] == "non-conforming";
        assert_eq!(one["result"] == "killed", guilty, "{example}: {one:#}");
    }
    let killed = result["score"]["killed"].as_u64().unwrap();
    assert!(killed >= least, "{example}: only {killed} were killed");
}

#[test]
fn whatever_does_not_conform_to_the_conveyor_is_killed() {
    // A reset that is missing shows only after a rare sequence of moments.
    kills_everything("@conveyor-game", "reset-missing", "1000", 9);
    let others =
        "guard,invariant,reset-extra,target,source,action,output-missing,input-missing,sink";
    kills_everything("@conveyor-game", others, "30", 130);
}

#[test]
fn whatever_does_not_conform_to_examples_with_deadlines_is_killed() {
    kills_everything("@service-desk", "", "40", 60);
    kills_everything("@two-clock-switch/off5", "", "200", 20);
    kills_everything("@forced-outputs/race", "", "200", 18);
}

#[test]
fn whatever_does_not_conform_to_the_complex_game_is_killed() {
    kills_everything("@complex", "", "500", 95);
}
