//! The journal of a mutation campaign: the results of each mutant, so that a killed campaign can continue.
//! Results do not depend on the order of the work, so an interruption does not change them.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tioga_adapters::{Ignored, Policy};
use tioga_base::{Diagnostic, FileId, Moment, Rational};
use tioga_concrete::Trace;
use tioga_execute::{JournalError, MUTATION_FORMAT, SealedLines};
use tioga_testcase::{ModelSource, TestCase};

use super::judge::{Judge, Status, operators};
use super::options::MutationOptions;
use super::trials::{Cell, Kill, Row};
use crate::Failure;
use crate::new_file::followed;
use crate::runs::{journal_failure, put_aside};

/// The version of the form.
const VERSION: u32 = 1;

/// Everything a mutation campaign needs to begin and to continue.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MutationSettings {
    /// The model.
    pub model: ModelSource,
    /// The test cases.
    pub cases: Vec<TestCase>,
    /// Whether they were made from this model, so that it must not fail them.
    pub own_suite: bool,
    /// The file for the matrix, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
    operators: Vec<String>,
    environment: bool,
    as_is: bool,
    repeat: u64,
    seed: u64,
    policy: Policy,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    patience: Option<String>,
    full: bool,
    judge_all: bool,
    max_states: u64,
}

impl MutationSettings {
    /// These test cases against the mutants of a model.
    pub fn new(
        model: ModelSource,
        cases: Vec<TestCase>,
        own_suite: bool,
        out: Option<PathBuf>,
        options: &MutationOptions,
    ) -> Self {
        Self {
            model,
            cases,
            own_suite,
            out,
            operators: options.operators.iter().map(|one| one.name().to_owned()).collect(),
            environment: options.environment,
            as_is: options.as_is,
            repeat: options.repeat,
            seed: options.seed,
            policy: options.policy,
            patience: options.patience.map(|time| time.to_string()),
            full: options.full,
            judge_all: options.judge_all,
            max_states: options.max_states,
        }
    }

    /// How mutants are made, run and judged.
    pub fn options(&self) -> Result<MutationOptions, Failure> {
        let patience = self.patience.as_ref().map(|text| text.parse::<Rational>());
        let patience = patience.transpose().map_err(|error| {
            Failure::from(Diagnostic::global("damaged-journal", error.to_string()))
        })?;
        Ok(MutationOptions {
            operators: operators(&self.operators)?,
            environment: self.environment,
            as_is: self.as_is,
            repeat: self.repeat,
            seed: self.seed,
            policy: self.policy,
            patience,
            full: self.full,
            judge_all: self.judge_all,
            max_states: self.max_states,
        })
    }
}

#[derive(Serialize)]
struct Header<'s> {
    format: &'static str,
    version: u32,
    settings: &'s MutationSettings,
}

#[derive(Deserialize)]
struct ReadHeader {
    format: String,
    version: u64,
    #[serde(default)]
    settings: Option<MutationSettings>,
}

