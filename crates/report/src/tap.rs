//! Results as TAP, the Test Anything Protocol, version 14: a line for each run, with a YAML block that
//! has its seed and, unless it passed, what happened and what would have been right.

use std::io::{self, Write};

use tioga_execute::{Outcome, RunRecord, Settings};

use crate::sequence::{self, STEPS, Sequence};
use crate::text::one_line;
use crate::{Inconclusive, RunLine};

/// Writes TAP while the runs go by.
#[derive(Debug)]
pub struct Tap<'s, W> {
    writer: W,
    settings: &'s Settings,
    inconclusive: Inconclusive,
    runs: u64,
}

impl<'s, W: Write> Tap<'s, W> {
    /// Begins. An inconclusive run is skipped, or not ok.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(
        mut writer: W,
        settings: &'s Settings,
        inconclusive: Inconclusive,
    ) -> io::Result<Self> {
        writeln!(writer, "TAP version 14")?;
        Ok(Self { writer, settings, inconclusive, runs: 0 })
    }

    /// Writes a run.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, run: &RunLine, record: &RunRecord) -> io::Result<()> {
        self.runs += 1;
        let skipped = matches!(run.outcome, None | Some(Outcome::Inconclusive))
            && self.inconclusive == Inconclusive::Skipped;
        let passed = run.outcome == Some(Outcome::Pass);
        let ok = if passed || skipped { "ok" } else { "not ok" };
        let purpose = run.case.map(|case| &self.settings.suite.cases[case].summary.goal);
        let purpose =
            purpose.map(|goal| format!(": {}", escape(&goal.to_string()))).unwrap_or_default();
        write!(self.writer, "{ok} {} - {}{purpose}", self.runs, escape(&run.name))?;
        write!(self.writer, " \\#{}", run.repetition)?;
        if skipped {
            write!(self.writer, " # SKIP {}: {}", run.verdict(), escape(&run.reason))?;
        }
        writeln!(self.writer, "\n  ---")?;
        self.field("case", &run.name)?;
        writeln!(self.writer, "  run: {}", run.run)?;
        if let Some(seed) = run.seed {
            writeln!(self.writer, "  seed: {seed}")?;
        }
        self.field("verdict", &run.verdict())?;
        if !passed {
            let severity = match run.outcome {
                Some(Outcome::Fail) => "fail",
                Some(Outcome::Error) => "error",
                _ => "comment",
            };
            self.field("severity", severity)?;
        }
        self.field("message", &run.reason)?;
        if let Some(at) = run.at {
            self.field("at", &run.times.moment(at))?;
        }
        if run.repeated > 0 {
            writeln!(self.writer, "  repeated: {}", run.repeated)?;
        }
        if !passed {
            if !run.expected.is_empty() {
                writeln!(self.writer, "  expected:")?;
            }
            for expected in &run.expected {
                writeln!(self.writer, "    - {}", quoted(expected))?;
            }
            writeln!(self.writer, "  trace: |")?;
            for line in sequence::text(&Sequence::new(record, STEPS, run.times)).lines() {
                writeln!(self.writer, "    {line}")?;
            }
        }
        writeln!(self.writer, "  ...")
    }

    /// Writes how many tests there were, and gives back the writer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        let empty = if self.runs == 0 { " # no runs" } else { "" };
        writeln!(self.writer, "1..{}{empty}", self.runs)?;
        Ok(self.writer)
    }

    fn field(&mut self, name: &str, value: &str) -> io::Result<()> {
        writeln!(self.writer, "  {name}: {}", quoted(value))
    }
}

/// A text in the line of a test: on one line, and without a `#` that would begin a directive.
fn escape(text: &str) -> String {
    one_line(text).replace('\\', "\\\\").replace('#', "\\#")
}

/// A string of YAML. Strings of JSON are such strings.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
