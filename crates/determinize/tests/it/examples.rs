//! The examples of the literature.

use crate::support::{text, view};
use tioga_base::Cancel;
use tioga_determinize::{Exactness, LossKind, Resources, determinize_auto};
use tioga_model::{Property, PropertyVerdict, properties};
use tioga_testkit::example;

#[test]
fn the_conveyor_becomes_the_game_of_its_paper() {
    let result = view(&example("conveyor"), 1, 6);
    assert_eq!(result.exactness, Exactness::Exact);
    let expected = "\
Start_Sort_Boarding [c1<=6]
Waste
Dest1
Dest2
Start_Sort_Boarding -> Waste waste! [c1<=5] {c1}
Start_Sort_Boarding -> Dest1 ship1? [] {c1}
Start_Sort_Boarding -> Dest2 ship2? [] {c1}
Start_Sort_Boarding -> Start_Sort_Boarding past! [] {c1}
Waste -> Start_Sort_Boarding restart? [] {c1}
Dest1 -> Start_Sort_Boarding restart? [] {c1}
Dest1 -> Start_Sort_Boarding end1! [] {c1}
Dest2 -> Start_Sort_Boarding restart? [] {c1}
Dest2 -> Start_Sort_Boarding end2! [] {c1}
";
    assert_eq!(text(&result.network), expected);
}

#[test]
fn the_running_example_is_exact_up_to_the_bound_that_needs_another_constant() {
    let model = example("bjsk");
    let mut result = view(&model, 1, 2);
    result.suggest(&model, 100_000, &Cancel::new());
    let Exactness::Approximate { losses, suggestion, .. } = &result.exactness else {
        panic!("{:?}", result.exactness)
    };
    assert_eq!(*suggestion, Some(Resources { clocks: 1, max_constant: 3 }));
    let [loss] = &losses[..] else { panic!("{losses:?}") };
    assert_eq!((loss.location.as_str(), loss.kind), ("l0", LossKind::Delay));
    assert_eq!(loss.when, "c1 > 2");
    assert_eq!(loss.configuration, "l5 with x > 1 && x <= 2 && c1 - x == 1");
    let text = text(&result.network);
    // Both branches are merged on `a`, and the answers tell them apart.
    assert!(text.contains("l0 -> l6_l2 a? [c1>1 c1<2] {c1}\n"), "{text}");
    assert!(text.contains("l6_l2 -> l7_2 b! [c1>0] {}\n"), "{text}");
}

#[test]
fn the_running_example_is_exact_with_a_larger_constant() {
    let result = view(&example("bjsk"), 1, 3);
    assert_eq!(result.exactness, Exactness::Exact);
}

#[test]
fn resources_that_suffice_are_found() {
    let model = example("bjsk");
    let result = determinize_auto(&model, None, 100_000, &Cancel::new()).unwrap();
    assert_eq!(result.exactness, Exactness::Exact);
    assert_eq!(result.resources, Resources { clocks: 1, max_constant: 3 });
}

#[test]
fn a_deterministic_model_is_returned_unchanged() {
    for name in ["conveyor-game", "smart-light"] {
        let model = example(name);
        let deterministic = properties(&model).iter().all(|report| {
            report.property != Property::Deterministic || report.verdict == PropertyVerdict::Holds
        });
        assert!(deterministic, "{name}");
        let result = view(&model, 1, 1);
        assert_eq!(result.exactness, Exactness::Unchanged, "{name}");
        assert_eq!(result.network, model.into_network());
    }
}
