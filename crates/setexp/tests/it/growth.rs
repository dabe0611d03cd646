//! How the stages grow: with clocks, with parameters, and with the length of the model. Run with
//! `--nocapture` to see the figures.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::stages::{Stages, stages};

/// A request in each round resets one of several clocks; each answer has a deadline on the clock of the round
/// before.
fn rounds(clocks: usize, parameters: usize, rounds: usize) -> String {
    let mut text = String::from("model rounds;\n");
    let names = |prefix: &str| {
        (0..parameters).map(|i| format!("integer {prefix}{i}")).collect::<Vec<_>>().join(", ")
    };
    let bare = |prefix: &str| {
        (0..parameters).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(text, "param integer p;");
    for clock in 0..clocks {
        let _ =
            writeln!(text, "input req{clock}({});\noutput ack{clock}({});", names("m"), names("v"));
    }
    let _ = writeln!(text, "automaton Rounds {{");
    for clock in 0..clocks {
        let _ = writeln!(text, "  clock c{clock};");
    }
    for variable in 0..parameters {
        let _ = writeln!(text, "  integer x{variable};");
    }
    let _ = writeln!(text, "  init location w0;");
    for round in 1..=rounds {
        let _ = writeln!(text, "  location w{round};");
    }
    for round in 0..rounds {
        let _ = writeln!(text, "  location b{round};");
    }
    for round in 0..rounds {
        let clock = round % clocks;
        let before = (round + clocks - 1) % clocks;
        let stored: Vec<_> = (0..parameters).map(|i| format!("x{i} = m{i}")).collect();
        let _ = writeln!(
            text,
            "  w{round} -> b{round} : req{clock}({})? when m0 >= p do c{clock} = 0, {};",
            bare("m"),
            stored.join(", ")
        );
        let sent = bare("x");
        let other = if before == clock { String::new() } else { format!(" && c{before} <= 9") };
        let _ = writeln!(
            text,
            "  b{round} -> w{} : ack{clock}({sent})! when c{clock} >= 1 && c{clock} <= 4{other};",
            round + 1
        );
    }
    let _ = writeln!(text, "}}\npurpose End {{\n  init location s0;");
    for round in 1..2 * rounds {
        let _ = writeln!(text, "  location s{round};");
    }
    let _ = writeln!(text, "  accept location A;\n  refuse location R;");
    for round in 0..rounds {
        let clock = round % clocks;
        let (from, middle) = (2 * round, 2 * round + 1);
        let to = if round + 1 == rounds { "A".to_owned() } else { format!("s{}", middle + 1) };
        let _ = writeln!(text, "  s{from} -> s{middle} : req{clock}({})?;", bare("m"));
        let _ = writeln!(text, "  s{middle} -> {to} : ack{clock}({})!;", bare("v"));
    }
    text.push_str("  otherwise -> R;\n}\n");
    text
}

fn timed(text: &str) -> (Stages, Duration) {
    let start = Instant::now();
    let stages = stages(text, "End");
    (stages, start.elapsed())
}

fn figures(name: &str, stages: &Stages, time: Duration) {
    println!(
        "{name}: {} edges, {} states of SetExp, {} nodes of the test graph, {} steps, {time:?}",
        stages.spec.edges.len(),
        stages.setexp.states.len(),
        stages.graph.nodes.len(),
        stages.graph.steps.len()
    );
}

#[test]
fn two_to_six_clocks_stay_small() {
    let mut last = 0;
    for clocks in 2..=6 {
        let (stages, time) = timed(&rounds(clocks, 1, 6));
        figures(&format!("{clocks} clocks"), &stages, time);
        let states = stages.setexp.states.len();
        assert!(last == 0 || states < 20 * last, "{states} states after {last}");
        last = states;
    }
}

#[test]
fn parameters_do_not_multiply_states() {
    let mut known = None;
    for parameters in [1, 2, 5, 10] {
        let (stages, time) = timed(&rounds(2, parameters, 3));
        figures(&format!("{parameters} parameters"), &stages, time);
        let size = (stages.setexp.states.len(), stages.graph.nodes.len());
        assert_eq!(*known.get_or_insert(size), size, "data stay symbolic");
    }
}

#[test]
fn sixty_edges_take_about_twice_as_much_as_thirty() {
    let [half, all] = [15, 30].map(|count| {
        let (stages, time) = timed(&rounds(2, 1, count));
        figures(&format!("{} edges", 2 * count), &stages, time);
        assert_eq!(stages.spec.edges.len(), 2 * count);
        [stages.setexp.states.len(), stages.graph.nodes.len(), stages.graph.steps.len()]
    });
    // The work is in these; how long they take is printed.
    let twice = half.iter().zip(all).all(|(half, all)| 2 * all < 5 * half);
    assert!(twice, "{half:?}, then {all:?}");
}
