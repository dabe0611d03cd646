//! `tioga determinize` through the real binary: what it writes is a deterministic model.

use crate::binary::Folder;
use serde_json::Value;

/// The deterministic view of a file must be well-formed, deterministic and without internal steps.
fn is_deterministic(folder: &Folder, file: &str) {
    let run = folder.tioga(&["--format", "json", "check", file], "");
    let json: Value = serde_json::from_str(&run.out).unwrap();
    assert!(run.code <= 1, "{}", run.out);
    let text = folder.tioga(&["check", file, "--properties"], "").out;
    for property in ["deterministic", "observable"] {
        let line = text.lines().find(|line| line.trim_start().starts_with(property));
        assert!(line.unwrap().contains("yes"), "{text}");
    }
    assert!(json["diagnostics"].as_array().unwrap().is_empty(), "{}", run.out);
    let again = folder.tioga(&["determinize", file], "");
    assert_eq!((again.code, again.out), (0, folder.read(file)));
}

/// Values, arrays of channels, exchanges, fractions and names that are keywords elsewhere.
const RICH: &str = "
time unit 10 ms;
input set(int[0, 1] v, bool b);
input go[2];
output got(int[0, 1] v), ok;

automaton A {
  clock x;
  int[0, 1] value;
  init location Idle invariant x <= 5/2;
  location Work;
  accept location Over;
  Idle -> self : when x == 5/2 do x = 0;
  Idle -> Work : set(v, b)? when b do value = v;
  Idle -> Over : go[1]? / ok! when x < 1/2;
  Idle -> Idle : go[0]?;
  Work -> Over : got(value)! when x >= 1/2 && x <= 5/2;
}
";

#[test]
fn what_is_written_can_be_read_and_is_deterministic() {
    let folder = Folder::new("determinize-written");
    folder.write("rich.tioga", RICH);
    for (model, clocks) in [
        ("@bjsk", "1"),
        ("@conveyor", "1"),
        ("@forced-outputs/other-process", "1"),
        ("rich.tioga", "1"),
    ] {
        let run = folder.tioga(&["determinize", model, "--clocks", clocks, "-o", "view.tioga"], "");
        assert!(run.code <= 1, "{model}: {run:?}");
        assert_eq!(run.err, "");
        is_deterministic(&folder, "view.tioga");
    }
    let text = folder.read("view.tioga");
    for part in [
        "time unit 10 ms;",
        "input set(int[0, 1] v1, bool v2);",
        "input go[2];",
        "set(1, true)?",
        "go[1]? / ok!",
        "got(0)!",
        "accept location Over",
        "0.5",
    ] {
        assert!(text.contains(part), "`{part}` is missing:\n{text}");
    }
    assert!(!text.contains("set(1, false)"), "{text}");
}

#[test]
fn views_are_written_in_every_language() {
    let folder = Folder::new("determinize-languages");
    for file in ["view.tioga", "view.xml", "view.xta", "view.tck", "view.dot", "view.svg", "view"] {
        let run = folder.tioga(&["determinize", "@conveyor", "-o", file], "");
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{file}");
        let text = folder.read(file);
        assert!(text.contains("Start_Sort_Boarding"), "{file}: {text}");
        if [".tioga", ".xml", ".xta", ".tck"].iter().any(|end| file.ends_with(end)) {
            let run = folder.tioga(&["reach", file, "-q", "E<> Belt.Dest2"], "");
            assert_eq!(run.code, 0, "{file}: {} {}", run.out, run.err);
        }
    }
    assert_eq!(folder.read("view"), folder.read("view.tioga"));
    // A deterministic model is converted, and what cannot be said is refused.
    for file in ["light.xml", "light.dot"] {
        assert_eq!(folder.tioga(&["determinize", "@smart-light", "-o", file], "").code, 0);
    }
    folder.write("rich.tioga", RICH);
    let run = folder.tioga(&["determinize", "rich.tioga", "--clocks", "1", "-o", "rich.tck"], "");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("cannot be written as .tck"), "{}", run.err);
    assert!(!run.err.contains("-->"), "{}", run.err);
}

#[test]
fn a_deterministic_model_is_written_as_it_is() {
    let folder = Folder::new("determinize-unchanged");
    let run = folder.tioga(&["determinize", "@smart-light", "-o", "light.tioga"], "");
    assert_eq!(run.code, 0);
    assert!(run.out.starts_with("unchanged: the model is deterministic\n"), "{}", run.out);
    let example = folder.tioga(&["examples", "smart-light"], "");
    assert_eq!(folder.read("light.tioga"), example.out);
}

