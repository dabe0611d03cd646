//! Messages that take time within the declared latencies never make a conforming system fail, and do
//! not hide an output that no latency explains.
//!
//! Random models, latencies, policies and testers. More runs, with the figures:
//! `TIOGA_LATENCY_RUNS=10000 cargo test -p tioga-execute --test it latency:: -- --nocapture`.

use std::fmt::Write;

use fastrand::Rng;
use tioga_adapters::{Fault, Heard, ModelSystem, Policy, System};
use tioga_base::{Moment, Rational};
use tioga_estimate::Latencies;
use tioga_execute::{
    Ending, EstimatingTester, Event, OnlineOptions, OnlineTester, Outcome, Tester,
};
use tioga_model::Model;
use tioga_testcase::{Action, Scope, Shape, TestCase};
use tioga_testkit::{SHAPES, model, objectives, test_case};

use crate::support::{Lagging, run, synthesized};

/// Latencies are multiples of one over this.
const GRAIN: i64 = 16;

fn runs() -> u64 {
    std::env::var("TIOGA_LATENCY_RUNS").ok().map_or(500, |runs| runs.parse().unwrap())
}

fn sixteenths(number: i64) -> Rational {
    Rational::new(number, GRAIN).unwrap()
}

/// A model with two inputs, three outputs and an output that it never gives. If it is not deterministic,
/// it has hidden steps and two edges with the same label. Where time is bounded, an output is possible.
fn drawn(deterministic: bool, random: &mut Rng) -> String {
    let count = random.usize(2..=4);
    let bounds: Vec<Option<u32>> =
        (0..count).map(|_| random.bool().then(|| random.u32(1..=3))).collect();
    let labels = ["a?", "b?", "a?", "u!", "v!", "tau"];
    let labels = if deterministic { &labels[..5] } else { &labels[..] };
    let mut text = String::from("input a, b;\noutput u, v, w, alien;\ninternal tau;\n");
    text.push_str("automaton A {\n  clock x;\n");
    for (number, bound) in bounds.iter().enumerate() {
        let init = if number == 0 { "init " } else { "" };
        let invariant = bound.map_or_else(String::new, |bound| format!(" invariant x <= {bound}"));
        writeln!(text, "  {init}location l{number}{invariant};").unwrap();
    }
    let mut seen = Vec::new();
    let mut add = |from: usize, to: usize, label: &'static str, guard: &str, reset: bool| {
        if deterministic && seen.contains(&(from, label)) {
            return;
        }
        seen.push((from, label));
        let reset = if reset || bounds[to].is_some() { " do x = 0" } else { "" };
        writeln!(text, "  l{from} -> l{to} : {label}{guard}{reset};").unwrap();
    };
    for _ in 0..random.usize(count..=3 * count) {
        let (from, to) = (random.usize(0..count), random.usize(0..count));
        let label = labels[random.usize(0..labels.len())];
        // Loops of the system take time, or an eager system would never come to an end.
        let returns = !label.ends_with('?') && to <= from;
        let low = random.u32(u32::from(returns)..=2);
        let guard = match (label.ends_with('?'), random.u32(0..3)) {
            (true, 0 | 1) => String::new(),
            (_, 2) => format!(" when x >= {low} && x <= {}", random.u32(low..=3)),
            _ => format!(" when x >= {low}"),
        };
        add(from, to, label, &guard, returns || random.bool());
    }
    for from in (0..count).filter(|from| bounds[*from].is_some()) {
        let to = random.usize(0..count);
        add(from, to, "w!", if to <= from { " when x >= 1" } else { "" }, true);
    }
    let (goal, least) = (random.usize(0..count), random.u32(0..=2));
    let clock = ["", " && A.x >= ", " && A.x <= "][random.usize(0..3)];
    let clock = if clock.is_empty() { String::new() } else { format!("{clock}{least}") };
    writeln!(text, "}}\nquery control: A<> A.l{goal}{clock};").unwrap();
    text
}

