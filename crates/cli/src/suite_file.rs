//! A suite on its way into a file: its test cases one by one, then its digest.

use std::path::Path;

use serde_json::{Value, json};
use tioga::Failure;
use tioga_testcase::{CompleteFor, Digest, Suite, TestCase};

use crate::list_file::ListFile;
use crate::output::Session;

/// The suite without its test cases, and the digest of those added so far.
pub struct SuiteFrame {
    suite: Suite,
    digest: Digest,
}

impl SuiteFrame {
    pub fn new(suite: Suite) -> Self {
        Self { suite, digest: Digest::default() }
    }

    /// Counts a test case into the digest.
    pub fn add(&mut self, case: &TestCase) {
        self.digest.add(case);
    }

    /// Adds the claim that the suite is complete.
    pub fn claim(&mut self, claim: CompleteFor) {
        self.suite.complete = Some(claim);
    }

    /// The suite as JSON, before its test cases are known.
    pub fn open(&self) -> Value {
        json!(self.suite)
    }

    /// The suite as JSON, with the digest of its test cases.
    pub fn close(self) -> Value {
        let digest = Some(self.digest.with_rest(&self.suite));
        json!(Suite { digest, ..self.suite })
    }
}

/// A file of a suite.
pub struct SuiteFile {
    frame: SuiteFrame,
    list: ListFile,
}

impl SuiteFile {
    /// Begins the file of a suite that has no test cases yet.
    pub fn begin(session: &mut Session, path: &Path, suite: Suite) -> Result<Self, Failure> {
        let frame = SuiteFrame::new(suite);
        let list = ListFile::begin(session, path, &frame.open(), "cases")?;
        Ok(Self { frame, list })
    }

    /// Adds a test case.
    pub fn add(&mut self, case: &TestCase) -> Result<(), Failure> {
        self.frame.add(case);
        self.list.add(case)
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), Failure> {
        self.list.finish(&self.frame.close())
    }
}
