//! Journals as files: where a new one goes, and what to say about one that cannot be used.

use std::path::{Path, PathBuf};

use tioga_base::Diagnostic;
use tioga_execute::{Journal, JournalError, JournalReader, Settings};

use crate::exit::Stop;
use crate::output::Session;

/// Begins a journal. One that is there already gets `.old` at the end of its name, or the first of
/// `.old2`, `.old3` and so on that is free.
pub fn create(session: &mut Session, path: &Path, settings: &Settings) -> Result<Journal, Stop> {
    if path.exists() {
        put_aside(session, path)?;
    }
    Journal::create(path, settings).map_err(|error| refused(session, path, &error))
}

fn put_aside(session: &mut Session, path: &Path) -> Result<(), Stop> {
    let old = old(path);
    let moved = match JournalReader::open(path) {
        Err(JournalError::NotAJournal) => {
            let message = format!("`{}` is not a journal, and is left alone", path.display());
            let help = "write the journal to another file with `--journal`";
            return Err(session.stop(Diagnostic::global("not-a-journal", message).help(help)));
        }
        Err(JournalError::Io(error)) => Err(error),
        _ if Journal::is_locked(path).unwrap_or(false) => {
            return Err(refused(session, path, &JournalError::Locked));
        }
        _ => std::fs::rename(path, &old),
    };
    moved.map_err(|error| refused(session, path, &JournalError::Io(error)))
}

/// The first free name for a journal that is put aside.
fn old(path: &Path) -> PathBuf {
    let mut number = 1_u64;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(if number == 1 { ".old".to_owned() } else { format!(".old{number}") });
        let name = PathBuf::from(name);
        // A link that leads nowhere is in the way, too.
        if name.symlink_metadata().is_err() {
            return name;
        }
        number += 1;
    }
}

/// Says why a journal cannot be read.
pub fn unreadable(session: &mut Session, path: &Path, error: &JournalError) -> Stop {
    match error {
        JournalError::Empty => {
            let message = format!("the journal `{}` has no runs: {error}", path.display());
            session.stop(Diagnostic::global("empty-journal", message))
        }
        _ => refused(session, path, error),
    }
}

/// Says why a journal cannot be used.
pub fn refused(session: &mut Session, path: &Path, error: &JournalError) -> Stop {
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
            let help = "wait for its end, or write another journal with `--journal`";
            Diagnostic::global("journal-in-use", message).help(help)
        }
        JournalError::NotAJournal => {
            let message = format!("`{name}` is not a journal");
            let help = "`tioga run` writes journals";
            Diagnostic::global("not-a-journal", message).help(help)
        }
        JournalError::Version(_) => {
            let message = format!("the journal `{name}` cannot be read: {error}");
            Diagnostic::global("journal-version", message)
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
    session.stop(diagnostic)
}
