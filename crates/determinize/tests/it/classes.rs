//! Classes of automata for which the game is known to be won with enough resources (BSJK15): random
//! members, nondeterministic as they come, must have exact views.
//!
//! The theorems are about automata without invariants and silent steps. Both may be added as long as
//! the estimate of clocks stays a point: invariants are guards on the same clocks, and a silent step
//! that resets nothing changes where the model is, and not what its clocks show. (Silent steps that
//! reset clocks make automata strictly more expressive, BPDG98, and no resources suffice in general.)
//!
//! - *Event-recording* (AFH94): one clock for each action and the model's greatest constant suffice.
//!   Each clock of the view is always equal to one of the model.
//! - *Integer resets* (SPKM08): a clock is reset only when some clock is compared by equality, so at
//!   integer times only. One clock and the model's greatest constant suffice: it is reset with every
//!   action at an integer time, and then differs from each clock of the model by an integer. Once it is
//!   beyond the greatest constant, so are all clocks of the model.
//! - *Strongly non-Zeno* (AMPS98): every cycle takes at least one time unit, so that within the
//!   greatest constant only so many resets happen, and a clock for each of these suffices.

use crate::support::compare::{compare, require_abstraction, same_traces};
use crate::support::text;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{TestCaseError, TestRunner};
use tioga_base::Budget;
use tioga_determinize::{Exactness, Resources, determinize};
use tioga_model::{Model, Property, PropertyVerdict, properties};
use tioga_testkit::model;

/// Actions of the interface, the first two with a clock for event-recording automata.
const ACTIONS: [(&str, &str); 3] = [("a?", "x"), ("b!", "y"), ("c!", "")];

/// How many steps a determinization may take.
const EFFORT: u64 = 40_000;

/// A condition on one clock with constants up to `greatest`.
fn bound(clock: &'static str, greatest: u32) -> impl Strategy<Value = String> {
    let constant = 0..=greatest;
    prop_oneof![
        2 => constant.clone().prop_map(move |c| format!("{clock} == {c}")),
        1 => constant.clone().prop_map(move |c| format!("{clock} <= {c}")),
        1 => constant.clone().prop_map(move |c| format!("{clock} >= {c}")),
        1 => constant.clone().prop_map(move |c| format!("{clock} > {c}")),
        1 => (1..=greatest).prop_map(move |c| format!("{clock} < {c}")),
    ]
}

/// A guard on some of the clocks; perhaps none.
fn guard(clocks: &'static [&'static str], greatest: u32) -> impl Strategy<Value = String> {
    let one = prop::sample::select(clocks).prop_flat_map(move |clock| bound(clock, greatest));
    prop::collection::vec(one, 0..=2).prop_map(|bounds| {
        if bounds.is_empty() { String::new() } else { format!("when {}", bounds.join(" && ")) }
    })
}

/// Locations with invariants or without.
fn locations(count: u32, clocks: &'static [&'static str]) -> impl Strategy<Value = String> {
    let invariant = prop_oneof![
        3 => Just(String::new()),
        1 => (prop::sample::select(clocks), 1..=2u32).prop_map(|(clock, c)| {
            format!(" invariant {clock} <= {c}")
        }),
        1 => prop::sample::select(clocks).prop_map(|clock| format!(" invariant {clock} < 1")),
    ];
    prop::collection::vec(invariant, count as usize).prop_map(|invariants| {
        let mut text = String::new();
        for (number, invariant) in invariants.iter().enumerate() {
            let init = if number == 0 { "init " } else { "" };
            text.push_str(&format!("  {init}location l{number}{invariant};\n"));
        }
        text
    })
}

/// Silent steps that lead to later locations and reset nothing.
fn silent(
    count: u32,
    clocks: &'static [&'static str],
    greatest: u32,
) -> impl Strategy<Value = String> {
    let forward = (0..count - 1).prop_flat_map(move |from| (Just(from), from + 1..count));
    let one = (forward, guard(clocks, greatest))
        .prop_map(|((from, to), guard)| format!("  l{from} -> l{to} : tau {guard};\n"));
    prop_oneof![
        1 => Just(String::new()),
        1 => prop::collection::vec(one, 1..=2).prop_map(|edges| edges.concat()),
    ]
}

fn written(clocks: &[&str], parts: &[String]) -> String {
    let clocks = clocks.join(", ");
    format!(
        "input a;\noutput b, c;\ninternal tau;\n\nautomaton A {{\n  clock {clocks};\n{}}}\n",
        parts.concat()
    )
}

