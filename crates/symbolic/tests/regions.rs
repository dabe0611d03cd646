//! The zone graph against the region graph, which is slow and obvious.
//!
//! Two valuations are region equivalent if their clocks agree on integer parts up to the largest
//! constant, on which fractions are zero, and on the order of fractions (AD94). Each region is
//! represented by one valuation, on which the reference semantics is asked; equivalent valuations
//! allow the same moves, so what is found is exact for models that compare no clocks with each other.
#![expect(clippy::unwrap_used, reason = "tests")]

mod support;

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;
use tioga_base::{Rational, Span};
use tioga_concrete::{Semantics, State};
use tioga_explore::SearchOptions;
use tioga_model::{LocationId, Model, ProcessId};
use tioga_parse::Format;
use tioga_symbolic::{Abstraction, Answer, Reach, Survey, ZoneGraph};

use support::{locations, network, networks};

/// The largest constant of the random networks.
const LARGEST: i64 = 4;

fn fraction(value: Rational) -> Rational {
    value.sub(Rational::integer(value.floor())).unwrap()
}

/// The representative of the region of a state.
fn representative(mut state: State) -> State {
    let above = Rational::integer(LARGEST);
    let mut fractions: BTreeSet<Rational> = BTreeSet::new();
    for clock in &state.clocks {
        if *clock <= above && !fraction(*clock).is_zero() {
            fractions.insert(fraction(*clock));
        }
    }
    let classes = i64::try_from(fractions.len()).unwrap();
    for clock in &mut state.clocks {
        if *clock > above {
            *clock = Rational::integer(LARGEST + 1);
            continue;
        }
        let rank = fractions.iter().position(|one| *one == fraction(*clock));
        let rank = rank.map_or(0, |rank| i64::try_from(rank).unwrap() + 1);
        let part = Rational::new(rank, classes + 1).unwrap();
        *clock = Rational::integer(clock.floor()).add(part).unwrap();
    }
    state
}

/// The delay from a representative into the next region; none if time changes nothing any more.
fn next_delay(state: &State) -> Option<Rational> {
    let above = Rational::integer(LARGEST);
    let counted: Vec<Rational> = state.clocks.iter().copied().filter(|c| *c <= above).collect();
    let most = counted.iter().map(|clock| fraction(*clock)).max()?;
    let room = Rational::ONE.sub(most).unwrap();
    let on_the_line = counted.iter().any(|clock| fraction(*clock).is_zero());
    // From an integer, half the way to the next one; otherwise exactly to it.
    Some(if on_the_line { room.div(Rational::integer(2)).unwrap() } else { room })
}

/// All regions that can be reached, by their representatives.
fn regions(model: &Model) -> BTreeSet<State> {
    let mut semantics = Semantics::new(model);
    let Ok(initial) = semantics.initial() else { return BTreeSet::new() };
    let mut seen = BTreeSet::from([initial.clone()]);
    let mut waiting = VecDeque::from([initial]);
    while let Some(state) = waiting.pop_front() {
        let offers = semantics.options(&state).unwrap();
        let mut next: Vec<State> =
            offers.now().map(|step| semantics.step(&state, step).unwrap()).collect();
        if let Some(delay) = next_delay(&state) {
            next.extend(semantics.delay(&state, delay).unwrap().ok());
        }
        for state in next.into_iter().map(representative) {
            if seen.insert(state.clone()) {
                waiting.push_back(state);
            }
        }
    }
    seen
}

fn check(text: &str) {
    let mut network = network(Format::Xta, text).unwrap();
    let conditions = locations(&mut network);
    let model = network.validate().unwrap();
    let regions = regions(&model);
    let reached: BTreeSet<(ProcessId, LocationId)> = regions
        .iter()
        .flat_map(|state| model.processes.ids().map(|p| (p, state.discrete.location(p))))
        .collect();
    for abstraction in [Abstraction::LuPlus, Abstraction::M, Abstraction::Alu] {
        for (process, location, predicate) in &conditions {
            let graph = ZoneGraph::new(&model, abstraction, &[predicate]).unwrap();
            let goal = Some((predicate, Span::default()));
            let reach = Reach::ask(&graph, goal, &SearchOptions::default(), &mut |_| {});
            let found = matches!(reach.answer, Answer::Reachable(_));
            assert_eq!(found, reached.contains(&(*process, *location)), "{text}");
        }
    }
    let stuck = |state: &State| Semantics::new(&model).options(state).unwrap().ending().is_some();
    let deadlock = tioga_model::Predicate::Deadlock;
    let graph = ZoneGraph::new(&model, Abstraction::M, &[&deadlock]).unwrap();
    let goal = Some((&deadlock, Span::default()));
    let reach = Reach::ask(&graph, goal, &SearchOptions::default(), &mut |_| {});
    let found = matches!(reach.answer, Answer::Reachable(_));
    assert_eq!(found, regions.iter().any(stuck), "deadlock in {text}");
    let survey = Survey::of(&model, &SearchOptions::default(), &mut |_| {}).unwrap();
    for (process, locations) in model.processes.ids().zip(&survey.locations) {
        let expected: BTreeSet<LocationId> =
            reached.iter().filter(|(p, _)| *p == process).map(|(_, l)| *l).collect();
        assert_eq!(locations, &expected, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn zones_and_regions_reach_the_same(text in networks()) {
        check(&text);
    }
}

#[test]
fn the_example_of_alur_and_dill_is_decided() {
    // The third location needs x < 1 after y reached 1, which only some orders of fractions allow.
    check(
        "clock x, y; process P() { state A, B, C, D; init A;
           trans A -> B { assign y = 0; }, B -> C { guard y == 1; }, B -> D { guard x < 1; },
             C -> D { guard x < 1; }, D -> B { guard y < 1; assign y = 0; }, D -> D { guard x > 1; }; }
         system P;",
    );
}
