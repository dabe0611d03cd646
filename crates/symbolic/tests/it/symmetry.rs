//! Exploring up to symmetry, against exploring everything, on random networks over a scalar set.
//!
//! Some of them tell values apart, in all the ways there are: then there is no symmetry, and if it is not
//! noticed, the answers differ.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tioga_base::Span;
use tioga_explore::SearchOptions;
use tioga_model::{DiscreteState, Formula, Model, Permutation, Predicate, Symmetry};
use tioga_parse::{Format, Options, lower, parse};
use tioga_symbolic::{Abstraction, Reach, ReachAnswer, ZoneGraph, satisfying};

use crate::support::run;

/// Guards, updates and synchronisations of a process `P(const S me)`. The last ones tell values apart.
const GUARDS: [&str; 17] = [
    "h == me",
    "h != me",
    "b[me]",
    "!b[me]",
    "x <= 1",
    "x >= 1",
    "x < 2",
    "own == me",
    "own != h",
    "exists (i : S) b[i]",
    "forall (i : S) !b[i] || i == me",
    "(sum (i : S) (b[i] ? 1 : 0)) < 2",
    "g[me] >= 1",
    "g[h] < 2",
    "n < 2",
    "w[me] == 1",
    "b[0]",
];
const UPDATES: [&str; 14] = [
    "h = me",
    "b[me] = true",
    "b[h] = !b[h]",
    "x = 0",
    "own = h",
    "h = own",
    "v = 1 - v",
    "n = n < 2 ? n + 1 : 0",
    "g[me] = 0",
    "next[me] = h",
    "h = next[me]",
    "h = s",
    "first()",
    "b[1] = true",
];
const FIRST: &str = "void first() { for (i : S) if (b[i]) h = i; }";
const SYNCS: [&str; 9] = ["", "", "a[me]!", "a[me]?", "a[h]!", "c!", "c?", "d!", "d?"];
const QUERIES: [&str; 10] = [
    "exists (i : S) P(i).L2",
    "exists (i : S) P(i).L1 && h == i",
    "exists (i : S) P(i).L2 && P(i).x > 1",
    "exists (i : S) exists (j : S) i != j && P(i).L1 && P(j).L2 && P(i).own == j",
    "forall (i : S) b[i]",
    "exists (i : S) g[i] > 1 && P(i).L1",
    "n == 2 && Q.M1",
    "deadlock",
    "P(0).L1 && P(1).L2",
    "exists (i : S) P(i).L1 && b[1]",
];

fn edge() -> impl Strategy<Value = String> {
    let guards = prop::sample::subsequence(GUARDS.to_vec(), 0..3);
    let updates = prop::sample::subsequence(UPDATES.to_vec(), 0..4);
    (0..3usize, 0..3usize, guards, prop::sample::select(SYNCS.to_vec()), updates).prop_map(
        |(from, to, guards, sync, updates)| {
            let mut text = format!("L{from} -> L{to} {{ ");
            if updates.contains(&"h = s") {
                text += "select s : S; ";
            }
            if !guards.is_empty() {
                text += &format!("guard {}; ", guards.join(" && "));
            }
            if !sync.is_empty() {
                text += &format!("sync {sync}; ");
            }
            if !updates.is_empty() {
                text += &format!("assign {}; ", updates.join(", "));
            }
            text + "}"
        },
    )
}

