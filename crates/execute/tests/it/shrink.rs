//! Runs that are made again, and failures that become as short as they get.

use crate::small_cases;
use crate::small_cases::settings;
use crate::support::synthesized;
use proptest::prelude::*;
use tioga_adapters::{Fault, FaultKind, Heard, ModelSystem, Policy, System};
use tioga_base::{Cancel, Moment, Rational, Times};
use tioga_estimate::Latencies;
use tioga_execute::{
    CaseTester, Event, OnlineOptions, OnlineTester, Outcome, Replayed, RunFailure, RunLimits,
    RunRecord, Settings, ShrinkOptions, Shrunk, Stand, SystemFactory, drive,
};
use tioga_model::Model;
use tioga_testcase::{Action, Shape};
use tioga_testkit::{example, example_text, model};

/// A shop that takes everything and never says anything.
const SHOP: &str = "\
input coin, button, lid;
output tea, coffee;
automaton Shop {
  init location Idle;
  Idle -> self : coin?;
  Idle -> self : button?;
  Idle -> self : lid?;
}
";

/// The same, but two buttons at least three time units after a coin make tea.
const LEAKY: &str = "\
input coin, button, lid;
output tea, coffee;
automaton Shop {
  clock x;
  init location Idle;
  location Paid, Pressed, Over;
  urgent location Leak;
  Idle -> Paid : coin? do x = 0;
  Paid -> Pressed : button? when x >= 3;
  Pressed -> Leak : button?;
  Leak -> Over : tea!;
}
";

fn one_case(specification: &Model) -> Settings {
    settings(vec![synthesized(specification, Shape::Strategy)], 1)
}

pub fn shop_settings() -> Settings {
    settings(vec![small_cases::case("shop", 2)], 1)
}

/// A run of a script, as a campaign would have recorded it.
fn recorded(inputs: &[(Rational, &str)], seed: u64) -> RunRecord {
    ended(inputs, seed, None)
}

/// The same, ended by a fault if there is one.
fn ended(inputs: &[(Rational, &str)], seed: u64, fault: Option<Fault>) -> RunRecord {
    let mut events = vec![Event::Begin { case: "shop".to_owned(), seed }];
    for (at, channel) in inputs {
        let action = Action { channel: (*channel).to_owned(), values: Vec::new() };
        events.push(Event::Sent { at: Moment::exactly(*at), action });
    }
    let last = inputs.last().map_or(Rational::ZERO, |(at, _)| *at);
    let at = Moment::exactly(last.add(Rational::integer(5)).unwrap());
    events.push(Event::Quiet { now: at });
    let outcome = if fault.is_some() { Outcome::Error } else { Outcome::Fail };
    events.extend(fault.map(|fault| Event::Fault { at, fault }));
    let reason = "as recorded".to_owned();
    events.push(Event::End {
        outcome,
        reason,
        at,
        longest_delay: Rational::ZERO,
        ignored: None,
        stopped: None,
        delays: Vec::new(),
    });
    RunRecord { run: 0, events }
}

pub fn shrunk(
    settings: &Settings,
    systems: &SystemFactory<'_>,
    record: &RunRecord,
    specification: Option<&Model>,
    attempts: u64,
) -> Shrunk {
    let mut stand = Stand::new(settings, systems, Cancel::new());
    let options = ShrinkOptions {
        model: specification,
        attempts,
        confirm: 1,
        tries: None,
        again: 10,
        any: false,
    };
    let shrunk = stand.shrink(record, &options, &mut |_, _| {}).unwrap();
    stand.finish().unwrap();
    shrunk
}

fn replayed(
    settings: &Settings,
    systems: &SystemFactory<'_>,
    record: &RunRecord,
    specification: Option<&Model>,
) -> Replayed {
    Stand::new(settings, systems, Cancel::new())
        .replay(record, specification, (None, None))
        .unwrap()
}

