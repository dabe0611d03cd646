//! Symbolic tests of random models: no run against the model itself fails, and the checker finds nothing wrong. The
//! models have hidden steps, invariants, resets that are never compared again, and guards that one instant satisfies.
//!
//! `TIOGA_ROUNDS` takes more models.

use std::fmt::Write as _;

use fastrand::Rng;
use tioga::{
    Cancel, Certificate, CertifyFinding, CertifyOptions, Effort, Loaded, ModelSource, Outcome,
    Policy, RunOptions, Sources, Suite, SymbolicCases, SymbolicOptions, SymbolicStage, SystemRef,
    certify, prepare, read_open, settings, symbolic, symbolic_suite,
};
use tioga_execute::Event;

/// How many runs each test case has with each policy.
const RUNS: u64 = 10;

fn guards(random: &mut Rng, most: usize) -> Vec<String> {
    let one = |random: &mut Rng| {
        let relation = ["<", "<=", "==", ">=", ">"][random.usize(0..5)];
        format!("{} {relation} {}", ["c", "d"][random.usize(0..2)], random.u8(0..4))
    };
    let count = random.usize(0..=most);
    (0..count).map(|_| one(random)).collect()
}

/// A random model: two clocks that inputs and outputs reset, inputs with and without a value, outputs, a hidden action
/// and invariants.
fn automaton(random: &mut Rng) -> String {
    let locations = random.usize(3..6);
    let mut text = String::from(
        "input i, j(int[0, 2] m);\noutput o, p(int[0, 2] v);\ninternal tau;\nautomaton S {\n  clock c, d;\n  int[0, 2] x;\n",
    );
    for location in 0..locations {
        let init = if location == 0 { "init " } else { "" };
        let _ = write!(text, "  {init}location l{location}");
        if random.u8(0..4) == 0 {
            let (clock, least) = (["c", "d"][random.usize(0..2)], u8::from(location == 0));
            let _ = write!(text, " invariant {clock} <= {}", random.u8(least..4));
        }
        text.push_str(";\n");
    }
    for edge in 0..random.usize(4..9) {
        let source = if edge == 0 { 0 } else { random.usize(0..locations) };
        let target = random.usize(0..locations);
        let kind = random.usize(0..5);
        let action = ["i?", "j(m)?", "o!", "p(x)!", "tau"][kind];
        let mut updates = Vec::new();
        if kind < 4 {
            // The same action resets the same clocks, mostly: a tester may not know which edge was taken.
            if kind.is_multiple_of(2) || random.u8(0..8) == 0 {
                updates.push(["c = 0", "d = 0"][kind / 2].to_owned());
            }
            match kind {
                1 if random.bool() => updates.push("x = m".to_owned()),
                0 | 2 if random.u8(0..3) == 0 => updates.push(format!("x = {}", random.u8(0..3))),
                _ => {}
            }
        }
        let mut guards = guards(random, 2);
        if random.u8(0..4) == 0 {
            guards.push(format!("x {} {}", ["<=", ">="][random.usize(0..2)], random.u8(0..3)));
        }
        let join = |word: &str, parts: &[String], by: &str| match parts {
            [] => String::new(),
            _ => format!(" {word} {}", parts.join(by)),
        };
        let (when, does) = (join("when", &guards, " && "), join("do", &updates, ", "));
        let _ = writeln!(text, "  l{source} -> l{target} : {action}{when}{does};");
    }
    text.push_str("}\npurpose Q {\n  init location s;\n  location t;\n  accept location A;\n");
    let (first, last) = (["o!", "p(v)!"][random.usize(0..2)], ["o!", "p(v)!"][random.usize(0..2)]);
    let _ = writeln!(text, "  s -> t : {first};\n  t -> A : {last};\n  otherwise self;\n}}");
    text
}

/// What runs of suites against their models give. None fails.
#[derive(Default, Debug)]
pub struct Outcomes {
    pub passed: u64,
    pub inconclusive: u64,
    /// The model ran in circles without an end.
    pub errors: u64,
    /// The model did not behave as itself: it ignored what it takes in other states that look the same, or stopped time.
    pub set_aside: u64,
}

/// Adds what the runs of a suite against its model give.
pub fn count_runs(
    counts: &mut Outcomes,
    loaded: &Loaded,
    suite: &Suite,
    policy: Policy,
    told: &str,
) {
    let options = RunOptions {
        policy: Some(policy),
        repeat: Some(RUNS),
        keep_going: true,
        ..RunOptions::default()
    };
    let (mut texts, mut effort) = (Sources::new(), Effort::default());
    let settings =
        settings(suite.clone(), None, SystemRef::Itself, &options, Some(&loaded.model)).unwrap();
    let prepared = prepare(settings, Some(loaded.clone()), &mut texts, &mut effort).unwrap();
    for record in prepared.records(Cancel::new()).unwrap() {
        match record.outcome().unwrap() {
            (Outcome::Pass, ..) => counts.passed += 1,
            (Outcome::Inconclusive, ..) => counts.inconclusive += 1,
            (Outcome::Error, ..) => counts.errors += 1,
            _ if is_unlike_itself(&record.events) => counts.set_aside += 1,
            wrong => panic!("{told}\n{policy:?}: {wrong:?}"),
        }
    }
}

pub fn is_unlike_itself(events: &[Event]) -> bool {
    let unlike = |event: &Event| match event {
        Event::End { ignored, stopped, .. } => ignored.is_some() || stopped.is_some(),
        _ => false,
    };
    events.iter().any(unlike)
}

#[test]
fn systems_that_behave_as_the_model_never_fail_symbolic_tests() {
    let rounds = std::env::var("TIOGA_ROUNDS").ok().and_then(|text| text.parse().ok());
    let first = std::env::var("TIOGA_FIRST").ok().and_then(|text| text.parse().ok());
    let first: u64 = first.unwrap_or(0);
    let (mut suites, mut counts) = (0, Outcomes::default());
    for seed in first..first + rounds.unwrap_or(250) {
        let mut random = Rng::with_seed(seed);
        let text = automaton(&mut random);
        let told = format!("seed {seed}\n{text}");
        let (mut texts, mut effort) = (Sources::new(), Effort::default());
        let source = ModelSource::of_text("random.tioga", text).unwrap();
        let loaded = read_open(source.clone(), &[], &mut texts).unwrap();
        let options = SymbolicOptions {
            purpose: Some("Q".to_owned()),
            stage: SymbolicStage::Subgraphs,
            complete: false,
            solver: None,
            max_states: 500,
            max_subgraphs: 2,
        };
        // Some have no way to the purpose, are too large, or reset clocks unseen.
        let Ok(result) = symbolic(&loaded, &options, &mut effort) else { continue };
        for cases in [SymbolicCases::Game, SymbolicCases::All] {
            let Ok(suite) = symbolic_suite(&loaded, &result, cases, &effort) else { continue };
            suites += 1;
            for policy in [Policy::Random, Policy::Eager, Policy::Lazy] {
                count_runs(&mut counts, &loaded, &suite, policy, &told);
            }
            let certificate = Certificate::Suite(Box::new(suite));
            let options = CertifyOptions { plays: 20, seed, ..CertifyOptions::default() };
            let all =
                certify(source.clone(), &certificate, None, &options, &mut texts, &mut effort);
            for found in all.unwrap() {
                let wrong = matches!(found.finding, CertifyFinding::Wrong(_));
                assert!(!wrong, "{told}\n{}: {:?}", found.name, found.finding);
            }
        }
    }
    println!("{suites} suites, {counts:?}, none failed");
    assert!(suites > 15 && counts.passed > 100, "{suites} suites, {counts:?}");
}
