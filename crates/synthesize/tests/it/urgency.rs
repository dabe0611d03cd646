//! Test cases of models in which something has to happen at once: a system that does is never failed,
//! one that is late is failed at once.

use crate::support::{attempted, synthesized, verdicts};
use proptest::prelude::*;
use tioga_base::Rational;
use tioga_concrete::Semantics;
use tioga_model::Model;
use tioga_synthesize::Error;
use tioga_testcase::{Action, CaseEdge, Followed, Follower, Intention, Shape, Side, Verdict};
use tioga_testkit::{SHAPES, example, example_text, model};

#[test]
fn a_desk_that_is_quick_always_passes() {
    let desk = example("service-desk");
    for shape in [Shape::Strategy, Shape::Tree] {
        let case = synthesized(&desk, shape);
        assert_eq!(case.summary.rank, [0, 0, 4]);
        for (verdict, reason) in verdicts(&case, &desk, 200) {
            assert_eq!(verdict, Some(Verdict::Pass), "{shape:?}: {reason}");
        }
    }
    let case = synthesized(&desk, Shape::Automaton);
    for (verdict, reason) in verdicts(&case, &desk, 200) {
        assert!([None, Some(Verdict::Pass)].contains(&verdict), "{reason}");
    }
}

#[test]
fn a_desk_that_takes_its_time_fails() {
    let text = example_text("service-desk");
    let desk = model(&text);
    let slow = |from: &str, to: &str| {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "the mutation must change something");
        model(&changed)
    };
    let asked = slow("urgent location Asked", "location Asked");
    let call = slow("output urgent chan call", "output call");
    for shape in SHAPES {
        let case = synthesized(&desk, shape);
        for (name, system) in [("asked", &asked), ("call", &call)] {
            let found = verdicts(&case, system, 200);
            let late = (Some(Verdict::Fail), "the system should have answered at once".to_owned());
            assert!(found.contains(&late), "{name}, {shape:?}");
        }
    }
}

#[test]
fn waiting_where_only_the_tester_can_go_on_is_inconclusive() {
    let desk = example("service-desk");
    let case = synthesized(&desk, Shape::Automaton);
    let mut tester = Follower::new(&case);
    let action = |name: &str| Action { channel: name.to_owned(), values: Vec::new() };
    assert_eq!(tester.delay(Rational::ONE).unwrap(), Followed::Going);
    assert_eq!(tester.act(Side::Tester, &action("ask")).unwrap(), Followed::Going);
    assert_eq!(tester.act(Side::System, &action("ready")).unwrap(), Followed::Going);
    let Intention::Open(choices) = tester.intention().unwrap() else { panic!() };
    assert_eq!(choices, [action("take"), action("decline")]);
    let Followed::Over { verdict, .. } = tester.delay(Rational::ONE).unwrap() else { panic!() };
    assert_eq!(verdict, Verdict::Inconclusive);
}

#[test]
fn steps_that_look_and_do_the_same_are_one_edge() {
    let twice = model(
        "model twice;
        input a;
        output u;
        automaton G {
          clock x;
          init location l0;
          location l1 invariant x <= 4;
          location good;
          l0 -> l1 : a? when x <= 3 do x = 0;
          l0 -> l1 : a? when x >= 2 do x = 0;
          l1 -> good : u! when x <= 2;
          l1 -> good : u! when x >= 1;
        }
        query control: A<> G.good;",
    );
    for shape in SHAPES {
        let case = synthesized(&twice, shape);
        let counts = case.places.iter().map(|place| place.edges.len());
        assert_eq!(counts.max(), Some(1), "{shape:?}");
        let edges = case.places.iter().flat_map(|place| &place.edges);
        let always = |edge: &CaseEdge| edge.guard == [vec![]];
        assert!(edges.clone().all(always), "{shape:?}: {:?}", edges.collect::<Vec<_>>());
        let all = case.places.iter().flat_map(|place| &place.rules);
        assert!(all.clone().all(|rule| rule.awaited.len() < 2), "{shape:?}");
        if shape != Shape::Automaton {
            for (verdict, reason) in verdicts(&case, &twice, 20) {
                assert_eq!(verdict, Some(Verdict::Pass), "{shape:?}: {reason}");
            }
        }
    }
}

