//! Questions about differences of clocks, against exact zones, on random networks.

use proptest::prelude::*;
use tioga_base::{Rational, Span};
use tioga_explore::{Limits, SearchOptions};
use tioga_model::{
    ClockConstraint, ClockId, Condition, Conjunct, Expr, Kind, LocationId, Network, Predicate,
    ProcessId, TimeBound,
};
use tioga_parse::Format;
use tioga_symbolic::{Abstraction, Reach, ReachAnswer, ZoneGraph};
use tioga_testkit::network_in;

use crate::support::{ABSTRACTIONS, networks, run};

/// `x − y` or `y − x` compared with a number, in a location of the first process if given.
type Compared = (bool, bool, i64, Option<u32>);

fn predicate(network: &mut Network, all: &[Compared]) -> Predicate {
    let conjunct = |(first, strict, bound, location): &Compared| {
        let (left, right) = if *first { (0, 1) } else { (1, 0) };
        let term = |clock: u32| Some(ClockId(clock).into());
        let data = location.map(|location| {
            let at = Expr::At(ProcessId(0), LocationId(location));
            network.code.push(at, Kind::Bool, Span::default())
        });
        let (left, right, bound) = (term(left), term(right), TimeBound::Constant(*bound));
        Conjunct { data, clocks: vec![ClockConstraint { left, right, strict: *strict, bound }] }
    };
    Predicate::Holds(Condition { disjuncts: all.iter().map(conjunct).collect() })
}

fn check(text: &str, all: &[Compared]) {
    let mut network = network_in(Format::Xta, text);
    let goal = predicate(&mut network, all);
    let model = network.validate().unwrap();
    let exact = ZoneGraph::new(&model, Abstraction::LuPlus, &[&goal]).unwrap();
    assert_eq!(exact.abstraction(), Abstraction::None);
    let limits = Limits { visited: Some(1000), ..Limits::default() };
    let limited = SearchOptions { limits, ..SearchOptions::default() };
    let asked = Some((&goal, Span::default()));
    let expected = Reach::ask(&exact, asked, &limited, &mut |_| {}).answer;
    for abstraction in ABSTRACTIONS {
        let graph = ZoneGraph::for_reach(&model, abstraction, &[&goal]).unwrap();
        assert_eq!(graph.abstraction(), abstraction, "{text}");
        match (&expected, Reach::ask(&graph, asked, &SearchOptions::default(), &mut |_| {}).answer)
        {
            (ReachAnswer::Unreachable | ReachAnswer::Unknown(_), ReachAnswer::Unreachable) => {}
            (
                ReachAnswer::Reachable(_) | ReachAnswer::Unknown(_),
                ReachAnswer::Reachable(steps),
            ) => {
                let end = run(&model, &steps);
                let holds = |(first, strict, bound, location): &Compared| {
                    let (x, y) = (end.clocks[0], end.clocks[1]);
                    let difference = if *first { x.sub(y) } else { y.sub(x) }.unwrap();
                    let bound = Rational::integer(*bound);
                    let at = |one: u32| end.discrete.location(ProcessId(0)) == LocationId(one);
                    (difference < bound || difference == bound && !strict)
                        && location.is_none_or(at)
                };
                assert!(all.iter().any(holds), "the run misses its goal in {text}");
            }
            (expected, found) => panic!("{expected:?}, but {found:?} for {all:?} in {text}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn differences_are_decided_as_with_exact_zones(
        text in networks(),
        all in prop::collection::vec(
            (any::<bool>(), any::<bool>(), -6..4i64, prop::option::of(0..3u32)), 1..3,
        ),
    ) {
        // Clocks that are set from others need exact zones.
        let text = text.replace("y = x", "y = 0").replace("x = y + 1", "x = 2");
        check(&text, &all);
    }
}

#[test]
fn an_unreachable_difference_is_refuted_although_clocks_grow() {
    // Every turn takes at most two units, and y is set in each.
    let text = "clock x, y; process P() { state A { y <= 2 }; init A; \
                trans A -> A { guard y >= 1; assign y = 0; }, A -> A { assign x = 0, y = 0; }; } \
                process Q() { state A; init A; } system P, Q;";
    check(text, &[(false, true, 0, None)]);
    let model = |text: &str, compared: &[Compared]| {
        let mut network = network_in(Format::Xta, text);
        let goal = predicate(&mut network, compared);
        let model = network.validate().unwrap();
        let graph = ZoneGraph::for_reach(&model, Abstraction::LuPlus, &[&goal]).unwrap();
        let asked = Some((&goal, Span::default()));
        Reach::ask(&graph, asked, &SearchOptions::default(), &mut |_| {}).answer
    };
    // y never exceeds x, though x grows for ever.
    assert_eq!(model(text, &[(true, true, 0, None)]), ReachAnswer::Unreachable);
    assert!(matches!(model(text, &[(false, false, -50, None)]), ReachAnswer::Reachable(_)));
}
