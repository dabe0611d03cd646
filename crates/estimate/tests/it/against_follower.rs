//! A test case as a board: with exact time and no latency, the same as following it.

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tioga_base::{Moment, Rational};
use tioga_estimate::{CaseBoard, Estimator, Explained, Latencies};
use tioga_model::Model;
use tioga_testcase::{Followed, Follower, Scope, Shape, Side, TestCase, Verdict};
use tioga_testkit::{example, objectives, test_case};

fn synthesized(model: &Model, shape: Shape) -> TestCase {
    test_case(model, &objectives(model)[0], Scope::Cooperative, shape, 50).unwrap()
}

/// Lets both follow the same events until the test is over.
fn compare(case: &TestCase, attempts: &[(i64, usize)]) -> Result<(), TestCaseError> {
    let mut follower = Follower::new(case);
    let mut one = Estimator::new(CaseBoard::new(case).unwrap(), Latencies::NONE).unwrap();
    let mut now = Rational::ZERO;
    for (halves, which) in attempts {
        let delay = Rational::new(*halves, 2).unwrap();
        let time = now.add(delay).unwrap();
        let step = follower.delay(delay).unwrap();
        let mut before = one.clone();
        let quiet = one.quiet(time).unwrap();
        match step {
            Followed::Going | Followed::Unplanned => {
                prop_assert_eq!(quiet, Explained::Yes, "{} at {}", case.name, time)
            }
            Followed::Over { verdict: Verdict::Fail, .. } => {
                prop_assert_eq!(quiet, Explained::Late, "{} at {}", case.name, time);
                return Ok(());
            }
            // A verdict that holds on the way only is seen afterwards, and foretold.
            Followed::Over { verdict, after, .. } => {
                prop_assert!(one.verdict(verdict).unwrap().all, "{} at {}", case.name, time);
                let foretold = before.earliest_verdict(verdict, time).unwrap();
                prop_assert_eq!(foretold.map(|(at, _)| at), Some(now.add(after).unwrap()));
                return Ok(());
            }
        }
        now = time;
        let all: Vec<_> = case
            .inputs
            .iter()
            .map(|action| (Side::Tester, action))
            .chain(case.outputs.iter().map(|action| (Side::System, action)))
            .collect();
        let (side, action) = all[which % all.len()];
        let possible = follower.place().edges.iter().any(|edge| {
            let mut tried = follower.clone();
            edge.by == side
                && edge.action == *action
                && !matches!(
                    tried.act(side, action).unwrap(),
                    Followed::Over { verdict: Verdict::Fail, .. } | Followed::Unplanned
                )
        });
        let at = Moment::exactly(now);
        if !possible {
            let wrong = match side {
                Side::Tester => (one.sent(action, at).unwrap(), Explained::Unspecified),
                Side::System => (one.heard(action, at).unwrap(), Explained::NoOutput),
            };
            prop_assert_eq!(wrong.0, wrong.1, "{:?} {:?} at {}", side, action, now);
            continue;
        }
        let step = follower.act(side, action).unwrap();
        let explained = match side {
            Side::Tester => one.sent(action, at).unwrap(),
            Side::System => one.heard(action, at).unwrap(),
        };
        prop_assert_eq!(explained, Explained::Yes, "{:?} {:?} at {}", side, action, now);
        let sample = one.sample().unwrap().unwrap();
        prop_assert!(std::ptr::eq(one.board().place(sample.state), follower.place()));
        for verdict in [Verdict::Pass, Verdict::Inconclusive, Verdict::Fail] {
            let holds = one.verdict(verdict).unwrap();
            let followed =
                matches!(&step, Followed::Over { verdict: other, .. } if *other == verdict);
            prop_assert_eq!((holds.some, holds.all), (followed, followed), "{:?}", verdict);
        }
        if step != Followed::Going {
            return Ok(());
        }
    }
    Ok(())
}

#[test]
fn test_cases_of_the_examples() {
    let names = ["smart-light", "problematic-light", "conveyor-game", "complex"];
    let mut cases = Vec::new();
    for name in names {
        let model = example(name);
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            let mut case = synthesized(&model, shape);
            case.name = format!("{name} {shape:?}");
            cases.push(case);
        }
    }
    let attempts = prop::collection::vec((0..=9i64, 0..20usize), 1..=20);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(600));
    let chosen = (0..cases.len(), attempts);
    runner.run(&chosen, |(which, attempts)| compare(&cases[which], &attempts)).unwrap();
}
