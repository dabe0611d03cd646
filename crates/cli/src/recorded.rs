//! A run of a journal, with everything that is needed to make it again.

use std::path::Path;

use tioga_base::Diagnostic;
use tioga_execute::{JournalError, JournalReader, Outcome, RunRecord, Settings};
use tioga_model::Model;

use crate::args::LoadArgs;
use crate::exit::Stop;
use crate::output::Session;
use crate::{journal_file, load};

/// A run that was recorded.
pub struct Recorded {
    /// How the campaign was set up, except what is reached in another way now.
    pub settings: Settings,
    /// What happened.
    pub record: RunRecord,
}

impl Recorded {
    /// Reads a run of a journal: the one of this number, or the first that failed or was an error;
    /// if none did, the first.
    pub fn read(
        session: &mut Session,
        path: &Path,
        number: Option<u64>,
        system: Option<&str>,
    ) -> Result<Self, Stop> {
        let found = find(path, number).map_err(|error| match error {
            JournalError::Empty => {
                let message = format!("the journal `{}` has no runs: {error}", path.display());
                session.stop(Diagnostic::global("empty-journal", message))
            }
            _ => journal_file::refused(session, path, &error),
        })?;
        let (mut settings, Some(record)) = found else {
            let message = match number {
                Some(number) => format!("there is no run {number} in the journal"),
                None => "there is no run in the journal".to_owned(),
            };
            return Err(session.stop(Diagnostic::global("no-such-run", message)));
        };
        if let Some(system) = system {
            settings.system = system.to_owned();
            // How a model decides is no matter to anything else.
            if !system.starts_with("model:") {
                settings.policy = None;
            }
        }
        Ok(Self { settings, record })
    }

    /// The model the suite was made from, if the journal keeps it.
    pub fn model(&self, session: &mut Session, args: &LoadArgs) -> Result<Option<Model>, Stop> {
        let Some(model) = &self.settings.model else { return Ok(None) };
        Ok(Some(load::kept(session, model, args, &[])?.model))
    }

    /// The name of the test case.
    pub fn case(&self) -> &str {
        self.record.case().unwrap_or_default()
    }
}

fn find(path: &Path, number: Option<u64>) -> Result<(Settings, Option<RunRecord>), JournalError> {
    let reader = JournalReader::open(path)?;
    let settings = reader.settings().clone();
    let mut first: Option<RunRecord> = None;
    for run in reader.runs() {
        let run = run?;
        let outcome = run.outcome().map(|(outcome, _)| outcome);
        let wanted = match number {
            Some(number) => run.run == number,
            None => matches!(outcome, Some(Outcome::Fail | Outcome::Error)),
        };
        if wanted {
            return Ok((settings, Some(run)));
        }
        if number.is_none() && first.as_ref().is_none_or(|first| run.run < first.run) {
            first = Some(run);
        }
    }
    Ok((settings, first))
}
