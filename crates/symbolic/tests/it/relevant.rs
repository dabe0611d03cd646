//! The part of a model that decides a question answers it as the model does.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use tioga_base::Span;
use tioga_explore::SearchOptions;
use tioga_model::{Model, Network, Predicate, RelevantPart};
use tioga_parse::{Format, Options};
use tioga_symbolic::{
    Abstraction, Maximal, MaximalAnswer, MaximalQuestion, Reach, ReachAnswer, ZoneGraph,
};
use tioga_testkit::lower;

use crate::liveness::{Alternatives, alternatives, holds, predicate};
use crate::support::ticking::Regions;

/// A network in which a channel without partner is no action of the environment.
fn closed(text: &str) -> Network {
    lower(Format::Xta, text, &Options { closed: true, ..Options::default() }).unwrap()
}

fn part(model: &Model, predicates: &[&Predicate], runs: bool) -> Option<RelevantPart> {
    let conditions: Vec<_> = predicates.iter().flat_map(|one| one.conditions()).collect();
    model.relevant_to(&conditions, runs)
}

fn is_reachable(model: &Model, predicate: &Predicate, abstraction: Abstraction) -> bool {
    let graph = ZoneGraph::for_reach(model, abstraction, &[predicate]).unwrap();
    let goal = Some((predicate, Span::default()));
    match Reach::ask(&graph, goal, &SearchOptions::default(), &mut |_| {}).answer {
        ReachAnswer::Reachable(_) => true,
        ReachAnswer::Unreachable => false,
        ReachAnswer::Unknown(reason) => panic!("{reason}"),
    }
}

fn has_run(model: &Model, question: MaximalQuestion<'_>) -> bool {
    let found = Maximal::ask(model, question, &SearchOptions::default(), &mut |_| {}).unwrap();
    match found.answer {
        MaximalAnswer::Found(_) => true,
        MaximalAnswer::None => false,
        MaximalAnswer::Unknown(reason) => panic!("{reason}"),
    }
}

/// A process with a clock of its own that others do not read.
fn automaton(name: &'static str, clock: &'static str) -> impl Strategy<Value = String> {
    let invariant = prop_oneof![
        3 => Just(String::new()),
        6 => (0..4i64).prop_map(move |most| format!("{{ {clock} <= {most} }}")),
        1 => Just(format!("{{ {clock} < 2 }}")),
        1 => Just(format!("{{ {clock} >= 1 || {clock} <= 1 }}")),
    ];
    let time = prop_oneof![
        3 => Just(String::new()),
        5 => (0..4i64).prop_map(move |least| format!("{clock} >= {least}")),
        1 => (0..4i64).prop_map(move |most| format!("{clock} <= {most}")),
        1 => (0..3i64).prop_map(move |at| format!("{clock} == {at}")),
    ];
    let data = prop_oneof![8 => Just(""), 1 => Just("n == 0"), 1 => Just("n != 0"), 1 => Just("m == 1"), 1 => Just("i < 2")];
    let sync = prop_oneof![
        20 => Just(""), 2 => Just("b!"), 2 => Just("b?"), 2 => Just("c!"), 2 => Just("c?"),
        1 => Just("a!"), 1 => Just("a?"), 1 => Just("w!"),
    ];
    let other = prop_oneof![
        8 => Just(""), 1 => Just("n = 1 - n"), 1 => Just("m = 0"), 1 => Just("m = 1"), 1 => Just("i++"),
        1 => Just("i--"), 1 => Just("j++"), 1 => Just("j--"),
    ];
    // Each location has an edge to the next one, so that many processes can go on.
    let round = (0..3i64, prop::bool::weighted(0.9), other.clone()).prop_map(
        move |(least, reset, other)| {
            let reset = if reset { format!("assign {clock} = 0; ") } else { String::new() };
            let other = if other.is_empty() { String::new() } else { format!("assign {other}; ") };
            format!(
                "{{ guard {clock} >= {least}; {}}}",
                if reset.is_empty() { other } else { reset }
            )
        },
    );
    let reset = prop_oneof![
        2 => Just(String::new()),
        6 => Just(format!("{clock} = 0")),
        1 => Just(format!("{clock} = m == 0 ? 0 : {clock}")),
        1 => Just(format!("{clock} = n == 1 ? 1 : {clock}")),
    ];
    let edge = (0..3usize, 0..3usize, time, data, sync, reset, other).prop_map(
        move |(from, to, time, data, sync, reset, other)| {
            let guard: Vec<&str> =
                [time.as_str(), data].into_iter().filter(|one| !one.is_empty()).collect();
            let assign: Vec<&str> =
                [reset.as_str(), other].into_iter().filter(|one| !one.is_empty()).collect();
            let part = |word: &str, parts: String| match parts.as_str() {
                "" => String::new(),
                parts => format!("{word} {parts}; "),
            };
            format!(
                "L{from} -> L{to} {{ {}{}{}}}",
                part("guard", guard.join(" && ")),
                part("sync", sync.to_owned()),
                part("assign", assign.join(", ")),
            )
        },
    );
    let marks = prop_oneof![5 => Just(""), 1 => Just("commit L2; "), 1 => Just("urgent L1; ")];
    let (rounds, edges) = (prop::collection::vec(round, 3), prop::collection::vec(edge, 0..4));
    (prop::collection::vec(invariant, 3), rounds, edges, marks).prop_map(
        move |(invariants, rounds, mut edges, marks)| {
            let next =
                |(from, text): (usize, &String)| format!("L{from} -> L{} {text}", (from + 1) % 3);
            edges.extend(rounds.iter().enumerate().map(next));
            let states: Vec<String> =
                invariants.iter().enumerate().map(|(one, text)| format!("L{one} {text}")).collect();
            let (states, edges) = (states.join(", "), edges.join(", "));
            format!("process {name}() {{ state {states}; {marks}init L0; trans {edges}; }}")
        },
    )
}