/// Declared latencies, and ways within them: input, output, jitter.
fn ways(random: &mut Rng) -> (Latencies, (Rational, Rational, Rational)) {
    let mut way = || {
        let from = if random.bool() { 0 } else { random.i64(0..=8) };
        let until = from + if random.bool() { 0 } else { random.i64(0..=12) };
        let within = Moment::between(sixteenths(from), sixteenths(until)).unwrap();
        (within, sixteenths(random.i64(from..=until)))
    };
    let ((input, to), (output, back)) = (way(), way());
    // Where nothing takes time, messages do not cross.
    let none = (input, output) == (Moment::START, Moment::START);
    let none = random.bool() && !none;
    let jitter = if none { Rational::ZERO } else { sixteenths(random.i64(1..=8)) };
    (Latencies { input, output, jitter }, (to, back, jitter))
}

/// A lagging system that gives an output of its own after some outputs, and then nothing more.
struct Faulty<'m> {
    inner: Lagging<'m>,
    left: usize,
    done: bool,
}

impl System for Faulty<'_> {
    fn begin(&mut self, seed: u64) -> Result<(), Fault> {
        self.inner.begin(seed)
    }

    fn is_exact(&self) -> bool {
        true
    }

    fn now(&self) -> Moment {
        self.inner.now()
    }

    fn send(&mut self, input: &Action) -> Result<Moment, Fault> {
        self.inner.send(input)
    }

    fn wait(&mut self, until: Rational, awaited: &[Action]) -> Result<Heard, Fault> {
        if self.left == 0 && !self.done {
            self.done = true;
            let action = Action::new("alien", &[0u8; 0]);
            return Ok(Heard::Output { at: self.now(), action });
        }
        let heard = self.inner.wait(until, awaited)?;
        if matches!(heard, Heard::Output { .. }) {
            self.left = self.left.saturating_sub(1);
        }
        Ok(heard)
    }

    fn finish(&mut self) -> Result<(), Fault> {
        self.inner.finish()
    }
}

/// One way to test a random model.
struct Drawn {
    seed: u64,
    text: String,
    model: Model,
    case: Option<TestCase>,
    latencies: Latencies,
    ways: (Rational, Rational, Rational),
    policy: Policy,
}

impl Drawn {
    /// Nothing if there is no test case.
    fn new(seed: u64) -> Option<Self> {
        let mut random = Rng::with_seed(seed);
        let online = random.bool();
        let text = drawn(!online, &mut random);
        let model = model(&text);
        let shape: Shape = SHAPES[random.usize(0..SHAPES.len())];
        let objective = &objectives(&model)[0];
        let case = match online {
            true => None,
            false => Some(test_case(&model, objective, Scope::Cooperative, shape, 10).ok()?),
        };
        let (latencies, ways) = ways(&mut random);
        let policy = Policy::ALL[random.usize(0..Policy::ALL.len())];
        Some(Self { seed, text, model, case, latencies, ways, policy })
    }

    fn system(&self) -> Lagging<'_> {
        let mut system = Lagging::new(&self.model, self.ways);
        system.inner = ModelSystem::new(&self.model, self.policy);
        system.grain = GRAIN;
        system
    }

    fn tester(&self) -> Box<dyn Tester + '_> {
        if let Some(case) = &self.case {
            let tester = EstimatingTester::new(case, &self.latencies, self.seed, None).unwrap();
            return Box::new(tester.in_virtual_time());
        }
        let options = OnlineOptions {
            goal: None,
            keep: None,
            guide: None,
            actions: 12,
            lasts: None,
            longest_wait: Rational::integer(4),
            latencies: self.latencies,
            seed: self.seed,
        };
        Box::new(OnlineTester::new(&self.model, options).unwrap().in_virtual_time())
    }

    fn run(&self, system: &mut dyn System) -> (Ending, Vec<Event>) {
        run(system, &mut *self.tester(), self.seed)
    }

    fn context(&self, (ending, events): &(Ending, Vec<Event>)) -> String {
        let Self { seed, text, latencies, ways, policy, .. } = self;
        let mut context = format!("seed {seed}, {policy:?}, {latencies:?}, {ways:?}\n{text}");
        for event in events {
            writeln!(context, "{event:?}").unwrap();
        }
        context + &ending.reason
    }
}

