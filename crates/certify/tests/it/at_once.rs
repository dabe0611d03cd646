//! Test cases whose purpose may be reached in states that are left at once, for some values of clocks
//! only: where it is reached the test ends, and where it is not the test goes on behind them.

use proptest::prelude::*;
use tioga_certify::{CheckOptions, check_case};
use tioga_model::Model;
use tioga_synthesize::Error;
use tioga_testcase::{Scope, Shape, TestCase};
use tioga_testkit::{SHAPES, test_case};
use tioga_testkit::{example, model, objectives};

/// Makes test cases of all shapes for the first objective, if it can be reached, and checks them.
fn checked(model: &Model) -> Result<Vec<TestCase>, String> {
    let objective = &objectives(model)[0];
    let mut made = Vec::new();
    for scope in [Scope::Cooperative, Scope::SafetyFirst] {
        for shape in SHAPES {
            let case = match test_case(model, objective, scope, shape, 20) {
                Err(Error::Unreachable) => continue,
                other => other.map_err(|error| format!("{scope:?} {shape:?}: {error}"))?,
            };
            let options = CheckOptions::default();
            let report = check_case(model, objective, &case, &options)
                .map_err(|error| format!("{scope:?} {shape:?}: {error}"))?;
            assert!(report.exact, "{shape:?}: {report}");
            made.push(case);
        }
    }
    Ok(made)
}

/// A gate that is passed at once, at the push of a button or by itself; what counts is when.
fn gate(push: &str, invariant: &str, goal: &str) -> Model {
    model(&format!(
        "model gate;
        input go;
        output done, push;
        clock x, y;
        automaton P {{
          init location Before {invariant};
          committed location Gate;
          location Behind invariant y <= 3;
          Before -> Gate : {push};
          Gate -> Behind : do y = 0;
          Behind -> Before : done! when y >= 1 do y = 0;
        }}
        query control: A<> {goal};"
    ))
}

/// The edges of a test case that leave its first place: guards and targets.
fn first_edges(case: &TestCase) -> Vec<(usize, String)> {
    let edges = case.places[0].edges.iter();
    edges.map(|edge| (edge.guard.len(), case.places[edge.target as usize].name.clone())).collect()
}

#[test]
fn a_purpose_at_a_gate_is_reached_there_and_missed_behind_it() {
    for push in ["go?", "push!"] {
        let model = gate(push, "", "P.Gate && x >= 2");
        let made = checked(&model).unwrap();
        assert_eq!(made.len(), 6, "{push}");
        for case in made.iter().filter(|case| case.shape != Shape::Tree) {
            let both = [(1, "Gate".to_owned()), (1, "Behind".to_owned())];
            assert_eq!(first_edges(case), both, "{push}, {:?}", case.shape);
        }
    }
}

#[test]
fn a_purpose_that_holds_at_the_gate_whenever_it_is_passed_ends_there() {
    for case in checked(&gate("go?", "", "P.Gate")).unwrap() {
        assert_eq!(first_edges(&case), [(1, "Gate".to_owned())], "{:?}", case.shape);
    }
}

#[test]
fn the_gate_may_have_to_be_passed_in_vain_first() {
    // Nobody stays before the gate for more than a unit, so it has to be passed too early at first.
    for push in ["go?", "push!"] {
        for goal in ["P.Gate && x >= 2", "P.Gate && x > 2 && x < 4", "P.Gate && x == 3"] {
            let model = gate(push, "invariant y <= 1", goal);
            let made = checked(&model).unwrap_or_else(|flaw| panic!("{push} {goal}: {flaw}"));
            assert_eq!(made.len(), 6, "{push} {goal}");
        }
    }
}