/// A line: something that is known for good.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    /// The number of runs of the model itself, and whether some could not continue.
    Own { runs: u64, faulty: bool },
    /// The results of the runs of a mutant up to the end of a stage.
    Row { mutant: String, stage: u8, cells: Vec<SavedCell> },
    /// The result of the comparison of a mutant.
    Status { mutant: String, status: SavedStatus },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedCell {
    #[serde(default, skip_serializing_if = "is_zero")]
    runs: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    passed: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    errors: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kill: Option<SavedKill>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "this is what serde calls")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedKill {
    run: u64,
    seed: u64,
    reason: String,
    at: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ignored: Option<Ignored>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stopped: Option<Moment>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum SavedStatus {
    Equivalent,
    NonConforming { kind: String, run: String },
    Unknown(String),
}

/// The results of a mutation campaign so far, and its journal if there is one.
#[derive(Debug, Default)]
pub struct MutationRecord {
    journal: Option<SealedLines>,
    judge: Option<Judge>,
    own: Option<(u64, bool)>,
    rows: BTreeMap<(String, u8), Row>,
    statuses: BTreeMap<String, Status>,
    /// Why the journal could not be written.
    failed: Option<io::Error>,
}

impl MutationRecord {
    /// Of a campaign that begins now, with a journal. An existing one is kept with `.old` at the end of
    /// its name.
    pub fn create(path: &Path, settings: &MutationSettings) -> Result<Self, Failure> {
        let place = followed(path);
        if place.exists() {
            put_aside(&place)?;
        }
        let header = Header { format: MUTATION_FORMAT, version: VERSION, settings };
        let journal = SealedLines::create(&place, &header);
        let journal = journal.map_err(|error| journal_failure(path, &error))?;
        Ok(Self { journal: Some(journal), ..Self::default() })
    }

    /// Of a campaign that was interrupted, with its settings.
    pub fn resume(path: &Path) -> Result<(Self, MutationSettings), Failure> {
        let mut read = Reading::default();
        let journal = SealedLines::resume(path, |number, line| read.line(number, line));
        let journal = journal.map_err(|error| journal_failure(path, &error))?;
        let (mut record, settings) = read.finish(path)?;
        record.journal = Some(journal);
        Ok((record, settings))
    }

    /// Of a campaign that may still be running elsewhere, for reading only.
    pub fn look(path: &Path) -> Result<(Self, MutationSettings), Failure> {
        let mut read = Reading::default();
        let done = SealedLines::look(path, |number, line| read.line(number, line));
        done.map_err(|error| journal_failure(path, &error))?;
        read.finish(path)
    }

    /// The mutants that were run, each with the final results of its runs.
    pub fn last_rows(&self) -> impl Iterator<Item = (&str, &Row)> {
        let mut last = BTreeMap::new();
        // Stages come in order, so the last one stays.
        for ((mutant, _), row) in &self.rows {
            last.insert(mutant.as_str(), row);
        }
        last.into_iter()
    }

    /// The result of the comparison of a mutant with the model, if it is known.
    pub fn known_status(&self, mutant: &str) -> Option<&Status> {
        self.statuses.get(mutant)
    }

    fn read(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::Own { runs, faulty } => self.own = Some((runs, faulty)),
            Line::Row { mutant, stage, cells } => {
                let cells: Result<Vec<Cell>, String> =
                    cells.into_iter().map(Cell::try_from).collect();
                self.rows.insert((mutant, stage), Row { cells: cells? });
            }
            Line::Status { mutant, status } => {
                self.statuses.insert(mutant, status.try_into()?);
            }
        }
        Ok(())
    }

    fn write(&mut self, line: &Line) {
        if let Some(journal) = self.journal.as_mut().filter(|_| self.failed.is_none()) {
            self.failed = journal.append(line).err();
        }
    }

    /// How often the model itself was run, and whether some runs could not continue; if that is
    /// known.
    pub(super) fn own(&self) -> Option<(u64, bool)> {
        self.own
    }

    pub(super) fn set_own(&mut self, runs: u64, faulty: bool) {
        self.own = Some((runs, faulty));
        self.write(&Line::Own { runs, faulty });
    }

    /// The results of the runs of a mutant up to the end of a stage, if they were made.
    pub(super) fn row(&self, mutant: &str, stage: u8) -> Option<&Row> {
        self.rows.get(&(mutant.to_owned(), stage))
    }

    pub(super) fn set_row(&mut self, mutant: &str, stage: u8, row: &Row) {
        let cells = row.cells.iter().map(SavedCell::from).collect();
        self.write(&Line::Row { mutant: mutant.to_owned(), stage, cells });
    }

    /// A record of what is known about mutants themselves; what a suite does to them is not in it.
    pub(crate) fn knowing(judge: Judge, statuses: BTreeMap<String, Status>) -> Self {
        Self { judge: Some(judge), statuses, ..Self::default() }
    }

    /// What judged the mutants so far, with the same limits.
    pub(super) fn judge(&mut self) -> Option<Judge> {
        self.judge.take()
    }

    /// What the comparison of a mutant showed, if there was one.
    pub(super) fn status(&self, mutant: &str) -> Option<&Status> {
        self.statuses.get(mutant)
    }

    pub(super) fn set_status(&mut self, mutant: &str, status: &Status) {
        let (mutant, status) = (mutant.to_owned(), SavedStatus::from(status));
        self.write(&Line::Status { mutant, status });
    }

    /// Whether everything could be written so far.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        let Some(error) = self.failed.take() else { return Ok(()) };
        let message = format!("the journal cannot be written: {error}");
        let help = "when this is mended, `tioga resume` goes on";
        Err(Diagnostic::global("campaign-stopped", message).help(help).into())
    }

    /// Closes the journal.
    pub(super) fn close(&mut self) -> Result<(), Failure> {
        if let Some(journal) = &mut self.journal {
            self.failed = journal.close().err();
        }
        self.check()
    }
}

