//! The readable form of traces: one record per line. `docs/formats.md` describes it.

use std::fmt::Write;

use tioga_base::{Diagnostic, Diagnostics, FileId, Rational, Span};

use crate::trace::{
    EdgeRecord, Name, Record, StepRecord, TRACE_VERSION, Trace, TraceEvent, is_bare,
};

impl Trace {
    /// The readable form. [`Trace::from_text`] reads it back to the same trace.
    pub fn to_text(&self) -> String {
        let mut text = format!("tioga-trace {TRACE_VERSION}\nmodel {}\n", Name(&self.model));
        let mut line = |line: String| {
            text.push_str(&line);
            text.push('\n');
        };
        if let Some(seed) = self.seed {
            line(format!("seed {seed}"));
        }
        for record in &self.records {
            line(match record {
                Record::Delay(delay) => format!("delay {delay}"),
                Record::Step(taken) => step_line(taken),
            });
        }
        text
    }

    /// Reads the readable form. Blank lines and what follows `//` are ignored.
    pub fn from_text(text: &str, file: FileId) -> Result<Self, Diagnostics> {
        let mut diagnostics = Diagnostics::new();
        let mut trace = Self::default();
        let mut header = Header::Version;
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let end = start + line.trim_end_matches(['\n', '\r']).len();
            let mut reader = Reader { text, file, position: start, end };
            start += line.len();
            if reader.at_end() {
                continue;
            }
            if let Err(diagnostic) = reader.line(&mut trace, &mut header) {
                diagnostics.push(*diagnostic);
                if header == Header::Version {
                    break;
                }
            }
        }
        if header == Header::Version && diagnostics.is_empty() {
            let span = Span::new(file, text.len(), text.len());
            diagnostics.push(
                Diagnostic::error("trace-header", span, "the trace is empty")
                    .help(format!("a trace starts with `tioga-trace {TRACE_VERSION}`")),
            );
        }
        if diagnostics.is_empty() { Ok(trace) } else { Err(diagnostics) }
    }
}

fn step_line(taken: &StepRecord) -> String {
    let mut line = taken.event.to_string();
    if let Some(edges) = &taken.edges {
        for (position, edge) in edges.iter().enumerate() {
            let separator = if position == 0 { " by" } else { "," };
            // Writing to a string cannot fail.
            let _ = write!(line, "{separator} {edge}");
        }
        if edges.is_empty() {
            line.push_str(" by");
        }
    }
    line
}

/// What may still come before the records.
#[derive(PartialEq)]
enum Header {
    Version,
    Names,
    Done,
}

/// Reads one line from left to right.
struct Reader<'a> {
    text: &'a str,
    file: FileId,
    position: usize,
    end: usize,
}

type Result<T, E = Box<Diagnostic>> = std::result::Result<T, E>;

impl<'a> Reader<'a> {
    fn line(&mut self, trace: &mut Trace, header: &mut Header) -> Result<()> {
        let start = self.position;
        let keyword = self.bare();
        if *header == Header::Version {
            return self.version(keyword, start, header);
        }
        match keyword {
            "model" if *header == Header::Names => trace.model = self.name("a model name")?,
            "seed" if *header == Header::Names => trace.seed = Some(self.number("a seed")?),
            _ => {
                *header = Header::Done;
                let record = self.record(keyword, start)?;
                trace.records.push(record);
            }
        }
        self.finish()
    }

    fn version(&mut self, keyword: &str, start: usize, header: &mut Header) -> Result<()> {
        let expected = format!("a trace starts with `tioga-trace {TRACE_VERSION}`");
        if keyword != "tioga" || !self.eat("-trace") {
            let error = self.error(start, "this is not a trace in the readable form");
            return Err(Box::new(error.help(expected)));
        }
        let start = self.position;
        let version: u64 = self.number("the version of the form")?;
        if version != u64::from(TRACE_VERSION) {
            let message = format!("unknown version {version} of the trace form");
            return Err(Box::new(self.error(start, message).help(expected)));
        }
        self.finish()?;
        *header = Header::Names;
        Ok(())
    }

    fn record(&mut self, keyword: &str, start: usize) -> Result<Record> {
        let event = match keyword {
            "delay" => {
                let start = self.position;
                let delay = self.rational("a delay")?;
                if delay.is_negative() {
                    return Err(Box::new(self.error(start, "a delay cannot be negative")));
                }
                return Ok(Record::Delay(delay));
            }
            "input" => {
                let (name, values) = self.call()?;
                TraceEvent::Input(name, values)
            }
            "output" => {
                let (name, values) = self.call()?;
                TraceEvent::Output(name, values)
            }
            "step" => {
                let (input, values) = self.call()?;
                self.expect("/")?;
                let (output, reply) = self.call()?;
                TraceEvent::Exchange(input, values, output, reply)
            }
            "internal" => {
                let named = !self.at_end() && !self.peek_by();
                TraceEvent::Internal(if named { Some(self.name("a name")?) } else { None })
            }
            _ => {
                let known = ["delay", "input", "output", "step", "internal"];
                let message = format!("unknown record `{keyword}`");
                let span = Span::new(self.file, start, self.position);
                let error = Diagnostic::error("trace-record", span, message)
                    .note("records are delay, input, output, step and internal");
                return Err(Box::new(error.suggest(span, keyword, known)));
            }
        };
        let edges = if self.peek_by() { Some(self.edges()?) } else { None };
        Ok(Record::Step(StepRecord { event, edges }))
    }

