//! Why a journal cannot be used.

use std::{fmt, io};

use super::format::JOURNAL_VERSION;

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
