//! Maximal runs that stay in a set of states, against the region graph, and on cases made by hand.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tioga_base::{Rational, Span};
use tioga_concrete::{Semantics, State};
use tioga_explore::{Limits, Order, SearchOptions};
use tioga_model::{
    ClockConstraint, ClockId, ClockTerm, Condition, Conjunct, Expr, Kind, LocationId, Model,
    Network, Predicate, ProcessId, TimeBound,
};
use tioga_parse::Format;
use tioga_symbolic::{Goes, Maximal, MaximalAnswer, MaximalQuestion, MaximalRun, TimedStep};
use tioga_testkit::network_in;

use crate::support::ticking::{Arrow, Regions};
use crate::support::{networks, run};

/// One alternative of a condition: a location of the first process, and comparisons of clocks.
#[derive(Clone, Debug)]
pub struct Alternative {
    location: Option<u32>,
    clocks: Vec<(u32, &'static str, i64)>,
}

pub type Alternatives = Vec<Alternative>;

/// Conditions that compare this many clocks.
pub fn alternatives(clocks: u32) -> impl Strategy<Value = Alternatives> {
    let op = prop::sample::select(vec!["<", "<=", ">=", ">"]);
    let clocks = prop::collection::vec((0..clocks, op, 0..4i64), 0..3);
    let one = (prop::option::of(0..3u32), clocks)
        .prop_map(|(location, clocks)| Alternative { location, clocks });
    prop::collection::vec(one, 1..4)
}

pub fn predicate(network: &mut Network, alternatives: &[Alternative]) -> Predicate {
    let mut disjuncts = Vec::new();
    for one in alternatives {
        let data = one.location.map(|location| {
            let at = Expr::At(ProcessId(0), LocationId(location));
            network.code.push(at, Kind::Bool, Span::default())
        });
        let constraint = |(clock, op, constant): &(u32, &str, i64)| {
            let clock = Some(ClockTerm { clock: ClockId(*clock), index: None });
            let upper = op.starts_with('<');
            ClockConstraint {
                left: clock.filter(|_| upper),
                right: clock.filter(|_| !upper),
                strict: !op.ends_with('='),
                bound: TimeBound::Constant(if upper { *constant } else { -*constant }),
            }
        };
        disjuncts.push(Conjunct { data, clocks: one.clocks.iter().map(constraint).collect() });
    }
    Predicate::Holds(Condition { disjuncts })
}

pub fn holds(alternatives: &[Alternative], state: &State) -> bool {
    alternatives.iter().any(|one| {
        let at = |location: u32| state.discrete.location(ProcessId(0)) == LocationId(location);
        let compared = |(clock, op, constant): &(u32, &str, i64)| {
            let (value, constant) = (state.clocks[*clock as usize], Rational::integer(*constant));
            match *op {
                "<" => value < constant,
                "<=" => value <= constant,
                ">=" => value >= constant,
                _ => value > constant,
            }
        };
        one.location.is_none_or(at) && one.clocks.iter().all(compared)
    })
}

/// What the regions say about runs that stay inside: from which regions there is one, and from which there
/// is one on which time diverges.
fn expected(model: &Model, regions: &Regions, inside: &[bool]) -> (Vec<bool>, Vec<bool>) {
    let mut semantics = Semantics::new(model);
    let mut ends = vec![false; inside.len()];
    for ((state, _), number) in &regions.numbers {
        let arrows = &regions.arrows[*number];
        let timed = arrows.iter().any(|(one, _)| matches!(one, Arrow::Time | Arrow::Tick));
        let stepping = arrows.iter().any(|(one, _)| matches!(one, Arrow::Step(_)));
        // A little time passes, and yet no other region is reached: a bound is approached.
        let little = Rational::new(1, 1000).unwrap();
        let open = semantics.delay(state, little).unwrap().is_ok();
        ends[*number] = !timed && (!stepping || open);
    }
    let solution = |ends: &[bool]| {
        let mut left = inside.to_vec();
        loop {
            let goes = |number: usize| {
                let on = |(arrow, target): &(Arrow, usize)| *arrow != Arrow::Anew && left[*target];
                left[number] && (ends[number] || regions.arrows[number].iter().any(on))
            };
            let next: Vec<bool> = (0..left.len()).map(goes).collect();
            if next == left {
                return left;
            }
            left = next;
        }
    };
    let staying = solution(&ends);
    // Ticks again and again.
    let mut diverging = inside.to_vec();
    loop {
        let mut reaching = vec![false; inside.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for number in (0..inside.len()).rev() {
                let leads = |(arrow, target): &(Arrow, usize)| match arrow {
                    Arrow::Anew => false,
                    Arrow::Tick => diverging[*target] || reaching[*target],
                    Arrow::Step(_) | Arrow::Time => reaching[*target],
                };
                let here = inside[number] && regions.arrows[number].iter().any(leads);
                if here && !reaching[number] {
                    reaching[number] = true;
                    changed = true;
                }
            }
        }
        let next: Vec<bool> = reaching.iter().zip(&diverging).map(|(a, b)| *a && *b).collect();
        if next == diverging {
            return (staying, diverging);
        }
        diverging = next;
    }
}

/// A search that a limit ends tells nothing that is not so, in whatever order it visits states.
fn cut_short(model: &Model, question: MaximalQuestion<'_>, expected: bool, text: &str) {
    for order in [Order::BreadthFirst, Order::DepthFirst] {
        for visited in [1, 3, 8] {
            let limits = Limits { visited: Some(visited), ..Limits::default() };
            let options = SearchOptions { order, limits, ..SearchOptions::default() };
            match Maximal::ask(model, question, &options, &mut |_| {}).unwrap().answer {
                MaximalAnswer::Unknown(_) => {}
                MaximalAnswer::None => assert!(!expected, "{visited} {order:?}: a run in {text}"),
                MaximalAnswer::Found(_) => {
                    assert!(expected, "{visited} {order:?}: no run in {text}");
                }
            }
        }
    }
}

fn check(text: &str, from: Option<&Alternatives>, inside: &Alternatives, outside: bool) {
    let mut network = network_in(Format::Xta, text);
    let within = predicate(&mut network, inside);
    let begin = from.map(|from| predicate(&mut network, from));
    let model = network.validate().unwrap();
    let Some(regions) = Regions::of(&model) else { return };
    let stays = |state: &State| holds(inside, state) != outside;
    let begins = |state: &State| from.is_none_or(|from| holds(from, state));
    let mut within_regions = vec![false; regions.arrows.len()];
    let mut starts = vec![false; regions.arrows.len()];
    for ((state, ticking), number) in &regions.numbers {
        within_regions[*number] = stays(state);
        starts[*number] = ticking.is_zero() && begins(state) && (from.is_some() || *number == 0);
    }
    let (staying, diverging) = expected(&model, &regions, &within_regions);
    let exists = |set: &[bool]| set.iter().zip(&starts).any(|(set, start)| *set && *start);
    for divergent in [false, true] {
        let question = MaximalQuestion {
            from: begin.as_ref(),
            inside: &within,
            outside,
            divergent,
            span: Span::default(),
        };
        let found = Maximal::ask(&model, question, &SearchOptions::default(), &mut |_| {}).unwrap();
        let expected = exists(if divergent { &diverging } else { &staying });
        cut_short(&model, question, expected, text);
        match found.answer {
            MaximalAnswer::Unknown(reason) => panic!("{reason} in {text}"),
            MaximalAnswer::None => assert!(!expected, "there is a run in {text}"),
            MaximalAnswer::Found(found) => {
                assert!(expected, "there is no run in {text}: {found:?}");
                let diverges = matches!(found.goes, Goes::Diverges | Goes::Waits);
                assert_eq!(diverges, exists(&diverging), "{:?} in {text}", found.goes);
                witness(&model, &found, from.is_none(), &stays, &begins);
                if !found.turn.is_empty() {
                    let again = turns(&model, &regions, &within_regions, &found, 8);
                    assert!(again, "the turn cannot be repeated: {found:?} in {text}");
                }
            }
        }
    }
}

/// Follows a run on the reference semantics, with a look at every region it passes through.
fn witness(
    model: &Model,
    found: &MaximalRun,
    from_start: bool,
    stays: &dyn Fn(&State) -> bool,
    begins: &dyn Fn(&State) -> bool,
) {
    let all: Vec<TimedStep> = found.stem.iter().chain(&found.turn).cloned().collect();
    let mut semantics = Semantics::new(model);
    let mut state = semantics.initial().unwrap();
    let mut seen = vec![state.clone()];
    for TimedStep { delay, step } in &all {
        let mut left = *delay;
        while !left.is_zero() {
            // To the middle between two moments at which some clock is an integer, and on.
            let room = |clock: &Rational| Rational::integer(clock.floor() + 1).sub(*clock).unwrap();
            let next = state.clocks.iter().map(room).min().unwrap().min(left);
            let half = next.div(Rational::integer(2)).unwrap();
            for _ in 0..2 {
                state = semantics.delay(&state, half).unwrap().expect("the delay is allowed");
                seen.push(state.clone());
            }
            left = left.sub(next).unwrap();
        }
        if let Some(step) = step {
            state = semantics.step(&state, step).unwrap();
            seen.push(state.clone());
        }
    }
    let good = seen.iter().rposition(|state| !stays(state)).map_or(0, |last| last + 1);
    assert!(!from_start || good == 0, "the run leaves the set: {found:?}");
    assert!(seen[good..].iter().any(begins), "the run never begins: {found:?}");
    let turning = run(model, &found.stem);
    let length = found.turn.iter().fold(Rational::ZERO, |sum, one| sum.add(one.delay).unwrap());
    match found.goes {
        Goes::Diverges | Goes::Zeno => {
            assert!(!found.turn.is_empty(), "no turn is told");
            let end = run(model, &all);
            assert_eq!(turning.discrete, end.discrete, "the turn does not lead back");
            assert!(found.goes == Goes::Zeno || length >= Rational::ONE);
            assert!(found.goes != Goes::Zeno || found.turn.iter().any(|one| one.step.is_some()));
        }
        Goes::Waits => {
            let offers = semantics.options(&state).unwrap();
            assert!(offers.delays.upper().is_none(), "time ends: {found:?}");
        }
        Goes::Ends => {
            let little = Rational::new(1, 1000).unwrap();
            assert!(semantics.delay(&state, little).unwrap().is_err(), "time passes: {found:?}");
            assert_eq!(semantics.options(&state).unwrap().now().count(), 0, "{found:?}");
        }
        Goes::Approaches => {
            let little = Rational::new(1, 100_000).unwrap();
            assert!(semantics.delay(&state, little).unwrap().is_ok(), "stopped: {found:?}");
        }
    }
}

/// Whether the steps of the turn can be made so many times where the stem ends, through regions inside.
fn turns(
    model: &Model,
    regions: &Regions,
    inside: &[bool],
    found: &MaximalRun,
    times: usize,
) -> bool {
    let labels = found.turn.iter().filter_map(|one| Some(one.step.as_ref()?.label));
    let labels: Vec<Arrow> = labels.map(Arrow::Step).collect();
    let mut here = BTreeSet::from([regions.number(run(model, &found.stem))]);
    for label in (0..times).flat_map(|_| &labels) {
        let mut waiting: Vec<usize> = here.iter().copied().collect();
        let mut next = BTreeSet::new();
        while let Some(number) = waiting.pop() {
            for (arrow, target) in regions.arrows[number].iter().filter(|(_, to)| inside[*to]) {
                if arrow == label {
                    next.insert(*target);
                }
                if matches!(arrow, Arrow::Time | Arrow::Tick) && here.insert(*target) {
                    waiting.push(*target);
                }
            }
        }
        here = next;
    }
    !here.is_empty()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn zones_and_regions_agree_on_runs_from_the_start(
        text in networks(), inside in alternatives(2), outside: bool,
    ) {
        check(&text, None, &inside, outside);
    }

    #[test]
    fn zones_and_regions_agree_on_what_leads_to_something(
        text in networks(), from in alternatives(2), inside in alternatives(2),
    ) {
        check(&text, Some(&from), &inside, true);
    }
}

/// What is known of runs of a process that stay in its first location, by a condition on `x` if given.
fn goes(body: &str, clocks: &[(u32, &'static str, i64)]) -> Option<Goes> {
    let text = format!("clock x, y; process P() {{ {body} }} system P;");
    let inside = vec![Alternative { location: Some(0), clocks: clocks.to_vec() }];
    check(&text, None, &inside, false);
    let mut network = network_in(Format::Xta, &text);
    let inside = predicate(&mut network, &inside);
    let model = network.validate().unwrap();
    let question = MaximalQuestion {
        from: None,
        inside: &inside,
        outside: false,
        divergent: false,
        span: Span::default(),
    };
    let found = Maximal::ask(&model, question, &SearchOptions::default(), &mut |_| {}).unwrap();
    match found.answer {
        MaximalAnswer::Found(run) => Some(run.goes),
        MaximalAnswer::None => None,
        MaximalAnswer::Unknown(reason) => panic!("{reason}"),
    }
}

#[test]
fn a_run_waits_ends_or_approaches_a_bound() {
    let to = |invariant: &str, guard: &str| {
        format!("state A {invariant}, B; init A; trans A -> B {{ guard {guard}; }};")
    };
    assert_eq!(goes(&to("", "x >= 1"), &[]), Some(Goes::Waits));
    // At the bound the step is possible, and time is over: it is taken.
    assert_eq!(goes(&to("{ x <= 2 }", "x >= 1"), &[]), None);
    assert_eq!(goes(&to("{ x <= 2 }", "x <= 1"), &[]), Some(Goes::Ends));
    assert_eq!(goes(&to("{ x < 2 }", "x >= 1"), &[]), Some(Goes::Approaches));
    // Waiting leaves what is asked for.
    assert_eq!(goes(&to("", "x >= 1"), &[(0, "<", 3)]), None);
}

#[test]
fn a_run_turns_with_time_or_without() {
    let turn = |invariant: &str, guard: &str, assign: &str| {
        format!("state A {invariant}, B; init A; trans A -> A {{ {guard} {assign} }};")
    };
    let each = turn("{ x <= 2 }", "guard x >= 1;", "assign x = 0;");
    assert_eq!(goes(&each, &[]), Some(Goes::Diverges));
    // Nothing sets y, so it has to stay below its bound.
    assert_eq!(goes(&each, &[(1, "<", 3)]), None);
    let any = turn("{ x <= 2 }", "", "assign x = 0;");
    assert_eq!(goes(&any, &[(1, "<", 3)]), Some(Goes::Zeno));
    // Between x < 1 and x > 1 no delay stays inside.
    let late = turn("{ x <= 2 }", "guard x > 1;", "assign x = 0;");
    assert_eq!(goes(&late, &[]), Some(Goes::Diverges));
    assert_eq!(goes(&late, &[(0, "<=", 1)]), None);
}
