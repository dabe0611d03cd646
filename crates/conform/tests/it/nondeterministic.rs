//! Random pairs of models that are not deterministic, against the slow reference: what a simulation shows holds, and
//! what a run shows is violated. The same pairs are drawn each time.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tioga_base::Cancel;
use tioga_concrete::{Observed as Seen, Semantics, after};
use tioga_conform::{
    Nondeterministic, ObservedViolation, Relation, RelationAnswer, Violation, decide,
};
use tioga_explore::{Limits, SearchOptions};
use tioga_model::Model;
use tioga_testkit::model;

use crate::random::reference;
use crate::support::drawn::{edge, implementation, locations, text};
use crate::support::{budget, seen};

/// How many pairs of each kind are compared; more with `TIOGA_PAIRS`.
const PAIRS: usize = 40;
/// How many internal steps the runs of the reference have.
const INTERNAL: u32 = 4;

fn options() -> SearchOptions {
    let limits = Limits { visited: Some(2000), ..Limits::default() };
    SearchOptions { limits, ..SearchOptions::default() }
}

/// How often there was each answer.
#[derive(Default, Debug)]
struct Tally {
    pairs: usize,
    known: usize,
    simulated: usize,
    refuted: usize,
    unknown: usize,
}

/// A model that need not be deterministic, and a variant of it.
fn variants() -> impl Strategy<Value = (String, String)> {
    let label = prop::sample::select(vec!["a?", "c?", "b!", "b!", "d!", ""]);
    let base = (locations(), prop::collection::vec(label.prop_flat_map(edge), 2..8));
    let swap = prop::collection::vec(prop::bool::weighted(0.2), 3);
    let change = (locations(), swap, implementation(), 0..12usize, prop::bool::weighted(0.3));
    (base, change, prop::bool::weighted(0.3)).prop_map(
        |((locations, edges), (others, swap, more, drop, add), urgent)| {
            let (mut changed, mut kept) = (locations.clone(), edges.clone());
            for (index, _) in swap.iter().enumerate().filter(|(_, swap)| **swap) {
                changed[index].clone_from(&others[index]);
            }
            if drop < kept.len() {
                kept.remove(drop);
            }
            kept.extend(more.1.into_iter().take(usize::from(add)));
            (text(urgent, &changed, &kept), text(urgent, &locations, &edges))
        },
    )
}

fn unrelated() -> impl Strategy<Value = (String, String)> {
    let write = |(locations, edges): (Vec<String>, Vec<_>)| text(false, &locations, &edges);
    (implementation().prop_map(write), implementation().prop_map(write))
}

fn pairs() -> usize {
    std::env::var("TIOGA_PAIRS").ok().and_then(|text| text.parse().ok()).unwrap_or(PAIRS)
}

/// Compares pairs and checks each answer.
fn tally(strategy: impl Strategy<Value = (String, String)>, relation: Relation) -> Tally {
    let (mut runner, mut tally) = (TestRunner::deterministic(), Tally::default());
    while tally.pairs < pairs() {
        let (one, other) = strategy.new_tree(&mut runner).unwrap().current();
        let (implementation, specification) = (model(&one), model(&other));
        let models = (&implementation, &specification);
        let decided = decide(models.0, models.1, relation, &options(), &mut |_| ()).unwrap();
        let told = format!("{one}\n{other}");
        match &decided.answer {
            RelationAnswer::Unknown(reason) if reason.contains("at the start") => continue,
            RelationAnswer::Unknown(_) => {}
            _ => {
                tally.known += 1;
                continue;
            }
        }
        tally.pairs += 1;
        let asked = Nondeterministic {
            implementation: models.0,
            specification: models.1,
            relation,
            cancel: &Cancel::new(),
        };
        let proved = asked.decide_by_simulation(None, &options(), &mut |_| ()).is_some();
        let refuted = asked.refuted_at_random((60, 12), &BTreeMap::new());
        if proved {
            tally.simulated += 1;
            assert!(refuted.is_none(), "{told}");
            if relation == Relation::Conforms {
                let expected = reference(models.0, (models.1, INTERNAL));
                assert!(!expected.unspecified, "{told}");
            }
        }
        match refuted {
            Some(violation) => {
                confirm(models, &violation, &told);
                tally.refuted += 1;
            }
            None if !proved => {
                tally.unknown += 1;
            }
            None => {}
        }
    }
    tally
}

/// Checks a violation with the sets of states of the reference.
fn confirm((implementation, specification): (&Model, &Model), violation: &Violation, told: &str) {
    let mut trace = Vec::new();
    let mut semantics = Semantics::new(implementation);
    let mut state = semantics.initial().unwrap();
    for (position, one) in violation.run.iter().enumerate() {
        state = semantics.delay(&state, one.delay).unwrap().expect("the delay is allowed");
        trace.push(Seen::Delay(one.delay));
        if position + 1 == violation.run.len()
            && matches!(violation.observed, ObservedViolation::Delay)
        {
            break;
        }
        let step = one.step.as_ref().expect("only the last has none");
        assert!(semantics.options(&state).unwrap().now().any(|other| other == step), "{told}");
        state = semantics.step(&state, step).unwrap();
        trace.extend(seen(implementation, step, specification));
    }
    let follow =
        |trace: &[Seen]| after(Semantics::new(specification), trace, INTERNAL, budget()).unwrap();
    let (_, before) = trace.split_last().unwrap();
    assert!(!follow(before).is_empty(), "the specification follows: {told}");
    assert!(follow(&trace).is_empty(), "the specification allows it: {told}");
}

#[test]
fn variants_of_models_that_are_not_deterministic_are_decided_rightly() {
    let tally = tally(variants(), Relation::Conforms);
    println!("{tally:?}");
    assert!(tally.unknown * 20 <= tally.pairs, "{tally:?}");
}

#[test]
fn unrelated_models_that_are_not_deterministic_are_decided_rightly() {
    let tally = tally(unrelated(), Relation::Conforms);
    println!("{tally:?}");
    assert!(tally.unknown * 20 <= tally.pairs, "{tally:?}");
}

#[test]
fn answers_for_a_tester_that_serves_are_right() {
    let tally = tally(variants(), Relation::ConformsWhenServed);
    println!("{tally:?}");
    assert!(tally.unknown * 20 <= tally.pairs, "{tally:?}");
}
