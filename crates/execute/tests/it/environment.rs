//! Closed models online: the tester plays the environment, hidden steps included, and the system is
//! what is left of the model without it.

use std::sync::{Arc, Mutex};

use crate::support::run;
use proptest::prelude::*;
use tioga_adapters::{ModelSystem, Policy, TakenStep};
use tioga_base::{Budget, Rational};
use tioga_concrete::{Observed, Observer, Semantics, TraceEvent as Shown, observable};
use tioga_estimate::Latencies;
use tioga_execute::{Event, OnlineOptions, OnlineTester, Outcome};
use tioga_model::Model;
use tioga_testkit::{example, example_text, model};

const POLICIES: [Policy; 4] = [Policy::Random, Policy::Lazy, Policy::Eager, Policy::Hostile];

fn options(actions: u64, longest_wait: i64, seed: u64) -> OnlineOptions<'static> {
    OnlineOptions {
        goal: None,
        keep: None,
        guide: None,
        actions,
        lasts: None,
        longest_wait: Rational::integer(longest_wait),
        latencies: Latencies::default(),
        seed,
    }
}

/// What happened, as the reference semantics takes it, and a common multiple of the denominators.
fn trace(model: &Model, events: &[Event]) -> (Vec<Observed>, i64) {
    let (mut trace, mut now, mut denominator) = (Vec::new(), Rational::ZERO, 1);
    for event in events {
        let (at, shown) = match event {
            Event::Sent { at, action } => (at, Shown::Input(action.channel.clone(), Vec::new())),
            Event::Heard { at, action } => (at, Shown::Output(action.channel.clone(), Vec::new())),
            _ => continue,
        };
        let delay = at.latest().sub(now).unwrap();
        now = at.latest();
        if denominator % delay.denominator() != 0 {
            denominator *= delay.denominator();
        }
        trace.push(Observed::Delay(delay));
        trace.push(Observed::Action(observable(model, &shown).unwrap().unwrap()));
    }
    (trace, denominator)
}

/// Whether the reference semantics has a run with this trace; nothing if it gave up.
fn is_a_trace(model: &Model, events: &[Event], internal: u32) -> Option<bool> {
    is_a_trace_until(model, events, None, internal)
}

/// The same, if nothing happens after it until some time.
fn is_a_trace_until(
    model: &Model,
    events: &[Event],
    until: Option<Rational>,
    internal: u32,
) -> Option<bool> {
    let (mut trace, mut denominator) = trace(model, events);
    if let Some(until) = until {
        let passed = trace.iter().map(|observed| match observed {
            Observed::Delay(delay) => *delay,
            Observed::Action(_) => Rational::ZERO,
        });
        let last = passed.fold(Rational::ZERO, |sum, delay| sum.add(delay).unwrap());
        let rest = until.sub(last).unwrap();
        denominator *= rest.denominator();
        trace.push(Observed::Delay(rest));
    }
    let budget = Budget::steps(20_000);
    let mut observer = Observer::new(Semantics::new(model), denominator, internal, budget).ok()?;
    for observed in &trace {
        observer.observe(observed).ok()?;
    }
    (!observer.is_empty() || observer.is_complete()).then_some(!observer.is_empty())
}

/// Whether time stops in the model for a system that takes these steps and is there until some time. Such a system
/// stays where it is, which no conforming one does; what it does later need not conform either.
fn is_stopped(model: &Model, steps: &[TakenStep], until: Rational) -> bool {
    let mut semantics = Semantics::new(model);
    // A model without an initial state is no system at all.
    let Ok(mut state) = semantics.initial() else { return false };
    let mut now = Rational::ZERO;
    let ends = steps.iter().map(|taken| (taken.at, Some(taken))).chain([(until, None)]);
    for (at, taken) in ends {
        // Steps that come ever closer to each other end a run as soon as a moment cannot be written.
        let Ok(delay) = at.sub(now) else { return false };
        match semantics.delay(&state, delay) {
            Ok(Ok(_)) => {}
            Ok(Err(_)) => return true,
            Err(_) => return false,
        }
        let Some(taken) = taken else { break };
        (state, now) = (semantics.step(&taken.before, &taken.step).unwrap(), at);
    }
    false
}

/// The steps that a system records, and what they are kept in.
type Record = Arc<Mutex<Vec<TakenStep>>>;