/// What was read of a journal so far.
#[derive(Default)]
struct Reading {
    record: MutationRecord,
    settings: Option<MutationSettings>,
}

impl Reading {
    /// Takes a line, numbered from 1.
    fn line(&mut self, number: u64, line: &[u8]) -> Result<(), JournalError> {
        let corrupt = |reason: String| JournalError::Corrupt { line: number, reason };
        if number > 1 {
            let line = serde_json::from_slice(line).map_err(|error| corrupt(error.to_string()))?;
            return self.record.read(line).map_err(corrupt);
        }
        let header: Result<ReadHeader, _> = serde_json::from_slice(line);
        let header = header.map_err(|_| JournalError::NotAJournal)?;
        if header.format != MUTATION_FORMAT {
            return Err(JournalError::NotAJournal);
        }
        if header.version != u64::from(VERSION) {
            return Err(JournalError::Version(header.version));
        }
        self.settings = header.settings;
        let mut cases = self.settings.iter().flat_map(|settings| &settings.cases);
        match cases.find_map(TestCase::flaw) {
            Some(flaw) => Err(corrupt(format!("a test case cannot be followed: {flaw}"))),
            None => Ok(()),
        }
    }

    fn finish(self, path: &Path) -> Result<(MutationRecord, MutationSettings), Failure> {
        let no_settings = || {
            let reason = "it has no settings".to_owned();
            journal_failure(path, &JournalError::Corrupt { line: 1, reason })
        };
        Ok((self.record, self.settings.ok_or_else(no_settings)?))
    }
}

impl From<&Cell> for SavedCell {
    fn from(cell: &Cell) -> Self {
        let kill = cell.kill.as_ref().map(|kill| SavedKill {
            run: kill.run,
            seed: kill.seed,
            reason: kill.reason.clone(),
            at: kill.at.to_string(),
            ignored: kill.ignored.clone(),
            stopped: kill.stopped,
        });
        Self { runs: cell.runs, passed: cell.passed, errors: cell.errors, kill }
    }
}

impl TryFrom<SavedCell> for Cell {
    type Error = String;

    fn try_from(saved: SavedCell) -> Result<Self, String> {
        let SavedCell { runs, passed, errors, kill } = saved;
        let kill = kill.map(|SavedKill { run, seed, reason, at, ignored, stopped }| {
            let at = at.parse::<Moment>().map_err(|error| error.to_string())?;
            Ok::<_, String>(Kill { run, seed, reason, at, ignored, stopped })
        });
        Ok(Self { runs, passed, errors, kill: kill.transpose()? })
    }
}

impl From<&Status> for SavedStatus {
    fn from(status: &Status) -> Self {
        match status {
            Status::Equivalent => Self::Equivalent,
            Status::NonConforming { run, kind } => {
                Self::NonConforming { kind: (*kind).to_owned(), run: run.to_jsonl() }
            }
            Status::Unknown(reason) => Self::Unknown(reason.clone()),
        }
    }
}

impl TryFrom<SavedStatus> for Status {
    type Error = String;

    fn try_from(saved: SavedStatus) -> Result<Self, String> {
        Ok(match saved {
            SavedStatus::Equivalent => Self::Equivalent,
            SavedStatus::Unknown(reason) => Self::Unknown(reason),
            SavedStatus::NonConforming { kind, run } => {
                let kinds = ["output", "delay", "refusal"];
                let kind = kinds.into_iter().find(|known| *known == kind);
                let kind = kind.ok_or("a mutant differs in an unknown way")?;
                let run = Trace::from_jsonl(&run, FileId(0)).map_err(|_| "a run cannot be read")?;
                Self::NonConforming { run, kind }
            }
        })
    }
}