/// Each action resets its own clock, and nothing else resets anything.
fn event_recording() -> impl Strategy<Value = String> {
    const CLOCKS: &[&str] = &["x", "y"];
    let count = 3;
    let action = prop::sample::select(&ACTIONS[..2]);
    let edge =
        (0..count, 0..count, action, guard(CLOCKS, 1)).prop_map(|(from, to, action, guard)| {
            format!("  l{from} -> l{to} : {} {guard} do {} = 0;\n", action.0, action.1)
        });
    let edges = prop::collection::vec(edge, 3..=6).prop_map(|edges| edges.concat());
    (locations(count, CLOCKS), edges, silent(count, CLOCKS, 1))
        .prop_map(|(locations, edges, silent)| written(CLOCKS, &[locations, edges, silent]))
}

/// Edges that reset a clock compare some clock by equality.
fn integer_reset() -> impl Strategy<Value = String> {
    const CLOCKS: &[&str] = &["x", "y"];
    let count = 3;
    let reset =
        (prop::sample::select(CLOCKS), 0..=2u32, 1..=3usize).prop_map(|(clock, c, which)| {
            let resets = ["x = 0", "y = 0", "x = 0, y = 0"][which - 1];
            format!("when {clock} == {c} do {resets}")
        });
    let label = prop_oneof![2 => reset, 1 => guard(CLOCKS, 2)];
    let action = prop::sample::select(&ACTIONS[..]);
    let edge = (0..count, 0..count, action, label).prop_map(|(from, to, action, label)| {
        format!("  l{from} -> l{to} : {} {label};\n", action.0)
    });
    let edges = prop::collection::vec(edge, 3..=7).prop_map(|edges| edges.concat());
    (locations(count, CLOCKS), edges, silent(count, CLOCKS, 2))
        .prop_map(|(locations, edges, silent)| written(CLOCKS, &[locations, edges, silent]))
}

/// Edges that do not lead to later locations reset `x` after at least one time unit, so every cycle
/// takes that long. Others reset nothing, so that within two time units, ends included, clocks are
/// reset three times at most.
fn strongly_non_zeno() -> impl Strategy<Value = String> {
    const CLOCKS: &[&str] = &["x", "y"];
    let count = 3;
    let action = || prop::sample::select(&ACTIONS[..]);
    let forward = (0..count - 1).prop_flat_map(move |from| (Just(from), from + 1..count));
    let forward = (forward, action(), guard(CLOCKS, 1)).prop_map(|((from, to), action, guard)| {
        format!("  l{from} -> l{to} : {} {guard};\n", action.0)
    });
    let back = (0..count).prop_flat_map(move |from| (Just(from), 0..=from));
    let least = prop_oneof![Just("x >= 1"), Just("x == 1"), Just("x > 1")];
    let reset = prop_oneof![2 => Just("x = 0"), 1 => Just("x = 0, y = 0")];
    let back = (back, action(), least, reset).prop_map(|((from, to), action, least, reset)| {
        format!("  l{from} -> l{to} : {} when {least} do {reset};\n", action.0)
    });
    let forward = prop::collection::vec(forward, 1..=4).prop_map(|edges| edges.concat());
    let back = prop::collection::vec(back, 1..=3).prop_map(|edges| edges.concat());
    (locations(count, CLOCKS), forward, back, silent(count, CLOCKS, 1)).prop_map(
        |(locations, forward, back, silent)| written(CLOCKS, &[locations, forward, back, silent]),
    )
}

/// Whether the text shows that the model is in the class.
fn is(model: &Model, property: Property) -> bool {
    properties(model)
        .iter()
        .any(|report| report.property == property && report.verdict == PropertyVerdict::Holds)
}

fn require_exact(
    text_of_model: &str,
    class: Property,
    resources: Resources,
    runs: &[Vec<u8>],
) -> Result<(), TestCaseError> {
    let specification = model(text_of_model);
    prop_assert!(is(&specification, class) || text_of_model.contains(": tau"), "{}", class);
    let mut budget = Budget::steps(EFFORT);
    let result = determinize(&specification, resources, &mut budget).unwrap();
    if let Exactness::Approximate { exhausted: true, .. } = result.exactness {
        return Ok(()); // The theorems do not say how much work it takes.
    }
    prop_assert!(
        matches!(result.exactness, Exactness::Exact | Exactness::Unchanged),
        "{:?}\n{}",
        result.exactness,
        text(&result.network)
    );
    let view = require_abstraction(&specification, result.network)?;
    same_traces(&specification, &view, 2)?;
    for choices in runs {
        compare(&specification, &view, true, choices)?;
    }
    Ok(())
}