#[test]
fn a_system_whose_time_stops_may_fail_later_by_an_output() {
    let model = model(
        "input a, d;
output b, c;
automaton S {
  clock x;
  init location l0 invariant x <= 1;
  location l2, l3;
  l0 -> l3 : a?;
  l3 -> l0 : b!;
  l3 -> l2 : b!;
  l2 -> l0 : a? do x = 0;
}
automaton E {
  init location l0;
  l0 -> l0 : a!;
}
system S environment E;
",
    );
    let alone = model.system_alone().unwrap().unwrap();
    let mut failed = 0;
    for seed in 0..50 {
        let record = Record::default();
        let mut tester = OnlineTester::new(&model, options(8, 3, seed)).unwrap();
        let mut system = ModelSystem::new(&model, Policy::Eager).recording(Arc::clone(&record));
        let (ending, events) = run(&mut system, &mut tester, seed);
        if ending.outcome == Outcome::Fail && ending.reason.contains("answered") {
            failed += 1;
            assert_eq!(is_a_trace(alone, &events, 2), Some(false), "{events:#?}");
            let steps = record.lock().unwrap();
            assert!(is_stopped(alone, &steps, ending.at.latest()), "{events:#?}");
        }
    }
    assert!(failed > 0);
}

#[test]
fn the_tester_plays_hidden_moves_of_the_trains_and_the_gate_never_fails() {
    let model = example("train-gate");
    let (mut stops, mut compared) = (0, 0);
    for policy in POLICIES {
        for seed in 0..10 {
            let mut tester = OnlineTester::new(&model, options(60, 20, seed)).unwrap();
            let mut system = ModelSystem::new(&model, policy);
            let (ending, events) = run(&mut system, &mut tester, seed);
            assert_eq!(ending.outcome, Outcome::Pass, "{policy:?} {seed}: {ending:?} {events:#?}");
            assert_eq!(ending.actions, 60, "{policy:?} {seed}");
            let stopped = |event: &&Event| matches!(event, Event::Heard { action, .. } if action.channel.starts_with("stop"));
            stops += events.iter().filter(stopped).count();
            // A few steps are as much as the reference can follow.
            if let Some(possible) = is_a_trace(&model, &events[..6], 6) {
                assert!(possible, "{policy:?} {seed}: {events:#?}");
                compared += 1;
            }
        }
    }
    assert!(stops > 50, "{stops} trains were stopped");
    assert!(compared > 5, "{compared} runs were compared");
}

#[test]
fn a_gate_that_forgets_the_order_is_found() {
    let text = example_text("train-gate");
    let specification = model(&text);
    let faults = [
        ("waiting[length] = train;", "waiting[length] = length > 1 ? 0 : train;"),
        ("when length > 0;", "when length > 1;"),
        ("committed location Stopping", "location Stopping"),
    ];
    for (right, wrong) in faults {
        let mutated = text.replacen(right, wrong, 1);
        assert_ne!(text, mutated);
        let mutant = model(&mutated);
        let mut found = 0;
        for seed in 0..20 {
            let mut tester = OnlineTester::new(&specification, options(60, 20, seed)).unwrap();
            let mut system = ModelSystem::new(&mutant, Policy::Random);
            found += u32::from(run(&mut system, &mut tester, seed).0.outcome == Outcome::Fail);
        }
        assert!(found > 10, "`{wrong}` was found in {found} of 20 runs");
    }
}

#[test]
fn what_only_the_environment_cannot_bear_is_no_failure() {
    // The system answers within 5, but the environment listens for 3 only.
    let text = "input a; output b;
        automaton S {
          clock x;
          init location Idle; location Busy invariant x <= 5;
          Idle -> Busy : a? do x = 0;
          Busy -> Idle : b!;
        }
        automaton E {
          clock y;
          init location Rest; location Listens;
          Rest -> Listens : a! do y = 0;
          Listens -> Rest : b? when y <= 3;
        }
        system S environment E;";
    let model = model(text);
    let mut outcomes = [0, 0];
    for seed in 0..20 {
        let mut tester = OnlineTester::new(&model, options(20, 2, seed)).unwrap();
        let mut system = ModelSystem::new(&model, Policy::Random);
        let ending = run(&mut system, &mut tester, seed).0;
        match ending.outcome {
            Outcome::Pass => outcomes[0] += 1,
            Outcome::Inconclusive => {
                assert!(ending.reason.contains("environment cannot accept"), "{}", ending.reason);
                outcomes[1] += 1;
            }
            other => panic!("{seed}: {other:?} {}", ending.reason),
        }
    }
    assert!(outcomes[1] > 10, "{outcomes:?}");
}