#[test]
fn several_gates_in_a_row_are_told_apart() {
    let model = model(
        "model gates;
        input go;
        output done;
        clock x, y;
        automaton P {
          init location Before invariant y <= 2;
          urgent location First;
          committed location Second;
          location Behind invariant y <= 1;
          Before -> First : go?;
          First -> Second : do y = 0;
          Second -> Behind : ;
          Behind -> Before : done! do y = 0;
        }
        query control: A<> (P.First && x > 3 && x < 4) || (P.Second && x >= 5);",
    );
    let made = checked(&model).unwrap();
    assert_eq!(made.len(), 6);
    let names = |case: &TestCase| first_edges(case).into_iter().map(|(_, name)| name).collect();
    let all: Vec<String> = names(&made[0]);
    assert_eq!(all, ["First", "Second", "Behind"]);
}

/// A model with gates: committed or urgent locations that are left at once and in one way, some of
/// which count for some values of the clocks.
fn gated() -> impl Strategy<Value = String> {
    let bound = || {
        let op = prop::sample::select(vec!["<", "<=", "==", ">=", ">"]);
        let clock = prop::sample::select(vec!["x", "y"]);
        (clock, op, 0..4i64).prop_map(|(clock, op, constant)| format!("{clock} {op} {constant}"))
    };
    let reset = || prop::sample::select(vec!["", " do x = 0", " do y = 0", " do y = 1"]);
    // Who goes on: l0, l1 wait; g0, g1 are gates.
    let place = || prop::sample::select(vec!["l0", "l1", "g0", "g1"]);
    let step = (place(), proptest::option::weighted(0.5, bound()), reset());
    let steps = prop::collection::vec(proptest::option::weighted(0.7, step), 6);
    let invariant = prop::sample::select(vec!["", "", " invariant y <= 2", " invariant x <= 3"]);
    let marks = prop::sample::select(vec!["urgent", "committed"]);
    let leave = (prop::sample::select(vec!["l0", "l1", "g1"]), reset());
    let goals = (bound(), bound(), prop::sample::select(vec!["g0", "g1", "l1"]));
    (steps, prop::collection::vec(invariant, 2), marks, leave, reset(), goals).prop_map(
        |(steps, invariants, marks, leave, last, (one, other, third))| {
            let mut text =
                "model gated;\ninput a, b;\noutput u;\nclock x, y;\nautomaton P {\n".to_owned();
            text.push_str(&format!("  init location l0{};\n", invariants[0]));
            text.push_str(&format!("  location l1{};\n", invariants[1]));
            text.push_str(&format!("  {marks} location g0;\n  committed location g1;\n"));
            let labels = ["l0|a?", "l0|b?", "l0|u!", "l1|a?", "l1|b?", "l1|u!"];
            for (label, step) in labels.iter().zip(steps) {
                let (Some((from, label)), Some((to, guard, reset))) = (label.split_once('|'), step)
                else {
                    continue;
                };
                let guard = guard.map_or(String::new(), |guard| format!(" when {guard}"));
                text.push_str(&format!("  {from} -> {to} : {label}{guard}{reset};\n"));
            }
            text.push_str(&format!("  g0 -> {} : {};\n  g1 -> l1 : {last};\n", leave.0, leave.1));
            text.push_str(&format!(
                "}}\nquery control: A<> (P.g0 && {one}) || (P.{third} && {other});\n"
            ));
            text
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn test_cases_of_models_with_gates_pass(text in gated()) {
        let checked = checked(&model(&text));
        prop_assert!(checked.is_ok(), "{}\n{}", checked.unwrap_err(), text);
    }
}

#[test]
fn tests_that_wait_after_an_edge_pass_the_check() {
    let mut all = 0;
    for name in ["smart-light", "service-desk", "conveyor-game", "complex"] {
        let specification = example(name);
        for (process, body) in specification.processes.iter_ids() {
            for edge in body.edges.ids() {
                let network = (*specification).clone();
                let covering = network.covering_edge_and_time(process, edge, 2, "waits");
                let covering = covering.validate().unwrap();
                let made = checked(&covering)
                    .unwrap_or_else(|flaw| panic!("{name}, {process} {edge}: {flaw}"));
                all += made.len();
            }
        }
    }
    assert!(all > 60, "only {all} test cases were made");
}
