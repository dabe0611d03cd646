//! The zone graph against the reference semantics, and against known sizes.

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;
use tioga_base::{Rational, Span};
use tioga_concrete::{Semantics, State};
use tioga_explore::{Order, SearchOptions, Stop};
use tioga_model::{
    Condition, Conjunct, Expr, Kind, LocationId, Model, Network, Predicate, ProcessId,
};
use tioga_parse::{Format, Options};
use tioga_symbolic::{Abstraction, Reach, ReachAnswer, Survey, ZoneGraph, missing};
use tioga_testkit::{example_files, lower, model_in, network_in, shared_models};

use crate::support::{ABSTRACTIONS, locations, networks, run};

fn options(order: Order, threads: usize) -> SearchOptions {
    SearchOptions { order, threads, ..SearchOptions::default() }
}

#[test]
fn sizes_are_those_of_the_literature() {
    for path in shared_models("tck") {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        // Visited and stored, as TChecker reports them for breadth-first search with inclusion.
        let expected = match name.as_str() {
            "fischer_5" => (977, 727),
            "csmacd_5" => (850, 850),
            "train_gate_4" => (12000, 12000),
            "leader-election_3" => (154, 154),
            _ => continue,
        };
        let text = std::fs::read_to_string(&path).unwrap();
        let model = model_in(Format::Tchecker, &text);
        let graph = ZoneGraph::new(&model, Abstraction::LuPlus, &[]).unwrap();
        for threads in [1, 2] {
            let reach =
                Reach::ask(&graph, None, &options(Order::BreadthFirst, threads), &mut |_| {});
            let statistics = reach.outcome.statistics;
            assert_eq!((statistics.visited, statistics.stored), expected, "{name}");
        }
    }
}

/// Locations reached by the reference semantics in steps of half a unit, among so many states.
fn sampled(model: &Model, states: usize) -> BTreeSet<(ProcessId, LocationId)> {
    let mut found = BTreeSet::new();
    for state in explored(model, states) {
        found.extend(model.processes.ids().map(|p| (p, state.discrete.location(p))));
    }
    found
}

/// States reached by the reference semantics in steps of half a unit, at most so many.
fn explored(model: &Model, states: usize) -> BTreeSet<State> {
    let half = Rational::new(1, 2).unwrap();
    let cap = Rational::integer(60);
    let mut semantics = Semantics::new(model);
    let Ok(initial) = semantics.initial() else { return BTreeSet::new() };
    let mut seen: BTreeSet<State> = BTreeSet::from([initial.clone()]);
    let mut waiting = VecDeque::from([initial]);
    while let Some(state) = waiting.pop_front() {
        let offers = semantics.options(&state).unwrap();
        let mut next: Vec<State> =
            offers.now().map(|step| semantics.step(&state, step).unwrap()).collect();
        next.extend(semantics.delay(&state, half).unwrap().ok());
        for mut state in next {
            for clock in &mut state.clocks {
                *clock = (*clock).min(cap);
            }
            if seen.len() < states && seen.insert(state.clone()) {
                waiting.push_back(state);
            }
        }
    }
    seen
}

/// Whether a deadlock is found, checked like the locations.
fn check_deadlock(name: &str, model: &Model, states: usize) {
    let predicate = Predicate::Deadlock;
    let graph = ZoneGraph::new(model, Abstraction::LuPlus, &[&predicate]).unwrap();
    let goal = Some((&predicate, Span::default()));
    let mut limited = options(Order::BreadthFirst, 1);
    limited.limits.visited = Some(20_000);
    let stuck = |state: &State| {
        let offers = Semantics::new(model).options(state).unwrap();
        offers.ending().is_some()
    };
    match Reach::ask(&graph, goal, &limited, &mut |_| {}).answer {
        ReachAnswer::Reachable(steps) => assert!(stuck(&run(model, &steps)), "{name}: no deadlock"),
        ReachAnswer::Unreachable => {
            let found = explored(model, states).into_iter().find(stuck);
            assert!(found.is_none(), "{name}: a deadlock was missed: {found:?}");
        }
        ReachAnswer::Unknown(reason) => panic!("{name}: {reason}"),
    }
}

