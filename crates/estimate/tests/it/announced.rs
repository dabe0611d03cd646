//! Inputs whose values are too many to be enumerated: they are followed like those that are, and a state is looked at
//! once, whatever is announced later.

use std::cell::Cell;
use std::rc::Rc;

use crate::support::estimator;
use proptest::prelude::*;
use tioga_base::{Moment, Rational};
use tioga_estimate::{
    Board, BoardState, BoardStep, Error, Estimator, Explained, Latencies, ModelBoard, ModelState,
};
use tioga_model::Model;
use tioga_testcase::Action;
use tioga_testkit::model;

/// Keeps what it was given, answers with it, and forgets it when nothing is asked for long.
fn store(most: u32) -> Model {
    model(&format!(
        "input set(int[0, {most}] v), get; output ok(int[0, {most}] w), lost; internal drop;
         automaton Store {{ clock c, idle; int[0, {most}] last;
           init location Idle; location Set invariant c <= 2; location Asked invariant c <= 3;
           Idle -> Set : set(v)? when v != 3 do last = v, c = 0, idle = 0;
           Set -> Idle : ok(last)! when c >= 1;
           Idle -> Asked : get? do c = 0, idle = 0;
           Asked -> Idle : ok(last)!; Asked -> Idle : lost! when last == 0;
           Idle -> Idle : drop when idle >= 6 do last = 0, idle = 0; }}"
    ))
}

fn parts(number: i64, of: i64) -> Rational {
    Rational::new(number, of).unwrap()
}

/// A board that counts how often states are looked at.
#[derive(Clone)]
struct Counting<'m> {
    inner: ModelBoard<'m>,
    states: Rc<Cell<usize>>,
}

impl Board for Counting<'_> {
    type State = ModelState;

    fn scale(&self) -> i64 {
        self.inner.scale()
    }

    fn clocks(&self) -> Vec<String> {
        self.inner.clocks()
    }

    fn largest(&self) -> u32 {
        self.inner.largest()
    }

    fn initial(&self) -> ModelState {
        self.inner.initial()
    }

    fn board_state(&mut self, state: &ModelState) -> Result<BoardState<ModelState>, Error> {
        self.states.set(self.states.get() + 1);
        self.inner.board_state(state)
    }

    fn announced_steps(&mut self, state: &ModelState) -> Result<Vec<BoardStep<ModelState>>, Error> {
        self.inner.announced_steps(state)
    }

    fn describe(&self, state: &ModelState) -> String {
        self.inner.describe(state)
    }

    fn announce(&mut self, inputs: &[&Action]) -> bool {
        self.inner.announce(inputs)
    }
}

/// What a log of 16 bits costs beside one without data is mostly the states that are met once.
#[test]
fn a_state_is_looked_at_once() {
    let model = model(
        "input set(int[0, 65535] v); output ack(int[0, 65535] w);
         automaton E { clock x; int[0, 65535] last; init location L; location B invariant x <= 2;
           L -> B : set(v)? do x = 0, last = v; B -> L : ack(last)!; }",
    );
    let states = Rc::new(Cell::new(0));
    let board = Counting { inner: ModelBoard::new(&model, &[]).unwrap(), states: states.clone() };
    let mut estimator = Estimator::new(board, Latencies::default()).unwrap();
    for round in 0..100 {
        let (value, time) = (100 + 7 * round, Rational::integer(3 * round));
        let sent = estimator.sent(&Action::new("set", &[value]), Moment::exactly(time));
        assert_eq!(sent.unwrap(), Explained::Yes);
        let time = time.add(Rational::ONE).unwrap();
        let heard = estimator.heard(&Action::new("ack", &[value]), Moment::exactly(time));
        assert_eq!(heard.unwrap(), Explained::Yes);
    }
    // Two for each round, and the first.
    assert_eq!(states.get(), 201);
}

proptest! {
    /// With and without latencies, and whatever is asked in between.
    #[test]
    fn many_values_are_followed_like_few(
        attempts in prop::collection::vec((0i64..12, 0usize..5, 0u32..6), 1..24),
        ways in prop::option::of((0i64..4, 0i64..4, 0i64..3)),
    ) {
        let (few, many) = (store(7), store(65535));
        let between = |most: i64| Moment::between(Rational::ZERO, parts(most, 4)).unwrap();
        let latency = ways.map_or_else(Latencies::default, |(input, output, jitter)| Latencies {
            input: between(input), output: between(output), jitter: parts(jitter, 8),
        });
        let mut all = [estimator(&few, latency), estimator(&many, latency)];
        let mut now = Rational::ZERO;
        for (quarters, what, value) in attempts {
            let time = now.add(parts(quarters, 4)).unwrap();
            let at = Moment::exactly(time);
            let found = all.each_ref().map(|known| {
                let mut next = known.clone();
                let input = Action::new("set", &[value]);
                let explained = match what {
                    0 => next.sent(&input, at),
                    1 => next.sent(&Action::new("get", &[0u8; 0]), at),
                    2 => next.heard(&Action::new("ok", &[value]), at),
                    3 => next.heard(&Action::new("lost", &[0u8; 0]), at),
                    _ => next.quiet(time),
                };
                let explained = explained.unwrap();
                if explained == Explained::Yes {
                    next.propose(std::slice::from_ref(&input));
                }
                let horizon = time.add(Rational::integer(8)).unwrap();
                let sure = next.sure_inputs().unwrap().contains(&input);
                let windows = next.input_windows(horizon).unwrap();
                let windows: Vec<_> = windows.into_iter().filter(|one| one.action == input).collect();
                let expected = next.expected(horizon).unwrap();
                (explained, next, sure, windows, expected)
            });
            let [one, other] = found;
            prop_assert_eq!(one.0, other.0, "{} at {}", what, time);
            prop_assert_eq!(one.4, other.4, "{} at {}", what, time);
            if one.0 == Explained::Yes {
                prop_assert_eq!((one.2, one.3), (other.2, other.3), "{} at {}", what, time);
                all = [one.1, other.1];
                now = time;
            }
        }
    }
}
