//! Test cases, and runs of them against systems that behave as a model says.

use tioga_base::Rational;
use tioga_concrete::{Event, Semantics, State, label_of};
use tioga_model::{Control, Model, Move};
use tioga_synthesize::Error;
use tioga_testcase::{Action, Follower, Intention, Scope, Shape, Side, Step, TestCase, Verdict};
use tioga_testkit::{objectives, test_case};

pub fn synthesized(model: &Model, shape: Shape) -> TestCase {
    attempted(model, shape).unwrap()
}

/// The test case for the first objective of a model, if there is one.
pub fn attempted(model: &Model, shape: Shape) -> Result<TestCase, Error> {
    test_case(model, &objectives(model)[0], Scope::Cooperative, shape, 50)
}

pub fn action(model: &Model, step: &Move) -> Action {
    match label_of(model, step) {
        Event::Input(channel, values) | Event::Output(channel, values) => {
            let values = values.iter().map(ToString::to_string).collect();
            Action { channel, values }
        }
        other => panic!("{other:?}"),
    }
}

/// One run of a test case against a system that behaves as a model says, by chance.
pub fn run(case: &TestCase, system: &Model, seed: u64) -> (Option<Verdict>, String) {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut semantics = Semantics::new(system);
    let mut state: State = semantics.initial().unwrap();
    let mut tester = Follower::new(case);
    for _ in 0..200 {
        if let Some((verdict, reason)) = tester.verdict().unwrap() {
            return (Some(verdict), reason.to_owned());
        }
        let (mut send, until) = match tester.intention().unwrap() {
            Intention::Send(action) => (Some(action), Some(Rational::ZERO)),
            Intention::Wait { until, .. } => (None, until),
            Intention::Open(choices) => (random.choice(choices), None),
        };
        // What the system may do before the tester does what it wants.
        let options = semantics.options(&state).unwrap();
        let outputs = options.choices.iter().filter(|c| c.step.control == Control::Uncontrollable);
        let mut plans: Vec<(Rational, Option<Move>)> = Vec::new();
        for choice in outputs {
            for part in choice.windows.parts() {
                let (lower, open) = part.lower();
                let upper = part.upper().map_or(lower.add(Rational::integer(3)).unwrap(), |u| u.0);
                let middle = lower.add(upper).unwrap().div(Rational::integer(2)).unwrap();
                // Halving again and again would make numbers too large.
                let middle = Some(middle).filter(|middle| open || middle.denominator() <= 1024);
                for delay in [(!open).then_some(lower), middle, Some(upper)].into_iter().flatten() {
                    let fits = until.is_none_or(|until| delay <= until);
                    if fits && (send.is_none() || delay.is_zero()) && part.contains(delay) {
                        plans.push((delay, Some(choice.step.clone())));
                    }
                }
            }
        }
        let end = options.delays.upper().map(|(end, _)| end);
        match (send.is_some(), until) {
            (true, _) => plans.push((Rational::ZERO, None)),
            (false, Some(until)) if end.is_none_or(|end| until <= end) => {
                plans.push((until, None));
            }
            _ if plans.is_empty() => plans.push((end.unwrap_or(Rational::integer(100)), None)),
            _ => {}
        }
        let (delay, output) = random.choice(plans).unwrap();
        match tester.delay(delay).unwrap() {
            Step::Going | Step::Unplanned => {}
            Step::Over { verdict, reason, .. } => return (Some(verdict), reason),
        }
        state = state.later(delay).unwrap();
        let (side, seen) = match &output {
            Some(step) => {
                let seen = action(system, step);
                state = semantics.step(&state, step).unwrap();
                (Side::System, seen)
            }
            None => match send.take() {
                Some(seen) => {
                    let options = semantics.options(&state).unwrap();
                    let step = options.now().find(|step| {
                        step.control == Control::Controllable && action(system, step) == seen
                    });
                    state = semantics.step(&state, &step.unwrap().clone()).unwrap();
                    (Side::Tester, seen)
                }
                None => continue,
            },
        };
        match tester.act(side, &seen).unwrap() {
            Step::Going => {}
            Step::Unplanned => panic!("the test case wanted to send {seen:?}"),
            Step::Over { verdict, reason, .. } => return (Some(verdict), reason),
        }
    }
    (None, String::new())
}

pub fn verdicts(case: &TestCase, system: &Model, runs: u64) -> Vec<(Option<Verdict>, String)> {
    (0..runs).map(|seed| run(case, system, seed)).collect()
}