fn networks() -> impl Strategy<Value = String> {
    let other = prop::sample::subsequence(
        vec![
            "M0 -> M1 { sync d?; }",
            "M1 -> M0 { sync d!; }",
            "M0 -> M1 { sync c?; assign n = n < 2 ? n + 1 : 0; }",
            "M0 -> M0 { select s : S; sync a[s]!; assign h = s; }",
            "M1 -> M0 { guard exists (i : S) b[i]; sync c!; }",
        ],
        1..4,
    );
    let weights = prop_oneof![4 => Just("1, 1, 1"), 1 => Just("1, 2, 1")];
    let edges = prop::collection::vec(edge(), 2..7);
    let query = prop::sample::select(QUERIES.to_vec());
    (edges, other, weights, any::<bool>(), query).prop_map(|(edges, other, weights, bound, query)| {
        let bound = if bound { " { x <= 2 }" } else { "" };
            let edges = edges.join(", ");
            let first = if edges.contains("first()") { FIRST } else { "" };
        format!(
            "typedef scalar[3] S; S h; S next[S]; bool b[S]; int[0,2] n; clock g[S]; chan a[S], d; \
             broadcast chan c; const int w[S] = {{ {weights} }}; \
             {first} process P(const S me) {{ clock x; int[0,1] v; S own; state L0, L1{bound}, L2; init L0; \
             trans {edges}; }} \
             process Q() {{ state M0, M1; init M0; trans {}; }} system P, Q; query {{ E<> {query} }}",
            other.join(", ")
        )
    })
}

/// The model of a closed UPPAAL text.
fn closed(text: &str) -> Model {
    let mut diagnostics = tioga_base::Diagnostics::new();
    let mut sources = tioga_base::Sources::new();
    let file = sources.add("drawn.xta", text);
    let document = parse(Format::Xta, file, text, &mut diagnostics).unwrap();
    let options = Options { closed: true, ..Options::default() };
    let network = lower(&document, &options, &mut diagnostics);
    network.unwrap_or_else(|| panic!("{diagnostics:?} in {text}")).validate().unwrap()
}

/// The discrete states of a search.
fn states(reach: &Reach<'_, '_>, initial: &DiscreteState) -> BTreeSet<DiscreteState> {
    let unpacked = reach.outcome.store.stored().map(|(_, key, _)| {
        let mut state = initial.clone();
        reach.graph.codec().unpack(key, &mut state);
        state
    });
    unpacked.collect()
}

/// All states that arise by exchanging values; the least stands for them.
fn least(model: &Model, symmetry: &Symmetry, state: &DiscreteState) -> DiscreteState {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let exchanged = orders.iter().map(|order| {
        let permutation = Permutation::new(model, symmetry, vec![order.to_vec()]);
        permutation.state(symmetry, state)
    });
    exchanged.min().unwrap()
}

