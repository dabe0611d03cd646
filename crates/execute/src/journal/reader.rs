//! Reading journals: line by line, or run by run, in memory that does not grow with the journal.
//!
//! A last line without its end was being written when the writer was killed; it counts as not there.
//! Everything else that is not as it was written is an error that names the line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::checksum::{Chain, unseal};
use super::error::JournalError;
use super::event::Event;
use super::format::{JOURNAL_FORMAT, JOURNAL_VERSION, MUTATION_FORMAT, OLDEST_JOURNAL_VERSION};
use super::record::RunRecord;
use super::sealed::{CLOSING, next_line};
use super::settings::Settings;

/// An event of a run, as a journal has it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Entry {
    /// The number of the run.
    pub run: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    settings: Settings,
}

/// The line that a writer ends with: how many lines come before it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Closing {
    lines: u64,
}

/// The entries of a journal, in the order in which they were written.
#[derive(Debug)]
pub struct JournalReader<R> {
    source: R,
    settings: Settings,
    line: Vec<u8>,
    /// How many lines were read.
    lines: u64,
    /// How many bytes the whole ones among them have.
    good: u64,
    chain: Chain,
    /// Whether the last line says that nothing comes after it.
    closed: bool,
    over: bool,
}

impl JournalReader<BufReader<File>> {
    /// Reads the journal in a file, which may still be written.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Self::new(BufReader::new(File::open(path)?))
    }
}

impl<R: BufRead> JournalReader<R> {
    /// Reads a journal from its start.
    pub fn new(mut source: R) -> Result<Self, JournalError> {
        let mut line = Vec::new();
        let start = source.fill_buf()?;
        if !start.is_empty() && start[0] != b'{' {
            return Err(JournalError::NotAJournal);
        }
        let Some(good) = next_line(&mut source, &mut line, 1)? else {
            return Err(unfinished_header(&line));
        };
        let (settings, chain) = header(&mut line)?;
        let (lines, closed, over) = (1, false, false);
        Ok(Self { source, settings, line, lines, good, chain, closed, over })
    }

    /// How the campaign was set up.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The runs instead of the entries.
    pub fn runs(self) -> Runs<R> {
        Runs { reader: self, open: BTreeMap::new(), finished: Finished::default() }
    }

    /// Whether the last line read was written when its campaign ended: if not, the campaign goes on or was
    /// killed, or lines at the end are missing.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    fn corrupt(&self, reason: impl Into<String>) -> JournalError {
        JournalError::Corrupt { line: self.lines, reason: reason.into() }
    }

    fn entry(&mut self) -> Result<Option<Entry>, JournalError> {
        loop {
            let Some(length) = next_line(&mut self.source, &mut self.line, self.lines + 1)? else {
                return Ok(None);
            };
            let before = self.lines;
            self.lines += 1;
            let chain = unseal(&mut self.line, self.chain);
            self.chain = chain.map_err(|reason| self.corrupt(reason))?;
            self.closed = self.line.starts_with(CLOSING);
            let wrong = |error| self.corrupt(format!("it says no event: {error}"));
            let entry = match self.closed {
                true => {
                    let closing: Closing = serde_json::from_slice(&self.line).map_err(wrong)?;
                    if closing.lines != before {
                        let lines = closing.lines;
                        let reason = format!("{lines} lines should come before it, not {before}");
                        return Err(self.corrupt(reason));
                    }
                    None
                }
                false => Some(serde_json::from_slice(&self.line).map_err(wrong)?),
            };
            self.good += length;
            if entry.is_some() {
                return Ok(entry);
            }
        }
    }
}

impl<R: BufRead> Iterator for JournalReader<R> {
    type Item = Result<Entry, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.over {
            return None;
        }
        let entry = self.entry().transpose();
        self.over = !matches!(entry, Some(Ok(_)));
        entry
    }
}

/// What a file is whose first line has no end: the start of a journal, or something else.
fn unfinished_header(line: &[u8]) -> JournalError {
    let start = format!("{{\"format\":\"{JOURNAL_FORMAT}\",");
    let common = start.len().min(line.len());
    if line[..common] == start.as_bytes()[..common] {
        JournalError::Empty
    } else {
        JournalError::NotAJournal
    }
}

