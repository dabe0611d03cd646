//! The journal of a campaign: an append-only file of checksummed JSON lines.
//!
//! The first line says how the campaign was set up, each other line one event of one run; a campaign that
//! ends in order closes it with the number of lines. A line is written before the tester acts on the event,
//! so a killed campaign leaves everything that happened.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use serde::Serialize;

use super::error::JournalError;
use super::event::Event;
use super::format::{JOURNAL_FORMAT, JOURNAL_VERSION};
use super::reader::JournalReader;
use super::record::RunRecord;
use super::sealed::{SealedLines, lock};
use super::settings::Settings;

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal(SealedLines);

#[derive(Serialize)]
struct Header<'s> {
    format: &'static str,
    version: u32,
    settings: &'s Settings,
}

#[derive(Serialize)]
struct Entry<'e> {
    run: u64,
    #[serde(flatten)]
    event: &'e Event,
}

impl Journal {
    /// Begins a journal in a file that is not there yet.
    pub fn create(path: &Path, settings: &Settings) -> Result<Self, JournalError> {
        let header = Header { format: JOURNAL_FORMAT, version: JOURNAL_VERSION, settings };
        SealedLines::create(path, &header).map(Self)
    }

    /// Goes on with a journal: hands each run that has ended to `finished`, and cuts off a last line
    /// that is not whole.
    pub fn resume(
        path: &Path,
        mut finished: impl FnMut(&Settings, RunRecord),
    ) -> Result<(Self, Settings), JournalError> {
        let file = SealedLines::open(path)?;
        let mut runs = JournalReader::new(BufReader::new(&file))?.runs();
        while let Some(run) = runs.next() {
            let run = run?;
            if run.outcome().is_some() {
                finished(runs.settings(), run);
            }
        }
        let closed = runs.is_closed();
        let (settings, lines, good, chain) = runs.into_parts();
        file.set_len(good)?;
        Ok((Self(SealedLines::at(file, lines, chain, closed)), settings))
    }

    /// Whether a campaign is writing to this journal.
    pub fn is_locked(path: &Path) -> io::Result<bool> {
        match lock(&File::open(path)?) {
            Ok(()) => Ok(false),
            Err(JournalError::Locked) => Ok(true),
            Err(JournalError::Io(error)) => Err(error),
            Err(other) => Err(io::Error::other(other.to_string())),
        }
    }

    /// Writes an event of a run.
    pub fn append(&mut self, run: u64, event: &Event) -> io::Result<()> {
        self.0.append(&Entry { run, event })
    }

    /// Closes the journal with the number of its lines, and waits until everything is on the disk. More
    /// may be written later, which is then closed again.
    pub fn close(&mut self) -> io::Result<()> {
        self.0.close()
    }
}