fn check(text: &str) -> bool {
    let model = closed(text);
    let query = &model.queries[0];
    let Formula::Reachable(goal) = &query.formula else { panic!("{query:?}") };
    let options = SearchOptions::default();
    let asked = |abstraction, symmetric: bool, goal: Option<&Predicate>| {
        let asked: Vec<&Predicate> = goal.into_iter().collect();
        let graph = ZoneGraph::new(&model, abstraction, &asked).unwrap();
        if symmetric { graph.up_to_symmetry() } else { graph }
    };
    let Some(symmetry) = Symmetry::of(&model) else { return false };
    for abstraction in [Abstraction::LuPlus, Abstraction::M, Abstraction::Alu] {
        let (plain, reduced) = (asked(abstraction, false, None), asked(abstraction, true, None));
        let plain = Reach::ask(&plain, None, &options, &mut |_| {});
        let reduced = Reach::ask(&reduced, None, &options, &mut |_| {});
        assert!(reduced.graph.is_reduced());
        let initial = tioga_model::Composer::new(&model).initial();
        let orbits = |found: BTreeSet<DiscreteState>| -> BTreeSet<DiscreteState> {
            found.iter().map(|state| least(&model, &symmetry, state)).collect()
        };
        assert_eq!(orbits(states(&plain, &initial)), orbits(states(&reduced, &initial)), "{text}");
        if !query.symmetric {
            continue;
        }
        let goals = Some((goal, Span::default()));
        let plain = asked(abstraction, false, Some(goal));
        let reduced = asked(abstraction, true, Some(goal));
        let plain = Reach::ask(&plain, goals, &options, &mut |_| {});
        let reduced = Reach::ask(&reduced, goals, &options, &mut |_| {});
        match (&plain.answer, &reduced.answer) {
            (ReachAnswer::Reachable(_), ReachAnswer::Reachable(steps)) => {
                let end = run(&model, steps);
                let mut composer = tioga_model::Composer::new(&model);
                let holding =
                    satisfying(plain.graph, &mut composer, &end.discrete, goal, Span::default());
                let point: Vec<i64> = end
                    .clocks
                    .iter()
                    .map(|clock| clock.numerator() * (1000 / clock.denominator()))
                    .collect();
                if end.clocks.iter().all(|clock| 1000 % clock.denominator() == 0) {
                    let point = tioga_zones::Point::new(&point, 1000);
                    assert!(holding.unwrap().contains(&point), "the run misses its goal in {text}");
                }
            }
            (ReachAnswer::Unreachable, ReachAnswer::Unreachable) => {}
            (plain, reduced) => panic!("{plain:?} is not {reduced:?} in {text}"),
        }
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn answers_are_the_same_up_to_symmetry(text in networks()) {
        check(&text);
    }
}

#[test]
fn values_are_told_apart_by_literals_loops_constants_and_the_order_of_receivers() {
    let model = |edge: &str| {
        let declared = match edge {
            "assign first();" => FIRST,
            "guard w[me] == 1;" => "const int w[S] = { 1, 2, 1 };",
            _ => "",
        };
        format!(
            "typedef scalar[3] S; S h; bool b[S]; bool p[3]; broadcast chan c; \
             {declared} process P(const S me) {{ clock x; S own; state L0, L1; init L0; trans L0 -> L1 {{ {edge} }}; }} \
             process Q() {{ state M; init M; trans M -> M {{ sync c!; }}; }} system P, Q; \
             query {{ E<> exists (i : S) P(i).L1 }}"
        )
    };
    for alike in ["guard h == me; assign b[me] = true;", "sync c?; assign own = me, x = 0;"] {
        assert!(check(&model(alike)), "{alike}");
    }
    let told = [
        "guard b[0];",
        "guard p[me];",
        "assign first();",
        "guard w[me] == 1;",
        "sync c?; assign h = me;",
    ];
    for told in told {
        assert!(!check(&model(told)), "{told}");
    }
    // Naming a process tells it from others, in a query only for this query.
    let named = model("").replace("exists (i : S) P(i).L1", "P(1).L1");
    assert!(!closed(&named).queries[0].symmetric);
    assert!(closed(&model("")).queries[0].symmetric);
}

#[test]
fn few_states_stand_for_many() {
    let fischer = |size: u32| {
        format!(
            "typedef scalar[{size}] S; S id; bool taken; \
             process P(const S me) {{ clock x; state A, Req {{ x <= 2 }}, Wait, Cs; init A; trans \
             A -> Req {{ guard !taken; assign x = 0; }}, Req -> Wait {{ assign x = 0, id = me, taken = true; }}, \
             Wait -> Req {{ guard !taken; assign x = 0; }}, Wait -> Cs {{ guard x > 2 && taken && id == me; }}, \
             Cs -> A {{ assign taken = false; }}; }} system P; query {{ E<> exists (i : S) P(i).Cs }}"
        )
    };
    let visited = |size: u32, symmetric: bool| {
        let model = closed(&fischer(size));
        let graph = ZoneGraph::new(&model, Abstraction::LuPlus, &[]).unwrap();
        let graph = if symmetric { graph.up_to_symmetry() } else { graph };
        Reach::ask(&graph, None, &SearchOptions::default(), &mut |_| {}).outcome.statistics.visited
    };
    assert_eq!((visited(3, true), visited(3, false)), (23, 99));
    assert_eq!((visited(5, true), visited(5, false)), (57, 1545));
    assert_eq!(visited(10, true), 212);
}