/// Checks every location of a model: a witness runs, and what is unreachable is never sampled.
fn check(name: &str, mut network: Network, states: usize) {
    let conditions = locations(&mut network);
    let model = network.validate().unwrap();
    check_deadlock(name, &model, states);
    let sampled = sampled(&model, states);
    let mut reached: Vec<BTreeSet<(ProcessId, LocationId)>> = Vec::new();
    for abstraction in ABSTRACTIONS {
        let mut found = BTreeSet::new();
        for (process, location, condition) in &conditions {
            let graph = ZoneGraph::new(&model, abstraction, &[condition]).unwrap();
            let goal = Some((condition, Span::default()));
            let order = if abstraction == Abstraction::Lu {
                Order::DepthFirst
            } else {
                Order::BreadthFirst
            };
            let mut limited = options(order, 1);
            limited.limits.visited = Some(20_000);
            let reach = Reach::ask(&graph, goal, &limited, &mut |_| {});
            match reach.answer {
                ReachAnswer::Reachable(steps) => {
                    let end = run(&model, &steps);
                    assert_eq!(end.discrete.location(*process), *location, "{name}");
                    found.insert((*process, *location));
                }
                ReachAnswer::Unreachable => {
                    let sampled = sampled.contains(&(*process, *location));
                    assert!(!sampled, "{name}: {process} {location} with {abstraction:?}");
                }
                ReachAnswer::Unknown(reason) => panic!("{name}: {reason}"),
            }
        }
        reached.push(found);
    }
    assert!(reached.windows(2).all(|pair| pair[0] == pair[1]), "{name}: abstractions disagree");
}

#[test]
fn witnesses_run_on_the_reference_semantics() {
    let mut checked = 0;
    let mut paths = example_files();
    paths.extend(shared_models("uppaal").into_iter().filter(|path| {
        let size = std::fs::metadata(path).unwrap().len();
        size < 2600
    }));
    paths.sort();
    for path in paths {
        let name = path.to_str().unwrap().to_owned();
        let Some(format) = Format::from_file_name(&name) else { continue };
        let network = network_in(format, &std::fs::read_to_string(&path).unwrap());
        // Inputs with many values cannot be enumerated.
        let many = |(min, max): (i64, i64)| max.saturating_sub(min) > 1000;
        let unbounded = network
            .channels
            .iter()
            .any(|channel| channel.parameters.iter().any(|ty| ty.bounds().is_none_or(many)));
        let slow = ["fischer.xml", "vikings", "boolean", "ring"].iter().any(|n| name.contains(n));
        if !unbounded && !slow {
            check(&name, network, 3000);
            checked += 1;
        }
    }
    assert!(checked >= 15, "only {checked} models were checked");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn random_networks_agree_with_the_reference_semantics(text in networks()) {
        let Ok(network) = lower(Format::Xta, &text, &Options::default()) else {
            return Err(TestCaseError::fail(text));
        };
        check(&text, network, 2500);
    }
}

#[test]
fn comparing_clocks_with_each_other_keeps_zones_exact() {
    let text = "clock x, y; process P() { state A, B; init A;
        trans A -> A { guard x >= 1 && x <= 2; assign x = 0; }, A -> B { guard y - x > 3; }; } system P;";
    let mut network = network_in(Format::Xta, text);
    let conditions = locations(&mut network);
    let model = network.validate().unwrap();
    let goal = &conditions[1].2;
    let graph = ZoneGraph::new(&model, Abstraction::LuPlus, &[goal]).unwrap();
    assert_eq!(graph.abstraction(), Abstraction::None);
    let goal = Some((goal, Span::default()));
    let reach = Reach::ask(&graph, goal, &SearchOptions::default(), &mut |_| {});
    let ReachAnswer::Reachable(steps) = reach.answer else { panic!("reachable") };
    assert_eq!(run(&model, &steps).discrete.location(ProcessId(0)), LocationId(1));
    assert!(matches!(reach.outcome.stop, Stop::Found(_)));
}