#[test]
fn json_says_what_is_lost_and_what_would_help() {
    let folder = Folder::new("determinize-json");
    let run = folder.tioga(&["--format", "json", "determinize", "@bjsk", "--clocks", "1"], "");
    assert_eq!(run.code, 1);
    let json: Value = serde_json::from_str(&run.out).unwrap();
    let result = &json["result"];
    assert_eq!(result["exactness"], "approximate");
    assert_eq!(result["losses"][0]["kind"], "delay");
    assert_eq!(result["suggestion"]["max_constant"], "3");
    let text = result["text"].as_str().unwrap();
    assert!(text.starts_with("// not exact with 1 clock"), "{text}");
}

#[test]
fn an_alarm_of_several_parts_is_determinized_exactly() {
    let folder = Folder::new("determinize-alarm");
    let run = folder.tioga(&["determinize", "@car-alarm", "-o", "alarm.tioga"], "");
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.out, "exact with 7 clocks and constants up to 300.5\n25 locations, 51 edges\n");
    is_deterministic(&folder, "alarm.tioga");
}

#[test]
fn limits_and_bad_input_are_reported() {
    let folder = Folder::new("determinize-limits");
    let few = folder.tioga(&["determinize", "@bjsk", "--max-steps", "3"], "");
    assert_eq!(few.code, 1, "{few:?}");
    assert!(few.out.contains("everything may happen, because the budget was exhausted"), "{few:?}");
    assert!(few.out.contains("Unknown -> self : b!"), "{few:?}");
    let half = folder.tioga(&["determinize", "@bjsk", "--max-constant", "1/2"], "");
    assert_eq!(half.code, 2);
    assert!(half.err.contains("not a multiple"), "{}", half.err);
    let word = folder.tioga(&["determinize", "@bjsk", "--clocks", "many"], "");
    assert_eq!(word.code, 2);
}

/// A hundred times the constants of `@bjsk`, and one more, so that views take more steps.
fn larger_bjsk(folder: &Folder) {
    let folder_of_model = folder.tioga(&["examples", "@bjsk"], "").out;
    let mut text = folder_of_model;
    for comparison in ["<= ", "< ", "== ", "> "] {
        for constant in ["1", "2"] {
            for end in [";", " &&", ")", " do"] {
                let old = format!("{comparison}{constant}{end}");
                text = text.replace(&old, &format!("{comparison}{constant}0{constant}{end}"));
            }
        }
    }
    assert!(text.contains("x <= 101;") && text.contains("x > 101 && x < 202 do"), "{text}");
    folder.write("large.tioga", text);
}

#[test]
fn every_command_has_the_same_resources_for_views() {
    let folder = Folder::new("same-resources");
    larger_bjsk(&folder);
    let run = |line: &str| folder.tioga(&line.split(' ').collect::<Vec<_>>(), "");
    let questions = [
        "determinize large.tioga -p LowerBranch -o view.tioga",
        "synth large.tioga",
        "conform large.tioga large.tioga",
        "mutate large.tioga --operators sink",
    ];
    for line in questions {
        let found = run(line);
        assert_eq!(found.code, 0, "{line}: {}{}", found.out, found.err);
    }
    assert!(folder.read("view.tioga").contains("// exact"));
    assert!(run("synth large.tioga").out.contains("exact verdicts"));
    // With one clock and a small constant, the view is an approximation, whoever asks.
    let limited = run("determinize large.tioga -p LowerBranch --clocks 1 --max-constant 202");
    assert_eq!(limited.code, 1, "{}", limited.out);
    let limited = run("synth large.tioga --clocks 1 --max-constant 202");
    assert!(limited.out.contains("approximate verdicts"), "{}{}", limited.out, limited.err);
    // With a budget that is too small, the view says so itself, and there is no test case.
    for (line, code) in [("determinize large.tioga", 1), ("synth large.tioga", 3)] {
        let few = run(&format!("{line} --max-steps 10"));
        assert_eq!(few.code, code, "{line}: {}{}", few.out, few.err);
        let told = format!("{}{}", few.out, few.err);
        assert!(told.contains("`--max-steps` allows more"), "{line}: {told}");
    }
}
