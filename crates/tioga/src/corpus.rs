//! Statistics of existing model files: which of them are read, and why the others are refused.

use std::path::{Path, PathBuf};

use tioga_base::{Diagnostic, ModelFormat, Severity, Sources};
use tioga_parse::uppaal::asks_statistics;

use crate::ecdar;
use crate::open_options::OpenOptions;
use crate::texts::read_file;
use crate::{Failure, Reason, open, read, read_open};

/// The result for one file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sample {
    /// It is a model and was read. With it come the features that were set aside.
    Read(Vec<String>, Questions),
    /// It was refused.
    Refused(Refusal, Questions),
    /// It is something else in a file of that name, such as the settings of a program.
    Other,
}

/// The kind of queries in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Questions {
    /// No probabilities.
    Exact,
    /// Probabilities.
    Statistical,
}

/// Why a file was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The unsupported feature, or the kind of mistake: a short stable name.
    pub feature: String,
    /// The first complaint.
    pub message: String,
    /// The line it is about.
    pub line: Option<usize>,
}

impl Refusal {
    /// A file on which the reader itself failed.
    pub fn of_reader(feature: &str, message: impl Into<String>) -> Self {
        Self { feature: feature.to_owned(), message: message.into(), line: None }
    }
}

/// Reads one file as the commands do, and returns the result.
pub fn sample(path: &Path) -> Sample {
    let mut texts = Sources::new();
    let questions = match read_file(&mut texts, path) {
        Ok(text) if is_foreign(path, &text) => return Sample::Other,
        Ok(text) => questions(path, &text),
        Err(failure) => return Sample::Refused(refusal(&failure, &texts), Questions::Exact),
    };
    let opened = open(&path.to_string_lossy(), &OpenOptions::default(), &mut texts);
    let loaded = opened.and_then(|source| {
        let loaded = read(source.clone(), &[], &mut texts);
        match loaded {
            // Symbolic testing needs no values of symbolic constants.
            Err(failure) if failure.reason == Some(Reason::NoValue) => {
                read_open(source, &[], &mut texts)
            }
            loaded => loaded,
        }
    });
    match loaded {
        Ok(loaded) => {
            let aside = loaded.warnings.iter().filter_map(|one| one.feature);
            let mut aside: Vec<String> = aside.map(str::to_owned).collect();
            aside.sort();
            aside.dedup();
            Sample::Read(aside, questions)
        }
        Err(failure) => Sample::Refused(refusal(&failure, &texts), questions),
    }
}

/// Whether the extension alone is that of a model.
fn is_foreign(path: &Path, text: &str) -> bool {
    match ModelFormat::from_file_name(&path.to_string_lossy()) {
        Some(ModelFormat::UppaalXml) => {
            let model = ["<template", "<system", "<declaration"];
            let older = text.contains("<project") && model.iter().all(|part| text.contains(part));
            !text.contains("<nta") && !older
        }
        Some(_) => false,
        None => {
            !(ecdar::is_component(&path.to_string_lossy()) && ecdar::looks_like_component(text))
        }
    }
}

fn questions(path: &Path, text: &str) -> Questions {
    let beside = std::fs::read_to_string(path.with_extension("q"));
    let uppaal = matches!(
        ModelFormat::from_file_name(&path.to_string_lossy()),
        Some(ModelFormat::UppaalXml | ModelFormat::Xta)
    );
    let asked = asks_statistics(text) || beside.is_ok_and(|text| asks_statistics(&text));
    if uppaal && asked { Questions::Statistical } else { Questions::Exact }
}

fn refusal(failure: &Failure, texts: &Sources) -> Refusal {
    let first = failure.diagnostics.iter().find(|one| one.severity == Severity::Error);
    let Some(first) = first else { return Refusal::of_reader("unknown", "no reason was given") };
    let line = |diagnostic: &Diagnostic| {
        let primary = diagnostic.primary.as_ref()?;
        let source = texts.get(primary.span.file)?;
        Some(source.line_column(primary.span.start as usize).0)
    };
    Refusal {
        feature: first.feature.unwrap_or(first.code).to_owned(),
        message: first.message.clone(),
        line: line(first),
    }
}

/// The files below a folder that have the extension of a model, in order; the path itself if it is
/// a file. Links to folders are not followed.
pub fn model_files(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |path: &Path, error: &std::io::Error| {
        let message = format!("cannot read `{}`: {error}", path.display());
        Failure::from(Diagnostic::global("cannot-read", message))
    };
    let kind = std::fs::metadata(root).map_err(|error| unreadable(root, &error))?;
    if !kind.is_dir() {
        return Ok(vec![root.to_owned()]);
    }
    let (mut folders, mut files) = (vec![root.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if folder == root => return Err(unreadable(&folder, &error)),
            // A folder that is closed to us hides its files, and nothing else.
            Err(_) => continue,
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(_) => {
                    let name = path.to_string_lossy();
                    let known = ModelFormat::from_file_name(&name).is_some();
                    if known || ecdar::is_component(&name) {
                        files.push(path);
                    }
                }
                _ => {}
            }
        }
    }
    files.sort();
    Ok(files)
}
