//! Completion in time: where a process would stop time it gets stuck, and nowhere else.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tioga_base::Rational;
use tioga_concrete::{Allowed, Semantics, State};
use tioga_conform::{ObservedViolation, Relation, RelationAnswer, Violation, decide};
use tioga_explore::{Limits, SearchOptions};
use tioga_model::{Model, Network, ProcessId, StepLabel};
use tioga_mutate::{Completion, Wording, complete};
use tioga_testkit::{example, model};

const TIME: Completion = Completion { inputs: false, time: true };

/// The model completed in time.
fn completed(model: &Model) -> Model {
    let mut network: Network = (**model).clone();
    complete(&mut network, TIME);
    network.validate().unwrap()
}

/// A system with inputs a, c, outputs b, d, clocks x, y, and a truth value w.
fn system(body: &str) -> Model {
    model(&format!(
        "model m; input a, c; output b, d; automaton P {{ clock x, y; bool w; {body} }}"
    ))
}

/// The edges of the only process after completion, and its invariants, as text.
fn texts(body: &str) -> (Vec<String>, Vec<String>) {
    let model = completed(&system(body));
    let (process, body) = (ProcessId(0), &model.processes[ProcessId(0)]);
    let edges = body.edges.iter().map(|edge| {
        let mut wording = Wording::new(&model, process);
        let label = wording.label(&edge.label, None);
        let (from, to) = (&body.locations[edge.source].name, &body.locations[edge.target].name);
        format!("{from} -> {to} {label} when {}", wording.condition(&edge.guard))
    });
    let invariants = body.locations.iter().map(|location| {
        let mut wording = Wording::new(&model, process);
        format!("{}: {}", location.name, wording.condition(&location.invariant))
    });
    (edges.collect(), invariants.collect())
}

#[test]
fn an_excluded_bound_is_included_and_all_edges_come_before_it() {
    let (edges, invariants) = texts(
        "init location L invariant x < 3; location M;
         L -> M : b! when x <= 1; L -> M : a?; M -> L : c?;",
    );
    assert_eq!(invariants, ["L: x <= 3", "M: true", "L_stuck: true"]);
    assert_eq!(
        edges,
        [
            "L -> M b! when x <= 1 && x < 3",
            "L -> M a? when x < 3",
            // Whoever comes at the bound was not let in before either.
            "M -> L c? when x < 3",
            // The copy takes inputs whenever it is there.
            "L_stuck -> M a? when true",
            "L -> L_stuck  when x >= 3",
        ]
    );
}

#[test]
fn an_excluded_bound_is_not_reached_by_who_had_something_to_do() {
    // Up to 3, the output is possible if y is above 1; then it has to come.
    let (edges, invariants) =
        texts("init location L invariant x < 3; location M; L -> M : b! when y >= 1;");
    assert_eq!(invariants, ["L: x < 3 || x <= 3 && y <= 1 && x >= 3", "M: true", "L_stuck: true"]);
    assert_eq!(edges, ["L -> M b! when y >= 1 && x < 3", "L -> L_stuck  when y <= 1 && x >= 3"]);
    // An edge that stays possible leaves the location as it is.
    let (edges, invariants) =
        texts("init location L invariant x < 3; location M; L -> M : b! when x > 2;");
    assert_eq!(invariants, ["L: x < 3", "M: true"]);
    assert_eq!(edges, ["L -> M b! when x > 2"]);
}

#[test]
fn an_edge_that_sets_the_clock_does_not_lead_to_the_excluded_bound() {
    let (edges, _) = texts(
        "init location M; location L invariant x < 3;
         M -> L : a? do x = 0; M -> L : a? do x = 3; M -> L : c? do x = y;",
    );
    assert_eq!(
        edges,
        [
            "M -> L a? when true",
            "M -> L a? when false",
            "M -> L c? when y < 3",
            "L -> L_stuck  when x >= 3",
        ]
    );
    // Where it cannot be said which edges do, time stops as before.
    let (edges, invariants) =
        texts("init location M; location L invariant x < 3; M -> L : c? do y = 3, x = y;");
    assert_eq!((edges.len(), invariants.len()), (1, 2), "{edges:?} {invariants:?}");
}

