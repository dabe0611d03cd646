//! What is foretold is what happens: expected outputs, the deadline and acceptable inputs agree with
//! trying each of them.

use crate::support::{automaton, estimator};
use proptest::prelude::*;
use tioga_base::{Moment, Rational};
use tioga_estimate::{End, Explained, Latencies};
use tioga_testcase::Action;
use tioga_testkit::model;

fn quarters(number: i64) -> Rational {
    Rational::new(number, 4).unwrap()
}

fn action(name: &str) -> Action {
    Action { channel: name.to_owned(), values: Vec::new() }
}

fn within(time: Rational, from: End, until: Option<End>) -> bool {
    let after = time > from.0 || (time == from.0 && !from.1);
    after && until.is_none_or(|(end, open)| time < end || (time == end && !open))
}

/// How far ahead is asked, in time units.
const AHEAD: i64 = 6;

fn latency() -> impl Strategy<Value = Latencies> {
    let bounds = || (0..=2i64, 0..=2i64).prop_map(|(low, more)| (low, low + more));
    let some = (bounds(), bounds(), 0..=1i64).prop_map(|(input, output, jitter)| {
        let between = |(low, high)| Moment::between(quarters(low), quarters(high)).unwrap();
        Latencies { input: between(input), output: between(output), jitter: quarters(jitter) }
    });
    prop_oneof![Just(Latencies::NONE), some]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_foretold_is_what_happens(
        text in automaton(true),
        latency in latency(),
        attempts in prop::collection::vec((0..=6i64, 0..4usize), 0..=6),
    ) {
        let model = model(&text);
        let mut one = estimator(&model, latency);
        let mut now = 0;
        for (later, what) in attempts {
            let at = Moment::exactly(quarters(now + later));
            let explained = match what {
                0 => one.sent(&action("a"), at),
                1 => one.heard(&action("b"), at),
                2 => one.heard(&action("c"), at),
                _ => one.quiet(at.latest()),
            };
            if explained.unwrap() == Explained::Yes {
                now += later;
            }
        }
        // Silence up to now is known, unless that is a failure already.
        if one.quiet(quarters(now)).unwrap() != Explained::Yes {
            return Ok(());
        }
        let horizon = quarters(now).add(Rational::integer(AHEAD)).unwrap();
        let expected = one.expected(horizon).unwrap();
        let deadline = one.deadline(horizon).unwrap();
        // Jitter lets an output be seen after the horizon; nearer to it all is known.
        for ahead in 0..AHEAD * 4 - 1 {
            let time = quarters(now + ahead);
            for name in ["b", "c"] {
                let foretold = expected.iter().any(|stretch| {
                    stretch.action == action(name) && within(time, stretch.from, stretch.until)
                });
                let mut tried = one.clone();
                let happens = tried.heard(&action(name), Moment::exactly(time)).unwrap();
                prop_assert_eq!(foretold, happens == Explained::Yes, "{} at {}", name, time);
            }
            let in_time = within(time, (Rational::ZERO, false), deadline);
            let mut tried = one.clone();
            let silent = tried.quiet(time).unwrap() == Explained::Yes;
            prop_assert_eq!(in_time, silent, "silence until {}, {:?}", time, deadline);
        }
        if latency.is_none() {
            let acceptable = one.acceptable_inputs().unwrap().contains(&action("a"));
            let mut tried = one.clone();
            let accepted = tried.sent(&action("a"), Moment::exactly(quarters(now))).unwrap();
            prop_assert_eq!(acceptable, accepted == Explained::Yes);
        }
    }
}
