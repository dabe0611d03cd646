//! Conformance for a tester that keeps the specification waiting for no input: cases decided by hand,
//! and random pairs of models against a slow reference, which asks the windows of the reference
//! semantics whether only inputs are possible up to where the time of the specification ends.

use std::collections::BTreeSet;

use crate::support::drawn::{
    environment, implementation, locations, specification, text, text_with,
};
use crate::support::{ask, budget, left_to_the_tester, word};
use proptest::prelude::*;
use tioga_base::Rational;
use tioga_concrete::{Observable, Observed as Seen, Observer, Semantics, State};
use tioga_conform::{ObservedViolation, Relation, RelationAnswer, decide};
use tioga_explore::{Limits, SearchOptions};
use tioga_model::Model;
use tioga_testkit::model;

/// The answers for both relations, about models with inputs a, c and outputs b, d, and one clock x.
fn both(implementation: &str, specification: &str) -> [String; 2] {
    both_with("input a, c; output b, d;", implementation, specification)
}

fn both_with(channels: &str, implementation: &str, specification: &str) -> [String; 2] {
    let made =
        |body: &str| model(&format!("model m; {channels} automaton P {{ clock x; {body} }}"));
    let (one, other) = (made(implementation), made(specification));
    [Relation::Conforms, Relation::ConformsWhenServed].map(|asked| word(&ask(asked, &one, &other)))
}

/// A system that waits for ever, and takes everything.
const PATIENT: &str = "init location l; l -> self : a?; l -> self : c?;";

/// A location of some kind with these edges to one where time passes.
fn ending(kind: &str, edges: &[&str]) -> String {
    let edges: String = edges.iter().map(|edge| format!("l -> m : {edge}; ")).collect();
    let (marks, invariant) = if kind.starts_with('x') {
        ("", format!("invariant {kind}"))
    } else {
        (kind, String::new())
    };
    format!("{marks} init location l {invariant}; location m; {edges}")
}

#[test]
fn waiting_on_is_forgiven_where_only_an_input_goes_on() {
    let needs_input = ending("x <= 3", &["a?"]);
    assert_eq!(both(PATIENT, &needs_input), ["delay after 7/2", "holds"]);
    let goes_on_itself = ending("x <= 3", &["b!"]);
    assert_eq!(both(PATIENT, &goes_on_itself), ["delay after 7/2", "delay after 7/2"]);
    let may_choose = ending("x <= 3", &["a?", "b!"]);
    assert_eq!(both(PATIENT, &may_choose), ["delay after 7/2", "delay after 7/2"]);
    // Nothing goes on: that is nobody's turn but the system's.
    let stuck = ending("x <= 3", &[]);
    assert_eq!(both(PATIENT, &stuck), ["delay after 7/2", "delay after 7/2"]);
}

#[test]
fn what_counts_is_what_is_possible_when_time_ends() {
    let input_gone = ending("x <= 3", &["a? when x < 3"]);
    assert_eq!(both(PATIENT, &input_gone)[1], "delay after 7/2");
    let input_at_the_end = ending("x <= 3", &["a? when x >= 3"]);
    assert_eq!(both(PATIENT, &input_at_the_end)[1], "holds");
    // The system let its chance pass, and now needs the tester.
    let output_gone = ending("x <= 3", &["a?", "b! when x < 3"]);
    assert_eq!(both(PATIENT, &output_gone)[1], "holds");
    let output_at_the_end = ending("x <= 3", &["a?", "b! when x >= 3"]);
    assert_eq!(both(PATIENT, &output_at_the_end)[1], "delay after 7/2");
    // Where an input leads counts, too: its target may not be entered any more.
    let too_late = "init location l invariant x <= 3; location m invariant x <= 2; l -> m : a?;";
    assert_eq!(both(PATIENT, too_late)[1], "delay after 7/2");
}

#[test]
fn a_strict_bound_has_no_last_moment_and_what_is_possible_up_to_it_counts() {
    assert_eq!(both(PATIENT, &ending("x < 3", &["a?"])), ["delay after 3", "holds"]);
    let input_gone = ending("x < 3", &["a? when x <= 2"]);
    assert_eq!(both(PATIENT, &input_gone)[1], "delay after 3");
    assert_eq!(both(PATIENT, &ending("x < 3", &["a? when x > 2"]))[1], "holds");
    let output_gone = ending("x < 3", &["a?", "b! when x <= 2"]);
    assert_eq!(both(PATIENT, &output_gone)[1], "holds");
    let output_up_to_it = ending("x < 3", &["a?", "b! when x > 2"]);
    assert_eq!(both(PATIENT, &output_up_to_it)[1], "delay after 3");
}