#[test]
fn a_receiver_stands_aside_exactly_where_its_guard_is_false() {
    let model = |sender: &str| {
        format!(
            "clock x; broadcast chan b;
             process S() {{ state A, B; init A; trans A -> B {{ guard x == {sender}; sync b!; }}; }}
             process R() {{ state C, D; init C; trans C -> D {{ guard x <= 2; sync b?; }}; }}
             process T() {{ state E; init E; }} system S, R, T;"
        )
    };
    for (sender, joins) in [("2", true), ("3", false)] {
        let mut network = network_in(Format::Xta, &model(sender));
        let mut both = |location: u32| {
            let at = |network: &mut Network, process, location| {
                let expr = Expr::At(ProcessId(process), LocationId(location));
                network.code.push(expr, Kind::Bool, Span::default())
            };
            let (sent, received) = (at(&mut network, 0, 1), at(&mut network, 1, location));
            let and = Expr::Binary(tioga_model::BinaryOp::And, sent, received);
            let data = Some(network.code.push(and, Kind::Bool, Span::default()));
            let conjunct = Conjunct { data, clocks: Vec::new() };
            Predicate::Holds(Condition { disjuncts: vec![conjunct] })
        };
        let (aside, joined) = (both(0), both(1));
        let model = network.validate().unwrap();
        for (condition, expected) in [(&aside, !joins), (&joined, joins)] {
            let graph = ZoneGraph::new(&model, Abstraction::LuPlus, &[condition]).unwrap();
            let goal = Some((condition, Span::default()));
            let reach = Reach::ask(&graph, goal, &SearchOptions::default(), &mut |_| {});
            let reachable = matches!(reach.answer, ReachAnswer::Reachable(_));
            assert_eq!(reachable, expected, "sent at {sender}");
        }
    }
}

/// The run to a location of the first process, if it can be reached; all abstractions agree.
fn run_to(text: &str, location: u32) -> Option<Vec<Rational>> {
    let mut network = network_in(Format::Xta, text);
    let conditions = locations(&mut network);
    let model = network.validate().unwrap();
    let goal = &conditions[location as usize].2;
    let runs = ABSTRACTIONS.map(|abstraction| {
        let graph = ZoneGraph::new(&model, abstraction, &[goal]).unwrap();
        let goal = Some((goal, Span::default()));
        match Reach::ask(&graph, goal, &SearchOptions::default(), &mut |_| {}).answer {
            ReachAnswer::Reachable(steps) => {
                let end = run(&model, &steps);
                assert_eq!(end.discrete.location(ProcessId(0)), LocationId(location));
                Some(steps.iter().map(|step| step.delay).collect())
            }
            ReachAnswer::Unreachable => None,
            ReachAnswer::Unknown(reason) => panic!("{abstraction:?}: {reason}"),
        }
    });
    assert!(runs.iter().all(|run: &Option<_>| run.is_some() == runs[0].is_some()), "{runs:?}");
    runs.into_iter().next().unwrap()
}

#[test]
fn time_stands_still_where_a_guard_of_an_urgent_channel_holds() {
    let text = |urgent: &str, other: &str| {
        format!(
            "clock x; urgent broadcast chan u;
             process P() {{ state A, B, C; init A;
               trans A -> B {{ guard {urgent}; sync u!; }}, A -> C {{ guard {other}; }}; }} system P;"
        )
    };
    // At the first moment of the urgent guard both are possible, and later neither.
    assert_eq!(run_to(&text("x >= 2", "x >= 2"), 2), Some([2, 0].map(Rational::integer).into()));
    assert_eq!(run_to(&text("x >= 2", "x > 2"), 2), None);
    assert!(run_to(&text("x >= 2", "x >= 2"), 1).is_some());
    // An urgent guard without a first moment is never reached.
    assert_eq!(run_to(&text("x > 2", "x > 2"), 1), None);
    assert!(run_to(&text("x > 2", "x >= 2"), 2).is_some());
    // What is urgent from the start does not end by waiting.
    assert_eq!(run_to(&text("x <= 1", "x > 1"), 2), None);
}

