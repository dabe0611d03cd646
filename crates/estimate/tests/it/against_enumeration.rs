//! Latencies, jitter and inexact moments: explained exactly if some choice of numbers is, where all
//! numbers are multiples of one half.
//!
//! With weak guards and integer constants this is exact: which moments fit together is a matter of
//! bounds on differences that are multiples of one half, and such bounds can be met by multiples of
//! one half if they can be met at all.

use crate::support::{automaton, estimator};
use proptest::prelude::*;
use tioga_base::{Moment, Rational};
use tioga_estimate::{Explained, Latencies};
use tioga_model::Model;
use tioga_testcase::Action;
use tioga_testkit::model;

#[derive(Clone, Copy, PartialEq, Debug)]
enum What {
    Sent,
    Heard(&'static str),
    Quiet,
}

/// An observation with the bounds of its moment in halves.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Seen {
    what: What,
    from: i64,
    to: i64,
}

fn halves(number: i64) -> Rational {
    Rational::new(number, 2).unwrap()
}

fn action(name: &str) -> Action {
    Action { channel: name.to_owned(), values: Vec::new() }
}

/// Whether a trace with exact times is explained without latency.
fn exactly(model: &Model, trace: &[(What, i64)]) -> bool {
    let mut one = estimator(model, Latencies::NONE);
    trace.iter().all(|(what, at)| {
        let at = Moment::exactly(halves(*at));
        let explained = match what {
            What::Sent => one.sent(&action("a"), at),
            What::Heard(name) => one.heard(&action(name), at),
            What::Quiet => one.quiet(at.latest()),
        };
        explained.unwrap() == Explained::Yes
    })
}

/// Whether some exact times within the moments, in order, explain a trace without latency.
fn some_times(model: &Model, trace: &[Seen], chosen: &mut Vec<(What, i64)>) -> bool {
    let Some((first, rest)) = trace.split_first() else { return exactly(model, chosen) };
    let least = chosen.last().map_or(0, |(_, at)| *at).max(first.from);
    (least..=first.to).any(|at| {
        chosen.push((first.what, at));
        let found = some_times(model, rest, chosen);
        chosen.pop();
        found
    })
}

/// The position of an observation in its trace, what happened to the system, and when.
type Happening = (usize, What, i64);

/// Bounds of latencies and the jitter, in halves.
type Delays = ((i64, i64), (i64, i64), i64);

/// Whether some latencies and jitters explain a trace with exact moments.
fn some_latency(model: &Model, trace: &[Seen], (input, output, jitter): Delays) -> bool {
    let now = trace.last().map_or(0, |seen| seen.from);
    (input.0..=input.1).any(|input| {
        (output.0..=output.1).any(|output| {
            let mut found = false;
            jitters(trace, jitter, &mut Vec::new(), &mut |jitters| {
                found = found || some_order(model, trace, jitters, (input, output, jitter, now));
            });
            found
        })
    })
}

fn jitters(trace: &[Seen], most: i64, chosen: &mut Vec<i64>, each: &mut impl FnMut(&[i64])) {
    if chosen.len() == trace.len() {
        return each(chosen);
    }
    for jitter in 0..=most {
        chosen.push(jitter);
        jitters(trace, most, chosen, each);
        chosen.pop();
    }
}

/// Whether the system's side of a trace is explained, in some order of what happens at once. Inputs
/// need not have arrived yet if they arrive after the last moment that observations tell about.
fn some_order(
    model: &Model,
    trace: &[Seen],
    jitters: &[i64],
    (input, output, jitter, now): (i64, i64, i64, i64),
) -> bool {
    let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
    for (number, (seen, own)) in trace.iter().zip(jitters).enumerate() {
        match seen.what {
            What::Sent => inputs.push((number, What::Sent, seen.from + input + own)),
            What::Heard(_) => outputs.push((number, seen.what, seen.from - output - own)),
            What::Quiet => {}
        }
    }
    let in_order = |list: &[Happening]| list.is_sorted_by_key(|(.., at)| *at);
    if !in_order(&inputs) || !in_order(&outputs) || outputs.iter().any(|(.., at)| *at < 0) {
        return false;
    }
    let last = outputs.last().map_or(0, |(.., at)| *at).max(now - output - jitter).max(0);
    let needed = inputs.iter().filter(|(.., at)| *at < last).count();
    let possible = inputs.iter().filter(|(.., at)| *at <= last).count();
    (needed..=possible).any(|arrived| {
        let mut found = false;
        merges(&inputs[..arrived], &outputs, &mut Vec::new(), &mut |order| {
            let mut order = order.to_vec();
            order.push((What::Quiet, last));
            found = found || exactly(model, &order);
        });
        found
    })
}

