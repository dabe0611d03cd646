//! Testers against models: with exact time, with latencies, and on line.

use crate::support::{Lagging, run, synthesized};
use tioga_adapters::{ModelSystem, Policy};
use tioga_base::{Moment, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{
    CaseTester, EstimatingTester, Event, OnlineOptions, OnlineTester, Outcome, Tester,
};
use tioga_testcase::{Action, Shape, Verdict};
use tioga_testkit::{SHAPES, example, example_text, model};

const EXAMPLES: [&str; 3] = ["smart-light", "problematic-light", "complex"];
const POLICIES: [Policy; 4] = [Policy::Random, Policy::Lazy, Policy::Eager, Policy::Hostile];

#[test]
fn a_system_that_behaves_as_its_model_never_fails() {
    for name in EXAMPLES {
        let model = example(name);
        for shape in SHAPES {
            let case = synthesized(&model, shape);
            let mut passed = 0;
            for policy in POLICIES {
                for seed in 0..50 {
                    let mut system = ModelSystem::new(&model, policy);
                    let mut tester = CaseTester::new(&case, seed, None).unwrap();
                    let (ending, events) = run(&mut system, &mut tester, seed);
                    let fine = matches!(ending.outcome, Outcome::Pass | Outcome::Inconclusive);
                    assert!(fine, "{name} {shape:?} {policy:?} {seed}: {ending:?} {events:#?}");
                    passed += u32::from(ending.outcome == Outcome::Pass);
                }
            }
            assert!(passed > 0, "{name} {shape:?} never passes");
        }
    }
}

#[test]
fn without_uncertainty_an_estimate_is_as_good_as_exact_time() {
    for name in EXAMPLES {
        let model = example(name);
        for shape in SHAPES {
            let case = synthesized(&model, shape);
            for seed in 0..60 {
                let mut system = ModelSystem::new(&model, Policy::Random);
                let mut exact = CaseTester::new(&case, seed, None).unwrap();
                let (one, events) = run(&mut system, &mut exact, seed);
                let none = Latencies::default();
                let mut estimating = EstimatingTester::new(&case, &none, seed, None).unwrap();
                let (other, same) = run(&mut system, &mut estimating, seed);
                let what = format!("{name} {shape:?} {seed}: {one:?} {other:?}");
                assert_eq!(events, same, "{what}");
                assert_eq!(one.outcome, other.outcome, "{what}");
            }
        }
    }
}

#[test]
fn whoever_sends_what_the_test_case_does_not_is_to_blame() {
    let case = synthesized(&example("smart-light"), Shape::Tree);
    let mut tester = CaseTester::new(&case, 0, None).unwrap();
    let unknown = Action::new("kick", &[0u8; 0]);
    let over = tester.sent(&unknown, Moment::exactly(Rational::ZERO)).unwrap().unwrap();
    assert_eq!(over.verdict, Verdict::Inconclusive);
    assert_eq!(over.reason, "the test case does not send `kick` now");
}

fn latencies(bound: Rational, jitter: Rational) -> Latencies {
    let way = Moment::between(Rational::ZERO, bound).unwrap();
    Latencies { input: way, output: way, jitter }
}

#[test]
fn latencies_within_their_bounds_never_make_a_system_fail() {
    let quarter = |count: i64| Rational::new(count, 4).unwrap();
    for name in EXAMPLES {
        let model = example(name);
        for shape in SHAPES {
            let case = synthesized(&model, shape);
            let mut passed = 0;
            for seed in 0..40 {
                let ways = (quarter(seed as i64 % 3), quarter(seed as i64 % 2), quarter(1));
                let mut system = Lagging::new(&model, ways);
                let allowed = latencies(quarter(2), quarter(1));
                let mut tester = EstimatingTester::new(&case, &allowed, seed, None).unwrap();
                let (ending, events) = run(&mut system, &mut tester, seed);
                let fine = matches!(ending.outcome, Outcome::Pass | Outcome::Inconclusive);
                assert!(fine, "{name} {shape:?} {seed}: {ending:?} {events:#?}");
                passed += u32::from(ending.outcome == Outcome::Pass);
            }
            // The third example asks for moments that latencies of this size blur.
            assert!(passed > 0 || name == "complex", "{name} {shape:?} never passes");
        }
    }
}

#[test]
fn a_latency_beyond_its_bounds_is_noticed() {
    let model = example("smart-light");
    let case = synthesized(&model, Shape::Strategy);
    let late = (Rational::ZERO, Rational::integer(4), Rational::ZERO);
    let fails = |bound: i64| {
        let mut fails = 0;
        for seed in 0..40 {
            let mut system = Lagging::new(&model, late);
            let allowed = latencies(Rational::integer(bound), Rational::ZERO);
            let mut tester = EstimatingTester::new(&case, &allowed, seed, None).unwrap();
            fails += u32::from(run(&mut system, &mut tester, seed).0.outcome == Outcome::Fail);
        }
        fails
    };
    assert!(fails(1) > 0);
    assert_eq!(fails(4), 0);
}

#[test]
fn an_on_line_tester_finds_what_does_not_conform_and_nothing_else() {
    let text = example_text("smart-light");
    let specification = model(&text);
    let options = |seed: u64| OnlineOptions {
        goal: None,
        keep: None,
        guide: None,
        actions: 60,
        lasts: None,
        longest_wait: Rational::integer(5),
        latencies: Latencies::default(),
        seed,
    };
    let mutated = text.replacen("Tp <= 2", "Tp <= 4", 1);
    assert_ne!(text, mutated);
    let mutant = model(&mutated);
    let mut found = 0;
    for seed in 0..40 {
        let mut tester = OnlineTester::new(&specification, options(seed)).unwrap();
        let mut system = ModelSystem::new(&specification, Policy::Random);
        let (ending, events) = run(&mut system, &mut tester, seed);
        assert_eq!(ending.outcome, Outcome::Pass, "{seed}: {ending:?} {events:#?}");
        assert!(events.iter().any(|event| matches!(event, Event::Heard { .. })));
        let mut tester = OnlineTester::new(&specification, options(seed)).unwrap();
        let mut system = ModelSystem::new(&mutant, Policy::Random);
        found += u32::from(run(&mut system, &mut tester, seed).0.outcome == Outcome::Fail);
    }
    assert!(found > 10, "found in {found} of 40 runs");
}

#[test]
fn nothing_is_sent_before_every_explanation_accepts_it() {
    // The one may be sent for a while, the other after that, and latencies blur when that is.
    let text = "input ask, tell; output ready, done;
        automaton System {
          clock x;
          init location Idle invariant x <= 3;
          location Ready, Done;
          location Asked invariant x <= 1;
          Idle -> Ready : ready! do x = 0;
          Ready -> Asked : ask? when x >= 1 && x <= 2 do x = 0;
          Ready -> Asked : tell? when x > 2 do x = 0;
          Asked -> Done : done!;
        }
        query control: A<> System.Done;";
    let half = |count: i64| Rational::new(count, 2).unwrap();
    let model = model(text);
    for shape in [Shape::Strategy, Shape::Tree] {
        let case = synthesized(&model, shape);
        for seed in 0..60 {
            let ways = (half(seed as i64 % 3), half(seed as i64 / 3 % 3), Rational::ZERO);
            let mut system = Lagging::new(&model, ways);
            let allowed = latencies(Rational::ONE, Rational::ZERO);
            let mut tester = EstimatingTester::new(&case, &allowed, seed, None).unwrap();
            let (ending, events) = run(&mut system, &mut tester, seed);
            assert_eq!(ending.outcome, Outcome::Pass, "{shape:?} {seed}: {ending:?} {events:#?}");
        }
    }
}

#[test]
fn what_is_never_sure_is_not_sent() {
    // What has to be sent depends on a moment that latencies blur, for good.
    let text = "input ask, tell; output ready, done;
        automaton System {
          clock x;
          init location Idle invariant x <= 3;
          location Early, Late, Done;
          location Asked invariant x <= 1;
          Idle -> Early : ready! when x <= 1;
          Idle -> Late : ready! when x > 1;
          Early -> Asked : ask? do x = 0;
          Late -> Asked : tell? do x = 0;
          Asked -> Done : done!;
        }
        query control: A<> System.Done;";
    let model = model(text);
    let case = synthesized(&model, Shape::Strategy);
    let (mut passed, mut unsure) = (0, 0);
    for seed in 0..60 {
        let mut system = Lagging::new(&model, (Rational::ONE, Rational::ONE, Rational::ZERO));
        let allowed = latencies(Rational::ONE, Rational::ZERO);
        let mut tester = EstimatingTester::new(&case, &allowed, seed, None).unwrap();
        let (ending, events) = run(&mut system, &mut tester, seed);
        if ending.outcome == Outcome::Pass {
            passed += 1;
            continue;
        }
        assert_eq!(ending.outcome, Outcome::Inconclusive, "{seed}: {ending:?} {events:#?}");
        assert!(ending.reason.contains(" may be sent depends"), "{}", ending.reason);
        assert!(!events.iter().any(|event| matches!(event, Event::Sent { .. })), "{events:#?}");
        unsure += 1;
    }
    assert!(passed > 10 && unsure > 10, "{passed} passed, {unsure} were unsure");
}

#[test]
fn on_line_nobody_fails_where_perhaps_only_the_tester_could_go_on() {
    let text = "input a; output go, b; automaton P { clock x;
  init location L invariant x <= 1; location A, B invariant x <= 5; location End;
  L -> A : go! do x = 0; L -> B : go! do x = 0;
  A -> End : b!; B -> End : a?;
}";
    let model = model(text);
    let mut inconclusive = 0;
    for policy in POLICIES {
        for seed in 0..20 {
            let options = OnlineOptions {
                goal: None,
                keep: None,
                guide: None,
                actions: 10,
                lasts: None,
                longest_wait: Rational::integer(8),
                latencies: Latencies::default(),
                seed,
            };
            let mut system = ModelSystem::new(&model, policy);
            let mut tester = OnlineTester::new(&model, options).unwrap().in_virtual_time();
            let (ending, events) = run(&mut system, &mut tester, seed);
            assert_ne!(ending.outcome, Outcome::Fail, "{policy:?} {seed}: {ending:?} {events:?}");
            inconclusive += u32::from(ending.outcome == Outcome::Inconclusive);
        }
    }
    assert!(inconclusive > 0);
    // Where the tester is not needed, silence is a failure still.
    let silent = text.replace("A -> End : b!;", "").replace("L -> B : go! do x = 0;", "");
    let silent = tioga_testkit::model(&silent.replace("x <= 5", "true"));
    let certain = tioga_testkit::model(&text.replace("L -> B : go! do x = 0;", ""));
    let options = OnlineOptions {
        goal: None,
        keep: None,
        guide: None,
        actions: 10,
        lasts: None,
        longest_wait: Rational::integer(8),
        latencies: Latencies::default(),
        seed: 1,
    };
    let mut system = ModelSystem::new(&silent, Policy::Eager);
    let mut tester = OnlineTester::new(&certain, options).unwrap().in_virtual_time();
    assert_eq!(run(&mut system, &mut tester, 1).0.outcome, Outcome::Fail);
}