#[test]
fn a_location_without_time_is_left_at_once_where_nothing_is_possible() {
    for kind in ["urgent", "committed"] {
        let (edges, invariants) = texts(&format!(
            "{kind} init location L; location M; L -> M : b! when x >= 1 && w; L -> M : a?;"
        ));
        assert_eq!(invariants, ["L: true", "M: true", "L_stuck: true"]);
        assert_eq!(&edges[2..], ["L_stuck -> M a? when true", "L -> L_stuck  when !w || x < 1"],);
        let (edges, _) =
            texts(&format!("{kind} init location L; location M; L -> M : b!; L -> M : a?;"));
        assert_eq!(edges.len(), 2, "{edges:?}");
    }
}

#[test]
fn an_output_whose_target_may_not_be_entered_helps_nobody() {
    let (edges, _) = texts(
        "init location L invariant x <= 3; location M invariant y <= 1; L -> M : b!;
         M -> L : d!;",
    );
    assert!(edges.contains(&"L -> L_stuck  when y > 1 && x >= 3".to_owned()), "{edges:?}");
    // The output of M resets nothing, and L is there up to 3.
    assert!(edges.contains(&"M -> M_stuck  when x > 3 && y >= 1".to_owned()), "{edges:?}");
}

#[test]
fn a_clock_that_is_set_under_a_condition_may_keep_its_value() {
    // Whether the target can be entered is not plain then, so the output is taken to be possible.
    let (edges, _) = texts(
        "init location L invariant x <= 3; location M invariant y <= 1; L -> M : b! do y = w ? 2 : y;",
    );
    assert!(!edges.iter().any(|edge| edge.contains("L -> L_stuck")), "{edges:?}");
    let (edges, _) = texts(
        "init location L invariant x <= 3; location M invariant y <= 1; L -> M : b! do y = 2;",
    );
    assert!(edges.contains(&"L -> L_stuck  when x >= 3".to_owned()), "{edges:?}");
}

#[test]
fn a_stuck_process_still_takes_the_inputs_of_its_location() {
    for bound in ["x <= 2", "x < 2"] {
        let model = completed(&system(&format!(
            "init location L invariant {bound}; location M; L -> M : a? when y >= 1;"
        )));
        let mut semantics = Semantics::new(&model);
        let mut state = semantics.initial().unwrap();
        state = semantics.delay(&state, Rational::integer(2)).unwrap().unwrap();
        let options = semantics.options(&state).unwrap();
        let hidden = |label| matches!(label, StepLabel::Internal(_));
        let stuck = options.now().find(|step| hidden(step.label)).unwrap();
        state = semantics.step(&state, stuck).unwrap();
        state = semantics.delay(&state, Rational::integer(7)).unwrap().unwrap();
        let options = semantics.options(&state).unwrap();
        let labels: Vec<_> = options.now().map(|step| step.label).collect();
        assert!(matches!(labels[..], [StepLabel::Input(_)]), "{bound}: {labels:?}");
    }
}

#[test]
fn ends_of_time_that_constants_do_not_say_are_left_alone() {
    for body in [
        "init location L invariant x <= 1 || y <= 2;",
        "int[0, 3] v; init location L invariant x <= v;",
        "int[0, 3] v; init location L invariant x <= 2; L -> L : b! when x <= v;",
        "init location L invariant x < 2; L -> L : a? do x = w ? 0 : x;",
    ] {
        let model = system(body);
        assert_eq!(completed(&model).processes, model.processes, "{body}");
    }
    // An urgent channel ends time only where its output is possible, unless its guard is open.
    let urgent = |guard: &str| {
        let text = "model m; urgent output b; automaton P { clock x; init location L;";
        completed(&model(&format!("{text} L -> L : b! when {guard} do x = 0; }}")))
    };
    assert_eq!(blocked(&urgent("x >= 1"), 6), None);
    assert!(blocked(&urgent("x > 1"), 6).is_some());
}

#[test]
fn environments_stop_time_as_they_like() {
    let text = "model m; input a; output b;
        automaton P { init location L; L -> self : a?; L -> self : b!; }
        automaton E { clock z; init location e invariant z <= 1; e -> self : a! when z < 0; }
        system P environment E;";
    let model = model(text);
    assert_eq!(completed(&model).processes, model.processes);
}

