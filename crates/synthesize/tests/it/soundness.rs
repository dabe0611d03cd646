//! Test cases run against systems that conform and systems that do not.

use crate::support::{synthesized, verdicts};
use tioga_testcase::{Shape, TestCase, Verdict};
use tioga_testkit::{example, example_text, model};

#[test]
fn a_system_as_specified_never_fails() {
    for name in ["smart-light", "problematic-light", "conveyor-game", "complex"] {
        let model = example(name);
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            let case = synthesized(&model, shape);
            let verdicts = verdicts(&case, &model, 200);
            let failed = verdicts.iter().find(|(verdict, _)| *verdict == Some(Verdict::Fail));
            assert_eq!(failed, None, "{name}, {shape:?}");
            let passed = verdicts.iter().any(|(verdict, _)| *verdict == Some(Verdict::Pass));
            // In `complex` the system must wait for longer than this one is patient.
            let lucky = shape == Shape::Automaton || name == "complex";
            assert!(passed || lucky, "{name}, {shape:?}");
        }
    }
}

#[test]
fn what_can_be_enforced_always_passes() {
    let model = example("smart-light");
    for shape in [Shape::Strategy, Shape::Tree] {
        let case = synthesized(&model, shape);
        assert_eq!(case.summary.rank, [0, 0, 4]);
        for (verdict, reason) in verdicts(&case, &model, 300) {
            assert_eq!(verdict, Some(Verdict::Pass), "{shape:?}: {reason}");
        }
    }
}

#[test]
fn trees_end_inconclusively_for_two_reasons() {
    let (missing, otherwise) =
        ("no answer came in its window", "the system answered otherwise than hoped for");
    let light = example("problematic-light");
    // The invariants of the light force every answer before the window is over.
    let idle = model(
        "model idle;
        input a;
        output u, v;
        automaton G {
          clock x;
          init location l0;
          location l1;
          accept location good;
          l0 -> l1 : a? do x = 0;
          l1 -> good : u!;
          l1 -> l0 : v!;
        }
        query E<> control: A<> G.good;",
    );
    for (model, expected) in [(light, &[otherwise][..]), (idle, &[missing, otherwise])] {
        let case = synthesized(&model, Shape::Tree);
        let judgements = case.places.iter().flat_map(|place| &place.verdicts);
        let inconclusive = judgements.filter(|one| one.verdict == Verdict::Inconclusive);
        let mut reasons: Vec<&str> = inconclusive.map(|one| one.reason.as_str()).collect();
        reasons.sort_unstable();
        reasons.dedup();
        assert_eq!(reasons, expected);
        let found = verdicts(&case, &model, 200);
        assert!(found.iter().any(|(verdict, _)| *verdict == Some(Verdict::Inconclusive)));
    }
}

#[test]
fn trees_whose_answers_are_forced_within_the_window_are_never_inconclusive() {
    let text = |invariant: &str| {
        format!(
            "model forced;
            input a;
            output u;
            automaton G {{
              clock x;
              init location l0;
              location l1{invariant};
              accept location good;
              l0 -> l1 : a? do x = 0;
              l1 -> good : u!;
            }}
            query control: A<> G.good;"
        )
    };
    for (invariant, inconclusive) in [(" invariant x <= 2", false), ("", true)] {
        let case = synthesized(&model(&text(invariant)), Shape::Tree);
        assert_eq!(case.summary.may_be_inconclusive, inconclusive, "{invariant}: {case:?}");
    }
}

#[test]
fn trees_call_a_failure_what_the_specification_does() {
    let model = model(
        "model marked;
        input a;
        output u, v;
        automaton G {
          clock x;
          init location l0;
          location l1 invariant x <= 2;
          accept location good;
          fail location bad;
          l0 -> l1 : a? do x = 0;
          l1 -> good : u!;
          l1 -> bad : v!;
        }
        query control: A<> G.good;",
    );
    let case = synthesized(&model, Shape::Tree);
    let found = verdicts(&case, &model, 50);
    let (fail, pass) = (Some(Verdict::Fail), Some(Verdict::Pass));
    assert!(found.iter().all(|(verdict, _)| *verdict == fail || *verdict == pass), "{found:?}");
    assert!(found.iter().any(|(verdict, _)| *verdict == fail));
}

#[test]
fn trees_end_where_the_purpose_holds_for_some_clock_values_only() {
    let model = model(
        "model partial;
        input a;
        automaton G {
          clock x;
          init location l0;
          l0 -> self : a?;
        }
        query control: A<> G.x <= 1;",
    );
    assert_eq!(synthesized(&model, Shape::Tree).places.len(), 1);
}

#[test]
fn wrong_answers_fail_at_once() {
    let text = example_text("smart-light");
    let specification = model(&text);
    let wrong = |from: &str, to: &str| {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "the mutation must change something");
        model(&changed)
    };
    // Too late, and the wrong output.
    let late = wrong("invariant Tp <= 2", "invariant Tp <= 3");
    let mixed = wrong("L1, L4, L5 -> Dim : dim!", "L1, L4, L5 -> Dim : off!");
    for shape in [Shape::Strategy, Shape::Tree] {
        let case = synthesized(&specification, shape);
        for (name, system) in [("late", &late), ("mixed", &mixed)] {
            let verdicts = verdicts(&case, system, 200);
            let failed = verdicts.iter().any(|(verdict, _)| *verdict == Some(Verdict::Fail));
            assert!(failed, "{name}, {shape:?}");
        }
    }
}

#[test]
fn the_file_form_keeps_everything() {
    let model = example("conveyor-game");
    for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
        let case = synthesized(&model, shape);
        let text = serde_json::to_string(&case).unwrap();
        assert_eq!(serde_json::from_str::<TestCase>(&text).unwrap(), case);
    }
}
