//! Systems that behave as their models, on a machine that stands still now and then: they never fail.

use crate::support::{Lagging, run, synthesized};
use proptest::prelude::*;
use tioga_base::{Moment, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{EstimatingTester, OnlineOptions, OnlineTester, Outcome};
use tioga_testcase::Shape;
use tioga_testkit::example;

fn quarters(count: i64) -> Rational {
    Rational::new(count, 4).unwrap()
}

/// Pauses, one after the other, from how long each waits for the last to end and how long it is.
fn pauses(lengths: &[(i64, i64)]) -> Vec<(Rational, Rational)> {
    let mut time = 0;
    let mut pauses = Vec::new();
    for (gap, length) in lengths {
        let from = time + gap;
        time = from + length;
        pauses.push((quarters(from), quarters(time)));
    }
    pauses
}

fn allowed() -> Latencies {
    let way = Moment::between(Rational::ZERO, quarters(2)).unwrap();
    Latencies { input: way, output: way, jitter: quarters(1) }
}

proptest! {
    #[test]
    fn pauses_never_make_a_test_case_fail(
        lengths in proptest::collection::vec((1i64..40, 1i64..20), 0..12),
        ways in (0i64..=2, 0i64..=2),
        seed in 0u64..1000,
        example_index in 0usize..2,
    ) {
        let name = ["smart-light", "problematic-light"][example_index];
        let model = example(name);
        let case = synthesized(&model, Shape::Strategy);
        let mut system = Lagging::new(&model, (quarters(ways.0), quarters(ways.1), quarters(1)));
        system.pauses = pauses(&lengths);
        let mut tester = EstimatingTester::new(&case, &allowed(), seed, None).unwrap();
        let (ending, events) = run(&mut system, &mut tester, seed);
        let fine = matches!(ending.outcome, Outcome::Pass | Outcome::Inconclusive);
        prop_assert!(fine, "{ending:?} {events:#?}");
    }

    #[test]
    fn pauses_never_make_an_on_line_test_fail(
        lengths in proptest::collection::vec((1i64..40, 1i64..20), 0..12),
        seed in 0u64..1000,
    ) {
        let model = example("smart-light");
        let mut system = Lagging::new(&model, (quarters(1), quarters(2), quarters(1)));
        system.pauses = pauses(&lengths);
        let options = OnlineOptions {
            goal: None,
            keep: None,
            guide: None,
            actions: 20,
            lasts: None,
            longest_wait: Rational::integer(5),
            latencies: allowed(),
            seed,
        };
        let mut tester = OnlineTester::new(&model, options).unwrap();
        let (ending, events) = run(&mut system, &mut tester, seed);
        let fine = matches!(ending.outcome, Outcome::Pass | Outcome::Inconclusive);
        prop_assert!(fine, "{ending:?} {events:#?}");
    }
}

#[test]
fn pauses_that_nobody_notices_do_and_those_that_are_noticed_spoil() {
    let model = example("smart-light");
    let case = synthesized(&model, Shape::Strategy);
    let count = |admits: bool| {
        let (mut failed, mut spoiled, mut passed) = (0, 0, 0);
        for seed in 0..60 {
            let mut system = Lagging::new(&model, (quarters(1), quarters(1), quarters(1)));
            system.pauses = pauses(&[(3, 9), (5, 14), (2, 20), (30, 16)]);
            system.admits = admits;
            let mut tester = EstimatingTester::new(&case, &allowed(), seed, None).unwrap();
            let (ending, _) = run(&mut system, &mut tester, seed);
            failed += u32::from(ending.outcome == Outcome::Fail);
            passed += u32::from(ending.outcome == Outcome::Pass);
            spoiled += u32::from(ending.relies_on_delay);
        }
        (failed, spoiled, passed)
    };
    let (failed, spoiled, _) = count(false);
    assert!(failed > 0 && spoiled == 0, "{failed} failed, {spoiled} spoiled");
    let (failed, spoiled, passed) = count(true);
    assert!(failed == 0 && spoiled > 0 && passed > 0, "{failed}, {spoiled}, {passed}");
}
