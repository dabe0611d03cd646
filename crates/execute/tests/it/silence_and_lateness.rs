//! How long a tester waits in silence, and what it makes of a machine that is late.

use crate::small_cases;
use serde_json::json;
use tioga_adapters::SchedulingDelay;
use tioga_base::{Moment, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{CaseTester, Conclusion, EstimatingTester, Plan, Tester};
use tioga_testcase::{Action, TestCase, Verdict};

fn at(time: i64) -> Moment {
    Moment::exactly(Rational::integer(time))
}

fn action(channel: &str) -> Action {
    Action { channel: channel.to_owned(), values: Vec::new() }
}

/// The small test case, but `done` comes at 5 or later, if ever.
fn unbounded() -> TestCase {
    let mut case = small_cases::case("unbounded", 1);
    case.places[1].invariant = serde_json::from_value(json!([[]])).unwrap();
    let from_five = json!([[{ "right": 0, "bound": -5 }]]);
    case.places[1].edges[0].guard = serde_json::from_value(from_five).unwrap();
    case
}

/// Sends `go` and stays silent: until when the tester waits, wait by wait, and what it concludes.
fn silent(tester: &mut dyn Tester) -> (Vec<Rational>, Conclusion) {
    let mut waits = Vec::new();
    let mut over = None;
    for _ in 0..100 {
        if let Some(conclusion) = over {
            return (waits, conclusion);
        }
        over = match tester.plan().unwrap() {
            Plan::Send(action) => tester.sent(&action, at(0)).unwrap(),
            Plan::Wait { until, .. } => {
                waits.push(until);
                tester.quiet(Moment::exactly(until)).unwrap()
            }
            Plan::Stop(conclusion) => return (waits, conclusion),
        };
    }
    panic!("the tester never ends");
}

#[test]
fn silence_fails_when_the_place_ends_it() {
    for limit in [2, 7] {
        let case = small_cases::case("bounded", limit);
        let mut tester = CaseTester::new(&case, 1, Some(Rational::integer(50))).unwrap();
        let (waits, conclusion) = silent(&mut tester);
        assert_eq!(waits, [Rational::integer(limit + 1)], "patience is for silence without end");
        assert_eq!((conclusion.verdict, conclusion.at), (Verdict::Fail, Rational::integer(limit)));
    }
}

#[test]
fn silence_without_end_is_given_up_after_the_last_bound_of_the_place_and_patience() {
    let case = unbounded();
    // By default patience is the largest constant of the test case.
    for (patience, end) in [(None, 10), (Some(Rational::integer(50)), 55)] {
        let end = Rational::integer(end);
        let mut exact = CaseTester::new(&case, 1, patience).unwrap();
        let mut estimating =
            EstimatingTester::new(&case, &Latencies::default(), 1, patience).unwrap();
        for tester in [&mut exact as &mut dyn Tester, &mut estimating] {
            let (waits, conclusion) = silent(tester);
            assert_eq!(waits.last(), Some(&end));
            assert_eq!((conclusion.verdict, conclusion.at), (Verdict::Inconclusive, end));
            assert!(conclusion.reason.contains("for ever"), "{}", conclusion.reason);
        }
    }
}

#[test]
fn something_that_happens_renews_patience() {
    let case = unbounded();
    let mut tester = CaseTester::new(&case, 1, Some(Rational::integer(50))).unwrap();
    assert_eq!(tester.plan().unwrap(), Plan::Send(action("go")));
    tester.sent(&action("go"), at(100)).unwrap();
    let Plan::Wait { until, .. } = tester.plan().unwrap() else { panic!("there is time") };
    assert_eq!(until, Rational::integer(155));
}

/// A tester that waits for `done` within 2, after `go` was sent at 0.
fn waiting(case: &TestCase) -> EstimatingTester<'_> {
    let mut tester = EstimatingTester::new(case, &Latencies::default(), 1, None).unwrap();
    assert!(tester.sent(&action("go"), at(0)).unwrap().is_none());
    tester
}

#[test]
fn an_input_is_not_sent_again_while_its_answer_is_overdue() {
    let case = small_cases::case("overdue", 2);
    let way = Moment::between(Rational::ZERO, Rational::ONE).unwrap();
    let latencies = Latencies { input: way, output: way, jitter: Rational::ONE };
    let mut tester = EstimatingTester::new(&case, &latencies, 1, None).unwrap();
    assert_eq!(tester.plan().unwrap(), Plan::Send(action("go")));
    assert!(tester.sent(&action("go"), at(0)).unwrap().is_none());
    for time in 1..=6 {
        let plan = tester.plan().unwrap();
        assert!(matches!(plan, Plan::Wait { .. }), "before {time}: {plan:?}");
        assert!(tester.quiet(at(time)).unwrap().is_none());
    }
    assert_eq!(tester.quiet(at(7)).unwrap().unwrap().verdict, Verdict::Fail);
}

fn delay(from: i64, until: i64, length: i64) -> SchedulingDelay {
    let [from, until, length] = [from, until, length].map(Rational::integer);
    SchedulingDelay { from, until, length }
}

#[test]
fn a_late_output_fails_if_the_machine_was_never_late() {
    let case = small_cases::case("late", 2);
    let mut tester = waiting(&case);
    let failed = tester.heard(&action("done"), at(4)).unwrap().unwrap();
    assert_eq!(failed.verdict, Verdict::Fail);
    assert!(!failed.reason.contains("machine"), "{}", failed.reason);
    assert!(!tester.relies_on_delay());
}

