//! The eight example systems of SPTG: a test graph covers the path of each, and a correct simulated system
//! never fails.

use std::fmt::Write as _;

use tioga_base::Rational;
use tioga_setexp::{
    Message, Outcome, RunOptions, Script, Simulated, SystemUnderTest, Tester, Verdict, View,
};
use tioga_terms::{Assignment, Exact};

use crate::stages::{Stages, example, golden, stages};

/// Model, purpose, and the number of inputs and outputs on the path.
pub const PATHS: &[(&str, &str, usize)] = &[
    ("basic", "Round", 2),
    ("dummy", "Small", 2),
    ("dummy", "Two", 5),
    ("atm", "Paid", 2),
    ("atm", "Twice", 5),
    ("beverage", "Served", 3),
    ("platoon", "JoinBehind", 8),
    ("wash", "Cycle", 3),
    ("burglar", "BrokenWindow", 8),
    ("abs", "Positive", 2),
    ("abs", "Any", 2),
];

/// The initial values of an automaton whose initial condition fixes them, and these constants.
pub fn start(stages: &Stages, constants: &[(&str, i64)]) -> Assignment {
    let tiosa = &stages.product;
    let mut values = Assignment::new();
    let mut solver = Exact::new();
    let found = tioga_setexp::values(&mut solver, &tiosa.symbols, &tiosa.initial_condition);
    for (symbol, value) in found.unwrap().unwrap().iter() {
        values.set(symbol, value);
    }
    for (name, value) in constants {
        let symbol = tiosa.constants.iter().find(|c| tiosa.symbols[**c].name == *name).unwrap();
        values.set(*symbol, Rational::integer(*value));
    }
    values
}

/// Runs a test against a system.
pub fn run(stages: &Stages, options: &RunOptions, system: &mut dyn SystemUnderTest) -> Outcome {
    let mut solver = Exact::new();
    let script = Script::of(&stages.graph, &stages.game, |node| node.to_string()).unwrap();
    let tester = Tester::new(&script, &mut solver, options).unwrap();
    tester.run(system).unwrap()
}

/// How many actions the longest path without repetition needs from the start to a pass, at least.
fn shortest(stages: &Stages) -> usize {
    let graph = &stages.graph;
    let mut costs: Vec<(tioga_setexp::NodeId, usize)> = vec![(graph.initial, 0)];
    let mut best = usize::MAX;
    let mut at = 0;
    while at < costs.len() {
        let (node, cost) = costs[at];
        at += 1;
        if graph.nodes[node].verdict == Some(Verdict::Pass) {
            best = best.min(cost);
        }
        for (_, step) in graph.leaving(node) {
            let next = cost + usize::from(step.action.is_some());
            let known = costs.iter().any(|(known, cost)| *known == step.target && *cost <= next);
            if !known {
                costs.push((step.target, next));
            }
        }
    }
    best
}

#[test]
fn test_graphs_cover_the_paths() {
    let mut table = String::from("model purpose nodes steps failures losses\n");
    for (name, purpose, length) in PATHS {
        let stages = stages(&example(&format!("sptg/{name}.tioga")), purpose);
        assert_eq!(shortest(&stages), *length, "{name} {purpose}");
        let losses = stages.game.losses(&stages.graph);
        let _ = writeln!(
            table,
            "{name} {purpose} {} {} {} {}",
            stages.graph.nodes.len(),
            stages.graph.steps.len(),
            stages.graph.failures.len(),
            losses.map_or("none".to_owned(), |losses| losses.to_string())
        );
        let view = View::graph(&stages.graph, &stages.setexp).text();
        golden(&format!("sptg-{name}-{purpose}.txt"), &view);
    }
    golden("sptg-sizes.txt", &table);
}

#[test]
fn correct_systems_never_fail_and_often_pass() {
    for (name, purpose, _) in PATHS {
        let stages = stages(&example(&format!("sptg/{name}.tioga")), purpose);
        let mut passed = 0;
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let constants: &[(&str, i64)] =
                if *name == "platoon" { &[("no_space", 0), ("room", 7)] } else { &[] };
            let data = start(&stages, constants);
            let mut system =
                Simulated::new(&stages.spec, Exact::new(), data, move |below| rng.u64(0..below));
            let outcome = run(&stages, &RunOptions::default(), &mut system);
            assert_ne!(outcome.verdict, Verdict::Fail, "{name} {purpose} {seed}: {outcome:?}");
            passed += usize::from(outcome.verdict == Verdict::Pass);
        }
        assert!(passed > 0, "{name} {purpose} never passes");
    }
}

/// A system that answers each input after a delay, whatever it carries.
struct Answers(Vec<(i64, Message)>, Option<(Rational, Message)>);

impl SystemUnderTest for Answers {
    fn input(&mut self, at: Rational, _: &Message) {
        if !self.0.is_empty() {
            let (delay, message) = self.0.remove(0);
            self.1 = Some((at.add(Rational::integer(delay)).unwrap(), message));
        }
    }

    fn output(&mut self, _: Rational, until: Option<Rational>) -> Option<(Rational, Message)> {
        let due = self.1.as_ref().is_some_and(|(at, _)| until.is_none_or(|until| *at <= until));
        if due { self.1.take() } else { None }
    }
}

/// The four verdicts that are published for `dummy` and its path In(1), Out(0), with TM = 60.
#[test]
fn the_published_verdicts_of_dummy_come_out() {
    // The tester sends 1, as the published traces do.
    let text = example("sptg/dummy.tioga")
        .replace("In(n)? when n <= 5;\n  Asked", "In(n)? when n == 1;\n  Asked");
    let stages = stages(&text, "Small");
    let out = |delay: i64, value: i64| {
        let message = Message { action: "Out".into(), values: vec![Rational::integer(value)] };
        Answers(vec![(delay, message)], None)
    };
    let options = RunOptions { timeout: Rational::integer(60), ..RunOptions::default() };
    let verdict = |mut system: Answers| run(&stages, &options, &mut system);
    assert_eq!(verdict(out(41, 0)).verdict, Verdict::Pass);
    let early = verdict(out(40, 0));
    assert_eq!(early.verdict, Verdict::Fail);
    let wrong = verdict(out(41, 1));
    assert_eq!(wrong.verdict, Verdict::Fail);
    assert_eq!(wrong.reason, "Out(1) came at 42, Out(r) with r == 0 was allowed");
    let silent = verdict(Answers(Vec::new(), None));
    assert_eq!(silent.verdict, Verdict::Fail);
    let late = "no output came until Exp(cl, -x + 42), Out(r) with r == 0 had to come";
    assert_eq!(silent.reason, late);
    assert_eq!(
        early.reason,
        "Out(0) came at 41, Out(r) with r == 0 at Exp(cl, -x + 42) was allowed"
    );
}
