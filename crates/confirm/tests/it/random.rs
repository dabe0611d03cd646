//! Random machines: sequences against a search that tries all words of a few inputs with delays on a grid.

use std::fmt::Write;

use fastrand::Rng;
use tioga_base::Rational;
use tioga_concrete::State;
use tioga_confirm::{Machine, Pair, Pairs, Rule, Second, Separation, separate};
use tioga_model::{ChannelId, Model};
use tioga_testkit::model;

use crate::support::{at, channel, plenty, shown};

/// A deterministic machine with two locations, one or two clocks, a variable and an input that carries a value.
fn machine(random: &mut Rng) -> String {
    let clocks = random.usize(1..=2);
    let mut text = "input a, b(int[0,1] v); output c, d(int[0,4] v);\nautomaton M {\n".to_owned();
    text.push_str(if clocks == 2 { "  clock x, y;\n" } else { "  clock x;\n" });
    text.push_str("  int[0,3] w;\n");
    let clock = |random: &mut Rng| if clocks == 2 && random.bool() { "y" } else { "x" };
    for (name, mark) in [("p", "init "), ("q", "")] {
        let invariant = match random.usize(0..3) {
            0 => format!(" invariant {} <= {};", clock(random), random.usize(1..=3)),
            _ => ";".to_owned(),
        };
        let _ = writeln!(text, "  {mark}location {name}{invariant}");
    }
    for source in ["p", "q"] {
        for input in ["a", "b(v)"] {
            // Up to two edges, with guards that exclude each other.
            let (low, high) = match random.usize(0..4) {
                0 => ("w < 2".to_owned(), "w >= 2".to_owned()),
                1 if input != "a" => ("v == 0".to_owned(), "v == 1".to_owned()),
                _ => {
                    let (clock, bound) = (clock(random), random.usize(1..=2));
                    (format!("{clock} < {bound}"), format!("{clock} >= {bound}"))
                }
            };
            for guard in [low, high] {
                if random.usize(0..4) == 0 {
                    continue;
                }
                let target = if random.bool() { "p" } else { "q" };
                let output = match random.usize(0..4) {
                    0 => "d(w)!",
                    1 if input != "a" => "d(v + w)!",
                    2 => "d(1)!",
                    _ => "c!",
                };
                let mut updates = Vec::new();
                if random.bool() {
                    updates.push(format!("{} = 0", clock(random)));
                }
                match random.usize(0..4) {
                    0 => updates.push("w = w + 1".to_owned()),
                    1 if input != "a" => updates.push("w = v".to_owned()),
                    _ => {}
                }
                let updates = match updates.is_empty() {
                    true => String::new(),
                    false => format!(" do {}", updates.join(", ")),
                };
                let _ = writeln!(
                    text,
                    "  {source} -> {target} : {input}? / {output} when {guard}{updates};"
                );
            }
        }
    }
    text.push_str("}\n");
    text
}

/// All inputs of such a machine with their values.
fn inputs(model: &Model) -> Vec<(ChannelId, Vec<Rational>)> {
    let (a, b) = (channel(model, "a"), channel(model, "b"));
    let carrying = |value: i64| (b, vec![Rational::integer(value)]);
    vec![(a, Vec::new()), carrying(0), carrying(1)]
}

/// The least number of inputs up to a depth with which delays on a grid lead to fail.
fn tried(model: &Model, first: &State, second: &State, parts: i64, depth: usize) -> Option<usize> {
    let mut pairs = Pairs::new(Machine::of(model).unwrap(), Rule::Sound);
    let inputs = inputs(model);
    let mut now = vec![Pair { first: first.clone(), second: Second::At(second.clone()) }];
    for done in 0..depth {
        let mut next = Vec::new();
        for pair in &now {
            // Beyond the largest constant nothing changes.
            for units in 0..=4 * parts {
                let delay = Rational::new(units, parts).unwrap();
                let Some(later) = pairs.delay(pair, delay).unwrap() else { break };
                for (input, values) in &inputs {
                    for (_, found) in pairs.input(&later, *input, values).unwrap() {
                        if found.second == Second::Fail {
                            return Some(done + 1);
                        }
                        next.push(found);
                    }
                }
            }
        }
        next.sort();
        next.dedup();
        now = next;
    }
    None
}

#[test]
fn sequences_are_shortest_and_exist_wherever_a_grid_finds_one() {
    let seeds = std::env::var("TIOGA_TEFSM").map_or(150, |count| count.parse().unwrap());
    let (mut told, mut equal) = (0, 0);
    for seed in 0..seeds {
        let mut random = Rng::with_seed(seed);
        let text = machine(&mut random);
        let model = model(&text);
        let clocks = model.clocks.len();
        let any = |random: &mut Rng| {
            let location = if random.bool() { "p" } else { "q" };
            let values: Vec<&str> =
                (0..clocks).map(|_| ["0", "0", "1/2", "1"][random.usize(0..4)]).collect();
            at(&model, location, &values, &[random.i64(0..=3)])
        };
        let (first, second) = (any(&mut random), any(&mut random));
        let machine = Machine::of(&model).unwrap();
        let Ok(found) = separate(machine, Rule::Sound, &first, &second, &mut plenty()) else {
            continue; // The invariant does not hold in one of them.
        };
        match found {
            Separation::By(sequence) => {
                told += 1;
                let length = sequence.exchanges.len();
                let shorter = tried(&model, &first, &second, 4, (length - 1).min(2));
                let words = shown(&model, &sequence);
                assert_eq!(shorter, None, "{seed}: {words}\n{text}{first:?}\n{second:?}");
            }
            Separation::Equivalent => {
                equal += 1;
                let missed = tried(&model, &first, &second, 2, 3);
                assert_eq!(missed, None, "{seed}\n{text}{first:?}\n{second:?}");
            }
            other => panic!("{seed}: {other:?}\n{text}"),
        }
    }
    assert!(told > seeds / 4, "{told} told apart");
    assert!(equal > seeds / 50, "{equal} equivalent");
}

#[test]
fn no_configuration_is_told_from_itself() {
    for seed in 1000..1100 {
        let mut random = Rng::with_seed(seed);
        let model = model(&machine(&mut random));
        let clocks: Vec<&str> = model.clocks.iter().map(|_| "0").collect();
        let state = at(&model, "p", &clocks, &[random.i64(0..=3)]);
        let machine = Machine::of(&model).unwrap();
        let found = separate(machine, Rule::Sound, &state, &state, &mut plenty()).unwrap();
        assert!(matches!(found, Separation::Equivalent), "{seed}");
    }
}
