//! `tioga machine`: information, suites, their check, and formats.

use crate::binary::{Folder, Json};

const COFFEE: &str = "digraph coffee {
  s0 -> s1 [label=\"coin/ beep\"]
  s0 -> s0 [label=\"button/nothing\"]
  s1 -> s1 [label=\"coin/beep\"]
  s1 -> s0 [label=\"button/coffee\"]
  __start0 -> s0
}";

#[test]
fn a_suite_is_made_and_found_complete_and_a_part_of_it_is_not() {
    let folder = Folder::new("machine-suite");
    folder.write("coffee.dot", COFFEE);
    for method in ["w", "wp", "hsi", "h", "spy", "spyh", "s"] {
        let run = folder.tioga(
            &["machine", "suite", "coffee.dot", "--method", method, "--extra-states", "1"],
            "",
        );
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{method}");
        folder.write("all.tests", &run.out);
        let check = ["machine", "check", "coffee.dot", "all.tests", "--extra-states", "1"];
        let run = folder.tioga(&check, "");
        assert_eq!(run.code, 0, "{method}: {}", run.out);
        assert_eq!(run.out, "complete: no faulty machine with at most 3 states passes\n");
        let counted = [
            "--format",
            "json",
            "machine",
            "suite",
            "coffee.dot",
            "--method",
            method,
            "--extra-states",
            "1",
        ];
        let result = folder.tioga(&counted, "").json();
        let tests = folder.read("all.tests");
        let inputs: usize = tests.lines().map(|line| line.split(' ').count()).sum();
        assert_eq!(result["result"]["count"], tests.lines().count());
        assert_eq!(result["result"]["cost"], inputs + tests.lines().count());
    }
    folder.write("few.tests", "coin button\n");
    let run = folder.tioga(&["machine", "check", "coffee.dot", "few.tests"], "");
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("not complete: this machine with"), "{}", run.out);
    let run =
        folder.tioga(&["machine", "check", "coffee.dot", "few.tests", "--max-steps", "0"], "");
    assert_eq!(run.code, 3, "{}", run.out);
}

#[test]
fn a_machine_is_described_and_written_in_every_format() {
    let folder = Folder::new("machine-info");
    folder.write("coffee.dot", COFFEE);
    let run = folder.tioga(&["machine", "info", "coffee.dot"], "");
    let expected = "coffee: 2 states, 2 inputs, 3 outputs, 4 transitions; it starts in `s0`
complete: every state takes every input
every state can be reached
minimal: no two states are equivalent
two states are told apart by at most 1 input
characterisation set: 1 word with 1 input
adaptive distinguishing sequence: at most 1 input
";
    assert_eq!((run.code, run.out.as_str()), (0, expected));
    for file in ["again.kiss2", "again.tioga", "again.dot"] {
        let run = folder.tioga(&["machine", "convert", "coffee.dot", "-o", file], "");
        assert_eq!(run.code, 0, "{}", run.err);
        let shown = folder.tioga(&["machine", "info", file], "").out;
        assert_eq!(
            shown.lines().skip(1).collect::<Vec<_>>(),
            expected.lines().skip(1).collect::<Vec<_>>()
        );
        let suite = |file: &str| folder.tioga(&["machine", "suite", file], "").out;
        assert_eq!(suite(file), suite("coffee.dot"), "{file}");
    }
    let run = folder.tioga(&["machine", "convert", "coffee.dot", "-o", "coffee.dot"], "");
    assert_eq!(run.code, 2, "{}", run.out);
}

#[test]
fn inputs_with_blanks_and_quotes_are_written_in_quotes() {
    let folder = Folder::new("machine-quotes");
    folder.write("odd.dot", "digraph { __start0 -> a; a -> b [label=\"say \\\"a\\\"/x\"]; b -> a [label=\"say \\\"a\\\"/y\"]; a -> a [label=\"/z\"]; b -> b [label=\"/w\"] }");
    let run = folder.tioga(&["machine", "suite", "odd.dot"], "");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("\"say \\\"a\\\"\" \"\""), "{}", run.out);
    folder.write("odd.tests", &run.out);
    assert_eq!(folder.tioga(&["machine", "check", "odd.dot", "odd.tests"], "").code, 0);
}

#[test]
fn what_does_not_fit_is_named_with_a_way_out() {
    let folder = Folder::new("machine-bad");
    let complaint = |text: &str, arguments: &[&str]| {
        folder.write("m.dot", text);
        let run = folder.tioga(arguments, "");
        assert_eq!(run.code, 2, "{}", run.out);
        run.err
    };
    let suite = ["machine", "suite", "m.dot", "--method", "w"];
    let twice = "digraph { __start0 -> a; a -> b [label=\"x/0\"]; b -> a [label=\"x/0\"] }";
    let told = complaint(twice, &suite);
    assert!(told.contains("states `a`, `b` cannot be told apart by any inputs"), "{told}");
    assert!(told.contains("`--minimise` goes on with the minimal machine"), "{told}");
    let run = folder.tioga(&["machine", "suite", "m.dot", "--method", "w", "--minimise"], "");
    assert_eq!((run.code, run.out.as_str()), (0, "x\n"));
    let lost = "digraph { __start0 -> a; a -> a [label=\"x/0\"]; b -> a [label=\"x/1\"] }";
    assert!(complaint(lost, &suite).contains("state `b` cannot be reached"));
    let partial = "digraph { __start0 -> a; a -> b [label=\"x/0\"]; b -> a [label=\"x/1\"]; b -> a [label=\"y/1\"] }";
    assert!(complaint(partial, &suite).contains("state `a` has no transition for input `y`"));
    assert_eq!(folder.tioga(&["machine", "suite", "m.dot", "--method", "h"], "").code, 0);
    let moore = "digraph { __start0 -> a; a -> a [label=\"x\"] }";
    assert!(complaint(moore, &suite).contains("(Moore) are not read"));
    assert!(complaint("digraph {", &suite).contains("does not end"));
    let clocks = folder.tioga(&["machine", "info", "@smart-light"], "");
    assert!(clocks.err.contains("the model has clocks"), "{}", clocks.err);
    let g = ["machine", "suite", "@fsm-29", "--method", "g", "--word", "a a", "--classes", "9"];
    assert!(folder.tioga(&g, "").err.contains("at least 9 classes cannot be in at most 4 states"));
    folder.write("m.tests", "a q\n");
    let run = folder.tioga(&["machine", "check", "@fsm-29", "m.tests"], "");
    assert!(run.err.contains("line 1: `q` is no input of the machine"), "{}", run.err);
}

#[test]
fn suites_are_run_as_all_others_and_find_faults() {
    let folder = Folder::new("machine-run");
    let spec = folder.tioga(&["examples", "fsm-29"], "").out;
    folder.write("spec.tioga", &spec);
    let wrong = spec.replace("s3 -> s0 : a? / zero!", "s3 -> s1 : a? / zero!");
    assert_ne!(spec, wrong);
    folder.write("wrong.tioga", &wrong);
    for method in ["w", "wp", "hsi", "h", "spy", "spyh", "s"] {
        let made = folder
            .tioga(&["machine", "suite", "spec.tioga", "--method", method, "-o", "s.json"], "");
        assert_eq!(made.code, 0, "{}", made.err);
        let certified = folder.tioga(&["certify", "spec.tioga", "s.json"], "");
        assert_eq!(certified.code, 0, "{method}: {}", certified.out);
        let certified = folder.tioga(&["certify", "wrong.tioga", "s.json"], "");
        assert_eq!(certified.code, 1, "{method}: {}", certified.out);
        let run = folder.tioga(&["run", "s.json", "--sut", "model:spec.tioga", "--no-journal"], "");
        assert_eq!(run.code, 0, "{method}: {}{}", run.out, run.err);
        let run =
            folder.tioga(&["run", "s.json", "--sut", "model:wrong.tioga", "--no-journal"], "");
        assert_eq!(run.code, 1, "{method}: {}{}", run.out, run.err);
    }
}

#[test]
fn words_that_get_too_few_answers_in_an_implementation_are_warned_of() {
    let folder = Folder::new("machine-white-box");
    let suite = |word: &str| {
        let fixed = [
            "machine",
            "suite",
            "@fsm-29",
            "--method",
            "g",
            "--classes",
            "3",
            "--implementation",
            "@fsm-29",
            "--word",
        ];
        let arguments: Vec<&str> = fixed.into_iter().chain([word]).collect();
        folder.tioga(&arguments, "")
    };
    let few = suite("b");
    assert_eq!(few.code, 0);
    assert!(
        few.err.contains("the words get 1 different answer in `@fsm-29`, not at least 3"),
        "{}",
        few.err
    );
    assert_eq!(suite("a b a").err, "");
}

#[test]
fn a_suite_of_the_minimal_machine_is_right_for_the_machine_it_was_made_from() {
    let folder = Folder::new("machine-minimal");
    folder.write(
        "twice.tioga",
        "input a, b; output zero, one;
        automaton M {
          init location P; location Q; location R;
          P -> Q : a? / zero!; P -> P : b? / zero!;
          Q -> R : a? / one!; Q -> Q : b? / zero!;
          R -> Q : a? / zero!; R -> R : b? / zero!;
        }",
    );
    let made = ["machine", "suite", "twice.tioga", "--minimise", "--method", "w", "-o", "s.json"];
    assert_eq!(folder.tioga(&made, "").code, 0);
    let certified = folder.tioga(&["certify", "twice.tioga", "s.json"], "");
    assert_eq!(certified.code, 0, "{}", certified.out);
    let wrong = folder.read("s.json").replacen("\"zero\"", "\"one\"", 400);
    folder.write("s.json", wrong);
    assert_ne!(folder.tioga(&["certify", "twice.tioga", "s.json"], "").code, 0);
}

/// The G-method needs no minimal machine (BON09, Cor 19): Example 28 has two equivalent states.
#[test]
fn the_g_method_takes_a_machine_that_is_not_minimal() {
    let folder = Folder::new("machine-g");
    let suite = |word: &str, classes: &str, more: &[&str]| {
        let fixed = ["machine", "suite", "@fsm-28/m", "--method", "g", "--word", word];
        let run = folder.tioga(&[&fixed[..], &["--classes", classes], more].concat(), "");
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
        run.out
    };
    // With at least 3 classes among at most 3 states, the words themselves are behind the cover.
    let parts = suite("b", "3", &["--word", "c b", "--parts"]);
    let behind = "Z: 2 words\n  b\n  c b\nclasses of R: 3\n  s0\n  s1, s3\n  s2\n";
    assert!(parts.ends_with(behind), "{parts}");
    assert!(parts.starts_with("P: 13 words\n  \"\"\n  a\n  b\n  c\n  a a\n"), "{parts}");
    // One state that is not reached changes nothing.
    let text = folder.tioga(&["machine", "convert", "@fsm-28/m"], "").out;
    let lost = text.replacen(
        '}',
        "  s9 -> s0 [label=\"a/0\"];\n  s9 -> s0 [label=\"b/0\"];\n  s9 -> s0 [label=\"c/0\"];\n}",
        1,
    );
    folder.write("lost.dot", lost);
    let whole = suite("b", "2", &[]);
    let run = folder.tioga(
        &["machine", "suite", "lost.dot", "--method", "g", "--word", "b", "--classes", "2"],
        "",
    );
    assert_eq!(run.code, 0, "{}", run.err);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&run.out), sorted(&whole));
    let refused = folder.tioga(&["machine", "suite", "@fsm-29", "--method", "w", "--parts"], "");
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("--parts is for the method g"), "{}", refused.err);
}
