//! Without latency and with exact times: the same as the reference semantics, which follows runs one
//! by one on a grid, on random automata and on the examples.

use std::collections::BTreeSet;

use crate::support::{automaton, estimator};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tioga_base::{Budget, Moment, Rational};
use tioga_concrete::{Observed, Observer, Semantics, TraceEvent, observable};
use tioga_estimate::{Explained, Latencies};
use tioga_model::{Direction, DiscreteState, Model};
use tioga_testcase::Action;
use tioga_testkit::{example, model};

/// Internal steps the reference follows on one run.
const INTERNAL: u32 = 4;

/// What to try next: how many halves later, and which action of the model's interface, if any.
type Attempt = (i64, Option<usize>);

fn attempts() -> impl Strategy<Value = Vec<Attempt>> {
    prop::collection::vec((0..=4i64, prop::option::weighted(0.8, 0..16usize)), 4..=12)
}

/// Tries one observation after the other; what cannot be explained did not happen.
fn compare(model: &Model, attempts: &[Attempt]) -> Result<(), TestCaseError> {
    let mut estimator = estimator(model, Latencies::NONE);
    let budget = Budget::steps(30_000);
    let observer = Observer::new(Semantics::new(model), 2, INTERNAL, budget);
    let Ok(mut observer) = observer else { return Ok(()) };
    let channels: Vec<_> = model
        .channels
        .iter()
        .filter(|channel| channel.parameters.is_empty())
        .filter_map(|channel| Some((channel.name.clone(), channel.direction?)))
        .collect();
    let mut now = Rational::ZERO;
    let mut story = String::new();
    for (halves, what) in attempts {
        let delay = Rational::new(*halves, 2).unwrap();
        let time = now.add(delay).unwrap();
        let mut next = observer.clone();
        if next.observe(&Observed::Delay(delay)).is_err() {
            return Ok(());
        }
        let explained = match what {
            None => estimator.quiet(time),
            Some(position) => {
                let (name, direction) = &channels[position % channels.len()];
                let (name, action) = (name.clone(), Action::new(name.clone(), &[0u8; 0]));
                let event = match direction {
                    Direction::Input => TraceEvent::Input(name, Vec::new()),
                    Direction::Output => TraceEvent::Output(name, Vec::new()),
                };
                let seen = observable(model, &event).unwrap().unwrap();
                if next.observe(&Observed::Action(seen)).is_err() {
                    return Ok(());
                }
                match direction {
                    Direction::Input => estimator.sent(&action, Moment::exactly(time)),
                    Direction::Output => estimator.heard(&action, Moment::exactly(time)),
                }
            }
        };
        let explained = explained.unwrap() == Explained::Yes;
        let tried = format!("{story}{time}: {what:?}");
        if explained {
            prop_assert!(!next.is_empty() || !next.is_complete(), "only estimated: {tried}");
        } else {
            prop_assert!(next.is_empty(), "not estimated: {tried}");
            continue;
        }
        if next.is_complete() {
            let reference: BTreeSet<&DiscreteState> = next.states().map(|s| &s.discrete).collect();
            let states = estimator.states().unwrap();
            let estimated: BTreeSet<&DiscreteState> =
                states.iter().map(|possible| &possible.state.discrete).collect();
            prop_assert_eq!(reference, estimated, "after {}", tried);
        } else if next.is_empty() {
            return Ok(());
        }
        (observer, now, story) = (next, time, format!("{tried}, "));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_automata(text in automaton(true), attempts in attempts()) {
        compare(&model(&text), &attempts)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn networks_with_urgent_channels(
        inner in 0..=2u32,
        outer in 0..=2u32,
        bound in 0..=3u32,
        attempts in attempts(),
    ) {
        let text = format!(
            "input a; output b, c; chan go; urgent chan hurry;
            automaton P {{
              clock x;
              init location Idle; location Ready, Done; location Late invariant x <= {bound} || x >= 5;
              Idle -> Ready : a? do x = 0;
              Ready -> Done : hurry! when x >= {inner};
              Ready -> Late : b! when x < {inner};
              Done -> Idle : go! do x = 0;
              Late -> Idle : c!;
            }}
            automaton Q {{
              clock y;
              init location Wait; location Work invariant y <= 2;
              Wait -> Work : hurry? when y >= {outer} do y = 0;
              Work -> Wait : go? when y >= 1;
              Wait -> self : b! when y > 2 do y = 0;
            }}"
        );
        compare(&model(&text), &attempts)?;
    }

    #[test]
    fn examples(name in 0..5usize, attempts in attempts()) {
        let names = ["conveyor", "bjsk",
            "problematic-light", "car-alarm",
            "multimedia",];
        compare(&example(names[name]), &attempts)?;
    }
}