#[test]
fn a_conforming_system_within_the_latencies_never_fails() {
    let (mut passed, mut inconclusive, mut online) = (0, 0, 0);
    for drawn in (0..).filter_map(Drawn::new).take(usize::try_from(runs()).unwrap()) {
        let ran = drawn.run(&mut drawn.system());
        match ran.0.outcome {
            Outcome::Pass if drawn.case.is_none() => online += 1,
            Outcome::Pass => passed += 1,
            Outcome::Inconclusive => inconclusive += 1,
            Outcome::Fail | Outcome::Error => panic!("{}", drawn.context(&ran)),
        }
    }
    println!(
        "{} runs of conforming systems within latencies: {passed} passed test cases, {online} passed online, \
         {inconclusive} were inconclusive, none failed",
        passed + online + inconclusive
    );
    // Most runs come to a verdict.
    let runs = i64::try_from(runs()).unwrap();
    assert!(passed > runs / 10 && online > runs / 10, "{passed}, {online}, {inconclusive}");
}

#[test]
fn an_output_that_no_latency_explains_fails() {
    let (mut failed, mut over) = (0, 0);
    for drawn in (0..).filter_map(Drawn::new).take(usize::try_from(runs()).unwrap()) {
        let left = Rng::with_seed(drawn.seed).usize(0..4);
        let mut system = Faulty { inner: drawn.system(), left, done: false };
        let ran = drawn.run(&mut system);
        let alien = |event: &Event| matches!(event, Event::Heard { action, .. } if action.channel == "alien");
        if !ran.1.iter().any(alien) {
            assert_ne!(ran.0.outcome, Outcome::Fail, "{}", drawn.context(&ran));
            continue;
        }
        match (&drawn.case, ran.0.outcome) {
            (_, Outcome::Fail) => failed += 1,
            // The purpose was reached before it, or may have been.
            (Some(_), Outcome::Pass | Outcome::Inconclusive) => {
                let first = ran.1.iter().position(alien);
                assert!(first > Some(0), "{}", drawn.context(&ran));
                over += 1;
            }
            // It came behind an output that the tester could not know of when it sent something.
            (None, Outcome::Inconclusive) if ran.0.reason.contains("not allowed") => over += 1,
            _ => panic!("{}", drawn.context(&ran)),
        }
    }
    println!(
        "{} runs with a wrong output: {failed} failed, {over} were over before it",
        failed + over
    );
    assert!(failed > 5 * over, "{failed} failed, {over} were over");
}

/// The purpose is reached by an input, and the system answers at once.
#[test]
fn an_answer_to_the_input_that_reaches_the_purpose_is_no_failure() {
    let text = "input a; output u; automaton A { clock x; init location Idle;
        location Busy invariant x <= 2; Idle -> Busy : a? do x = 0; Busy -> Idle : u!; }
        query control: A<> A.Busy;";
    let model = model(text);
    for shape in SHAPES {
        let case = synthesized(&model, shape);
        for (from, until, jitter) in [(0, 0, 2), (0, 8, 0), (0, 8, 4), (4, 8, 4)] {
            let way = Moment::between(sixteenths(from), sixteenths(until)).unwrap();
            let latencies = Latencies { input: way, output: way, jitter: sixteenths(jitter) };
            let ways = (sixteenths(from), sixteenths(from), sixteenths(0));
            let mut system = Lagging::new(&model, ways);
            system.inner = ModelSystem::new(&model, Policy::Eager);
            let tester = EstimatingTester::new(&case, &latencies, 0, None).unwrap();
            let (ending, events) = run(&mut system, &mut tester.in_virtual_time(), 0);
            assert_eq!(ending.outcome, Outcome::Pass, "{}: {events:?}", ending.reason);
        }
    }
}

/// Nothing has to happen for the purpose, and nothing that does is judged.
#[test]
fn a_purpose_that_is_true_at_the_start_passes_before_anything_is_heard() {
    let text =
        "output u; automaton A { clock x; init location Start invariant x <= 1; location Done;
        Start -> Done : u!; } query control: A<> A.Start;";
    let model = model(text);
    let way = Moment::between(sixteenths(0), sixteenths(5)).unwrap();
    let latencies = Latencies { output: way, ..Latencies::default() };
    for shape in SHAPES {
        let case = synthesized(&model, shape);
        let mut system = ModelSystem::new(&model, Policy::Eager);
        let tester = EstimatingTester::new(&case, &latencies, 0, None).unwrap();
        let (ending, events) = run(&mut system, &mut tester.in_virtual_time(), 0);
        assert_eq!(ending.outcome, Outcome::Pass, "{}: {events:?}", ending.reason);
    }
}
