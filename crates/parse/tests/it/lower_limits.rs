//! Small files that say large things are refused, quickly and without taking much memory.

use tioga_base::{Diagnostics, FileId};
use tioga_parse::{Format, Options, lower, parse};

/// The codes of all complaints about a text.
fn codes(text: &str) -> Vec<&'static str> {
    let mut diagnostics = Diagnostics::new();
    if let Some(document) = parse(Format::Tioga, FileId(0), text, &mut diagnostics) {
        let network = lower(&document, &Options::default(), &mut diagnostics);
        assert_eq!(network.is_none(), diagnostics.has_errors());
    }
    diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

fn model(declarations: &str, edge: &str) -> String {
    format!("{declarations} automaton A {{ clock x; init location L; {edge} }}")
}

#[test]
fn nested_quantifiers_are_not_written_out_for_ever() {
    for body in ["i + j >= 0 && n > i", "x > i + j", "x > i || n > j"] {
        let guard =
            format!("L -> L : when forall (i : int[0,4000]) forall (j : int[0,4000]) {body};");
        assert_eq!(codes(&model("int n;", &guard)), ["too-large"], "{body}");
    }
}

#[test]
fn arrays_count_together() {
    let many = |declaration: &str| {
        (0..60).map(|index| declaration.replace('#', &index.to_string())).collect::<String>()
    };
    for declaration in ["clock c#[60000];", "chan c#[100000];", "int v#[1000000];"] {
        let codes = codes(&model(&many(declaration), ""));
        assert!(!codes.is_empty() && codes.iter().all(|code| *code == "too-large"), "{codes:?}");
    }
}

#[test]
fn types_that_double_are_refused() {
    let mut text = String::from("typedef struct { int a; } T0;");
    for level in 1..40 {
        let inner = level - 1;
        text += &format!("typedef struct {{ T{inner} a; T{inner} b; }} T{level};");
    }
    assert_eq!(codes(&model(&text, "")), ["too-large"]);
    assert_eq!(codes(&model("typedef struct { } T;", "")), ["wrong-type"]);
    let mut text = String::from("typedef struct { int a[10]; int b; } U;");
    for index in 0..200 {
        text += &format!("typedef struct {{ U a[1000]; U b; }} W{index};");
    }
    assert_eq!(codes(&model(&text, "")), [""; 0], "many moderate types are fine");
}

#[test]
fn frames_choices_and_processes_are_bounded() {
    let frame = "void f() { int a[1000000]; int b[1000000]; }";
    assert_eq!(codes(&model(frame, "L -> L : do f();")), ["too-large"]);
    let choices = "L -> L : for i : int[0,200], j : int[0,200];";
    assert_eq!(codes(&model("", choices)), ["too-large"]);
    let uses: Vec<String> = (0..30).map(|index| format!("P{index}")).collect();
    let mut text = String::from("automaton A(const int[0,999] i) { init location L; }");
    for name in &uses {
        text += &format!("{name}(const int[0,999] i) = A(i);");
    }
    text += &format!("system {};", uses.join(", "));
    let found = codes(&text);
    assert!(found.iter().all(|code| *code == "too-large") && !found.is_empty(), "{found:?}");
}

#[test]
fn many_templates_that_never_run_are_checked_in_linear_time() {
    let mut text = model("int v[1000];", "");
    for index in 0..3000 {
        text += &format!(
            "automaton U{index}(int &n) {{ clock y; init location L; L -> L : when y > n; }}"
        );
    }
    text += "system A;";
    let found = codes(&text);
    assert!(found.iter().all(|code| *code == "unused"), "{:?}", found.first());
}
