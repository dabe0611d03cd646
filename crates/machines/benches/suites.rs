//! How large suites are and how long they take: `cargo bench -p tioga-machines --bench suites [FILE.dot…]`.
//! Without files, of random machines with 100 states and 4 inputs, and 5 outputs.
#![allow(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    reason = "a benchmark may fail and counts seconds"
)]

use std::time::Instant;

use tioga_machines::partition::{count, equivalence};
use tioga_machines::{Machine, Method, Transition, read_dot, suite};

fn random(seed: u64) -> Machine {
    let mut rng = fastrand::Rng::with_seed(seed);
    loop {
        let mut transitions = Vec::new();
        for state in 0..100 {
            for input in ["a", "b", "c", "d"] {
                transitions.push(Transition {
                    source: format!("s{state}"),
                    input: input.to_owned(),
                    output: rng.u32(0..5).to_string(),
                    target: format!("s{}", rng.u32(0..100)),
                });
            }
        }
        let machine = Machine::new("random", [], "s0", &transitions).unwrap();
        if machine.unreachable().is_empty() && count(&equivalence(&machine)) == 100 {
            return machine;
        }
    }
}

fn main() {
    let files: Vec<String> =
        std::env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
    let machines: Vec<(String, Machine)> = if files.is_empty() {
        (1..=3).map(|seed| (format!("random {seed}"), random(seed))).collect()
    } else {
        let read = |name: String| {
            let machine = read_dot(&std::fs::read_to_string(&name).unwrap()).unwrap();
            (machine.name.clone(), machine)
        };
        files.into_iter().map(read).collect()
    };
    println!(
        "{:<28} {:>2} {:<5} {:>10} {:>10} {:>8}",
        "machine", "K", "by", "tests", "cost", "seconds"
    );
    for (name, machine) in &machines {
        for extra in 0..=2 {
            for method in Method::ALL {
                let begin = Instant::now();
                let cost = suite(machine, method, extra).unwrap().cost();
                let (tests, total) = (cost.tests, cost.total());
                let seconds = begin.elapsed().as_secs_f64();
                println!(
                    "{name:<28} {extra:>2} {:<5} {tests:>10} {total:>10} {seconds:>8.3}",
                    method.name()
                );
            }
        }
    }
}