fn networks() -> impl Strategy<Value = String> {
    (automaton("P", "x"), automaton("Q", "y"), automaton("R", "z")).prop_map(|(p, q, r)| {
        format!(
            "clock x, y, z; int[0,1] n, m; int[0,1] i; int[-1,2] j; chan a; broadcast chan b, c; urgent chan w; {p} {q} {r} system P, Q, R;"
        )
    })
}

/// Networks with questions about the first process and its clock, always the same ones.
fn cases(count: usize) -> Vec<(String, Alternatives, Alternatives)> {
    let mut runner = TestRunner::deterministic();
    let strategy = (networks(), alternatives(1), alternatives(1));
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

#[test]
fn a_part_reaches_what_the_model_reaches() {
    let mut parts = 0;
    for (text, goal, _) in cases(800) {
        let mut network = closed(&text);
        let goal = predicate(&mut network, &goal);
        let Ok(model) = network.validate() else { continue };
        let Some(part) = part(&model, &[&goal], false) else { continue };
        parts += 1;
        for abstraction in [Abstraction::LuPlus, Abstraction::M] {
            let expected = is_reachable(&model, &goal, abstraction);
            let found = is_reachable(&part.model, &goal, abstraction);
            assert_eq!(found, expected, "{:?} left out of {text}", part.left_out);
        }
    }
    assert!(parts > 80, "{parts}");
}

#[test]
fn a_part_has_the_maximal_runs_of_the_model() {
    let (mut parts, mut found) = (0, 0);
    for (text, from, inside) in cases(800) {
        let mut network = closed(&text);
        let (from, inside) = (predicate(&mut network, &from), predicate(&mut network, &inside));
        let Ok(model) = network.validate() else { continue };
        let Some(part) = part(&model, &[&from, &inside], true) else { continue };
        parts += 1;
        for (from, outside, divergent) in [
            (None, false, false),
            (None, true, true),
            (Some(&from), true, false),
            (Some(&from), false, true),
        ] {
            let question = MaximalQuestion {
                from,
                inside: &inside,
                outside,
                divergent,
                span: Span::default(),
            };
            let expected = has_run(&model, question);
            assert_eq!(
                has_run(&part.model, question),
                expected,
                "{:?} left out of {text}",
                part.left_out
            );
            found += usize::from(expected);
        }
    }
    assert!(parts > 50 && found > 50, "{parts} {found}");
}

#[test]
fn a_part_reaches_what_the_regions_say() {
    let mut parts = 0;
    for (text, goal, _) in cases(800) {
        // Two processes, for regions are many.
        let text =
            text.replace("system P, Q, R", "system P, Q").replace("clock x, y, z", "clock x, y");
        let text = text.split("process R").next().unwrap().to_owned() + "system P, Q;";
        let mut network = closed(&text);
        let asked = predicate(&mut network, &goal);
        let Ok(model) = network.validate() else { continue };
        let Some(part) = part(&model, &[&asked], false) else { continue };
        let Some(regions) = Regions::of(&model) else { continue };
        parts += 1;
        let expected = regions.numbers.keys().any(|(state, _)| holds(&goal, state));
        let found = is_reachable(&part.model, &asked, Abstraction::LuPlus);
        assert_eq!(found, expected, "{text}");
    }
    assert!(parts > 80, "{parts}");
}

/// The processes that stand still for a question about `P.B`.
fn left_out(globals: &str, p: &str, others: &str, runs: bool) -> Vec<String> {
    let text =
        format!("clock x; {globals} process P() {{ state A, B; init A; trans {p}; }} {others}");
    let names: Vec<String> = text
        .split("process ")
        .skip(1)
        .map(|one| one.split('(').next().unwrap().to_owned())
        .collect();
    let text = format!("{text} system {};", names.join(", "));
    let mut network = closed(&text);
    let mut conditions = crate::support::locations(&mut network);
    let (_, _, asked) = conditions.swap_remove(1);
    let model = network.validate().unwrap();
    let part = part(&model, &[&asked], runs);
    let name = |id| model.processes[id].name.clone();
    part.map_or_else(Vec::new, |part| part.left_out.into_iter().map(name).collect())
}

#[test]
fn only_a_process_that_can_hold_no_other_up_stands_still() {
    let plain = "A -> B { guard x >= 2; }";
    let of = |others: &str| {
        left_out(
            "clock h; int n; int[0,1] k; broadcast chan b, c; chan a; urgent chan w;",
            plain,
            others,
            false,
        )
    };
    let harmless =
        |body: &str| assert_eq!(of(&format!("process H() {{ {body} }}")), ["H"], "{body}");
    let needed =
        |body: &str| assert!(of(&format!("process H() {{ {body} }}")).is_empty(), "{body}");
    harmless("state A; init A;");
    harmless("state A { h <= 2 }; init A; trans A -> A { guard h >= 1; assign h = 0; };");
    harmless(
        "state A { h <= 2 }; init A; trans A -> A { guard h == 2 && k == 0; assign h = 0, k = 1; },
A -> A { guard k > 0; assign h = 0, k = 0; };",
    );
    harmless("state A, C; commit C; init A; trans A -> C { }, C -> A { };");
    harmless("state A, C; urgent C; init A; trans A -> C { }, C -> A { sync b!; };");
    harmless(
        "state A, B { h <= 3 }; init A; trans A -> B { assign h = 0, n++; }, B -> A { assign n--; };",
    );
    // Time would end.
    needed("state A { h <= 2 }; init A;");
    needed("state A { h < 2 }; init A; trans A -> A { assign h = 0; };");
    needed("state A { h <= 2 }; init A; trans A -> A { guard h >= 1; };");
    needed("state A { h <= 2 }; init A; trans A -> A { guard h >= 3; assign h = 0; };");
    needed("state A { h <= 2 }; init A; trans A -> A { guard k == 0; assign h = 0; };");
    needed("state A { h <= 2 }; init A; trans A -> A { guard h >= 1; sync a!; assign h = 0; };");
    needed(
        "state A { h <= 2 }, B { h <= 0 }; init A; trans A -> B { assign h = 0; }, B -> B { assign h = 0; };",
    );
    needed("state A { k == 0 }; init A;");
    // The clock may stay as it is.
    needed(
        "state A { h <= 2 }; init A; trans A -> A { guard h >= 1; assign h = k == 0 ? 0 : h; };",
    );
    // Others would wait for ever.
    needed("state A, C; commit C; init A; trans A -> C { };");
    needed("state A, C; urgent C; init A; trans A -> C { }, C -> A { guard k == 1; };");
    needed("state A, C, D; commit C, D; init A; trans A -> C { }, C -> D { }, D -> C { };");
    needed(
        "state A, C; commit C; init A; trans A -> C { }, C -> A { sync b!; }, C -> A { sync c?; };",
    );
    // A step could not be carried out.
    needed("state A { h <= 2 }; init A; trans A -> A { guard h >= 1; assign h = 0, n++; };");
    needed(
        "state A, B { h <= 2 }; init A; trans A -> B { assign h = 0; }, B -> A { guard h >= 1; assign n += 2, n--; };",
    );
    // Urgency concerns all.
    needed("state A; init A; trans A -> A { sync w!; };");
}

#[test]
fn what_others_read_or_hear_is_needed() {
    let globals = "clock h; int[0,1] n; int i; broadcast chan b, c; chan a;";
    let of =
        |p: &str, body: &str| left_out(globals, p, &format!("process H() {{ {body} }}"), false);
    let switch = "state A; init A; trans A -> A { assign n = 1 - n; };";
    assert_eq!(of("A -> B { }", switch), ["H"]);
    assert!(of("A -> B { guard n == 1; }", switch).is_empty());
    // Also what decides whether a clock is set, if the clock is read.
    assert!(
        of("A -> A { assign x = n == 1 ? 0 : x; }, A -> B { guard x > 2; }", switch).is_empty()
    );
    assert_eq!(of("A -> A { assign h = n == 1 ? 0 : h; }, A -> B { guard x > 2; }", switch), ["H"]);
    // What only a counter reads matters to nobody.
    assert_eq!(
        of("A -> B { assign i++; }", "state A; init A; trans A -> A { assign i = 0; };"),
        [""; 0]
    );
    assert_eq!(
        of(
            "A -> B { assign i++; }, B -> A { assign i--; }",
            "state A, B; init A; trans A -> B { assign i++; };"
        ),
        ["H"]
    );
    assert_eq!(of("A -> B { sync b!; }", "state A; init A; trans A -> A { sync b?; };"), ["H"]);
    assert!(of("A -> B { sync b?; }", "state A; init A; trans A -> A { sync b!; };").is_empty());
    assert!(of("A -> B { sync a!; }", "state A; init A; trans A -> A { sync a?; };").is_empty());
    // A broadcast is not possible if the invariant of a receiver does not hold then.
    let receiver = |update: &str| {
        format!(
            "state A, B {{ h <= 1 }}; init A; trans A -> B {{ sync b?; {update} }}, B -> A {{ }};"
        )
    };
    assert_eq!(of("A -> B { sync b!; }", &receiver("assign h = 0;")), ["H"]);
    assert_eq!(of("A -> B { sync b!; }", &receiver("assign h = 1;")), ["H"]);
    assert!(of("A -> B { sync b!; }", &receiver("")).is_empty());
    assert!(of("A -> B { sync b!; }", &receiver("assign h = n == 0 ? 0 : h;")).is_empty());
    assert!(of("A -> B { sync b!; }", &receiver("assign h = 0, i++;")).is_empty());
    assert!(of("A -> B { assign h = 2; }", &receiver("assign h = 0;")).is_empty());
}

#[test]
fn a_process_whose_cycles_take_no_time_matters_to_runs() {
    let of = |body: &str| {
        let others = format!("process H() {{ {body} }}");
        left_out(
            "clock h; int[0, 1] k; broadcast chan b;",
            "A -> B { }, B -> A { sync b!; }",
            &others,
            true,
        )
    };
    assert_eq!(of("state A; init A; trans A -> A { guard h >= 1; assign h = 0; };"), ["H"]);
    assert_eq!(of("state A; init A; trans A -> A { sync b?; };"), ["H"]);
    assert!(of("state A; init A; trans A -> A { };").is_empty());
    assert!(of("state A; init A; trans A -> A { guard h >= 1; };").is_empty());
    assert!(of("state A; init A; trans A -> A { guard h > 0; assign h = 0; };").is_empty());
    let perhaps = "state A; init A; trans A -> A { guard h >= 1; assign h = k == 0 ? 0 : h; };";
    assert!(of(perhaps).is_empty());
}
