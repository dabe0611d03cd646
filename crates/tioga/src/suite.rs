//! Suites from texts, and their diagnostics.

use std::path::Path;

use serde_json::Value;
use tioga_base::{Diagnostic, FileId, Sources, Span, closest};
use tioga_setexp::Script;
use tioga_testcase::{CASE_VERSION, Suite, TestCase};

use crate::Failure;
use crate::texts::{own_format, read_file};

const HELP: &str = "`tioga synth MODEL -o FILE` writes suites";

/// Reads a suite from a file.
pub fn read_suite(texts: &mut Sources, path: &Path) -> Result<Suite, Failure> {
    let text = read_file(texts, path)?;
    let suite = parse_suite(texts, path, &text)?;
    for case in &suite.cases {
        let symbolic = || Script::of_case(case.symbolic.as_ref()?).err();
        if let Some(flaw) = case.flaw().or_else(symbolic) {
            let (file, name) = (path.display(), &case.name);
            let message = format!("`{file}` has a test case `{name}` that cannot be followed");
            return Err(Diagnostic::global("bad-suite", message).note(flaw).help(HELP).into());
        }
    }
    Ok(suite)
}

/// The suite in the text of a file; its test cases may be malformed.
pub(crate) fn parse_suite(texts: &mut Sources, path: &Path, text: &str) -> Result<Suite, Failure> {
    let file = texts.add(path.display().to_string(), text);
    parse(file, text).map_err(|mut diagnostic| {
        diagnostic.message = format!("`{}` {}", path.display(), diagnostic.message);
        (*diagnostic).into()
    })
}

/// The suite that a text says. Messages go on after the name of the file.
fn parse(file: FileId, text: &str) -> Result<Suite, Box<Diagnostic>> {
    let at = |error: &serde_json::Error| {
        let offset = offset(text, error.line(), error.column());
        Span::new(file, offset, text.len().min(offset + 1))
    };
    let other = || {
        let kind = own_format(text)?;
        Some(Diagnostic::global("not-a-suite", format!("is {kind}, not a suite")).help(HELP))
    };
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let plain = Diagnostic::error("not-a-suite", at(&error), "is not a suite");
        other().unwrap_or_else(|| plain.label(reason(&error)).help(HELP))
    })?;
    if value["format"] != "tioga-suite" {
        let plain = Diagnostic::global("not-a-suite", "is not a suite").help(HELP);
        return Err(other().unwrap_or(plain).into());
    }
    if !value["version"].as_u64().is_some_and(Suite::reads) {
        let version = &value["version"];
        let message = format!(
            "is a suite of version {version}, and this program reads version {CASE_VERSION}"
        );
        return Err(Diagnostic::global("suite-version", message).help(HELP).into());
    }
    let suite: Suite = serde_json::from_str(text).map_err(|error| {
        let message = format!("is not a suite as version {CASE_VERSION} describes it");
        Diagnostic::error("bad-suite", at(&error), message).label(reason(&error)).help(HELP)
    })?;
    if suite.cases.is_empty() {
        return Err(Diagnostic::global("empty-suite", "has no test cases").help(HELP).into());
    }
    Ok(suite.renewed())
}

/// What an error says, without the place, which is shown.
fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason).to_owned()
}

/// Where a line and a column are, both counted from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len);
    let start: usize = before.sum();
    let mut offset = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Test cases with the values of their inputs chosen: those over data become up to `samples` test cases each,
/// which differ in values; the others stay as they are.
pub fn instances(cases: Vec<TestCase>, samples: u64, seed: u64) -> Result<Vec<TestCase>, Failure> {
    let mut all = Vec::new();
    for case in cases {
        if case.data.is_none() {
            all.push(case);
            continue;
        }
        let mut made: Vec<TestCase> = Vec::new();
        for sample in 0..samples.max(1) {
            let one = case.instance(seed.wrapping_add(sample)).map_err(|why| {
                let message = format!("the data of the test case `{}`: {why}", case.name);
                Failure::from(Diagnostic::global("data", message))
            })?;
            if made.iter().all(|other| other.places != one.places) {
                made.push(one);
            }
        }
        if made.len() > 1 {
            for (number, one) in (1..).zip(&mut made) {
                one.name = format!("{}.{number}", one.name);
            }
        }
        all.extend(made);
    }
    Ok(all)
}

/// Keeps only the test cases of these names; all if there are none.
pub fn choose(suite: &mut Suite, names: &[String]) -> Result<(), Failure> {
    let is = |case: &TestCase, name: &str| case.name == name || case.summary.goal.is_called(name);
    for name in names {
        if suite.cases.iter().any(|case| is(case, name)) {
            continue;
        }
        let known: Vec<&str> = suite.cases.iter().map(|case| case.name.as_str()).collect();
        let help = match closest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the suite has {}", known.join(", ")),
        };
        let message = format!("there is no test case `{name}`");
        return Err(Diagnostic::global("unknown-case", message).help(help).into());
    }
    if !names.is_empty() {
        suite.cases.retain(|case| names.iter().any(|name| is(case, name)));
        // A part of a suite is not complete.
        suite.complete = None;
    }
    Ok(())
}
