//! Test cases made from the smart light's model, run against the smart light as a program: it passes
//! with virtual and with real time, and a light that reacts too late fails.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::support::{run, synthesized};
use tioga_adapters::{AdapterLimits, Alphabet, Protocol, TimeBase};
use tioga_base::{Moment, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{CaseTester, EstimatingTester, Outcome};
use tioga_testcase::{Shape, TestCase};
use tioga_testkit::{HANGING, example};

/// The program, with one part of it replaced.
fn light(original: &str, replacement: &str) -> Option<String> {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: there is no `python3`");
        return None;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/adapters/light.py");
    let text = std::fs::read_to_string(path).unwrap();
    assert!(text.contains(original));
    let changed = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("light {replacement}.py"));
    std::fs::write(&changed, text.replace(original, replacement)).unwrap();
    Some(format!("exec python3 '{}'", changed.display()))
}

fn limits() -> AdapterLimits {
    AdapterLimits { answer: HANGING, start: HANGING, exit: HANGING, ..AdapterLimits::default() }
}

fn case(shape: Shape) -> TestCase {
    synthesized(&example("smart-light"), shape)
}

#[test]
fn a_light_that_conforms_passes_and_one_that_is_late_fails() {
    let Some(good) = light("now + 1", "now + 1") else { return };
    let Some(late) = light("now + 1", "now + 3") else { return };
    for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
        let case = case(shape);
        let alphabet = Alphabet::of([&case]);
        let outcomes = |command: &str| -> Vec<Outcome> {
            let opened =
                Protocol::Json.connect(&command.into(), TimeBase::Virtual, &alphabet, &limits());
            let mut system = opened.unwrap();
            let outcomes = (0..20).map(|seed| {
                let mut tester = CaseTester::new(&case, seed, None).unwrap();
                let (ending, events) = run(&mut *system, &mut tester, seed);
                assert_ne!(ending.outcome, Outcome::Error, "{ending:?} {events:#?}");
                ending.outcome
            });
            let outcomes = outcomes.collect();
            system.finish().unwrap();
            outcomes
        };
        let good = outcomes(&good);
        assert!(!good.contains(&Outcome::Fail), "{shape:?}: {good:?}");
        assert!(good.contains(&Outcome::Pass), "{shape:?}: {good:?}");
        let late = outcomes(&late);
        assert!(late.contains(&Outcome::Fail), "{shape:?}: {late:?}");
    }
}

#[test]
fn with_real_time_too() {
    let Some(good) = light("now + 1", " now + 1") else { return };
    let Some(late) = light("now + 1", "now + 9") else { return };
    let case = case(Shape::Strategy);
    let alphabet = Alphabet::of([&case]);
    let time = TimeBase::Real { unit_ns: 50_000_000 };
    // A busy machine may keep a message waiting for this long.
    let way = Moment::between(Rational::ZERO, Rational::ONE).unwrap();
    let latencies = Latencies { input: way, output: way, jitter: Rational::ONE };
    let outcome = |command: &str| {
        let opened = Protocol::Json.connect(&command.into(), time, &alphabet, &limits());
        let mut system = opened.unwrap();
        let mut tester = EstimatingTester::new(&case, &latencies, 1, None).unwrap();
        let (ending, events) = run(&mut *system, &mut tester, 1);
        system.finish().unwrap();
        (ending.outcome, format!("{ending:?} {events:#?}"))
    };
    let (good, what) = outcome(&good);
    assert!(matches!(good, Outcome::Pass | Outcome::Inconclusive), "{what}");
    let (late, what) = outcome(&late);
    assert_eq!(late, Outcome::Fail, "{what}");
}
