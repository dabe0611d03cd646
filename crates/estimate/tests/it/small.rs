//! Small models, observations and answers worked out by hand.

use crate::support::{estimator, moment, observe, observe_all, rational};
use tioga_base::{Moment, Rational};
use tioga_estimate::{Error, Estimator, Explained, Latencies, ModelBoard};
use tioga_model::{Formula, Predicate};
use tioga_testcase::Action;
use tioga_testkit::{example, model};

/// An answer `b` between 1 and 2 after each `a`, which is accepted while nothing is being done.
const SERVER: &str = "input a; output b;
automaton S {
  clock x;
  init location Idle;
  location Busy invariant x <= 2;
  Idle -> Busy : a? do x = 0;
  Busy -> Idle : b! when x >= 1;
}";

fn latency(input: &str, output: &str, jitter: &str) -> Latencies {
    Latencies { input: moment(input), output: moment(output), jitter: rational(jitter) }
}

#[test]
fn without_latency_times_are_exact() {
    let server = model(SERVER);
    for (trace, expected) in [
        ("a? 3, b! 4", Explained::Yes),
        ("a? 3, b! 5", Explained::Yes),
        ("a? 3, b! 39/10", Explained::NoOutput),
        ("a? 3, b! 51/10", Explained::NoOutput),
        ("a? 3, - 5", Explained::Yes),
        ("a? 3, - 51/10", Explained::Late),
        ("a? 3, a? 4", Explained::Unspecified),
        ("b! 1", Explained::NoOutput),
        ("- 1000000000, a? 1000000000, b! 1000000001", Explained::Yes),
        ("a? 3, - 1000000000", Explained::Late),
        ("a? 1/3, b! 4/3, a? 7/5, b! 17/5", Explained::Yes),
        ("a? 1/3, b! 4/3, a? 7/5, b! 18/5", Explained::NoOutput),
    ] {
        let mut one = estimator(&server, Latencies::NONE);
        assert_eq!(observe_all(&mut one, trace), expected, "{trace}");
    }
}

#[test]
fn inexact_moments_are_as_good_as_some_exact_ones() {
    let server = model(SERVER);
    for (trace, expected) in [
        ("a? 3..4, b! 4", Explained::Yes),
        ("a? 3..4, b! 6", Explained::Yes),
        ("a? 3..4, b! 61/10", Explained::NoOutput),
        ("a? 3..4, b! 6, a? 6, b! 7", Explained::Yes),
        ("a? 3..4, - 6", Explained::Yes),
        ("a? 3..4, - 61/10", Explained::Late),
        // The same moment cannot be late for one and early for another observation.
        ("a? 3..4, b! 4..5, a? 9/2..5, b! 5", Explained::NoOutput),
        ("a? 3..4, b! 4..5, a? 4..5, b! 5", Explained::Yes),
    ] {
        let mut one = estimator(&server, Latencies::NONE);
        assert_eq!(observe_all(&mut one, trace), expected, "{trace}");
    }
}

#[test]
fn latencies_widen_what_is_allowed_by_their_sum() {
    let server = model(SERVER);
    for (trace, expected) in [
        ("a? 3, b! 4", Explained::NoOutput),
        ("a? 3, b! 5", Explained::Yes),
        ("a? 3, b! 8", Explained::Yes),
        ("a? 3, b! 81/10", Explained::NoOutput),
        ("a? 3, - 8", Explained::Yes),
        ("a? 3, - 81/10", Explained::Late),
        // A constant latency of 3 in all explains the first answer only if it took 2 then.
        ("a? 3, b! 8, a? 10, b! 25/2", Explained::NoOutput),
        ("a? 3, b! 8, a? 10, b! 14", Explained::Yes),
    ] {
        // From 1 to 3 in all.
        let mut one = estimator(&server, latency("1/2..1", "1/2..2", "0"));
        assert_eq!(observe_all(&mut one, trace), expected, "{trace}");
    }
}

#[test]
fn latencies_that_explain_the_run_are_reported() {
    let server = model(SERVER);
    let mut one = estimator(&server, latency("1/2..1", "1/2..2", "0"));
    observe_all(&mut one, "a? 3, b! 8");
    let latencies = one.latencies().unwrap();
    assert_eq!(latencies.input, Moment::exactly(Rational::ONE));
    assert_eq!(latencies.output, Moment::exactly(rational("2")));
}

