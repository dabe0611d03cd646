//! Writing UPPAAL files: what is printed reads back as the same document.

use crate::common::{parse, shared_models};
use tioga_base::{Diagnostics, FileId};
use tioga_parse::Options;
use tioga_parse::syntax::Document;
use tioga_parse::uppaal::{print_xml, print_xta};

type Print = fn(&Document) -> Result<String, Diagnostics>;

const FORMS: [(&str, Print); 2] = [("m.xml", print_xml), ("m.xta", print_xta)];

fn read(name: &str, text: &str) -> Document {
    let (document, diagnostics) = parse(name, text);
    assert!(diagnostics.is_empty(), "{name}\n{text}\n{diagnostics:#?}");
    document.unwrap()
}

#[test]
fn shared_models_survive_printing_in_both_forms() {
    for (name, text) in shared_models() {
        let document = read(&name, &text);
        for (form, print) in FORMS {
            let printed = print(&document).unwrap();
            let again = read(form, &printed);
            assert_eq!(
                content(&document, form),
                content(&again, form),
                "{name} as {form}\n{printed}"
            );
            assert_eq!(printed, print(&again).unwrap(), "{name} as {form}");
        }
    }
}

/// The document without places. The text form has no comments on queries.
fn content(document: &Document, form: &str) -> Document {
    let mut document = document.without_spans();
    for item in &mut document.items {
        if let tioga_parse::syntax::Item::Query(query) = item
            && form == "m.xta"
        {
            query.comment = None;
        }
    }
    document
}

