//! Machines for tests.

use tioga_machines::{Machine, Transition, Word};

/// A machine from rows `s0: a->1/0 b->2/1 | s1: …`.
pub fn machine(rows: &str) -> Machine {
    let mut transitions = Vec::new();
    for row in rows.split('|') {
        let (source, cells) = row.split_once(':').unwrap();
        for cell in cells.split_whitespace() {
            let (input, rest) = cell.split_once("->").unwrap();
            let (target, output) = rest.split_once('/').unwrap();
            transitions.push(Transition {
                source: source.trim().to_owned(),
                input: input.to_owned(),
                output: output.to_owned(),
                target: format!("s{target}"),
            });
        }
    }
    let initial = transitions[0].source.clone();
    Machine::new("m", [], &initial, &transitions).unwrap()
}

/// A word over inputs with names of one letter.
pub fn word(machine: &Machine, text: &str) -> Word {
    text.chars().map(|c| machine.input(&c.to_string()).unwrap()).collect()
}

pub fn words(machine: &Machine, texts: &[&str]) -> Vec<Word> {
    texts.iter().map(|text| word(machine, text)).collect()
}

pub fn text(machine: &Machine, word: &[u32]) -> String {
    word.iter().map(|input| machine.input_name(*input)).collect()
}

/// The answers of a state to a word, as one text.
pub fn answers(machine: &Machine, state: u32, inputs: &str) -> String {
    let outputs = machine.answers(state, &word(machine, inputs)).unwrap();
    outputs.iter().map(|output| machine.output_name(*output)).collect()
}

/// A random complete machine; the numbers say how many states, inputs and outputs it has.
pub fn random(rng: &mut fastrand::Rng, states: u32, inputs: u32, outputs: u32) -> Machine {
    let mut transitions = Vec::new();
    for state in 0..states {
        for input in 0..inputs {
            transitions.push(Transition {
                source: format!("s{state}"),
                input: char::from(b'a' + input as u8).to_string(),
                output: rng.u32(0..outputs).to_string(),
                target: format!("s{}", rng.u32(0..states)),
            });
        }
    }
    let names = (0..states).map(|state| format!("s{state}"));
    Machine::new("random", names, "s0", &transitions).unwrap()
}
