//! An append-only file of sealed JSON lines, and reading it back: what journals of all kinds have in common.
//!
//! A line is written with one call, so a killed writer leaves everything up to at most one line that is not
//! whole. One process at a time may append: the file is locked. Lines are handed to the operating system,
//! which keeps them when the process dies; they are forced to the disk when the file is closed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use serde::Serialize;

use super::checksum::{Chain, seal, unseal};
use super::error::JournalError;

/// No line is longer, in bytes; longer ones are not read into memory.
const LONGEST_LINE: u64 = 1 << 28;

/// How a line begins that closes a file.
pub(super) const CLOSING: &[u8] = b"{\"lines\":";

/// A file that is being written.
#[derive(Debug)]
pub struct SealedLines {
    pub(super) file: File,
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
struct Closing {
    lines: u64,
}

impl SealedLines {
    /// Begins a file that is not there yet with its first line.
    pub fn create(path: &Path, header: &impl Serialize) -> Result<Self, JournalError> {
        let file = OpenOptions::new().append(true).create_new(true).open(path)?;
        lock(&file)?;
        let mut lines = Self::at(file, 0, Chain::default(), false);
        lines.write(header)?;
        Ok(lines)
    }

    /// Goes on with a file: hands each whole line to `read`, with its number from 1 and without its
    /// checksums, and cuts off a last line that is not whole.
    pub fn resume(
        path: &Path,
        read: impl FnMut(u64, &[u8]) -> Result<(), JournalError>,
    ) -> Result<Self, JournalError> {
        let file = Self::open(path)?;
        let Whole { lines, bytes, chain, closed } = whole_lines(BufReader::new(&file), read)?;
        file.set_len(bytes)?;
        Ok(Self::at(file, lines, chain, closed))
    }

    /// Looks at a file that another process may be writing: hands each whole line to `read`, as [`Self::resume`] does.
    pub fn look(
        path: &Path,
        read: impl FnMut(u64, &[u8]) -> Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        whole_lines(BufReader::new(File::open(path)?), read).map(|_| ())
    }

    /// Opens a file to be gone on with.
    pub(super) fn open(path: &Path) -> Result<File, JournalError> {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        lock(&file)?;
        Ok(file)
    }

    pub(super) fn at(file: File, lines: u64, chain: Chain, closed: bool) -> Self {
        Self { file, line: Vec::new(), lines, chain, closed, broken: false }
    }

    /// Writes an object as the next line.
    pub fn append(&mut self, object: &impl Serialize) -> io::Result<()> {
        self.closed = false;
        self.write(object)
    }

    /// Closes the file with the number of its lines, and waits until everything is on the disk. More may be
    /// written later, which is then closed again.
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

impl Drop for SealedLines {
    /// Gives the file free at once: a process that is just being started may have it for a moment longer.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// The whole lines of a file.
struct Whole {
    lines: u64,
    bytes: u64,
    chain: Chain,
    closed: bool,
}

/// Hands each whole line to `read`, with its number from 1 and without its checksums.
fn whole_lines(
    mut source: impl BufRead,
    mut read: impl FnMut(u64, &[u8]) -> Result<(), JournalError>,
) -> Result<Whole, JournalError> {
    let mut line = Vec::new();
    let mut whole = Whole { lines: 0, bytes: 0, chain: Chain::default(), closed: false };
    while let Some(length) = next_line(&mut source, &mut line, whole.lines + 1)? {
        whole.lines += 1;
        let number = whole.lines;
        let corrupt = |reason: &str| {
            let reason = reason.to_owned();
            JournalError::Corrupt { line: number, reason }
        };
        whole.chain = unseal(&mut line, whole.chain).map_err(corrupt)?;
        whole.closed = line.starts_with(CLOSING);
        if whole.closed && line != format!("{{\"lines\":{}}}", number - 1).as_bytes() {
            return Err(corrupt("it counts other lines than there are"));
        }
        if !whole.closed {
            read(number, &line)?;
        }
        whole.bytes += length;
    }
    if whole.lines == 0 { Err(JournalError::Empty) } else { Ok(whole) }
}

/// Makes this process the only one that writes a file.
pub(super) fn lock(file: &File) -> Result<(), JournalError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(JournalError::Locked),
        // Some file systems cannot lock; a journal on them is still better than none.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(JournalError::Io(error)),
    }
}

/// Reads a line and removes its end; says how long it was, or nothing if there is no whole one.
pub(super) fn next_line(
    source: &mut impl BufRead,
    line: &mut Vec<u8>,
    number: u64,
) -> Result<Option<u64>, JournalError> {
    line.clear();
    let length = source.take(LONGEST_LINE).read_until(b'\n', line)? as u64;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(length));
    }
    if length == LONGEST_LINE {
        let reason = "it is too long".to_owned();
        return Err(JournalError::Corrupt { line: number, reason });
    }
    Ok(None)
}

/// Whether a file of sealed lines ends with the line that closes it, as far as its end shows.
pub fn is_closed(path: &Path) -> io::Result<bool> {
    use std::io::{Seek, SeekFrom};
    // The line has a number of up to twenty digits, and two checksums.
    const LONGEST: u64 = 128;
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LONGEST)))?;
    let mut end = Vec::new();
    file.take(LONGEST).read_to_end(&mut end)?;
    let Some((b'\n', rest)) = end.split_last() else { return Ok(false) };
    let start = rest.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    Ok(rest[start..].starts_with(CLOSING))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_written_after_a_line_that_is_not_whole() {
        // Writing to this device always fails; where there is none, there is nothing to test.
        let Ok(file) = OpenOptions::new().write(true).open("/dev/full") else { return };
        let mut lines = SealedLines::at(file, 0, Chain::default(), false);
        let object = serde_json::json!({ "a": 1 });
        assert_eq!(lines.append(&object).unwrap_err().kind(), io::ErrorKind::StorageFull);
        lines.file = OpenOptions::new().write(true).open("/dev/null").unwrap();
        assert_eq!(lines.append(&object).unwrap_err().kind(), io::ErrorKind::Other);
    }
}