#[test]
fn abstractions_keep_apart_what_an_urgent_guard_tells_apart() {
    // In B, x is at least 5: the urgent guard holds and y stays zero. With a smaller x it would not.
    let text = |first: &str| {
        format!(
            "clock x, y; urgent chan u;
             process P() {{ state I, A, B, C, D; init I;
               trans I -> A {{ guard {first}; assign y = 0; }}, A -> B {{ assign y = 0; }},
                 B -> C {{ guard x >= 4; sync u!; }}, B -> D {{ guard y >= 1; }}; }}
             process Q() {{ state R; init R; trans R -> R {{ sync u?; }}; }} system P, Q;"
        )
    };
    assert_eq!(run_to(&text("x >= 5"), 4), None);
    assert!(run_to(&text("x < 3"), 4).is_some());
}

#[test]
fn waiting_ends_before_something_urgent() {
    // The strict bounds lead to C with x = 0 and y = 3/4, so the last wait is between 1 and 5/4.
    let text = "clock x, y; urgent broadcast chan u;
        process P() { state A, B, C, D; init A;
          trans A -> B { guard y > 0 && y < 1; assign x = 0; },
            B -> C { guard x > 0 && y < 1; assign x = 0; },
            C -> D { guard x > 1; }, C -> A { guard y >= 2; sync u!; }; } system P;";
    let delays = run_to(text, 3).unwrap();
    assert!(Rational::ONE < delays[2] && delays[2] < Rational::new(5, 4).unwrap(), "{delays:?}");
}

#[test]
fn a_way_between_alternatives_of_an_invariant_must_not_leave_it() {
    let text = |invariant: &str| {
        format!(
            "clock x, y; process P() {{ state A {{ {invariant} }}, B; init A;
               trans A -> A {{ guard y == 1; assign x = 4; }}, A -> B {{ guard x == 5; }}; }} system P;"
        )
    };
    // Waiting leads from one alternative into the other if there is no gap.
    assert!(run_to(&text("x <= 2 || x >= 2"), 1).is_some());
    assert!(run_to(&text("x < 2 || x >= 2"), 1).is_some());
    // Over a gap only the edge leads, which needs y == 1.
    assert_eq!(run_to(&text("x < 2 || x > 2"), 1).unwrap()[0], Rational::ONE);
    assert_eq!(run_to(&text("x < 1 || x > 2"), 1), None);
    assert_eq!(run_to(&text("x <= 2 || x >= 3 && x <= 4"), 1), None);
}

#[test]
fn a_copied_clock_counts_wherever_its_copy_does() {
    let text = |how: &str, value: i64| {
        format!(
            "clock x, y, z; int[0, 1] made; int[-2, 0] n = -2;
             process W() {{ state G, H; init G;
               trans G -> H {{ guard made == 1 && z == {value}; }}; }}
             process P() {{ state I, A, B; init I;
               trans I -> A {{ guard x >= 3; }}, A -> B {{ assign {how}, made = 1; }}; }}
             system W, P;"
        )
    };
    // Another process reads the copy, or a copy of the copy. The last is made smaller by data.
    for (how, least) in [("z = x", 3), ("y = x, z = y", 3), ("z = x + 1", 4), ("z = x + n", 1)] {
        assert!(run_to(&text(how, least), 1).is_some(), "{how}");
        assert_eq!(run_to(&text(how, least - 1), 1), None, "{how}");
    }
}

