//! Random pairs of small models against a slow reference: all traces on a grid of half units, up to
//! a length, followed on both models by the reference semantics.

use std::collections::BTreeSet;

use crate::support::drawn::{environment, implementation, locations, specification, text};
use crate::support::{ask, budget, word};
use proptest::prelude::*;
use tioga_base::Rational;
use tioga_concrete::{Observable, Observed as Seen, Observer, Semantics, State};
use tioga_conform::{ObservedViolation, Relation, RelationAnswer};
use tioga_model::Model;
use tioga_testkit::model;

/// How many half units and actions the traces of the reference have.
const LENGTH: usize = 9;
/// How many internal steps its runs have.
const INTERNAL: u32 = 2;

/// What the reference finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Expected {
    /// An output or a delay that is not specified.
    pub unspecified: bool,
    /// A specified input that is refused.
    refused: bool,
}

type Seen2 = BTreeSet<(Vec<State>, Vec<State>)>;

/// Follows all traces of both models; runs of the specification have so many internal steps.
pub fn reference(implementation: &Model, (specification, silent): (&Model, u32)) -> Expected {
    let observer = |model, internal| Observer::new(Semantics::new(model), 2, internal, budget());
    let mut expected = Expected::default();
    let start =
        (observer(implementation, INTERNAL).unwrap(), observer(specification, silent).unwrap());
    let mut level = vec![start];
    let mut seen = Seen2::new();
    for _ in 0..LENGTH {
        let mut next = Vec::new();
        for (mut one, mut other) in level {
            let key = (one.states().cloned().collect(), other.states().cloned().collect());
            if !seen.insert(key) {
                continue;
            }
            let (outputs, allowed) = (one.outputs().unwrap(), other.outputs().unwrap());
            expected.unspecified |= !outputs.is_subset(&allowed);
            let (inputs, offered) = (one.inputs().unwrap(), other.inputs().unwrap());
            expected.refused |= !offered.is_subset(&inputs);
            let half = Seen::Delay(Rational::new(1, 2).unwrap());
            let actions: BTreeSet<&Observable> =
                outputs.intersection(&allowed).chain(inputs.intersection(&offered)).collect();
            let steps = actions.into_iter().map(|action| Seen::Action(action.clone()));
            for step in steps.chain([half]) {
                let (mut one, mut other) = (one.clone(), other.clone());
                one.observe(&step).unwrap();
                other.observe(&step).unwrap();
                // Only a delay may lead one on and not the other.
                expected.unspecified |= !one.is_empty() && other.is_empty();
                if !one.is_empty() && !other.is_empty() {
                    next.push((one, other));
                }
            }
        }
        level = next;
    }
    expected
}

/// Compares the answers with the reference; the models have their channels in the same order, so
/// that what is observable of one is so of the other.
fn compare(implementation: &str, specification: &str) -> Result<(), TestCaseError> {
    let (one, other) = (model(implementation), model(specification));
    let expected = reference(&one, (&other, 0));
    let told = format!("{implementation}\n{specification}\n{expected:?}");
    let conforms = ask(Relation::Conforms, &one, &other);
    match &conforms {
        RelationAnswer::Holds => prop_assert!(!expected.unspecified, "{}", told),
        RelationAnswer::Violated(_) => {}
        RelationAnswer::Unknown(reason) => prop_assert!(false, "{}: {}", reason, told),
    }
    let refines = ask(Relation::Refines, &one, &other);
    match (&conforms, &refines) {
        (RelationAnswer::Violated(_), _) => prop_assert_eq!(refines, conforms),
        (_, RelationAnswer::Holds) => prop_assert!(!expected.refused, "{}", told),
        (_, RelationAnswer::Violated(violation)) => {
            prop_assert!(matches!(violation.observed, ObservedViolation::Refusal(_)), "{}", told);
        }
        // The trace of a refusal may lead to several states of the implementation.
        (_, RelationAnswer::Unknown(reason)) => {
            prop_assert!(reason.contains("may also lead elsewhere"), "{}: {}", reason, told);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn models_in_the_same_environment_are_compared_as_the_reference_compares_them(
        base in specification(),
        others in locations(),
        swap in prop::collection::vec(prop::bool::weighted(0.2), 3),
        (more, drop) in (implementation(), 0..9usize),
        around in environment(),
    ) {
        let (mut locations, mut edges) = base.clone();
        for (index, _) in swap.iter().enumerate().filter(|(_, swap)| **swap) {
            locations[index].clone_from(&others[index]);
        }
        if drop < edges.len() {
            edges.remove(drop);
        }
        edges.extend(more.1.into_iter().take(1));
        let one = text(false, &locations, &edges) + &around;
        compare(&one, &(text(false, &base.0, &base.1) + &around))?;
    }

    #[test]
    fn unrelated_models_are_compared_as_the_reference_compares_them(
        one in implementation(),
        other in specification(),
        (urgent, urged) in (prop::bool::weighted(0.3), prop::bool::weighted(0.3)),
    ) {
        compare(&text(urgent, &one.0, &one.1), &text(urged, &other.0, &other.1))?;
    }

    // Models that differ in little conform more often, and violate in more intricate ways.
    #[test]
    fn variants_of_a_model_are_compared_as_the_reference_compares_them(
        base in specification(),
        others in locations(),
        swap in prop::collection::vec(prop::bool::weighted(0.2), 3),
        (more, drop) in (implementation(), 0..9usize),
        add in prop::bool::weighted(0.5),
        (urgent, urged) in (prop::bool::weighted(0.3), prop::bool::weighted(0.3)),
    ) {
        let (mut locations, mut edges) = base.clone();
        for (index, _) in swap.iter().enumerate().filter(|(_, swap)| **swap) {
            locations[index].clone_from(&others[index]);
        }
        if drop < edges.len() {
            edges.remove(drop);
        }
        if add {
            edges.extend(more.1.into_iter().take(1));
        }
        compare(&text(urgent, &locations, &edges), &text(urged, &base.0, &base.1))?;
    }

    #[test]
    fn every_deterministic_model_refines_itself(
        base in specification(),
        urgent in prop::bool::weighted(0.3),
    ) {
        let model = model(&text(urgent, &base.0, &base.1));
        let answer = ask(Relation::Refines, &model, &model);
        prop_assert!(answer == RelationAnswer::Holds, "{}: {:?}", word(&answer), base);
    }
}

#[test]
fn the_reference_finds_violations() {
    let text = |guard: &str| {
        text(false, &["init location l0;".to_owned()], &[(0, 0, format!("b! {guard}"))])
    };
    let expected = reference(&model(&text("")), (&model(&text("when x >= 1")), 0));
    assert_eq!(expected, Expected { unspecified: true, refused: false });
    let expected = reference(&model(&text("when x >= 1")), (&model(&text("")), 0));
    assert_eq!(expected, Expected::default());
}