pub fn sent(record: &RunRecord) -> Vec<(String, String)> {
    let input = |event: &Event| match event {
        Event::Sent { at, action } => Some((at.earliest().to_string(), action.to_string())),
        _ => None,
    };
    record.events.iter().filter_map(input).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_known_shortest_failure_is_found_among_anything_else(
        noise in prop::collection::vec((0..4u8, 0..12i64), 0..14),
        gaps in (0..9i64, 9..17i64, 0..9i64),
    ) {
        let third = |count: i64| Rational::new(count, 3).unwrap();
        let mut inputs: Vec<(i64, &str)> = Vec::new();
        let core = [(gaps.0, "coin"), (gaps.0 + gaps.1, "button")];
        inputs.extend(core);
        inputs.push((gaps.0 + gaps.1 + gaps.2, "button"));
        // Lids never matter, and nothing matters before the coin.
        inputs.extend(noise.iter().map(|(kind, at)| match kind {
            0 => (at % (gaps.0 + 1), "button"),
            _ => (*at * 2, "lid"),
        }));
        inputs.sort_by_key(|(at, channel)| (*at, *channel != "coin"));
        let inputs: Vec<(Rational, &str)> =
            inputs.into_iter().map(|(at, channel)| (third(at), channel)).collect();
        let (specification, faulty) = (model(SHOP), model(LEAKY));
        let systems: &SystemFactory<'_> = &|| Ok(Box::new(ModelSystem::new(&faulty, Policy::Random)));
        let settings = shop_settings();
        let result = shrunk(&settings, systems, &recorded(&inputs, 1), Some(&specification), 2000);
        prop_assert_eq!(result.failure, Some(RunFailure::Output("tea".to_owned())));
        prop_assert!(result.complete && result.by_model);
        let expected = [("0", "coin"), ("3", "button"), ("3", "button")];
        let expected = expected.map(|(at, action)| (at.to_owned(), action.to_owned()));
        prop_assert_eq!(sent(&result.record), expected);
    }
}

/// The same, but a button sooner than that makes coffee, unless there was a lid.
const LEAKIER: &str = "\
input coin, button, lid;
output tea, coffee;
automaton Shop {
  clock x;
  init location Idle;
  location Paid, Covered, Pressed, Over;
  urgent location Leak, Spill;
  Idle -> Paid : coin? do x = 0;
  Paid -> Covered : lid?;
  Paid -> Spill : button? when x < 3;
  Spill -> Over : coffee!;
  Covered -> Pressed : button?;
  Pressed -> Leak : button?;
  Leak -> Over : tea!;
}
";

#[test]
fn another_failure_counts_only_if_any_does() {
    let (specification, faulty) = (model(SHOP), model(LEAKIER));
    let systems: &SystemFactory<'_> = &|| Ok(Box::new(ModelSystem::new(&faulty, Policy::Random)));
    let at = |time: i64| Rational::integer(time);
    let inputs = [(at(0), "coin"), (at(1), "lid"), (at(2), "button"), (at(2), "button")];
    let settings = shop_settings();
    for (any, channel, count) in [(false, "tea", 4), (true, "coffee", 2)] {
        let mut stand = Stand::new(&settings, systems, Cancel::new());
        let options = ShrinkOptions {
            model: Some(&specification),
            attempts: 500,
            confirm: 1,
            tries: None,
            again: 0,
            any,
        };
        let result = stand.shrink(&recorded(&inputs, 1), &options, &mut |_, _| {}).unwrap();
        assert_eq!(result.failure, Some(RunFailure::Output(channel.to_owned())));
        assert_eq!(sent(&result.record).len(), count);
    }
}

/// Failing runs of a random tester against a light that may be too slow.
fn slow_light_runs(specification: &Model, mutant: &Model) -> Vec<RunRecord> {
    let mut failing = Vec::new();
    for seed in 0..16 {
        let options = OnlineOptions {
            goal: None,
            keep: None,
            guide: None,
            actions: 60,
            lasts: None,
            longest_wait: Rational::integer(5),
            latencies: Latencies::default(),
            seed,
        };
        let mut tester = OnlineTester::new(specification, options).unwrap();
        let mut system = ModelSystem::new(mutant, Policy::Random);
        let mut events = vec![Event::Begin { case: "case".to_owned(), seed }];
        let ending = drive(&mut system, &mut tester, seed, &RunLimits::default(), &mut |event| {
            events.push(event.clone());
            Ok(())
        });
        let ending = ending.unwrap();
        if ending.outcome == Outcome::Fail {
            let (outcome, reason, at) = (ending.outcome, ending.reason, ending.at);
            events.push(Event::End {
                outcome,
                reason,
                at,
                longest_delay: Rational::ZERO,
                ignored: None,
                stopped: None,
                delays: Vec::new(),
            });
            failing.push(RunRecord { run: 0, events });
        }
    }
    failing
}

