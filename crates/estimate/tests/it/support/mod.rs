//! Random models, and short ways to observe.

use proptest::prelude::*;
use tioga_base::{Moment, Rational};
use tioga_estimate::{Board, Error, Estimator, Explained, Latencies, ModelBoard};
use tioga_model::Model;
use tioga_testcase::Action;

pub fn estimator(model: &Model, latency: Latencies) -> Estimator<ModelBoard<'_>> {
    Estimator::new(ModelBoard::new(model, &[]).unwrap(), latency).unwrap()
}

pub fn rational(text: &str) -> Rational {
    text.parse().unwrap()
}

pub fn moment(text: &str) -> Moment {
    match text.split_once("..") {
        Some((from, to)) => Moment::between(rational(from), rational(to)).unwrap(),
        None => Moment::exactly(rational(text)),
    }
}

/// `a? 3` was sent, `b! 3..4` was seen, `- 5`: nothing was seen.
pub fn observe<B: Board>(estimator: &mut Estimator<B>, text: &str) -> Result<Explained, Error> {
    let (what, at) = text.split_once(' ').unwrap();
    let action = |name: &str| Action { channel: name.to_owned(), values: Vec::new() };
    if let Some(name) = what.strip_suffix('?') {
        estimator.sent(&action(name), moment(at))
    } else if let Some(name) = what.strip_suffix('!') {
        estimator.heard(&action(name), moment(at))
    } else {
        estimator.quiet(rational(at))
    }
}

/// Observes one after the other; all but the last must be explained.
pub fn observe_all<B: Board>(estimator: &mut Estimator<B>, text: &str) -> Explained {
    let mut result = Explained::Yes;
    for one in text.split(',') {
        assert_eq!(result, Explained::Yes, "before {one}");
        result = observe(estimator, one.trim()).unwrap();
    }
    result
}

pub fn guard(strict: bool) -> impl Strategy<Value = String> {
    let clock = prop_oneof![3 => Just("x"), 1 => Just("y")];
    let weak = prop_oneof![
        3 => Just(String::new()),
        3 => (0..=2u32).prop_map(|c| format!("when x == {c}")),
        1 => (0..=2u32).prop_map(|c| format!("when x <= {c}")),
        1 => (1..=2u32).prop_map(|c| format!("when x >= {c}")),
    ];
    let open = prop_oneof![
        1 => (1..=2u32).prop_map(|c| format!("when x < {c}")),
        1 => (0..=2u32).prop_map(|c| format!("when x > {c}")),
        1 => Just("when x > 0 && x < 1".to_owned()),
    ];
    let share = if strict { 1 } else { 0 };
    let bound = if share == 1 { prop_oneof![2 => weak, 1 => open].boxed() } else { weak.boxed() };
    (clock, bound).prop_map(|(clock, bound)| bound.replace('x', clock))
}

fn edge(locations: u32, strict: bool) -> impl Strategy<Value = String> {
    let action = prop_oneof![3 => Just("a?"), 3 => Just("b!"), 2 => Just("c!"), 2 => Just("tau")];
    let reset = prop_oneof![
        3 => Just(""),
        3 => Just("do x = 0"),
        1 => Just("do y = 0"),
        1 => Just("do x = 0, y = 0"),
        1 => Just("do x = 1"),
    ];
    (0..locations, 0..locations, action, guard(strict), reset).prop_map(
        |(from, to, action, guard, reset)| {
            format!("  l{from} -> l{to} : {action} {guard} {reset};\n")
        },
    )
}

/// A small automaton with one input, two outputs and silent steps.
pub fn automaton(strict: bool) -> impl Strategy<Value = String> {
    (2..=4u32).prop_flat_map(move |locations| {
        let weak = prop_oneof![
            3 => Just(String::new()),
            1 => (1..=3u32).prop_map(|c| format!(" invariant x <= {c}")),
        ];
        let open = (1..=2u32).prop_map(|c| format!(" invariant x < {c}"));
        let bound = if strict { prop_oneof![3 => weak, 1 => open].boxed() } else { weak.boxed() };
        let mark = prop_oneof![8 => Just(""), 1 => Just("urgent "), 1 => Just("committed ")];
        let bounds = prop::collection::vec((mark, bound), locations as usize);
        let edges = prop::collection::vec(edge(locations, strict), 2..=7);
        (bounds, edges).prop_map(|(bounds, edges)| {
            let mut text = String::from("input a;\noutput b, c;\ninternal tau;\n\n");
            text.push_str("automaton A {\n  clock x, y;\n");
            for (number, (mark, bound)) in bounds.iter().enumerate() {
                let init = if number == 0 { "init " } else { "" };
                text.push_str(&format!("  {init}{mark}location l{number}{bound};\n"));
            }
            text.push_str(&edges.concat());
            text.push_str("}\n");
            text
        })
    })
}
