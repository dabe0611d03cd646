//! The journal of a campaign: an append-only file of checksummed JSON lines.
//!
//! The first line says how the campaign was set up, each other line one event of one run; a campaign that
//! ends in order closes it with the number of lines. A line is
//! written with one call before the tester acts on the event, so a killed campaign leaves everything
//! that happened and at most one line that is not whole. One process at a time may append: the file is
//! locked. Lines are handed to the operating system, which keeps them when the process dies; they are
//! forced to the disk at the end of a campaign only.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Write};
use std::path::Path;

use serde::Serialize;

use super::checksum::{Chain, seal};
use super::error::JournalError;
use super::event::Event;
use super::format::{JOURNAL_FORMAT, JOURNAL_VERSION};
use super::reader::JournalReader;
use super::record::RunRecord;
use super::settings::Settings;

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    line: Vec<u8>,
    /// How many lines it has.
    lines: u64,
    chain: Chain,
    /// Whether the last line is their number.
    closed: bool,
    /// Whether a line could not be written as a whole. Nothing may follow it.
    broken: bool,
}

#[derive(Serialize)]
struct Header<'s> {
    format: &'static str,
    version: u32,
    settings: &'s Settings,
}

#[derive(Serialize)]
struct Closing {
    lines: u64,
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
        let file = OpenOptions::new().append(true).create_new(true).open(path)?;
        lock(&file)?;
        let mut journal = Self::at(file, 0, Chain::default(), false);
        let header = Header { format: JOURNAL_FORMAT, version: JOURNAL_VERSION, settings };
        journal.write(&header)?;
        Ok(journal)
    }

    /// Goes on with a journal: hands each run that has ended to `finished`, and cuts off a last line
    /// that is not whole.
    pub fn resume(
        path: &Path,
        mut finished: impl FnMut(&Settings, RunRecord),
    ) -> Result<(Self, Settings), JournalError> {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        lock(&file)?;
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
        Ok((Self::at(file, lines, chain, closed), settings))
    }

    fn at(file: File, lines: u64, chain: Chain, closed: bool) -> Self {
        Self { file, line: Vec::new(), lines, chain, closed, broken: false }
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
        self.closed = false;
        self.write(&Entry { run, event })
    }

    /// Closes the journal with the number of its lines, and waits until everything is on the disk. More
    /// may be written later, which is then closed again.
    pub fn close(&mut self) -> io::Result<()> {
        if !self.closed {
            self.write(&Closing { lines: self.lines })?;
            self.closed = true;
        }
        self.file.sync_data()
    }

    fn write(&mut self, object: &impl Serialize) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("an earlier line could not be written"));
        }
        self.line.clear();
        serde_json::to_writer(&mut self.line, object)?;
        let chain = seal(&mut self.line, self.chain);
        self.broken = true;
        self.file.write_all(&self.line)?;
        self.broken = false;
        self.chain = chain;
        self.lines += 1;
        Ok(())
    }
}

impl Drop for Journal {
    /// Gives the journal free at once: a process that is just being started may have the file for a
    /// moment longer.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

fn lock(file: &File) -> Result<(), JournalError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked),
        // Some file systems cannot lock; a journal on them is still better than none.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(JournalError::Io(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_after_a_line_that_is_not_whole() {
        // Writing to this device always fails; where there is none, there is nothing to test.
        let Ok(file) = OpenOptions::new().write(true).open("/dev/full") else { return };
        let mut journal = Journal::at(file, 0, Chain::default(), false);
        let event = Event::Begin { case: "a".to_owned(), seed: 1 };
        assert_eq!(journal.append(0, &event).unwrap_err().kind(), io::ErrorKind::StorageFull);
        journal.file = OpenOptions::new().write(true).open("/dev/null").unwrap();
        assert_eq!(journal.append(0, &event).unwrap_err().kind(), io::ErrorKind::Other);
    }
}
