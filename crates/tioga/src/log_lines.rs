//! Lines of a log that may be larger than memory: read one at a time, each with its place for
//! diagnostics.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use tioga_base::{Diagnostic, Sources, Span};

/// No line is longer, in bytes.
const LONGEST: u64 = 1 << 20;

/// Up to this line, a place is shown with the number of its line; memory for the numbers is needed.
const NUMBERED: usize = 20_000_000;

/// The lines of a log.
#[derive(Debug)]
pub struct LogLines<R> {
    source: R,
    name: String,
    line: Vec<u8>,
    number: usize,
}

/// Why there is no next line.
#[derive(Debug)]
pub enum Unreadable {
    /// It could not be read.
    Io(io::Error),
    /// It is longer than any line should be.
    TooLong,
    /// These bytes, from here on, are not text.
    NotText(usize),
}

impl<R: BufRead> LogLines<R> {
    /// The lines of a source with this name.
    pub fn new(source: R, name: impl Into<String>) -> Self {
        Self { source, name: name.into(), line: Vec::new(), number: 0 }
    }

    /// The name of the log.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of the last line, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The next line without its end; nothing at the end of the log.
    pub fn next_line(&mut self) -> Result<Option<&str>, Unreadable> {
        self.line.clear();
        let mut limited = (&mut self.source).take(LONGEST);
        let length = limited.read_until(b'\n', &mut self.line).map_err(Unreadable::Io)?;
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if length as u64 == LONGEST {
            return Err(Unreadable::TooLong);
        }
        // Some editors put a byte order mark in front; it means nothing in UTF-8.
        if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        match std::str::from_utf8(&self.line) {
            Ok(line) => Ok(Some(line)),
            Err(error) => Err(Unreadable::NotText(error.valid_up_to())),
        }
    }

    /// Everything from the last line on.
    pub fn rest(mut self) -> io::Result<Vec<u8>> {
        let mut rest = std::mem::take(&mut self.line);
        rest.push(b'\n');
        self.source.take(crate::texts::SIZE_LIMIT).read_to_end(&mut rest)?;
        Ok(rest)
    }

    /// The place of some bytes of the last line. They get a text that has this line at its number.
    pub fn place(&self, texts: &mut Sources, bytes: Range<usize>) -> Span {
        let before = self.number.saturating_sub(1);
        let before = if before > NUMBERED { 0 } else { before };
        let mut text = "\n".repeat(before);
        let (start, end) = (before + bytes.start, before + bytes.end);
        text.push_str(&String::from_utf8_lossy(&self.line));
        let file = texts.add(self.name.as_str(), text);
        Span::new(file, start, end)
    }

    /// The diagnostic if there is no next line.
    pub fn diagnostic(&self, texts: &mut Sources, error: &Unreadable) -> Diagnostic {
        match error {
            Unreadable::Io(error) => {
                Diagnostic::global("cannot-read", format!("cannot read `{}`: {error}", self.name))
            }
            Unreadable::TooLong => {
                let message = format!("line {} of `{}` is too long", self.number, self.name);
                Diagnostic::global("too-large", message)
                    .note(format!("a line has at most {} KiB", LONGEST >> 10))
            }
            Unreadable::NotText(valid) => {
                let shown = char::REPLACEMENT_CHARACTER.len_utf8();
                let span = self.place(texts, *valid..*valid + shown);
                let message = format!("`{}` is not UTF-8 text", self.name);
                Diagnostic::error("not-utf-8", span, message)
                    .help("save the file with the encoding UTF-8")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_one_by_one_and_can_be_pointed_at() {
        let mut texts = Sources::new();
        let mut lines = LogLines::new("\u{feff}1 a\n\n2 b\r\n3 c".as_bytes(), "x.log");
        let mut read = Vec::new();
        while let Ok(Some(line)) = lines.next_line() {
            read.push(line.trim().to_owned());
            if lines.number() == 3 {
                let span = lines.place(&mut texts, 2..3);
                assert_eq!(texts.slice(span), "b");
                let source = texts.get(span.file).unwrap();
                assert_eq!(source.line_column(span.start as usize), (3, 3));
            }
        }
        assert_eq!(read, ["1 a", "", "2 b", "3 c"]);
    }

    #[test]
    fn what_is_no_text_and_what_has_no_end_are_errors() {
        let mut lines = LogLines::new(&b"1 a\n2 \xff\n"[..], "x.log");
        assert!(matches!(lines.next_line(), Ok(Some("1 a"))));
        assert!(matches!(lines.next_line(), Err(Unreadable::NotText(2))));
        let mut endless = LogLines::new(io::BufReader::new(io::repeat(b'x')), "endless");
        assert!(matches!(endless.next_line(), Err(Unreadable::TooLong)));
    }
}
