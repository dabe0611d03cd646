//! KISS2, as benchmarks of logic synthesis are written: lines `input state next output`.

use std::fmt::Write;

use crate::error::Error;
use crate::machine::{Machine, Transition};

/// How many inputs a line with don't-cares may stand for.
const MOST: usize = 1 << 16;

/// Reads a machine. An input with don't-cares (`-`) stands for all inputs that fit it. An output is taken as
/// it is written. The initial state is the one of `.r`, or the first.
///
/// # Errors
/// If a line cannot be read, or the machine is not deterministic.
pub fn read_kiss2(name: &str, text: &str) -> Result<Machine, Error> {
    let mut transitions = Vec::new();
    let (mut initial, mut declared) = (None, None);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => {}
            [".e" | ".end", ..] => break,
            [".r", state] => initial = Some(state.to_owned()),
            [".s", count] => declared = count.parse::<usize>().ok(),
            [first, ..] if first.starts_with('.') => {}
            [input, source, target, output] => {
                if target == "*" || source == "*" {
                    let message =
                        "a transition from any state or to any state is not read".to_owned();
                    return Err(Error::Syntax { line: number, message });
                }
                for input in spelled(input, number)? {
                    let (source, target) = (source.to_owned(), target.to_owned());
                    transitions.push(Transition {
                        source,
                        input,
                        output: output.to_owned(),
                        target,
                    });
                }
            }
            _ => {
                let message = "expected an input, a state, the next state and an output".to_owned();
                return Err(Error::Syntax { line: number, message });
            }
        }
    }
    let first = transitions.first().map(|first| first.source.clone());
    let initial = initial.or(first).ok_or(Error::NoTransitions)?;
    let machine = Machine::new(name, [], &initial, &transitions)?;
    if let Some(count) = declared.filter(|count| *count != machine.state_count()) {
        let message = format!("`.s` says {count} states, and there are {}", machine.state_count());
        return Err(Error::NotAMachine(message));
    }
    Ok(machine)
}

/// The inputs that fit one with don't-cares.
fn spelled(input: &str, line: usize) -> Result<Vec<String>, Error> {
    let bits = input.chars().all(|c| matches!(c, '0' | '1' | '-'));
    if !bits || !input.contains('-') {
        return Ok(vec![input.to_owned()]);
    }
    let mut all = vec![String::new()];
    for c in input.chars() {
        let choices: &[char] = if c == '-' { &['0', '1'] } else { &[c] };
        all = all
            .iter()
            .flat_map(|begin| choices.iter().map(move |c| format!("{begin}{c}")))
            .collect();
        if all.len() > MOST {
            let message = format!("`{input}` stands for too many inputs");
            return Err(Error::Syntax { line, message });
        }
    }
    Ok(all)
}

/// Writes a machine. Names with blanks cannot be written.
///
/// # Errors
/// If a name is empty or has a blank or `#` in it.
pub fn write_kiss2(machine: &Machine) -> Result<String, Error> {
    let check = |name: &str| {
        if name.is_empty()
            || name.contains(char::is_whitespace)
            || name.contains('#')
            || name.starts_with('.')
        {
            let message = format!("`{name}` cannot be written in KISS2");
            return Err(Error::NotAMachine(message));
        }
        Ok(())
    };
    let mut text = String::new();
    let _ = writeln!(
        text,
        ".i 1\n.o 1\n.p {}\n.s {}",
        machine.transition_count(),
        machine.state_count()
    );
    let _ = writeln!(text, ".r {}", machine.state_name(machine.initial()));
    for (source, input, output, target) in machine.transitions() {
        let names = [
            machine.input_name(input),
            machine.state_name(source),
            machine.state_name(target),
            machine.output_name(output),
        ];
        for name in names {
            check(name)?;
        }
        let _ = writeln!(text, "{}", names.join(" "));
    }
    text.push_str(".e\n");
    Ok(text)
}
