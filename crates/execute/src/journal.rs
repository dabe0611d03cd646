//! The journal of a campaign: an append-only file of checksummed JSON lines.
//!
//! The first line says how the campaign was set up, each other line one event of one run. A line is
//! written with one call before anybody acts on the event, so whoever is killed leaves everything
//! that happened and at most one line that is not whole. One process at a time may append: the file
//! is locked. Lines are handed to the operating system, which keeps them when the process dies; they
//! are forced to the disk at the end of a campaign only.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Write};
use std::path::Path;

use serde::Serialize;

use crate::checksum::seal;
use crate::{Event, JournalReader, RunRecord, Settings};

/// What the first line says it is.
pub const JOURNAL_FORMAT: &str = "tioga-journal";

/// The version of the form.
pub const JOURNAL_VERSION: u32 = 1;

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    file: File,
    line: Vec<u8>,
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
        let mut journal = Self { file, line: Vec::new(), broken: false };
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
        let (settings, good) = runs.into_parts();
        file.set_len(good)?;
        Ok((Self { file, line: Vec::new(), broken: false }, settings))
    }

    /// Writes an event of a run.
    pub fn append(&mut self, run: u64, event: &Event) -> io::Result<()> {
        self.write(&Entry { run, event })
    }

    /// Waits until everything is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&mut self, object: &impl Serialize) -> io::Result<()> {
        if self.broken {
            return Err(io::Error::other("an earlier line could not be written"));
        }
        self.line.clear();
        serde_json::to_writer(&mut self.line, object)?;
        seal(&mut self.line);
        self.broken = true;
        self.file.write_all(&self.line)?;
        self.broken = false;
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

/// Whether a campaign is writing to this journal.
pub fn is_locked(path: &Path) -> io::Result<bool> {
    let file = File::open(path)?;
    match lock(&file) {
        Ok(()) => file.unlock().map(|()| false),
        Err(JournalError::Locked) => Ok(true),
        Err(JournalError::Io(error)) => Err(error),
        Err(other) => Err(io::Error::other(other.to_string())),
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

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// The file cannot be read or written.
    Io(io::Error),
    /// Another process is writing it.
    Locked,
    /// It is something else.
    NotAJournal,
    /// It is of another version.
    Version(u64),
    /// It ends within its first line, so no run was begun.
    Empty,
    /// Something in it is not as it was written.
    Corrupt {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Locked => f.write_str("another process is writing it"),
            Self::NotAJournal => f.write_str("it is not a journal"),
            Self::Version(version) => {
                write!(f, "it is of version {version}, and this program reads {JOURNAL_VERSION}")
            }
            Self::Empty => f.write_str("it ends within its first line, before any run"),
            Self::Corrupt { line, reason } => write!(f, "line {line} is damaged: {reason}"),
        }
    }
}

impl std::error::Error for JournalError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_after_a_line_that_is_not_whole() {
        // Writing to this device always fails; where there is none, there is nothing to test.
        let Ok(file) = OpenOptions::new().write(true).open("/dev/full") else { return };
        let mut journal = Journal { file, line: Vec::new(), broken: false };
        let event = Event::Begin { case: "a".to_owned(), seed: 1 };
        assert_eq!(journal.append(0, &event).unwrap_err().kind(), io::ErrorKind::StorageFull);
        journal.file = OpenOptions::new().write(true).open("/dev/null").unwrap();
        assert_eq!(journal.append(0, &event).unwrap_err().kind(), io::ErrorKind::Other);
    }
}