#[test]
fn locations_without_time_end_it_at_once() {
    for kind in ["urgent", "committed"] {
        assert_eq!(both(PATIENT, &ending(kind, &["a?"])), ["delay after 1/2", "holds"]);
        let stays = ["delay after 1/2", "delay after 1/2"];
        assert_eq!(both(PATIENT, &ending(kind, &["a?", "b!"])), stays);
        assert_eq!(both(PATIENT, &ending(kind, &["b!"])), stays);
        assert_eq!(both(PATIENT, &ending(kind, &["a? when x >= 1"])), stays);
        let chance_comes_never = ending(kind, &["a?", "b! when x >= 1"]);
        assert_eq!(both(PATIENT, &chance_comes_never)[1], "holds");
    }
}

#[test]
fn urgent_channels_end_time_when_they_are_possible() {
    // An open input is the tester's to offer, and never urgent.
    let channels = "urgent input a; input c; output b, d;";
    let from_one = ending("", &["a? when x >= 1"]);
    assert_eq!(both_with(channels, "init location l;", &from_one), ["holds", "holds"]);
    // An environment that offers it takes part in it as soon as it is possible.
    let asked = |specification: &str| {
        let made = |body: &str| {
            model(&format!(
                "model m; {channels} automaton P {{ clock x; {body} }}
                automaton E {{ init location e; e -> self : a!; e -> self : b?; }}
                system P environment E;"
            ))
        };
        let (one, other) = (made("init location l;"), made(specification));
        [Relation::Conforms, Relation::ConformsWhenServed]
            .map(|asked| word(&ask(asked, &one, &other)))
    };
    assert_eq!(asked(&from_one), ["delay after 3/2", "holds"]);
    let answer_too = ending("", &["a? when x >= 1", "b! when x == 1"]);
    assert_eq!(asked(&answer_too)[1], "delay after 3/2");
    // The output would come later, and time does not get there.
    let answer_later = ending("", &["a? when x >= 1", "b! when x >= 2"]);
    assert_eq!(asked(&answer_later)[1], "holds");
    let urgent_output = "input a, c; output b; urgent output d;";
    let both_possible = ending("", &["d! when x >= 1", "a?"]);
    let answers = both_with(urgent_output, PATIENT, &both_possible);
    assert_eq!(answers, ["delay after 3/2", "delay after 3/2"]);
    // Time stops before the output becomes possible; only the input is left.
    let never_quite = ending("", &["d! when x > 1", "a?"]);
    assert_eq!(both_with(urgent_output, PATIENT, &never_quite)[1], "holds");
}

#[test]
fn a_mealy_step_waits_for_its_input() {
    assert_eq!(
        both("init location l;", &ending("x <= 3", &["a?/b!"])),
        ["delay after 7/2", "holds"]
    );
    let answer_too = ending("x <= 3", &["a?/b!", "d!"]);
    assert_eq!(both("init location l;", &answer_too)[1], "delay after 7/2");
    let wrong = "init location l; l -> self : a?/d!;";
    assert_eq!(both(wrong, &ending("x <= 3", &["a?/b!"])), ["output after 0", "output after 0"]);
}

#[test]
fn what_happens_after_a_forgiven_wait_is_not_asked() {
    // The time of the specification has ended: no trace of it is that long.
    let babbles = "init location l; location m; l -> m : a?; l -> self : b! when x > 3;";
    assert_eq!(both(babbles, &ending("x <= 3", &["a?"])), ["delay after 7/2", "holds"]);
    // What comes before, or after an input in time, is.
    let early = "init location l; l -> self : a?; l -> self : b! when x >= 3;";
    assert_eq!(both(early, &ending("x <= 3", &["a?"]))[1], "output after 3");
    let later = "init location l; location m; l -> m : a?; m -> m : d!;";
    assert_eq!(both(later, &ending("x <= 3", &["a?"]))[1], "output after 0");
}

