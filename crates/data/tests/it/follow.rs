//! Reachability over classes is that of enumeration, and runs over representatives are runs of the model.

use fastrand::Rng;
use tioga_base::{Budget, Rational, Span};
use tioga_concrete::Semantics;
use tioga_data::{Classes, Follower, NoClasses, Solver, classes};
use tioga_explore::SearchOptions;
use tioga_model::{Composer, Formula, Model, Predicate, Steps};
use tioga_symbolic::{Abstraction, Reach, ReachAnswer, TimedStep, ZoneGraph};
use tioga_testkit::model;

use crate::random;

/// How many classes are examined at most; models with more are passed over.
const MOST: u64 = 200;

/// The seeds to try; more on demand.
fn seeds() -> Vec<u64> {
    let rounds = std::env::var("TIOGA_ROUNDS").ok().and_then(|text| text.parse().ok());
    (0..rounds.unwrap_or(15)).collect()
}

fn answer(model: &Model, predicate: &Predicate) -> ReachAnswer {
    let graph = ZoneGraph::new(model, Abstraction::LuPlus, &[predicate]).unwrap();
    let goal = Some((predicate, Span::default()));
    let options = SearchOptions { threads: 1, ..SearchOptions::default() };
    Reach::ask(&graph, goal, &options, &mut |_| {}).answer
}

fn classed(plain: &Model) -> Option<(Model, Classes)> {
    let conditions = plain.queries.iter().flat_map(|query| query.formula.parts().1);
    let asked: Vec<_> = conditions
        .filter_map(|predicate| match predicate {
            Predicate::Holds(condition) => Some(condition.clone()),
            _ => None,
        })
        .collect();
    let found = match classes(plain, &asked, &mut Solver::new(), &mut Budget::steps(MOST)) {
        Ok(found) => found,
        Err(NoClasses::Limit(_)) => return None,
        Err(why) => panic!("{why}"),
    };
    Some((plain.clone().with_classes(found.data.clone()), found))
}

/// The run as one of the model itself; the reference semantics accepts it.
fn followed(plain: &Model, classes: &Classes, run: &[TimedStep], seed: u64) -> Vec<TimedStep> {
    let mut follower = Follower::new(plain, classes, Solver::new());
    let mut semantics = Semantics::new(plain);
    let mut state = semantics.initial().unwrap();
    let mut all = Vec::new();
    for TimedStep { delay, step } in run {
        state = semantics.delay(&state, *delay).unwrap().unwrap();
        let real = step.as_ref().map(|step| follower.step(step).unwrap());
        if let Some(step) = &real {
            let options = semantics.options(&state).unwrap();
            let offered = options
                .choices
                .iter()
                .any(|choice| choice.step == *step && choice.windows.contains(Rational::ZERO));
            assert!(offered, "seed {seed}: {step:?} is possible");
            state = semantics.step(&state, step).unwrap();
            assert_eq!(&state.discrete, follower.state());
        }
        all.push(TimedStep { delay: *delay, step: real });
    }
    all
}

#[test]
fn what_is_reachable_is_that_of_enumeration_and_runs_are_real() {
    let (mut reached, mut unreached) = (0, 0);
    for seed in seeds() {
        let random = &mut Rng::with_seed(seed);
        let text = random::model(random);
        let (one, two) = (random.u8(..18), random.u8(..18));
        let goal = match random.u8(..2) {
            0 => format!("A.a == {one}"),
            _ => format!("A.a > A.b + {one}"),
        };
        let text = format!(
            "{text}query E<> A.Goal;\nquery E<> A.L2 && {goal};\nquery E<> A.L1 && A.a == {two};\n"
        );
        let plain = model(&text);
        let Some((over, classes)) = classed(&plain) else { continue };
        for query in &plain.queries {
            let Formula::Reachable(predicate) = &query.formula else { unreachable!() };
            match (answer(&plain, predicate), answer(&over, predicate)) {
                (ReachAnswer::Reachable(_), ReachAnswer::Reachable(run)) => {
                    reached += 1;
                    let run = followed(&plain, &classes, &run, seed);
                    let end = end(&plain, &run);
                    let Predicate::Holds(condition) = predicate else { unreachable!() };
                    let mut composer = Composer::new(&plain);
                    let holds = composer.condition(&end, condition, Span::default()).unwrap();
                    assert!(!holds.is_never(), "seed {seed}: the goal holds at the end\n{text}");
                }
                (ReachAnswer::Unreachable, ReachAnswer::Unreachable) => unreached += 1,
                (expected, found) => {
                    panic!("seed {seed}: {expected:?} against {found:?}\n{text}")
                }
            }
        }
    }
    assert!(reached > seeds().len() / 2, "{reached} goals are reached");
    assert!(unreached > 0, "{unreached} goals are not reached");
}

fn end(plain: &Model, run: &[TimedStep]) -> tioga_model::DiscreteState {
    let mut composer = Composer::new(plain);
    let mut state = composer.initial();
    for step in run.iter().filter_map(|one| one.step.as_ref()) {
        state = composer.apply(&state, step).unwrap().target;
    }
    state
}

#[test]
fn random_walks_over_representatives_are_walks_of_the_model() {
    let mut taken = 0;
    for seed in seeds() {
        let random = &mut Rng::with_seed(seed);
        let plain = model(&random::model(random));
        let Some((over, classes)) = classed(&plain) else { continue };
        let mut composer = Composer::new(&over);
        for _ in 0..10 {
            let mut follower = Follower::new(&plain, &classes, Solver::new());
            let mut state = composer.initial();
            let mut steps = Steps::new();
            for _ in 0..12 {
                composer.steps(&state, &mut steps);
                steps.list.retain(|step| composer.apply(&state, step).is_ok());
                if steps.list.is_empty() {
                    break;
                }
                let step = &steps.list[random.usize(..steps.list.len())];
                let real = follower.step(step).unwrap();
                assert_eq!(real.participants, step.participants, "seed {seed}");
                assert_eq!(real.guard, step.guard, "seed {seed}");
                state = composer.apply(&state, step).unwrap().target;
                let own = classes.representative(follower.state());
                assert_eq!(own, Some(&state), "seed {seed}: it stays in the class");
                taken += 1;
            }
        }
    }
    assert!(taken > 100, "{taken} steps");
}