fn survey(text: &str) -> (Model, Survey) {
    let model = model_in(Format::Xta, text);
    let survey = Survey::of(&model, &SearchOptions::default(), &mut |_| {}).unwrap();
    (model, survey)
}

#[test]
fn a_survey_names_what_is_never_reached() {
    let (model, survey) = survey(
        "clock x; process P() { state A { x <= 3 }, B, C; init A;
           trans A -> B { guard x > 3; }, A -> C { guard x == 3; }, C -> A { guard x < 3; }; } system P;",
    );
    let (locations, edges) = missing(&survey, &model, ProcessId(0));
    assert_eq!(locations, [LocationId(1)]);
    assert_eq!(edges.iter().map(|edge| edge.0).collect::<Vec<_>>(), [0, 2]);
    assert_eq!((survey.timelock, survey.incomplete), (None, None));
}

#[test]
fn a_survey_finds_where_time_stops() {
    let stuck = "clock x; chan a; process P() { state A { x <= 3 }; init A;
        trans A -> A { guard x < 2; sync a!; assign x = 0; }; } system P;";
    let (model, found) = survey(stuck);
    let end = run(&model, &found.timelock.unwrap());
    assert!(end.clocks[0] >= Rational::integer(2));
    // An input does not count: nobody may ever send it.
    let waiting = "clock x; chan a; process P() { state A { x <= 3 }; init A;
        trans A -> A { sync a?; assign x = 0; }; } system P;";
    assert!(survey(waiting).1.timelock.is_some());
    let output = waiting.replace("a?", "a!");
    assert_eq!(survey(&output).1.timelock, None);
}

#[test]
fn a_survey_finds_where_something_urgent_stops_time_for_ever() {
    let text = |invariant: &str| {
        format!(
            "clock x; urgent broadcast chan u; process P() {{ state A, B {{ {invariant} }}; init A;
               trans A -> B {{ guard x >= 2; sync u!; }}; }} system P;"
        )
    };
    assert_eq!(survey(&text("x <= 3 || x >= 2")).1.timelock, None);
    // The guard holds, but the invariant of the target keeps the step from being taken.
    let (model, found) = survey(&text("x <= 1 || x >= 3"));
    assert_eq!(run(&model, &found.timelock.unwrap()).clocks[0], Rational::ZERO);
}

#[test]
fn steps_that_exclude_each_other_by_their_targets_are_deterministic() {
    // The guards overlap, the invariants of the targets do not.
    let text = |invariant: &str| {
        format!(
            "clock x; chan a; process P() {{ state A, B {{ x <= 1 || x >= 3 }}, C {{ {invariant} }};
               init A; trans A -> B {{ sync a?; }}, A -> C {{ guard x >= 1; sync a?; }}; }} system P;"
        )
    };
    assert_eq!(survey(&text("x > 1 && x < 3")).1.nondeterminism, None);
    let (model, found) = survey(&text("x > 2"));
    assert!(run(&model, &found.nondeterminism.unwrap().0).clocks[0] >= Rational::integer(3));
}

#[test]
fn a_survey_finds_reachable_nondeterminism_only() {
    let text = |guard: &str| {
        format!(
            "clock x, y; chan a; process P() {{ state A, B, C; init A;
               trans A -> B {{ guard x >= 2; sync a!; }}, A -> C {{ guard {guard}; sync a!; }}; }}
             system P;"
        )
    };
    let (model, found) = survey(&text("x <= 2"));
    let (way, steps) = found.nondeterminism.unwrap();
    assert_eq!(run(&model, &way).clocks[0], Rational::integer(2));
    assert_ne!(steps[0].participants, steps[1].participants);
    assert_eq!(survey(&text("x < 2")).1.nondeterminism, None);
    // The guards overlap, but never with the values the clocks have together.
    assert_eq!(survey(&text("y < 2")).1.nondeterminism, None);
}