#[test]
fn an_environment_that_must_ask_is_not_waited_for() {
    // The environment asks by 2; the system would take the question up to 3.
    let within = |invariant: &str| {
        model(&format!(
            "model m; input a; output b;
            automaton P {{ clock x; init location l {invariant}; location m; l -> m : a?; }}
            automaton E {{ clock z; init location l invariant z <= 2; location m; l -> m : a!; }}
            system P environment E;"
        ))
    };
    for relation in [Relation::Conforms, Relation::ConformsWhenServed] {
        let answer = ask(relation, &within(""), &within("invariant x <= 3"));
        assert_eq!(answer, RelationAnswer::Holds);
    }
    let answer = |relation| word(&ask(relation, &within(""), &within("invariant x <= 1")));
    assert_eq!(answer(Relation::Conforms), "delay after 3/2");
    assert_eq!(answer(Relation::ConformsWhenServed), "holds");
}

/// How many half units and actions the traces of the reference have.
const LENGTH: usize = 9;

/// Whether the reference finds an output that is not specified, or a delay that is not and that no
/// input would have ended.
fn violated(implementation: &Model, specification: &Model) -> bool {
    let observer = |model, internal| Observer::new(Semantics::new(model), 2, internal, budget());
    let mut level =
        vec![(observer(implementation, 2).unwrap(), observer(specification, 0).unwrap())];
    let mut seen: BTreeSet<(Vec<State>, Vec<State>)> = BTreeSet::new();
    let delay = |parts| Seen::Delay(Rational::new(1, parts).unwrap());
    for _ in 0..LENGTH {
        let mut next = Vec::new();
        for (mut one, mut other) in level {
            let key = (one.states().cloned().collect(), other.states().cloned().collect());
            if !seen.insert(key) {
                continue;
            }
            let (outputs, allowed) = (one.outputs().unwrap(), other.outputs().unwrap());
            if !outputs.is_subset(&allowed) {
                return true;
            }
            let (inputs, offered) = (one.inputs().unwrap(), other.inputs().unwrap());
            let actions: BTreeSet<&Observable> =
                outputs.intersection(&allowed).chain(inputs.intersection(&offered)).collect();
            let actions = actions.into_iter().map(|action| Seen::Action(action.clone()));
            for step in actions.chain([delay(4), delay(2)]) {
                let (mut own, mut followed) = (one.clone(), other.clone());
                own.observe(&step).unwrap();
                followed.observe(&step).unwrap();
                if !own.is_empty() && followed.is_empty() {
                    // A deterministic specification is in one state.
                    let [options] = &other.options().unwrap()[..] else { panic!("one state") };
                    if !left_to_the_tester(options) {
                        return true;
                    }
                } else if !own.is_empty() && step != delay(4) {
                    next.push((own, followed));
                }
            }
        }
        level = next;
    }
    false
}

/// Compares the answer with the reference, and with that of the stricter relation.
fn compare(implementation: &str, specification: &str) -> Result<(), TestCaseError> {
    let (one, other) = (model(implementation), model(specification));
    let told = format!("{implementation}\n{specification}");
    let strict = ask(Relation::Conforms, &one, &other);
    let served = ask(Relation::ConformsWhenServed, &one, &other);
    match (&strict, &served) {
        (_, RelationAnswer::Unknown(reason)) => prop_assert!(false, "{}: {}", reason, told),
        (RelationAnswer::Holds, _) => prop_assert_eq!(&served, &RelationAnswer::Holds, "{}", told),
        (RelationAnswer::Violated(violation), _)
            if violation.observed != ObservedViolation::Delay =>
        {
            prop_assert_eq!(&served, &strict, "{}", told);
        }
        _ => {}
    }
    if served == RelationAnswer::Holds {
        prop_assert!(!violated(&one, &other), "{}", told);
    }
    Ok(())
}

/// The channels, some of which may be urgent.
fn channels() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "input a, c;\noutput b, d;",
        "input a, c;\noutput b, d;",
        "input a, c;\noutput b;\nurgent output d;",
        "input a;\nurgent input c;\noutput b, d;",
    ])
}

