//! The project file of a folder: its model, system under test and suite, so that `tioga test` and `tioga run`
//! need no arguments.
//!
//! ```toml
//! model = "door.tioga"
//! build = "make -s"
//! sut = "./adapter"
//! suite = "suite.json"
//! options = ["--repeat", "10"]
//! ```
//! Everything but the model may be left out.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use tioga_base::{Diagnostic, Sources, Span};

use crate::Failure;
use crate::texts::read_file;

/// The name of the project file.
pub const PROJECT_FILE: &str = "tioga.toml";

/// How many lines of a failed build are shown; the first error comes first.
const BUILD_LINES: usize = 20;

/// The contents of a project file.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Project {
    /// The model: a file, or `@NAME` for an embedded example.
    pub model: String,
    /// The system under test, as `--sut` takes it.
    #[serde(default)]
    pub sut: Option<String>,
    /// The suite that `tioga run` runs.
    #[serde(default)]
    pub suite: Option<String>,
    /// A command that builds the system before it is tested.
    #[serde(default)]
    pub build: Option<String>,
    /// Further options of `tioga test` and `tioga run`.
    #[serde(default)]
    pub options: Vec<String>,
}

/// The project of a folder; nothing if the folder has no project file.
pub fn project(folder: &Path, texts: &mut Sources) -> Result<Option<Project>, Failure> {
    let path = folder.join(PROJECT_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let text = read_file(texts, &path)?;
    let wrong = match toml::from_str(&text) {
        Ok(project) => return Ok(Some(project)),
        Err(wrong) => wrong,
    };
    let file = texts.add(path.display().to_string(), text);
    let range = wrong.span().unwrap_or(0..0);
    let span = Span::new(file, range.start, range.end);
    let message = wrong.message().lines().next().unwrap_or("not a project file").to_owned();
    let keys =
        "the keys are `model`, `sut`, `suite` and `build`, each a text, and `options`, a list";
    Err(Diagnostic::error("bad-project", span, message).note(keys).into())
}

/// Runs the command that builds a system, in the current folder.
pub fn build(command: &str) -> Result<(), Failure> {
    let run = Command::new("sh").args(["-c", command]).stdin(Stdio::null()).output();
    let output = match run {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => output,
        Err(error) => {
            let message = format!("the build command cannot be started: {error}");
            return Err(Diagnostic::global("build-failed", message).into());
        }
    };
    let message = format!("the build command `{command}` failed ({})", output.status);
    let told = [output.stdout, output.stderr].concat();
    let told = String::from_utf8_lossy(&told);
    let lines: Vec<&str> = told.lines().collect();
    let first = &lines[..lines.len().min(BUILD_LINES)];
    let mut diagnostic = Diagnostic::global("build-failed", message);
    if !first.is_empty() {
        diagnostic = diagnostic.note(first.join("\n"));
    }
    Err(diagnostic.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> (Sources, Result<Option<Project>, Failure>) {
        let folder =
            std::env::temp_dir().join(format!("tioga-project-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(PROJECT_FILE), text).unwrap();
        let mut texts = Sources::new();
        let read = project(&folder, &mut texts);
        std::fs::remove_dir_all(&folder).unwrap();
        (texts, read)
    }

    #[test]
    fn only_the_model_is_needed() {
        let (_, read) = read("model", "model = \"door.tioga\"\n");
        let project = read.unwrap().unwrap();
        assert_eq!(project.model, "door.tioga");
        assert_eq!((project.sut, project.suite, project.build), (None, None, None));
        assert!(project.options.is_empty());
    }

    #[test]
    fn a_folder_without_the_file_has_no_project() {
        let nowhere = std::env::temp_dir().join("tioga-no-such-folder");
        assert_eq!(project(&nowhere, &mut Sources::new()).unwrap(), None);
    }

    #[test]
    fn a_mistake_is_pointed_at() {
        for (name, text, offender) in [
            ("key", "model = \"a\"\nmodels = 1", "models"),
            ("type", "model = 1", "1"),
            ("list", "model = \"a\"\noptions = \"--repeat\"", "\"--repeat\""),
        ] {
            let (texts, read) = read(name, text);
            let failure = read.unwrap_err();
            let diagnostic = failure.diagnostics.iter().next().unwrap();
            assert_eq!(diagnostic.code, "bad-project");
            assert_eq!(texts.slice(diagnostic.primary.as_ref().unwrap().span), offender, "{text}");
        }
    }

    #[test]
    fn a_build_that_fails_says_what_it_said() {
        assert!(build("true").is_ok());
        let failure = build("echo no such door; exit 3").unwrap_err();
        let diagnostic = failure.diagnostics.iter().next().unwrap();
        assert_eq!(diagnostic.code, "build-failed");
        assert!(format!("{diagnostic:?}").contains("no such door"));
    }

    #[test]
    fn a_project_without_a_model_is_refused() {
        let (_, read) = read("empty", "sut = \"./door\"\n");
        let failure = read.unwrap_err();
        let diagnostic = failure.diagnostics.iter().next().unwrap();
        assert!(diagnostic.message.contains("model"), "{}", diagnostic.message);
    }
}