#[test]
fn a_stall_on_the_way_of_an_output_makes_the_run_inconclusive() {
    let case = small_cases::case("late", 2);
    let mut tester = waiting(&case);
    tester.scheduling_delay(delay(1, 3, 2)).unwrap();
    assert!(tester.quiet(at(3)).unwrap().is_none(), "it may still be under way");
    tester.scheduling_delay(delay(3, 4, 1)).unwrap();
    let heard = tester.heard(&action("done"), at(4)).unwrap().unwrap();
    assert_eq!(heard.verdict, Verdict::Inconclusive);
    let expected = "only scheduling delay (2 at 3) explains that the system was silent";
    assert!(heard.reason.contains(expected), "{}", heard.reason);
    assert!(tester.relies_on_delay());
}

#[test]
fn a_stall_elsewhere_does_not_save_a_late_output() {
    let case = small_cases::case("late", 2);
    let mut tester = waiting(&case);
    tester.scheduling_delay(delay(0, 1, 1)).unwrap();
    // The input may have been late by 1, so silence is fine up to 3, and not beyond.
    assert!(tester.quiet(at(3)).unwrap().is_none());
    let failed = tester.quiet(at(4)).unwrap().unwrap();
    assert_eq!(failed.verdict, Verdict::Fail);
    let named = "host delays up to 1, none here";
    assert!(failed.reason.contains(named), "{}", failed.reason);

    let mut early = EstimatingTester::new(&case, &Latencies::default(), 1, None).unwrap();
    assert!(early.quiet(at(5)).unwrap().is_none());
    early.scheduling_delay(delay(1, 4, 3)).unwrap();
    assert!(early.sent(&action("go"), at(5)).unwrap().is_none());
    let failed = early.heard(&action("done"), at(8)).unwrap().unwrap();
    assert_eq!(failed.verdict, Verdict::Fail, "the delay was over before anything was under way");
}

#[test]
fn a_stall_does_not_explain_more_than_its_length() {
    let case = small_cases::case("late", 2);
    for (heard, verdict) in [(4, Verdict::Inconclusive), (5, Verdict::Fail)] {
        let mut tester = waiting(&case);
        // There were waits after the input had arrived, of 2 together.
        tester.scheduling_delay(delay(1, 5, 1)).unwrap();
        tester.scheduling_delay(delay(3, 5, 1)).unwrap();
        let conclusion = tester.heard(&action("done"), at(heard)).unwrap().unwrap();
        assert_eq!(conclusion.verdict, verdict, "{}", conclusion.reason);
    }
}

#[test]
fn a_run_that_the_declared_latencies_explain_passes_whatever_the_machine_did() {
    let case = small_cases::case("late", 2);
    let mut tester = waiting(&case);
    tester.scheduling_delay(delay(0, 9, 9)).unwrap();
    let passed = tester.heard(&action("done"), at(2)).unwrap().unwrap();
    assert_eq!(passed.verdict, Verdict::Pass);
    assert!(!tester.relies_on_delay());
}

#[test]
fn a_spoiled_run_can_still_fail() {
    let case = small_cases::case("late", 2);
    let mut tester = waiting(&case);
    tester.scheduling_delay(delay(1, 3, 1)).unwrap();
    assert!(tester.quiet(at(3)).unwrap().is_none());
    assert!(tester.relies_on_delay());
    let failed = tester.quiet(at(5)).unwrap().unwrap();
    assert_eq!(failed.verdict, Verdict::Fail);
}

/// The small test case, but after `done` a second one has to come within 2.
fn twice() -> TestCase {
    let mut case = small_cases::case("twice", 2);
    let mut again = case.places[1].clone();
    let over = case.places.pop().unwrap();
    case.places[1].edges[0].sets = case.places[0].edges[0].sets.clone();
    again.edges[0].target = 3;
    case.places.extend([again, over]);
    case
}

#[test]
fn a_system_that_was_delayed_once_may_stay_late() {
    // It answers after 1 and after another 2, but waits for 4 at first, and counts from there.
    let case = twice();
    let mut tester = waiting(&case);
    tester.scheduling_delay(delay(1, 5, 4)).unwrap();
    assert!(tester.heard(&action("done"), at(5)).unwrap().is_none());
    assert!(tester.relies_on_delay());
    let over = tester.heard(&action("done"), at(7)).unwrap().unwrap();
    assert_eq!(over.verdict, Verdict::Inconclusive, "{}", over.reason);

    let mut tester = waiting(&case);
    tester.scheduling_delay(delay(1, 5, 4)).unwrap();
    assert!(tester.heard(&action("done"), at(5)).unwrap().is_none());
    let failed = tester.quiet(at(12)).unwrap().unwrap();
    assert_eq!(failed.verdict, Verdict::Fail, "not even that explains so much");
}

#[test]
fn lateness_never_explains_what_comes_too_early() {
    let case = unbounded();
    let mut tester = waiting(&case);
    tester.scheduling_delay(delay(0, 100, 100)).unwrap();
    let failed = tester.heard(&action("done"), at(4)).unwrap().unwrap();
    assert_eq!(failed.verdict, Verdict::Fail);
}
