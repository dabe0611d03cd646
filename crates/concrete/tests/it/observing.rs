//! After, out and in.

use crate::examples;
use crate::examples::{hidden_start, observed, rational, smart_light, switch};
use proptest::prelude::*;
use tioga_base::{Budget, LimitReached};
use tioga_concrete::*;
use tioga_model::*;

fn observe<'m>(model: &'m Model, words: &[&str], internal_steps: u32) -> Observer<'m> {
    let budget = Budget::steps(100_000);
    after(Semantics::new(model), &observed(model, words), internal_steps, budget).unwrap()
}

fn names(model: &Model, found: impl IntoIterator<Item = Observable>) -> Vec<String> {
    let name = |one: Observable| match one.label {
        StepLabel::Input(channel) | StepLabel::Output(channel) => {
            model.channels[channel].name.clone()
        }
        _ => "?".into(),
    };
    found.into_iter().map(name).collect()
}

#[test]
fn a_deterministic_model_is_in_one_state() {
    let model = switch();
    let mut after = observe(&model, &["3", "on", "3", "on", "5", "off", "2"], 0);
    assert!(after.is_complete());
    let states: Vec<_> = after.states().map(|state| state.display(&model).to_string()).collect();
    assert_eq!(states, ["(Switch.q0; c=2)"]);
    assert_eq!(names(&model, after.inputs().unwrap()), ["on"]);
    assert_eq!(names(&model, after.outputs().unwrap()), [""; 0]);
    assert_eq!(after.delays().unwrap().to_string(), "[0,4]");
    assert!(observe(&model, &["on", "6"], 0).is_empty());
}

#[test]
fn nondeterminism_keeps_all_states() {
    let model = smart_light();
    let mut after = observe(&model, &["20", "touch", "2"], 0);
    assert_eq!(names(&model, after.outputs().unwrap()), ["dim", "bright"]);
    assert_eq!(after.delays().unwrap().to_string(), "{0}");
    let end = observe(&model, &["20", "touch", "2", "bright"], 0);
    assert_eq!(end.states().len(), 1);
}

/// The internal step happens at some t in (0,1) and `done` at t + 1, so `done` is possible exactly
/// within (1,2).
#[test]
fn internal_steps_between_grid_points_are_found() {
    let model = hidden_start();
    let possible = |delay: &str| !observe(&model, &[delay, "done"], 1).is_empty();
    for (delay, expected) in
        [("1", false), ("5/4", true), ("3/2", true), ("7/4", true), ("2", false), ("1/2", false)]
    {
        assert_eq!(possible(delay), expected, "{delay}");
    }
    // After one time unit the instant of the hidden step is somewhere strictly inside.
    let mut after = observe(&model, &["1"], 1);
    assert_eq!(after.states().len(), 1);
    assert!(after.states().all(|state| state.clocks[0] == rational("1/2")));
    assert!(after.outputs().unwrap().is_empty());
}

#[test]
fn running_out_of_internal_steps_is_admitted() {
    let model = hidden_start();
    let after = observe(&model, &["1/2"], 0);
    assert!(!after.is_complete());
    assert_eq!(after.states().len(), 1);
    assert!(observe(&model, &["1/2"], 1).is_complete());
}

#[test]
fn the_budget_bounds_the_search() {
    let model = hidden_start();
    let trace = observed(&model, &["1/1000"]);
    let result = after(Semantics::new(&model), &trace, 60, Budget::steps(10));
    assert_eq!(result.err(), Some(Error::Limit(LimitReached::Steps(10))));
}

/// How many internal steps a trace has.
fn internal_steps(trace: &Trace) -> u32 {
    let internal = |record: &&Record| match record {
        Record::Step(taken) => matches!(taken.event, TraceEvent::Internal(_)),
        Record::Delay(_) => false,
    };
    trace.records.iter().filter(internal).count() as u32
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// The instants of internal steps in a walk are usually not on the grid of the observer, which
    /// must find an equivalent run nevertheless.
    #[test]
    fn what_a_run_shows_is_possible_for_the_observer(seed in any::<u64>()) {
        let mut random = fastrand::Rng::with_seed(seed);
        let model = examples::random::random_open_system(&mut random).validate().unwrap();
        let options = WalkOptions { seed, steps: 5, horizon: rational("3"), ..Default::default() };
        let Ok(walk) = walk(&model, &options) else { return Ok(()) };
        let internal_steps = internal_steps(&walk.trace);
        let limits = ReplayLimits { internal_steps, budget: Budget::steps(20_000) };
        match replay(&model, &walk.trace.observable().unwrap(), limits) {
            Ok(Ok(replayed)) => {
                let same = |state: &State| state.discrete == walk.end.discrete;
                prop_assert!(replayed.states.iter().any(same));
            }
            Ok(Err(stuck)) => prop_assert!(false, "{}\n{stuck}", walk.trace.to_text()),
            // Too many states to look at says nothing.
            Err(error) => prop_assert!(matches!(error, Error::Limit(_))),
        }
    }
}

#[test]
fn random_open_systems_are_worth_testing() {
    let mut decided = 0;
    for seed in 0..100 {
        let mut random = fastrand::Rng::with_seed(seed);
        let model = examples::random::random_open_system(&mut random).validate().unwrap();
        let options = WalkOptions { seed, steps: 5, horizon: rational("3"), ..Default::default() };
        let Ok(walk) = walk(&model, &options) else { continue };
        let internal_steps = internal_steps(&walk.trace);
        let limits = ReplayLimits { internal_steps, budget: Budget::steps(20_000) };
        let observable = walk.trace.observable().unwrap();
        let found = replay(&model, &observable, limits).is_ok();
        let visible = observable.records.iter().any(|record| matches!(record, Record::Step(_)));
        decided += usize::from(found && visible && internal_steps > 0);
    }
    assert!(decided > 25, "{decided}");
}