fn runs() -> impl Strategy<Value = Vec<Vec<u8>>> {
    prop::collection::vec(prop::collection::vec(any::<u8>(), 14), 6)
}

#[test]
fn generated_members_are_often_nondeterministic() {
    let sample = |members: &dyn Fn(&mut TestRunner) -> String| {
        let mut runner = TestRunner::deterministic();
        let all = (0..60).map(|_| model(&members(&mut runner)));
        all.filter(|model| !is(model, Property::Deterministic)).count()
    };
    let counts = [
        sample(&|runner| event_recording().new_tree(runner).unwrap().current()),
        sample(&|runner| integer_reset().new_tree(runner).unwrap().current()),
        sample(&|runner| strongly_non_zeno().new_tree(runner).unwrap().current()),
    ];
    assert!(counts.iter().all(|count| *count >= 20), "{counts:?}");
}

#[test]
fn most_members_are_decided_within_the_effort() {
    // What is cut short is left out below, so this must be rare.
    let decided = |members: &dyn Fn(&mut TestRunner) -> String, clocks| {
        let mut runner = TestRunner::deterministic();
        let all = (0..60).map(|_| model(&members(&mut runner)));
        let whole = all.filter(|model| {
            let resources = Resources { clocks, max_constant: 2 };
            let result = determinize(model, resources, &mut Budget::steps(EFFORT)).unwrap();
            !result.exactness.is_cut_short()
        });
        whole.count()
    };
    let counts = [
        decided(&|runner| event_recording().new_tree(runner).unwrap().current(), 2),
        decided(&|runner| integer_reset().new_tree(runner).unwrap().current(), 1),
        decided(&|runner| strongly_non_zeno().new_tree(runner).unwrap().current(), 3),
    ];
    assert!(counts.iter().all(|count| *count >= 45), "{counts:?} of 60");
}

/// What a game loses that was opened on demand only, for lack of a budget, is not final, and says so.
#[test]
fn a_budget_that_ends_the_whole_game_is_noted() {
    let text = "input a; output b, c; internal tau;
        automaton A {
          clock x, y;
          init location l0 invariant y < 1;
          location l1;
          location l2;
          l0 -> l1 : a?;
          l1 -> l2 : a?;
          l0 -> l1 : b! when x == 0;
          l2 -> l0 : a? when x > 1 do x = 0, y = 0;
          l1 -> l2 : tau when x == 1;
        }";
    let resources = Resources { clocks: 3, max_constant: 2 };
    let exactness = |steps: u64| {
        determinize(&model(text), resources, &mut Budget::steps(steps)).unwrap().exactness
    };
    let small = exactness(EFFORT);
    assert!(matches!(small, Exactness::Approximate { exhausted: true, .. }), "{small:?}");
    assert_eq!(exactness(400_000), Exactness::Exact);
}

#[test]
fn fewer_resources_do_not_always_suffice() {
    // So it is not by chance that those of the theorems do.
    let mut runner = TestRunner::deterministic();
    let exact = |text: &str, clocks, max_constant| {
        let resources = Resources { clocks, max_constant };
        let result = determinize(&model(text), resources, &mut Budget::steps(100_000)).unwrap();
        result.exactness.is_exact()
    };
    let (mut less_time, mut fewer_clocks) = (0, 0);
    for _ in 0..40 {
        let text = integer_reset().new_tree(&mut runner).unwrap().current();
        less_time += usize::from(!exact(&text, 1, 1));
        let text = strongly_non_zeno().new_tree(&mut runner).unwrap().current();
        fewer_clocks += usize::from(!exact(&text, 1, 2));
    }
    assert!(less_time > 0 && fewer_clocks > 0, "{less_time}, {fewer_clocks}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn event_recording_automata_are_exact_with_a_clock_for_each_action(
        text_of_model in event_recording(),
        runs in runs(),
    ) {
        let resources = Resources { clocks: 2, max_constant: 2 };
        require_exact(&text_of_model, Property::EventRecording, resources, &runs)?;
    }

    #[test]
    fn integer_reset_automata_are_exact_with_one_clock(
        text_of_model in integer_reset(),
        runs in runs(),
    ) {
        let resources = Resources { clocks: 1, max_constant: 2 };
        require_exact(&text_of_model, Property::IntegerReset, resources, &runs)?;
    }

    #[test]
    fn strongly_non_zeno_automata_are_exact_with_a_clock_for_each_reset_in_reach(
        text_of_model in strongly_non_zeno(),
        runs in runs(),
    ) {
        let resources = Resources { clocks: 3, max_constant: 2 };
        require_exact(&text_of_model, Property::StronglyNonZeno, resources, &runs)?;
    }
}