#[test]
fn a_system_that_its_environment_reaches_around_the_interface_is_not_alone() {
    let entangled = |declarations: &str, system: &str, environment: &str| {
        let text = format!(
            "input a; output b; {declarations}
            automaton S {{ init location I; I -> self : a?; I -> self : b!; I -> self : {system}; }}
            automaton E {{
              init location J;
              J -> self : a!; J -> self : b?; J -> self : {environment};
            }}
            system S environment E;"
        );
        let model = model(&text);
        model.system_alone().err().map(|entangled| entangled.clause.clone())
    };
    let clause = |declarations, system, environment| {
        entangled(declarations, system, environment).expect("they share something")
    };
    assert_eq!(
        clause("int n;", "a? when n > 2", "a! do n = 3"),
        "the environment changes `n`, which `S` uses"
    );
    assert_eq!(
        clause("clock c;", "a? when c > 2", "a! do c = 0"),
        "the environment sets the clock `c`, which `S` reads"
    );
    assert_eq!(clause("chan h;", "h?", "h!"), "`S` meets the environment on the hidden `h`");
    assert_eq!(clause("chan h;", "h!", "h?"), "`S` meets the environment on the hidden `h`");
    // To be looked at by the environment, or to be overheard, changes nothing.
    assert_eq!(entangled("int n;", "b! do n = 3", "b? when n > 2"), None);
    assert_eq!(entangled("broadcast chan h;", "h!", "h?"), None);
}

#[test]
fn a_mealy_machine_answers_at_once() {
    for name in ["fsm-29", "tefsm"] {
        let model = example(name);
        for seed in 0..20 {
            let mut tester = OnlineTester::new(&model, options(30, 3, seed)).unwrap();
            let mut system = ModelSystem::new(&model, Policy::Random);
            let (ending, events) = run(&mut system, &mut tester, seed);
            assert_eq!(ending.outcome, Outcome::Pass, "{name} {seed}: {ending:?} {events:#?}");
            assert!(events.iter().any(|event| matches!(event, Event::Heard { .. })));
        }
    }
}

fn guard(clock: &'static str) -> impl Strategy<Value = String> {
    prop_oneof![
        3 => Just(String::new()),
        2 => (0..=2u32).prop_map(move |c| format!("when {clock} == {c}")),
        1 => (1..=3u32).prop_map(move |c| format!("when {clock} < {c}")),
        2 => (1..=2u32).prop_map(move |c| format!("when {clock} >= {c}")),
    ]
}

/// An automaton of two to four locations whose edges have these labels.
fn automaton(
    name: &'static str,
    clock: &'static str,
    labels: Vec<&'static str>,
) -> impl Strategy<Value = String> {
    (2..=4usize).prop_flat_map(move |locations| {
        let bound = prop_oneof![
            3 => Just(String::new()),
            1 => (1..=3u32).prop_map(move |c| format!(" invariant {clock} <= {c}")),
        ];
        let reset = prop_oneof![Just(String::new()), Just(format!("do {clock} = 0"))];
        let label = prop::sample::select(labels.clone());
        let edge = (0..locations, 0..locations, label, guard(clock), reset);
        let edges = prop::collection::vec(edge, 3..=8);
        (prop::collection::vec(bound, locations), edges).prop_map(move |(bounds, edges)| {
            let mut text = format!("automaton {name} {{\n  clock {clock};\n");
            for (number, bound) in bounds.iter().enumerate() {
                let init = if number == 0 { "init " } else { "" };
                text.push_str(&format!("  {init}location l{number}{bound};\n"));
            }
            for (from, to, label, guard, reset) in edges {
                text.push_str(&format!("  l{from} -> l{to} : {label} {guard} {reset};\n"));
            }
            text.push_str("}\n");
            text
        })
    })
}

