//! What a person types: lines of limited length, and numbers in them.

use std::io::{BufRead, Read};

use tioga_base::{GivenTime, Rational, Times};

/// The longest command line, in bytes.
const LINE_LIMIT: u64 = 4096;

/// The next line; nothing at the end of the input. What exceeds the limit is a line of its own.
pub fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = input.take(LINE_LIMIT).read_until(b'\n', &mut bytes).ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// A delay as text: in units of the model, or with a unit of the wall clock if the model has one.
pub fn delay(text: &str, times: Times) -> Result<Rational, String> {
    let given: GivenTime = text.parse().map_err(|error| format!("`{text}`: {error}\n"))?;
    given.in_units(times.unit()).map_err(|error| format!("`{text}`: {error}\n"))
}

pub fn rational(text: &str) -> Result<Rational, String> {
    text.parse().map_err(|error| format!("`{text}`: {error}\n"))
}