fn tioga(text: &str) -> Document {
    let mut diagnostics = Diagnostics::new();
    let document = tioga_parse::tioga::parse(FileId(0), text, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{diagnostics:#?}");
    document.unwrap()
}

#[test]
fn everything_markers_keep_comes_back() {
    let text = "\
model light;
time unit 1/2 ms;

input touch;
output dim, bright;
urgent broadcast chan go;
internal load, pass;
param int[0, 9] limit = 3;

automaton Light(const int n) {
  clock x;
  internal think;

  init location Off;
  accept location Bright invariant x <= n;
  refuse location Dim labels a, b;
  urgent fail location Err;
  committed desired location End;

  Off -> Bright : touch? when x >= limit do x = 0;
  Off -c-> Dim : load;
  Dim -u-> Off : dim! when x > 1;
  Bright -> Off : think;
  Err -> End;
}

automaton User {
  init location U;

  U -> U : touch!;
}

L = Light(3);
system L environment User;

purpose Goal {
  clock y;

  init location P;
  accept location Q;

  P -> Q : bright! when y <= 5/2;
  otherwise self;
}

query E<> L.Bright;
query E<> control: A<> L.Bright;
";
    let document = tioga(text);
    for (form, print) in FORMS {
        let printed = print(&document).unwrap();
        let again = read(form, &printed);
        assert_eq!(again.without_spans(), document.without_spans(), "{form}\n{printed}");
    }
}

#[test]
fn edges_with_several_sources_and_loops_are_written_out() {
    let document = tioga("automaton P { init location A; location B; A, B -> self; }");
    for (form, print) in FORMS {
        let again = read(form, &print(&document).unwrap());
        let text = tioga_parse::tioga::print(&again).unwrap();
        assert!(text.contains("A -> A") && text.contains("B -> B"), "{text}");
        assert!(text.contains("system P;"), "{text}");
    }
}

#[test]
fn processes_with_arguments_become_instances() {
    let document = tioga(
        "automaton P(const int n) { init location A; }\n\
         system P(1), P(2 + 3); query E<> P(2 + 3).A && P(1).A;",
    );
    let text = print_xta(&document).unwrap();
    assert!(text.contains("P_1 = P(1);\nP_2 = P(2 + 3);\nsystem P_1, P_2;"), "{text}");
    assert!(text.contains("E<> P_2.A && P_1.A"), "{text}");
}

#[test]
fn channel_parameters_become_array_indices() {
    let document = tioga(
        "typedef int[1, 4] level; chan set(level l, int[0, 1] b); int i;\n\
         automaton S { init location A; A -> A : set(i, 1)!; A -> A : set(3, 0)!; }\n\
         automaton R { init location B; B -> B : set(v, 1)? do i = v; B -> B : set?; }",
    );
    let text = print_xta(&document).unwrap();
    assert!(text.contains("chan set[4][2];"), "{text}");
    assert!(text.contains("sync set[i - 1][1]!;"), "{text}");
    assert!(text.contains("sync set[2][0]!;"), "{text}");
    assert!(text.contains("select v : level; sync set[v - 1][1]?; assign i = v;"), "{text}");
    assert!(text.contains("select set_1 : level, set_2 : int[0, 1];"), "{text}");
}

#[test]
fn vectors_become_channels() {
    let document = tioga(
        "automaton P { init location A; A -> A : a; A -> A : c; }\n\
         automaton Q { init location B; B -> B : b; }\n\
         automaton R { init location C; C -> C : b; }\n\
         system P, Q, R; sync P.a, Q.b; sync P.a, Q.b?, R.b?;",
    );
    let text = print_xta(&document).unwrap();
    assert!(text.contains("chan a_b;"), "{text}");
    assert!(text.contains("broadcast chan a_b_sync;"), "{text}");
    assert!(text.contains("A -> A { sync a_b!; },\n    A -> A { sync a_b_sync!; }"), "{text}");
    assert!(text.contains("/* tioga: action c */"), "{text}");
    assert!(text.contains("B -> B { sync a_b?; },\n    B -> B { sync a_b_sync?; }"), "{text}");
}

#[test]
fn reserved_words_are_renamed_everywhere() {
    let document = tioga(
        "int state; automaton trans { init location commit; commit -> commit : when state == 1; }\n\
         query E<> trans.commit;",
    );
    let text = print_xta(&document).unwrap();
    assert!(text.contains("commit_ -> commit_ { guard state_ == 1; }"), "{text}");
    assert!(text.contains("E<> trans_.commit_"), "{text}");
    read("m.xta", &text);
    read("m.xml", &print_xml(&document).unwrap());
}

#[test]
fn what_cannot_be_said_is_refused_where_it_stands() {
    for (text, place) in [
        ("automaton P { init location A; A -> A : a? / b!; }", "b!"),
        ("integer big; automaton P { init location A; }", "integer"),
        ("rational r; automaton P { init location A; }", "rational"),
        ("param int p; automaton P { init location A; }", "p"),
        ("input set(integer v); automaton P { init location A; }", "integer"),
        (
            "automaton P { init location A; } automaton Q { init location A; }\n\
             automaton R { init location A; } sync P.a, Q.a, R.a;",
            "sync P.a, Q.a, R.a;",
        ),
        (
            "automaton P { init location A; } automaton Q { init location A; }\n\
             automaton R { init location A; } sync P.a, R.a?, Q.a?;",
            "sync P.a, R.a?, Q.a?;",
        ),
    ] {
        let document = tioga(text);
        for (_, print) in FORMS {
            let problems = print(&document).unwrap_err();
            let first = problems.iter().next().unwrap();
            assert_eq!(first.code, "inexpressible", "{first:?}");
            assert_eq!(&text[first.primary.as_ref().unwrap().span.range()], place, "{first:?}");
        }
    }
}

#[test]
fn rational_times_are_scaled_to_integers() {
    let document = tioga(
        "time unit 1 s; const int K = 3; clock g;\n\
         automaton P { clock x, y; int n; init location A invariant x <= 20 + 1/2 && y < K;\n\
         A -> A : when x - y >= 1/3 && n == 2 do x = 1, n = 3; }\n\
         query E<> P.x > 2 && P.n == 1;",
    );
    let text = print_xta(&document).unwrap();
    assert!(text.contains("// tioga: scale 1/6\n// tioga: time unit 1/6 s"), "{text}");
    assert!(text.contains("A { x <= 120 + 3 && y < 6 * K }"), "{text}");
    assert!(text.contains("guard x - y >= 2 && n == 2; assign x = 6, n = 3;"), "{text}");
    assert!(text.contains("E<> P.x > 12 && P.n == 1"), "{text}");
    read("m.xta", &text);
    read("m.xml", &print_xml(&document).unwrap());
}

#[test]
fn a_clock_that_shares_its_name_with_data_cannot_be_scaled() {
    let text = "int x; automaton P { clock x; init location A invariant x <= 1/2; }";
    let problems = print_xta(&tioga(text)).unwrap_err();
    assert!(problems.iter().next().unwrap().message.contains("`x` is a clock in one place"));
}

/// Examples of `.tioga` files, where the workspace has them.
#[test]
fn examples_are_written_or_refused_and_read_back() {
    for path in tioga_testkit::example_files() {
        let document = tioga(&std::fs::read_to_string(&path).unwrap());
        for (form, print) in FORMS {
            match print(&document) {
                Ok(printed) => drop(read(form, &printed)),
                Err(problems) => {
                    let all: Vec<_> = problems.iter().map(|one| one.code).collect();
                    assert!(all.iter().all(|code| *code == "inexpressible"), "{path:?} {all:?}");
                }
            }
        }
    }
}

#[test]
fn shared_tchecker_models_are_written_and_mean_something() {
    for path in tioga_testkit::shared_models("tck") {
        let mut diagnostics = Diagnostics::new();
        let text = std::fs::read_to_string(&path).unwrap();
        let document = tioga_parse::tchecker::parse(FileId(0), &text, &mut diagnostics).unwrap();
        for (form, print) in FORMS {
            let printed = match print(&document) {
                Ok(printed) => printed,
                Err(problems) => panic!("{path:?}: {problems:#?}"),
            };
            let again = read(form, &printed);
            assert_eq!(again.templates().count(), document.templates().count());
            let lowered = tioga_parse::lower(&again, &Options::default(), &mut diagnostics);
            assert!(lowered.is_some(), "{path:?} as {form}: {diagnostics:#?}");
        }
    }
}

#[test]
fn a_message_with_too_many_values_for_an_array_is_refused() {
    let text = |high: i64| {
        let automaton = "automaton P { init location A; A -> A : a(v, w)?; }";
        format!("input a(int[0, 1023] v, int[1, {high}] w); {automaton}")
    };
    for (form, print) in FORMS {
        drop(read(form, &print(&tioga(&text(1024))).unwrap()));
        let problems = print(&tioga(&text(1025))).unwrap_err();
        let problem = problems.iter().next().unwrap();
        assert_eq!(problem.code, "inexpressible");
        assert!(problem.message.contains("`a` with 1049600 different values"), "{problem:?}");
    }
}
