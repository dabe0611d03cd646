//! Why a journal cannot be used.

use std::io;

use thiserror::Error;

use super::format::{JOURNAL_VERSION, OLDEST_JOURNAL_VERSION};

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Another process is writing it.
    #[error("another process is writing it")]
    Locked,
    /// It is something else.
    #[error("it is not a journal")]
    NotAJournal,
    /// It is of a mutation campaign, which has no runs that could be looked at.
    #[error("it is the journal of a mutation campaign")]
    Mutation,
    /// It is of another version.
    #[error(
        "it is of version {0}, and this program reads {OLDEST_JOURNAL_VERSION} and {JOURNAL_VERSION}"
    )]
    Version(u64),
    /// It ends within its first line, so no run was begun.
    #[error("it ends within its first line, before any run")]
    Empty,
    /// Something in it is not as it was written.
    #[error("line {line} is damaged: {reason}")]
    Corrupt {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}
