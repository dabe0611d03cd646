//! `tioga synth --method`: complete suites of models that are finite machines, run as all others; and two
//! stages.

use crate::binary::{Folder, Json};

const COFFEE: &str = "model coffee;
input coin, button;
output beep, nothing, drink;
automaton Machine {
  init location Empty;
  location Paid;
  Empty -> Paid : coin? / beep!;
  Empty -> Empty : button? / nothing!;
  Paid -> Paid : coin? / beep!;
  Paid -> Empty : button? / drink!;
}
";

/// The machine as a program with virtual time. Its argument is what it answers to a button when paid twice.
#[cfg(unix)]
const PROGRAM: &str = r#"paid=0; answer=
while read -r line; do
  case "$line" in
    *hello*) echo '{"hello":{}}' ;;
    *reset*) paid=0; answer=; echo '{"ready":true}' ;;
    *coin*) paid=$((paid + 1)); answer=beep ;;
    *button*)
      case $paid in 0) answer=nothing ;; 1) answer=drink ;; *) answer=$1 ;; esac
      paid=0 ;;
    *advance*)
      if [ -n "$answer" ]; then echo "{\"output\":\"$answer\",\"after\":0}"; answer=
      else echo "$line" | sed 's/advance/advanced/'; fi ;;
    *bye*) exit 0 ;;
  esac
done
"#;