#[test]
fn a_shrunk_run_fails_in_the_same_way_and_no_input_can_be_left_out() {
    let text = example_text("smart-light");
    let specification = model(&text);
    let mutant = model(&text.replacen("Tp <= 2", "Tp <= 4", 1));
    let systems: &SystemFactory<'_> = &|| Ok(Box::new(ModelSystem::new(&mutant, Policy::Random)));
    let settings = one_case(&specification);
    let failing = slow_light_runs(&specification, &mutant);
    assert!(failing.len() > 3, "{}", failing.len());
    for record in failing {
        let result = shrunk(&settings, systems, &record, Some(&specification), 2000);
        assert_eq!(result.failure, Some(RunFailure::Silence));
        assert!(result.complete);
        assert!(result.after <= result.before);
        assert_eq!(result.record.outcome().unwrap().0, Outcome::Fail);
        for left_out in 0..result.after {
            let mut shorter = result.record.clone();
            let mut position = 0;
            shorter.events.retain(|event| {
                let gone = matches!(event, Event::Sent { .. }) && position == left_out;
                position += usize::from(matches!(event, Event::Sent { .. }));
                !gone
            });
            let again = replayed(&settings, systems, &shorter, Some(&specification));
            assert_ne!(again.ending.outcome, Outcome::Fail, "{left_out} of {:?}", sent(&shorter));
        }
        // What was found is what happens again.
        let again = replayed(&settings, systems, &result.record, Some(&specification));
        assert!(again.is_reproduced(), "{again:?}");
    }
}

#[test]
fn attempts_are_limited_and_progress_is_told() {
    let (specification, faulty) = (model(SHOP), model(LEAKY));
    let systems: &SystemFactory<'_> = &|| Ok(Box::new(ModelSystem::new(&faulty, Policy::Random)));
    let at = |time: i64| Rational::integer(time);
    let inputs = [(at(0), "lid"), (at(1), "coin"), (at(9), "button"), (at(9), "button")];
    let settings = shop_settings();
    let mut stand = Stand::new(&settings, systems, Cancel::new());
    let options = ShrinkOptions {
        model: Some(&specification),
        attempts: 4,
        confirm: 3,
        tries: None,
        again: 0,
        any: false,
    };
    let mut told = Vec::new();
    let result = stand.shrink(&recorded(&inputs, 1), &options, &mut |attempt, inputs| {
        told.push((attempt, inputs));
    });
    let result = result.unwrap();
    assert_eq!((result.attempts, result.complete), (4, false));
    assert_eq!(told, [(1, 4), (2, 4), (3, 4), (4, 4)]);
    let cancel = Cancel::new();
    cancel.cancel();
    let mut stand = Stand::new(&settings, systems, cancel);
    let result = stand.shrink(&recorded(&inputs, 1), &options, &mut |_, _| {}).unwrap();
    assert!(result.cancelled && result.failure.is_none());
}

/// A system that crashes at the second coin.
struct Crashing {
    now: Rational,
    gone: u32,
}

impl Crashing {
    const NEW: Self = Self { now: Rational::ZERO, gone: 0 };
}

impl System for Crashing {
    fn begin(&mut self, _: u64) -> Result<(), Fault> {
        *self = Self::NEW;
        Ok(())
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        Moment::exactly(self.now)
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        self.gone += u32::from(input.channel == "coin");
        match self.gone {
            2 => Err(Fault::new(FaultKind::Crash, "exit status 1")),
            _ => Ok(self.now()),
        }
    }

