//! Several things at one moment: who is first, and that runs with them can be made again.

use crate::small_cases::settings;
use crate::support::{attempted, run, synthesized};
use proptest::prelude::*;
use tioga_adapters::{Fault, Heard, ModelSystem, Policy, System};
use tioga_base::{Cancel, Moment, Rational, Times};
use tioga_execute::{
    CaseTester, Conclusion, Error, Event, Plan, RunRecord, Settings, Stand, SystemFactory, Tester,
};
use tioga_model::{EdgeId, Model, ProcessId};
use tioga_testcase::{Action, Shape, TestCase, Verdict};
use tioga_testkit::{example, model};

const POLICIES: [Policy; 4] = [Policy::Random, Policy::Lazy, Policy::Eager, Policy::Hostile];

fn action(channel: &str) -> Action {
    Action { channel: channel.to_owned(), values: Vec::new() }
}

fn at(time: i64) -> Moment {
    Moment::exactly(Rational::integer(time))
}

/// Says some words at given times, and counts how often it is asked.
struct Talking {
    words: Vec<(i64, &'static str)>,
    now: Rational,
    asked: usize,
}

impl System for Talking {
    fn begin(&mut self, _: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        Moment::exactly(self.now)
    }

    fn send(&mut self, _: &Action) -> Result<Moment, Fault> {
        Ok(self.now())
    }

    fn wait(&mut self, until: Rational, _: &[Action]) -> Result<Heard, Fault> {
        self.asked += 1;
        let due = self.words.first().filter(|(time, _)| Rational::integer(*time) <= until);
        let Some(&(time, word)) = due else {
            self.now = until;
            return Ok(Heard::Nothing { now: self.now() });
        };
        self.words.remove(0);
        self.now = Rational::integer(time);
        Ok(Heard::Output { at: self.now(), action: action(word) })
    }

    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Makes one plan after the other, whatever it hears.
struct Stubborn(Vec<Plan>);

impl Tester for Stubborn {
    fn plan(&mut self) -> Result<Plan, Error> {
        Ok(self.0.first().cloned().unwrap_or_else(|| {
            let reason = "all was sent".to_owned();
            Plan::Stop(Conclusion { verdict: Verdict::Pass, reason, at: Rational::ZERO })
        }))
    }

    fn sent(&mut self, _: &Action, _: Moment) -> Result<Option<Conclusion>, Error> {
        self.0.remove(0);
        Ok(None)
    }

    fn heard(&mut self, _: &Action, _: Moment) -> Result<Option<Conclusion>, Error> {
        Ok(None)
    }

