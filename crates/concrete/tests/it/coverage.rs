//! Networks that aim at an edge and some time after it do what the network did before: on random
//! walks both allow the same, and the aim is reached as soon as enough time has passed since the edge.

use tioga_base::{Id, Rational};
use tioga_concrete::{Chance, Choice, Intervals, Semantics, State};
use tioga_model::{ClockId, EdgeId, Formula, Model, Objective, Predicate, ProcessId};
use tioga_testkit::example;

/// A step by the edges it takes, those of copies as the edges they are copies of, with its values and
/// when it is possible.
type Named = (Vec<(ProcessId, usize)>, Vec<i64>, Intervals);

fn named(choice: &Choice, process: ProcessId, edges: usize) -> Named {
    let taken = choice.step.participants.iter().map(|one| {
        let edge = one.edge.index();
        (one.process, if one.process == process { edge % edges } else { edge })
    });
    (taken.collect(), choice.step.arguments.to_vec(), choice.windows.clone())
}

/// One walk; whether it got to the aim.
fn walk(model: &Model, process: ProcessId, edge: EdgeId, time: i64, seed: u64) -> bool {
    let network = (**model).clone();
    let aiming = network.covering_edge_and_time(process, edge, time, "covered").validate().unwrap();
    let edges = model.processes[process].edges.len();
    let since = ClockId::from_index(model.clocks.len());
    assert!(aiming.clocks[since].name.ends_with("since"));
    let (mut own, mut other) = (Semantics::new(&aiming), Semantics::new(model));
    let (mut state, mut before) = (own.initial().unwrap(), other.initial().unwrap());
    let mut chance = Chance::new(seed);
    let mut waited: Option<Rational> = None;
    for _ in 0..40 {
        let (options, expected) = (own.options(&state).unwrap(), other.options(&before).unwrap());
        assert_eq!(options.delays, expected.delays);
        let mine: Vec<Named> =
            options.choices.iter().map(|choice| named(choice, process, edges)).collect();
        let theirs: Vec<Named> =
            expected.choices.iter().map(|choice| named(choice, process, edges)).collect();
        assert_eq!(mine, theirs);
        if options.choices.is_empty() {
            break;
        }
        let picked = chance.position(options.choices.len());
        let step = options.choices[picked].step.clone();
        let part = options.choices[picked].windows.parts()[0];
        let delay = chance.moment(model.scale, &part, Rational::integer(3)).unwrap().unwrap();
        state = own.delay(&state, delay).unwrap().unwrap();
        before = other.delay(&before, delay).unwrap().unwrap();
        waited = waited.map(|waited| waited.add(delay).unwrap());
        if check(&aiming, &state, process, since, (waited, time)) {
            return true;
        }
        let takes = |one: &tioga_model::Participant| one.process == process && one.edge == edge;
        state = own.step(&state, &step).unwrap();
        before = other.step(&before, &expected.choices[picked].step).unwrap();
        if waited.is_none() && step.participants.iter().any(takes) {
            waited = Some(Rational::ZERO);
        }
        check(&aiming, &state, process, since, (waited, time));
    }
    false
}

/// Checks that a state knows whether and when the edge was taken; whether that is the aim.
fn check(
    aiming: &Model,
    state: &State,
    process: ProcessId,
    since: ClockId,
    (waited, time): (Option<Rational>, i64),
) -> bool {
    let at = state.discrete.locations[process.index()];
    let location = &aiming.processes[process].locations[at].name;
    assert_eq!(location.ends_with("_later"), waited.is_some(), "{location}");
    let Formula::Cooperative(Objective::Reach(Predicate::Holds(goal))) = &aiming.queries[0].formula
    else {
        panic!("{:?}", aiming.queries)
    };
    // The aim asks for one of the copies and the clock.
    let bound = &goal.disjuncts[0].clocks[0];
    assert_eq!((bound.right.map(|term| term.clock), bound.strict), (Some(since), true));
    let Some(waited) = waited else { return false };
    assert_eq!(state.clock(since), waited);
    waited.mul(Rational::integer(aiming.scale)).unwrap() > Rational::integer(time)
}

#[test]
fn going_on_after_an_edge_changes_nothing_but_what_is_aimed_at() {
    for name in ["smart-light", "service-desk", "conveyor-game", "complex", "car-alarm"] {
        let model = example(name);
        let mut reached = 0;
        for (process, body) in model.processes.iter_ids() {
            for edge in body.edges.ids() {
                for seed in 0..8 {
                    reached += usize::from(walk(&model, process, edge, 4, seed));
                }
            }
        }
        assert!(reached > 5, "{name}: {reached}");
    }
}
