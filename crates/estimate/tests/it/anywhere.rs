//! Starting anywhere: whatever explains a run from its start explains the rest of it from any moment at
//! which nothing is under way, and what no state explains is still refused.

use crate::support::{automaton, estimator, moment, rational};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use tioga_base::{Moment, Rational};
use tioga_estimate::{Estimator, Explained, Latencies, ModelBoard};
use tioga_model::{Direction, Model};
use tioga_testcase::Action;
use tioga_testkit::{example, model};

/// How many quarters later, and which action of the model's interface, if any.
type Attempt = (i64, Option<usize>);

fn attempts() -> impl Strategy<Value = Vec<Attempt>> {
    prop::collection::vec((0..=8i64, prop::option::weighted(0.8, 0..16usize)), 4..=12)
}

/// An estimator that knows nothing but the time.
fn anywhere(model: &Model, latency: Latencies, at: Rational) -> Estimator<ModelBoard<'_>> {
    let mut board = ModelBoard::new(model, &[]).unwrap();
    let states = board.discrete_states(1000).unwrap().unwrap();
    Estimator::anywhere(board, latency, &states, at).unwrap()
}

/// Observes what the estimator explains, and the same from each moment on at which that can be done.
fn compare(model: &Model, latency: Latencies, attempts: &[Attempt]) -> Result<(), TestCaseError> {
    let mut known = estimator(model, latency);
    let mut others: Vec<(Rational, Estimator<ModelBoard<'_>>)> = Vec::new();
    let channels: Vec<_> = model
        .channels
        .iter()
        .filter(|channel| channel.parameters.is_empty())
        .filter_map(|channel| Some((channel.name.clone(), channel.direction?)))
        .collect();
    let mut now = Rational::ZERO;
    for (quarters, what) in attempts {
        let time = now.add(Rational::new(*quarters, 4).unwrap()).unwrap();
        let observe = |estimator: &mut Estimator<ModelBoard<'_>>| match what {
            None => estimator.quiet(time).unwrap(),
            Some(position) => {
                let (name, direction) = &channels[position % channels.len()];
                let action = Action::new(name.clone(), &[0u8; 0]);
                match direction {
                    Direction::Input => estimator.sent(&action, Moment::exactly(time)).unwrap(),
                    Direction::Output => estimator.heard(&action, Moment::exactly(time)).unwrap(),
                }
            }
        };
        let mut next = known.clone();
        if observe(&mut next) != Explained::Yes {
            continue;
        }
        known = next;
        if let Some(taken) = latency.all_taken(now, time).unwrap() {
            others.push((taken, anywhere(model, latency, taken)));
        }
        for (since, other) in &mut others {
            let explained = observe(other);
            prop_assert_eq!(explained, Explained::Yes, "{}: {:?} from {}", time, what, since);
        }
        now = time;
    }
    Ok(())
}

fn slow() -> Latencies {
    Latencies { input: moment("0..1/2"), output: moment("1/4"), jitter: rational("1/4") }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_is_explained_is_explained_from_anywhere(
        text in automaton(true),
        attempts in attempts(),
        delayed in any::<bool>(),
    ) {
        let latency = if delayed { slow() } else { Latencies::NONE };
        compare(&model(&text), latency, &attempts)?;
    }

    #[test]
    fn so_are_runs_of_the_examples(attempts in attempts(), number in 0..3usize) {
        let name = ["smart-light", "conveyor", "switch/sw5"][number];
        compare(&example(name), Latencies::NONE, &attempts)?;
    }
}

#[test]
fn what_no_state_explains_is_refused() {
    let light = example("smart-light");
    let touch = Action::new("touch", &[0u8; 0]);
    let mut estimator = anywhere(&light, Latencies::NONE, rational("7/3"));
    assert_eq!(estimator.sent(&touch, moment("7/3")).unwrap(), Explained::Yes);
    // Wherever it was, after a touch it answers within 2 or not at all before the next touch.
    assert_eq!(estimator.sent(&touch, moment("3")).unwrap(), Explained::Yes);
    let dim = Action::new("dim", &[0u8; 0]);
    let bright = Action::new("bright", &[0u8; 0]);
    let mut answers = 0;
    for action in [&dim, &bright] {
        answers +=
            u32::from(estimator.clone().heard(action, moment("100")).unwrap() == Explained::Yes);
    }
    assert_eq!(answers, 0);
    let mut board = ModelBoard::new(&light, &[]).unwrap();
    assert_eq!(board.discrete_states(1).unwrap(), None);
}
