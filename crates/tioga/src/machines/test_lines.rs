//! Tests as lines: inputs separated by blanks. An input that is empty or holds a blank or a double quote is
//! written in double quotes, with `\"` and `\\` inside.

use tioga_base::Diagnostic;
use tioga_machines::{Machine, Word};

use crate::Failure;

/// A test as a line.
pub fn test_line(machine: &Machine, word: &[u32]) -> String {
    let inputs = word.iter().map(|input| {
        let name = machine.input_name(*input);
        let plain = !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c == '"');
        match plain {
            true => name.to_owned(),
            false => format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")),
        }
    });
    inputs.collect::<Vec<_>>().join(" ")
}

/// Reads tests, one per line. Empty lines do not count.
///
/// # Errors
/// If a line cannot be read, or an input is not one of the machine.
pub fn read_tests(machine: &Machine, text: &str) -> Result<Vec<Word>, Failure> {
    let mut words: Vec<Word> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let wrong = |message: String| {
            Failure::from(Diagnostic::global("machine-tests", format!("line {number}: {message}")))
        };
        let names = split(line).map_err(|message| wrong(message.to_owned()))?;
        let inputs = names.iter().map(|name| {
            machine.input(name).ok_or_else(|| wrong(format!("`{name}` is no input of the machine")))
        });
        let word: Word = inputs.collect::<Result<_, _>>()?;
        if !word.is_empty() {
            words.push(word);
        }
    }
    Ok(words)
}

fn split(line: &str) -> Result<Vec<String>, &'static str> {
    let mut all = Vec::new();
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.peek().copied() {
        if c.is_whitespace() {
            rest.next();
            continue;
        }
        let mut name = String::new();
        if c == '"' {
            rest.next();
            loop {
                match rest.next() {
                    Some('"') => break,
                    Some('\\') => name.push(rest.next().ok_or("a name in quotes does not end")?),
                    Some(c) => name.push(c),
                    None => return Err("a name in quotes does not end"),
                }
            }
        } else {
            while let Some(c) = rest.peek().copied().filter(|c| !c.is_whitespace()) {
                name.push(c);
                rest.next();
            }
        }
        all.push(name);
    }
    Ok(all)
}