    fn quiet(&mut self, _: Moment) -> Result<Option<Conclusion>, Error> {
        self.0.remove(0);
        Ok(None)
    }
}

/// What happened: `word!` was heard, `word?` was sent; and how often the system was asked.
fn told(words: &[(i64, &'static str)], plans: Vec<Plan>) -> (Vec<String>, usize) {
    let mut system = Talking { words: words.to_vec(), now: Rational::ZERO, asked: 0 };
    let (_, events) = run(&mut system, &mut Stubborn(plans), 0);
    let shown = events.iter().filter_map(|event| match event {
        Event::Sent { at, action } => Some(format!("{action}? {at}")),
        Event::Heard { at, action } => Some(format!("{action}! {at}")),
        _ => None,
    });
    (shown.collect(), system.asked)
}

#[test]
fn what_the_system_says_at_this_moment_comes_before_what_is_sent() {
    let send = |word| Plan::Send(action(word));
    let wait = |until| Plan::Wait { until: Rational::integer(until), awaited: Vec::new() };
    let (shown, _) = told(&[(0, "hello"), (0, "you")], vec![send("hi")]);
    assert_eq!(shown, ["hello! 0", "you! 0", "hi? 0"]);
    // Between two inputs at one moment the system has its turn, too.
    let (shown, _) = told(&[(1, "late")], vec![send("a"), send("b")]);
    assert_eq!(shown, ["a? 0", "b? 0"]);
    // Time does not pass by asking.
    let (shown, asked) = told(&[(1, "soon")], vec![send("a"), wait(2), send("b")]);
    assert_eq!(shown, ["a? 0", "soon! 1", "b? 2"]);
    assert_eq!(asked, 3);
}

#[test]
fn a_system_that_said_nothing_at_a_moment_is_not_asked_again() {
    let wait = Plan::Wait { until: Rational::integer(2), awaited: Vec::new() };
    let plans = vec![wait, Plan::Send(action("a")), Plan::Send(action("b"))];
    let (shown, asked) = told(&[], plans);
    assert_eq!(shown, ["a? 2", "b? 2"]);
    // Once by the wait, and once between the inputs.
    assert_eq!(asked, 2);
}

/// An output that is due at 2, unless an input comes before.
const DUE: &str = "input stop; output ring; automaton P {
  clock x; init location Set invariant x <= 2; location Rung, Stopped;
  Set -> Rung : ring! when x >= 2; Set -> Stopped : stop?;
}";

/// Whether the system leaves the moment to the tester at first.
fn yields(model: &Model, policy: Policy, seed: u64) -> bool {
    let two = Rational::integer(2);
    let begun = || {
        let mut system = ModelSystem::new(model, policy);
        system.begin(seed).unwrap();
        system
    };
    let mut system = begun();
    let ring = Heard::Output { at: at(2), action: action("ring") };
    let first = system.wait(two, &[]).unwrap();
    if first == ring {
        return false;
    }
    assert_eq!(first, Heard::Nothing { now: at(2) });
    // It does so once only.
    assert_eq!(system.wait(two, &[]).unwrap(), ring);
    // And meanwhile the tester may be first.
    let mut system = begun();
    system.wait(two, &[]).unwrap();
    assert_eq!(system.send(&action("stop")).unwrap(), at(2));
    assert_eq!(system.wait(Rational::integer(9), &[]).unwrap(), Heard::Nothing { now: at(9) });
    true
}

#[test]
fn the_policy_says_who_is_first_at_the_same_moment() {
    let model = model(DUE);
    let count = |policy| (0..400).filter(|seed| yields(&model, policy, *seed)).count();
    assert_eq!(count(Policy::Lazy), 400);
    assert_eq!(count(Policy::Eager), 0);
    assert_eq!(count(Policy::Hostile), 0);
    let random = count(Policy::Random);
    assert!((150..250).contains(&random), "{random} of 400");
}

#[test]
fn an_output_within_a_wait_does_not_yield() {
    let model = model(DUE);
    for policy in POLICIES {
        for seed in 0..20 {
            let mut system = ModelSystem::new(&model, policy);
            system.begin(seed).unwrap();
            let heard = system.wait(Rational::integer(3), &[]).unwrap();
            assert_eq!(heard, Heard::Output { at: at(2), action: action("ring") }, "{policy:?}");
        }
    }
}

/// How many of 800 runs stay silent for long.
fn silent(text: &str, policy: Policy) -> usize {
    let model = model(text);
    let stays = |seed: &u64| {
        let mut system = ModelSystem::new(&model, policy);
        system.begin(*seed).unwrap();
        let heard = system.wait(Rational::integer(1000), &[]).unwrap();
        let quiet = matches!(heard, Heard::Nothing { .. });
        if quiet {
            // Who decided to be silent remains so until something is sent.
            let heard = system.wait(Rational::integer(2000), &[]).unwrap();
            assert_eq!(heard, Heard::Nothing { now: at(2000) });
        }
        quiet
    };
    (0..800).filter(stays).count()
}

#[test]
fn silence_is_chosen_sometimes_and_only_where_nothing_forces_a_move() {
    let free = "input stop; output ring; automaton P {
      init location Set; location Rung; Set -> Rung : ring!; Set -> Set : stop?; }";
    let random = silent(free, Policy::Random);
    assert!((60..140).contains(&random), "{random} of 800, expected about 100");
    assert_eq!(silent(free, Policy::Lazy), 800);
    assert_eq!(silent(free, Policy::Eager), 0);
    assert_eq!(silent(free, Policy::Hostile), 0);
    for policy in POLICIES {
        assert_eq!(silent(DUE, policy), 0, "{policy:?}");
    }
}

#[test]
fn an_input_makes_a_silent_system_think_again() {
    let model = model(
        "input stop; output ring; automaton P {
          init location Set; location Rung; Set -> Rung : ring!; Set -> Set : stop?; }",
    );
    let mut woken = 0;
    for seed in 0..200 {
        let mut system = ModelSystem::new(&model, Policy::Random);
        system.begin(seed).unwrap();
        if let Heard::Nothing { .. } = system.wait(Rational::integer(50), &[]).unwrap() {
            system.send(&action("stop")).unwrap();
            let heard = system.wait(Rational::integer(100), &[]).unwrap();
            woken += usize::from(matches!(heard, Heard::Output { .. }));
        }
    }
    assert!(woken > 10, "{woken}");
}

/// Makes runs of a test case against a system, and makes each of them again.
fn reproduce(case: &TestCase, tested: &Model, policy: Policy, seed: u64) -> Result<usize, String> {
    let settings = settings(vec![case.clone()], 1);
    let systems: &SystemFactory<'_> = &|| Ok(Box::new(ModelSystem::new(tested, policy)));
    let mut stand = Stand::new(&settings, systems, Cancel::new());
    let tester = || CaseTester::new(case, Settings::tester_seed(seed), None);
    let events = vec![Event::Begin { case: case.name.clone(), seed }];
    let (record, ending, _) = stand.run(&RunRecord { run: 0, events }, tester).unwrap();
    if ending.reason.contains("no verdict after") {
        // A run that was cut off after so many events has no end of its own.
        return Ok(0);
    }
    let again = stand.replay(&record, None, (None, None)).unwrap();
    if !again.is_reproduced() {
        let why = again.difference.map(|difference| difference.text(Times::default()));
        let told = [&record, &again.record].map(listed);
        return Err(format!("{policy:?} {seed}: {why:?}\n{}\n{}", told[0], told[1]));
    }
    let times: Vec<Moment> = record.events.iter().filter_map(acted).collect();
    Ok(times.windows(2).filter(|pair| pair[0] == pair[1]).count())
}

/// The events of a run, one on each line.
fn listed(record: &RunRecord) -> String {
    let line = |event: &Event| match event {
        Event::Sent { at, action } => format!("{at} {action}?\n"),
        Event::Heard { at, action } => format!("{at} {action}!\n"),
        Event::Quiet { now } => format!("{now}\n"),
        Event::End { outcome, reason, at, .. } => format!("{at} {outcome:?}: {reason}\n"),
        _ => String::new(),
    };
    record.events.iter().map(line).collect()
}

/// When something was sent or heard.
fn acted(event: &Event) -> Option<Moment> {
    match event {
        Event::Sent { at, .. } | Event::Heard { at, .. } => Some(*at),
        _ => None,
    }
}

/// The switch with the aim that it is turned off and on again.
fn switched(model: &Model) -> Model {
    let network = (**model).clone();
    network.covering_edge_and_output(ProcessId(0), EdgeId(2), "off again").validate().unwrap()
}

#[test]
fn runs_of_examples_with_several_things_at_one_moment_are_reproduced() {
    let mut together = 0;
    for (name, specification) in [
        ("service-desk", example("service-desk")),
        ("conveyor-game", example("conveyor-game")),
        ("off5", switched(&example("two-clock-switch/off5"))),
        ("race", example("forced-outputs/race")),
        ("complex", example("complex")),
    ] {
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            let case = synthesized(&specification, shape);
            for policy in POLICIES {
                for run in 0..5 {
                    let made = reproduce(&case, &specification, policy, Settings::run_seed(3, run));
                    together += made.unwrap_or_else(|why| panic!("{name} {shape:?}: {why}"));
                }
            }
        }
    }
    assert!(together > 200, "only {together} things happened at the same moment as others");
}

