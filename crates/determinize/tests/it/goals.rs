//! A condition as the goal of a view: where the view says that it holds everywhere, it holds after every run with the same
//! observation; where the view is certain, it holds after some run; and where it holds after some run, the view shows it.
//! Which runs there are is decided by the reference semantics.

use proptest::prelude::*;
use tioga_base::{Budget, Id, Rational};
use tioga_concrete::{Observable, Observed, Observer, Semantics, State};
use tioga_determinize::{Acceptance, Determinized, Resources, Subject, determinize};
use tioga_model::{
    ClockBound, Composer, Condition, Direction, Formula, Model, Predicate, StepLabel,
};

use crate::random::automaton;

fn goal(model: &Model) -> &Condition {
    let Formula::Reachable(Predicate::Holds(condition)) = &model.queries[0].formula else {
        panic!("the query asks for a condition");
    };
    condition
}

fn holds(bounds: &[ClockBound], state: &State) -> bool {
    bounds.iter().all(|bound| {
        let value = |clock: Option<tioga_model::ClockId>| {
            clock.map_or(Rational::ZERO, |clock| state.clocks[clock.index()])
        };
        let difference = value(bound.left).sub(value(bound.right)).unwrap();
        let limit = Rational::integer(bound.bound);
        if bound.strict { difference < limit } else { difference <= limit }
    })
}

/// Whether some state that explains the observation satisfies the goal, and whether all do.
fn reached(model: &Model, observer: &Observer<'_>) -> (bool, bool) {
    let mut composer = Composer::new(model);
    let mut satisfies = |state: &State| {
        let guard =
            composer.condition(&state.discrete, goal(model), model.queries[0].span).unwrap();
        guard.disjuncts.iter().any(|bounds| holds(bounds, state))
    };
    (observer.states().any(&mut satisfies), observer.states().all(&mut satisfies))
}

/// What the view says of its state, the surest if there is something.
fn find_acceptance(result: &Determinized, observer: &Observer<'_>) -> Option<Acceptance> {
    let states = observer.states();
    let goals = states.flat_map(|state| result.goals.iter().map(move |goal| (state, goal)));
    let here = goals.filter(|(state, goal)| {
        state.discrete.locations[0] == goal.location && holds(&goal.clocks, state)
    });
    here.map(|(_, goal)| goal.acceptance).max()
}

fn observed(model: &Model, choice: u8) -> Observed {
    let labels: Vec<StepLabel> = model
        .channels
        .iter_ids()
        .filter_map(|(id, channel)| match channel.direction? {
            Direction::Input => Some(StepLabel::Input(id)),
            Direction::Output => Some(StepLabel::Output(id)),
        })
        .collect();
    let choice = usize::from(choice) % (labels.len() + 3);
    match labels.get(choice) {
        Some(label) => {
            let (arguments, reply) = (Default::default(), Default::default());
            Observed::Action(Observable { label: *label, arguments, reply })
        }
        None => {
            let (count, of) = [(1, 2), (1, 1), (1, 4)][choice - labels.len()];
            Observed::Delay(Rational::new(count, of).unwrap())
        }
    }
}

fn observer(model: &Model, internal: u32) -> Observer<'_> {
    Observer::new(Semantics::new(model), 4, internal, Budget::steps(100_000)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn a_view_knows_where_a_condition_holds(
        drawn in automaton(),
        at in 0..2u32,
        when in prop_oneof![
            2 => Just(""), 1 => Just(" && A.x >= 1"), 1 => Just(" && A.x < 2"), 1 => Just(" && A.y == 1"),
            1 => Just(" && A.y > 3"),
        ],
        runs in prop::collection::vec(prop::collection::vec(any::<u8>(), 12), 12),
    ) {
        let model = tioga_testkit::model(&format!("{drawn}query E<> A.l{at}{when};\n"));
        let subject = Subject { model: &model, goal: Some((goal(&model), model.queries[0].span)) };
        let resources = Resources { clocks: 2, ..subject.resources().unwrap() };
        let result = determinize(subject, resources, &mut Budget::steps(15_000)).unwrap();
        let exact = result.exactness.is_exact();
        let view = result.network.clone().validate().unwrap();
        prop_assert_eq!((model.scale, view.scale), (1, 1));
        for choices in &runs {
            let (mut real, mut seen) = (observer(&model, 3), observer(&view, 0));
            for choice in choices {
                let observed = observed(&model, *choice);
                let delayed = matches!(observed, Observed::Delay(_));
                let (mut next, mut next_seen) = (real.clone(), seen.clone());
                if next.observe(&observed).is_err() {
                    break; // The reference has no more budget.
                }
                next_seen.observe(&observed).unwrap();
                if next.is_empty() || next_seen.is_empty() {
                    continue;
                }
                (real, seen) = (next, next_seen);
                let (reached, everywhere) = reached(&model, &real);
                let found = find_acceptance(&result, &seen);
                let certain = found.is_some_and(Acceptance::is_certain);
                // Where the effort ended, the view knows nothing but that.
                let known = !result.exactness.is_cut_short();
                prop_assert!(found.is_some() || !reached || !known, "a condition that holds is not shown");
                // What is left at once counts as where it leads, so states right after an action may differ.
                let doubtful = delayed && !everywhere;
                let all = found == Some(Acceptance::Everywhere);
                prop_assert!(!doubtful || !all, "a condition that may not hold holds everywhere");
                let never = delayed && real.is_complete() && !reached;
                prop_assert!(!never || !certain, "a condition that cannot hold is certain");
                prop_assert!(!exact || found.is_some() == certain, "an exact view is in doubt");
                if exact && delayed && real.is_complete() {
                    prop_assert_eq!(reached, certain, "an exact view is wrong");
                }
            }
        }
    }
}