/// Whether something of these moves is possible up to where time ends.
fn up_to_the_end(options: &Allowed, wanted: impl Fn(StepLabel) -> bool) -> bool {
    let end = options.delays.upper();
    let choices = options.choices.iter().filter(|choice| wanted(choice.step.label));
    choices.flat_map(|choice| choice.windows.parts()).any(|window| window.upper() == end)
}

fn own(label: StepLabel) -> bool {
    matches!(label, StepLabel::Output(_) | StepLabel::Internal(_))
}

/// Whether time ends, and the system does nothing about it.
fn blocks(options: &Allowed) -> bool {
    options.delays.upper().is_some() && !up_to_the_end(options, own)
}

/// A state in which the model blocks, among those within some half units and moves.
fn blocked(model: &Model, length: usize) -> Option<State> {
    let mut semantics = Semantics::new(model);
    let mut seen = BTreeSet::new();
    let mut level = vec![semantics.initial().unwrap()];
    for _ in 0..length {
        let mut next = Vec::new();
        for state in level {
            if !seen.insert(state.clone()) {
                continue;
            }
            let options = semantics.options(&state).unwrap();
            if blocks(&options) {
                return Some(state);
            }
            for step in options.now() {
                next.push(semantics.step(&state, step).unwrap());
            }
            next.extend(semantics.delay(&state, Rational::new(1, 2).unwrap()).unwrap());
        }
        level = next;
    }
    None
}

