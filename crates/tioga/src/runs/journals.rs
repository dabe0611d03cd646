//! Journals as files: the place of a new one, and diagnostics about unusable ones.

use std::path::{Path, PathBuf};

use tioga_base::{Diagnostic, Severity};
use tioga_execute::{Journal, JournalError, JournalReader, Settings, is_closed};

use crate::Failure;
use crate::new_file::followed;

/// Begins a journal. An existing one is kept with `.old` at the end of its name, where it replaces
/// the one that was kept before.
pub fn create_journal(path: &Path, settings: &Settings) -> Result<Journal, Failure> {
    let place = followed(path);
    if place.exists() {
        put_aside(&place)?;
    }
    Journal::create(&place, settings).map_err(|error| journal_failure(path, &error))
}

/// Keeps an existing journal under another name.
pub(crate) fn put_aside(path: &Path) -> Result<(), Failure> {
    let not_ours = |path: &Path| {
        let message = format!("`{}` is not a journal, and is left alone", path.display());
        let help = "write the journal to another file";
        Failure::from(Diagnostic::global("not-a-journal", message).help(help))
    };
    // Devices and pipes are never renamed.
    if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(not_ours(path));
    }
    let mut old = path.as_os_str().to_owned();
    old.push(".old");
    let old = PathBuf::from(old);
    if old.symlink_metadata().is_ok()
        && matches!(JournalReader::open(&old), Err(JournalError::NotAJournal | JournalError::Io(_)))
    {
        return Err(not_ours(&old));
    }
    let moved = match JournalReader::open(path) {
        Err(JournalError::NotAJournal) => return Err(not_ours(path)),
        Err(JournalError::Io(error)) => Err(error),
        _ if Journal::is_locked(path).unwrap_or(false) => {
            return Err(journal_failure(path, &JournalError::Locked));
        }
        _ => std::fs::rename(path, &old),
    };
    moved.map_err(|error| journal_failure(path, &JournalError::Io(error)))
}

/// A warning about a journal that was not closed: its end may be missing.
pub fn unclosed_journal(path: &Path) -> Option<Diagnostic> {
    let plain = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let known = || {
        let opened = JournalReader::open(path);
        matches!(opened, Ok(_) | Err(JournalError::Mutation))
    };
    // One that is being written is not closed yet.
    let busy = || Journal::is_locked(path).unwrap_or(false);
    if !plain || is_closed(path).unwrap_or(true) || !known() || busy() {
        return None;
    }
    let message = format!("the journal `{}` has no closing line", path.display());
    let note = "its campaign was killed, or lines at its end were lost";
    let help = "`tioga resume` goes on with it";
    let mut diagnostic = Diagnostic::global("open-journal", message).note(note).help(help);
    diagnostic.severity = Severity::Warning;
    Some(diagnostic)
}

/// Why a journal cannot be read.
pub fn unreadable_journal(path: &Path, error: &JournalError) -> Failure {
    match error {
        JournalError::Empty => {
            let message = format!("the journal `{}` has no runs: {error}", path.display());
            Diagnostic::global("empty-journal", message).into()
        }
        _ => journal_failure(path, error),
    }
}

/// Why a journal cannot be used.
pub fn journal_failure(path: &Path, error: &JournalError) -> Failure {
    let name = path.display();
    let diagnostic = match error {
        JournalError::Io(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Diagnostic::global("cannot-read", format!("there is no file `{name}`"))
        }
        JournalError::Io(error) => {
            Diagnostic::global("cannot-write", format!("cannot use the journal `{name}`: {error}"))
        }
        JournalError::Locked => {
            let message = format!("a campaign is still writing the journal `{name}`");
            let help = "wait for its end, or use another journal";
            Diagnostic::global("journal-in-use", message).help(help)
        }
        JournalError::Mutation => {
            let message = format!("`{name}` is the journal of a mutation campaign");
            let help = "`tioga resume` goes on with it; it has no runs to look at";
            Diagnostic::global("mutation-journal", message).help(help)
        }
        JournalError::NotAJournal => {
            let message = format!("`{name}` is not a journal");
            let help = "`tioga run` writes journals";
            Diagnostic::global("not-a-journal", message).help(help)
        }
        JournalError::Version(_) => {
            let message = format!("the journal `{name}` cannot be read: {error}");
            let help = "read it with the version of Tioga that wrote it, or run the tests again";
            Diagnostic::global("journal-version", message).help(help)
        }
        JournalError::Empty => {
            let message = format!("the journal `{name}` cannot be resumed: {error}");
            Diagnostic::global("empty-journal", message).help("begin anew with `tioga run`")
        }
        JournalError::Corrupt { .. } => {
            let message = format!("the journal `{name}` cannot be trusted: {error}");
            let note = "only a last line that was cut off can be left out";
            Diagnostic::global("damaged-journal", message).note(note)
        }
    };
    diagnostic.into()
}