/// All orders of inputs and outputs that respect times, the order within each list, and that an input
/// arrives after the outputs that were seen before it was sent.
fn merges(
    inputs: &[Happening],
    outputs: &[Happening],
    chosen: &mut Vec<(What, i64)>,
    each: &mut impl FnMut(&[(What, i64)]),
) {
    let (input, output) = (inputs.first(), outputs.first());
    if input.is_none() && output.is_none() {
        return each(chosen);
    }
    if let Some((number, what, at)) = input
        && output.is_none_or(|(other, _, later)| number < other && at <= later)
    {
        chosen.push((*what, *at));
        merges(&inputs[1..], outputs, chosen, each);
        chosen.pop();
    }
    if let Some((_, what, at)) = output
        && input.is_none_or(|(.., later)| at <= later)
    {
        chosen.push((*what, *at));
        merges(inputs, &outputs[1..], chosen, each);
        chosen.pop();
    }
}

fn observation(width: i64) -> impl Strategy<Value = (What, i64, i64)> {
    let what = prop_oneof![
        2 => Just(What::Sent),
        3 => Just(What::Heard("b")),
        2 => Just(What::Heard("c")),
        1 => Just(What::Quiet),
    ];
    (what, 0..=4i64, 0..=width)
}

fn delays() -> impl Strategy<Value = Delays> {
    let bounds = || (0..=2i64, 0..=2i64).prop_map(|(low, more)| (low, low + more));
    (bounds(), bounds(), 0..=1i64)
}

fn apply(
    one: &mut tioga_estimate::Estimator<tioga_estimate::ModelBoard<'_>>,
    seen: &Seen,
) -> Explained {
    let at = Moment::between(halves(seen.from), halves(seen.to)).unwrap();
    match seen.what {
        What::Sent => one.sent(&action("a"), at).unwrap(),
        What::Heard(name) => one.heard(&action(name), at).unwrap(),
        What::Quiet => one.quiet(at.latest()).unwrap(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn inexact_moments(
        text in automaton(false),
        attempts in prop::collection::vec(observation(3), 3..=7),
    ) {
        let model = model(&text);
        let mut one = estimator(&model, Latencies::NONE);
        let mut trace: Vec<Seen> = Vec::new();
        for (what, later, width) in attempts {
            let from = trace.last().map_or(0, |seen| seen.from) + later;
            let width = if what == What::Quiet { 0 } else { width };
            // Silence up to a time is not an event of its own; it is after all that may have been.
            let from = if what == What::Quiet {
                trace.iter().map(|seen| seen.to).max().unwrap_or(0).max(from)
            } else {
                from
            };
            let seen = Seen { what, from, to: from + width };
            let longer = [&trace[..], &[seen]].concat();
            let reference = some_times(&model, &longer, &mut Vec::new());
            let explained = apply(&mut one, &seen) == Explained::Yes;
            prop_assert_eq!(explained, reference, "{:?}", longer);
            if explained && longer.len() < 5 {
                trace = longer;
            } else if explained {
                break;
            }
        }
    }

    #[test]
    fn latencies_and_jitter(
        text in automaton(false),
        delays in delays(),
        attempts in prop::collection::vec(observation(0), 3..=8),
    ) {
        let model = model(&text);
        let (input, output, jitter) = delays;
        let between = |(low, high): (i64, i64)| Moment::between(halves(low), halves(high)).unwrap();
        let latency =
            Latencies { input: between(input), output: between(output), jitter: halves(jitter) };
        // Without any latency inputs arrive when they are sent, and are not under way.
        prop_assume!(!latency.is_none());
        let mut one = estimator(&model, latency);
        let mut trace: Vec<Seen> = Vec::new();
        for (what, later, _) in attempts {
            let from = trace.last().map_or(0, |seen| seen.from) + later;
            let seen = Seen { what, from, to: from };
            let longer = [&trace[..], &[seen]].concat();
            let reference = some_latency(&model, &longer, delays);
            let explained = apply(&mut one, &seen) == Explained::Yes;
            prop_assert_eq!(explained, reference, "{:?} with {:?}", longer, delays);
            if explained && longer.len() < 5 {
                trace = longer;
            } else if explained {
                break;
            }
        }
    }
}
