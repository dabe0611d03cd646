//! How many observations a second are followed: exact time, inexact time, latencies, on small models.
//! Run with `cargo bench -p tioga-estimate`.
#![allow(clippy::unwrap_used, clippy::float_arithmetic, reason = "a benchmark prints rates")]

use std::time::Instant;

use tioga_base::{Diagnostics, FileId, Moment, Rational};
use tioga_estimate::{Estimator, Explained, Latencies, ModelBoard};
use tioga_model::Model;
use tioga_parse::{Format, Options, lower, parse};
use tioga_testcase::Action;

const SERVER: &str = "input a; output b;
automaton S {
  clock x;
  init location Idle;
  location Busy invariant x <= 2;
  Idle -> Busy : a? do x = 0;
  Busy -> Idle : b! when x >= 1;
}";

fn model(text: &str) -> Model {
    let mut diagnostics = Diagnostics::new();
    let document = parse(Format::Tioga, FileId(0), text, &mut diagnostics).unwrap();
    lower(&document, &Options::default(), &mut diagnostics).unwrap().validate().unwrap()
}

/// Sends and hears alternately, at times in units of `1 / denominator`.
fn run(name: &str, model: &Model, latency: Latencies, script: &[(&str, bool, i64)], unit: i64) {
    let mut estimator = Estimator::new(ModelBoard::new(model, &[]).unwrap(), latency).unwrap();
    let rounds = 100_000 / script.len();
    let begin = Instant::now();
    let mut now = 0;
    for _ in 0..rounds {
        for (channel, sent, later) in script {
            now += later;
            let at = Moment::exactly(Rational::new(now, unit).unwrap());
            let action = Action { channel: (*channel).to_owned(), values: Vec::new() };
            let explained = match sent {
                true => estimator.sent(&action, at),
                false => estimator.heard(&action, at),
            };
            assert_eq!(explained.unwrap(), Explained::Yes, "{name} at {now}/{unit}");
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    let events = (rounds * script.len()) as f64;
    println!("{name:<40} {:>10.0} events/s, {} zones", events / seconds, estimator.size());
}

fn main() {
    let server = model(SERVER);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let conveyor = model(&std::fs::read_to_string(root.join("conveyor/conveyor.tioga")).unwrap());
    let between = |low: i64, high: i64| {
        let part = |number: i64| Rational::new(number, 10).unwrap();
        Moment::between(part(low), part(high)).unwrap()
    };
    let slow = Latencies {
        input: between(0, 2),
        output: between(0, 3),
        jitter: Rational::new(1, 10).unwrap(),
    };
    let ask = [("a", true, 10), ("b", false, 15)];
    run("server, exact time", &server, Latencies::NONE, &ask, 10);
    let ask = [("a", true, 1_000_000_007), ("b", false, 1_500_000_001)];
    run("server, nanoseconds", &server, Latencies::NONE, &ask, 1_000_000_000);
    let ask = [("a", true, 10), ("b", false, 18)];
    run("server, latency", &server, slow, &ask, 10);
    let belt = [("past", false, 30), ("ship1", true, 10), ("end1", false, 10)];
    run("conveyor, exact time", &conveyor, Latencies::NONE, &belt, 10);
    run("conveyor, latency", &conveyor, slow, &belt, 10);
}
