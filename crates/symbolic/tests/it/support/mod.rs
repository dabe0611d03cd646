//! What the tests of the zone graph share: random networks, and runs on the
//! reference semantics.

pub mod ticking;

use proptest::prelude::*;
use tioga_base::Span;
use tioga_concrete::{Semantics, State};
use tioga_model::{
    Condition, Conjunct, Expr, Kind, LocationId, Model, Network, Predicate, ProcessId,
};
use tioga_symbolic::{Abstraction, TimedStep};

/// All abstractions with which exploration ends.
pub const ABSTRACTIONS: [Abstraction; 5] =
    [Abstraction::M, Abstraction::MPlus, Abstraction::Lu, Abstraction::LuPlus, Abstraction::Alu];

/// A condition for each location of each process, with its name.
pub fn locations(network: &mut Network) -> Vec<(ProcessId, LocationId, Predicate)> {
    let mut conditions = Vec::new();
    let ids: Vec<(ProcessId, LocationId)> = network
        .processes
        .iter_ids()
        .flat_map(|(p, process)| process.locations.ids().map(move |l| (p, l)))
        .collect();
    for (process, location) in ids {
        let at = network.code.push(Expr::At(process, location), Kind::Bool, Span::default());
        let conjunct = Conjunct { data: Some(at), clocks: Vec::new() };
        let condition = Condition { disjuncts: vec![conjunct] };
        conditions.push((process, location, Predicate::Holds(condition)));
    }
    conditions
}

/// Runs the steps on the reference semantics and returns where they end.
pub fn run(model: &Model, steps: &[TimedStep]) -> State {
    let mut semantics = Semantics::new(model);
    let mut state = semantics.initial().unwrap();
    for TimedStep { delay, step } in steps {
        state = semantics.delay(&state, *delay).unwrap().expect("the delay is allowed");
        if let Some(step) = step {
            let possible = semantics.options(&state).unwrap();
            assert!(possible.now().any(|offer| offer == step), "{step:?} is not possible");
            state = semantics.step(&state, step).unwrap();
        }
    }
    state
}

/// A guard, invariant or nothing.
fn constraint() -> impl Strategy<Value = String> {
    let op = prop_oneof![Just("<"), Just("<="), Just("=="), Just(">="), Just(">")];
    let clock = prop_oneof![Just("x"), Just("y")];
    (clock, op, 0..4i64).prop_map(|(clock, op, constant)| format!("{clock} {op} {constant}"))
}

/// A comparison, or seldom a disjunction of two.
fn clause() -> impl Strategy<Value = String> {
    let either = (constraint(), constraint()).prop_map(|(a, b)| format!("({a} || {b})"));
    prop_oneof![6 => constraint(), 1 => either]
}

fn edge() -> impl Strategy<Value = String> {
    let guard = prop::collection::vec(clause(), 0..3);
    let sync = prop_oneof![
        Just(""),
        Just("a!"),
        Just("a?"),
        Just("b!"),
        Just("b?"),
        Just("u!"),
        Just("u?"),
        Just("w!"),
        Just("w?"),
    ];
    let update = prop::sample::subsequence(
        vec![
            "x = 0",
            "y = x",
            "y = 0",
            "y = 1",
            "x = n == 1 ? 0 : x",
            "y = n == 0 ? 2 : y",
            "x = y + 1",
            "n = 1 - n",
            "y = n == 0 ? y : 1",
        ],
        0..3,
    );
    let data = prop_oneof![3 => Just(""), 1 => Just("n == 0"), 1 => Just("n == 1")];
    (0..3usize, 0..3usize, guard, sync, update, data).prop_map(
        |(from, to, mut guard, sync, update, data)| {
            if !data.is_empty() {
                guard.push(data.to_owned());
            }
            let mut text = format!("L{from} -> L{to} {{ ");
            if !guard.is_empty() {
                text += &format!("guard {}; ", guard.join(" && "));
            }
            if !sync.is_empty() {
                text += &format!("sync {sync}; ");
            }
            if !update.is_empty() {
                text += &format!("assign {}; ", update.join(", "));
            }
            text + "}"
        },
    )
}

/// Invariants of the locations: nothing, one bound, or a disjunction.
fn invariants() -> impl Strategy<Value = Vec<String>> {
    let conjunction = prop::collection::vec(constraint(), 1..3).prop_map(|all| all.join(" && "));
    let either = prop::collection::vec(conjunction, 2..4).prop_map(|all| all.join(" || "));
    let bound = (1..4i64).prop_map(|constant| format!("x <= {constant}"));
    let invariant = prop_oneof![6 => Just(String::new()), 4 => bound, 3 => either];
    prop::collection::vec(invariant, 3).prop_map(|mut all| {
        // A run has to be able to start.
        if all[0].contains("||") {
            all[0] += " || x <= 1";
        }
        all
    })
}

fn automaton(name: &'static str) -> impl Strategy<Value = String> {
    let kinds = prop_oneof![4 => Just(""), 1 => Just("commit L2; "), 1 => Just("urgent L1; ")];
    (invariants(), prop::collection::vec(edge(), 1..6), kinds).prop_map(
        move |(invariants, edges, kinds)| {
            let state = |(index, invariant): (usize, &String)| match invariant.as_str() {
                "" => format!("L{index}"),
                invariant => format!("L{index} {{ {invariant} }}"),
            };
            let states: Vec<String> = invariants.iter().enumerate().map(state).collect();
            format!(
                "process {name}() {{ state {}; {kinds}init L0; trans {}; }}",
                states.join(", "),
                edges.join(", ")
            )
        },
    )
}

/// Two random processes that share clocks, data and channels.
pub fn networks() -> impl Strategy<Value = String> {
    (automaton("P"), automaton("Q")).prop_map(|(p, q)| {
        format!(
            "clock x, y; int[0,1] n; chan a; broadcast chan b; urgent chan u; urgent broadcast chan w; {p} {q} system P, Q;"
        )
    })
}