/// Whether time may end in a location.
fn ends(location: &str) -> bool {
    location.contains("urgent") || location.contains("invariant")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn unrelated_models_are_compared_as_the_reference_compares_them(
        one in implementation(),
        other in specification(),
        (own, others) in (channels(), channels()),
    ) {
        compare(&text_with(own, &one.0, &one.1), &text_with(others, &other.0, &other.1))?;
    }

    // Systems that only wait longer are told apart by nothing but the end of time.
    #[test]
    fn models_that_wait_longer_are_compared_as_the_reference_compares_them(
        base in specification(),
        others in locations(),
        swap in prop::collection::vec(prop::bool::weighted(0.3), 3),
        drop in 0..9usize,
        (own, urged) in (channels(), channels()),
    ) {
        let (mut locations, mut edges) = base.clone();
        for (index, location) in locations.iter_mut().enumerate() {
            if swap[index] {
                location.clone_from(&others[index]);
            } else {
                let init = if index == 0 { "init " } else { "" };
                *location = format!("  {init}location l{index};\n");
            }
        }
        if drop < edges.len() {
            edges.remove(drop);
        }
        compare(&text_with(own, &locations, &edges), &text_with(urged, &base.0, &base.1))?;
    }

    #[test]
    fn models_in_an_environment_are_compared_as_the_reference_compares_them(
        base in specification(),
        others in locations(),
        swap in prop::collection::vec(prop::bool::weighted(0.4), 3),
        (channels, around) in (channels(), environment()),
    ) {
        let (mut locations, edges) = base.clone();
        for (index, _) in swap.iter().enumerate().filter(|(_, swap)| **swap) {
            locations[index].clone_from(&others[index]);
        }
        let one = text_with(channels, &locations, &edges) + &around;
        compare(&one, &(text_with(channels, &base.0, &base.1) + &around))?;
    }

    #[test]
    fn the_relations_agree_if_time_never_ends_where_inputs_are_taken(
        one in implementation(),
        (locations, mut edges) in specification(),
        (urgent, urged) in (prop::bool::weighted(0.3), prop::bool::weighted(0.3)),
    ) {
        let mut ending: BTreeSet<usize> =
            (0..locations.len()).filter(|index| ends(&locations[*index])).collect();
        if urged {
            // A guard like `x > 0` stops time before the output is possible.
            ending.extend(edges.iter().filter(|edge| edge.2.contains("d!")).map(|edge| edge.0));
        }
        edges.retain(|(from, _, label)| !label.contains('?') || !ending.contains(from));
        let own = model(&text(urgent, &one.0, &one.1));
        let other = model(&text(urged, &locations, &edges));
        let strict = ask(Relation::Conforms, &own, &other);
        prop_assert_eq!(ask(Relation::ConformsWhenServed, &own, &other), strict);
    }
}

#[test]
fn the_reference_finds_violations_and_forgives() {
    let one = |location: &str, edge: &str| {
        let location = format!("init location l0 {location};");
        model(&text(false, &[location], &[(0, 0, edge.to_owned())]))
    };
    let free = one("", "a?");
    assert!(violated(&free, &one("invariant x <= 1", "b!")));
    assert!(!violated(&free, &one("invariant x <= 1", "a?")));
    assert!(!violated(&free, &one("invariant x < 1", "a?")));
    assert!(violated(&free, &one("invariant x <= 1", "a? when x < 1")));
    assert!(violated(&one("", "b!"), &one("", "a?")));
}

/// Whether time stops for the implementation where it does not for the specification, if it conforms.
fn stops(implementation: &Model, specification: &Model) -> Option<bool> {
    let limits = Limits { visited: Some(2000), ..Limits::default() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    let relation = Relation::ConformsWhenServed;
    let decided = decide(implementation, specification, relation, &options, &mut |_| ()).unwrap();
    (decided.answer == RelationAnswer::Holds).then_some(decided.stops)
}

/// Coarse zones have points at which only the time of the implementation stops, and which no run reaches.
#[test]
fn time_stops_only_where_a_run_gets_to() {
    let own = |invariant: &str| {
        model(&format!(
            "output done; automaton P {{ clock x; init location l {invariant}; location m;
             l -> m : done! when x < 3; }}"
        ))
    };
    let stops = |one: &str, other: &str| stops(&own(one), &own(other));
    assert_eq!(stops("invariant x <= 5", "invariant x <= 5"), Some(false));
    assert_eq!(stops("invariant x <= 4", "invariant x <= 5"), Some(true));
    assert_eq!(stops("invariant x <= 4", ""), Some(true));
    assert_eq!(stops("invariant x < 5", "invariant x <= 5"), Some(false));
}

proptest! {
    #[test]
    fn no_model_stops_time_where_it_does_not_itself(
        (locations, edges) in specification(),
        urgent in prop::bool::weighted(0.3),
    ) {
        let own = model(&text(urgent, &locations, &edges));
        prop_assert_ne!(stops(&own, &own), Some(true));
    }
}