#[test]
fn suites_of_models_are_test_cases_as_all_others() {
    let folder = Folder::new("complete-synth");
    let spec = folder.tioga(&["examples", "fsm-29"], "").out;
    folder.write("spec.tioga", &spec);
    let wrong = spec.replace("s3 -> s0 : a? / zero!", "s3 -> s1 : a? / zero!");
    folder.write("wrong.tioga", &wrong);
    for method in ["w", "wp", "hsi", "h", "spy", "spyh", "s"] {
        let more = ["--method", method, "--extra-states", "1"];
        let run =
            folder.tioga(&[&["synth", "spec.tioga"], &more[..], &["-o", "a.json"]].concat(), "");
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{method}");
        let line = "complete for systems with at most 5 states\nsuite written to a.json\n";
        assert!(run.out.ends_with(line), "{}", run.out);
        let machine = ["machine", "suite", "spec.tioga"];
        let run = folder.tioga(&[&machine, &more[..], &["-o", "b.json"]].concat(), "");
        assert_eq!(run.code, 0, "{}", run.err);
        assert_eq!(folder.read("a.json"), folder.read("b.json"));
        let certified = folder.tioga(&["certify", "spec.tioga", "a.json"], "");
        assert_eq!(certified.code, 0, "{method}: {}", certified.out);
        let run = folder.tioga(&["run", "a.json", "--sut", "model:spec.tioga", "--no-journal"], "");
        assert_eq!(run.code, 0, "{method}: {}{}", run.out, run.err);
    }
    let run =
        folder.tioga(&["--format", "json", "run", "a.json", "--sut", "model:wrong.tioga"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    let explained = folder.tioga(&["explain", "a.journal"], "");
    assert_eq!(explained.code, 0, "{}", explained.err);
    assert!(explained.out.contains("inputs "), "{}", explained.out);
    let printed = folder.tioga(&["synth", "spec.tioga", "--method", "s"], "").out;
    assert!(printed.starts_with("test case s-1: tree for inputs "), "{printed}");
    let whole = ["--format", "json", "synth", "spec.tioga", "--method", "s"];
    let result = folder.tioga(&whole, "").json();
    let complete = &result["result"]["complete"];
    assert_eq!((&complete["method"], &complete["states"]), (&"s".into(), &4.into()));
    let cases = result["result"]["suite"]["cases"].as_array().unwrap();
    assert_eq!(complete["count"], cases.len());
}

/// What variables hold becomes part of the states.
#[test]
fn models_with_data_are_unfolded() {
    let folder = Folder::new("complete-data");
    let counter = "model counter;
input step;
output low, high;
int[0,2] n = 0;
automaton Counter {
  init location L;
  L -> L : step? / low! when n < 2 do n = n + 1;
  L -> L : step? / high! when n == 2 do n = 0;
}
";
    folder.write("counter.tioga", counter);
    folder.write("wrong.tioga", counter.replace("do n = 0;", "do n = 1;"));
    let made = ["synth", "counter.tioga", "--method", "s", "--extra-states", "1", "-o", "c.json"];
    let run = folder.tioga(&made, "");
    assert!(run.out.contains("complete for systems with at most 4 states"), "{}", run.out);
    assert_eq!(folder.tioga(&["certify", "counter.tioga", "c.json"], "").code, 0);
    for (system, code) in [("model:counter.tioga", 0), ("model:wrong.tioga", 1)] {
        let run = folder.tioga(&["run", "c.json", "--sut", system, "--no-journal"], "");
        assert_eq!(run.code, code, "{system}: {}{}", run.out, run.err);
    }
}

#[test]
fn models_that_are_no_machines_for_the_method_are_refused_with_a_way_out() {
    let folder = Folder::new("complete-refused");
    let refused = |arguments: &[&str]| {
        let run = folder.tioga(&[&["synth"], arguments].concat(), "");
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.out);
        run.err
    };
    let clocks = refused(&["@smart-light", "--method", "h"]);
    assert!(clocks.contains("`dim!` may come in `L1; Light.x=0, Light.Tp=0` or later"), "{clocks}");
    folder.write("plain.tioga", "input a; automaton M { init location s; s -> self : a?; }");
    let plain = refused(&["plain.tioga", "--method", "h"]);
    assert!(
        plain.contains("every step of a finite machine takes an input and answers it"),
        "{plain}"
    );
    assert!(plain.contains("without `--method`, `tioga synth` makes test cases"), "{plain}");
    folder.write("partial.tioga", COFFEE.replace("  Paid -> Paid : coin? / beep!;\n", ""));
    let partial = refused(&["partial.tioga", "--method", "w"]);
    assert!(partial.contains("state `Paid` has no transition for input `coin`"), "{partial}");
    assert!(partial.contains("`--method hsi`, `h`, `spy`, `spyh` and `s` allow"), "{partial}");
    for method in ["hsi", "h", "spy", "spyh", "s"] {
        let run = folder.tioga(&["synth", "partial.tioga", "--method", method], "");
        assert_eq!(run.code, 0, "{method}: {}", run.err);
    }
    let twice = "  location Paid, More;\n  More -> More : coin? / beep!;\n  More -> Empty : button? / drink!;\n";
    let twice = COFFEE.replace("  location Paid;\n", twice);
    let twice = twice.replace("Paid -> Paid : coin?", "Paid -> More : coin?");
    folder.write("twice.tioga", &twice);
    let same = refused(&["twice.tioga", "--method", "s"]);
    assert!(same.contains("states `Paid`, `More` cannot be told apart by any inputs"), "{same}");
    assert!(same.contains("`--minimise` goes on with the minimal machine"), "{same}");
    let run = folder.tioga(&["synth", "twice.tioga", "--method", "s", "--minimise"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.ends_with("complete for systems with at most 2 states\n"), "{}", run.out);
    let bounds = refused(&["@fsm-29", "--method", "g", "--word", "a a", "--classes", "9"]);
    assert!(bounds.contains("at least 9 classes cannot be in at most 4 states"), "{bounds}");
    let alone = refused(&["@fsm-29", "--extra-states", "1"]);
    assert!(alone.contains("--extra-states is about complete suites"), "{alone}");
    let unused = refused(&["@fsm-29", "--method", "s", "--classes", "1"]);
    assert!(unused.contains("--classes is for the method g"), "{unused}");
    let itself = ["--method", "g", "--word", "a", "--classes", "1", "--second-stage", "g"];
    let itself = refused(&[&["@fsm-29"], &itself[..]].concat());
    assert!(itself.contains("the method g cannot be its own second stage"), "{itself}");
    assert!(refused(&["@fsm-29", "--method", "s", "--cover", "edges"]).contains("cannot be used"));
}

/// The guess that no word is needed to tell states apart is wrong for M' (BON09, Example 28).
#[test]
fn what_passes_a_bold_guess_is_found_by_the_second_stage() {
    let folder = Folder::new("complete-stages");
    let first =
        ["synth", "@fsm-28/m", "--minimise", "--method", "g", "--word", "", "--classes", "3"];
    let run = folder.tioga(&[&first[..], &["-o", "one.json"]].concat(), "");
    assert_eq!(run.code, 0, "{}", run.err);
    let sut = ["--sut", "model:@fsm-28/m-prime", "--no-journal"];
    let run = folder.tioga(&[&["run", "one.json"], &sut[..]].concat(), "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let both = [&first[..], &["--second-stage", "s", "-o", "two.json"]].concat();
    assert_eq!(folder.tioga(&both, "").code, 0);
    let run = folder.tioga(&[&["run", "two.json"], &sut[..]].concat(), "");
    assert_eq!(run.code, 1, "{}", run.out);
    let text = folder.read("two.json");
    let names: Vec<&str> = text.split("\"name\": \"").skip(1).map(|rest| &rest[..2]).collect();
    let names: Vec<&str> =
        names.into_iter().filter(|name| *name == "g-" || *name == "s-").collect();
    let second = names.iter().position(|name| *name == "s-").unwrap();
    assert!(names[..second].iter().all(|name| *name == "g-"));
    assert!(second > 0 && names[second..].iter().all(|name| *name == "s-"));
}

/// The run ends with the first test that shows a difference.
#[test]
#[cfg(unix)]
fn a_process_is_tested_up_to_the_first_difference() {
    let folder = Folder::new("complete-process");
    folder.write("coffee.tioga", COFFEE);
    folder.write("coffee.sh", PROGRAM);
    let made = ["synth", "coffee.tioga", "--method", "s", "--extra-states", "1", "-o", "c.json"];
    assert_eq!(folder.tioga(&made, "").code, 0);
    let run = folder.tioga(&["run", "c.json", "--sut", "sh coffee.sh drink", "--no-journal"], "");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let wrong = ["run", "c.json", "--sut", "sh coffee.sh nothing", "--no-journal"];
    let run = folder.tioga(&wrong, "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("the output `nothing` is not allowed now"), "{}", run.out);
    assert!(run.out.contains("stopped at the first problem, after 1 run of 4"), "{}", run.out);
}

/// A suite says for which systems it is complete, and the independent checker decides it.
#[test]
fn the_claim_of_a_suite_is_certified() {
    let folder = Folder::new("complete-claim");
    let one = "model one; input a, b; output zero, one;
automaton M { init location s; s -> s : a? / one!; s -> s : b? / zero!; }";
    folder.write("one.tioga", one);
    for method in ["w", "wp", "hsi", "h", "spy", "spyh", "s"] {
        let made =
            ["synth", "one.tioga", "--method", method, "--extra-states", "1", "-o", "s.json"];
        assert_eq!(folder.tioga(&made, "").code, 0, "{method}");
        let run = folder.tioga(&["certify", "one.tioga", "s.json"], "");
        assert_eq!(run.code, 0, "{method}: {}", run.out);
        let mut suite: serde_json::Value = serde_json::from_str(&folder.read("s.json")).unwrap();
        let cases = suite["cases"].as_array_mut().unwrap();
        let claim = "suite (complete for systems with at most 2 states)";
        let right =
            format!("{claim}: right\n  no faulty machine of these passes {} tests\n", cases.len());
        assert!(run.out.ends_with(&right), "{method}: {}", run.out);
        // Without one of its tests, the rest is right, but not complete.
        cases.pop();
        let wrong = format!("{claim}: wrong\n  a faulty machine with ");
        folder.write("less.json", suite.to_string());
        let run = folder.tioga(&["certify", "one.tioga", "less.json"], "");
        assert_eq!(run.code, 1, "{method}: {}", run.out);
        assert!(run.out.contains(&wrong), "{method}: {}", run.out);
    }
}

/// The promise of the G-method holds for systems in which its words get enough answers.
#[test]
fn the_claim_of_the_g_method_is_certified() {
    let folder = Folder::new("complete-claim-g");
    let made = |word: &str, classes: &str| {
        let more = ["--method", "g", "--word", word, "--classes", classes, "-o", "g.json"];
        let run = folder.tioga(&[&["synth", "@fsm-29"], &more[..]].concat(), "");
        assert_eq!(run.code, 0, "{}", run.err);
        folder.tioga(&["certify", "@fsm-29", "g.json"], "")
    };
    let run = made("a b a", "4");
    assert_eq!(run.code, 0, "{}", run.out);
    let line = "suite (complete for systems with at most 4 states, among which `a b a` gets at least 4 different answers): right\n";
    assert!(run.out.contains(line), "{}", run.out);
    // Without the assumption the same tests are too few.
    let mut suite: serde_json::Value = serde_json::from_str(&folder.read("g.json")).unwrap();
    suite["complete"] = serde_json::json!({ "states": 4 });
    folder.write("bold.json", suite.to_string());
    let run = folder.tioga(&["certify", "@fsm-29", "bold.json"], "");
    assert_eq!(run.code, 1, "{}", run.out);
    assert!(run.out.contains("suite (complete for systems with at most 4 states): wrong"));
}
