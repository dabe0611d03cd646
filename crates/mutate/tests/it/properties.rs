//! What holds for all mutants of all models.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tioga_model::Model;
use tioga_mutate::{Completion, Options, complete, mutants};
use tioga_testkit::{example, model};

fn check(model: &Model) {
    let options = Options { environment: true, ..Options::default() };
    let made = mutants(model, &options);
    assert_eq!(made, mutants(model, &options));
    let mut ids = BTreeSet::new();
    for mutant in &made.list {
        assert!(ids.insert(&mutant.id), "{} occurs twice", mutant.id);
        let network = mutant.network(model);
        assert_ne!(network, **model, "{} is the model itself", mutant.id);
        let mut completed = network.clone();
        assert!(network.validate().is_ok(), "{}", mutant.id);
        complete(&mut completed, Completion::ALL[0]);
        assert!(completed.validate().is_ok(), "{} completed", mutant.id);
        assert!(!mutant.description.is_empty());
    }
}

#[test]
fn mutants_of_examples_validate_and_differ() {
    for name in ["smart-light", "car-alarm", "train-gate", "conveyor", "tefsm", "fsm-29", "complex"]
    {
        check(&example(name));
    }
}

/// A model with three locations, two clocks, data, parameters and a few edges.
fn text() -> impl Strategy<Value = String> {
    let place = || prop::sample::select(vec!["A", "B", "C"]);
    let label = prop::sample::select(vec!["a?", "b?", "p!", "q!", "set(n)?", "set(2)?", "go[v]?"]);
    let guard = prop::sample::select(vec![
        "",
        "when x < 3",
        "when x >= 2 && y <= 7/2",
        "when x == 4 || v > 1",
        "when x - y < 1 && !w",
        "when v == 2 && (w || v < 3)",
        "when x <= v",
        "when y > v + 1",
    ]);
    let update = prop::sample::select(vec![
        "",
        "do x = 0",
        "do v = 1, y = 0",
        "do w = true",
        "do v = v < 3 ? v + 1 : 0",
        "do y = x",
    ]);
    let edge =
        (place(), place(), label, guard, update).prop_map(|(from, to, label, guard, update)| {
            format!("{from} -> {to} : {label} {guard} {update};\n")
        });
    (prop::collection::vec(edge, 1..6), 0..9i64).prop_map(|(edges, bound)| {
        format!(
            "input a, b, set(int[0, 3] n), go[4]; output p, q;
automaton P {{
  clock x, y; int[0, 3] v; bool w;
  init location A; location B invariant x <= {bound}; location C invariant y < 3 && x <= v;
{}}}",
            edges.concat()
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn mutants_validate_and_differ(text in text()) {
        check(&model(&text));
    }
}
