//! A digest of a suite, so that changes made by hand are noticed: one for each test case, and one for the rest.
//!
//! It is over the values, not over the text: another layout of the file is no change. It is a CRC-32, which tells
//! accidents and edits, and protects against nobody who computes it anew.

use std::io::{self, Write};

use serde::Serialize;

use crate::case::{Digest, Suite, TestCase};

/// A part of a suite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SuitePart {
    /// The test case of this name.
    Case(String),
    /// What is not a test case: the model, the repetitions, the claim of completeness.
    Rest,
}

impl Digest {
    /// Adds a test case.
    pub fn add(&mut self, case: &TestCase) {
        self.cases.insert(case.name.clone(), digest(case));
    }

    /// Completes the digest with what a suite has besides its test cases.
    #[must_use]
    pub fn with_rest(mut self, suite: &Suite) -> Self {
        let Suite { format, version, model, repeat, complete, digest: _, cases: _ } = suite;
        self.rest = digest(&(format, version, model, repeat, complete));
        self
    }
}

impl Suite {
    /// The suite with its digest.
    #[must_use]
    pub fn with_digest(self) -> Self {
        let mut digest = Digest::default();
        self.cases.iter().for_each(|case| digest.add(case));
        let digest = Some(digest.with_rest(&self));
        Self { digest, ..self }
    }

    /// The parts that changed since the suite was written. None if it has no digest.
    pub fn changed_parts(&self) -> Vec<SuitePart> {
        let Some(written) = &self.digest else { return Vec::new() };
        let changed = |case: &&TestCase| written.cases.get(&case.name) != Some(&digest(*case));
        let cases = self.cases.iter().filter(changed);
        let mut all: Vec<SuitePart> =
            cases.map(|case| SuitePart::Case(case.name.clone())).collect();
        if Digest::default().with_rest(self).rest != written.rest {
            all.push(SuitePart::Rest);
        }
        all
    }
}

/// The CRC-32 of the JSON form of a value.
fn digest(value: &impl Serialize) -> String {
    let mut hashed = Hashed(crc32fast::Hasher::new());
    serde_json::to_writer(&mut hashed, value).expect("test cases have a JSON form");
    format!("{:08x}", hashed.0.finalize())
}

/// Hashes what is written.
struct Hashed(crc32fast::Hasher);

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
