//! Systems that do everything in turn, and what a tester that lowers ranks gets from them.

use std::collections::BTreeMap;

use crate::support::synthesized;
use tioga_adapters::{Heard, ModelSystem, Policy, System};
use tioga_base::{Moment, Rational};
use tioga_execute::{CaseTester, Ending, Outcome, RunLimits, Settings, drive};
use tioga_testcase::{Shape, TestCase};
use tioga_testkit::{example, model};

fn ending(case: &TestCase, system: &mut ModelSystem<'_>, seed: u64) -> Ending {
    let mut tester = CaseTester::new(case, Settings::tester_seed(seed), None).unwrap();
    drive(system, &mut tester, seed, &RunLimits::default(), &mut |_| Ok(())).unwrap()
}

/// HJM22, Theorem 28, on Figure 13: the tester needs the system's help twice, and gets it.
#[test]
fn strategies_that_lower_ranks_win_against_fair_systems() {
    for name in ["complex", "smart-light", "problematic-light"] {
        let specification = example(name);
        for shape in [Shape::Strategy, Shape::Automaton] {
            // Only a strategy lowers ranks whenever it can.
            let case = synthesized(&specification, shape);
            let mut system = ModelSystem::new(&specification, Policy::Fair);
            for run in 0..500 {
                let seed = Settings::run_seed(28, run);
                let ending = ending(&case, &mut system, seed);
                let what = format!("{name} {shape:?} {seed}: {}", ending.reason);
                match shape {
                    Shape::Strategy => assert_eq!(ending.outcome, Outcome::Pass, "{what}"),
                    _ => assert_ne!(ending.outcome, Outcome::Fail, "{what}"),
                }
            }
        }
    }
    // Without fairness they do not: this one never helps.
    let specification = example("complex");
    let case = synthesized(&specification, Shape::Strategy);
    let mut lazy = ModelSystem::new(&specification, Policy::Lazy);
    assert_eq!(ending(&case, &mut lazy, 0).outcome, Outcome::Inconclusive);
}

/// A machine that may say one of three things whenever it likes.
const MACHINE: &str = "
output a, b, c;
automaton Machine {
  clock x;
  init location Idle;
  Idle -> self : a! do x = 0;
  Idle -> self : b! when x >= 3 do x = 0;
  Idle -> self : c! when x >= 1 && x <= 2 do x = 0;
}
";

#[test]
fn every_output_comes_in_turn_and_none_is_waited_for_in_vain() {
    let machine = model(MACHINE);
    for seed in 0..50 {
        let mut system = ModelSystem::new(&machine, Policy::Fair);
        system.begin(seed).unwrap();
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for _ in 0..40 {
            let now = system.now().latest();
            // The largest constant is 3: beyond it, all moments are alike.
            let until = now.add(Rational::integer(4)).unwrap();
            let Heard::Output { action, .. } = system.wait(until, &[]).unwrap() else {
                panic!("silence after {now}")
            };
            *counts.entry(action.channel).or_default() += 1;
        }
        // One turn in four lets all constants pass, and then `a` or `b` comes. Every second turn is by chance.
        let [a, b, c] = counts.into_values().collect::<Vec<_>>()[..] else { panic!("{seed}") };
        assert!(a >= 8 && b >= 8 && (8..=14).contains(&c), "{seed}: {a} {b} {c}");
    }
}

/// A machine that may say something for a while, and then no more.
const SHY: &str = "
input go;
output a;
automaton Shy {
  clock x;
  init location Idle;
  location Gone;
  Idle -> self : a! when x <= 2 do x = 0;
  Idle -> Gone : go? when x > 2;
}
";

#[test]
fn time_passes_in_turn_where_it_may() {
    let shy = model(SHY);
    for seed in 0..50 {
        let mut system = ModelSystem::new(&shy, Policy::Fair);
        system.begin(seed).unwrap();
        let mut outputs = 0;
        while let Heard::Output { .. } = {
            let until = system.now().latest().add(Rational::integer(3)).unwrap();
            system.wait(until, &[]).unwrap()
        } {
            outputs += 1;
            assert!(outputs <= 6, "{seed}: it lets its moments pass one time in two");
        }
        assert!(system.now() > Moment::START);
    }
}