/// The settings in a first line.
fn header(line: &mut Vec<u8>) -> Result<(Settings, Chain), JournalError> {
    let corrupt = |reason: String| JournalError::Corrupt { line: 1, reason };
    let whole = unseal(line, Chain::default());
    let value: Result<Value, _> = serde_json::from_slice(line);
    // What has another form or version need not have a checksum that this program understands.
    let Ok(value) = value else {
        let start = format!("{{\"format\":\"{JOURNAL_FORMAT}\"");
        return Err(match whole {
            Err(reason) if line.starts_with(start.as_bytes()) => corrupt(reason.to_owned()),
            _ => JournalError::NotAJournal,
        });
    };
    if value["format"] == MUTATION_FORMAT {
        return Err(JournalError::Mutation);
    }
    if value["format"] != JOURNAL_FORMAT {
        return Err(JournalError::NotAJournal);
    }
    let version = value["version"].as_u64().unwrap_or(0);
    if !(u64::from(OLDEST_JOURNAL_VERSION)..=u64::from(JOURNAL_VERSION)).contains(&version) {
        return Err(JournalError::Version(version));
    }
    let chain = whole.map_err(|reason| corrupt(reason.to_owned()))?;
    let header: Result<Header, _> = serde_json::from_slice(line);
    let mut header = header.map_err(|error| corrupt(format!("it has no settings: {error}")))?;
    header.settings.suite = header.settings.suite.renewed();
    // A tester relies on the form of a test case, and a checksum does not say what wrote it.
    let flaw = header.settings.suite.cases.iter().find_map(tioga_testcase::TestCase::flaw);
    match flaw {
        None => Ok((header.settings, chain)),
        Some(flaw) => Err(corrupt(format!("a test case cannot be followed: {flaw}"))),
    }
}

/// The runs of a journal, each when it ends; at last those that did not end, by their number. What
/// happened in a run that was begun again is left out.
#[derive(Debug)]
pub struct Runs<R> {
    reader: JournalReader<R>,
    /// The runs that are under way.
    open: BTreeMap<u64, Vec<Event>>,
    finished: Finished,
}

impl<R: BufRead> Runs<R> {
    /// How the campaign was set up.
    pub fn settings(&self) -> &Settings {
        &self.reader.settings
    }

    /// Whether the last line read was written when its campaign ended.
    pub fn is_closed(&self) -> bool {
        self.reader.closed
    }

    /// The settings, and how many lines and bytes that are whole were read so far, with their checksums.
    pub(crate) fn into_parts(self) -> (Settings, u64, u64, Chain) {
        let JournalReader { settings, lines, good, chain, .. } = self.reader;
        (settings, lines, good, chain)
    }

    /// Takes an entry, and gives back the run it ends.
    fn take(&mut self, entry: Entry) -> Result<Option<RunRecord>, JournalError> {
        let Entry { run, event } = entry;
        let corrupt = |what: &str| Err(self.reader.corrupt(format!("run {run} {what}")));
        if self.finished.contains(run) {
            return corrupt("goes on after its end");
        }
        if let Event::Begin { .. } = event {
            if run >= self.reader.settings.runs() {
                return corrupt("is more than the campaign has");
            }
            self.open.insert(run, vec![event]);
            return Ok(None);
        }
        let Some(events) = self.open.get_mut(&run) else {
            return corrupt("goes on without having begun");
        };
        let ends = matches!(event, Event::End { .. });
        events.push(event);
        if !ends {
            return Ok(None);
        }
        self.finished.insert(run);
        Ok(self.open.remove(&run).map(|events| RunRecord { run, events }))
    }
}

impl<R: BufRead> Iterator for Runs<R> {
    type Item = Result<RunRecord, JournalError>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(entry) = self.reader.next() {
            let taken = entry.and_then(|entry| self.take(entry));
            if taken.is_err() {
                self.reader.over = true;
                self.open.clear();
            }
            if let Some(one) = taken.transpose() {
                return Some(one);
            }
        }
        let (run, events) = self.open.pop_first()?;
        Some(Ok(RunRecord { run, events }))
    }
}

/// A set of numbers that are mostly the first ones.
#[derive(Debug, Default)]
struct Finished {
    /// All numbers below this one are in the set.
    below: u64,
    /// The others.
    beyond: BTreeSet<u64>,
}

impl Finished {
    fn contains(&self, run: u64) -> bool {
        run < self.below || self.beyond.contains(&run)
    }

    fn insert(&mut self, run: u64) {
        self.beyond.insert(run);
        while self.beyond.remove(&self.below) {
            self.below += 1;
        }
    }
}
