//! The files of a report: all are begun before anything is written, and none is left half done.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tioga::unreadable_journal;
use tioga_base::Diagnostic;
use tioga_execute::{JournalReader, Settings};
use tioga_report::{Error, Inconclusive, Outputs, Report, Specification, write_reports};

use crate::args::InconclusiveArg;
use crate::exit::Stop;
use crate::output::Session;

/// The files to write, in the order of [`Outputs`]: JUnit XML, TAP, HTML, JSON and TTCN-3.
pub type Paths<'p> = [&'p Option<PathBuf>; 5];

/// A journal in a file.
pub type Journal = JournalReader<io::BufReader<std::fs::File>>;

/// Opens a journal.
pub fn open(path: &Path) -> Result<Journal, Stop> {
    Ok(JournalReader::open(path).map_err(|error| unreadable_journal(path, &error))?)
}

/// Writes the files that are wanted, and says which these are.
pub fn written<'s>(
    settings: &'s Settings,
    specification: Option<Specification<'s>>,
    reader: Journal,
    paths: Paths<'_>,
    inconclusive: InconclusiveArg,
    journal: &Path,
    session: &mut Session,
) -> Result<(Report<'s>, Vec<String>), Stop> {
    let unwritable = |path: &Path, error: &io::Error| {
        let message = format!("cannot write `{}`: {error}", path.display());
        Diagnostic::global("cannot-write", message)
    };
    let mut files = Vec::new();
    for path in paths {
        files.push(match path {
            Some(path) => Some(session.new_file(path).map_err(|error| unwritable(path, &error))?),
            None => None,
        });
    }
    let mut sinks = files.iter_mut().map(|file| file.as_mut().map(|file| file as &mut dyn Write));
    let mut next = || sinks.next().flatten();
    let outputs = Outputs {
        junit: next(),
        tap: next(),
        html: next(),
        json: next(),
        ttcn: next(),
        inconclusive: match inconclusive {
            InconclusiveArg::Skipped => Inconclusive::Skipped,
            InconclusiveArg::Error => Inconclusive::Error,
        },
    };
    let report = write_reports(settings, specification, reader.runs(), outputs);
    let report = report.map_err(|error| match error {
        Error::Runs(error) => unreadable_journal(journal, &error),
        Error::Output(error) => {
            let message = format!("cannot write the reports: {error}");
            Diagnostic::global("cannot-write", message).into()
        }
    })?;
    let mut written = Vec::new();
    for (file, path) in files.into_iter().zip(paths) {
        if let (Some(file), Some(path)) = (file, path) {
            file.finish().map_err(|error| unwritable(path, &error))?;
            written.push(path.display().to_string());
        }
    }
    Ok((report, written))
}