/// What a location does on one action: until and from when which of two others follows, and whether
/// the clock is reset then.
type Reaction = Option<(u8, Option<usize>, bool, Option<usize>, bool)>;

/// A deterministic model with one clock, inputs `a`, `b` and outputs `u`, `v`, of which `v` may be
/// urgent; locations may be urgent or committed or have an invariant. `l3` is to be reached.
fn hasty() -> impl Strategy<Value = String> {
    let target = || proptest::option::weighted(0.8, 0usize..4);
    let reaction = (0u8..4, target(), any::<bool>(), target(), any::<bool>());
    let reaction = proptest::option::weighted(0.7, reaction);
    let location = (proptest::collection::vec(reaction, 4), 0u8..8, 1u8..4);
    (proptest::collection::vec(location, 3), any::<bool>()).prop_map(|(locations, urgent)| {
        let chan = if urgent { "output urgent chan v;" } else { "output v;" };
        let mut text =
            format!("model hasty;\ninput a, b;\noutput u;\n{chan}\nautomaton G {{\n  clock x;\n");
        for (index, (_, kind, bound)) in locations.iter().enumerate() {
            let init = if index == 0 { "init " } else { "" };
            let (mark, invariant) = match kind {
                0 | 1 => ("urgent ", String::new()),
                2 | 3 => ("committed ", String::new()),
                4 | 5 => ("", format!(" invariant x <= {bound}")),
                _ => ("", String::new()),
            };
            text += &format!("  {init}{mark}location l{index}{invariant};\n");
        }
        text += "  location l3;\n";
        for (index, (reactions, ..)) in locations.iter().enumerate() {
            for (label, reaction) in ["a?", "b?", "u!", "v!"].iter().zip(reactions) {
                text += &edges(index, label, reaction);
            }
        }
        text + "}\nquery control: A<> G.l3;\n"
    })
}

fn edges(index: usize, label: &str, reaction: &Reaction) -> String {
    let Some((split, before, early, after, late)) = reaction else { return String::new() };
    let edge = |target: &Option<usize>, guard: &str, reset: bool| {
        let reset = if reset { " do x = 0" } else { "" };
        target.map_or(String::new(), |target| {
            format!("  l{index} -> l{target} : {label} when x {guard} {split}{reset};\n")
        })
    };
    edge(before, "<", *early) + &edge(after, ">=", *late)
}

/// The model without anything that has to happen at once.
fn lazy(text: &str) -> Model {
    let text =
        text.replace("urgent location", "location").replace("committed location", "location");
    model(&text.replace("output urgent chan", "output"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn hasty_systems_never_fail(text in hasty()) {
        let system = model(&text);
        prop_assert!(Semantics::new(&system).initial().is_ok());
        for shape in SHAPES {
            let case = match attempted(&system, shape) {
                Err(Error::Unreachable | Error::TooLarge(_)) => continue,
                other => other.unwrap(),
            };
            for (verdict, reason) in verdicts(&case, &system, 20) {
                prop_assert_ne!(verdict, Some(Verdict::Fail), "{:?}: {}\n{:#?}", shape, reason, case);
                let blamed = reason == "the tester should have sent something at once";
                prop_assert!(!blamed, "{:?}: {}\n{:#?}", shape, reason, case);
            }
        }
    }

    #[test]
    fn what_a_lazy_system_is_failed_for_is_being_late(text in hasty()) {
        let (specification, system) = (model(&text), lazy(&text));
        for shape in SHAPES {
            let Ok(case) = attempted(&specification, shape) else { continue };
            for (verdict, reason) in verdicts(&case, &system, 20) {
                // The harness takes inputs that the lazy system takes too, and answers are the same.
                let late = reason == "the system should have answered at once";
                prop_assert!(verdict != Some(Verdict::Fail) || late, "{:?}: {}", shape, reason);
            }
        }
    }
}
