//! HJM22 Theorem 28 on random games: a strategy that lowers ranks passes with every fair system.
//!
//! The games are deterministic, time can always pass without an input, and every location can be
//! restarted. `TIOGA_GAMES` plays more of them.

use std::fmt::Write as _;

use crate::support::attempted;
use fastrand::Rng;
use tioga_adapters::{ModelSystem, Policy};
use tioga_execute::{CaseTester, Outcome, RunLimits, Settings, drive};
use tioga_testcase::Shape;
use tioga_testkit::model;

const CLOCKS: [&str; 2] = ["x", "y"];

/// Games of which the goal can be reached.
const GAMES: u64 = 150;

/// Runs of each.
const RUNS: u64 = 10;

struct Writer {
    rng: Rng,
    clocks: usize,
    largest: i64,
    /// The bound of `x` in each location, if there is one.
    bounds: Vec<Option<i64>>,
}

impl Writer {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let clocks = rng.usize(1..=2);
        let largest = rng.i64(1..=4);
        let locations = rng.usize(2..=5);
        let bounds = (0..locations).map(|_| (rng.u8(..10) < 3).then(|| rng.i64(1..=largest)));
        let bounds = bounds.collect();
        Self { rng, clocks, largest, bounds }
    }

    fn game(&mut self) -> String {
        let clocks = &CLOCKS[..self.clocks];
        let mut text = format!(
            "input a, b, r;\noutput u, v, w;\nautomaton G {{\n  clock {};\n",
            clocks.join(", ")
        );
        for (location, bound) in self.bounds.iter().enumerate() {
            let start = if location == 0 { "init " } else { "" };
            let invariant = bound.map_or(String::new(), |bound| format!(" invariant x <= {bound}"));
            writeln!(text, "  {start}location l{location}{invariant};").unwrap();
        }
        let restart: Vec<String> = clocks.iter().map(|clock| format!("{clock} = 0")).collect();
        for location in 0..self.bounds.len() {
            for label in ["a?", "b?", "u!", "v!"] {
                if self.rng.u8(..10) < 5 {
                    self.edges(location, label, &mut text);
                }
            }
            // Where time is bounded, the system can always answer.
            if self.bounds[location].is_some() {
                self.edge(location, "w!", None, &mut text);
            }
            writeln!(text, "  l{location} -> l0 : r? do {};", restart.join(", ")).unwrap();
        }
        let goal = self.bounds.len() - 1;
        writeln!(text, "}}\nquery E<> control: A<> G.l{goal};").unwrap();
        text
    }

    /// Edges with guards of which at most one is true.
    fn edges(&mut self, location: usize, label: &str, text: &mut String) {
        let clock = CLOCKS[self.rng.usize(..self.clocks)];
        let constant = self.rng.i64(0..=self.largest);
        let all: &[&str] = match self.rng.u8(..6) {
            0 => return self.edge(location, label, None, text),
            1 => &["<", ">="],
            2 => &["<=", ">"],
            3 => &["=="],
            4 => &[">"],
            _ => &["<="],
        };
        let constant = if all[0] == "<" { constant.max(1) } else { constant };
        for operator in all {
            self.edge(location, label, Some(format!("{clock} {operator} {constant}")), text);
        }
    }

    fn edge(&mut self, location: usize, label: &str, guard: Option<String>, text: &mut String) {
        let target = self.rng.usize(..self.bounds.len());
        let guard = guard.map_or(String::new(), |guard| format!(" when {guard}"));
        let mut resets: Vec<&str> = Vec::new();
        for clock in &CLOCKS[..self.clocks] {
            let needed = *clock == "x" && self.bounds[target].is_some();
            if needed || self.rng.u8(..10) < 4 {
                resets.push(clock);
            }
        }
        let resets: Vec<String> = resets.iter().map(|clock| format!("{clock} = 0")).collect();
        let resets =
            if resets.is_empty() { String::new() } else { format!(" do {}", resets.join(", ")) };
        writeln!(text, "  l{location} -> l{target} : {label}{guard}{resets};").unwrap();
    }
}

#[test]
fn every_run_with_a_fair_system_passes() {
    let games = std::env::var("TIOGA_GAMES").ok().and_then(|text| text.parse().ok());
    let (mut played, mut losing, mut seed) = (0, 0, 0);
    let mut failures = Vec::new();
    while played < games.unwrap_or(GAMES) {
        seed += 1;
        let text = Writer::new(seed).game();
        let specification = model(&text);
        let Some(case) = attempted(&specification, Shape::Strategy) else { continue };
        if case.passes_at_once() {
            continue;
        }
        played += 1;
        losing += u64::from(case.summary.rank[1] > 0);
        let mut system = ModelSystem::new(&specification, Policy::Fair);
        for run in 0..RUNS {
            let seed = Settings::run_seed(seed, run);
            let mut tester = CaseTester::new(&case, Settings::tester_seed(seed), None).unwrap();
            let limits = RunLimits::default();
            let ending = drive(&mut system, &mut tester, seed, &limits, &mut |_| Ok(()));
            let Ok(ending) = ending else {
                failures.push(format!("{ending:?}\n{text}"));
                break;
            };
            if ending.outcome != Outcome::Pass {
                failures.push(format!("{:?} {}\n{text}", ending.outcome, ending.reason));
                break;
            }
        }
    }
    assert!(losing * 5 > played, "many games need cooperation: {losing} of {played}");
    assert!(failures.is_empty(), "{} of {played} games\n{}", failures.len(), failures.join("\n"));
}
