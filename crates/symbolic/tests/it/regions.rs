//! The zone graph against the region graph, which is slow and obvious.
//!
//! Two valuations are region equivalent if their clocks agree on integer parts up to the largest
//! constant, on which fractions are zero, and on the order of fractions (AD94). Each region is
//! represented by one valuation, on which the reference semantics is asked; equivalent valuations
//! allow the same steps, so what is found is exact for models that compare no clocks with each other.

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;
use tioga_base::{Id, Rational, Span};
use tioga_concrete::{Choice, Semantics, State};
use tioga_explore::{Order, SearchOptions};
use tioga_model::{LocationId, Model, Predicate, ProcessId, Step, StepLabel};
use tioga_parse::Format;
use tioga_symbolic::{Abstraction, Reach, ReachAnswer, Survey, ZoneGraph};
use tioga_testkit::network_in;

use crate::support::{ABSTRACTIONS, locations, networks, run};

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
pub fn regions(model: &Model) -> BTreeSet<State> {
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
    let mut network = network_in(Format::Xta, text);
    let conditions = locations(&mut network);
    let model = network.validate().unwrap();
    let regions = regions(&model);
    let reached: BTreeSet<(ProcessId, LocationId)> = regions
        .iter()
        .flat_map(|state| model.processes.ids().map(|p| (p, state.discrete.location(p))))
        .collect();
    for abstraction in ABSTRACTIONS {
        for (process, location, predicate) in &conditions {
            let end = ask(&model, abstraction, predicate, text);
            assert_eq!(end.is_some(), reached.contains(&(*process, *location)), "{text}");
            assert!(end.is_none_or(|end| end.discrete.location(*process) == *location), "{text}");
        }
    }
    let ending = |state: &State| Semantics::new(&model).options(state).unwrap().ending();
    let end = ask(&model, Abstraction::M, &Predicate::Deadlock, text);
    let expected = regions.iter().any(|state| ending(state).is_some());
    assert_eq!(end.is_some(), expected, "deadlock in {text}");
    assert!(end.is_none_or(|end| ending(&end).is_some()), "no deadlock in {text}");
    let end = ask(&model, Abstraction::M, &Predicate::NoDeadlock, text);
    let expected = regions.iter().any(|state| ending(state).is_none());
    assert_eq!(end.is_some(), expected, "a state that is not stuck in {text}");
    let survey = Survey::of(&model, &SearchOptions::default(), &mut |_| {}).unwrap();
    for (process, locations) in model.processes.ids().zip(&survey.locations) {
        let expected: BTreeSet<LocationId> =
            reached.iter().filter(|(p, _)| *p == process).map(|(_, l)| *l).collect();
        assert_eq!(locations, &expected, "{text}");
    }
    let mut taken = vec![BTreeSet::new(); model.processes.len()];
    for state in &regions {
        for step in Semantics::new(&model).options(state).unwrap().now() {
            for one in &step.participants {
                taken[one.process.index()].insert(one.edge);
            }
        }
    }
    assert_eq!(survey.edges, taken, "{text}");
    let found = survey.timelock.map(|steps| run(&model, &steps));
    let expected = regions.iter().any(|state| is_timelocked(&model, state));
    assert_eq!(found.is_some(), expected, "timelock in {text}");
    assert!(found.is_none_or(|state| is_timelocked(&model, &state)), "no timelock in {text}");
    let found = survey.deadlock.map(|steps| run(&model, &steps));
    assert!(found.is_none_or(|state| ending(&state).is_some()), "no deadlock in {text}");
    let found = survey.nondeterminism.map(|(steps, _)| run(&model, &steps));
    let expected = regions.iter().any(|state| is_ambiguous(&model, state));
    assert_eq!(found.is_some(), expected, "nondeterminism in {text}");
    assert!(found.is_none_or(|state| is_ambiguous(&model, &state)), "determinism in {text}");
}

/// Whether time cannot pass for ever and nothing but an open input is ever possible.
fn is_timelocked(model: &Model, state: &State) -> bool {
    let offers = Semantics::new(model).options(state).unwrap();
    let open = |choice: &Choice| match choice.step.label {
        StepLabel::Input(channel) => model.channels[channel].open,
        _ => false,
    };
    offers.delays.upper().is_some() && offers.choices.iter().all(open)
}

/// Whether two steps look the same from outside.
fn is_ambiguous(model: &Model, state: &State) -> bool {
    let offers = Semantics::new(model).options(state).unwrap();
    let visible = |step: &&Step| !matches!(step.label, StepLabel::Internal(_));
    let labels: Vec<StepLabel> = offers.now().filter(visible).map(|step| step.label).collect();
    labels.iter().collect::<BTreeSet<_>>().len() < labels.len()
}

/// Where a run to the predicate ends, if there is one; both orders of search agree.
fn ask(
    model: &Model,
    abstraction: Abstraction,
    predicate: &Predicate,
    text: &str,
) -> Option<State> {
    let graph = ZoneGraph::new(model, abstraction, &[predicate]).unwrap();
    let goal = Some((predicate, Span::default()));
    let ends = [Order::BreadthFirst, Order::DepthFirst].map(|order| {
        let options = SearchOptions { order, ..SearchOptions::default() };
        match Reach::ask(&graph, goal, &options, &mut |_| {}).answer {
            ReachAnswer::Reachable(steps) => Some(run(model, &steps)),
            ReachAnswer::Unreachable => None,
            ReachAnswer::Unknown(reason) => panic!("{abstraction:?}: {reason} in {text}"),
        }
    });
    assert_eq!(ends[0].is_some(), ends[1].is_some(), "{abstraction:?} in {text}");
    ends.into_iter().next().flatten()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

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
