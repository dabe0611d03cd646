//! Times that are finer than zones can count, and times that are far away.

use crate::support::{estimator, observe, observe_all};
use tioga_base::{Moment, Rational};
use tioga_estimate::{Explained, Latencies};
use tioga_testcase::Action;
use tioga_testkit::model;

/// An answer between 1 and 2 after each `a`; the constant of another location is large.
fn server(unrelated: u32) -> String {
    format!(
        "input a; output b, c;
        automaton S {{
          clock x;
          init location Idle;
          location Busy invariant x <= 2;
          location Other;
          Idle -> Busy : a? do x = 0;
          Busy -> Idle : b! when x >= 1;
          Other -> Other : c! when x >= {unrelated};
        }}"
    )
}

#[test]
fn a_deadline_is_exact_however_fine_the_time_and_however_large_other_constants_are() {
    for unrelated in [3, 1_000_000, 100_000_000] {
        let server = model(&server(unrelated));
        for (ask, answers) in [
            (
                "0",
                [
                    ("1", true),
                    ("2", true),
                    ("2.000001", false),
                    ("2.5", false),
                    ("0.999999999", false),
                ],
            ),
            (
                "0.000000001",
                [
                    ("1.000000001", true),
                    ("2.000000001", true),
                    ("2.000000002", false),
                    ("1", false),
                    ("5/2", false),
                ],
            ),
            (
                "1/3",
                [
                    ("4/3", true),
                    ("7/3", true),
                    ("2.333333334", false),
                    ("1.3333333", false),
                    ("2", true),
                ],
            ),
        ] {
            for (answer, explained) in answers {
                let mut one = estimator(&server, Latencies::NONE);
                assert_eq!(observe(&mut one, &format!("a? {ask}")).unwrap(), Explained::Yes);
                let found = observe(&mut one, &format!("b! {answer}")).unwrap();
                let expected = if explained { Explained::Yes } else { Explained::NoOutput };
                assert_eq!(found, expected, "{unrelated}: a at {ask}, b at {answer}");
                assert_eq!(one.rounding(), None);
            }
            let mut silent = estimator(&server, Latencies::NONE);
            assert_eq!(observe(&mut silent, &format!("a? {ask}")).unwrap(), Explained::Yes);
            let late = if ask == "0" { "2.000000001" } else { "2.4" };
            assert_eq!(observe(&mut silent, &format!("- {late}")).unwrap(), Explained::Late);
        }
    }
}

/// One nanosecond too early or too late is noticed in every round, for thousands of rounds.
#[test]
fn a_nanosecond_is_noticed_in_a_long_log() {
    let server = model(&server(3));
    let nano = |number: i64| Moment::exactly(Rational::new(number, 1_000_000_000).unwrap());
    let action = |name: &str| Action { channel: name.to_owned(), values: Vec::new() };
    let (ask, answer) = (action("a"), action("b"));
    for start in [0, 1_700_000_000_000_000_000] {
        let mut one = estimator(&server, Latencies::NONE);
        let mut now = start;
        for round in 0..2000 {
            now += 999_999_937 + round;
            assert_eq!(one.sent(&ask, nano(now)).unwrap(), Explained::Yes);
            for wrong in [999_999_999, 2_000_000_001] {
                assert_eq!(one.heard(&answer, nano(now + wrong)).unwrap(), Explained::NoOutput);
            }
            now += if round % 2 == 0 { 1_000_000_000 } else { 2_000_000_000 };
            assert_eq!(one.heard(&answer, nano(now)).unwrap(), Explained::Yes);
        }
        assert_eq!(one.rounding(), None);
    }
}

/// Two clocks that are set at different times cannot both be exact, and that is said.
#[test]
fn rounding_is_told() {
    let two = model(
        "input a; output b;
        automaton S {
          clock x, y;
          init location Idle;
          location Busy invariant x <= 2 && y <= 100;
          Idle -> Busy : a? do x = 0;
          Busy -> Idle : b! when x >= 1;
        }",
    );
    let mut one = estimator(&two, Latencies::NONE);
    assert_eq!(observe_all(&mut one, "a? 1/4, b! 5/4"), Explained::Yes);
    assert_eq!(one.rounding(), None);
    assert_eq!(observe_all(&mut one, "a? 2.000000001, b! 3.5"), Explained::Yes);
    let rounding = one.rounding().unwrap();
    assert!(rounding < Rational::new(1, 50_000).unwrap(), "{rounding}");
    assert_eq!(observe_all(&mut one, "a? 98.000000001, b! 100.0000001"), Explained::NoOutput);
}

#[test]
fn far_futures_are_jumped() {
    let far = ["1000000", "1700000000", "1700000000000000000", "9000000000000000000"];
    let ticking = "input a; output b; internal tick;
        automaton S {
          clock x, y;
          init location Idle invariant x <= 3;
          location Busy invariant y <= 2;
          Idle -> Idle : tick when x >= 3 do x = 0;
          Idle -> Busy : a? when x == 1 do y = 0;
          Busy -> Idle : b! do x = 0;
        }";
    let compared = "input a; output b;
        automaton S {
          clock x, y;
          init location Idle;
          location Busy invariant y <= 2;
          Idle -> Busy : a? when x - y <= 3 do y = 0;
          Busy -> Idle : b! when y >= 1;
        }";
    for text in [&server(3), &server(100_000_000), compared] {
        let server = model(text);
        for time in far {
            let mut one = estimator(&server, Latencies::NONE);
            assert_eq!(observe_all(&mut one, &format!("a? {time}")), Explained::Yes, "{text}");
        }
        let mut late = estimator(&server, Latencies::NONE);
        assert_eq!(observe_all(&mut late, "a? 5, - 1700000000000000000"), Explained::Late);
    }
    // The phase of what happens unseen is kept: the remainder by 3 decides.
    let ticking = model(ticking);
    for (time, explained) in [
        ("1000000", Explained::Yes),
        ("1000001", Explained::Unspecified),
        ("1700000000000000002", Explained::Yes),
        ("1700000000000000000", Explained::Unspecified),
    ] {
        let mut one = estimator(&ticking, Latencies::NONE);
        assert_eq!(observe_all(&mut one, &format!("a? {time}")), explained, "{time}");
    }
}