    fn wait(&mut self, until: Rational, _: &[Action]) -> Result<Heard, Fault> {
        self.now = until;
        Ok(Heard::Nothing { now: self.now() })
    }

    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn a_crash_is_shrunk_to_a_crash() {
    let specification = model(SHOP);
    let at = |time: i64| Rational::integer(time);
    let inputs = [(at(1), "coin"), (at(2), "lid"), (at(5), "button"), (at(9), "coin")];
    let systems: &SystemFactory<'_> = &|| Ok(Box::new(Crashing::NEW));
    let record = ended(&inputs, 1, Some(Fault::new(FaultKind::Crash, "exit status 7")));
    let result = shrunk(&shop_settings(), systems, &record, Some(&specification), 500);
    assert_eq!(result.failure, Some(RunFailure::Fault(FaultKind::Crash)));
    let coin = ("0".to_owned(), "coin".to_owned());
    assert_eq!(sent(&result.record), [coin.clone(), coin]);
    assert_eq!(result.record.outcome().unwrap().0, Outcome::Error);
}

/// The same, but a run with a lid kills it unnoticed, after its end.
struct Dying {
    crashing: Crashing,
    dead: bool,
}

impl System for Dying {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        match self.dead {
            true => Err(Fault::new(FaultKind::Crash, "exit status 1")),
            false => self.crashing.begin(seed),
        }
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        self.crashing.now()
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        self.dead |= input.channel == "lid";
        self.crashing.send(input)
    }

    fn wait(&mut self, until: Rational, awaited: &[Action]) -> Result<Heard, Fault> {
        self.crashing.wait(until, awaited)
    }

    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

#[test]
fn a_system_that_died_after_one_attempt_is_started_anew_for_the_next() {
    let specification = model(SHOP);
    let at = |time: i64| Rational::integer(time);
    let inputs = [(at(1), "lid"), (at(2), "coin"), (at(5), "button"), (at(9), "coin")];
    let systems: &SystemFactory<'_> =
        &|| Ok(Box::new(Dying { crashing: Crashing::NEW, dead: false }));
    let record = ended(&inputs, 1, Some(Fault::new(FaultKind::Crash, "exit status 7")));
    let result = shrunk(&shop_settings(), systems, &record, Some(&specification), 500);
    assert_eq!(result.failure, Some(RunFailure::Fault(FaultKind::Crash)));
    let coin = ("0".to_owned(), "coin".to_owned());
    assert_eq!(sent(&result.record), [coin.clone(), coin]);
    // A new system that does not begin is a failure all the same.
    let systems: &SystemFactory<'_> =
        &|| Ok(Box::new(Dying { crashing: Crashing::NEW, dead: true }));
    let result = shrunk(&shop_settings(), systems, &record, Some(&specification), 500);
    assert_eq!(result.failure, Some(RunFailure::Fault(FaultKind::Crash)));
    assert_eq!(sent(&result.record), []);
}

#[test]
fn a_run_that_does_not_fail_again_is_not_shrunk() {
    let specification = model(SHOP);
    let systems: &SystemFactory<'_> =
        &|| Ok(Box::new(ModelSystem::new(&specification, Policy::Random)));
    let inputs = [(Rational::ZERO, "coin")];
    let record = recorded(&inputs, 1);
    let result = shrunk(&shop_settings(), systems, &record, Some(&specification), 500);
    assert_eq!((result.failure, result.attempts), (None, 2));
    // Nor is one that ends in another way altogether.
    let systems: &SystemFactory<'_> =
        &|| Err(Fault::new(FaultKind::Unreachable, "there is no such program"));
    let result = shrunk(&shop_settings(), systems, &record, Some(&specification), 500);
    assert_eq!((result.failure, result.attempts), (None, 2));
    assert_eq!(result.record.outcome().unwrap().0, Outcome::Error);
}

#[test]
fn a_tester_who_sends_nothing_when_it_has_to_blames_nobody() {
    let specification = model(
        "input coin; output tea;
         automaton Shop {
           clock x;
           init location Idle invariant x <= 3;
           location Paid;
           Idle -> Paid : coin?;
           Paid -> self : coin?;
           Paid -> Paid : tea! when x >= 9;
         }",
    );
    let systems: &SystemFactory<'_> = &|| Ok(Box::new(Crashing::NEW));
    let at = |time: i64| Rational::integer(time);
    let inputs = [(at(1), "coin"), (at(20), "coin")];
    let record = ended(&inputs, 1, Some(Fault::new(FaultKind::Crash, "exit status 1")));
    let result = shrunk(&shop_settings(), systems, &record, Some(&specification), 500);
    assert_eq!(sent(&result.record).len(), 2);
    // Without the first input time ends at 3, and only the tester could have gone on.
    let silent = recorded(&[(at(20), "coin")], 1);
    let result = shrunk(&shop_settings(), systems, &silent, Some(&specification), 1);
    assert_eq!(result.failure, None);
    let (outcome, reason) = result.record.outcome().unwrap();
    let expected = "time ended, and the tester had sent nothing";
    assert_eq!((outcome, reason), (Outcome::Inconclusive, expected));
}

#[test]
fn every_run_of_a_test_case_is_reproduced() {
    for name in ["smart-light", "problematic-light", "complex"] {
        let specification = example(name);
        let other = example("problematic-light");
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            let case = synthesized(&specification, shape);
            let settings = settings(vec![case.clone()], 1);
            for policy in [Policy::Random, Policy::Lazy, Policy::Eager, Policy::Hostile] {
                let tested = if name == "smart-light" { &other } else { &specification };
                let systems: &SystemFactory<'_> =
                    &|| Ok(Box::new(ModelSystem::new(tested, policy)));
                for run in 0..12 {
                    let seed = Settings::run_seed(9, run);
                    let mut stand = Stand::new(&settings, systems, Cancel::new());
                    let tester = || CaseTester::new(&case, Settings::tester_seed(seed), None);
                    let events = vec![Event::Begin { case: case.name.clone(), seed }];
                    let like = RunRecord { run: 0, events };
                    let (record, ..) = stand.run(&like, tester).unwrap();
                    let again = stand.replay(&record, None, (None, None)).unwrap();
                    let what = format!("{name} {shape:?} {policy:?} {run}");
                    assert!(again.is_reproduced(), "{what}: {record:#?} {again:#?}");
                }
            }
        }
    }
}

