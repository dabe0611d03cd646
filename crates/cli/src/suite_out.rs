//! Where the test cases of a new suite go: each is written as soon as it is made, so that none has to be kept.

use std::path::Path;

use serde_json::Value;
use tioga::{Failure, target_of, tester_text};
use tioga_testcase::{CompleteFor, Suite, TestCase};

use crate::args::SynthArgs;
use crate::exit::Stop;
use crate::list_file::ListFile;
use crate::output::{OutputFormat, Session};
use crate::spool::Spool;
use crate::suite_file::SuiteFrame;

/// The output of `tioga synth` under way.
pub struct SuiteOut<'a> {
    frame: SuiteFrame,
    file: Option<(&'a Path, ListFile)>,
    /// All test cases, for `--format json`.
    values: Option<Spool>,
    /// Where a tester for the first test case is written.
    tester: Option<&'a Path>,
    first: Option<TestCase>,
}

impl<'a> SuiteOut<'a> {
    /// Begins the output of a suite that has no test cases yet.
    pub fn begin(
        args: &'a SynthArgs,
        suite: &Suite,
        session: &mut Session,
    ) -> Result<Self, Failure> {
        let frame = SuiteFrame::new(suite.clone());
        let file = match args.out.as_deref() {
            Some(path) => Some((path, ListFile::begin(session, path, &frame.open(), "cases")?)),
            None => None,
        };
        let whole = session.format == OutputFormat::Json;
        let values = whole.then(|| Spool::new(&["result", "suite", "cases"])).transpose()?;
        Ok(Self { frame, file, values, tester: args.tester.as_deref(), first: None })
    }

    /// Whether test cases are written in full.
    pub fn is_full(&self) -> bool {
        self.file.is_some() || self.values.is_some()
    }

    /// Adds a test case.
    pub fn add(&mut self, case: &TestCase) -> Result<(), Failure> {
        if self.is_full() {
            self.frame.add(case);
        }
        if let Some((_, file)) = &mut self.file {
            file.add(case)?;
        }
        if let Some(values) = &mut self.values {
            values.add(case)?;
        }
        if self.tester.is_some() && self.first.is_none() {
            self.first = Some(case.clone());
        }
        Ok(())
    }

    /// Adds the claim that the suite is complete.
    pub fn claim(&mut self, claim: &CompleteFor) {
        self.frame.claim(claim.clone());
    }

    /// Completes the files and says so. Returns the suite without its test cases, and these for `--format json`.
    pub fn finish(
        self,
        text: &mut String,
        session: &mut Session,
    ) -> Result<(Value, Option<Spool>), Stop> {
        let frame = if self.is_full() { self.frame.close() } else { self.frame.open() };
        if let Some((path, file)) = self.file {
            file.finish(&frame)?;
            text.push_str(&format!("suite written to {}\n", path.display()));
        }
        if let (Some(path), Some(case)) = (self.tester, &self.first) {
            let contents = tester_text(case, target_of(path)?)?;
            session.write_file(path, contents.as_bytes())?;
            text.push_str(&format!("tester written to {}\n", path.display()));
        }
        Ok((frame, self.values))
    }
}