#[test]
fn an_input_that_nobody_accepts_is_the_testers_mistake() {
    let server = model(SERVER);
    let slow = latency("0..1", "0..1", "0");
    for (trace, expected) in [
        // The second input arrives while the first is being worked on.
        ("a? 3, a? 31/10, b! 21/5", Explained::Unspecified),
        ("a? 3, a? 31/10, - 10", Explained::Unspecified),
        ("a? 3, - 10", Explained::Late),
        ("a? 3, a? 31/10, - 1000000000", Explained::Unspecified),
        ("a? 3, - 1000000000", Explained::Late),
        ("a? 3, b! 9", Explained::NoOutput),
    ] {
        let mut one = estimator(&server, slow);
        assert_eq!(observe_all(&mut one, trace), expected, "{trace}");
    }
}

#[test]
fn an_output_may_be_emitted_before_an_input_that_was_sent_earlier_arrives() {
    let crossing = model(
        "input a; output b, c;
        automaton S {
          clock x;
          init location Start invariant x <= 5;
          location Next, End;
          Start -> Next : b! when x == 5;
          Next -> End : a?;
          End -> End : c!;
        }",
    );
    let trace = "a? 9/2, b! 11/2, c! 6";
    let mut slow = estimator(&crossing, latency("1/2", "1/2", "0"));
    assert_eq!(observe_all(&mut slow, trace), Explained::Yes);
    let mut fast = estimator(&crossing, Latencies::NONE);
    assert_eq!(observe_all(&mut fast, "a? 9/2"), Explained::Unspecified);
}

#[test]
fn jitter_counts_for_each_event_anew() {
    let server = model(SERVER);
    let trace = "a? 0, b! 3, a? 3, b! 4";
    let mut one = estimator(&server, latency("0", "0", "1/2"));
    assert_eq!(observe_all(&mut one, trace), Explained::Yes);
    let mut one = estimator(&server, latency("0..1/2", "0..1/2", "0"));
    assert_eq!(observe_all(&mut one, trace), Explained::NoOutput);
}

#[test]
fn leeway_is_for_single_messages() {
    let server = model(SERVER);
    let lenient = || {
        let board = ModelBoard::new(&server, &[]).unwrap();
        Estimator::lenient(board, Latencies::NONE).unwrap()
    };
    let mut strict = lenient();
    assert_eq!(observe_all(&mut strict, "a? 3, b! 51/10"), Explained::NoOutput);
    // What was heard late once is no excuse later.
    let mut output = lenient();
    assert_eq!(observe_all(&mut output, "a? 3"), Explained::Yes);
    output.allow(rational("2"));
    assert_eq!(observe_all(&mut output, "- 7, b! 7"), Explained::Yes);
    output.allow(Rational::ZERO);
    assert_eq!(observe_all(&mut output, "a? 7, b! 91/10"), Explained::NoOutput);
    let input = Action { channel: "a".to_owned(), values: Vec::new() };
    let late = |trace: &str| {
        let mut one = lenient();
        let sent = one.sent_within(&input, moment("3"), rational("2")).unwrap();
        assert_eq!(sent, Explained::Yes);
        observe_all(&mut one, trace)
    };
    assert_eq!(late("b! 7"), Explained::Yes);
    assert_eq!(late("b! 71/10"), Explained::NoOutput);
    assert_eq!(late("b! 39/10"), Explained::NoOutput, "nothing comes earlier for being late");
}

#[test]
fn delays_that_are_long_for_the_resolution_of_times_are_followed() {
    let server = model(SERVER);
    let input = Action { channel: "a".to_owned(), values: Vec::new() };
    // From 1000 to 1000000 time units; what is due within 2 may come that much later, and not after that.
    for delay in ["1000", "100000", "1000000"].map(rational) {
        let heard = |beyond: &str| {
            let board = ModelBoard::new(&server, &[]).unwrap();
            let mut one = Estimator::lenient(board, Latencies::NONE).unwrap();
            let sent = one.sent_within(&input, moment("3.0000001"), delay).unwrap();
            assert_eq!(sent, Explained::Yes);
            let at = delay.add(rational(beyond)).unwrap();
            observe_all(&mut one, &format!("- {}, b! {at}", delay.div(rational("2")).unwrap()))
        };
        assert_eq!(heard("4.9999999"), Explained::Yes, "{delay}");
        assert_eq!(heard("9"), Explained::NoOutput, "{delay}");
    }
}