/// Whoever asks may thank only for an answer.
const POLITE: &str = "\
input ask, thank;
output yes;
automaton Polite {
  clock x;
  init location Idle;
  location Asked invariant x <= 2;
  location Answered, Done;
  Idle -> Asked : ask? do x = 0;
  Asked -> Answered : yes! do x = 0;
  Answered -> Done : thank?;
}
query control: A<> Polite.Done;
";

#[test]
fn a_system_that_behaves_differently_makes_a_run_diverge() {
    let specification = model(POLITE);
    let settings = one_case(&specification);
    let case = &settings.suite.cases[0];
    let eager: &SystemFactory<'_> =
        &|| Ok(Box::new(ModelSystem::new(&specification, Policy::Eager)));
    let lazy: &SystemFactory<'_> = &|| Ok(Box::new(ModelSystem::new(&specification, Policy::Lazy)));
    let tester = || CaseTester::new(case, 0, None);
    let events = vec![Event::Begin { case: case.name.clone(), seed: 1 }];
    let like = RunRecord { run: 0, events };
    let (record, ending, _) =
        Stand::new(&settings, eager, Cancel::new()).run(&like, tester).unwrap();
    assert_eq!(ending.outcome, Outcome::Pass);
    let again = replayed(&settings, lazy, &record, None);
    assert_eq!(again.ending.outcome, Outcome::Inconclusive);
    let expected = "nothing more happened, while in the recorded run `yes` was heard at 0";
    assert_eq!(again.difference.unwrap().text(Times::default()), expected);
    let reason = format!("diverged: `thank`, due at 0, may not be sent any more; {expected}");
    assert_eq!(again.ending.reason, reason);
}
