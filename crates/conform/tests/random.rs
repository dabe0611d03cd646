//! Random pairs of small models against a slow reference: all traces on a grid of half units, up to
//! a length, followed on both models by the reference semantics.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use support::{ask, budget, model, word};
use tioga_base::Rational;
use tioga_concrete::{Observable, Observed as Seen, Observer, Semantics, State};
use tioga_conform::{Answer, Observed, Relation};
use tioga_model::Model;

/// How many half units and actions the traces of the reference have.
const LENGTH: usize = 9;
/// How many internal moves its runs have.
const INTERNAL: u32 = 2;

/// What the reference finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Expected {
    /// An output or a delay that is not specified.
    unspecified: bool,
    /// A specified input that is refused.
    refused: bool,
}

type Seen2 = BTreeSet<(Vec<State>, Vec<State>)>;

/// Follows all traces of both models.
fn reference(implementation: &Model, specification: &Model) -> Expected {
    let observer = |model, internal| Observer::new(Semantics::new(model), 2, internal, budget());
    let mut expected = Expected::default();
    let start = (observer(implementation, INTERNAL).unwrap(), observer(specification, 0).unwrap());
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
    let expected = reference(&one, &other);
    let told = format!("{implementation}\n{specification}\n{expected:?}");
    let conforms = ask(Relation::Conforms, &one, &other);
    match &conforms {
        Answer::Holds => prop_assert!(!expected.unspecified, "{}", told),
        Answer::Violated(_) => {}
        Answer::Unknown(reason) => prop_assert!(false, "{}: {}", reason, told),
    }
    let refines = ask(Relation::Refines, &one, &other);
    match (&conforms, &refines) {
        (Answer::Violated(_), _) => prop_assert_eq!(refines, conforms),
        (_, Answer::Holds) => prop_assert!(!expected.refused, "{}", told),
        (_, Answer::Violated(violation)) => {
            prop_assert!(matches!(violation.observed, Observed::Refusal(_)), "{}", told);
        }
        // The trace of a refusal may lead to several states of the implementation.
        (_, Answer::Unknown(reason)) => {
            prop_assert!(reason.contains("may also lead elsewhere"), "{}: {}", reason, told);
        }
    }
    Ok(())
}

const LABELS: [&str; 4] = ["a?", "c?", "b!", "d!"];

fn guard() -> impl Strategy<Value = String> {
    let op = prop::sample::select(vec!["<", "<=", "==", ">=", ">"]);
    let clock = prop::sample::select(vec!["x", "x", "y"]);
    let constraint =
        (clock, op, 0..3i64).prop_map(|(clock, op, constant)| format!("{clock} {op} {constant}"));
    prop::collection::vec(constraint, 0..3).prop_map(|all| {
        if all.is_empty() { String::new() } else { format!(" when {}", all.join(" && ")) }
    })
}

fn edge(label: &'static str) -> impl Strategy<Value = (usize, usize, String)> {
    let reset = prop::sample::select(vec!["", " do x = 0", " do x = 0", " do y = 0", " do y = 1"]);
    (0..3usize, 0..3usize, guard(), reset)
        .prop_map(move |(from, to, guard, reset)| (from, to, format!("{label}{guard}{reset}")))
}

fn locations() -> impl Strategy<Value = Vec<String>> {
    let invariant = prop_oneof![
        4 => Just(String::new()),
        2 => (1..3i64).prop_map(|c| format!(" invariant x <= {c}")),
        1 => (1..3i64).prop_map(|c| format!(" invariant x < {c}")),
        1 => Just(" invariant x <= 0 || x >= 1".to_owned()),
    ];
    let urgent = prop_oneof![6 => Just(""), 1 => Just("urgent ")];
    let location = (invariant, urgent).prop_map(|(invariant, urgent)| (urgent, invariant));
    prop::collection::vec(location, 3).prop_map(|all| {
        let all = all.into_iter().enumerate().map(|(index, (urgent, invariant))| {
            let init = if index == 0 { "init " } else { "" };
            format!("  {init}{urgent}location l{index}{invariant};\n")
        });
        all.collect()
    })
}

fn text(urgent: bool, locations: &[String], edges: &[(usize, usize, String)]) -> String {
    let outputs = if urgent { "output b;\nurgent output d;" } else { "output b, d;" };
    let mut text = format!("model m;\ninput a, c;\n{outputs}\nautomaton P {{\n  clock x, y;\n");
    text.extend(locations.iter().map(String::as_str));
    for (from, to, rest) in edges {
        text.push_str(&format!("  l{from} -> l{to} : {rest};\n"));
    }
    text + "}\n"
}

/// Any model, internal moves included.
fn implementation() -> impl Strategy<Value = (Vec<String>, Vec<(usize, usize, String)>)> {
    let label = prop::sample::select(vec!["a?", "c?", "b!", "b!", "d!", ""]);
    (locations(), prop::collection::vec(label.prop_flat_map(edge), 1..6))
}

/// A model with at most one edge for each label and location.
fn specification() -> impl Strategy<Value = (Vec<String>, Vec<(usize, usize, String)>)> {
    let label = prop::sample::select(LABELS.to_vec());
    (locations(), prop::collection::vec(label.prop_flat_map(edge), 1..9)).prop_map(
        |(locations, mut edges)| {
            let mut taken = BTreeSet::new();
            edges.retain(|(from, _, rest)| taken.insert((*from, rest[..2].to_owned())));
            (locations, edges)
        },
    )
}

/// An environment that is deterministic: at most one edge for each label and location.
fn environment() -> impl Strategy<Value = String> {
    let label = prop::sample::select(vec!["a!", "c!", "b?", "d?"]);
    let guard = prop_oneof![
        3 => Just(String::new()),
        1 => (0..3i64).prop_map(|c| format!(" when z >= {c}")),
        1 => (0..3i64).prop_map(|c| format!(" when z <= {c}")),
    ];
    let reset = prop::sample::select(vec!["", " do z = 0"]);
    let edge = (label, 0..2usize, 0..2usize, guard, reset);
    let invariant = prop::sample::select(vec!["", "", " invariant z <= 1", " invariant z <= 2"]);
    (prop::collection::vec(invariant, 2), prop::collection::vec(edge, 2..8)).prop_map(
        |(invariants, edges)| {
            let mut text = "automaton E {\n  clock z;\n".to_owned();
            for (index, invariant) in invariants.iter().enumerate() {
                let init = if index == 0 { "init " } else { "" };
                text.push_str(&format!("  {init}location e{index}{invariant};\n"));
            }
            let mut taken = BTreeSet::new();
            for (label, from, to, guard, reset) in edges {
                if taken.insert((from, label)) {
                    text.push_str(&format!("  e{from} -> e{to} : {label}{guard}{reset};\n"));
                }
            }
            text + "}\nsystem P environment E;\n"
        },
    )
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
        prop_assert!(answer == Answer::Holds, "{}: {:?}", word(&answer), base);
    }
}

#[test]
fn the_reference_finds_violations() {
    let text = |guard: &str| {
        text(false, &["init location l0;".to_owned()], &[(0, 0, format!("b! {guard}"))])
    };
    let expected = reference(&model(&text("")), &model(&text("when x >= 1")));
    assert_eq!(expected, Expected { unspecified: true, refused: false });
    let expected = reference(&model(&text("when x >= 1")), &model(&text("")));
    assert_eq!(expected, Expected::default());
}
