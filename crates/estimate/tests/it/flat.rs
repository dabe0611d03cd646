//! A hundred thousand observations leave the estimate as small as a few do.

use crate::support::{estimator, moment, rational};
use tioga_base::{Moment, Rational};
use tioga_estimate::{Explained, Latencies};
use tioga_model::Model;
use tioga_testcase::Action;
use tioga_testkit::{example, model};

/// Repeats observations, `(channel, sent, units later)`, and gives the greatest number of zones and
/// the greatest constant in time units that were ever needed.
fn repeat(
    model: &Model,
    latency: Latencies,
    script: &[(&str, bool, i64)],
    unit: i64,
    events: usize,
) -> (usize, i64) {
    let mut one = estimator(model, latency);
    let (mut zones, mut constant, mut now) = (0, 0, 0);
    for (channel, sent, later) in script.iter().cycle().take(events) {
        now += later;
        let at = Moment::exactly(Rational::new(now, unit).unwrap());
        let action = Action::new(*channel, &[0u8; 0]);
        let explained = if *sent { one.sent(&action, at) } else { one.heard(&action, at) };
        assert_eq!(explained.unwrap(), Explained::Yes, "{channel} at {now}/{unit}");
        zones = zones.max(one.size());
        let scale = one.scale().to_integer().unwrap();
        constant = constant.max(i64::from(one.largest_constant()) / scale);
    }
    (zones, constant)
}

const BELT: [(&str, bool, i64); 3] =
    [("past", false, 30), ("ship1", true, 10), ("end1", false, 10)];

#[test]
fn with_exact_time() {
    let conveyor = example("conveyor");
    let (zones, constant) = repeat(&conveyor, Latencies::NONE, &BELT, 10, 100_000);
    assert!(zones <= 3 && constant <= 6, "{zones} zones, constant {constant}");
}

#[test]
fn with_nanoseconds_that_do_not_fit() {
    let conveyor = example("conveyor");
    let nano = BELT.map(|(channel, sent, later)| (channel, sent, later * 100_000_007));
    let (zones, constant) = repeat(&conveyor, Latencies::NONE, &nano, 1_000_000_000, 30_000);
    assert!(zones <= 3 && constant <= 7, "{zones} zones, constant {constant}");
}

#[test]
fn with_latencies() {
    let conveyor = example("conveyor");
    let latency =
        Latencies { input: moment("0..1/5"), output: moment("0..3/10"), jitter: rational("1/10") };
    let (zones, constant) = repeat(&conveyor, latency, &BELT, 10, 30_000);
    assert!(zones <= 6 && constant <= 12, "{zones} zones, constant {constant}");
}

#[test]
fn with_a_clock_that_is_never_reset() {
    let ticking = model(
        "output b;
        automaton S {
          clock x, z;
          init location A invariant x <= 2;
          A -> self : b! when x >= 1 && z >= 3 do x = 0;
          A -> self : b! when x >= 1 && z < 3 do x = 0;
        }",
    );
    let (zones, constant) = repeat(&ticking, Latencies::NONE, &[("b", false, 3)], 2, 100_000);
    assert!(zones <= 2 && constant <= 4, "{zones} zones, constant {constant}");
}

#[test]
fn the_scale_becomes_coarse_again() {
    let server = model(
        "output b;
        automaton S { clock x; init location A; A -> self : b! when x >= 1 do x = 0; }",
    );
    let mut one = estimator(&server, Latencies::NONE);
    let action = Action::new("b", &[0u8; 0]);
    for time in ["4/3", "18/7", "4", "6"] {
        let explained = one.heard(&action, Moment::exactly(rational(time))).unwrap();
        assert_eq!(explained, Explained::Yes);
    }
    assert_eq!(one.scale(), rational("21"));
    for time in 4..2100 {
        let time = Rational::integer(2 * time);
        assert_eq!(one.heard(&action, Moment::exactly(time)).unwrap(), Explained::Yes);
    }
    assert_eq!(one.scale(), Rational::ONE);
}
