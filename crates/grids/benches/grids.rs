//! How long grids and their words take: `cargo bench -p tioga-grids`. The memory is the most that the process had.
#![allow(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    reason = "a benchmark may fail and counts seconds"
)]

use std::time::Instant;

use tioga_base::{Budget, Rational};
use tioga_grids::words::{Criterion, Wanted, WordGraph, Words, count};
use tioga_grids::{
    Automaton, Ends, GridAutomaton, GridOptions, Resolution, TimedWord, of_model, of_purpose,
    product, replay,
};
use tioga_testkit::{example, root};

fn main() {
    assert!(root().exists());
    println!("{:<34} {:>9} {:>10} {:>8} {:>8}", "grid", "states", "edges", "seconds", "MB");
    let switch = example("two-clock-switch/offle5");
    row("two-clock-switch/offle5 1/200", of_model(&switch).unwrap(), 200, None);
    let media = of_model(&example("multimedia")).unwrap();
    row("multimedia 1/8, K = 60", media.clone(), 8, Some(60));
    row("multimedia 1/4, K = 200", media, 4, Some(200));
    let model = example("switch-purpose/swle5");
    let both = product(&of_model(&model).unwrap(), &of_purpose(&model, 0).unwrap()).unwrap();
    let grid = row("switch-purpose/swle5 1/100", both.clone(), 100, None);
    let begin = Instant::now();
    let graph = WordGraph::new(&grid, &Wanted::default(), &mut plenty()).unwrap();
    let number = count(&graph, Criterion::LoopFree, &mut plenty()).unwrap().to_string();
    println!(
        "  loop-free words: a number of {} digits in {:.2} s",
        number.len(),
        begin.elapsed().as_secs_f64()
    );
    let begin = Instant::now();
    let mut words = Words::new(&graph, Criterion::LoopFree);
    let first = TimedWord::of_labels(words.next_way().unwrap().labels, &grid);
    println!("  the first word in {:.2} s", begin.elapsed().as_secs_f64());
    let begin = Instant::now();
    (0..100_000).for_each(|_| assert!(words.next_way().is_some()));
    println!("  100000 more in {:.2} s", begin.elapsed().as_secs_f64());
    let begin = Instant::now();
    let resolution = grid.stepper().resolution.clone();
    (0..10_000).for_each(|_| assert!(replay(&both, &resolution, &first).unwrap().reached_fail));
    println!("  10000 replays of it without the grid in {:.2} s", begin.elapsed().as_secs_f64());
    let begin = Instant::now();
    let mut covering = Words::new(&graph, Criterion::States);
    (0..1000).for_each(|_| assert!(covering.next_way().is_some()));
    println!("  1000 words of state coverage in {:.2} s", begin.elapsed().as_secs_f64());
}

fn plenty() -> Budget {
    Budget::steps(u64::MAX)
}

fn row(name: &str, automaton: Automaton, parts: i64, context: Option<i64>) -> GridAutomaton {
    let options = GridOptions {
        parts: Some(parts),
        context_bound: context.map(Rational::integer),
        ..GridOptions::default()
    };
    let begin = Instant::now();
    let resolution = Resolution::of(&automaton, &options).unwrap();
    let grid = GridAutomaton::new(automaton, &resolution, Ends::Expanded, &mut plenty()).unwrap();
    println!(
        "{name:<34} {:>9} {:>10} {:>8.2} {:>8}",
        grid.state_count(),
        grid.transition_count(),
        begin.elapsed().as_secs_f64(),
        peak_megabytes(),
    );
    grid
}

fn peak_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()).unwrap_or(0)
        / 1024
}