    fn edges(&mut self) -> Result<Vec<EdgeRecord>> {
        self.bare();
        let mut edges = Vec::new();
        while !self.at_end() {
            if !edges.is_empty() {
                self.expect(",")?;
            }
            let process = self.name("the name of a process")?;
            self.expect(":")?;
            let source = self.name("the name of a location")?;
            self.expect("->")?;
            let target = self.name("the name of a location")?;
            self.expect("#")?;
            let start = self.position;
            let edge: u64 = self.number("the position of an edge")?;
            let edge = u32::try_from(edge)
                .map_err(|_| self.error(start, "the position of an edge is too large"))?;
            edges.push(EdgeRecord { process, source, target, edge });
        }
        Ok(edges)
    }

    fn call(&mut self) -> Result<(String, Vec<Rational>)> {
        let name = self.name("the name of a channel")?;
        let mut values = Vec::new();
        if self.eat("(") {
            loop {
                values.push(self.rational("a value")?);
                if self.eat(")") {
                    break;
                }
                self.expect(",")?;
            }
        }
        Ok((name, values))
    }

    fn name(&mut self, what: &str) -> Result<String> {
        let start = self.position;
        if !self.eat("\"") {
            let name = self.bare();
            if name.is_empty() {
                return Err(Box::new(self.error(start, format!("{what} is missing"))));
            }
            return Ok(name.to_owned());
        }
        let mut name = String::new();
        loop {
            match self.character() {
                None => return Err(Box::new(self.error(start, "a quoted name does not end"))),
                Some('"') => return Ok(name),
                Some('\\') => name.push(self.escape(start)?),
                Some(character) => name.push(character),
            }
        }
    }

    fn escape(&mut self, start: usize) -> Result<char> {
        let escaped = match self.character() {
            Some(character @ ('"' | '\\')) => Some(character),
            Some('u') if self.rest().starts_with('{') => {
                let close = self.rest().find('}');
                close.and_then(|close| {
                    let digits = &self.rest()[1..close];
                    let code = u32::from_str_radix(digits, 16).ok();
                    self.position += close + 1;
                    code.and_then(char::from_u32)
                })
            }
            _ => None,
        };
        let unknown = || Box::new(self.error(start, "unknown escape in a quoted name"));
        escaped.ok_or_else(unknown)
    }

    fn rational(&mut self, what: &str) -> Result<Rational> {
        self.skip_blanks();
        let start = self.position;
        let length = self.rest().find(|c: char| !(c.is_ascii_digit() || "-/.".contains(c)));
        self.position += length.unwrap_or(self.rest().len());
        let digits = &self.text[start..self.position];
        digits.parse().map_err(|error| {
            Box::new(self.error(start, format!("{what} is expected here")).note(format!("{error}")))
        })
    }

    fn number(&mut self, what: &str) -> Result<u64> {
        self.skip_blanks();
        let start = self.position;
        let length = self.rest().find(|c: char| !c.is_ascii_digit());
        self.position += length.unwrap_or(self.rest().len());
        let digits = &self.text[start..self.position];
        digits.parse().map_err(|_| Box::new(self.error(start, format!("{what} is expected here"))))
    }

    fn bare(&mut self) -> &'a str {
        self.skip_blanks();
        let rest = self.rest();
        let length = rest.find(|character| !is_bare(character)).unwrap_or(rest.len());
        self.position += length;
        &rest[..length]
    }

    fn peek_by(&mut self) -> bool {
        let start = self.position;
        let found = self.bare() == "by";
        self.position = start;
        found
    }

    fn character(&mut self) -> Option<char> {
        let character = self.rest().chars().next()?;
        self.position += character.len_utf8();
        Some(character)
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.position += token.len();
        }
        found
    }

    fn expect(&mut self, token: &str) -> Result<()> {
        if self.eat(token) {
            return Ok(());
        }
        Err(Box::new(self.error(self.position, format!("`{token}` is expected here"))))
    }

    fn finish(&mut self) -> Result<()> {
        if self.at_end() {
            return Ok(());
        }
        Err(Box::new(self.error(self.position, "the line should end here")))
    }

    /// Whether only blanks and a comment are left.
    fn at_end(&mut self) -> bool {
        self.skip_blanks();
        self.rest().is_empty() || self.rest().starts_with("//")
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..self.end]
    }

    /// An error from `start` to where reading stopped, or on the next character.
    fn error(&self, start: usize, message: impl Into<String>) -> Diagnostic {
        let next = self.rest().chars().next().map_or(0, char::len_utf8);
        let end = if self.position > start { self.position } else { start + next };
        Diagnostic::error("trace-syntax", Span::new(self.file, start, end), message)
    }
}