fn closed() -> impl Strategy<Value = String> {
    let system = automaton("S", "x", vec!["a?", "d?", "b!", "c!", "tau"]);
    let environment = automaton("E", "y", vec!["a!", "d!", "b?", "c?", "tau"]);
    (system, environment).prop_map(|(system, environment)| {
        let interface = "input a, d;\noutput b, c;\ninternal tau;\n";
        format!("{interface}{system}{environment}system S environment E;\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_system_fails_against_its_own_closed_model(
        text in closed(),
        policy in 0..4usize,
        seed in 0..1000u64,
    ) {
        let model = model(&text);
        let alone = model.system_alone().unwrap().unwrap();
        let record = Record::default();
        let mut tester = OnlineTester::new(&model, options(8, 3, seed)).unwrap();
        let mut system = ModelSystem::new(&model, POLICIES[policy]).recording(Arc::clone(&record));
        let (ending, events) = run(&mut system, &mut tester, seed);
        // There is one excuse for a failure: a system whose time stops for good stays where it is.
        let stopped = is_stopped(alone, &record.lock().unwrap(), ending.at.latest());
        if ending.outcome == Outcome::Fail {
            prop_assert!(stopped, "{ending:?} {events:#?}");
            let until = Some(ending.at.latest()).filter(|_| ending.reason.contains("was silent"));
            let known = is_a_trace_until(alone, &events, until, 2);
            prop_assert_ne!(known, Some(true), "{:?} {:#?}", ending, events);
        }
        // What the system did is a trace of the system, and of the whole model if the run passed.
        if !stopped {
            prop_assert_ne!(is_a_trace(alone, &events, 2), Some(false), "{:#?}", events);
        }
        if ending.outcome == Outcome::Pass {
            prop_assert_ne!(is_a_trace(&model, &events, 3), Some(false), "{:#?}", events);
        }
    }
}

/// A closed model whose environment sets a variable that its system reads, and the same where the environment
/// ends no time and takes every output.
fn entangled() -> impl Strategy<Value = (String, String)> {
    let systems = automaton("S", "x", vec!["a?", "d?", "b!", "c!"]);
    let environments = automaton("E", "y", vec!["a!", "d!", "b?", "c?"]);
    let reads = prop::collection::vec(0..4usize, 8);
    let sets = prop::collection::vec(0..3usize, 8);
    (systems, environments, reads, sets).prop_map(|(system, environment, reads, sets)| {
        // The first edge sets the variable and some edge reads it, so that they share it.
        let mut reads = reads.into_iter();
        let system = edges(&system, |edge| match reads.next() {
            Some(0) if edge.contains("when") => edge.replace("when", "when n == 0 &&"),
            Some(1) if edge.contains("when") => edge.replace("when", "when n > 0 &&"),
            _ => edge.to_owned(),
        });
        let system = system.replace("}\n", "  l0 -> l0 : b! when n == 2;\n}\n");
        let mut sets = std::iter::once(2).chain(sets);
        let environment = edges(&environment, |edge| {
            let value = sets.next().unwrap_or(0);
            let does = if edge.contains(" do ") { ", " } else { " do " };
            edge.replace(';', &format!("{does}n = {value};"))
        });
        let meek = meek(&environment);
        let text = |environment: &str| {
            let interface = "input a, d;\noutput b, c;\nint n;\n";
            format!("{interface}{system}{environment}system S environment E;\n")
        };
        (text(&environment), text(&meek))
    })
}

/// An automaton whose edges are changed.
fn edges(automaton: &str, mut change: impl FnMut(&str) -> String) -> String {
    let line = |line: &str| if line.contains("->") { change(line) } else { line.to_owned() };
    automaton.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// An environment without invariants that takes every output everywhere.
fn meek(environment: &str) -> String {
    let mut text = String::new();
    let mut loops = String::new();
    for line in environment.lines() {
        match line.split_once(" invariant") {
            Some((location, _)) => text.push_str(&format!("{location};\n")),
            None if line == "}" => text.push_str(&format!("{loops}}}\n")),
            None => text.push_str(&format!("{line}\n")),
        }
        if let Some((_, name)) = line.split_once("location ") {
            let name = name.split([' ', ';']).next().unwrap();
            loops.push_str(&format!("  {name} -> self : b?;\n  {name} -> self : c?;\n"));
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_system_fails_for_what_only_an_environment_that_it_shares_variables_with_refuses(
        (text, meek) in entangled(),
        policy in 0..4usize,
        seed in 0..1000u64,
    ) {
        let (closed, meek) = (model(&text), model(&meek));
        prop_assert!(closed.system_alone().is_err(), "they share a variable");
        let mut tester = OnlineTester::new(&closed, options(8, 3, seed)).unwrap();
        let record = Record::default();
        let mut system = ModelSystem::new(&meek, POLICIES[policy]).recording(Arc::clone(&record));
        let (ending, events) = run(&mut system, &mut tester, seed);
        if ending.outcome == Outcome::Fail {
            // The simulated system has an environment of its own, which may refuse an input that the system takes.
            // What is not taken is no trace then, and the failure is right.
            if ending.ignored.is_some() && is_a_trace(&meek, &events, 2) == Some(false) {
                return Ok(());
            }
            // There is one excuse: a system whose time stops for good stays where it is, or is silent for too long.
            let stopped = is_stopped(&meek, &record.lock().unwrap(), ending.at.latest());
            let silent = ending.reason.contains("was silent");
            prop_assert!(stopped || silent, "{ending:?} {events:#?}");
            let until = Some(ending.at.latest()).filter(|_| silent);
            let known = is_a_trace_until(&meek, &events, until, 2);
            prop_assert_ne!(known, Some(true), "{:?} {:#?}", ending, events);
        }
        // A system that does what its model does not do is still found.
        let unhindered = closed.unhindered().expect("they are entangled");
        if is_a_trace(unhindered, &events, 2) == Some(false) {
            prop_assert_ne!(ending.outcome, Outcome::Pass);
        }
        // Whatever the model does, it does with an environment that hinders nothing, too.
        if is_a_trace(&closed, &events, 2) == Some(true) {
            prop_assert_ne!(is_a_trace(unhindered, &events, 2), Some(false));
        }
    }
}