#[test]
fn what_comes_next_is_foretold() {
    let server = model(SERVER);
    let mut one = estimator(&server, Latencies::NONE);
    assert_eq!(one.deadline(rational("100")).unwrap(), None);
    assert_eq!(one.acceptable_inputs().unwrap().len(), 1);
    observe_all(&mut one, "a? 3, - 7/2");
    assert_eq!(one.deadline(rational("100")).unwrap(), Some((rational("5"), false)));
    assert!(one.acceptable_inputs().unwrap().is_empty());
    let expected = one.expected(rational("100")).unwrap();
    assert_eq!(expected.len(), 1);
    assert_eq!(expected[0].from, (rational("4"), false));
    assert_eq!(expected[0].until, Some((rational("5"), false)));
    assert_eq!(one.describe().unwrap(), ["Busy: S.x = 1/2"]);
    assert_eq!(one.sample().unwrap().unwrap().clocks, [rational("1/2")]);

    let mut one = estimator(&server, latency("1/2..1", "1/2..2", "1/4"));
    observe_all(&mut one, "a? 3");
    assert_eq!(one.deadline(rational("100")).unwrap(), Some((rational("17/2"), false)));
    let expected = one.expected(rational("100")).unwrap();
    assert_eq!(expected[0].from, (rational("5"), false));
    assert_eq!(expected[0].until, Some((rational("17/2"), false)));
}

#[test]
fn silent_steps_are_followed() {
    let conveyor = example("conveyor");
    let mut one = estimator(&conveyor, Latencies::NONE);
    observe_all(&mut one, "- 1");
    let states: Vec<String> = one.describe().unwrap();
    assert_eq!(states, ["Start: Belt.x = 1", "Sort: Belt.x = 1", "Boarding: Belt.x = 1"]);
    assert_eq!(observe_all(&mut one, "- 2, past! 5/2, ship1? 5/2, end1! 100"), Explained::Yes);
    assert_eq!(observe_all(&mut one, "- 106"), Explained::Yes);
    assert_eq!(observe_all(&mut one, "- 10601/100"), Explained::Late);
}

#[test]
fn silent_loops_that_take_no_time_end() {
    let looping = model(
        "output b; internal tau;
        automaton S {
          clock x, y;
          init location A; location B;
          A -> B : tau do x = 0;
          B -> A : tau do y = 0;
          A -> self : b! when x == 1 && y == 1;
        }",
    );
    let mut one = estimator(&looping, Latencies::NONE);
    assert_eq!(observe_all(&mut one, "- 3, b! 7/2, b! 7/2, - 100, b! 100"), Explained::Yes);
    let mut one = estimator(&looping, latency("0..1", "0..1", "1/3"));
    assert_eq!(observe_all(&mut one, "- 3, b! 7/2, b! 7/2, - 100, b! 100"), Explained::Yes);
}

#[test]
fn a_mealy_step_is_an_input_and_an_output_at_once() {
    let mealy = model(
        "input a; output b;
        automaton S {
          clock x;
          init location A; location B;
          A -> B : a? / b! do x = 0;
        }",
    );
    let mut one = estimator(&mealy, Latencies::NONE);
    assert_eq!(observe_all(&mut one, "a? 3, b! 3, - 9"), Explained::Yes);
    let mut one = estimator(&mealy, Latencies::NONE);
    assert_eq!(observe_all(&mut one, "a? 3, - 4"), Explained::Late);
}