/// Models in which nearly everything happens at whole moments, with gates that are urgent.
fn bunched() -> impl Strategy<Value = String> {
    let place = || 0..3usize;
    let label = prop::sample::select(vec!["a?", "b?", "u!", "v!", "u!", "v!"]);
    let guard = prop::sample::select(vec!["", " when x == 1", " when x >= 1", " when x <= 1"]);
    let reset = prop::sample::select(vec!["", " do x = 0"]);
    let kind = prop::sample::select(vec!["", "i", "i", "urgent "]);
    let edges = prop::collection::vec((place(), place(), label, guard, reset), 3..10);
    (prop::collection::vec(kind, 3), edges).prop_map(|(kinds, edges)| {
        let mut text = "input a, b; output u, v, w; automaton P { clock x;\n".to_owned();
        for (index, kind) in kinds.iter().enumerate() {
            let init = if index == 0 { "init " } else { "" };
            let (mark, invariant) =
                if *kind == "i" { ("", " invariant x <= 1") } else { (*kind, "") };
            text.push_str(&format!("  {mark}{init}location l{index}{invariant};\n"));
        }
        text.push_str("  location End; l1 -> End : w!;\n");
        let mut taken = std::collections::BTreeSet::new();
        for (from, to, label, guard, reset) in edges {
            if taken.insert((from, label)) {
                text.push_str(&format!("  l{from} -> l{to} : {label}{guard}{reset};\n"));
            }
        }
        text + "}\nquery E<> control: A<> P.End;\n"
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn runs_of_drawn_models_are_reproduced(one in bunched(), other in bunched()) {
        let specification = model(&one);
        // A system that is somebody else's comes to other verdicts.
        let stranger = model(&other);
        for shape in [Shape::Automaton, Shape::Strategy, Shape::Tree] {
            let Some(case) = attempted(&specification, shape) else { return Ok(()) };
            for policy in POLICIES {
                for seed in 0..3 {
                    for system in [&specification, &stranger] {
                        let made = reproduce(&case, system, policy, seed);
                        prop_assert!(made.is_ok(), "{shape:?} {}\n{one}\n{other}", made.unwrap_err());
                    }
                }
            }
        }
    }
}