fn ask(implementation: &Model, specification: &Model) -> RelationAnswer {
    let limits = Limits { visited: Some(3000), ..Limits::default() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    let relation = Relation::Conforms;
    decide(implementation, specification, relation, &options, &mut |_| ()).unwrap().answer
}

/// Whether the specification blocks where its delay was exceeded.
fn shows_a_block(specification: &Model, violation: &Violation) -> bool {
    let mut semantics = Semantics::new(specification);
    let mut state = semantics.initial().unwrap();
    for one in violation.followed.iter().flatten() {
        state = semantics.delay(&state, one.delay).unwrap().unwrap();
        state = semantics.step(&state, one.step.as_ref().unwrap()).unwrap();
    }
    violation.observed == ObservedViolation::Delay && blocks(&semantics.options(&state).unwrap())
}

#[test]
fn the_search_for_blocks_finds_them() {
    let find = |body: &str| blocked(&system(body), 8).is_some();
    assert!(find("init location L invariant x <= 2;"));
    assert!(find("init location L invariant x < 2; L -> self : a? do x = 0;"));
    assert!(find("init location L invariant x < 2; L -> self : b! when x <= 1 do x = 0;"));
    assert!(!find("init location L invariant x < 2; L -> self : b! when x > 1 do x = 0;"));
    assert!(!find("init location L invariant x <= 2; L -> self : b! when x == 2 do x = 0;"));
    assert!(find("urgent init location L; L -> self : a?;"));
}

#[test]
fn what_is_never_stuck_conforms_to_itself_when_completed() {
    // Both clocks are the same here, which no edge says.
    let text = "init location K; location L invariant x < 3; location M;
        K -> L : a? do x = 0, y = 0; L -> M : b! when y >= 1;";
    let model = system(text);
    assert_ne!(completed(&model).processes, model.processes);
    assert_eq!(ask(&completed(&model), &model), RelationAnswer::Holds);
    assert_eq!(ask(&model, &completed(&model)), RelationAnswer::Holds);
}

#[test]
fn completed_examples_let_time_pass_and_conform_if_they_did_before() {
    for (name, fits) in [
        ("smart-light", true),
        ("problematic-light", true),
        ("conveyor-game", true),
        ("complex", true),
        ("tefsm", true),
        ("service-desk", false),
    ] {
        let model = example(name);
        let completed = completed(&model);
        assert_eq!(blocked(&completed, 7), None, "{name}");
        match ask(&completed, &model) {
            RelationAnswer::Holds => assert!(fits, "{name}"),
            RelationAnswer::Violated(violation) => {
                assert!(!fits && shows_a_block(&model, &violation), "{name}: {violation:?}");
            }
            RelationAnswer::Unknown(reason) => panic!("{name}: {reason}"),
        }
    }
}

/// Three locations of all kinds, and at most one edge for each label and location.
fn drawn() -> impl Strategy<Value = String> {
    let bound = || (prop::sample::select(vec!["<=", "<"]), 1..3i64);
    let location = prop_oneof![
        2 => Just(("", String::new())),
        3 => bound().prop_map(|(op, c)| ("", format!(" invariant x {op} {c}"))),
        1 => bound().prop_map(|(op, c)| ("", format!(" invariant y {op} {c}"))),
        2 => (bound(), bound()).prop_map(|((op, c), (other, d))| {
            ("", format!(" invariant x {op} {c} && y {other} {d}"))
        }),
        1 => Just(("urgent ", String::new())),
        1 => Just(("committed ", String::new())),
    ];
    let constraint = prop_oneof![
        5 => (
            prop::sample::select(vec!["x", "y"]),
            prop::sample::select(vec!["<", "<=", "==", ">=", ">"]),
            0..3i64,
        )
            .prop_map(|(clock, op, c)| format!("{clock} {op} {c}")),
        1 => prop::sample::select(vec!["w", "!w", "x - y < 1"]).prop_map(str::to_owned),
    ];
    let guard = prop::collection::vec(constraint, 0..3).prop_map(|all| match &all[..] {
        [] => String::new(),
        all => format!(" when {}", all.join(" && ")),
    });
    let update = prop::sample::select(vec![
        "",
        " do x = 0",
        " do y = 0",
        " do x = 0, y = 0",
        " do x = 1",
        " do x = y",
        " do w = !w, x = 0",
    ]);
    let label = prop::sample::select(vec!["a?", "c?", "b!", "d!"]);
    let edge = (0..3usize, 0..3usize, label, guard, update);
    (prop::collection::vec(location, 3), prop::collection::vec(edge, 1..9)).prop_map(
        |(locations, edges)| {
            let mut text = String::new();
            for (index, (marks, invariant)) in locations.iter().enumerate() {
                let init = if index == 0 { "init " } else { "" };
                text.push_str(&format!("{marks}{init}location l{index}{invariant};\n"));
            }
            let mut taken = BTreeSet::new();
            for (from, to, label, guard, update) in edges {
                if taken.insert((from, label)) {
                    text.push_str(&format!("l{from} -> l{to} : {label}{guard}{update};\n"));
                }
            }
            text
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_completed_system_lets_time_pass_or_does_something(body in drawn()) {
        let completed = completed(&system(&body));
        let found = blocked(&completed, 9);
        prop_assert!(found.is_none(), "{}\n{}", body, found.unwrap().display(&completed));
    }

    #[test]
    fn processes_side_by_side_let_time_pass(one in drawn(), other in drawn()) {
        let other = other.replace("a?", "e?").replace("c?", "f?");
        let text = format!(
            "model m; input a, c, e, f; output b, d;
            automaton P {{ clock x, y; bool w; {one} }} automaton Q {{ clock x, y; bool w; {other} }}
            system P, Q;"
        );
        let completed = completed(&model(&text));
        let found = blocked(&completed, 6);
        prop_assert!(found.is_none(), "{}\n{}", text, found.unwrap().display(&completed));
    }

    // Completion lets a system wait only where it blocked.
    #[test]
    fn a_completed_system_conforms_unless_it_blocked(body in drawn()) {
        let model = system(&body);
        let completed = completed(&model);
        match ask(&completed, &model) {
            RelationAnswer::Holds => {
                prop_assert_eq!(blocked(&model, 9), None, "{}", body);
                prop_assert_eq!(ask(&model, &completed), RelationAnswer::Holds, "{}", body);
            }
            RelationAnswer::Violated(violation) => {
                prop_assert!(shows_a_block(&model, &violation), "{}\n{:?}", body, violation);
            }
            // With comparisons between clocks the search may not end.
            RelationAnswer::Unknown(reason) => {
                prop_assert!(reason.contains("limit") && body.contains("x - y"), "{}", reason);
            }
        }
    }
}