/// Neither an input of many values that is never tried nor a system that never answers passes.
#[test]
fn an_on_line_run_without_evidence_is_inconclusive() {
    let many = "input set(int[0, 9999] v); output done; automaton A { init location Idle;
        location Busy; Idle -> Busy : set(v)? when v > 9999; Idle -> Idle : done!; }";
    let none = "input go; output done; automaton A { init location Idle; location Off;
        Idle -> Idle : done!; Off -> Idle : go?; }";
    let never = "`set` was never sent";
    for (text, reason) in [(many, never), (none, "nothing was sent or heard")] {
        let model = model(text);
        let options = OnlineOptions {
            goal: None,
            keep: None,
            guide: None,
            actions: 20,
            lasts: None,
            longest_wait: Rational::integer(5),
            latencies: Latencies::default(),
            seed: 0,
        };
        let mut tester = OnlineTester::new(&model, options).unwrap();
        let mut silent = ModelSystem::new(&model, Policy::Lazy);
        let (ending, _) = run(&mut silent, &mut tester, 0);
        assert_eq!((ending.outcome, ending.reason.as_str()), (Outcome::Inconclusive, reason));
    }
}

/// A hidden step decides whether the system has to answer or the tester has to ask; neither is known to
/// be at fault for silence.
#[test]
fn silence_is_inconclusive_where_a_hidden_choice_may_have_left_it_to_the_tester() {
    let hidden = "input ask; output tell; internal choose; automaton A { clock x;
        init location Start invariant x <= 0; location Speaks, Listens invariant x <= 2;
        Start -> Speaks : choose; Start -> Listens : choose;
        Speaks -> Start : tell! do x = 0; Listens -> Start : ask? do x = 0; }";
    let speaks = hidden.replace("Start -> Listens : choose;", "");
    for (text, expected) in [(hidden, Outcome::Inconclusive), (speaks.as_str(), Outcome::Fail)] {
        let (specification, system) = (model(text), model(hidden));
        let mut ended = 0;
        for seed in 0..50 {
            let options = OnlineOptions {
                goal: None,
                keep: None,
                guide: None,
                actions: 20,
                lasts: None,
                longest_wait: Rational::integer(5),
                latencies: Latencies::default(),
                seed,
            };
            let mut tester = OnlineTester::new(&specification, options).unwrap();
            let mut system = ModelSystem::new(&system, Policy::Random);
            let (ending, _) = run(&mut system, &mut tester, seed);
            let fine = [Outcome::Pass, expected].contains(&ending.outcome);
            assert!(fine, "{seed}: {}", ending.reason);
            ended += u32::from(ending.outcome == expected);
        }
        assert!(ended > 25, "{ended} runs met the choice");
    }
}
