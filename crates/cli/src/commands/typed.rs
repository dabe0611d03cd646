//! What a person types: lines of limited length, and numbers in them.

use std::io::{BufRead, Read};

use tioga_base::Rational;

/// The longest command line, in bytes.
const LINE_LIMIT: u64 = 4096;

/// The next line; nothing at the end of the input. What exceeds the limit is a line of its own.
pub fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = input.take(LINE_LIMIT).read_until(b'\n', &mut bytes).ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// A delay as text.
pub fn delay(text: &str) -> Result<Rational, String> {
    let delay = rational(text)?;
    if delay.is_negative() { Err("time does not run backwards\n".to_owned()) } else { Ok(delay) }
}

pub fn rational(text: &str) -> Result<Rational, String> {
    text.parse().map_err(|error| format!("`{text}`: {error}\n"))
}