#[test]
fn clocks_that_are_compared_with_each_other_are_followed_and_stay_small() {
    let diagonal = model(
        "input a; output b;
        automaton S {
          clock x, y;
          init location A; location B invariant y - x <= 1;
          A -> B : a? do x = 0;
          B -> A : b! when x - y <= 2 && x >= 1 do y = 0;
        }",
    );
    let mut one = estimator(&diagonal, Latencies::NONE);
    // When x is set, y must be 1 at most.
    assert_eq!(observe_all(&mut one, "a? 1, b! 4, a? 5, b! 6"), Explained::Yes);
    assert_eq!(observe_all(&mut one, "a? 8"), Explained::Unspecified);
    assert_eq!(observe_all(&mut one, "- 1000000000000"), Explained::Yes);
    assert!(one.largest_constant() < 10, "{}", one.largest_constant());
    assert_eq!(observe_all(&mut one, "a? 1000000000000"), Explained::Unspecified);
}

#[test]
fn an_input_with_too_many_values_takes_those_that_are_sent() {
    let echo = model(
        "input a(int[0, 1000000]); output b(int[0, 1000000]);
        automaton S {
          clock x;
          int[0, 1000000] v;
          init location A; location B invariant x <= 1;
          A -> B : a(w)? do v = w, x = 0;
          B -> A : b(v)!;
        }",
    );
    let mut one = estimator(&echo, Latencies::NONE);
    let valued = |channel: &str, value: i64| tioga_testcase::Action::new(channel, &[value]);
    for value in [0, 77, 1_000_000] {
        let at = moment(&value.to_string());
        assert_eq!(one.sent(&valued("a", value), at).unwrap(), Explained::Yes);
        assert_eq!(one.heard(&valued("b", value + 1), at).unwrap(), Explained::NoOutput);
        assert_eq!(one.heard(&valued("b", value), at).unwrap(), Explained::Yes);
    }
}

#[test]
fn times_before_the_last_observation_are_refused() {
    let server = model(SERVER);
    let mut one = estimator(&server, Latencies::NONE);
    observe_all(&mut one, "a? 3");
    assert_eq!(observe(&mut one, "b! 2"), Err(Error::Backwards));
    assert_eq!(observe(&mut one, "- 2"), Ok(Explained::Yes));
}

#[test]
fn times_that_are_too_fine_are_rounded_in_favour_of_the_system() {
    let server = model(SERVER);
    let nano = |number: i64| Rational::new(number, 1_000_000_000).unwrap();
    let (ask, answer) =
        (tioga_testcase::Action::new("a", &[0u8; 0]), tioga_testcase::Action::new("b", &[0u8; 0]));
    let mut one = estimator(&server, Latencies::NONE);
    let mut now = 0;
    for round in 0..2000 {
        now += 999_999_937 + round;
        assert_eq!(one.sent(&ask, Moment::exactly(nano(now))).unwrap(), Explained::Yes);
        let (early, late) = (now + 999_900_000, now + 2_000_100_000);
        assert_eq!(one.heard(&answer, Moment::exactly(nano(early))).unwrap(), Explained::NoOutput);
        assert_eq!(one.heard(&answer, Moment::exactly(nano(late))).unwrap(), Explained::NoOutput);
        // Right at the first and at the last moment.
        now += if round % 2 == 0 { 1_000_000_000 } else { 2_000_000_000 };
        assert_eq!(one.heard(&answer, Moment::exactly(nano(now))).unwrap(), Explained::Yes);
    }
}

#[test]
fn a_goal_may_hold_in_some_or_in_all_explanations() {
    let conveyor = model(
        "input ship; output past; internal load;
        automaton Belt {
          clock x;
          init location Start invariant x <= 2;
          location Sort invariant x <= 5;
          Start -> Sort : load;
          Sort -> Start : past! do x = 0;
        }
        query E<> Belt.Sort && Belt.x >= 1;",
    );
    let query = conveyor.queries.first().unwrap();
    let Formula::Reachable(goal) = &query.formula else { panic!("{query:?}") };
    let Predicate::Holds(condition) = goal else { panic!("{goal:?}") };
    let board = ModelBoard::new(&conveyor, &[condition]).unwrap();
    let mut one = Estimator::new(board, Latencies::NONE).unwrap();
    let mut holds = |trace: &str| {
        assert_eq!(observe_all(&mut one, trace), Explained::Yes);
        let holds = one.satisfies(goal, query.span).unwrap();
        (holds.some, holds.all)
    };
    assert_eq!(holds("- 1/2"), (false, false));
    assert_eq!(holds("- 3/2"), (true, false));
    assert_eq!(holds("- 5/2"), (true, true));
}
