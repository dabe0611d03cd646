//! The files that were given: a file, or what is in a folder. Nothing else is ever read.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tioga::{EXAMPLES, Failure, ModelFormat, ModelSource, OpenOptions, Sources, open};
use tioga_base::Diagnostic;

use crate::answer::Refused;

/// How deep folders are looked into, and how many files are listed.
const DEPTH: usize = 5;
const FILES: usize = 2000;

/// How much of a file says what it is.
const HEAD: u64 = 4096;

/// The endings of files that are read beside a model.
const BESIDE: [&str; 2] = ["q", "interface.toml"];

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A model.
    Model,
    /// A suite of test cases.
    Suite,
    /// The journal of a campaign.
    Journal,
    /// The journal of a mutation campaign.
    Mutation,
    /// A trace.
    Trace,
}

/// A file that was given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Listed {
    /// Its name from where the folder is; `@NAME` for an embedded example.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// How large it is, in bytes.
    pub size: u64,
    #[serde(skip)]
    path: PathBuf,
}

/// The files that were given.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// What was given, as it was written.
    pub given: String,
    root: Option<PathBuf>,
    single: Vec<PathBuf>,
    options: OpenOptions,
}

impl Workspace {
    /// The same with a further file, which need not be there yet.
    #[must_use]
    pub fn and(mut self, path: &Path) -> Self {
        self.single.push(path.to_owned());
        self
    }

    /// A file, a folder, or `@NAME`; models are read with these options.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new(given: &str, options: OpenOptions) -> Result<Self, Failure> {
        let mut workspace =
            Self { given: given.to_owned(), root: None, single: Vec::new(), options };
        if given.starts_with('@') {
            open(given, &workspace.options, &mut Sources::new())?;
            return Ok(workspace);
        }
        let path = Path::new(given);
        let found = fs::canonicalize(path).and_then(|real| {
            let folder = fs::metadata(&real)?.is_dir();
            if folder { fs::read_dir(&real).map(|_| ()) } else { File::open(&real).map(|_| ()) }?;
            Ok((real, folder))
        });
        match found {
            Ok((real, true)) => workspace.root = Some(real),
            Ok((real, false)) => {
                if kind_of(&real).is_none() {
                    let message =
                        format!("`{given}` is neither a model nor a suite, journal or trace");
                    return Err(Diagnostic::global("unknown-format", message).into());
                }
                workspace.single.push(real);
            }
            Err(error) => return Err(unreadable(given, &error)),
        }
        Ok(workspace)
    }

    /// All files, as they are now.
    pub fn files(&self) -> Vec<Listed> {
        let mut files = Vec::new();
        for path in &self.single {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.extend(listed(name, path));
        }
        if let Some(root) = &self.root {
            self.look(root, root, DEPTH, &mut files);
            files.sort_by(|left, right| (left.kind, &left.name).cmp(&(right.kind, &right.name)));
        }
        files
    }

    fn look(&self, root: &Path, folder: &Path, depth: usize, files: &mut Vec<Listed>) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let skipped =
                name.starts_with('.') || ["target", "node_modules"].contains(&name.as_str());
            // A link may lead out of the folder.
            let Ok(real) = fs::canonicalize(&path) else { continue };
            if skipped || !real.starts_with(root) || files.len() >= FILES {
                continue;
            }
            if path.is_dir() {
                // A linked folder is listed where it really is.
                if depth > 0 && !path.is_symlink() {
                    self.look(root, &path, depth - 1, files);
                }
                continue;
            }
            let Ok(relative) = path.strip_prefix(root) else { continue };
            files.extend(listed(relative.to_string_lossy().into_owned(), &real));
        }
    }

    /// The path of a file that was given; by its name in the list, so that no other name leads anywhere.
    ///
    /// # Errors
    /// If it is not in the list.
    pub fn path(&self, name: &str, kinds: &[Kind]) -> Result<PathBuf, Refused> {
        let found =
            self.files().into_iter().find(|file| file.name == name && kinds.contains(&file.kind));
        found.map(|file| file.path).ok_or_else(|| {
            Refused::new(404, format!("`{name}` is not among the files that were given"))
        })
    }

    /// The model of this name: a file that was given, or an embedded example.
    ///
    /// # Errors
    /// If it is not in the list, or cannot be read.
    pub fn model(&self, name: &str) -> Result<ModelSource, Refused> {
        let mut texts = Sources::new();
        if name.starts_with('@') {
            return Ok(open(name, &self.options, &mut texts)?);
        }
        let path = self.path(name, &[Kind::Model])?;
        self.nothing_leads_out(&path)?;
        let mut source = open(&path.to_string_lossy(), &self.options, &mut texts)?;
        source.name = name.to_owned();
        Ok(source)
    }

    /// What is read beside a model must be beside it, or in the folder that was given, and no link to elsewhere.
    fn nothing_leads_out(&self, model: &Path) -> Result<(), Refused> {
        let inside = self.root.as_deref().or_else(|| model.parent());
        for extension in BESIDE {
            let path = model.with_extension(extension);
            let Ok(real) = fs::canonicalize(&path) else { continue };
            if !inside.is_some_and(|folder| real.starts_with(folder)) {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let message = format!("`{name}` leads out of the folder that was given");
                return Err(Refused::new(403, message));
            }
        }
        Ok(())
    }
}

fn unreadable(given: &str, error: &io::Error) -> Failure {
    let message = match error.kind() {
        io::ErrorKind::NotFound => format!("there is no file or folder `{given}`"),
        io::ErrorKind::PermissionDenied => format!("no permission to read `{given}`"),
        _ => format!("cannot read `{given}`: {error}"),
    };
    Diagnostic::global("cannot-read", message).into()
}

fn listed(name: String, path: &Path) -> Option<Listed> {
    let kind = kind_of(path)?;
    let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
    Some(Listed { name, kind, size, path: path.to_owned() })
}

/// What a file is, by its name and its first bytes.
fn kind_of(path: &Path) -> Option<Kind> {
    let name = path.file_name()?.to_str()?;
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let head = || {
        let mut bytes = Vec::new();
        let file = File::open(path).ok()?;
        file.take(HEAD).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    match extension.as_str() {
        "journal" | "old" => {
            let head = head()?;
            let start = head.trim_start();
            if start.starts_with("{\"format\":\"tioga-mutation") {
                Some(Kind::Mutation)
            } else {
                Some(Kind::Journal)
            }
        }
        "trace" | "jsonl" => Some(Kind::Trace),
        "json" => {
            // Suites are written with their keys in order, so that the format comes late in the file.
            let start: String = head()?.split_whitespace().collect();
            let suite = start.contains("\"tioga-suite\"") || start.starts_with("{\"cases\":[");
            suite.then_some(Kind::Suite)
        }
        // Other programs write XML, too.
        "xml" => head()?.contains("<nta").then_some(Kind::Model),
        _ => ModelFormat::from_file_name(name).map(|_| Kind::Model),
    }
}

/// The embedded examples: name and what each is about.
pub fn examples() -> Vec<(String, String)> {
    EXAMPLES.iter().map(|example| (format!("@{}", example.name), example.summary())).collect()
}
