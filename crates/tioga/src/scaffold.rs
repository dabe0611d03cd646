//! New projects: a model, a system under test with its adapter, a suite and a CI file that run at once, in one of
//! three languages. The files are templates embedded in the library.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tioga_base::{Diagnostic, Sources};
use tioga_testcase::{Cover, ModelSource, Suite};

use crate::project::PROJECT_FILE;
use crate::synthesis::{Aim, SynthesisOptions, synthesize};
use crate::{Effort, Failure, read};

/// The language of the system under test and its adapter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProjectLanguage {
    /// Python 3, without packages.
    Python,
    /// Rust, without dependencies.
    Rust,
    /// C, with make.
    C,
}

/// A file of a template: its path in the project, and its text.
type Template = (&'static str, &'static str);

macro_rules! template {
    ($path:literal, $source:literal) => {
        ($path, include_str!(concat!("../templates/", $source)))
    };
}

const MODEL: Template = template!("door.tioga", "common/door.tioga");

const COMMON: &[Template] = &[
    MODEL,
    template!("README.md", "common/README.md"),
    template!("ci.sh", "common/ci.sh"),
    template!(".github/workflows/test.yml", "common/workflow.yml"),
    template!(".gitignore", "common/gitignore"),
];

const PYTHON: &[Template] = &[
    template!("tioga.toml", "python/tioga.toml"),
    template!("door.py", "python/door.py"),
    template!("adapter.py", "python/adapter.py"),
];

const RUST: &[Template] = &[
    template!("tioga.toml", "rust/tioga.toml"),
    template!("Cargo.toml", "rust/Cargo.toml.in"),
    template!("src/door.rs", "rust/src/door.rs"),
    template!("src/main.rs", "rust/src/main.rs"),
];

const C: &[Template] = &[
    template!("tioga.toml", "c/tioga.toml"),
    template!("Makefile", "c/Makefile"),
    template!("door.h", "c/door.h"),
    template!("door.c", "c/door.c"),
    template!("adapter.c", "c/adapter.c"),
];

const SUITE: &str = "suite.json";

impl ProjectLanguage {
    /// The files that only projects in this language have.
    fn own(self) -> &'static [Template] {
        match self {
            Self::Python => PYTHON,
            Self::Rust => RUST,
            Self::C => C,
        }
    }

    /// The files of the system under test and of the adapter, and what is built and not kept.
    fn places(self) -> [&'static str; 3] {
        match self {
            Self::Python => ["door.py", "adapter.py", "__pycache__/\n"],
            Self::Rust => ["src/door.rs", "src/main.rs", "target/\n"],
            Self::C => ["door.c", "adapter.c", "adapter\n"],
        }
    }
}

/// Writes a new project into the folder `parent/name` and returns the files.
///
/// The folder may exist. If it has one of the files already, nothing is written.
pub fn scaffold(
    parent: &Path,
    name: &str,
    language: ProjectLanguage,
    effort: &mut Effort<'_>,
) -> Result<Vec<PathBuf>, Failure> {
    expect_name(name)?;
    let folder = parent.join(name);
    let [system, adapter, built] = language.places();
    let filled = |text: &str| {
        let text = text.replace("{{name}}", name).replace("{{system}}", &format!("`{system}`"));
        text.replace("{{adapter}}", &format!("`{adapter}`"))
    };
    let templates = COMMON.iter().chain(language.own());
    let mut files: Vec<(PathBuf, String)> =
        templates.map(|(path, text)| (folder.join(path), filled(text))).collect();
    files.push((folder.join(SUITE), suite(effort)?));
    for (path, text) in &mut files {
        if path.ends_with(".gitignore") {
            text.push_str(built);
        }
    }
    // A link that leads nowhere is something, too.
    let there: Vec<&PathBuf> =
        files.iter().map(|(path, _)| path).filter(|path| path.symlink_metadata().is_ok()).collect();
    if let Some(first) = there.first() {
        let message = match there.len() {
            1 => format!("`{}` exists already", first.display()),
            count => format!("`{}` and {} more files exist already", first.display(), count - 1),
        };
        let help = "choose another name; existing files are never overwritten";
        return Err(Diagnostic::global("file-exists", message).help(help).into());
    }
    for (path, text) in &files {
        written(path, text).map_err(|error| {
            let message = format!("cannot write `{}`: {error}", path.display());
            Failure::from(Diagnostic::global("cannot-write", message))
        })?;
    }
    // The file that explains the others comes last.
    let mut paths: Vec<PathBuf> = files.into_iter().map(|(path, _)| path).collect();
    paths.sort_by_key(|path| {
        (path.ends_with("README.md"), !path.ends_with(PROJECT_FILE), path.clone())
    });
    Ok(paths)
}

/// Writes a file that does not exist yet, with the folders above it.
fn written(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    #[cfg(unix)]
    if path.extension().is_some_and(|end| end == "sh") {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// The name is one of a folder, a package and a title.
fn expect_name(name: &str) -> Result<(), Failure> {
    let letters = |one: char| one.is_ascii_alphanumeric() || one == '-' || one == '_';
    if name.starts_with(|one: char| one.is_ascii_alphabetic()) && name.chars().all(letters) {
        return Ok(());
    }
    let message = format!("`{name}` cannot be the name of a project");
    let help = "a name has letters, digits, `-` and `_`, and begins with a letter";
    Err(Diagnostic::global("bad-name", message).help(help).into())
}

/// The suite of the model: a test case for its purpose, and one for each edge that goes on until one more output.
fn suite(effort: &mut Effort<'_>) -> Result<String, Failure> {
    let (name, text) = MODEL;
    let source = ModelSource::of_text(name, text).expect("the name says the language");
    let loaded = read(source, &[], &mut Sources::new())?;
    let mut cases = Vec::new();
    for aim in [Aim::Model, Aim::Cover { what: vec![Cover::Edges], then: true }] {
        cases.extend(synthesize(&loaded, &aim, &SynthesisOptions::default(), effort)?.cases);
    }
    let suite = Suite::of_model(loaded.source, cases);
    let text = serde_json::to_string_pretty(&suite.with_digest()).expect("a suite is JSON");
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_folders_and_packages_are_names() {
        for good in ["demo", "my-door", "door_2"] {
            assert!(expect_name(good).is_ok(), "{good}");
        }
        for bad in ["", ".", "..", "a/b", "-x", "2door", "my door", "tür"] {
            assert!(expect_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn no_template_has_a_hole_left() {
        for language in [ProjectLanguage::Python, ProjectLanguage::Rust, ProjectLanguage::C] {
            let texts = COMMON.iter().chain(language.own()).map(|(_, text)| text);
            for text in texts {
                let filled = ["{{name}}", "{{system}}", "{{adapter}}"]
                    .iter()
                    .fold((*text).to_owned(), |text, hole| text.replace(hole, "x"));
                // What GitHub fills in has a dollar sign before it.
                assert!(!filled.replace("${{", "").contains("{{n"), "{filled}");
            }
        }
    }
}
